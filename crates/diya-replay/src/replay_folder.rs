//! The folder of a replay: made for it, locked while it runs, removed at its end.
//!
//! All files of a replay lie in one new folder that only this user may enter. So a path of the
//! log meets no file and no link of anybody else.

use crate::error::ReplayError;
use rustix::fs::{AtFlags, FlockOperation, Mode, OFlags};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How the folders of replays begin.
const PREFIX: &str = "diya-replay-";

/// The lock file in a folder of a replay.
const LOCK: &str = "lock";

/// The folder below which the files lie.
const FILES: &str = "files";

/// The folder for names that are not recorded: of renamed and linked files.
const RENAMED: &str = "renamed";

/// An empty folder that is older will not get its lock any more.
const TIME_TO_LOCK: Duration = Duration::from_secs(60);

/// The folder of a replay.
#[derive(Debug)]
pub struct ReplayFolder {
    path: PathBuf,
    root: OwnedFd,
    renamed: OwnedFd,
    /// The lock ends with the process, however it ends.
    _lock: OwnedFd,
    is_kept: bool,
}

impl ReplayFolder {
    /// Makes a folder in `dir`, and locks it.
    ///
    /// # Errors
    ///
    /// If `dir` is no folder, or cannot be written to.
    pub fn make(dir: &Path) -> Result<Self, ReplayError> {
        let failed = |reason: String| ReplayError::Folder { path: dir.to_path_buf(), reason };
        if !dir.is_dir() {
            return Err(failed("is no folder; name one on the file system to measure".to_owned()));
        }
        let path = (0..10_000)
            .map(|number| dir.join(format!("{PREFIX}{}-{number}", std::process::id())))
            .find(|path| !path.exists())
            .ok_or_else(|| failed("is full of replays: --clean removes them".to_owned()))?;
        let io = |error: rustix::io::Errno| {
            failed(format!("cannot be used: {error}; name a folder that you may write to"))
        };
        rustix::fs::mkdir(&path, Mode::RWXU).map_err(io)?;
        let lock = rustix::fs::open(
            path.join(LOCK),
            OFlags::CREATE | OFlags::EXCL | OFlags::WRONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW,
            Mode::RUSR | Mode::WUSR,
        )
        .map_err(io)?;
        // Not every file system has locks; the name then is all that protects the folder.
        let _ = rustix::fs::flock(&lock, FlockOperation::NonBlockingLockExclusive);
        let folder = |name: &str| {
            let path = path.join(name);
            rustix::fs::mkdir(&path, Mode::RWXU)?;
            let flags = OFlags::DIRECTORY | OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW;
            rustix::fs::open(&path, flags, Mode::empty())
        };
        let (root, renamed) = (folder(FILES).map_err(io)?, folder(RENAMED).map_err(io)?);
        Ok(Self { path, root, renamed, _lock: lock, is_kept: false })
    }

    /// Does not remove the files at the end.
    pub fn keep(&mut self) {
        self.is_kept = true;
    }

    /// Where the files lie.
    pub fn files(&self) -> PathBuf {
        self.path.join(FILES)
    }

    /// The same, open.
    pub(crate) fn root(&self) -> &OwnedFd {
        &self.root
    }

    /// Where files go whose new name is not recorded.
    pub(crate) fn renamed(&self) -> &OwnedFd {
        &self.renamed
    }
}

impl Drop for ReplayFolder {
    fn drop(&mut self) {
        if !self.is_kept {
            // Nobody is left to hear of it; `--clean` finds what remains.
            let _ = std::fs::remove_dir_all(&self.path);
        }
    }
}

/// Folders of replays that were removed, and those that are in use.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Cleaned {
    /// Removed.
    pub removed: Vec<PathBuf>,
    /// A replay is using them.
    pub in_use: Vec<PathBuf>,
}

/// Removes what killed replays left in `dir`, or were asked to keep.
///
/// # Errors
///
/// If `dir` cannot be read, or a folder of a replay cannot be removed.
pub fn clean(dir: &Path) -> Result<Cleaned, ReplayError> {
    let failed = |path: &Path, error: std::io::Error| ReplayError::Folder {
        path: path.to_path_buf(),
        reason: error.to_string(),
    };
    let mut cleaned = Cleaned::default();
    for entry in std::fs::read_dir(dir).map_err(|error| failed(dir, error))? {
        let path = entry.map_err(|error| failed(dir, error))?.path();
        match is_abandoned(&path) {
            None => {}
            Some(false) => cleaned.in_use.push(path),
            Some(true) => {
                std::fs::remove_dir_all(&path).map_err(|error| failed(&path, error))?;
                cleaned.removed.push(path);
            }
        }
    }
    cleaned.removed.sort();
    cleaned.in_use.sort();
    Ok(cleaned)
}

/// Whether no replay uses the folder; `None`: it is not the folder of a replay.
fn is_abandoned(path: &Path) -> Option<bool> {
    let name = path.file_name()?.to_str()?.strip_prefix(PREFIX)?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let (process, number) = name.split_once('-')?;
    if !is_number(process) || !is_number(number) {
        return None;
    }
    // A link of this name leads to somebody else's folder.
    let about = rustix::fs::statat(rustix::fs::CWD, path, AtFlags::SYMLINK_NOFOLLOW).ok()?;
    if rustix::fs::FileType::from_raw_mode(about.st_mode) != rustix::fs::FileType::Directory {
        return None;
    }
    let flags = OFlags::WRONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    let Ok(lock) = rustix::fs::open(path.join(LOCK), flags, Mode::empty()) else {
        // Killed before there was a lock, or about to make it.
        let age = std::fs::metadata(path).ok()?.modified().ok()?.elapsed().ok()?;
        return (age > TIME_TO_LOCK && std::fs::read_dir(path).ok()?.next().is_none())
            .then_some(true);
    };
    match rustix::fs::flock(&lock, FlockOperation::NonBlockingLockExclusive) {
        Err(rustix::io::Errno::WOULDBLOCK) => Some(false),
        _ => Some(true),
    }
}
