//! `aggregate`: the writes of several ranks to one file are issued by one of them, in order.
//!
//! As collective buffering does with one aggregator. What ranks send to each other is not
//! measured. Writes are collected until somebody could see them: a read, a sync, a close.

use super::larger::is_invisible;
use crate::recording::{Recording, Step};
use std::collections::HashMap;

/// The largest request that is made: the buffer of ROMIO's collective writes.
const BUFFER: u64 = 16 << 20;

pub(super) fn apply(recording: &mut Recording) {
    let mut open: HashMap<u32, Vec<usize>> = HashMap::new();
    let steps = &mut recording.steps;
    for at in 0..steps.len() {
        let step = steps[at];
        if step.is_dropped || is_invisible(step.kind) {
            continue;
        }
        let writes = open.entry(step.file).or_default();
        if step.kind.is_write() && step.offset.is_some() && step.bytes == step.requested {
            writes.push(at);
        } else {
            collect(steps, &std::mem::take(writes));
        }
    }
    for writes in open.values() {
        collect(steps, writes);
    }
    // The requests of one rank took the places of those of others.
    steps.sort_by(|a, b| a.at_s().total_cmp(&b.at_s()));
}

/// Replaces writes of several ranks by those of the last one.
fn collect(steps: &mut [Step], writes: &[usize]) {
    let Some(last) = writes.last().map(|at| steps[*at]) else { return };
    if writes.iter().all(|at| steps[*at].stream == last.stream) {
        return;
    }
    let mut extents: Vec<(u64, u64)> =
        writes.iter().map(|at| (steps[*at].offset.unwrap_or(0), steps[*at].bytes)).collect();
    extents.sort_unstable();
    let mut requests: Vec<(u64, u64)> = Vec::new();
    for (offset, bytes) in extents {
        match requests.last_mut() {
            Some((start, sum)) if *start + *sum == offset && *sum + bytes <= BUFFER => {
                *sum += bytes
            }
            _ => requests.push((offset, bytes)),
        }
    }
    let kept = writes.len() - requests.len();
    for at in writes.iter().take(kept) {
        steps[*at].is_dropped = true;
    }
    for (at, (offset, bytes)) in writes.iter().skip(kept).zip(requests) {
        let Step { kind, stream, start_s, end_s, function, .. } = last;
        steps[*at] = Step {
            kind,
            stream,
            start_s,
            end_s,
            function,
            offset: Some(offset),
            bytes,
            requested: bytes,
            calls: 1,
            is_changed: true,
            ..steps[*at]
        };
    }
}
