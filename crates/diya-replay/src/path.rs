//! Paths of a log below the folder of a replay.
//!
//! A path of a log is data of somebody else: it never leaves the folder. `..` and names that
//! the file system may refuse are replaced, and no symbolic link is ever made.

use diya_tables::record_id;
use std::collections::HashSet;

/// Bytes of a name that every file system takes.
const LONGEST_NAME: usize = 200;

/// Bytes of a path that the kernel takes, with room for the folder.
const LONGEST_PATH: usize = 3_000;

/// The path below the folder: relative, without `.` and `..`, never empty.
///
/// Paths that have to be changed get a name that follows from the whole path, so that two
/// of them never meet.
pub fn below(path: &str) -> String {
    let hash = || format!("{:016x}", record_id(path.as_bytes()));
    let mut is_changed = false;
    let mut names: Vec<String> = Vec::new();
    for name in path.split('/').filter(|name| !name.is_empty() && *name != ".") {
        let is_bad = name == ".." || name.len() > LONGEST_NAME || name.contains('\0');
        is_changed |= is_bad;
        names.push(match is_bad {
            true => format!("name-{:016x}", record_id(name.as_bytes())),
            false => name.to_owned(),
        });
    }
    let whole = names.join("/");
    match () {
        () if whole.is_empty() || whole.len() > LONGEST_PATH => format!("path-{}", hash()),
        () if is_changed => format!("changed-{}/{whole}", hash()),
        () => whole,
    }
}

/// All folders above these paths.
pub fn folders<'p>(paths: impl Iterator<Item = &'p str>) -> HashSet<&'p str> {
    let mut folders = HashSet::new();
    for path in paths {
        let mut rest = path;
        while let Some((folder, _)) = rest.rsplit_once('/') {
            if !folders.insert(folder) {
                break;
            }
            rest = folder;
        }
    }
    folders
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_paths_keep_their_names() {
        assert_eq!(below("/scratch/me/out.0"), "scratch/me/out.0");
        assert_eq!(below("//a/./b/"), "a/b");
    }

    #[test]
    fn hostile_paths_stay_below() {
        let long = "x".repeat(5_000);
        let deep = "d/".repeat(3_000);
        for path in ["/../../etc/passwd", "..", "a/../../b", "", "/", ".", "a\0b", &long, &deep] {
            let below = below(path);
            assert!(!below.is_empty() && below.len() < 4_000, "{path:?}");
            let is_plain = |name: &str| !["", ".", ".."].contains(&name) && name.len() <= 255;
            assert!(below.split('/').all(is_plain) && !below.contains('\0'), "{path:?}: {below}");
        }
        assert_ne!(below("/a/../b"), below("/c/../b"));
    }

    #[test]
    fn folders_are_those_above() {
        let folders = folders(["a/b/c", "a/d"].into_iter());
        assert_eq!(folders, HashSet::from(["a", "a/b"]));
    }
}
