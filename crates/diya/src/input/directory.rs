//! Traces that are several files: these become the members of one tar file, in memory.

use diya_read::{otf2, recorder};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

/// Bytes that show whether a file is an anchor of OTF2.
const ANCHOR_HEAD_BYTES: u64 = 16;

/// Where a trace of several files is.
#[derive(Debug, Clone)]
pub(super) enum Trace {
    /// The directory of one of Recorder.
    Recorder(PathBuf),
    /// The anchor of one of OTF2.
    Otf2(PathBuf),
}

impl Trace {
    /// The trace of a directory; `None`: there is none.
    pub fn of_directory(directory: &Path) -> Option<Self> {
        if directory.join(recorder::MAIN_MEMBER).is_file() {
            return Some(Self::Recorder(directory.to_path_buf()));
        }
        let entries = std::fs::read_dir(directory).ok()?.filter_map(Result::ok);
        let mut anchors: Vec<PathBuf> =
            entries.map(|entry| entry.path()).filter(|path| is_anchor(path)).collect();
        anchors.sort();
        anchors.into_iter().next().map(Self::Otf2)
    }

    /// The trace of which this file is the anchor; `None`: it is none.
    pub fn of_anchor(path: &Path) -> Option<Self> {
        is_anchor(path).then(|| Self::Otf2(path.to_path_buf()))
    }

    /// Bytes of all its files.
    pub fn size_bytes(&self) -> u64 {
        let files = self.members().unwrap_or_default();
        let size = |path: &PathBuf| std::fs::metadata(path).ok().map(|about| about.len());
        files.iter().filter_map(|(_, path)| size(path)).sum()
    }

    /// The trace as one tar file.
    pub fn packed(&self) -> io::Result<Vec<u8>> {
        let mut archive = tar::Builder::new(Vec::new());
        for (name, path) in self.members()? {
            let file = File::open(path)?;
            let size = file.metadata()?.len();
            // A file that grows or shrinks meanwhile must not shift those behind it.
            let bytes = file.take(size).chain(io::repeat(0)).take(size);
            archive.append_data(&mut header(size), name, bytes)?;
        }
        archive.into_inner()
    }

    /// Names in the tar file and paths of the files, the anchor first.
    fn members(&self) -> io::Result<Vec<(String, PathBuf)>> {
        match self {
            Self::Recorder(directory) => files(directory, recorder::is_member),
            Self::Otf2(anchor) => {
                let directory = anchor.parent().unwrap_or(Path::new(""));
                let name = name_of(anchor);
                let archive = name.strip_suffix(otf2::ANCHOR_ENDING).unwrap_or(&name).to_string();
                let definitions = format!("{archive}.def");
                let mut members = vec![(name, anchor.clone())];
                let path = directory.join(&definitions);
                members.extend(path.is_file().then_some((definitions, path)));
                let inside = directory.join(&archive);
                let inside = if inside.is_dir() {
                    files(&inside, otf2::is_location)
                } else {
                    Ok(Vec::new())
                };
                let inside = inside?.into_iter();
                members.extend(inside.map(|(name, path)| (format!("{archive}/{name}"), path)));
                Ok(members)
            }
        }
    }
}

fn is_anchor(path: &Path) -> bool {
    let mut head = Vec::new();
    name_of(path).ends_with(otf2::ANCHOR_ENDING)
        && File::open(path).is_ok_and(|file| {
            file.take(ANCHOR_HEAD_BYTES).read_to_end(&mut head).is_ok() && otf2::is_anchor(&head)
        })
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Names and paths of the files of a directory that belong to a trace, by name.
fn files(directory: &Path, is_member: fn(&str) -> bool) -> io::Result<Vec<(String, PathBuf)>> {
    let mut members = BTreeMap::new();
    for entry in std::fs::read_dir(directory)? {
        let path = entry?.path();
        let name = name_of(&path);
        if is_member(&name) && path.is_file() {
            members.insert(name, path);
        }
    }
    Ok(members.into_iter().collect())
}

fn header(size_bytes: u64) -> tar::Header {
    let mut header = tar::Header::new_ustar();
    header.set_size(size_bytes);
    header.set_mode(0o644);
    header
}

/// Files as one tar file.
pub(super) fn tar_of(members: &[(String, Vec<u8>)]) -> io::Result<Vec<u8>> {
    let mut archive = tar::Builder::new(Vec::new());
    for (name, bytes) in members {
        archive.append_data(&mut header(bytes.len() as u64), name, bytes.as_slice())?;
    }
    archive.into_inner()
}
