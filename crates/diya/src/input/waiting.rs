//! Files of an archive that may belong to a trace of several files, until its end is known.

use super::directory::tar_of;
use diya_read::{otf2, recorder};
use std::collections::BTreeMap;

/// Files by their folders, and those that may be of OTF2 by their paths.
pub(super) struct Waiting {
    /// Bytes that may still be kept.
    room: u64,
    folders: BTreeMap<String, Vec<(String, Vec<u8>)>>,
    otf2: BTreeMap<String, Vec<u8>>,
}

impl Waiting {
    /// With room for so many bytes.
    pub fn new(room: u64) -> Self {
        Self { room, folders: BTreeMap::new(), otf2: BTreeMap::new() }
    }

    /// Whether a file may be of a trace, by its path.
    pub fn takes(path: &str) -> bool {
        let (_, name) = split(path);
        recorder::is_member(name) || otf2::is_member(name)
    }

    /// Keeps a file, or gives it back when it is none of a trace. An error: there is no room.
    pub fn keep(&mut self, path: &str, bytes: Vec<u8>) -> Result<Option<Vec<u8>>, ()> {
        let (folder, name) = split(path);
        if !Self::takes(path) {
            return Ok(Some(bytes));
        }
        self.room = self.room.checked_sub((path.len() + bytes.len()) as u64).ok_or(())?;
        if recorder::is_member(name) {
            self.folders.entry(folder.into()).or_default().push((name.into(), bytes));
        } else {
            self.otf2.insert(path.into(), bytes);
        }
        Ok(None)
    }

    /// The traces, each under the name of its folder, and the files that belong to none.
    pub fn into_logs(mut self) -> Vec<(String, Vec<u8>)> {
        let mut logs = Vec::new();
        for (folder, members) in std::mem::take(&mut self.folders) {
            let is_trace = members.iter().any(|(name, _)| name == recorder::MAIN_MEMBER);
            match tar_of(&members) {
                Ok(tar) if is_trace => logs.push((folder, tar)),
                _ => logs.extend(members.into_iter().map(|(name, bytes)| {
                    let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
                    (path, bytes)
                })),
            }
        }
        logs.extend(self.of_otf2());
        logs.extend(self.otf2);
        logs
    }

    /// Takes out the traces of OTF2.
    fn of_otf2(&mut self) -> Vec<(String, Vec<u8>)> {
        let is_anchor = |(path, bytes): &(&String, &Vec<u8>)| {
            path.ends_with(otf2::ANCHOR_ENDING) && otf2::is_anchor(bytes)
        };
        let anchors: Vec<String> =
            self.otf2.iter().filter(is_anchor).map(|(path, _)| path.clone()).collect();
        let mut logs = Vec::new();
        for anchor in &anchors {
            let archive = anchor.strip_suffix(otf2::ANCHOR_ENDING).unwrap_or(anchor);
            let (folder, _) = split(anchor);
            let belongs = |path: &String| {
                path == anchor
                    || *path == format!("{archive}.def")
                    || path.strip_prefix(archive).is_some_and(|rest| rest.starts_with('/'))
            };
            let paths: Vec<String> =
                self.otf2.keys().filter(|path| belongs(path)).cloned().collect();
            let inside = |path: &str| path.get(folder.len()..).unwrap_or_default().to_string();
            let mut members: Vec<(String, Vec<u8>)> = Vec::new();
            for path in paths {
                if let Some(bytes) = self.otf2.remove(&path) {
                    members.push((inside(&path).trim_start_matches('/').to_string(), bytes));
                }
            }
            members.sort_by_key(|(name, _)| !name.ends_with(otf2::ANCHOR_ENDING));
            let is_alone = anchors.iter().filter(|other| split(other).0 == folder).count() == 1;
            let name = if is_alone { folder } else { anchor };
            logs.extend(tar_of(&members).ok().map(|tar| (name.to_string(), tar)));
        }
        logs
    }
}

/// The folder and the name of a path.
fn split(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}
