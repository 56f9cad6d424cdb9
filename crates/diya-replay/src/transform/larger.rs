//! `larger-requests`: contiguous requests of a rank on one file become one.
//!
//! Writes are collected, and issued where the last one was; reads are issued where the first
//! one was, as by read-ahead. Nothing is merged over a call by which anybody could see it.

use crate::operation::Operation;
use crate::recording::Recording;
use crate::step::Step;
use std::collections::HashMap;

/// Requests that are merged so far.
struct Open {
    first: usize,
    last: usize,
    end: u64,
    bytes: u64,
    is_write: bool,
}

pub(super) fn apply(recording: &mut Recording, size: u64) {
    // By file and stream.
    let mut open: HashMap<u32, HashMap<u32, Open>> = HashMap::new();
    let steps = &mut recording.steps;
    // Requests between the first and the last of a run.
    let mut inner: Vec<usize> = Vec::new();
    for at in 0..steps.len() {
        let step = steps[at];
        if step.is_dropped || is_invisible(step.operation) {
            continue;
        }
        let open = open.entry(step.file).or_default();
        // Others see what is written when they read it, or ask for the size.
        let is_write = step.operation.is_write();
        let is_seen = |run: &Open| !step.operation.is_transfer() || run.is_write != is_write;
        open.retain(|stream, run| {
            let stays = *stream == step.stream || !is_seen(run);
            if !stays {
                close(steps, run);
            }
            stays
        });
        let is_mergeable =
            step.operation.is_transfer() && step.bytes > 0 && step.bytes == step.requested;
        let Some(offset) = step.offset.filter(|_| is_mergeable) else {
            if let Some(run) = open.remove(&step.stream) {
                close(steps, &run);
            }
            continue;
        };
        let continues = |run: &Open| {
            run.end == offset
                && steps[run.first].operation == step.operation
                && run.bytes.saturating_add(step.bytes) <= size
        };
        match open.get_mut(&step.stream).filter(|run| continues(run)) {
            Some(run) => {
                if run.last != run.first {
                    inner.push(run.last);
                }
                run.last = at;
                run.end += step.bytes;
                run.bytes += step.bytes;
            }
            None => {
                let run = Open {
                    first: at,
                    last: at,
                    end: offset + step.bytes,
                    bytes: step.bytes,
                    is_write,
                };
                if let Some(before) = open.insert(step.stream, run) {
                    close(steps, &before);
                }
            }
        }
    }
    for run in open.values().flat_map(HashMap::values) {
        close(steps, run);
    }
    for at in inner {
        steps[at].is_dropped = true;
    }
}

/// Calls that neither see nor change what is in a file.
pub(super) fn is_invisible(operation: Operation) -> bool {
    matches!(operation, Operation::Seek | Operation::StreamSeek | Operation::Advise)
}

/// Gives the request that stays the extent of all.
fn close(steps: &mut [Step], run: &Open) {
    if run.first == run.last {
        return;
    }
    let offset = steps[run.first].offset;
    let kept = if run.is_write { run.last } else { run.first };
    steps[kept].offset = offset;
    steps[kept].bytes = run.bytes;
    steps[kept].requested = run.bytes;
    steps[kept].calls = 1;
    steps[kept].is_changed = true;
    steps[run.first].is_dropped = run.is_write;
    steps[run.last].is_dropped = !run.is_write;
}
