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

/// How the name goes on for a replay on several nodes: `diya-replay-nodes-SESSION`.
const NODES: &str = "nodes-";

/// An empty folder that is older will not get its lock any more.
const TIME_TO_LOCK: Duration = Duration::from_secs(60);

/// How often a folder is removed in which another node still makes files, and the time between.
const REMOVALS: u32 = 50;
const BETWEEN_REMOVALS: Duration = Duration::from_millis(20);

/// The folder of a replay.
#[derive(Debug)]
pub struct ReplayFolder {
    path: PathBuf,
    root: OwnedFd,
    renamed: OwnedFd,
    /// The lock ends with the process, however it ends. Only who made the folder has it.
    _lock: Option<OwnedFd>,
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
        Self::make_at(dir, path)
    }

    /// Makes the folder that all nodes of a replay use, and locks it.
    ///
    /// # Errors
    ///
    /// As [`Self::make`], and if there is a folder of this session.
    pub fn make_for_nodes(dir: &Path, session: &str) -> Result<Self, ReplayError> {
        let path = path_for_nodes(dir, session)?;
        if path.exists() {
            let reason = "is there: another replay uses it, or was killed; `diya replay --clean` \
                          removes it, --session NAME takes another name";
            return Err(ReplayError::Folder { path, reason: reason.to_owned() });
        }
        if !dir.is_dir() {
            let reason = "is no folder; name one on the file system to measure".to_owned();
            return Err(ReplayError::Folder { path: dir.to_path_buf(), reason });
        }
        Self::make_at(dir, path)
    }

    /// Opens the folder that another node made.
    ///
    /// # Errors
    ///
    /// If it cannot be used.
    pub(crate) fn join(path: &Path) -> Result<Self, ReplayError> {
        let io = |error: rustix::io::Errno| ReplayError::Folder {
            path: path.to_path_buf(),
            reason: format!("cannot be used: {error}"),
        };
        let (root, renamed) =
            (open(&path.join(FILES)).map_err(io)?, open(&path.join(RENAMED)).map_err(io)?);
        Ok(Self { path: path.to_path_buf(), root, renamed, _lock: None, is_kept: true })
    }

    fn make_at(dir: &Path, path: PathBuf) -> Result<Self, ReplayError> {
        let io = |error: rustix::io::Errno| ReplayError::Folder {
            path: dir.to_path_buf(),
            reason: format!("cannot be used: {error}; name a folder that you may write to"),
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
            open(&path)
        };
        let (root, renamed) = (folder(FILES).map_err(io)?, folder(RENAMED).map_err(io)?);
        Ok(Self { path, root, renamed, _lock: Some(lock), is_kept: false })
    }

    /// Does not remove the files at the end.
    pub fn keep(&mut self) {
        self.is_kept = true;
    }

    /// The folder of the replay itself.
    pub(crate) fn path(&self) -> &Path {
        &self.path
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

fn open(path: &Path) -> Result<OwnedFd, rustix::io::Errno> {
    let flags = OFlags::DIRECTORY | OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    rustix::fs::open(path, flags, Mode::empty())
}

/// The folder of a replay on several nodes.
///
/// # Errors
///
/// If the name of the session is not one plain word.
pub(crate) fn path_for_nodes(dir: &Path, session: &str) -> Result<PathBuf, ReplayError> {
    match is_word(session) {
        true => Ok(dir.join(format!("{PREFIX}{NODES}{session}"))),
        false => Err(ReplayError::Folder {
            path: dir.to_path_buf(),
            reason: format!("--session {session:?}: expected letters, digits, `.`, `_` and `-`"),
        }),
    }
}

fn is_word(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    (1..=100).contains(&text.len()) && text.bytes().all(is_plain)
}

impl Drop for ReplayFolder {
    fn drop(&mut self) {
        if self.is_kept {
            return;
        }
        // Another node may still make a file while this one empties the folder. Nobody is left to
        // hear of a failure; `--clean` finds what remains.
        for _ in 0..REMOVALS {
            let gone = std::fs::remove_dir_all(&self.path);
            if gone.is_ok() || !self.path.exists() {
                return;
            }
            std::thread::sleep(BETWEEN_REMOVALS);
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
    let is_ours = match name.strip_prefix(NODES) {
        Some(session) => is_word(session),
        None => name.split_once('-').is_some_and(|(id, at)| is_number(id) && is_number(at)),
    };
    if !is_ours {
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
