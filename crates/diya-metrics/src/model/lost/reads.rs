//! Reads that need not be: of the same bytes, of the same headers, before a
//! write of the same place.

use super::super::Model;
use super::super::fit::{MEMORY_BYTE_S, MEMORY_READ_S};
use super::super::job::Job;
use super::super::load::{Load, NO_PHASE};
use super::super::range::Range;
use super::requests::time_s;
use super::{AGREE_S, FILE_LAYERS, SEND_BYTE_S, is_of_many, total};
use crate::hash::HashMap;
use crate::rows;
use diya_tables::{BatchSource, Column, Layer, TableBuilder};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Share of a read from memory that a program saves at least when it has kept the
/// bytes: a copy reads and writes them, using what was kept reads them only.
const USED_RATIO: f64 = 0.5;

/// What table `redundancy` says of the reads of a file.
struct Redundancy {
    calls: f64,
    extents: f64,
    bytes: f64,
    unique_bytes: f64,
    ranks: f64,
    /// Bytes that a rank read again after itself.
    own_bytes: f64,
    /// Of the bytes that were read again, the share that nobody had written since.
    stale_ratio: f64,
}

type Redundancies = HashMap<(i32, u64, Layer), Redundancy>;

diya_tables::columns! {
    struct RedundancyColumns of metric redundancy {
        log: i32,
        file_id: u64,
        layer: str,
        op: str,
        calls: i64,
        extents: i64,
        bytes: i64,
        unique_bytes: i64,
        ranks: i64,
        same_rank_bytes: i64,
        redundant_bytes: i64,
        refreshed_bytes: i64,
    }
}

fn redundancies(tables: &[Arc<dyn BatchSource>]) -> Redundancies {
    let mut found = HashMap::default();
    for of in RedundancyColumns::all(tables) {
        for row in (0..of.rows()).filter(|row| of.op.value(*row) == "read") {
            let Some(layer) = Layer::from_name(of.layer.value(row)) else { continue };
            let number = |column: &Column<i64>| column.value(row) as f64;
            let reads = Redundancy {
                calls: number(&of.calls),
                extents: number(&of.extents),
                bytes: number(&of.bytes),
                unique_bytes: number(&of.unique_bytes),
                ranks: number(&of.ranks),
                own_bytes: number(&of.same_rank_bytes),
                stale_ratio: 1.0
                    - number(&of.refreshed_bytes) / number(&of.redundant_bytes).max(1.0),
            };
            found.insert((of.log.value(row), of.file_id.value(row), layer), reads);
        }
    }
    found
}

/// Rows of table `lost_redundant_reads`.
pub(crate) fn redundant(model: &Model, tables: &[Arc<dyn BatchSource>], table: &mut TableBuilder) {
    let found = redundancies(tables);
    for job in &model.jobs {
        let log = job.facts.log;
        for layer in
            job.layers().filter(|l| matches!(l, Layer::Posix | Layer::Stdio | Layer::Mpiio))
        {
            for (file_id, loads) in job.of_files(layer) {
                let Some(reads) = found.get(&(log, file_id, layer)) else { continue };
                if reads.unique_bytes >= reads.bytes || reads.calls <= 0.0 {
                    continue;
                }
                let saved = loads.iter().map(|load| (*load, once(reads, load)));
                let gain = job.gain(layer, saved);
                let again = ((reads.bytes - reads.unique_bytes) * reads.stale_ratio) as i64;
                rows::LostRedundantReads {
                    log,
                    file_id,
                    layer: layer.name(),
                    redundant_bytes: again,
                    lost_low_s: gain.low,
                    lost_high_s: gain.high,
                }
                .push(table);
            }
        }
    }
}

/// What reading each extent once leaves out of a load.
///
/// A rank that keeps what it has read spares all of the time of reading it again,
/// also where memory serves it. What several ranks read, one can read for all; they
/// get their parts over the network, in as many pieces as there are extents, and
/// that takes as long as reading them from memory.
fn once(reads: &Redundancy, load: &Load) -> Range {
    let rank_calls = reads.calls / reads.ranks.max(1.0);
    let ranks = if load.is_shared() { reads.ranks } else { 1.0 };
    let part = (load.read.calls as f64 / rank_calls).min(ranks);
    let told_s = (reads.unique_bytes * SEND_BYTE_S + reads.extents * AGREE_S) * part;
    let time_s = load.read.time_s;
    let again = reads.bytes - reads.unique_bytes;
    let own = if again > 0.0 { reads.own_bytes / again } else { 0.0 };
    let of_bytes = again / reads.bytes;
    let of_calls = (1.0 - reads.extents / reads.calls).max(0.0);
    // Of each rank its own extents are left; how many these are is not known.
    let own_calls = (1.0 - reads.extents * reads.ranks.max(1.0) / reads.calls).max(0.0);
    let kept = Range::new(
        time_s * (of_bytes * own).min(own_calls) * USED_RATIO,
        time_s * (of_bytes * own).max(of_calls * own),
    );
    let (least, most) = (of_calls.min(of_bytes), of_calls.max(of_bytes));
    let passed = Range::new(time_s * least - told_s, worth_s(load) * most);
    let saved = Range::new(kept.low.max(passed.low), kept.high + passed.high * (1.0 - own));
    saved.within(time_s).times(reads.stale_ratio)
}

/// Time in reads that passing on what another rank has read can win: what memory
/// serves takes as long to pass on, but for the calls.
fn worth_s(load: &Load) -> f64 {
    let calls_s = load.read.calls as f64 * MEMORY_READ_S;
    let is_memory = load.read.time_s - calls_s <= load.read.bytes as f64 * MEMORY_BYTE_S;
    load.read.time_s.min(if is_memory { calls_s } else { f64::INFINITY })
}

/// Rows of table `lost_rereads`.
pub(crate) fn again(model: &Model, table: &mut TableBuilder) {
    for job in &model.jobs {
        let mut files: BTreeMap<u64, Vec<&Load>> = BTreeMap::new();
        for layer in FILE_LAYERS {
            for (file_id, loads) in job.of_files(layer) {
                files.entry(file_id).or_default().extend(loads);
            }
        }
        for (file_id, loads) in files {
            again_in(job, file_id, &loads, table);
        }
    }
}

/// The row of one file, of which streams and POSIX calls read.
fn again_in(job: &Job, file_id: u64, loads: &[&Load], table: &mut TableBuilder) {
    let bytes = total(loads, |load| load.read.bytes);
    let records = || loads.iter().filter(|load| load.phase == NO_PHASE);
    let extent = records().map(|load| load.read_extent_bytes).max().unwrap_or(0);
    let again = bytes - extent;
    if again <= 0 || extent <= 0 {
        return;
    }
    // Of each rank: the share of its bytes that itself has read before.
    let mut of_ranks: HashMap<i32, f64> = HashMap::default();
    for load in records() {
        let ranks = if load.is_shared() { job.facts.nprocs.unwrap_or(1).max(1) } else { 1 };
        *of_ranks.entry(load.rank).or_default() += load.read.bytes as f64 / ranks as f64;
    }
    let own = |rank: i32| {
        let bytes = of_ranks.get(&rank).copied().filter(|bytes| *bytes > 0.0);
        bytes.map(|bytes| (1.0 - extent as f64 / bytes).max(0.0))
    };
    let of_all = own(-1).unwrap_or(0.0);
    let part = again as f64 / bytes as f64;
    let saved = |load: &Load| {
        let time_s = load.read.time_s;
        let own = own(load.rank).unwrap_or(of_all).min(part);
        let kept_s = time_s * own;
        let high_s = kept_s + worth_s(load) * (part - own);
        Range::new(kept_s * USED_RATIO, high_s).within(time_s)
    };
    let of_layer = |layer: Layer| {
        let of_layer = loads.iter().filter(|load| load.layer == layer);
        job.gain(layer, of_layer.map(|load| (*load, saved(load))))
    };
    let gain: Range = FILE_LAYERS.into_iter().map(of_layer).sum();
    rows::LostRereads {
        log: job.facts.log,
        file_id,
        again_bytes: again,
        lost_low_s: gain.low,
        lost_high_s: gain.high,
    }
    .push(table);
}

/// Rows of table `lost_tiny_reads`.
pub(crate) fn tiny(model: &Model, table: &mut TableBuilder) {
    for job in &model.jobs {
        let log = job.facts.log;
        for (file_id, loads) in job.of_files(Layer::Posix).filter(|(_, l)| is_of_many(l)) {
            let cost = model.costs.get(log, model.mounts.of(log, file_id), false);
            let calls =
                loads.iter().fold(0i64, |sum, load| sum.saturating_add(load.read.tiny.calls));
            if calls == 0 {
                continue;
            }
            // One rank reads, and no other rank delays it: as quick as the quick
            // reads of today. The others wait for it and for the message.
            let each_s = cost.map_or(f64::INFINITY, |cost| cost.quick_s) + AGREE_S;
            let saved = loads.iter().filter(|load| load.read.tiny.calls > 0).map(|load| {
                let before = time_s(load, false, &load.read.tiny, cost);
                let after_s = load.read.tiny.calls as f64 * each_s;
                (*load, Range::new(before.low - after_s, before.high).within(before.high))
            });
            let gain = job.gain(Layer::Posix, saved);
            let per_rank = job.ranks(&loads).map(|ranks| calls as f64 / ranks.max(1) as f64);
            rows::LostTinyReads {
                log,
                file_id,
                tiny_calls: calls,
                per_rank_calls: per_rank,
                lost_low_s: gain.low,
                lost_high_s: gain.high,
            }
            .push(table);
        }
    }
}

/// Rows of table `lost_switches`.
pub(crate) fn switches(model: &Model, table: &mut TableBuilder) {
    for job in &model.jobs {
        for (file_id, loads) in job.of_files(Layer::Posix) {
            let switches = total(&loads, |load| load.switches);
            if switches > 0 {
                let calls = total(&loads, |load| load.read.calls).max(1);
                let part = (switches as f64 / calls as f64).min(1.0);
                let again = again_ratio(&loads);
                let saved = loads.iter().map(|load| (*load, turned(load, part, again)));
                let gain = job.gain(Layer::Posix, saved);
                rows::LostSwitches {
                    log: job.facts.log,
                    file_id,
                    switch_calls: switches,
                    lost_low_s: gain.low,
                    lost_high_s: gain.high,
                }
                .push(table);
            }
        }
    }
}

/// Time of the reads that follow a write, at most. The program needs what they read, but
/// for what it has read before: that is the buffer of a library, filled again at each turn.
fn turned(load: &Load, part: f64, again_ratio: f64) -> Range {
    let high_s = load.read.time_s * part;
    Range::new(high_s * again_ratio * USED_RATIO, high_s)
}

/// Share of the bytes read from one file that had been read before, at least.
fn again_ratio(loads: &[&Load]) -> f64 {
    let bytes = total(loads, |load| load.read.bytes);
    let records = loads.iter().filter(|load| load.phase == NO_PHASE);
    let extent = records.map(|load| load.read_extent_bytes).max().unwrap_or(0);
    if extent <= 0 || bytes <= 0 { 0.0 } else { (1.0 - extent as f64 / bytes as f64).max(0.0) }
}
