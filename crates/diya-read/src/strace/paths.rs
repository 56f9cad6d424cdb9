//! Files behind descriptors and paths, and where in a file a transfer starts.

use super::arguments::{descriptor, text};
use super::descriptors::Table;
use super::reader::{Reader, Target};
use diya_model::Op;

impl Reader<'_> {
    /// Where a transfer started, from the calls before; moves the position on.
    pub(super) fn moved(
        &mut self,
        argument: &str,
        target: &mut Target,
        done: i64,
        offset: Option<usize>,
        table: &Table,
        op: Op,
    ) -> Option<i64> {
        let (file, number) = self.descriptor(argument, table);
        target.file_id = file;
        let opened = self.descriptors.get(table, number?)?;
        if offset.is_some() {
            return None;
        }
        if opened.is_append && op == Op::Write {
            // It starts at the end of the file, which is not shown.
            opened.position = None;
            return None;
        }
        let start = opened.position;
        opened.position = start.map(|start| start.saturating_add(done.max(0)));
        start
    }

    /// The file behind an argument, and the descriptor's number.
    pub(super) fn descriptor(
        &mut self,
        argument: &str,
        table: &Table,
    ) -> (Option<u64>, Option<i32>) {
        let Some(shown) = descriptor(argument) else { return (None, None) };
        let Some(number) = shown.number else {
            return (shown.path.map(|path| self.assembly.file(&path, "directory")), None);
        };
        let known = self.descriptors.get(table, number);
        if let Some(path) = shown.path {
            // Another path: its opening is not in the trace, so neither is the position.
            if let Some(opened) = known
                && opened.path != path
            {
                opened.path = path.to_string();
                opened.position = None;
                opened.is_append = false;
            }
            return (Some(self.assembly.file(&path, kind_of(&path))), Some(number));
        }
        let path = match (known, number) {
            (Some(opened), _) => opened.path.clone(),
            (None, 0) => "<STDIN>".to_string(),
            (None, 1) => "<STDOUT>".to_string(),
            (None, 2) => "<STDERR>".to_string(),
            (None, _) => return (None, Some(number)),
        };
        (Some(self.assembly.file(&path, kind_of(&path))), Some(number))
    }

    /// The path that a call names, from the root on where that is known.
    pub(super) fn named(
        &mut self,
        group: usize,
        dir: Option<&str>,
        argument: &str,
        table: &Table,
    ) -> Option<String> {
        let path = text(argument)?;
        let shown = dir.and_then(descriptor);
        let folder = match &shown {
            Some(d) => match (&d.path, d.number) {
                (Some(path), number) => {
                    if let (None, Some(group)) = (number, self.processes.groups.get_mut(group)) {
                        group.cwd = Some(path.to_string());
                    }
                    Some(path.to_string())
                }
                (None, Some(number)) => {
                    self.descriptors.get(table, number).map(|opened| opened.path.clone())
                }
                (None, None) => None,
            },
            None => None,
        };
        if path.is_empty() {
            return None;
        }
        if path.starts_with('/') {
            return Some(plain(&path));
        }
        let cwd = || self.processes.groups.get(group).and_then(|group| group.cwd.clone());
        let is_here = shown.as_ref().is_none_or(|d| d.number.is_none());
        match folder.or_else(|| if is_here { cwd() } else { None }) {
            Some(folder) => Some(plain(&format!("{folder}/{path}"))),
            None => Some(path.into_owned()),
        }
    }
}

/// Kind of what a path names, as in table `file`.
pub(super) fn kind_of(path: &str) -> &'static str {
    let is_terminal = path.starts_with("/dev/pts/") || path.starts_with("/dev/tty");
    let is_path = path.starts_with('/') || !path.contains([':', '<']);
    if is_path && !is_terminal { "file" } else { "pipe" }
}

/// The path without `.`, `..` and empty parts.
fn plain(path: &str) -> String {
    if !["/./", "/../", "//"].iter().any(|part| path.contains(part)) && !path.ends_with("/.") {
        return path.to_string();
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}
