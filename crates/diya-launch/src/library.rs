//! Where the libraries are that are preloaded, the recorder's and the one that applies
//! settings: beside the program, or unpacked from it.

use std::fs;
use std::io::{self, Write as _};
use std::os::unix::fs::{
    DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _,
};
use std::path::{Path, PathBuf};

/// A library, as part of this program.
struct Library {
    name: &'static str,
    bytes: &'static [u8],
}

static RECORDER: Library = Library {
    name: "libdiya_capture.so",
    bytes: include_bytes!(concat!(env!("OUT_DIR"), "/libdiya_capture.so")),
};
static APPLIER: Library = Library {
    name: "libdiya_apply.so",
    bytes: include_bytes!(concat!(env!("OUT_DIR"), "/libdiya_apply.so")),
};

/// Why there is no library to load.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LibraryError {
    /// This system has no preloading.
    #[error("recording needs Linux; logs recorded elsewhere can be read here")]
    NotHere,
    /// It could not be unpacked anywhere.
    #[error("{name} cannot be written: {tried}; {way_out}")]
    NoPlace {
        /// The library.
        name: &'static str,
        /// Each folder, and what the system said.
        tried: String,
        /// What to do.
        way_out: &'static str,
    },
}

/// Path of the recorder's library. All nodes of a job must see it: an installed one does,
/// and so does the user's cache folder, which clusters share.
pub fn library() -> Result<PathBuf, LibraryError> {
    match std::env::var_os("DIYA_LIBRARY") {
        Some(path) => Ok(path.into()),
        None => RECORDER.path("set DIYA_LIBRARY to its path"),
    }
}

/// Path of the library that applies settings inside the processes; as [`library`].
pub fn apply_library() -> Result<PathBuf, LibraryError> {
    APPLIER.path("run without `--apply`, or give a HOME that can be written")
}

/// Writes the libraries into a folder, for an installation.
pub fn install_library(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    [&RECORDER, &APPLIER].into_iter().try_for_each(|library| library.write_whole(folder))
}

impl Library {
    fn path(&self, way_out: &'static str) -> Result<PathBuf, LibraryError> {
        if self.bytes.is_empty() {
            return Err(LibraryError::NotHere);
        }
        if let Some(path) = self.installed() {
            return Ok(path);
        }
        let mut tried = Vec::new();
        for folder in folders() {
            match self.unpack(&folder) {
                Ok(path) => return Ok(path),
                Err(error) => tried.push(format!("{}: {error}", folder.display())),
            }
        }
        Err(LibraryError::NoPlace { name: self.name, tried: tried.join("; "), way_out })
    }

    /// `<prefix>/lib/diya/NAME` beside `<prefix>/bin/diya`, if it is of this version.
    fn installed(&self) -> Option<PathBuf> {
        let program = std::env::current_exe().ok()?;
        let path = program.parent()?.parent()?.join("lib/diya").join(self.name);
        self.is_ours(&path).then_some(path)
    }

    fn is_ours(&self, path: &Path) -> bool {
        fs::metadata(path).is_ok_and(|m| m.len() == self.bytes.len() as u64)
            && fs::read(path).is_ok_and(|bytes| bytes == self.bytes)
    }

    fn unpack(&self, above: &Path) -> io::Result<PathBuf> {
        let version = env!("CARGO_PKG_VERSION");
        let folder = above.join(format!("recorder-{version}-{:016x}", self.digest()));
        let path = folder.join(self.name);
        let is_safe = || is_private(above) && is_private(&folder);
        if is_safe() && self.is_ours(&path) {
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
        self.write_whole(&folder)?;
        Ok(path)
    }

    /// Several jobs may start at once: each writes a file of its own and renames it.
    fn write_whole(&self, folder: &Path) -> io::Result<()> {
        let partial = folder.join(format!("{}.{}", self.name, std::process::id()));
        let mut file = fs::OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(true)
            .mode(0o755)
            .open(&partial)?;
        file.write_all(self.bytes)?;
        file.set_permissions(fs::Permissions::from_mode(0o755))?; // whatever umask says
        drop(file);
        fs::rename(&partial, folder.join(self.name))
    }

    /// Distinguishes builds of the same version (FNV-1a).
    fn digest(&self) -> u64 {
        self.bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        })
    }
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

/// What is loaded into our programs must not be writable by others.
fn is_private(folder: &Path) -> bool {
    let uid = uid();
    fs::symlink_metadata(folder)
        .is_ok_and(|m| m.is_dir() && m.uid() == uid && m.mode() & 0o022 == 0)
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
