//! The files of a trace: members of one tar file.

use std::collections::HashMap;

/// A file of the trace.
#[derive(Debug, Clone, Copy)]
pub(super) struct Member<'a> {
    pub bytes: &'a [u8],
    /// Where its bytes begin in the tar file.
    pub offset: u64,
    /// The tar file ends inside of it.
    pub is_cut: bool,
}

/// The files beside `recorder.mt`, by name.
#[derive(Debug, Default)]
pub(super) struct Members<'a> {
    files: HashMap<String, Member<'a>>,
    /// Where the tar file makes no sense, or ends early; `None`: it is whole.
    pub damaged_at: Option<u64>,
}

impl<'a> Members<'a> {
    /// Reads the heads of the members. Those of other folders than that of the first
    /// `recorder.mt` are left out.
    pub fn of(tar: &'a [u8]) -> Self {
        let mut found: Vec<(String, String, Member<'a>)> = Vec::new();
        let mut archive = tar::Archive::new(tar);
        let mut end = 0;
        let mut damaged_at = None;
        let Ok(entries) = archive.entries() else {
            return Self { damaged_at: Some(0), ..Self::default() };
        };
        for entry in entries {
            let Ok(entry) = entry else {
                damaged_at.get_or_insert(end);
                break;
            };
            let (offset, size) = (entry.raw_file_position(), entry.size());
            let from = usize::try_from(offset).unwrap_or(usize::MAX).min(tar.len());
            let wanted = usize::try_from(size).unwrap_or(usize::MAX);
            let rest = tar.get(from..).unwrap_or_default();
            let bytes = rest.get(..wanted).unwrap_or(rest);
            let is_cut = bytes.len() < wanted;
            if is_cut {
                damaged_at.get_or_insert(offset);
            }
            end = offset.saturating_add(size);
            if entry.header().entry_type().is_file() {
                let path = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
                let (folder, name) = path.rsplit_once('/').unwrap_or(("", &path));
                let member = Member { bytes, offset, is_cut };
                found.push((folder.to_string(), name.to_string(), member));
            }
        }
        // A tar file ends with blocks of zeros: without them, members can be missing.
        let tail = usize::try_from(end).ok().and_then(|end| tar.get(end..)).unwrap_or_default();
        if tail.len() < END_BYTES {
            damaged_at.get_or_insert(end);
        }
        let main = found.iter().find(|(_, name, _)| name == "recorder.mt");
        let Some(folder) = main.map(|(folder, ..)| folder.clone()) else {
            return Self { files: HashMap::new(), damaged_at };
        };
        let files = found.into_iter().filter(|(of, ..)| *of == folder);
        Self { files: files.map(|(_, name, member)| (name, member)).collect(), damaged_at }
    }

    /// The file of this name.
    pub fn get(&self, name: &str) -> Option<Member<'a>> {
        self.files.get(name).copied()
    }
}

/// What a tar file ends with at least: two blocks of zeros.
const END_BYTES: usize = 1024;
