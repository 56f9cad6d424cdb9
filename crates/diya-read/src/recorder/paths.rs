//! Relative paths that other calls of the rank have in full.
//!
//! Version 2.3 makes a path absolute before `open` has made the file, which fails: `open` of a
//! new file has the path as the program gave it, the calls after it the whole path.

use super::arguments::Arguments;
use super::names::Names;
use super::signatures::Signature;
use diya_tables::{FastHashMap, FastHashSet};

/// Paths of one base name that are tried for a relative path.
const MAX_TRIED: usize = 64;

/// Whole paths by relative ones that are opened, where there is only one that ends so.
pub(super) fn whole_paths(
    signatures: &[Option<Signature>],
    names: &Names,
) -> FastHashMap<u32, u32> {
    let opened = signatures.iter().flatten().filter_map(|signature| match signature.arguments {
        Arguments::Open { path, .. } => Some(path),
        _ => None,
    });
    let relative: FastHashSet<u32> =
        opened.filter(|path| !names.text(*path).starts_with(b"/")).collect();
    if relative.is_empty() {
        return FastHashMap::default();
    }
    let mut whole: FastHashMap<&[u8], Vec<u32>> = FastHashMap::default();
    for (number, path) in names.all().filter(|(_, path)| path.starts_with(b"/")) {
        whole.entry(base(path)).or_default().push(number);
    }
    let found = relative.into_iter().filter_map(|relative| {
        let path = names.text(relative);
        let ends_so = |whole: &u32| {
            let folder = names.text(*whole).strip_suffix(path);
            folder.is_some_and(|folder| folder.ends_with(b"/"))
        };
        let mut found = whole.get(base(path))?.iter().copied().take(MAX_TRIED).filter(ends_so);
        let first = found.next()?;
        found.next().is_none().then_some((relative, first))
    });
    found.collect()
}

fn base(path: &[u8]) -> &[u8] {
    path.rsplit(|byte| *byte == b'/').next().unwrap_or_default()
}
