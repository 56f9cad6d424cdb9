//! I/O phases: periods in which some rank reads or writes, over all
//! ranks and files of a layer, separated by pauses of all ranks.
//!
//! The calls are gone over twice: for the times in which any was running, which
//! tell where phases begin, and for what each rank did in them.

use super::call::Call;
use super::calls::{Calls, Stream};
use super::count;
use super::gap::{limit_s, step_limit_s};
use super::intervals::{Union, seconds};
use super::step::Steps;
use crate::hash::{HashMap, HashSet};
use crate::peers::Peers;
use crate::rows;
use diya_model::median;
use diya_tables::{Layer, Op, TableBuilder};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// What one rank did in a phase.
#[derive(Debug, Clone, Copy)]
pub(super) struct RankPart {
    pub rank: i32,
    pub calls: i64,
    pub bytes: i64,
    /// Time in calls, summed.
    pub io_s: f64,
    pub first_s: f64,
    pub last_s: f64,
    /// Its longest call, and the bytes of that call.
    pub longest_s: f64,
    pub longest_bytes: i64,
}

/// One phase.
#[derive(Debug)]
pub(super) struct Phase {
    pub log: i32,
    pub layer: Layer,
    pub number: i32,
    pub ranks: Vec<RankPart>,
    pub start_s: f64,
    pub end_s: f64,
    pause_before_s: Option<f64>,
    limit_s: Option<f64>,
    busy_s: f64,
    calls: i64,
    bytes_read: i64,
    bytes_written: i64,
    files: usize,
}

impl Phase {
    /// Those of its ranks that are compared with each other, and the number of
    /// their group: of several groups the one with the most time in calls.
    pub(super) fn peers(&self, peers: &Peers) -> Option<(i32, Vec<RankPart>)> {
        let mut groups: BTreeMap<i32, Vec<RankPart>> = BTreeMap::new();
        for part in &self.ranks {
            if let Some(group) = peers.of(self.log, part.rank) {
                groups.entry(group.number).or_default().push(*part);
            }
        }
        let io_s = |ranks: &[RankPart]| ranks.iter().map(|part| part.io_s).sum::<f64>();
        groups.into_iter().max_by(|(_, a), (_, b)| io_s(a).total_cmp(&io_s(b)))
    }
}

/// The phases of all logs and layers.
#[derive(Debug)]
pub(crate) struct Phases {
    pub(super) phases: Vec<Phase>,
    /// Of each log and layer that works in short steps.
    pub(super) steps: Vec<Steps>,
}

impl Phases {
    /// Finds the phases.
    pub fn of(calls: &Calls) -> Self {
        let keys: BTreeSet<(i32, Layer)> =
            calls.streams.iter().filter(|s| s.is_data()).map(|s| (s.log, s.layer)).collect();
        let keys: Vec<(i32, Layer)> = keys.into_iter().collect();
        let group_of = |s: &Stream| keys.binary_search(&(s.log, s.layer)).ok();
        let group_of: Vec<Option<usize>> =
            calls.streams.iter().map(|s| group_of(s).filter(|_| s.is_data())).collect();
        let mut counts = vec![0; keys.len()];
        for (group, count) in group_of.iter().zip(calls.counts()) {
            group.iter().for_each(|group| counts[*group] += count);
        }
        let mut groups: Vec<Group> = counts.into_iter().map(Group::new).collect();
        calls.each_of(
            |stream| group_of[stream].is_some(),
            |call| {
                if let Some(group) = group_of[call.stream as usize] {
                    groups[group].add(call);
                }
            },
        );
        let (mut phases, mut steps) = (Vec::new(), Vec::new());
        // By group: place of its first phase among all.
        let mut first = vec![0];
        for (key, group) in keys.iter().zip(groups) {
            steps.extend(group.split(*key, &mut phases));
            first.push(phases.len());
        }
        let of_group = |group: usize| first[group]..first[group + 1];
        let of_stream: Vec<_> = group_of.iter().map(|group| group.map(of_group)).collect();
        sum_up(calls, &of_stream, &mut phases);
        Self { phases, steps }
    }

    /// The phases of one layer, in order of time, and the place of the first
    /// among all; none when they are not asked for.
    pub(super) fn of_layer_at(&self, log: i32, layer: Layer, is_asked: bool) -> (usize, &[Phase]) {
        let from = self.phases.partition_point(|p| (p.log, p.layer) < (log, layer));
        let to = self.phases.partition_point(|p| (p.log, p.layer) <= (log, layer));
        (from, if is_asked { &self.phases[from..to] } else { &[] })
    }

    /// Log, layer and start of each phase, those of a layer in order.
    pub fn starts(&self) -> impl Iterator<Item = (i32, Layer, f64)> {
        self.phases.iter().map(|phase| (phase.log, phase.layer, phase.start_s))
    }

    /// Phases of several ranks of a log: layer, number, time in calls of each rank,
    /// time in which any was in a call, and length.
    pub fn ranks_of(&self, log: i32) -> impl Iterator<Item = (Layer, i32, Vec<f64>, f64, f64)> {
        let from = self.phases.partition_point(|phase| phase.log < log);
        let to = self.phases.partition_point(|phase| phase.log <= log);
        self.phases[from..to].iter().map(|phase| {
            let ranks_s = phase.ranks.iter().map(|part| part.io_s).collect();
            (phase.layer, phase.number, ranks_s, phase.busy_s, phase.end_s - phase.start_s)
        })
    }

    /// Rows of table `phase`.
    pub fn write(&self, peers: &Peers, table: &mut TableBuilder) {
        for phase in &self.phases {
            let moved = phase.bytes_read.saturating_add(phase.bytes_written);
            rows::Phase {
                log: phase.log,
                layer: phase.layer.name(),
                phase: phase.number,
                start_s: phase.start_s,
                end_s: phase.end_s,
                duration_s: phase.end_s - phase.start_s,
                busy_s: phase.busy_s,
                pause_before_s: phase.pause_before_s,
                calls: phase.calls,
                bytes_read: phase.bytes_read,
                bytes_written: phase.bytes_written,
                ranks: count(phase.ranks.len()),
                files: count(phase.files),
                gap_limit_s: phase.limit_s,
                io_s: phase.ranks.iter().map(|part| part.io_s).sum(),
                bandwidth_bytes_per_s: (phase.busy_s > 0.0).then(|| moved as f64 / phase.busy_s),
                peer_group: phase.peers(peers).map(|(group, _)| group),
            }
            .push(table);
        }
    }

    /// Rows of table `phase_rank`.
    pub fn write_ranks(&self, table: &mut TableBuilder) {
        for phase in &self.phases {
            for part in &phase.ranks {
                rows::PhaseRank {
                    log: phase.log,
                    layer: phase.layer.name(),
                    phase: phase.number,
                    rank: part.rank,
                    calls: part.calls,
                    bytes: part.bytes,
                    io_s: part.io_s,
                    first_s: part.first_s,
                    last_s: part.last_s,
                    longest_s: part.longest_s,
                    longest_bytes: part.longest_bytes,
                }
                .push(table);
            }
        }
    }
}

/// Position of the phase in which something starts; phases come in order of time.
pub(super) fn place(phases: &[Phase], start_s: f64) -> Option<usize> {
    let at = phases.partition_point(|phase| phase.start_s <= start_s).checked_sub(1)?;
    (start_s <= phases[at].end_s).then_some(at)
}

/// Calls of one log and layer, before they are split.
struct Group {
    busy: Union,
    /// Every so many calls the time of one is kept.
    step: usize,
    calls: usize,
    bytes: i64,
    times_s: Vec<f64>,
}

impl Group {
    fn new(calls: usize) -> Self {
        // Of a million calls, every hundredth is enough for the median.
        let step = (calls / 10_000).max(1);
        Self { busy: Union::default(), step, calls: 0, bytes: 0, times_s: Vec::new() }
    }

    fn add(&mut self, call: &Call) {
        self.busy.add(call.start_s, call.end_s);
        if self.calls.is_multiple_of(self.step) {
            self.times_s.push(call.end_s - call.start_s);
        }
        self.calls += 1;
        self.bytes = self.bytes.saturating_add(call.size_bytes);
    }

    /// Appends the phases: when they are, and not yet what was done in them. Gives
    /// the steps, where there are some.
    fn split(mut self, (log, layer): (i32, Layer), phases: &mut Vec<Phase>) -> Option<Steps> {
        let spans = self.busy.finish();
        let (first, last) = spans.first().zip(spans.last())?;
        let pause = |at: usize| spans[at].0 - spans[at - 1].1;
        let mut pauses_s: Vec<f64> = (1..spans.len()).map(pause).collect();
        let (span_s, usual_s) = (last.1 - first.0, median(&mut self.times_s)?);
        let limit = limit_s(&mut pauses_s, span_s, usual_s);
        let steps = step_limit_s(&pauses_s, usual_s).map(|least_s| {
            let later = (1..spans.len()).filter(|at| pause(*at) >= least_s);
            let starts_s = std::iter::once(first.0).chain(later.map(|at| spans[at].0));
            let busy_s = span_s - pauses_s.iter().sum::<f64>();
            Steps::of((log, layer), starts_s.collect(), busy_s, self.bytes)
        });
        let is_break = |at: &usize| limit.is_some_and(|limit| pause(*at) >= limit);
        let breaks: Vec<usize> = (1..spans.len()).filter(is_break).collect();
        let starts = std::iter::once(0).chain(breaks.iter().copied());
        let ends = breaks.iter().copied().chain([spans.len()]);
        for (number, (from, to)) in (0..).zip(starts.zip(ends)) {
            phases.push(Phase {
                log,
                layer,
                number,
                ranks: Vec::new(),
                start_s: spans[from].0,
                end_s: spans[to - 1].1,
                pause_before_s: (from > 0).then(|| pause(from)),
                limit_s: limit,
                busy_s: seconds(&spans[from..to]),
                calls: 0,
                bytes_read: 0,
                bytes_written: 0,
                files: 0,
            });
        }
        steps
    }
}

/// What one stream did in one phase: place of the phase, number of the stream.
type StreamPart = (usize, u32, RankPart);

/// Adds what each rank did to the phases. `of_stream` are the places of the phases
/// of each stream's log and layer.
fn sum_up(calls: &Calls, of_stream: &[Option<Range<usize>>], phases: &mut [Phase]) {
    let mut parts: Vec<StreamPart> = Vec::new();
    let mut places: HashMap<(usize, u32), usize> = HashMap::default();
    // Phase and part of the stream's call before.
    let mut last: Vec<Option<(usize, usize)>> = vec![None; of_stream.len()];
    calls.each_of(
        |stream| of_stream[stream].is_some(),
        |call| {
            let stream = call.stream as usize;
            let Some(own) = &of_stream[stream] else { return };
            let is_same = |phase: &Phase| (phase.start_s..=phase.end_s).contains(&call.start_s);
            let part = match last[stream] {
                Some((phase, part)) if is_same(&phases[phase]) => part,
                _ => {
                    let Some(at) = place(&phases[own.clone()], call.start_s) else { return };
                    let phase = own.start + at;
                    let part = *places.entry((phase, call.stream)).or_insert_with(|| {
                        parts.push((phase, call.stream, RankPart::new(call)));
                        parts.len() - 1
                    });
                    last[stream] = Some((phase, part));
                    part
                }
            };
            parts[part].2.add(call);
        },
    );
    let order = |a: &StreamPart, b: &StreamPart| {
        a.0.cmp(&b.0).then(a.2.first_s.total_cmp(&b.2.first_s)).then(a.1.cmp(&b.1))
    };
    parts.sort_unstable_by(order);
    for of_phase in parts.chunk_by(|a, b| a.0 == b.0) {
        hand_over(calls, of_phase, &mut phases[of_phase[0].0]);
    }
}

/// Ranks, files and sums of a phase.
fn hand_over(calls: &Calls, parts: &[StreamPart], phase: &mut Phase) {
    let mut ranks: BTreeMap<i32, RankPart> = BTreeMap::new();
    let mut files = HashSet::default();
    for (_, number, part) in parts {
        let stream = &calls.streams[*number as usize];
        let moved = match stream.op {
            Op::Read => &mut phase.bytes_read,
            _ => &mut phase.bytes_written,
        };
        *moved = moved.saturating_add(part.bytes);
        phase.calls = phase.calls.saturating_add(part.calls);
        files.insert(stream.file_id);
        let rank = RankPart { rank: stream.rank, ..*part };
        ranks.entry(stream.rank).and_modify(|known| known.join(&rank)).or_insert(rank);
    }
    phase.files = files.len();
    phase.ranks = ranks.into_values().collect();
}

impl RankPart {
    fn new(first: &Call) -> Self {
        let (rank, first_s, last_s) = (0, first.start_s, first.end_s);
        let (calls, bytes, io_s, longest_s, longest_bytes) = (0, 0, 0.0, -1.0, 0);
        Self { rank, calls, bytes, io_s, first_s, last_s, longest_s, longest_bytes }
    }

    fn add(&mut self, call: &Call) {
        self.calls = self.calls.saturating_add(call.calls);
        self.bytes = self.bytes.saturating_add(call.size_bytes);
        self.io_s += call.busy_s;
        self.first_s = self.first_s.min(call.start_s);
        self.last_s = self.last_s.max(call.end_s);
        let call_s = call.end_s - call.start_s;
        if call_s > self.longest_s {
            (self.longest_s, self.longest_bytes) = (call_s, call.size_bytes);
        }
    }

    /// Adds what the rank did in another file or direction.
    fn join(&mut self, other: &Self) {
        self.calls = self.calls.saturating_add(other.calls);
        self.bytes = self.bytes.saturating_add(other.bytes);
        self.io_s += other.io_s;
        self.first_s = self.first_s.min(other.first_s);
        self.last_s = self.last_s.max(other.last_s);
        if other.longest_s > self.longest_s {
            (self.longest_s, self.longest_bytes) = (other.longest_s, other.longest_bytes);
        }
    }
}
