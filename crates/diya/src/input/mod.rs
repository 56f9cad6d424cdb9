//! What the user names on a command line becomes a list of logs.
//!
//! A name is a file, `-` for standard input, an archive (.tar, .tar.gz, .tar.zst, .zip) whose members
//! are logs, a folder of logs, or the directory or anchor of a trace that is several files. The
//! first bytes of a file show whether it is compressed as a whole; its name does not count.

mod archive;
mod bounded;
mod directory;
mod file;
mod folder;
mod known;
mod limits;
mod mapped;
mod near;
mod packed;
mod tar_archive;
mod waiting;

pub use file::FileBytes;
pub use folder::logs_below;

use directory::Trace;
use diya_read::Source;
use known::Known;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// One log, not read yet.
#[derive(Debug, Clone)]
pub struct Input {
    /// Its name: the path as given; for a member of an archive
    /// `archive!member`; `-` for standard input.
    pub name: String,
    place: Location,
}

#[derive(Debug, Clone)]
enum Location {
    File(PathBuf),
    /// A member of an archive that stays in its file.
    Part(file::Part),
    /// A trace that is several files.
    Trace(Trace),
    /// A mapping, which names the file with the calls.
    Mapped(PathBuf),
    /// Tables of another program, whose columns are known.
    Known(known::Known),
    Memory(Arc<Vec<u8>>),
}

/// A name does not lead to a log.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    /// No such file; what to do instead.
    #[error("{0}: no such file; {1}")]
    Missing(String, String),
    /// A folder holds no log.
    #[error(
        "{0}: no log in this folder, and no trace of Recorder (recorder.mt) or OTF2 (traces.otf2); \
         diya looks in it and its subfolders for files named *.darshan or *.diya, also with .gz, \
         .bz2 or .zst; name logs with other names one by one"
    )]
    NoLog(String),
    /// The file cannot be read.
    #[error("{name}: {source}")]
    Io {
        /// The file.
        name: String,
        /// What went wrong.
        source: std::io::Error,
    },
    /// A squashfs image cannot be read.
    #[error(
        "{0}: a squashfs image, read by the program sqfs2tar: {1}; install it (package \
         squashfs-tools-ng), or mount the image (squashfuse IMAGE FOLDER) and name the folder"
    )]
    Squashfs(String, String),
    /// A mapping, or the file that it names, cannot be used.
    #[error("{0}: the mapping cannot be used: {1}; docs/formats/mapping.md has an example")]
    Mapping(String, String),
    /// An archive ends in the middle; the members before were visited.
    #[error("{0}: the archive is cut: {1}")]
    Cut(String, std::io::Error),
    /// Members of an archive, which have to be in memory at the same time, are too large.
    #[error(
        "{0}: its members are more than {limit} GiB together, and diya keeps them all in memory; \
         unpack it and name the folder",
        limit = .1 >> 30
    )]
    TooLarge(String, u64),
    /// An archive holds no file at all.
    #[error("{0}: the archive is empty; expected an archive of Darshan logs")]
    EmptyArchive(String),
}

/// The bytes of a log and how they were wrapped.
pub(crate) struct Opened {
    pub source: Box<dyn Source>,
    pub outer_compression: Option<&'static str>,
    /// Known once the source has been read.
    pub problem: diya_read::Problem,
}

impl Opened {
    fn plain(source: impl Source + 'static) -> Self {
        Self { source: Box::new(source), outer_compression: None, problem: <_>::default() }
    }
}

impl Input {
    /// A log that lies in memory.
    pub fn from_bytes(name: impl Into<String>, bytes: Vec<u8>) -> Self {
        Self { name: name.into(), place: Location::Memory(Arc::new(bytes)) }
    }

    /// A file, whatever its name or its first bytes: no archive is unfolded.
    pub fn from_file(name: impl Into<String>, path: PathBuf) -> Self {
        Self { name: name.into(), place: Location::File(path) }
    }

    /// The bytes of a log that lies in memory, as stored.
    pub fn bytes(&self) -> Option<&[u8]> {
        match &self.place {
            Location::Memory(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// Bytes of the file or member, as stored.
    pub fn size_bytes(&self) -> u64 {
        match &self.place {
            Location::Memory(bytes) => Source::len(bytes.as_slice()),
            Location::File(path) => std::fs::metadata(path).map_or(0, |about| about.len()),
            Location::Part(part) => part.len,
            Location::Trace(trace) => trace.size_bytes(),
            Location::Mapped(path) => mapped::size_bytes(path),
            Location::Known(known) => known.size_bytes(),
        }
    }

    /// Its bytes, unwrapped when the file as a whole is compressed.
    pub(crate) fn open(&self) -> Result<Opened, InputError> {
        match &self.place {
            Location::Memory(bytes) => Ok(packed::of_memory(bytes)),
            Location::Trace(trace) => {
                let bytes = trace.packed().map_err(|e| io_error(&self.name, e))?;
                Ok(Opened::plain(bytes))
            }
            Location::Mapped(path) => Ok(Opened::plain(mapped::packed(path)?)),
            Location::Known(known) => Ok(Opened::plain(known.packed()?)),
            Location::File(path) => self.of_file(FileBytes::open(path)),
            Location::Part(part) => self.of_file(FileBytes::of_part(part.clone())),
        }
    }

    /// Bytes of a file, unwrapped.
    fn of_file(&self, file: std::io::Result<FileBytes>) -> Result<Opened, InputError> {
        let opened = file.and_then(packed::of_file);
        opened.map_err(|e| io_error(&self.name, e))
    }
}

/// The logs behind the names; archives are unfolded.
pub fn logs(names: &[impl AsRef<Path>]) -> Result<Vec<Input>, InputError> {
    let mut logs = Vec::with_capacity(names.len());
    for name in names {
        let path = name.as_ref();
        let name = path.display().to_string();
        if name == "-" {
            logs.extend(archive::unfold_stdin()?);
            continue;
        }
        let about = std::fs::metadata(path).map_err(|e| file_error(path, e))?;
        if about.is_dir() {
            let place = Trace::of_directory(path).map(Location::Trace);
            match place.or_else(|| Known::of_folder(path).map(Location::Known)) {
                Some(place) => logs.push(Input { name, place }),
                None => logs.extend(of_folder(path, name)?),
            }
        } else if let Some(trace) = Trace::of_anchor(path).filter(|_| about.is_file()) {
            logs.push(Input { name, place: Location::Trace(trace) });
        } else if about.is_file() && mapped::is_mapping(path) {
            logs.push(Input { name, place: Location::Mapped(path.to_path_buf()) });
        } else if let Some(known) = Known::of_file(path).filter(|_| about.is_file()) {
            logs.push(Input { name, place: Location::Known(known) });
        } else if about.is_file() {
            logs.extend(archive::unfold(path, &name)?);
        } else {
            // A pipe or a device: it can be read only once.
            let bytes = std::fs::read(path).map_err(|e| io_error(&name, e))?;
            logs.extend(archive::unfold_bytes(&name, bytes)?);
        }
    }
    Ok(logs)
}

/// The logs of a folder and its subfolders.
fn of_folder(folder: &Path, name: String) -> Result<Vec<Input>, InputError> {
    let found = logs_below(folder).map_err(|e| io_error(&name, e))?;
    if found.is_empty() {
        return Err(InputError::NoLog(name));
    }
    let input = |path: PathBuf| Input::from_file(path.display().to_string(), path);
    Ok(found.into_iter().map(input).collect())
}

/// Visits the logs in a file, members of an archive one after the other, so that only one
/// of them is in memory; ends early when `visit` says false.
pub fn each(path: &Path, visit: &mut dyn FnMut(Input) -> bool) -> Result<(), InputError> {
    let name = path.display().to_string();
    if let Some(trace) = Trace::of_anchor(path) {
        visit(Input { name, place: Location::Trace(trace) });
        return Ok(());
    }
    archive::each(path, &name, visit)
}

/// The logs in bytes that somebody already has: themselves, or the members of
/// an archive. A browser has no files.
pub fn logs_in(name: &str, bytes: Vec<u8>) -> Result<Vec<Input>, InputError> {
    archive::unfold_bytes(name, bytes)
}

/// What is wrong with a file that could not be read; a missing one names similar files.
pub fn file_error(path: &Path, source: std::io::Error) -> InputError {
    let name = path.display().to_string();
    match source.kind() {
        std::io::ErrorKind::NotFound => InputError::Missing(name, near::way_out(path)),
        _ => io_error(&name, source),
    }
}

fn io_error(name: &str, source: std::io::Error) -> InputError {
    InputError::Io { name: name.into(), source }
}
