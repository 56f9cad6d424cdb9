//! The folder of a loop: locked while it runs, and cleaned after a loop that was killed.

use crate::failure::{Done, Failure};
use crate::output::{Content, to_stdout};
use diya::capture::SegmentDirectory;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// The file that is there, and locked, while a loop runs.
const LOCK: &str = "lock";

/// What a loop makes in its folder, beside the lock: begins of names.
const MADE: [&str; 5] = ["index.html", "loop.json", "keep", "run-", "settings-"];

/// The folder of a loop.
pub struct LoopFolder {
    path: PathBuf,
    lock: File,
    is_new: bool,
}

impl LoopFolder {
    /// Makes and locks it; one that is there has to be empty.
    pub fn make(path: &Path) -> Result<Self, Failure> {
        let at = path.display();
        let failed = |error: &dyn std::fmt::Display| Failure::Output(format!("{at}: {error}"));
        let is_new = match fs::create_dir(path) {
            Ok(()) => true,
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => false,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(failed(&"the folder above it is missing; make it with `mkdir -p`"));
            }
            Err(error) => return Err(failed(&error)),
        };
        if !is_new {
            if !path.is_dir() {
                return Err(failed(&"is no folder; name a new one with -o"));
            }
            match lock_of(path) {
                Some(Ok(_)) => {
                    return Err(failed(&format_args!(
                        "a loop was killed in it; `diya tune --clean {at}` removes what it left"
                    )));
                }
                Some(Err(())) => {
                    return Err(failed(
                        &"another `diya tune --loop` works in it; name a new one with -o",
                    ));
                }
                None => {}
            }
            if fs::read_dir(path).map_err(|error| failed(&error))?.next().is_some() {
                return Err(failed(&"is not empty; name a new folder with -o"));
            }
        }
        let lock = OpenOptions::new().write(true).create_new(true).open(path.join(LOCK));
        let lock = lock.map_err(|error| failed(&error))?;
        // Not every file system has locks; the name then is all that protects the folder.
        let _ = lock.try_lock();
        Ok(Self { path: path.to_owned(), lock, is_new })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes down the process of a run, for `--clean`.
    pub fn note_run(&mut self, process: u32) {
        // Only a loop that is killed needs it.
        let _ = writeln!(self.lock, "{process}");
    }

    /// Removes everything that the loop made.
    pub fn remove(self) {
        let (path, is_new) = (self.path.clone(), self.is_new);
        drop(self);
        let _ = remove_made(&path);
        if is_new {
            // Something else may lie in it by now.
            let _ = fs::remove_dir(&path);
        }
    }
}

impl Drop for LoopFolder {
    fn drop(&mut self) {
        let _ = fs::remove_file(self.path.join(LOCK));
    }
}

/// The lock of a folder: free, or held by a loop; `None`: there is none.
fn lock_of(folder: &Path) -> Option<Result<File, ()>> {
    let path = folder.join(LOCK);
    // A link of this name leads to somebody else's file.
    fs::symlink_metadata(&path).ok().filter(fs::Metadata::is_file)?;
    let lock = File::open(&path).ok()?;
    match lock.try_lock() {
        Err(TryLockError::WouldBlock) => Some(Err(())),
        _ => Some(Ok(lock)),
    }
}

fn remove_made(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut removed = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if MADE.iter().any(|begin| name.starts_with(begin)) || name == LOCK {
            match entry.file_type()?.is_dir() {
                true => fs::remove_dir_all(entry.path())?,
                false => fs::remove_file(entry.path())?,
            }
            removed.push(entry.path());
        }
    }
    removed.sort();
    Ok(removed)
}

/// `diya tune --clean DIR`: removes what a killed loop left.
pub fn clean(folder: &Path, segments: Option<&Path>) -> Result<Done, Failure> {
    let at = folder.display();
    if !folder.is_dir() {
        return Err(Failure::Input(format!("{at}: no such folder; --clean takes that of a loop")));
    }
    let removed = match lock_of(folder) {
        None => Vec::new(),
        Some(Err(())) => {
            return Err(Failure::Input(format!("{at}: a loop works in it; nothing was removed")));
        }
        Some(Ok(_lock)) => {
            let noted = fs::read_to_string(folder.join(LOCK)).unwrap_or_default();
            for process in noted.lines().filter_map(|line| line.parse().ok()) {
                SegmentDirectory::remove_of(segments, process);
            }
            let removed =
                remove_made(folder).map_err(|error| Failure::Output(format!("{at}: {error}")))?;
            // The files of others stay.
            let _ = fs::remove_dir(folder);
            removed
        }
    };
    to_stdout(Content::Text, |out| {
        for path in &removed {
            writeln!(out, "removed {}", path.display())?;
        }
        if removed.is_empty() {
            writeln!(out, "{at}: no files of a killed loop")?;
        }
        Ok(())
    })?;
    Ok(Done::WHOLE)
}
