//! Collective calls instead of independent ones.

use super::super::Model;
use super::super::fit::Cost;
use super::super::job::Job;
use super::super::load::{Class, Load};
use super::super::range::Range;
use super::requests::{BUSY_RATIO, OPS};
use super::{AGGREGATED_BYTES, AGREE_S, COPY_BYTE_S, SEND_BYTE_S, is_of_many, share, total};
use crate::hash::{HashMap, HashSet};
use crate::rows;
use diya_tables::{BatchSource, Column, Layer, TableBuilder, hdf5_dataset, pnetcdf_var, rank_host};
use std::sync::Arc;

/// Collective buffering of requests of this mean size, or larger, costs time.
const LARGE_BYTES: i64 = 4 * 1024 * 1024;

/// What MPI-IO itself takes in an independent call, at most: some microseconds, on a core
/// that others keep busy.
const OWN_S: f64 = 20e-6;

/// Of what MPI-IO itself takes in them, at least: a view is taken apart once for each call, and locks
/// of data sieving go with the calls.
const OWN_SPARED: f64 = 0.5;

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
pub(crate) fn write(model: &Model, tables: &[Arc<dyn BatchSource>], table: &mut TableBuilder) {
    let (nodes, library) = (nodes(tables), library_calls(tables));
    for job in &model.jobs {
        let log = job.facts.log;
        // A library that calls once for each call of the program does the same
        // work between them after the fix.
        let of_mpiio: Vec<&Load> = job.of_layer(Layer::Mpiio).collect();
        let calls =
            total(&of_mpiio, |load| load.independent[0].saturating_add(load.independent[1]));
        let spared_ratio = 1.0 - share(library.get(&log).copied().unwrap_or(0), calls);
        let below = Below::of(job);
        let aggregators = nodes.get(&log).map_or(1, HashSet::len).max(1) as f64;
        for (file_id, loads) in job.of_files(Layer::Mpiio).filter(|(_, l)| is_of_many(l)) {
            let cost_of = model.mounts.of(log, file_id);
            let ranks = job.ranks(&loads).unwrap_or(1).max(1) as f64;
            for (is_write, op) in OPS {
                let calls = total(&loads, |load| load.side(is_write).calls);
                let independent = total(&loads, |load| load.independent[usize::from(is_write)]);
                let all_bytes = total(&loads, |load| load.side(is_write).bytes);
                let part = share(independent, calls);
                let (bytes, of_bytes) = match bytes_alone(&loads, is_write) {
                    Some(alone) => (alone, independent),
                    None => (all_bytes, calls),
                };
                if independent == 0 || bytes / of_bytes.max(1) >= LARGE_BYTES {
                    continue;
                }
                let cost = model.costs.get(log, cost_of, is_write);
                let after = After { cost, others: (ranks / aggregators).max(1.0) };
                let saved = loads.iter().map(|load| {
                    let alone = Alone::of(load, is_write, part, below.high_s(load, is_write));
                    let (before, time) = (alone.time_s, after.time_s(&alone));
                    let own_s = (before.low - below.all_s(load)).max(0.0);
                    let high_s = (before.high - time.low).min(after.spared_s(&alone) + own_s);
                    let low_s = (before.low - time.high).max(own_s * OWN_SPARED);
                    let saved = Range::new(low_s.min(high_s), high_s).within(before.high);
                    (*load, Range::new(saved.low, saved.high + alone.pause_s * spared_ratio))
                });
                let gain = job.gain(Layer::Mpiio, saved);
                let merged = bytes as f64 * share(independent, of_bytes) / AGGREGATED_BYTES;
                let merged = merged.ceil();
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
    fn spared_s(&self, alone: &Alone) -> f64 {
        let cost = self.cost.filter(|cost| cost.is_memory);
        let is_few = |cost: &Cost| cost.is_of_few(alone.calls, alone.bytes);
        let tail = |cost: &Cost| if is_few(cost) { cost.tail_ratio.min(BUSY_RATIO) } else { 1.0 };
        let calls_s = |cost: &Cost| alone.calls * cost.latency_range_s.high * tail(cost);
        cost.map_or(alone.time_s.high, |cost| calls_s(cost) - cost.exchange_s(alone.bytes))
    }

    /// At most: aggregators move the bytes of all others at the speed of one
    /// rank of today, and each call waits for all. At least: every rank copies
    /// its bytes, and they move as fast as today's best requests.
    fn time_s(&self, &Alone { calls, bytes, .. }: &Alone) -> Range {
        let moved_bytes = bytes * self.others;
        let requests = moved_bytes / AGGREGATED_BYTES;
        let at_most = match self.cost {
            Some(cost) => cost.time_s(requests, moved_bytes).high,
            None => f64::INFINITY,
        };
        let at_least = self.cost.map_or(0.0, |cost| cost.time_s(0.0, bytes).low);
        let exchange_s = self.cost.map_or(0.0, |cost| cost.exchange_s(bytes));
        Range::new(
            at_least.max(bytes * COPY_BYTE_S) + exchange_s,
            at_most + bytes * SEND_BYTE_S + calls * AGREE_S,
        )
    }
}

/// Independent requests of a load.
struct Alone {
    calls: f64,
    bytes: f64,
    time_s: Range,
    /// The program's own time between them, at most.
    pause_s: f64,
}

impl Alone {
    /// `part`: share of the calls of the file that are independent; `below_s`: what the file
    /// system took for the load.
    fn of(load: &Load, is_write: bool, part: f64, below_s: f64) -> Self {
        let side = load.side(is_write);
        if let Some(alone) = load.alone.map(|sides| sides[usize::from(is_write)]) {
            return Self {
                calls: alone.calls as f64,
                bytes: alone.bytes.high,
                time_s: Range::exactly(alone.time_s.unwrap_or(0.0)),
                pause_s: side.pause_s * share(alone.calls, side.calls),
            };
        }
        let (calls, bytes) = (side.calls as f64 * part, side.bytes as f64 * part);
        // Collective calls wait, independent ones do not: a share of the calls says nothing of
        // the time. It is at most that of the calls below.
        let time_s = match part < 1.0 {
            true => Range::at_most(side.time_s.min(below_s + calls * OWN_S)),
            false => Range::exactly(side.time_s),
        };
        Self { calls, bytes, time_s, pause_s: side.pause_s * part }
    }
}

/// Bytes of the independent requests of a file; `None`: they are not recorded apart.
fn bytes_alone(loads: &[&Load], is_write: bool) -> Option<i64> {
    let known = loads.iter().filter_map(|load| load.alone);
    let bytes: Vec<f64> = known.map(|sides| sides[usize::from(is_write)].bytes.high).collect();
    (!bytes.is_empty()).then(|| bytes.iter().sum::<f64>() as i64)
}

/// What the file system took for the reads and writes of each file, by rank, at most.
struct Below(HashMap<u64, HashMap<i32, [f64; 2]>>);

impl Below {
    fn of(job: &Job) -> Self {
        let mut times: HashMap<u64, HashMap<i32, [f64; 2]>> = HashMap::default();
        for load in job.of_layer(Layer::Posix) {
            let sides = times.entry(load.file_id).or_default().entry(load.rank).or_default();
            sides[0] += load.class_s(Class::Read).high;
            sides[1] += load.class_s(Class::Write).high;
        }
        Self(times)
    }

    /// Infinite where the file system was not recorded.
    fn high_s(&self, load: &Load, is_write: bool) -> f64 {
        self.sum(load, |sides| sides[usize::from(is_write)])
    }

    /// The same of reads and writes: data sieving reads, too.
    fn all_s(&self, load: &Load) -> f64 {
        self.sum(load, |sides| sides.iter().sum())
    }

    fn sum(&self, load: &Load, of: impl Fn(&[f64; 2]) -> f64) -> f64 {
        let Some(ranks) = self.0.get(&load.file_id) else { return f64::INFINITY };
        match load.is_shared() {
            true => ranks.values().map(of).sum(),
            false => [load.rank, -1].iter().filter_map(|rank| ranks.get(rank)).map(of).sum(),
        }
    }
}
