//! Traces that are a directory: their files become the members of one tar file, in memory.

use diya_read::recorder::{MAIN_MEMBER, is_member};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// A file of a trace.
pub(super) struct Member {
    pub name: String,
    pub bytes: Vec<u8>,
}

/// Is this the directory of a trace?
pub(super) fn is_trace(directory: &Path) -> bool {
    directory.join(MAIN_MEMBER).is_file()
}

/// Bytes of all files of a trace.
pub(super) fn size_bytes(directory: &Path) -> u64 {
    let files = members(directory).unwrap_or_default();
    files.values().filter_map(|path| std::fs::metadata(path).ok()).map(|about| about.len()).sum()
}

/// The trace of a directory as one tar file.
pub(super) fn packed(directory: &Path) -> io::Result<Vec<u8>> {
    let read =
        |(name, path): (String, PathBuf)| std::fs::read(path).map(|bytes| Member { name, bytes });
    let members: io::Result<Vec<Member>> = members(directory)?.into_iter().map(read).collect();
    tar_of(&members?)
}

/// Names and paths of the files that belong to a trace, by name.
fn members(directory: &Path) -> io::Result<BTreeMap<String, PathBuf>> {
    let mut members = BTreeMap::new();
    for entry in std::fs::read_dir(directory)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if is_member(&name) && entry.path().is_file() {
            members.insert(name, entry.path());
        }
    }
    Ok(members)
}

/// Files as one tar file.
pub(super) fn tar_of(members: &[Member]) -> io::Result<Vec<u8>> {
    let mut archive = tar::Builder::new(Vec::new());
    for member in members {
        let mut header = tar::Header::new_ustar();
        header.set_size(member.bytes.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, &member.name, member.bytes.as_slice())?;
    }
    archive.into_inner()
}

/// Files of an archive that may belong to a trace, by their folders, until its end is known.
#[derive(Default)]
pub(super) struct Waiting {
    folders: BTreeMap<String, Vec<Member>>,
}

impl Waiting {
    /// Keeps a file, or gives it back when it is none of a trace.
    pub fn keep(&mut self, path: &str, bytes: Vec<u8>) -> Option<Vec<u8>> {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        if !is_member(name) {
            return Some(bytes);
        }
        let member = Member { name: name.to_string(), bytes };
        self.folders.entry(folder.to_string()).or_default().push(member);
        None
    }

    /// The traces, each under the name of its folder, and the files that belong to none.
    pub fn into_logs(self) -> Vec<(String, Vec<u8>)> {
        let mut logs = Vec::new();
        for (folder, members) in self.folders {
            let is_trace = members.iter().any(|member| member.name == MAIN_MEMBER);
            match tar_of(&members) {
                Ok(tar) if is_trace => logs.push((folder, tar)),
                _ => logs.extend(members.into_iter().map(|member| {
                    let path = if folder.is_empty() {
                        member.name
                    } else {
                        format!("{folder}/{}", member.name)
                    };
                    (path, member.bytes)
                })),
            }
        }
        logs
    }
}
