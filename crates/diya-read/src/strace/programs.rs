//! Calls that start processes and programs.

use super::arguments::{descriptor, text};
use super::descriptors::Table;
use super::processes::is_thread;
use super::reader::{Made, Reader, Target};
use crate::assemble::{Known, Process};

impl Reader<'_> {
    pub(super) fn spawn(&mut self, made: &Made<'_>, table: &Table) {
        // With -Y the name of the child follows its number: `8<sh>`.
        let child = descriptor(made.outcome.value).and_then(|child| child.number);
        let child = child.and_then(|child| u64::try_from(child).ok());
        let child = outer_number(made.outcome.after).or(child);
        let is_thread = is_thread(made.text);
        if !is_thread {
            self.push(made, Known::from(made.syscall.function), &Target::default());
        }
        let Some(child) = child.filter(|_| made.outcome.error.is_none()) else { return };
        let (assembly, ns) = (&mut self.assembly, made.start_ns);
        let new = self.processes.started(made.group, child, is_thread, ns, assembly);
        if let Some(group) = new.and_then(|at| self.processes.groups.get_mut(at)) {
            group.table = self.descriptors.fork(table);
        }
    }

    /// The process becomes another program.
    pub(super) fn execute(&mut self, made: &Made<'_>, arguments: &[&str]) {
        if made.outcome.error.is_some() {
            return;
        }
        let argument = |at: usize| arguments.get(at).copied().unwrap_or_default();
        let mut table = Table::default();
        let exe = self.named(made.group, None, argument(0), &table).unwrap_or_default();
        let Some(group) = self.processes.groups.get_mut(made.group) else { return };
        std::mem::swap(&mut table, &mut group.table);
        self.descriptors.exec(&mut table);
        group.table = table;
        let command_line = command(argument(1));
        let Some(row) = self.assembly.processes.get_mut(group.row) else { return };
        let is_first = !std::mem::replace(&mut group.has_program, true) && row.parent.is_none();
        if is_first {
            (row.exe, row.command_line) = (exe, command_line);
            row.cwd.clone_from(&group.cwd);
            return;
        }
        (row.ended, row.end_ns) = (Some("execed"), Some(made.end_ns));
        let next = Process {
            start_ns: made.end_ns,
            exe,
            command_line,
            cwd: group.cwd.clone(),
            ended: None,
            end_ns: None,
            ..row.clone()
        };
        group.row = self.assembly.process(next);
    }
}

/// The number that lines of a child of another PID namespace have, with `--decode-pids=pidns`:
/// `2 /* 16750 in strace's PID NS */`.
fn outer_number(after: &str) -> Option<u64> {
    after.strip_prefix("/* ")?.strip_suffix(" in strace's PID NS */")?.parse().ok()
}

/// `["cp", "a b"]` as a command line.
fn command(list: &str) -> String {
    let inside = list.trim_start_matches('[').trim_end_matches(']');
    let words = split_words(inside).into_iter().filter_map(|word| text(word.trim()));
    let quoted = words.map(|word| match word.contains([' ', '\'', '"', '$', '\\']) {
        true => format!("'{}'", word.replace('\'', r"'\''")),
        false => word.into_owned(),
    });
    quoted.collect::<Vec<_>>().join(" ")
}

/// Splits at the commas between texts; a command line has any number of them.
fn split_words(list: &str) -> Vec<&str> {
    let (mut words, mut start, mut in_text, mut is_escaped) = (Vec::new(), 0, false, false);
    for (at, byte) in list.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if in_text => is_escaped = true,
            b'"' => in_text = !in_text,
            b',' if !in_text => {
                words.push(list.get(start..at).unwrap_or_default());
                start = at + 1;
            }
            _ => {}
        }
    }
    words.push(list.get(start..).unwrap_or_default());
    words
}
