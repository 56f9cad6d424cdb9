//! Where the recorder's library is: beside the program, or unpacked from it.

use std::fs;
use std::io::{self, Write as _};
use std::os::unix::fs::{
    DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _,
};
use std::path::{Path, PathBuf};

/// The library, as part of this program.
static BYTES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/libdiya_capture.so"));
/// Its file name.
const NAME: &str = "libdiya_capture.so";

/// Why there is no library to load.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LibraryError {
    /// This system has no preloading.
    #[error("recording needs Linux; logs recorded elsewhere can be read here")]
    NotHere,
    /// It could not be unpacked anywhere.
    #[error("the library of the recorder cannot be written: {0}; set DIYA_LIBRARY to its path")]
    NoPlace(String),
}

/// Path of the library. All nodes of a job must see it: an installed one does,
/// and so does the user's cache folder, which clusters share.
pub fn library() -> Result<PathBuf, LibraryError> {
    if let Some(path) = std::env::var_os("DIYA_LIBRARY") {
        return Ok(path.into());
    }
    if BYTES.is_empty() {
        return Err(LibraryError::NotHere);
    }
    if let Some(path) = installed() {
        return Ok(path);
    }
    let mut tried = Vec::new();
    for folder in folders() {
        match unpack(&folder) {
            Ok(path) => return Ok(path),
            Err(error) => tried.push(format!("{}: {error}", folder.display())),
        }
    }
    Err(LibraryError::NoPlace(tried.join("; ")))
}

/// Writes the library into a folder, for an installation.
pub fn install_library(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    write_whole(folder)
}

/// `<prefix>/lib/diya/libdiya_capture.so` beside `<prefix>/bin/diya`, if it is
/// of this version.
fn installed() -> Option<PathBuf> {
    let program = std::env::current_exe().ok()?;
    let path = program.parent()?.parent()?.join("lib/diya").join(NAME);
    is_ours(&path).then_some(path)
}

fn is_ours(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|m| m.len() == BYTES.len() as u64)
        && fs::read(path).is_ok_and(|bytes| bytes == BYTES)
}

fn folders() -> Vec<PathBuf> {
    let cache = std::env::var_os("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .or_else(|| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache")));
    let temporary = std::env::temp_dir().join(format!("diya-{}", uid()));
    let cache = cache.map(|cache| cache.join("diya"));
    match cache {
        // What root starts may go on as another user, who cannot enter root's home:
        // the linker would complain of a library that it cannot read.
        Some(cache) if uid() == 0 && !is_open_to_all(&cache) => vec![temporary, cache],
        cache => cache.into_iter().chain([temporary]).collect(),
    }
}

fn uid() -> u32 {
    fs::metadata("/proc/self").map_or(0, |m| m.uid())
}

/// Every folder on the way that is there lets everybody through.
fn is_open_to_all(path: &Path) -> bool {
    path.ancestors().filter_map(|folder| fs::metadata(folder).ok()).all(|m| m.mode() & 0o001 != 0)
}

fn unpack(folder: &Path) -> io::Result<PathBuf> {
    let above = folder;
    let folder = above.join(format!("recorder-{}-{:016x}", env!("CARGO_PKG_VERSION"), digest()));
    let path = folder.join(NAME);
    let is_safe = || is_private(above) && is_private(&folder);
    if is_safe() && is_ours(&path) {
        return Ok(path);
    }
    let mode = if uid() == 0 { 0o755 } else { 0o700 };
    fs::DirBuilder::new().recursive(true).mode(mode).create(&folder)?;
    if is_safe() && uid() == 0 {
        // Whatever umask says.
        for folder in [above, &folder] {
            fs::set_permissions(folder, fs::Permissions::from_mode(mode))?;
        }
    }
    if !is_safe() {
        let why = "the folder belongs to another user or is writable by others";
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, why));
    }
    write_whole(&folder)?;
    Ok(path)
}

/// Several jobs may start at once: each writes a file of its own and renames it.
fn write_whole(folder: &Path) -> io::Result<()> {
    let partial = folder.join(format!("{NAME}.{}", std::process::id()));
    let mut file = fs::OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o755)
        .open(&partial)?;
    file.write_all(BYTES)?;
    file.set_permissions(fs::Permissions::from_mode(0o755))?; // whatever umask says
    drop(file);
    fs::rename(&partial, folder.join(NAME))
}

/// What is loaded into our programs must not be writable by others.
fn is_private(folder: &Path) -> bool {
    let uid = uid();
    fs::symlink_metadata(folder)
        .is_ok_and(|m| m.is_dir() && m.uid() == uid && m.mode() & 0o022 == 0)
}

/// Distinguishes builds of the same version (FNV-1a).
fn digest() -> u64 {
    BYTES.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_behind_a_closed_one_is_not_open_to_all() {
        let closed = std::env::temp_dir().join(format!("diya-closed-{}", std::process::id()));
        fs::DirBuilder::new().mode(0o700).create(&closed).expect("can be made");
        assert!(!is_open_to_all(&closed.join("not/there")));
        assert!(is_open_to_all(Path::new("/usr/lib")));
        fs::remove_dir(&closed).expect("can be removed");
    }
}
