//! `batch-metadata`: a process opens each file once, and closes it when it no longer needs it.
//!
//! With an open goes what is asked right after it, and what a library reads in the same call, or
//! reads again, as its cache is new with each open; with a close, what a library writes in it that
//! a later one writes anew.

use crate::effect::{EXCLUSIVE, SYNC, TRUNCATE};
use crate::operation::Operation;
use crate::recording::Recording;
use crate::step::Step;
use std::collections::{HashMap, HashSet};

/// An open with its flags, where they are recorded.
type Opened = (Operation, Option<i64>);

pub(super) fn apply(recording: &mut Recording) {
    // By file and process: the close after which the next open is not needed, if it is of the same kind.
    let mut closed: HashMap<u32, HashMap<i32, (usize, Opened)>> = HashMap::new();
    let mut open: HashMap<(i32, u32), Vec<Opened>> = HashMap::new();
    let mut opening: HashSet<(i32, u32)> = HashSet::new();
    for at in 0..recording.steps.len() {
        let step = recording.steps[at];
        let Some(stream) = recording.streams.get(step.stream as usize).filter(|_| !step.is_dropped)
        else {
            continue;
        };
        let key = (stream.process, step.file);
        let closed = closed.entry(step.file).or_default();
        match step.operation {
            Operation::Stat | Operation::Fstat | Operation::Seek | Operation::StreamSeek
                if opening.contains(&key) =>
            {
                recording.steps[at].is_dropped = true;
                continue;
            }
            Operation::Open | Operation::OpenStream if !step.has_failed => {
                let before = closed.remove(&stream.process);
                let opened = match before
                    .filter(|(_, opened)| serves(*opened, (step.operation, step.aux)))
                {
                    None => (step.operation, step.aux),
                    Some((close, opened)) => {
                        recording.steps[close].is_dropped = true;
                        recording.steps[at].is_dropped = true;
                        opening.insert(key);
                        open.entry(key).or_default().push(opened);
                        continue;
                    }
                };
                open.entry(key).or_default().push(opened);
            }
            Operation::Close => {
                if let Some(opened) = open.get_mut(&key).and_then(Vec::pop) {
                    closed.insert(stream.process, (at, opened));
                }
            }
            // Gone, or another file: the next open is needed.
            Operation::Rename | Operation::Unlink | Operation::Dup => closed.clear(),
            _ => {}
        }
        opening.remove(&key);
    }
    drop_calls(recording);
}

/// Drops what belongs to calls of a library whose open or close is dropped.
fn drop_calls(recording: &mut Recording) {
    let steps = &mut recording.steps;
    let of = |steps: &[Step], is_one: fn(Operation) -> bool| -> HashSet<_> {
        let dropped = steps.iter().filter(|step| step.is_dropped && is_one(step.operation));
        dropped.filter_map(|step| step.library).collect()
    };
    let opens = of(steps, Operation::opens);
    let closes = of(steps, |operation| operation == Operation::Close);
    let reopened: HashSet<u32> = steps
        .iter()
        .filter(|step| step.is_dropped && step.operation.opens() && step.library.is_some())
        .map(|step| step.file)
        .collect();
    drop_read_again(recording, &reopened);
    let steps = &mut recording.steps;
    // From the last step on: the longest write that comes later, by process, file and offset.
    let mut later: HashMap<(i32, u32, Option<u64>), u64> = HashMap::new();
    for step in steps.iter_mut().rev().filter(|step| !step.is_dropped) {
        let Some(stream) = recording.streams.get(step.stream as usize) else { continue };
        let anew = (step.operation == Operation::Write)
            .then(|| later.entry((stream.process, step.file, step.offset)).or_default());
        let is_anew = anew.as_ref().is_some_and(|bytes| **bytes >= step.bytes);
        if let Some(bytes) = anew {
            *bytes = step.bytes.max(*bytes);
        }
        let Some(call) = step.library else { continue };
        step.is_dropped = match step.operation {
            Operation::Write => closes.contains(&call) && is_anew,
            Operation::Unlink | Operation::Rename => false,
            operation if operation.is_write() => false,
            _ => opens.contains(&call) || closes.contains(&call),
        };
    }
}

/// Drops what a library reads of these files though its process has had it.
fn drop_read_again(recording: &mut Recording, files: &HashSet<u32>) {
    let mut known: HashMap<(i32, u32, Option<u64>), u64> = HashMap::new();
    for step in recording.steps.iter_mut().filter(|step| files.contains(&step.file)) {
        let Some(stream) = recording.streams.get(step.stream as usize) else { continue };
        if !matches!(step.operation, Operation::Read | Operation::Write) {
            continue;
        }
        let bytes = known.entry((stream.process, step.file, step.offset)).or_default();
        step.is_dropped |=
            step.operation == Operation::Read && step.library.is_some() && *bytes >= step.bytes;
        *bytes = step.bytes.max(*bytes);
    }
}

/// Whether a file that was opened so can be used instead of opening it anew.
fn serves(opened: Opened, again: Opened) -> bool {
    const ACCESS: i64 = 3;
    const READ_AND_WRITE: i64 = 2;
    const DIRECT: i64 = 0o40_000;
    const WAYS: i64 = DIRECT | SYNC;
    let flags_serve = match (opened.1, again.1) {
        (None, None) => true,
        (Some(one), Some(two)) => {
            let access = one & ACCESS == two & ACCESS || one & ACCESS == READ_AND_WRITE;
            access && one & WAYS == two & WAYS && two & (EXCLUSIVE | TRUNCATE) == 0
        }
        _ => false,
    };
    opened.0 == again.0 && flags_serve
}
