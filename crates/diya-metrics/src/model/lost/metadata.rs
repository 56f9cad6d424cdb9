//! Fewer syncs, seeks, opens and stats.

use super::super::Model;
use super::super::load::{Class, Load, Part, Side};
use super::super::profile::Rates;
use super::super::range::Range;
use super::{FILE_LAYERS, share, total};
use crate::hash::HashMap;
use crate::rows;
use diya_tables::{Layer, TableBuilder};

/// Seconds per byte that a sync of much data takes at most: a single disk.
const SYNC_BYTE_S: f64 = 1.0 / 50e6;

/// What the quickest disks write in the time of one sync: 30 us at 1 GB/s. Slower ones write
/// more meanwhile. Of a sync of fewer bytes, most of the time is no writing.
const SYNC_HALF_BYTES: f64 = 32768.0;

/// A seek that asks no server takes at least and at most this long.
const SEEK_S: Range = Range { low: 1e-7, high: 1e-5 };

/// Rows of table `lost_syncs`.
pub(crate) fn syncs(model: &Model, table: &mut TableBuilder) {
    for job in &model.jobs {
        for (file_id, loads) in job.of_files(Layer::Posix) {
            let syncs = total(&loads, |load| load.syncs);
            let bytes = total(&loads, |load| load.write.bytes) as f64;
            let ranks = job.ranks(&loads).unwrap_or(1).max(1) as f64;
            if syncs as f64 <= ranks {
                continue;
            }
            let left = ranks / syncs as f64;
            let all_s: f64 = loads.iter().map(|load| load.sync_s.low).sum();
            let saved = loads.iter().map(|load| {
                let sync_s = load.sync_s;
                // The bytes still have to reach the storage, in one sync.
                let part = if all_s > 0.0 { sync_s.low / all_s } else { 0.0 };
                let each = bytes / syncs as f64;
                let writing_s = sync_s.low * each / (each + SYNC_HALF_BYTES);
                let flushed_s = (bytes * part * SYNC_BYTE_S).min(writing_s);
                let low_s = sync_s.low * (1.0 - left) - flushed_s;
                (*load, Range::new(low_s, sync_s.high * (1.0 - left)).within(sync_s.high))
            });
            let gain = job.gain(Layer::Posix, saved);
            let path = loads.iter().map(|load| (*load, load.class_s(Class::Sync)));
            let path = job.gain(Layer::Posix, path);
            rows::LostSyncs {
                log: job.facts.log,
                file_id,
                sync_calls: syncs,
                sync_low_s: path.low,
                sync_high_s: path.high,
                lost_low_s: gain.low,
                lost_high_s: gain.high,
            }
            .push(table);
        }
    }
}

/// Rows of table `lost_seeks`.
pub(crate) fn seeks(model: &Model, table: &mut TableBuilder) {
    for job in &model.jobs {
        let loads: Vec<&Load> = job.of_layer(Layer::Posix).collect();
        let seeks = total(&loads, |load| load.seeks);
        if seeks == 0 {
            continue;
        }
        let saved = loads.iter().filter(|load| load.seeks > 0).map(|load| {
            let guessed = SEEK_S.times(load.seeks as f64).within(load.metadata_s);
            (*load, load.exact.map_or(guessed, |exact| Range::exactly(exact.seek_s)))
        });
        let gain = job.gain(Layer::Posix, saved);
        rows::LostSeeks {
            log: job.facts.log,
            seek_calls: seeks,
            lost_low_s: gain.low,
            lost_high_s: gain.high,
        }
        .push(table);
    }
}

/// Requests for each open of a file up to which it was opened for them: with
/// the open they go, too.
const FOR_REQUESTS: i64 = 16;

/// What goes with the opens of a load, at most: pauses beside the calls, and
/// small requests where the file was opened for few of them.
fn beside_s(load: &Load, few: bool) -> f64 {
    let metadata_s = load.exact.map_or(0.0, |exact| exact.pause_s);
    let small_s = |side: &Side| {
        let all = |part: &Part| if side.calls > 0 { share(part.calls, side.calls) } else { 0.0 };
        side.small.time_s.unwrap_or(side.time_s * all(&side.small)) + side.pause_s
    };
    metadata_s + if few { small_s(&load.read) + small_s(&load.write) } else { 0.0 }
}

/// Whether a file was opened for few requests at a time.
fn is_for_few(loads: &[&Load]) -> bool {
    let opens = total(loads, |load| load.opens);
    let requests = total(loads, |load| load.read.calls.saturating_add(load.write.calls));
    opens > 0 && requests <= FOR_REQUESTS.saturating_mul(opens)
}

/// Time in opens (and the closes that belong to them), and in stats if wanted:
/// exact, or between half of the share of these calls and all metadata; with a
/// machine profile at least what it measured for them.
fn opens_s(load: &Load, with_stats: bool, rates: Option<Rates>) -> Range {
    let stats = if with_stats { load.stats } else { 0 };
    if let Some(exact) = load.exact {
        let stat_s = if with_stats { exact.stat_s } else { 0.0 };
        return Range::new(exact.open_s, exact.open_s + exact.close_s) + Range::exactly(stat_s);
    }
    let calls = load.opens.saturating_add(load.stats).saturating_add(load.seeks);
    // An open takes longer than a seek, but a close that flushes longer still.
    let part = share(load.opens.saturating_add(stats), calls);
    let measured_s = rates.map_or(0.0, |rates| {
        load.opens as f64 * rates.open_s.low + stats as f64 * rates.stat_s.low
    });
    let low_s = (load.metadata_s * part / 2.0).max(measured_s).min(load.metadata_s);
    Range::new(low_s, load.metadata_s)
}

/// Rows of table `lost_opens`.
pub(crate) fn opens(model: &Model, table: &mut TableBuilder) {
    for (job, layer) in model.jobs.iter().flat_map(|job| FILE_LAYERS.map(|layer| (job, layer))) {
        for (file_id, loads) in job.of_files(layer) {
            let opens = total(&loads, |load| load.opens);
            let ranks = job.ranks(&loads).unwrap_or(1).max(1) as f64;
            let per_rank = opens as f64 / ranks;
            if per_rank <= 1.0 {
                continue;
            }
            let spared = 1.0 - 1.0 / per_rank;
            let rates = model.metadata_rates(job.facts.log, file_id);
            let few = is_for_few(&loads);
            let saved = loads.iter().map(|load| {
                let opens = opens_s(load, false, rates).times(spared);
                let opens = if load.opens > 0 { opens } else { Range::ZERO };
                (*load, opens + Range::at_most(beside_s(load, few) * spared))
            });
            let gain = job.gain(layer, saved);
            rows::LostOpens {
                log: job.facts.log,
                file_id,
                open_calls: opens,
                per_rank_calls: per_rank,
                lost_low_s: gain.low,
                lost_high_s: gain.high,
            }
            .push(table);
        }
    }
}

/// Rows of table `lost_metadata`.
pub(crate) fn all(model: &Model, table: &mut TableBuilder) {
    for job in &model.jobs {
        let log = job.facts.log;
        let loads: Vec<&Load> = FILE_LAYERS.iter().flat_map(|layer| job.of_layer(*layer)).collect();
        let calls_of = |load: &Load| load.opens.saturating_add(load.stats);
        let calls = total(&loads, calls_of);
        if calls == 0 {
            continue;
        }
        // Of the calls of each rank one is left.
        let mut of_ranks: HashMap<i32, f64> = HashMap::default();
        let ranks = job.facts.nprocs.unwrap_or(1).max(1) as f64;
        for load in &loads {
            let per_rank = if load.is_shared() { ranks } else { 1.0 };
            *of_ranks.entry(load.rank).or_default() += calls_of(load) as f64 / per_rank;
        }
        let spared = |rank: i32| {
            let calls = of_ranks.get(&rank).copied().unwrap_or(0.0);
            if calls > 1.0 { 1.0 - 1.0 / calls } else { 0.0 }
        };
        let saved_of = |layer: Layer| {
            let of_files = job.of_files(layer).flat_map(|(file_id, loads)| {
                let rates = model.metadata_rates(log, file_id);
                let few = is_for_few(&loads);
                let of_load = move |load: &'_ Load| {
                    let time = opens_s(load, true, rates).times(spared(load.rank));
                    time + Range::at_most(beside_s(load, few) * spared(load.rank))
                };
                loads.into_iter().map(|load| (load, of_load(load))).collect::<Vec<_>>()
            });
            job.gain(layer, of_files)
        };
        let path_of = |layer: Layer| {
            let of_layer = loads.iter().filter(|load| load.layer == layer);
            job.gain(layer, of_layer.map(|load| (*load, load.class_s(Class::Metadata))))
        };
        let limit_s = job.facts.run_s.unwrap_or(f64::MAX);
        let sum = |of: &dyn Fn(Layer) -> Range| -> Range {
            FILE_LAYERS.into_iter().map(of).sum::<Range>().within(limit_s)
        };
        let (gain, path) = (sum(&saved_of), sum(&path_of));
        rows::LostMetadata {
            log: job.facts.log,
            metadata_calls: calls,
            metadata_low_s: path.low,
            metadata_high_s: path.high,
            lost_low_s: gain.low,
            lost_high_s: gain.high,
        }
        .push(table);
    }
}
