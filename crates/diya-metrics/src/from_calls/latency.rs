//! Compares the times of requests on each node, and on each group of nodes, with the times of
//! similar requests.
//!
//! Similar requests have the same log, layer and direction, and sizes within the same power of
//! two: a class. The usual time is the median of the class. The slowdown of a request is its time
//! divided by the usual time. Slowdowns are averaged with the geometric mean, so that one stuck
//! request does not dominate the value of a node. All means and medians count rows of the trace;
//! a row has more than one request where the recorder joined tiny calls.
//!
//! The Kruskal-Wallis test on the slowdowns of the members (ranks of a node, nodes of a switch)
//! gives the probability that the groups differ by chance: J. Amer. Stat. Assoc. 47 (1952), 583.

use super::call::Call;
use super::calls::{Calls, Stream};
use super::kruskal_wallis::kruskal_wallis;
use crate::hash::HashMap;
use crate::rows;
use diya_model::median_class;
use diya_tables::{BatchSource, Layer, Op, TableBuilder, topology};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A request that takes at least this many times the usual time is slow.
const SLOW: f64 = 4.0;

/// Sums over the requests of one rank, node or group of nodes.
#[derive(Debug, Default, Clone, Copy)]
struct Sum {
    calls: i64,
    /// Sum of the natural logarithms of the slowdowns, one for each row.
    log_sum: f64,
    /// Rows of the trace; a row can have more than one call.
    rows: i64,
    slow: i64,
    time_s: f64,
    /// Sum of the time beyond the usual time. One stuck request can be most of it.
    excess_s: f64,
}

impl Sum {
    fn add(&mut self, other: &Self) {
        self.calls = self.calls.saturating_add(other.calls);
        self.log_sum += other.log_sum;
        self.rows += other.rows;
        self.slow += other.slow;
        self.time_s += other.time_s;
        self.excess_s += other.excess_s;
    }

    fn slowdown(&self) -> Option<f64> {
        (self.rows > 0).then(|| (self.log_sum / self.rows as f64).exp())
    }

    /// Share of the rows that are slow.
    fn slow_ratio(&self) -> Option<f64> {
        (self.rows > 0).then(|| self.slow as f64 / self.rows as f64)
    }
}

/// Sums by host and rank.
type OfRanks = BTreeMap<(u32, i32), Sum>;

/// Sums by log, layer and direction, one for each rank on each node.
#[derive(Debug)]
pub(crate) struct Latencies {
    sums: BTreeMap<(i32, Layer, Op), Vec<Member>>,
    hosts: Vec<String>,
}

#[derive(Debug)]
struct Member {
    host: u32,
    rank: i32,
    sum: Sum,
}

/// Ranks, hosts and sums of one group.
#[derive(Debug, Default)]
struct Group {
    ranks: BTreeSet<i32>,
    hosts: BTreeSet<u32>,
    sum: Sum,
}

impl Latencies {
    /// Compares all reads and writes of ranks whose node is known.
    pub fn of(calls: &Calls) -> Self {
        let mut classes = Classes::of(calls);
        let mut sums = vec![Sum::default(); calls.streams.len()];
        calls.each_of(is_compared(calls), |call| {
            let Some(usual_s) = classes.usual_s(calls.stream(call), call) else { return };
            let each_s = each_s(call);
            let sum = &mut sums[call.stream as usize];
            sum.calls = sum.calls.saturating_add(call.calls);
            sum.rows += 1;
            sum.log_sum += (each_s / usual_s).ln();
            sum.slow += i64::from(each_s >= SLOW * usual_s);
            sum.time_s += call.busy_s;
            sum.excess_s += (each_s - usual_s).max(0.0) * call.calls as f64;
        });
        let mut members: BTreeMap<(i32, Layer, Op), OfRanks> = BTreeMap::new();
        for (stream, sum) in calls.streams.iter().zip(sums).filter(|(_, sum)| sum.rows > 0) {
            let Some(host) = stream.host else { continue };
            let group = members.entry((stream.log, stream.layer, stream.op)).or_default();
            group.entry((host, stream.rank)).or_default().add(&sum);
        }
        let sums = members
            .into_iter()
            .map(|(key, ranks)| {
                let member = |((host, rank), sum)| Member { host, rank, sum };
                (key, ranks.into_iter().map(member).collect())
            })
            .collect();
        Self { sums, hosts: calls.hosts.clone() }
    }

    /// Rows of table `host_latency`.
    pub fn write_hosts(&self, table: &mut TableBuilder) {
        for (key, members) in &self.sums {
            for (name, group) in
                self.grouped(members, |host| Some(self.hosts[host as usize].as_str()))
            {
                rows::HostLatency {
                    log: key.0,
                    layer: key.1.name(),
                    op: key.2.name(),
                    host: name,
                    ranks: super::count(group.ranks.len()),
                    calls: group.sum.calls,
                    time_s: group.sum.time_s,
                    slowdown_ratio: group.sum.slowdown(),
                    slow_ratio: group.sum.slow_ratio(),
                    excess_s: group.sum.excess_s,
                }
                .push(table);
            }
        }
    }

    /// Rows of table `group_latency`.
    pub fn write_groups(&self, tables: &[Arc<dyn BatchSource>], table: &mut TableBuilder) {
        let positions = NodePositions::of(tables);
        for (key, members) in &self.sums {
            for grouping in NodeGrouping::ALL {
                let name = |host: u32| positions.name(key.0, &self.hosts[host as usize], grouping);
                for (name, group) in self.grouped(members, name) {
                    rows::GroupLatency {
                        log: key.0,
                        layer: key.1.name(),
                        op: key.2.name(),
                        kind: grouping.name(),
                        name,
                        hosts: super::count(group.hosts.len()),
                        ranks: super::count(group.ranks.len()),
                        calls: group.sum.calls,
                        time_s: group.sum.time_s,
                        slowdown_ratio: group.sum.slowdown(),
                        slow_ratio: group.sum.slow_ratio(),
                        excess_s: group.sum.excess_s,
                    }
                    .push(table);
                }
            }
        }
    }

    /// Rows of table `latency_test`.
    pub fn write_tests(&self, tables: &[Arc<dyn BatchSource>], table: &mut TableBuilder) {
        let positions = NodePositions::of(tables);
        for (key, members) in &self.sums {
            // Samples of a node are the slowdowns of its ranks; samples of a switch, parent
            // switch or enclosure are those of its nodes.
            let ranks: Vec<(u32, Sum)> = members.iter().map(|m| (m.host, m.sum)).collect();
            self.test(*key, "host", &ranks, |host| Some(self.hosts[host as usize].as_str()), table);
            let mut of_host: BTreeMap<u32, Sum> = BTreeMap::new();
            members.iter().for_each(|m| of_host.entry(m.host).or_default().add(&m.sum));
            let hosts: Vec<(u32, Sum)> = of_host.into_iter().collect();
            for grouping in NodeGrouping::ALL {
                let name = |host: u32| positions.name(key.0, &self.hosts[host as usize], grouping);
                self.test(*key, grouping.name(), &hosts, name, table);
            }
        }
    }

    fn test<'n>(
        &self,
        key: (i32, Layer, Op),
        kind: &str,
        members: &[(u32, Sum)],
        name: impl Fn(u32) -> Option<&'n str>,
        table: &mut TableBuilder,
    ) {
        let mut groups: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        for (host, sum) in members {
            let (Some(name), Some(slowdown)) = (name(*host), sum.slowdown()) else { continue };
            groups.entry(name).or_default().push(slowdown);
        }
        if groups.len() < 2 {
            return;
        }
        let mean = |values: &[f64]| {
            (values.iter().map(|v| v.ln()).sum::<f64>() / values.len().max(1) as f64).exp()
        };
        let means: Vec<(&str, f64)> = groups.iter().map(|(name, g)| (*name, mean(g))).collect();
        let Some((slowest, most)) =
            means.iter().max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(a.0)))
        else {
            return;
        };
        let others: Vec<f64> =
            means.iter().filter(|(name, _)| name != slowest).map(|(_, mean)| *mean).collect();
        let samples: Vec<Vec<f64>> = groups.values().cloned().collect();
        let test = kruskal_wallis(&samples);
        rows::LatencyTest {
            log: key.0,
            layer: key.1.name(),
            op: key.2.name(),
            kind,
            groups: super::count(groups.len()),
            members: super::count(groups.values().map(Vec::len).sum()),
            statistic: test.map(|(statistic, _)| statistic),
            chance_ratio: test.map(|(_, chance)| chance),
            slowest,
            slowest_ratio: most / mean(&others),
        }
        .push(table);
    }

    fn grouped<'n>(
        &self,
        members: &[Member],
        name: impl Fn(u32) -> Option<&'n str>,
    ) -> BTreeMap<&'n str, Group> {
        let mut groups: BTreeMap<&str, Group> = BTreeMap::new();
        for member in members {
            let Some(name) = name(member.host) else { continue };
            let group = groups.entry(name).or_default();
            group.hosts.insert(member.host);
            group.ranks.insert(member.rank);
            group.sum.add(&member.sum);
        }
        groups
    }
}

/// Which streams are compared: reads and writes of ranks whose node is known.
fn is_compared(calls: &Calls) -> impl Fn(usize) -> bool {
    |stream| calls.streams[stream].is_transfer() && calls.streams[stream].host.is_some()
}

/// Mean time of the calls of a row, at least 1 ns.
fn each_s(call: &Call) -> f64 {
    // Clocks count nanoseconds, and 0 has no logarithm.
    (call.busy_s / call.calls.max(1) as f64).max(1e-9)
}

/// The usual time of similar requests.
#[derive(Debug, Default)]
struct Classes {
    /// Rows of each class by duration; a factor of two has 16 equal steps.
    steps: HashMap<(i32, Layer, Op, u32), BTreeMap<u64, u64>>,
    usual: HashMap<(i32, Layer, Op, u32), f64>,
    /// Stream and size class of the last look-up, and its usual time.
    last: Option<((u32, u32), f64)>,
}

/// Low bits of a duration (f64) that are left out. Sign, exponent and four bits of the fraction
/// remain.
const STEP_BITS: u32 = 48;

impl Classes {
    fn of(calls: &Calls) -> Self {
        let mut classes = Self::default();
        let mut groups: BTreeMap<(u32, u32), BTreeMap<u64, u64>> = BTreeMap::new();
        let mut last: Option<(u32, u32)> = None;
        let mut pending: Vec<u64> = Vec::new();
        calls.each_of(is_compared(calls), |call| {
            let key = (call.stream, octave(call));
            if last != Some(key) {
                flush(&mut groups, last, &mut pending);
                last = Some(key);
            }
            pending.push(each_s(call).to_bits() >> STEP_BITS);
        });
        flush(&mut groups, last, &mut pending);
        for ((number, octave), steps) in groups {
            let s = &calls.streams[number as usize];
            let class = classes.steps.entry((s.log, s.layer, s.op, octave)).or_default();
            steps.into_iter().for_each(|(step, n)| *class.entry(step).or_default() += n);
        }
        classes.usual = classes.steps.iter().map(|(key, steps)| (*key, median_s(steps))).collect();
        classes
    }

    fn usual_s(&mut self, stream: &Stream, call: &Call) -> Option<f64> {
        let key = (call.stream, octave(call));
        if let Some((_, usual_s)) = self.last.filter(|(known, _)| *known == key) {
            return Some(usual_s);
        }
        let usual_s = *self.usual.get(&(stream.log, stream.layer, stream.op, key.1))?;
        self.last = Some((key, usual_s));
        Some(usual_s)
    }
}

/// Counts the pending durations of one stream (calls of one kind of a rank on a file) and one size
/// class.
fn flush(
    groups: &mut BTreeMap<(u32, u32), BTreeMap<u64, u64>>,
    key: Option<(u32, u32)>,
    pending: &mut Vec<u64>,
) {
    let Some(key) = key else { return };
    pending.sort_unstable();
    let steps = groups.entry(key).or_default();
    for same in pending.chunk_by(|a, b| a == b) {
        *steps.entry(same[0]).or_default() += same.len() as u64;
    }
    pending.clear();
}

/// Size class of a row: 0 for 0 bytes, else 1 + the integer part of log2 of the mean size.
fn octave(call: &Call) -> u32 {
    (call.size_bytes / call.calls.max(1)).max(0).checked_ilog2().map_or(0, |log| log + 1)
}

/// Median of the counted durations, in seconds: the middle of the step that contains it.
fn median_s(steps: &BTreeMap<u64, u64>) -> f64 {
    let middle = median_class(steps.iter().map(|(step, number)| (*step, *number)));
    middle.map_or(f64::NAN, |step| f64::from_bits((step << STEP_BITS) | (1 << (STEP_BITS - 1))))
}

/// By what nodes are grouped.
#[derive(Debug, Clone, Copy)]
enum NodeGrouping {
    Switch,
    ParentSwitch,
    Enclosure,
}

impl NodeGrouping {
    const ALL: [Self; 3] = [Self::Switch, Self::ParentSwitch, Self::Enclosure];

    fn name(self) -> &'static str {
        match self {
            Self::Switch => "switch",
            Self::ParentSwitch => "parent_switch",
            Self::Enclosure => "enclosure",
        }
    }
}

diya_tables::columns! {
    struct NodeColumns of topology {
        log: i32,
        host: str,
        switch: str,
        parent_switch: str,
        enclosure: str,
    }
}

/// Groups of each log and node: switch, parent switch, enclosure.
#[derive(Debug, Default)]
struct NodePositions(HashMap<(i32, String), [Option<String>; 3]>);

impl NodePositions {
    fn of(tables: &[Arc<dyn BatchSource>]) -> Self {
        let mut positions = Self::default();
        for of in NodeColumns::all(tables) {
            for row in 0..of.rows() {
                let host = of.host.get(row).unwrap_or_default().to_owned();
                let groups = [&of.switch, &of.parent_switch, &of.enclosure]
                    .map(|names| names.get(row).map(str::to_owned));
                positions.0.insert((of.log.value(row), host), groups);
            }
        }
        positions
    }

    fn name(&self, log: i32, host: &str, grouping: NodeGrouping) -> Option<&str> {
        let groups = self.0.get(&(log, host.to_owned()))?;
        groups[grouping as usize].as_deref()
    }
}
