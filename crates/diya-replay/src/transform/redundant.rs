//! `drop-redundant`: a process keeps what it has asked and read.

use crate::kind::Kind;
use crate::recording::Recording;
use std::collections::{HashMap, HashSet};

/// What a process knows of a file.
#[derive(Default)]
struct Known {
    /// The answers to questions.
    asked: HashSet<Kind>,
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
        let changes = step.kind.is_write()
            || matches!(
                step.kind,
                Kind::Truncate
                    | Kind::Ftruncate
                    | Kind::Rename
                    | Kind::Unlink
                    | Kind::Rmdir
                    | Kind::Mkdir
                    | Kind::Link
                    | Kind::Chmod
                    | Kind::Touch
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
        let is_redundant = match step.kind {
            Kind::Stat | Kind::Lstat | Kind::Access | Kind::Fstat => !mine.asked.insert(step.kind),
            Kind::Read | Kind::StreamRead => {
                step.offset.is_some_and(|offset| !mine.read.insert((offset, step.bytes)))
            }
            Kind::Seek | Kind::StreamSeek | Kind::Advise => mine.unused_open.is_some(),
            Kind::Open | Kind::OpenStream if !step.has_failed => {
                mine.unused_open = mine.has_opened.then_some(at);
                mine.has_opened = true;
                continue;
            }
            Kind::Close => {
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
