//! Fewer, larger requests: by the program itself, and in order.

use super::super::Model;
use super::super::fit::{Cost, MEMORY_BYTE_S};
use super::super::job::Job;
use super::super::load::{Class, Load, Part};
use super::super::range::Range;
use super::shape::{Shape, Shapes, again_ratio};
use super::{COPY_BYTE_S, MERGED_BYTES, share, total};
use crate::rows;
use diya_tables::{Layer, TableBuilder};

pub(super) const OPS: [(bool, &str); 2] = [(false, "read"), (true, "write")];

/// Time in a part of the requests: exact from single calls, else between what
/// its bytes and its calls make of the whole.
pub(super) fn time_s(load: &Load, is_write: bool, part: &Part, cost: Option<&Cost>) -> Range {
    let side = load.side(is_write);
    if let Some(time_s) = part.time_s {
        return Range::exactly(time_s);
    }
    let all = load.class_s(if is_write { Class::Write } else { Class::Read });
    if part.calls >= side.calls {
        return all;
    }
    // A small request takes no longer than an average one, and no less than
    // the latency, or than its bytes do of all.
    let calls = share(part.calls, side.calls);
    let bytes = if side.bytes > 0 { part.bytes.low / side.bytes as f64 } else { 0.0 };
    let latency_s = cost.map_or(0.0, |cost| cost.latency_range_s.low) * part.calls as f64;
    Range::new((all.low * bytes.min(calls)).max(latency_s), all.high * calls).within(all.high)
}

/// Requests after merging: at least one on each rank that makes any.
fn merged(load: &Load, part: &Part, nprocs: Option<i64>) -> f64 {
    let ranks = if load.is_shared() { nprocs.unwrap_or(1) as f64 } else { 1.0 };
    (part.bytes.high / MERGED_BYTES).ceil().max(ranks).min(part.calls as f64)
}

/// What merging this part of the requests saves.
///
/// Bytes are no cheaper in large requests: at most the latency of the requests
/// that go is saved, and the program's own time around them.
fn saved(
    load: &Load,
    is_write: bool,
    part: &Part,
    cost: Option<&Cost>,
    merged: f64,
    shape: Shape,
) -> Range {
    let before = time_s(load, is_write, part, cost);
    // Reads of an extent with holes read the holes, too.
    let (extent_ratio, is_alone) = match shape {
        Shape::Dense => (1.0, true),
        Shape::Interleaved => (1.0, false),
        Shape::Sparse(extent_ratio) => (if is_write { 1.0 } else { extent_ratio }, !is_write),
    };
    // Order is no matter to memory: holes cost more than calls there.
    let is_alone = is_alone && (extent_ratio <= 1.0 || !cost.is_some_and(|cost| cost.is_memory));
    let after = cost.map(|cost| cost.time_s(merged * extent_ratio, part.bytes.high * extent_ratio));
    let after = after.unwrap_or(Range::at_most(f64::INFINITY));
    // Exchanged or gathered bytes are copied once more.
    let copy_s = part.bytes.low * COPY_BYTE_S;
    let more_s = match shape {
        Shape::Dense => 0.0,
        Shape::Interleaved => copy_s.max(cost.map_or(0.0, |c| c.exchange_s(part.bytes.low))),
        Shape::Sparse(_) => copy_s,
    };
    let holes_s = part.bytes.low * (extent_ratio - 1.0) * cost.map_or(0.0, |c| c.byte_range_s.low);
    let spared_s = spared_s(part, cost, merged, shape) - holes_s - more_s;
    let high_s = (before.high - after.low.max(copy_s) - more_s).min(spared_s);
    let low_s = if is_alone { before.low - after.high } else { 0.0 };
    // Large requests do not make copies from memory cheaper; only the saved calls are certain.
    let gone = (part.calls as f64 - merged).max(0.0);
    let sure_s =
        cost.filter(|c| c.is_memory).map_or(f64::INFINITY, |c| gone * c.latency_range_s.low);
    let low_s = low_s.min(sure_s);
    let pause_s = if matches!(shape, Shape::Sparse(_)) { 0.0 } else { part.pause_s };
    let saved = Range::new(low_s, high_s).within(before.high);
    Range::new(saved.low, saved.high + pause_s)
}

/// How much slower a busy core makes system calls on average, at most.
pub(super) const BUSY_RATIO: f64 = 2.0;

/// Latency of the requests that merging spares, at most.
fn spared_s(part: &Part, cost: Option<&Cost>, merged: f64, shape: Shape) -> f64 {
    let Some(cost) = cost else { return f64::INFINITY };
    // Slow requests to memory are slow for their bytes, or for a busy core,
    // which every call gives another chance.
    let is_call = cost.quick_s <= BUSY_RATIO * cost.latency_range_s.high;
    // Requests of few bytes are slow because of the busy core, not because of the storage.
    let is_few = cost.is_of_few(part.calls as f64, part.bytes.high);
    let most = if is_few || shape == Shape::Dense && is_call { BUSY_RATIO } else { 1.0 };
    let tail = if cost.is_memory { cost.tail_ratio.min(most) } else { cost.tail_ratio };
    (part.calls as f64 - merged).max(0.0) * cost.latency_range_s.high * tail
}

/// What merging small requests of these loads saves.
struct Merging {
    calls: i64,
    bytes: f64,
    merged: f64,
    gain: Range,
}

fn merging(
    model: &Model,
    job: &Job,
    layer: Layer,
    is_write: bool,
    files: &[(u64, Vec<&'_ Load>)],
) -> Option<Merging> {
    let (mut calls, mut bytes, mut requests, mut empty) = (0i64, 0.0, 0.0, false);
    let mut all = Vec::new();
    for (file_id, loads) in files {
        let mount = model.mounts.of(job.facts.log, *file_id);
        let cost = model.costs.get(job.facts.log, mount, is_write);
        let shapes = Shapes::of(loads);
        empty |= loads.iter().any(|load| load.side(is_write).empty_calls > 0);
        for load in loads.iter().filter(|load| load.side(is_write).small.calls > 0) {
            let part = &load.side(is_write).small;
            let merged = merged(load, part, job.facts.nprocs);
            calls = calls.saturating_add(part.calls);
            bytes += part.bytes.high;
            requests += merged;
            let shape = shapes.shape(load, is_write);
            all.push((*load, saved(load, is_write, part, cost, merged, shape)));
        }
    }
    let gain = job.gain(layer, all.into_iter());
    // Requests that moved nothing are small, and merging them saves nothing.
    (calls > 0 || empty).then_some(Merging { calls, bytes, merged: requests, gain })
}

/// Rows of table `lost_small_requests`.
pub(crate) fn small(model: &Model, table: &mut TableBuilder) {
    for job in &model.jobs {
        for layer in job.layers().filter(|l| matches!(l, Layer::Posix | Layer::Mpiio)) {
            let files: Vec<_> = job.of_files(layer).collect();
            for (is_write, op) in OPS {
                if let Some(found) = merging(model, job, layer, is_write, &files) {
                    rows::LostSmallRequests {
                        log: job.facts.log,
                        layer: layer.name(),
                        op,
                        small_calls: found.calls,
                        small_bytes: found.bytes as i64,
                        merged_calls: found.merged as i64,
                        lost_low_s: found.gain.low,
                        lost_high_s: found.gain.high,
                    }
                    .push(table);
                }
            }
        }
    }
}

/// Rows of table `lost_small_file_requests`.
pub(crate) fn small_of_files(model: &Model, table: &mut TableBuilder) {
    for job in &model.jobs {
        for layer in job.layers().filter(|l| matches!(l, Layer::Posix | Layer::Mpiio)) {
            for file in job.of_files(layer) {
                let (file_id, of_file) = (file.0, [file]);
                for (is_write, op) in OPS {
                    if let Some(found) = merging(model, job, layer, is_write, &of_file) {
                        rows::LostSmallFileRequests {
                            log: job.facts.log,
                            file_id,
                            layer: layer.name(),
                            op,
                            small_calls: found.calls,
                            small_bytes: found.bytes as i64,
                            merged_calls: found.merged as i64,
                            lost_low_s: found.gain.low,
                            lost_high_s: found.gain.high,
                        }
                        .push(table);
                    }
                }
            }
        }
    }
}

/// Rows of table `lost_random`.
pub(crate) fn random(model: &Model, table: &mut TableBuilder) {
    for job in &model.jobs {
        for (is_write, op) in OPS {
            let (mut calls, mut all) = (0i64, Vec::new());
            for (file_id, loads) in job.of_files(Layer::Posix) {
                let backward = total(&loads, |load| load.side(is_write).backward_calls);
                let part = share(backward, total(&loads, |load| load.side(is_write).calls));
                let mount = model.mounts.of(job.facts.log, file_id);
                let cost = model.costs.get(job.facts.log, mount, is_write);
                calls = calls.saturating_add(backward);
                let again = if is_write { 0.0 } else { again_ratio(&loads) };
                all.extend(loads.into_iter().filter(|_| part > 0.0).map(|load| {
                    let side = load.side(is_write);
                    let (before_s, bytes) = (side.time_s * part, side.bytes as f64 * part);
                    let requests = (bytes / MERGED_BYTES).ceil();
                    let after_s = cost.map_or(0.0, |cost| cost.time_s(requests, bytes).low);
                    let high_s = before_s - after_s.max(bytes * COPY_BYTE_S);
                    // Whether a place costs time depends on the storage: in memory it
                    // costs none. What was read around a place, and is read around
                    // another one again, costs time everywhere.
                    let is_memory = cost.is_some_and(|cost| cost.is_memory);
                    let again_s = side.time_s * again;
                    let missed = cost.filter(|_| !is_write).map_or(0.0, |cost| cost.missed_ratio);
                    // Of jumps to random places, as many go forward as back.
                    let jumps_s = side.time_s * (2.0 * part).min(1.0);
                    let missed_s = (jumps_s - bytes * MEMORY_BYTE_S) * missed;
                    let of_memory_s = again_s.max(missed_s);
                    (
                        load,
                        Range::at_most(if is_memory { of_memory_s } else { high_s.max(again_s) }),
                    )
                }));
            }
            if calls > 0 {
                let gain = job.gain(Layer::Posix, all.into_iter());
                rows::LostRandom {
                    log: job.facts.log,
                    op,
                    random_calls: calls,
                    lost_low_s: gain.low,
                    lost_high_s: gain.high,
                }
                .push(table);
            }
        }
    }
}
