//! Load of storage targets: requests split at stripe edges and credited to the
//! targets that hold the parts, over the whole job, over time and per phase.
//!
//! The time of a request is divided among its parts by their bytes.

use super::call::Call;
use super::calls::Calls;
use super::layout::{Layout, layouts};
use super::phases::{Phase, Phases, place};
use crate::rows;
use diya_tables::{BatchSource, Layer, Op, TableBuilder};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Bins into which the time from the first to the last request is divided.
const BINS: usize = 100;

/// What one target got in one direction.
#[derive(Debug, Default)]
struct Load {
    calls: i64,
    bytes: i64,
    time_s: f64,
    ranks: BTreeSet<i32>,
    files: BTreeSet<u64>,
    /// Over the time from the first to the last request.
    bins: Vec<Sum>,
    /// The stream that was counted last: most calls come in turn.
    stream: Option<u32>,
}

/// Parts of requests that fall together.
#[derive(Debug, Default, Clone, Copy)]
struct Sum {
    calls: i64,
    bytes: i64,
    time_s: f64,
}

impl Sum {
    fn add(&mut self, bytes: i64, time_s: f64) {
        self.calls += 1;
        self.bytes = self.bytes.saturating_add(bytes);
        self.time_s += time_s;
    }
}

/// How the requests to one file lie among its stripes.
#[derive(Debug, Default)]
struct Crossing {
    calls: i64,
    off_edge: i64,
    crossing: i64,
    targets: i64,
    ranks: BTreeMap<i64, BTreeSet<i32>>,
}

/// The load of all targets.
#[derive(Debug, Default)]
pub(crate) struct Targets {
    loads: BTreeMap<(i32, i64, Op), Load>,
    /// From when to when requests ran, per log.
    spans: BTreeMap<i32, (f64, f64)>,
    phases: BTreeMap<(i32, i32, i64), Sum>,
    crossings: BTreeMap<(i32, u64, Op), Crossing>,
}

impl Targets {
    /// Splits all POSIX reads and writes to files whose layout is known.
    pub fn of(calls: &Calls, phases: &Phases, tables: &[Arc<dyn BatchSource>]) -> Self {
        let layouts = layouts(tables);
        let mut targets = Self::default();
        let of_stream: Vec<Option<&Layout>> = calls
            .streams
            .iter()
            .map(|s| {
                let is_asked = s.layer == Layer::Posix && s.is_transfer();
                layouts.get(&(s.log, s.file_id)).filter(|_| is_asked)
            })
            .collect();
        let is_asked = |stream: usize| of_stream[stream].is_some();
        calls.each_of(is_asked, |call| {
            let log = calls.stream(call).log;
            let span = targets.spans.entry(log).or_insert((call.start_s, call.end_s));
            *span = (span.0.min(call.start_s), span.1.max(call.end_s));
        });
        let phases: Vec<&[Phase]> = calls
            .streams
            .iter()
            .map(|s| phases.of_layer_at(s.log, s.layer, s.layer == Layer::Posix).1)
            .collect();
        let mut parts = Vec::new();
        calls.each_of(is_asked, |call| {
            if let Some(layout) = of_stream[call.stream as usize] {
                targets.add(calls, call, layout, phases[call.stream as usize], &mut parts);
            }
        });
        targets
    }

    fn add(
        &mut self,
        calls: &Calls,
        call: &Call,
        layout: &Layout,
        phases: &[Phase],
        parts: &mut Vec<(i64, i64)>,
    ) {
        let Some((from, to)) = call.extent() else { return };
        let stream = calls.stream(call);
        layout.split(from, to, parts);
        let crossing = self.crossings.entry((stream.log, stream.file_id, stream.op)).or_default();
        crossing.calls += 1;
        crossing.off_edge += i64::from(!layout.is_edge(from));
        crossing.crossing += i64::from(parts.len() > 1);
        crossing.targets += i64::try_from(parts.len()).unwrap_or_default();
        let phase = place(phases, call.start_s).map(|at| &phases[at]);
        let span_s = self.spans.get(&stream.log).copied().unwrap_or_default();
        for (target, bytes) in parts.iter().copied() {
            let time_s = call.busy_s * (bytes as f64 / call.size_bytes as f64);
            let load = self.loads.entry((stream.log, target, stream.op)).or_default();
            load.calls += 1;
            load.bytes = load.bytes.saturating_add(bytes);
            load.time_s += time_s;
            if load.stream != Some(call.stream) {
                load.stream = Some(call.stream);
                load.ranks.insert(stream.rank);
                load.files.insert(stream.file_id);
                crossing.ranks.entry(target).or_default().insert(stream.rank);
            }
            if let Some(phase) = phase {
                let sum = self.phases.entry((stream.log, phase.number, target)).or_default();
                sum.add(bytes, time_s);
            }
            load.bins.resize(BINS, Sum::default());
            spread(&mut load.bins, span_s, call, bytes, time_s);
        }
    }

    /// Rows of table `target_load`.
    pub fn write(&self, table: &mut TableBuilder) {
        for ((log, target, op), load) in &self.loads {
            rows::TargetLoad {
                log: *log,
                ost_id: *target,
                op: op.name(),
                files: super::count(load.files.len()),
                ranks: super::count(load.ranks.len()),
                calls: load.calls,
                bytes: load.bytes,
                time_s: load.time_s,
                bandwidth_bytes_per_s: (load.time_s > 0.0).then(|| load.bytes as f64 / load.time_s),
            }
            .push(table);
        }
    }

    /// Rows of table `target_time`.
    pub fn write_time(&self, table: &mut TableBuilder) {
        for ((log, target, op), load) in &self.loads {
            let (start_s, end_s) = self.spans.get(log).copied().unwrap_or_default();
            let width_s = (end_s - start_s) / BINS as f64;
            for (bin, sum) in
                (0..).zip(&load.bins).filter(|(_, sum)| sum.time_s > 0.0 || sum.bytes > 0)
            {
                rows::TargetTime {
                    log: *log,
                    ost_id: *target,
                    op: op.name(),
                    bin,
                    bin_start_s: start_s + f64::from(bin) * width_s,
                    bin_width_s: width_s,
                    calls: sum.calls,
                    bytes: sum.bytes,
                    time_s: sum.time_s,
                }
                .push(table);
            }
        }
    }

    /// Rows of table `phase_target`.
    pub fn write_phases(&self, table: &mut TableBuilder) {
        for ((log, phase, target), sum) in &self.phases {
            rows::PhaseTarget {
                log: *log,
                phase: *phase,
                ost_id: *target,
                calls: sum.calls,
                bytes: sum.bytes,
                time_s: sum.time_s,
                bandwidth_bytes_per_s: (sum.time_s > 0.0).then(|| sum.bytes as f64 / sum.time_s),
            }
            .push(table);
        }
    }

    /// Rows of table `stripe_crossing`.
    pub fn write_crossing(&self, table: &mut TableBuilder) {
        let share = |part: i64, whole: i64| (whole > 0).then(|| part as f64 / whole as f64);
        for ((log, file_id, op), file) in &self.crossings {
            let ranks = file.ranks.values().map(BTreeSet::len).max().unwrap_or_default();
            rows::StripeCrossing {
                log: *log,
                file_id: *file_id,
                op: op.name(),
                calls: file.calls,
                unaligned_calls: file.off_edge,
                unaligned_ratio: share(file.off_edge, file.calls),
                crossing_calls: file.crossing,
                crossing_ratio: share(file.crossing, file.calls),
                targets_per_call: share(file.targets, file.calls),
                targets: super::count(file.ranks.len()),
                most_ranks: super::count(ranks),
            }
            .push(table);
        }
    }
}

/// Divides a part among the bins in which its call was running; the call is
/// counted where it starts.
fn spread(bins: &mut [Sum], (start_s, end_s): (f64, f64), call: &Call, bytes: i64, time_s: f64) {
    let width_s = (end_s - start_s) / bins.len() as f64;
    let bin = |at_s: f64| {
        // A quotient below the number of bins; saturates on bad input.
        let bin = if width_s > 0.0 { ((at_s - start_s) / width_s) as usize } else { 0 };
        bin.min(bins.len() - 1)
    };
    let (first, last) = (bin(call.start_s), bin(call.end_s));
    if first == last {
        bins[first].add(bytes, time_s);
        return;
    }
    bins[first].calls += 1;
    let call_s = call.end_s - call.start_s;
    let mut left = bytes;
    for (at, bin) in bins.iter_mut().enumerate().take(last + 1).skip(first) {
        let from_s = (start_s + at as f64 * width_s).max(call.start_s);
        let to_s = (start_s + (at + 1) as f64 * width_s).min(call.end_s);
        let share = ((to_s - from_s) / call_s).clamp(0.0, 1.0);
        let part = if at == last { left } else { ((bytes as f64 * share) as i64).min(left) };
        bin.bytes = bin.bytes.saturating_add(part);
        bin.time_s += time_s * share;
        left -= part;
    }
}
