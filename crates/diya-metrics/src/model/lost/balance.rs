//! Work shared among the ranks: one rank does it all, one is slower than the
//! others, one is last.

use super::super::Model;
use super::super::job::Job;
use super::super::load::{Load, NO_PHASE, Side};
use super::super::range::Range;
use super::{share, total};
use crate::hash::HashSet;
use crate::peers::{Group, Peers};
use crate::rows;
use diya_tables::{BatchSource, Layer, TableBuilder};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Reads or writes: their name, and where a load has them.
type Direction = (&'static str, fn(&Load) -> &Side);
const DIRECTIONS: [Direction; 2] = [("read", |load| &load.read), (WRITE, |load| &load.write)];
const WRITE: &str = "write";

/// Time in reads, or in writes with their syncs: who writes a part of the bytes syncs that part.
fn time_s((op, side): &Direction, load: &Load) -> f64 {
    let sync_s = if *op == WRITE { load.sync_s.low } else { 0.0 };
    side(load).time_s + sync_s
}

/// Bytes and time in reads or writes that are known to be those of a rank. Of a file of all
/// ranks, a record names the bytes of two ranks without the direction: they have that of the file.
fn of_ranks(loads: &[&Load], direction: &Direction) -> BTreeMap<i32, (i64, f64)> {
    let traced: HashSet<u64> =
        loads.iter().filter(|load| load.phase != NO_PHASE).map(|load| load.file_id).collect();
    let shared: HashSet<u64> =
        loads.iter().filter(|load| load.is_shared()).map(|load| load.file_id).collect();
    let mut ranks: BTreeMap<i32, (i64, f64)> = BTreeMap::new();
    let mut add = |rank: i32, bytes: i64, time_s: f64| {
        let sum = ranks.entry(rank).or_default();
        *sum = (sum.0.saturating_add(bytes), sum.1 + time_s);
    };
    for load in loads {
        let (bytes, time_s) = (direction.1(load).bytes, time_s(direction, load));
        let is_record = load.phase == NO_PHASE;
        if !load.is_shared() {
            // Bytes of a record stand in its phases once more.
            let is_counted = is_record || shared.contains(&load.file_id);
            add(load.rank, if is_counted { bytes } else { 0 }, time_s);
        } else if !traced.contains(&load.file_id) {
            for named in load.named.iter().flatten().filter(|_| bytes == load.bytes()) {
                add(named.rank, named.bytes, named.time_s.min(load.record_s));
            }
        }
    }
    ranks
}

/// Rows of table `lost_single_rank`.
pub(crate) fn single_rank(
    model: &Model,
    tables: &[Arc<dyn BatchSource>],
    table: &mut TableBuilder,
) {
    let peers = Peers::read(tables);
    for job in model.jobs.iter().filter(|job| job.facts.nprocs.unwrap_or(1) > 1) {
        for layer in job.layers().filter(|l| matches!(l, Layer::Posix | Layer::Stdio)) {
            for (group, loads) in of_groups(job, layer, &peers) {
                if group.is_rank {
                    DIRECTIONS.iter().for_each(|direction| {
                        single_of(model, job, layer, direction, (&group, &loads), table);
                    });
                }
            }
        }
    }
}

/// The busiest rank of a step.
fn single_of(
    model: &Model,
    job: &Job,
    layer: Layer,
    direction: &Direction,
    (group, loads): (&Group, &[&Load]),
    table: &mut TableBuilder,
) {
    let ranks = group.peers.or(job.facts.nprocs).unwrap_or(1).max(1) as f64;
    let (op, side) = *direction;
    let bytes = total(loads, |load| side(load).bytes);
    let busiest = of_ranks(loads, direction).into_iter().max_by_key(|(rank, sum)| (sum.0, -rank));
    let Some((rank, (rank_bytes, rank_s))) = busiest.filter(|_| bytes > 0) else { return };
    // Messages to or from it are no I/O: they do not count.
    let gain = spread(model, job, layer, (rank, ranks), (direction, loads));
    rows::LostSingleRank {
        log: job.facts.log,
        layer: layer.name(),
        op,
        rank,
        rank_bytes,
        bytes,
        rank_ratio: Some(share(rank_bytes, bytes)),
        rank_s,
        lost_low_s: gain.low,
        lost_high_s: gain.high,
    }
    .push(table);
}

/// The loads of a layer by the ranks that are compared; those of all ranks are
/// of each group.
fn of_groups<'j>(job: &'j Job, layer: Layer, peers: &Peers) -> BTreeMap<Group, Vec<&'j Load>> {
    let mut groups: BTreeMap<Group, Vec<&Load>> = BTreeMap::new();
    let mut of_all: Vec<&Load> = Vec::new();
    for load in job.of_layer(layer) {
        if load.is_shared() {
            of_all.push(load);
        } else if let Some(group) = peers.of(job.facts.log, load.rank) {
            groups.entry(group).or_default().push(load);
        }
    }
    if groups.is_empty() && !of_all.is_empty() {
        let group = Group { number: 0, peers: None, is_rank: true };
        groups.insert(group, Vec::new());
    }
    groups.values_mut().for_each(|loads| loads.extend(&of_all));
    groups
}

/// What the calls of a rank win when all ranks share its reads, or its writes:
/// nothing where one rank fills the storage, unless a machine profile knows
/// better.
fn spread(
    model: &Model,
    job: &Job,
    layer: Layer,
    (rank, ranks): (i32, f64),
    (direction, loads): (&Direction, &[&Load]),
) -> Range {
    let log = job.facts.log;
    let saved = loads.iter().filter_map(|load| {
        let time_s = time_s(direction, load);
        let mount = model.mounts.name(model.mounts.of(log, load.file_id));
        let is_write = direction.0 == WRITE;
        let faster = model.profile.sharing_gain(log, mount, is_write).unwrap_or(1.0);
        let low = 1.0 - 1.0 / faster.clamp(1.0, ranks);
        let part = Range::new(low, 1.0 - 1.0 / ranks);
        if load.rank == rank {
            return Some((*load, part.times(time_s)));
        }
        let named = load.named.iter().flatten().find(|named| named.rank == rank)?;
        // In the time of the slowest rank only; the sum over ranks stays.
        let most_s = load.total_s * load.slowest_ratio;
        let of_slowest = if most_s > 0.0 { named.time_s.min(most_s) / most_s } else { 0.0 };
        Some((*load, Range::at_most(part.high * of_slowest * time_s)))
    });
    job.gain(layer, saved)
}

/// Rows of table `lost_imbalance`.
pub(crate) fn imbalance(model: &Model, tables: &[Arc<dyn BatchSource>], table: &mut TableBuilder) {
    let peers = Peers::read(tables);
    for job in &model.jobs {
        let Some(nprocs) = job.facts.nprocs.filter(|nprocs| *nprocs > 1) else { continue };
        let is_selected = |l: &Layer| matches!(l, Layer::Posix | Layer::Stdio | Layer::Mpiio);
        for layer in job.layers().filter(is_selected) {
            let records = job.of_layer(layer).filter(|load| load.phase == NO_PHASE);
            let mut own: BTreeMap<Group, BTreeMap<i32, f64>> = BTreeMap::new();
            for load in records {
                if !load.is_shared() {
                    if let Some(group) = peers.of(job.facts.log, load.rank) {
                        let of_group = own.entry(group).or_default();
                        *of_group.entry(load.rank).or_default() += load.record_s;
                    }
                    continue;
                }
                let slowest_s = load.record_s * load.slowest_ratio;
                let rank = load.named[0].map(|named| named.rank);
                let uneven = Uneven { rank, slowest_s, summed_s: load.record_s };
                uneven.write(job, layer, Some(load.file_id), nprocs, table);
            }
            for (group, own) in own {
                let slowest = own.iter().max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(a.0)));
                if let Some((rank, slowest_s)) = slowest {
                    let (rank, slowest_s) = (Some(*rank), *slowest_s);
                    let uneven = Uneven { rank, slowest_s, summed_s: own.values().sum() };
                    uneven.write(job, layer, None, group.peers.unwrap_or(nprocs), table);
                }
            }
        }
    }
}

/// The slowest rank against all that it is compared with.
struct Uneven {
    rank: Option<i32>,
    slowest_s: f64,
    summed_s: f64,
}

impl Uneven {
    fn write(
        &self,
        job: &Job,
        layer: Layer,
        file_id: Option<u64>,
        nprocs: i64,
        table: &mut TableBuilder,
    ) {
        let mean_s = self.summed_s / nprocs as f64;
        let limit_s = job.facts.run_s.unwrap_or(f64::MAX);
        // At least nothing: the others may have nothing to wait for.
        let gain = Range::at_most(self.slowest_s - mean_s).within(limit_s);
        let ratio = (mean_s > 0.0).then(|| self.slowest_s / mean_s);
        rows::LostImbalance {
            log: job.facts.log,
            layer: layer.name(),
            file_id,
            rank: self.rank,
            slowest_s: self.slowest_s,
            mean_s,
            slowest_ratio: ratio,
            ranks: nprocs,
            lost_low_s: gain.low,
            lost_high_s: gain.high,
        }
        .push(table);
    }
}

diya_tables::columns! {
    struct PhaseStragglers of metric phase_straggler {
        log: i32,
        layer: str,
        phase: i32,
        slowest_io_s: f64,
        median_io_s: f64,
        last_rank: i32,
        waited_s: f64,
    }
}

/// Rows of table `lost_phase_waits`.
pub(crate) fn phase_waits(tables: &[Arc<dyn BatchSource>], table: &mut TableBuilder) {
    for of in PhaseStragglers::all(tables) {
        for row in 0..of.rows() {
            // What the last rank spends beyond the middle one is known where
            // it is the slowest as well; else no more than that.
            let beyond_s = of.slowest_io_s.value(row) - of.median_io_s.value(row);
            let gain = Range::at_most(of.waited_s.value(row).min(beyond_s)).within(f64::MAX);
            rows::LostPhaseWaits {
                log: of.log.value(row),
                layer: of.layer.value(row),
                phase: of.phase.value(row),
                rank: of.last_rank.value(row),
                lost_low_s: gain.low,
                lost_high_s: gain.high,
            }
            .push(table);
        }
    }
}
