//! What a POSIX request costs, by log, file system and direction.

use super::Model;
use super::fit::{Cost, Sizes};
use super::load::{Load, NO_PHASE};
use super::mounts::Mounts;
use super::profile::Profile;
use super::threads::Lanes;
use crate::from_calls::{Calls, Stream};
use crate::hash::HashMap;
use crate::rows;
use diya_tables::{Layer, Op, TableBuilder};
use std::collections::BTreeMap;

/// Log, number of the mount point, and whether it is about writes.
type Key = (i32, usize, bool);

/// Types of file systems that keep files in memory only.
const MEMORY_TYPES: [&str; 2] = ["tmpfs", "ramfs"];

/// Where a cost comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    Call,
    Counters,
    Profile,
}

impl Source {
    fn name(self) -> &'static str {
        match self {
            Self::Call => "call",
            Self::Counters => "counters",
            Self::Profile => "profile",
        }
    }
}

/// Costs of all logs.
#[derive(Debug, Default)]
pub(crate) struct Costs {
    costs: BTreeMap<Key, (Cost, Source)>,
}

impl Costs {
    pub fn of(
        calls: &Calls,
        lanes: &Lanes,
        loads: &HashMap<i32, Vec<Load>>,
        mounts: &Mounts,
        profile: &Profile,
    ) -> Self {
        let mut costs = BTreeMap::new();
        for (key, sizes) in from_calls(calls, lanes, mounts) {
            costs.extend(sizes.fit(key.2).map(|cost| (key, (cost, Source::Call))));
        }
        for (key, sizes) in from_counters(loads, mounts) {
            if let Some(cost) = sizes.fit(key.2) {
                costs.entry(key).or_insert((cost, Source::Counters));
            }
        }
        for ((log, mount, is_write), (cost, source)) in &mut costs {
            if mounts.name(*mount).1.is_some_and(|kind| MEMORY_TYPES.contains(&kind)) {
                *cost = cost.clone().in_memory(*is_write);
            }
            if cost.latency_s.is_some() && cost.byte_s.is_some() {
                continue;
            }
            if let Some(measured) = profile.cost(*log, mounts.name(*mount), *is_write) {
                let most_s = cost.byte_range_s.high;
                fill(cost, measured);
                *cost = cost.clone().slowed(most_s);
                *source = Source::Profile;
            }
        }
        Self { costs }
    }

    /// Cost of a request; `None` when the log has none of this kind.
    pub fn get(&self, log: i32, mount: usize, is_write: bool) -> Option<&Cost> {
        self.costs.get(&(log, mount, is_write)).map(|(cost, _)| cost)
    }
}

/// Rows of table `request_cost`.
pub(crate) fn write(model: &Model, table: &mut TableBuilder) {
    for ((log, mount, is_write), (cost, source)) in &model.costs.costs {
        let (path, kind) = model.mounts.name(*mount);
        let finite = |value: f64| Some(value).filter(|value| value.is_finite());
        let inverse = |byte_s: f64| finite(1.0 / byte_s).filter(|value| *value > 0.0);
        rows::RequestCost {
            log: *log,
            mount: path,
            fs_type: kind,
            op: if *is_write { "write" } else { "read" },
            latency_s: cost.latency_s,
            latency_low_s: cost.latency_range_s.low,
            latency_high_s: cost.latency_range_s.high,
            bandwidth_bytes_per_s: cost.byte_s.and_then(inverse),
            bandwidth_low_bytes_per_s: inverse(cost.byte_range_s.high),
            bandwidth_high_bytes_per_s: inverse(cost.byte_range_s.low),
            calls: cost.calls as i64,
            smallest_bytes: cost.smallest_bytes,
            largest_bytes: cost.largest_bytes,
            source: source.name(),
        }
        .push(table);
    }
}

/// Takes from the profile what the log lacks, within the bounds that it gives.
///
/// Where all of what was measured lies beyond what the log allows, the requests
/// of the log took another way: a page cache, where the profile went past it.
/// Then the profile says nothing about them.
fn fill(cost: &mut Cost, measured: Cost) {
    let has_latency = measured.latency_range_s.low <= cost.latency_range_s.high;
    // A line without a latency leaves it open, too.
    if has_latency && cost.latency_s.is_none() && measured.latency_s.is_some_and(|s| s > 0.0) {
        let (low, high) = (cost.latency_range_s.low, cost.latency_range_s.high);
        cost.latency_s = measured.latency_s.map(|s| s.clamp(low, high));
        cost.latency_range_s = measured.latency_range_s.within(high);
    }
    let has_bandwidth = measured.byte_range_s.low <= cost.byte_range_s.high;
    if has_bandwidth && cost.byte_s.is_none() {
        cost.byte_s = measured.byte_s.map(|s| s.min(cost.byte_range_s.high));
        cost.byte_range_s = measured.byte_range_s.within(cost.byte_range_s.high);
    }
}

fn from_calls(calls: &Calls, lanes: &Lanes, mounts: &Mounts) -> BTreeMap<Key, Sizes> {
    let mut costs: Vec<(Key, Sizes)> = Vec::new();
    let mut numbers: HashMap<Key, usize> = HashMap::default();
    // All calls of a stream cost alike: the mount is looked up once.
    let mut number = |stream: &Stream| {
        if stream.layer != Layer::Posix || !stream.is_transfer() {
            return None;
        }
        let is_write = stream.op == Op::Write;
        let key = (stream.log, mounts.of(stream.log, stream.file_id), is_write);
        Some(*numbers.entry(key).or_insert_with(|| {
            costs.push((key, Sizes::default()));
            costs.len() - 1
        }))
    };
    let number_of: Vec<Option<usize>> = calls.streams.iter().map(&mut number).collect();
    // Threads that are in calls at once wait for each other, and for cores: what
    // a request costs the rank is its share of the time that passes.
    let parts = lanes.parts(calls);
    calls.each_of(
        |stream| number_of[stream].is_some(),
        |call| {
            if let Some(number) = number_of[call.stream as usize] {
                let part = parts[call.stream as usize].unwrap_or(1.0);
                costs[number].1.add(call.calls, call.size_bytes, call.busy_s * part);
            }
        },
    );
    costs.into_iter().collect()
}

fn from_counters(loads: &HashMap<i32, Vec<Load>>, mounts: &Mounts) -> BTreeMap<Key, Sizes> {
    let mut costs: BTreeMap<Key, Sizes> = BTreeMap::new();
    for (log, loads) in loads {
        let records = loads.iter().filter(|l| l.layer == Layer::Posix && l.phase == NO_PHASE);
        for load in records {
            let mount = mounts.of(*log, load.file_id);
            // The time of writes with syncs between them is not known.
            for (is_write, side) in [(false, &load.read), (true, &load.write)] {
                if !is_write || load.syncs == 0 {
                    let sizes = costs.entry((*log, mount, is_write)).or_default();
                    sizes.add(side.calls, side.bytes, side.time_s);
                }
            }
        }
    }
    costs
}
