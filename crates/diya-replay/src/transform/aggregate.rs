//! `aggregate`: the writes of several ranks to one file are issued by one of them, in order.
//! `collective`: by several of them, each a part of the file.
//!
//! As collective buffering does with one aggregator or more. What ranks send to each other is
//! not measured. Writes are collected until somebody could see them: a read, a sync, a close.

use super::larger::is_invisible;
use crate::recording::{Recording, Step};
use std::collections::HashMap;

/// The largest request that is made: the buffer of ROMIO's collective writes.
const BUFFER: u64 = 16 << 20;

/// With at most so many aggregators.
pub(super) fn apply(recording: &mut Recording, aggregators: usize) {
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
            collect(steps, &std::mem::take(writes), aggregators);
        }
    }
    for writes in open.values() {
        collect(steps, writes, aggregators);
    }
    // The requests of one rank took the places of those of others.
    steps.sort_by(|a, b| a.at_s().total_cmp(&b.at_s()));
}

/// Replaces writes of several ranks by those of the last ones.
fn collect(steps: &mut [Step], writes: &[usize], aggregators: usize) {
    let Some(last) = writes.last().map(|at| steps[*at]) else { return };
    if writes.iter().all(|at| steps[*at].stream == last.stream) {
        return;
    }
    let mut extents: Vec<(u64, u64)> =
        writes.iter().map(|at| (steps[*at].offset.unwrap_or(0), steps[*at].bytes)).collect();
    extents.sort_unstable();
    let streams = issuers(steps, writes, aggregators);
    // Each aggregator has a part of the extent, as the file domains of two-phase I/O.
    let first = extents.first().map_or(0, |(offset, _)| *offset);
    let end = extents.iter().map(|(offset, bytes)| offset.saturating_add(*bytes)).max();
    let part = (end.unwrap_or(first) - first).div_ceil(streams.len() as u64).max(1);
    let part_of = |offset: u64| ((offset - first) / part) as usize;
    let mut requests: Vec<(u64, u64)> = Vec::new();
    for (offset, bytes) in extents {
        match requests.last_mut() {
            Some((start, sum))
                if *start + *sum == offset
                    && *sum + bytes <= BUFFER
                    && part_of(*start) == part_of(offset) =>
            {
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
        let Step { kind, start_s, end_s, function, .. } = last;
        steps[*at] = Step {
            kind,
            stream: streams[part_of(offset).min(streams.len() - 1)],
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

/// The streams that issue: the last of the writers first, then others of them.
fn issuers(steps: &[Step], writes: &[usize], most: usize) -> Vec<u32> {
    let mut issuers: Vec<u32> = Vec::new();
    for at in writes.iter().rev() {
        if issuers.len() == most.max(1) {
            break;
        }
        if !issuers.contains(&steps[*at].stream) {
            issuers.push(steps[*at].stream);
        }
    }
    issuers
}
