//! Folders and files that are there before the first request.

use crate::buffer::{Buffer, MAX_BYTES};
use crate::effect::Initial;
use crate::error::ReplayError;
use crate::operation::Operation;
use crate::path::folders;
use crate::plan::Plan;
use crate::replay_folder::ReplayFolder;
use diya::model::bytes_text;
use rustix::fs::{self, Mode, OFlags};
use rustix::io::Errno;
use std::collections::HashSet;

/// Bytes that are written at once. Larger chunks make larger pages of the cache, in which small
/// writes take several times as long (ext4, Linux 6.18).
const CHUNK: usize = 64 << 10;

/// Fails if the file system of the folder has no room for the files.
///
/// # Errors
///
/// If less is free than all files need at their largest.
pub fn check_space(plan: &Plan, folder: &std::path::Path) -> Result<(), ReplayError> {
    let Ok(about) = fs::statvfs(folder) else { return Ok(()) };
    let free = about.f_bavail.saturating_mul(about.f_frsize);
    match plan.most_bytes > free {
        true => Err(ReplayError::Space {
            path: folder.to_path_buf(),
            needed: bytes_text(plan.most_bytes),
            free: bytes_text(free),
        }),
        false => Ok(()),
    }
}

/// Whose files a node prepares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Share {
    /// All.
    All,
    /// Those that this node uses first: all nodes see one folder.
    First(u32),
    /// Those that this node uses: it has a folder of its own.
    Used(u32),
}

impl Share {
    /// By file: whether it is in this share.
    fn files(self, plan: &Plan) -> Vec<bool> {
        let mut share = vec![self == Self::All; plan.files.len()];
        let (Self::First(own) | Self::Used(own)) = self else { return share };
        let mut first: Vec<Option<u32>> = vec![None; plan.files.len()];
        for (requests, node) in plan.lanes.iter().zip(&plan.nodes) {
            for request in requests.iter().filter(|request| request.operation != Operation::Meet) {
                if let Some(first) = first.get_mut(request.file as usize) {
                    first.get_or_insert(*node);
                }
                if let Some(is_used) = share.get_mut(request.file as usize) {
                    *is_used |= *node == own;
                }
            }
        }
        match self {
            Self::Used(_) => share,
            // What nobody uses is the work of the first node.
            _ => first.into_iter().map(|node| node.unwrap_or(0) == own).collect(),
        }
    }
}

/// Makes the folders that the recorded calls found there.
///
/// # Errors
///
/// If one cannot be made. Returns early, without an error, when `is_over`.
pub fn prepare_folders(
    plan: &Plan,
    replay_folder: &ReplayFolder,
    is_over: &dyn Fn() -> bool,
) -> Result<(), ReplayError> {
    let root = replay_folder.root();
    let make = |path: &str| match fs::mkdirat(root, path, Mode::RWXU) {
        Err(error) if error != Errno::EXIST => Err(failed(path, error)),
        _ => Ok(()),
    };
    // Folders that the program makes are its own; all others are there.
    let files = || plan.files.iter().zip(&plan.initial);
    let absent: HashSet<&str> = files()
        .filter(|(_, initial)| **initial != Initial::Directory)
        .map(|(file, _)| file.below.as_str())
        .collect();
    let all = folders(plan.files.iter().map(|file| file.below.as_str()));
    let mut needed: Vec<&str> = all.into_iter().filter(|folder| !is_in(&absent, folder)).collect();
    let directories = files().filter(|(_, initial)| **initial == Initial::Directory);
    needed.extend(directories.map(|(file, _)| file.below.as_str()));
    // A folder comes before what is in it.
    needed.sort_unstable();
    needed.dedup();
    for folder in needed {
        if is_over() {
            return Ok(());
        }
        make(folder)?;
    }
    Ok(())
}

/// Makes the files that the recorded calls found there, with generated data, and makes them
/// durable: writing them later would disturb the replay. `is_cold` drops them from the page cache.
///
/// # Errors
///
/// If one cannot be made. Returns early, without an error, when `is_over`.
pub fn prepare_files(
    plan: &Plan,
    replay_folder: &ReplayFolder,
    share: Share,
    is_cold: bool,
    is_over: &dyn Fn() -> bool,
) -> Result<(), ReplayError> {
    let root = replay_folder.root();
    let mine = share.files(plan);
    let files = || {
        let all = plan.files.iter().zip(&plan.initial).zip(&mine);
        all.filter(|(_, is_mine)| **is_mine).map(|(file, _)| file)
    };
    let sizes = files().filter_map(|(_, initial)| match initial {
        Initial::File(bytes) => Some(*bytes),
        _ => None,
    });
    let most = sizes.max().unwrap_or(0);
    let data = Buffer::random(CHUNK.min(usize::try_from(most).unwrap_or(MAX_BYTES)));
    for (file, initial) in files() {
        let Initial::File(bytes) = *initial else { continue };
        if is_over() {
            return Ok(());
        }
        fill(root, &file.below, bytes, &data, is_over)
            .map_err(|error| failed(&file.path, error))?;
    }
    // Where this is not possible the data is written while the replay runs.
    let _ = fs::syncfs(root);
    if is_cold {
        files().filter(|(_, initial)| matches!(initial, Initial::File(_))).for_each(|(file, _)| {
            // Advice: file systems in memory have no other place.
            let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW;
            if let Ok(file) = fs::openat(root, &file.below, flags, Mode::empty()) {
                let _ = fs::fadvise(file, 0, None, fs::Advice::DontNeed);
            }
        });
    }
    Ok(())
}

fn failed(path: &str, error: Errno) -> ReplayError {
    ReplayError::Io { path: path.to_owned(), error: error.into() }
}

/// Is the folder, or one above it, in the set?
fn is_in(set: &HashSet<&str>, folder: &str) -> bool {
    let mut rest = folder;
    loop {
        if set.contains(rest) {
            return true;
        }
        match rest.rsplit_once('/') {
            Some((above, _)) => rest = above,
            None => return false,
        }
    }
}

fn fill(
    root: &std::os::fd::OwnedFd,
    path: &str,
    bytes: u64,
    data: &Buffer,
    is_over: &dyn Fn() -> bool,
) -> Result<(), Errno> {
    let flags = OFlags::CREATE | OFlags::WRONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    let file = fs::openat(root, path, flags, Mode::RUSR | Mode::WUSR)?;
    let mut done = 0;
    while done < bytes && !is_over() {
        let chunk = usize::try_from(bytes - done).unwrap_or(CHUNK).min(CHUNK);
        match rustix::io::pwrite(&file, data.first(chunk), done)? {
            0 => return Err(Errno::NOSPC),
            written => done += written as u64,
        }
    }
    Ok(())
}
