//! Fewer, larger requests: by the program itself, by collective calls, in order.

use super::super::Model;
use super::super::fit::{Cost, MEMORY_BYTE_S};
use super::super::job::Job;
use super::super::load::{Class, Load, Part, Side};
use super::super::range::Range;
use super::shape::{Shape, Shapes, again_ratio};
use super::{
    AGGREGATED_BYTES, AGREE_S, COPY_BYTE_S, MERGED_BYTES, SEND_BYTE_S, is_of_many, share, total,
};
use crate::hash::{HashMap, HashSet};
use crate::rows;
use diya_tables::{BatchSource, Column, Layer, TableBuilder, hdf5_dataset, pnetcdf_var, rank_host};
use std::sync::Arc;

const OPS: [(bool, &str); 2] = [(false, "read"), (true, "write")];

/// Collective buffering of requests of this mean size, or larger, costs time.
const LARGE_BYTES: i64 = 4 * 1024 * 1024;

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
const BUSY_RATIO: f64 = 2.0;

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

diya_tables::columns! {
    struct RankHosts of rank_host { log: i32, host: str }
}

diya_tables::columns! {
    struct DatasetCalls of hdf5_dataset { log: i32, opens: i64, reads: i64, writes: i64 }
}

diya_tables::columns! {
    struct VariableCalls of pnetcdf_var {
        log: i32,
        opens: i64,
        indep_reads: i64,
        indep_writes: i64,
        coll_reads: i64,
        coll_writes: i64,
        nb_reads: i64,
        nb_writes: i64,
    }
}

/// Nodes of each log, where they are named.
fn nodes(tables: &[Arc<dyn BatchSource>]) -> HashMap<i32, HashSet<String>> {
    let mut nodes: HashMap<i32, HashSet<String>> = HashMap::default();
    for of in RankHosts::all(tables) {
        for row in 0..of.rows() {
            let of_log = nodes.entry(of.log.value(row)).or_default();
            if !of_log.contains(of.host.value(row)) {
                of_log.insert(of.host.value(row).to_owned());
            }
        }
    }
    nodes
}

/// Calls of the program to a library above MPI-IO, by log: transfers, and opens,
/// which read or write headers.
fn library_calls(tables: &[Arc<dyn BatchSource>]) -> HashMap<i32, i64> {
    let mut of_logs: HashMap<i32, i64> = HashMap::default();
    let mut add = |logs: &Column<i32>, counts: &[&Column<i64>]| {
        for row in 0..logs.len() {
            let calls = of_logs.entry(logs.value(row)).or_default();
            for more in counts.iter().filter_map(|count| count.get(row)) {
                *calls = calls.saturating_add(more.max(0));
            }
        }
    };
    for of in DatasetCalls::all(tables) {
        add(&of.log, &[&of.opens, &of.reads, &of.writes]);
    }
    for of in VariableCalls::all(tables) {
        add(&of.log, &[&of.opens, &of.nb_reads, &of.nb_writes]);
        add(&of.log, &[&of.indep_reads, &of.indep_writes, &of.coll_reads, &of.coll_writes]);
    }
    of_logs
}

/// Rows of table `lost_independent_requests`.
pub(crate) fn independent(
    model: &Model,
    tables: &[Arc<dyn BatchSource>],
    table: &mut TableBuilder,
) {
    let (nodes, library) = (nodes(tables), library_calls(tables));
    for job in &model.jobs {
        let log = job.facts.log;
        // A library that calls once for each call of the program does the same
        // work between them after the fix.
        let of_mpiio: Vec<&Load> = job.of_layer(Layer::Mpiio).collect();
        let calls =
            total(&of_mpiio, |load| load.independent[0].saturating_add(load.independent[1]));
        let spared_ratio = 1.0 - share(library.get(&log).copied().unwrap_or(0), calls);
        let aggregators = nodes.get(&log).map_or(1, HashSet::len).max(1) as f64;
        for (file_id, loads) in job.of_files(Layer::Mpiio).filter(|(_, l)| is_of_many(l)) {
            let cost_of = model.mounts.of(log, file_id);
            let ranks = job.ranks(&loads).unwrap_or(1).max(1) as f64;
            for (is_write, op) in OPS {
                let calls = total(&loads, |load| load.side(is_write).calls);
                let independent = total(&loads, |load| load.independent[usize::from(is_write)]);
                let bytes = total(&loads, |load| load.side(is_write).bytes);
                if independent == 0 || bytes / calls.max(1) >= LARGE_BYTES {
                    continue;
                }
                let cost = model.costs.get(log, cost_of, is_write);
                let after = After { cost, others: (ranks / aggregators).max(1.0) };
                let part = share(independent, calls);
                let saved = loads.iter().map(|load| {
                    let side = load.side(is_write);
                    let before_s = side.time_s * part;
                    let time = after.time_s(side, part);
                    let high_s = (before_s - time.low).min(after.spared_s(before_s, side, part));
                    let saved = Range::new(before_s - time.high, high_s).within(before_s);
                    (*load, Range::new(saved.low, saved.high + side.pause_s * part * spared_ratio))
                });
                let gain = job.gain(Layer::Mpiio, saved);
                let merged = (bytes as f64 * part / AGGREGATED_BYTES).ceil();
                rows::LostIndependentRequests {
                    log,
                    file_id,
                    op,
                    independent_calls: independent,
                    bytes,
                    merged_calls: merged as i64,
                    lost_low_s: gain.low,
                    lost_high_s: gain.high,
                }
                .push(table);
            }
        }
    }
}

/// Collective calls in the place of independent ones.
struct After<'c> {
    cost: Option<&'c Cost>,
    /// Ranks whose bytes an aggregator moves.
    others: f64,
}

impl After<'_> {
    /// Requests to memory cost no more than a system call each, on a busy core for those of few
    /// bytes: that, less what handing on the bytes takes, is to be saved.
    fn spared_s(&self, before_s: f64, side: &Side, part: f64) -> f64 {
        let cost = self.cost.filter(|cost| cost.is_memory);
        let calls = side.calls as f64 * part;
        let is_few = |cost: &Cost| cost.is_of_few(calls, side.bytes as f64 * part);
        let tail = |cost: &Cost| if is_few(cost) { cost.tail_ratio.min(BUSY_RATIO) } else { 1.0 };
        let calls_s = |cost: &Cost| calls * cost.latency_range_s.high * tail(cost);
        cost.map_or(before_s, |cost| calls_s(cost) - self.exchange_s(side, part))
    }

    fn exchange_s(&self, side: &Side, part: f64) -> f64 {
        self.cost.map_or(0.0, |cost| cost.exchange_s(side.bytes as f64 * part))
    }

    /// At most: aggregators move the bytes of all others at the speed of one
    /// rank of today, and each call waits for all. At least: every rank copies
    /// its bytes, and they move as fast as today's best requests.
    fn time_s(&self, side: &Side, part: f64) -> Range {
        let (calls, bytes) = (side.calls as f64 * part, side.bytes as f64 * part);
        let moved_bytes = bytes * self.others;
        let requests = moved_bytes / AGGREGATED_BYTES;
        let at_most = match self.cost {
            Some(cost) => cost.time_s(requests, moved_bytes).high,
            None => f64::INFINITY,
        };
        let at_least = self.cost.map_or(0.0, |cost| cost.time_s(0.0, bytes).low);
        Range::new(
            at_least.max(bytes * COPY_BYTE_S) + self.exchange_s(side, part),
            at_most + bytes * SEND_BYTE_S + calls * AGREE_S,
        )
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
