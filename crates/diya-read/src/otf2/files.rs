//! The files of an archive: members of one tar file.

use super::anchor::{ANCHOR_ENDING, is_anchor};
use crate::members::{Member, members};
use std::collections::HashMap;

/// The files of one archive.
#[derive(Debug)]
pub(super) struct Files<'a> {
    pub anchor: Member<'a>,
    /// Name of the anchor.
    pub name: String,
    /// By path, from the folder of the anchor.
    files: HashMap<String, Member<'a>>,
    /// Where the tar file makes no sense, or ends early; `None`: it is whole.
    pub damaged_at: Option<u64>,
}

impl<'a> Files<'a> {
    /// The files beside the first anchor; `None`: there is no anchor.
    pub fn of(tar: &'a [u8]) -> Option<Self> {
        let (found, damaged_at) = members(tar);
        let (path, anchor) = found
            .iter()
            .find(|(path, file)| path.ends_with(ANCHOR_ENDING) && is_anchor(file.bytes))?;
        let (folder, name) = match path.rfind('/') {
            Some(at) => path.split_at(at + 1),
            None => ("", path.as_str()),
        };
        let inside = |(path, file): &(String, Member<'a>)| {
            Some((path.strip_prefix(folder)?.to_string(), *file))
        };
        Some(Self {
            anchor: *anchor,
            name: name.to_string(),
            files: found.iter().filter_map(inside).collect(),
            damaged_at,
        })
    }

    /// Name of the archive: that of the anchor without its ending.
    pub fn archive(&self) -> &str {
        self.name.strip_suffix(ANCHOR_ENDING).unwrap_or(&self.name)
    }

    /// The global definitions.
    pub fn definitions(&self) -> Option<Member<'a>> {
        self.files.get(&format!("{}.def", self.archive())).copied()
    }

    /// A file of a location: `def` or `evt`.
    pub fn of_location(&self, location: u64, ending: &str) -> Option<Member<'a>> {
        self.files.get(&format!("{}/{location}.{ending}", self.archive())).copied()
    }
}
