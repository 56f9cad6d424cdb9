//! The folder that segments are written to: private, and not to be guessed.

use nix::sys::resource::{Resource, getrlimit};
use std::fs;
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

/// Why there is no folder to record to.
#[derive(Debug, thiserror::Error)]
#[error(
    "no directory for the recording: {tried}; set one with --segments (in memory or on a local disk)"
)]
pub struct DirectoryError {
    tried: String,
}

/// Room that a folder must have: a full one would take no recording at all.
const LEAST_ROOM: usize = 1 << 20;

/// A folder for segments, on this node.
#[derive(Debug, Clone)]
pub struct SegmentDirectory {
    path: PathBuf,
    passed_over: Option<String>,
}

impl SegmentDirectory {
    /// Makes a new folder: below `parent`, or else in memory, or else where
    /// temporary files go.
    pub fn create(parent: Option<&Path>) -> Result<Self, DirectoryError> {
        let mut tried = Vec::new();
        for parent in parents(parent) {
            let path = parent.join(name());
            match new_folder(&path) {
                Ok(()) => {
                    let passed_over = (!tried.is_empty()).then(|| tried.join("; "));
                    return Ok(Self { path, passed_over });
                }
                Err(error) => tried.push(format!("{}: {error}", parent.display())),
            }
        }
        Err(DirectoryError { tried: tried.join("; ") })
    }

    /// Removes what a process of this number left: below `parent`, or else where folders for
    /// segments are made.
    pub fn remove_of(parent: Option<&Path>, process: u32) {
        let begin = format!("diya-{}-{process}-", uid());
        for parent in parents(parent) {
            for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
                let is_its =
                    entry.file_name().to_str().is_some_and(|name| name.starts_with(&begin));
                // A link of this name leads to somebody else's folder.
                if is_its && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                    let _ = fs::remove_dir_all(entry.path());
                }
            }
        }
    }

    /// Folders that would have been taken first, and why they were not.
    pub fn passed_over(&self) -> Option<&str> {
        self.passed_over.as_deref()
    }

    /// Why nothing more can be written to it, if so.
    pub fn is_full(&self) -> Option<io::Error> {
        has_room(&self.path).err()
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Removes it with everything in it.
    pub fn remove(&self) -> io::Result<()> {
        fs::remove_dir_all(&self.path)
    }
}

/// Where folders for segments are made, in this order.
fn parents(parent: Option<&Path>) -> Vec<PathBuf> {
    match parent {
        Some(parent) => vec![parent.to_path_buf()],
        None => vec![PathBuf::from("/dev/shm"), std::env::temp_dir()],
    }
}

fn uid() -> u32 {
    fs::metadata("/proc/self").map_or(0, |m| m.uid())
}

/// A private folder that something can be written to.
fn new_folder(path: &Path) -> io::Result<()> {
    fs::DirBuilder::new().mode(0o700).create(path)?;
    has_room(path).inspect_err(|_| {
        let _ = fs::remove_dir_all(path);
    })
}

/// Written, not asked for: quotas count as well. A file that is longer than the limit of
/// this process would end it by a signal.
fn has_room(folder: &Path) -> io::Result<()> {
    let limit = getrlimit(Resource::RLIMIT_FSIZE).map_or(0, |(limit, _)| limit);
    let length = usize::try_from(limit).unwrap_or(usize::MAX).min(LEAST_ROOM);
    let probe = folder.join("room");
    let written = fs::write(&probe, vec![0; length]);
    let _ = fs::remove_file(&probe);
    written
}

/// A name that no other process can have used before: user, process, and random bits.
fn name() -> String {
    let uid = uid();
    let mut random = [0; 8];
    let is_random = fs::File::open("/dev/urandom")
        .and_then(|mut file| io::Read::read_exact(&mut file, &mut random))
        .is_ok();
    // mkdir fails on a name that is there, so a guessed one does no harm.
    let bits = if is_random { u64::from_ne_bytes(random) } else { u64::from(std::process::id()) };
    format!("diya-{uid}-{}-{bits:016x}", std::process::id())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn the_folder_is_private_and_new_each_time() {
        let parent = std::env::temp_dir();
        let one = SegmentDirectory::create(Some(&parent)).expect("can be made");
        let other = SegmentDirectory::create(Some(&parent)).expect("can be made");
        assert_ne!(one.path(), other.path());
        let mode = fs::metadata(one.path()).expect("is there").permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
        one.remove().expect("can be removed");
        other.remove().expect("can be removed");
    }

    #[test]
    fn folders_of_one_process_are_removed_and_others_stay() {
        let parent = std::env::temp_dir().join(format!("of-{}", name()));
        let other = parent.join(format!("diya-{}-1-00", uid()));
        fs::create_dir_all(&other).expect("can be made");
        let own = SegmentDirectory::create(Some(&parent)).expect("can be made");
        SegmentDirectory::remove_of(Some(&parent), std::process::id());
        assert!(!own.path().exists() && other.exists());
        fs::remove_dir_all(&parent).expect("can be removed");
    }

    #[test]
    fn a_folder_without_room_is_named_and_not_left() {
        // A file takes no folder below it, like a full file system takes no bytes.
        let parent = std::env::temp_dir().join(name());
        fs::create_dir(&parent).expect("can be made");
        fs::write(parent.join("file"), "").expect("can be written");
        let error = has_room(&parent.join("file")).expect_err("no folder");
        assert_eq!(error.kind(), io::ErrorKind::NotADirectory);
        has_room(&parent).expect("there is room");
        assert_eq!(fs::read_dir(&parent).expect("is there").count(), 1);
        fs::remove_dir_all(&parent).expect("can be removed");
    }

    #[test]
    fn a_missing_parent_is_named() {
        let error = SegmentDirectory::create(Some(Path::new("/nowhere/at/all"))).expect_err("none");
        assert!(error.to_string().contains("/nowhere/at/all"), "{error}");
    }
}
