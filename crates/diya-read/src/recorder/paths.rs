//! Relative paths that other calls of the rank have in full.
//!
//! Version 2.3 makes a path absolute before `open` has made the file, which fails: `open` of a
//! new file has the path as the program gave it, the calls after it the whole path.

use super::signatures::Signature;
use diya_tables::{FastHashMap, FastHashSet};

/// Paths of one base name that are tried for a relative path.
const MAX_TRIED: usize = 64;

/// Whole paths by relative ones, where there is only one that ends so.
pub(super) fn whole_paths<'b>(
    signatures: &[Option<Signature<'b>>],
) -> FastHashMap<&'b [u8], &'b [u8]> {
    let mut whole: FastHashMap<&[u8], FastHashSet<&[u8]>> = FastHashMap::default();
    let args = || signatures.iter().flatten().flat_map(|signature| signature.args.iter().copied());
    for path in args().filter(|arg| arg.starts_with(b"/")) {
        whole.entry(base(path)).or_default().insert(path);
    }
    let relative = args().filter(|arg| !arg.starts_with(b"/"));
    let found = relative.filter_map(|path| {
        let ends_so =
            |whole: &&[u8]| whole.strip_suffix(path).is_some_and(|folder| folder.ends_with(b"/"));
        let mut found = whole.get(base(path))?.iter().copied().take(MAX_TRIED).filter(ends_so);
        let first = found.next()?;
        found.next().is_none().then_some((path, first))
    });
    found.collect()
}

fn base(path: &[u8]) -> &[u8] {
    path.rsplit(|byte| *byte == b'/').next().unwrap_or_default()
}
