//! Where the bytes lie: storage targets and block edges.

use super::super::Model;
use super::super::load::{Class, Load};
use super::super::range::Range;
use super::{is_of_many, share, total};
use crate::hash::HashMap;
use crate::rows;
use diya_tables::{BatchSource, Layer, TableBuilder, lustre_component};
use std::sync::Arc;

/// Targets that the advice is for: more of them gain little (Lustre wiki).
const TARGETS: f64 = 8.0;

/// Share of the time of unaligned writes that aligned ones win at most: 1.7 to
/// 2 times faster (IOR with HDF5 on Cori, hands-on outputs).
const ALIGNED_RATIO: f64 = 0.5;

diya_tables::columns! {
    struct StripeCounts of lustre_component { log: i32, file_id: u64, stripe_count: i64 }
}

/// Most stripes of each file, over its components.
fn stripes_of(tables: &[Arc<dyn BatchSource>]) -> HashMap<(i32, u64), i64> {
    let mut most: HashMap<(i32, u64), i64> = HashMap::default();
    for of in StripeCounts::all(tables) {
        for row in 0..of.rows() {
            let Some(stripes) = of.stripe_count.get(row) else { continue };
            let most = most.entry((of.log.value(row), of.file_id.value(row))).or_insert(0);
            *most = (*most).max(stripes);
        }
    }
    most
}

/// Rows of table `lost_stripes`.
pub(crate) fn stripes(model: &Model, tables: &[Arc<dyn BatchSource>], table: &mut TableBuilder) {
    let stripes = stripes_of(tables);
    for job in &model.jobs {
        let log = job.facts.log;
        for (file_id, loads) in job.of_files(Layer::Posix).filter(|(_, l)| is_of_many(l)) {
            if stripes.get(&(log, file_id)) != Some(&1) {
                continue;
            }
            let ranks = job.ranks(&loads);
            let targets = ranks.map_or(TARGETS, |ranks| TARGETS.min(ranks.max(1) as f64));
            let part = 1.0 - 1.0 / targets;
            // At least nothing: the target may not be what limits.
            let saved = loads.iter().map(|load| {
                let moved_s = load.read.time_s + load.write.time_s;
                (*load, Range::at_most(moved_s * part))
            });
            let gain = job.gain(Layer::Posix, saved);
            rows::LostStripes {
                log,
                file_id,
                ranks: ranks.unwrap_or(2),
                bytes: total(&loads, Load::bytes),
                lost_low_s: gain.low,
                lost_high_s: gain.high,
            }
            .push(table);
        }
    }
}

/// Rows of table `lost_unaligned`.
pub(crate) fn unaligned(model: &Model, table: &mut TableBuilder) {
    for job in &model.jobs {
        for (file_id, loads) in job.of_files(Layer::Posix).filter(|(_, l)| is_of_many(l)) {
            let unaligned = total(&loads, |load| load.unaligned);
            let writes = total(&loads, |load| load.write.calls);
            if unaligned == 0 || writes == 0 {
                continue;
            }
            let calls = total(&loads, |load| load.read.calls.saturating_add(load.write.calls));
            // Requests that memory serves wait for no block.
            let mount = model.mounts.of(job.facts.log, file_id);
            let cost = model.costs.get(job.facts.log, mount, true);
            let is_memory = cost.is_some_and(|cost| cost.is_memory);
            let part = if is_memory { 0.0 } else { share(unaligned, calls) * ALIGNED_RATIO };
            let saved = loads.iter().map(|load| {
                let write_s = load.class_s(Class::Write).high;
                (*load, Range::at_most(write_s * part))
            });
            let gain = job.gain(Layer::Posix, saved);
            rows::LostUnaligned {
                log: job.facts.log,
                file_id,
                unaligned_calls: unaligned,
                lost_low_s: gain.low,
                lost_high_s: gain.high,
            }
            .push(table);
        }
    }
}
