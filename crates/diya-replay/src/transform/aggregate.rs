//! `aggregate`: the requests of several ranks to one file are issued by one of them, in order.
//! `collective`: by several of them, each a part of the file.
//!
//! As collective buffering does with one aggregator or more. What ranks send to each other is
//! not measured. Writes are collected until somebody could see them: a read, a sync, a close.
//! Reads are made together where the first of them was, until the file changes.

use super::larger::is_invisible;
use crate::recording::Recording;
use crate::step::Step;
use std::collections::HashMap;

/// The largest request that is made: the buffer of ROMIO's collective writes.
const BUFFER: u64 = 16 << 20;

/// Offset and bytes.
type Extent = (u64, u64);

/// With at most so many aggregators.
pub(super) fn apply(recording: &mut Recording, aggregators: usize) {
    let mut open: HashMap<u32, Vec<usize>> = HashMap::new();
    let steps = &mut recording.steps;
    for at in 0..steps.len() {
        let step = steps[at];
        if step.is_dropped || is_invisible(step.operation) {
            continue;
        }
        let together = open.entry(step.file).or_default();
        let is_whole = step.offset.is_some() && step.bytes > 0 && step.bytes == step.requested;
        let goes_on = together.last().is_none_or(|last| steps[*last].operation == step.operation);
        if !(step.operation.is_transfer() && is_whole && goes_on) {
            collect(steps, &std::mem::take(together), aggregators);
        }
        if step.operation.is_transfer() && is_whole {
            open.entry(step.file).or_default().push(at);
        }
    }
    for together in open.values() {
        collect(steps, together, aggregators);
    }
    // The requests of one rank took the places of those of others.
    steps.sort_by(|a, b| a.at_s().total_cmp(&b.at_s()));
    drop_calls_without_data(recording);
}

/// Drops what is left of library calls whose data others move: the pointer that ranks share lies in
/// a file of its own.
fn drop_calls_without_data(recording: &mut Recording) {
    // By call: whether a request that moves data of its file is kept.
    let mut moves: HashMap<_, bool> = HashMap::new();
    for step in recording.steps.iter().filter(|step| step.operation.is_transfer()) {
        let Some(call) = step.library else { continue };
        if recording.libraries.file(call) == Some(step.file) {
            *moves.entry(call).or_default() |= !step.is_dropped;
        }
    }
    for step in &mut recording.steps {
        step.is_dropped |= step.library.and_then(|call| moves.get(&call)) == Some(&false);
    }
}

/// Replaces requests of several ranks by few: in the place of the last ones, where they write,
/// else of the first ones.
fn collect(steps: &mut [Step], together: &[usize], aggregators: usize) {
    let Some(last) = together.last().map(|at| steps[*at]) else { return };
    if together.iter().all(|at| steps[*at].stream == last.stream) {
        return;
    }
    let is_write = last.operation.is_write();
    let mut extents: Vec<Extent> =
        together.iter().map(|at| (steps[*at].offset.unwrap_or(0), steps[*at].bytes)).collect();
    extents.sort_unstable();
    if !is_write {
        extents = once(extents);
    }
    let issuers = issuers(steps, together, aggregators);
    // Each aggregator has a part of the extent, as the file domains of two-phase I/O.
    let first = extents.first().map_or(0, |(offset, _)| *offset);
    let end = extents.iter().map(|(offset, bytes)| offset.saturating_add(*bytes)).max();
    let part = (end.unwrap_or(first) - first).div_ceil(issuers.len() as u64).max(1);
    let part_of = |offset: u64| ((offset - first) / part) as usize;
    let mut requests: Vec<Extent> = Vec::new();
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
    let dropped = together.len() - requests.len();
    let (places, others) = match is_write {
        true => (&together[dropped..], &together[..dropped]),
        false => together.split_at(requests.len()),
    };
    for at in others {
        steps[*at].is_dropped = true;
    }
    for (at, (offset, bytes)) in places.iter().zip(requests) {
        let Step { operation, stream, start_s, end_s, function, .. } =
            issuers[part_of(offset).min(issuers.len() - 1)];
        // Writes wait for the last of them.
        let (start_s, end_s) = if is_write { (last.start_s, last.end_s) } else { (start_s, end_s) };
        steps[*at] = Step {
            operation,
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

/// Extents in order, without what an earlier one holds: who reads for all reads it once.
fn once(extents: Vec<Extent>) -> Vec<Extent> {
    let mut kept: Vec<Extent> = Vec::with_capacity(extents.len());
    let mut reached = 0;
    for (offset, bytes) in extents {
        let end = offset.saturating_add(bytes);
        let start = offset.max(reached);
        if start < end {
            kept.push((start, end - start));
            reached = end;
        }
    }
    kept
}

/// Requests whose streams issue, one of each: the last ones of those that write, and the first
/// ones of those that read, as these have the file open.
fn issuers(steps: &[Step], together: &[usize], most: usize) -> Vec<Step> {
    let mut issuers: Vec<Step> = Vec::new();
    let mut add = |at: &usize| {
        let is_new = issuers.iter().all(|known| known.stream != steps[*at].stream);
        if is_new && issuers.len() < most.max(1) {
            issuers.push(steps[*at]);
        }
    };
    match together.first().is_some_and(|at| steps[*at].operation.is_write()) {
        true => together.iter().rev().for_each(&mut add),
        false => together.iter().for_each(&mut add),
    }
    issuers
}
