//! `drop-redundant`: a process keeps what it has asked and read.

use crate::operation::Operation;
use crate::recording::Recording;
use std::collections::{HashMap, HashSet};

/// What a process knows of a file.
#[derive(Default)]
struct Known {
    /// The answers to questions.
    asked: HashSet<Operation>,
    /// Extents that it has read: offset and bytes.
    read: HashSet<(u64, u64)>,
    /// The open that nothing has used yet, if it is not the first one.
    unused_open: Option<usize>,
    has_opened: bool,
}

pub(super) fn apply(recording: &mut Recording) {
    let mut known: HashMap<u32, HashMap<i32, Known>> = HashMap::new();
    for at in 0..recording.steps.len() {
        let step = recording.steps[at];
        let Some(stream) = recording.streams.get(step.stream as usize).filter(|_| !step.is_dropped)
        else {
            continue;
        };
        let of_file = known.entry(step.file).or_default();
        let changes = step.operation.is_write()
            || matches!(
                step.operation,
                Operation::Truncate
                    | Operation::Ftruncate
                    | Operation::Rename
                    | Operation::Unlink
                    | Operation::Rmdir
                    | Operation::Mkdir
                    | Operation::Link
                    | Operation::Chmod
                    | Operation::Touch
            );
        if changes {
            for known in of_file.values_mut() {
                known.asked.clear();
                known.read.clear();
                known.unused_open = None;
            }
            continue;
        }
        let mine = of_file.entry(stream.process).or_default();
        let is_redundant = match step.operation {
            Operation::Stat | Operation::Lstat | Operation::Access | Operation::Fstat => {
                !mine.asked.insert(step.operation)
            }
            Operation::Read | Operation::StreamRead => {
                step.offset.is_some_and(|offset| !mine.read.insert((offset, step.bytes)))
            }
            Operation::Seek | Operation::StreamSeek | Operation::Advise => {
                mine.unused_open.is_some()
            }
            Operation::Open | Operation::OpenStream if !step.has_failed => {
                mine.unused_open = mine.has_opened.then_some(at);
                mine.has_opened = true;
                continue;
            }
            Operation::Close => {
                if let Some(open) = mine.unused_open.take() {
                    recording.steps[open].is_dropped = true;
                    recording.steps[at].is_dropped = true;
                }
                continue;
            }
            _ => false,
        };
        recording.steps[at].is_dropped = is_redundant;
        if !is_redundant {
            mine.unused_open = None;
        }
    }
}
