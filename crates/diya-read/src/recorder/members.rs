//! The files of a trace: members of one tar file.

use crate::members::{Member, members};
use std::collections::HashMap;

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
        let (found, damaged_at) = members(tar);
        let split = |path: &str| {
            let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
            (folder.to_string(), name.to_string())
        };
        let found: Vec<_> = found.iter().map(|(path, member)| (split(path), *member)).collect();
        let main = found.iter().find(|((_, name), _)| name == "recorder.mt");
        let Some(((folder, _), _)) = main else {
            return Self { files: HashMap::new(), damaged_at };
        };
        let files = found.iter().filter(|((of, _), _)| of == folder);
        let files = files.map(|((_, name), member)| (name.clone(), *member)).collect();
        Self { files, damaged_at }
    }

    /// The file of this name.
    pub fn get(&self, name: &str) -> Option<Member<'a>> {
        self.files.get(name).copied()
    }
}
