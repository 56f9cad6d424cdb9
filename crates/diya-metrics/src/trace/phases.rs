//! I/O phases: stretches of time in which some rank reads or writes, over all
//! ranks and files of a layer, separated by pauses of all ranks.

use super::calls::{Call, Calls};
use super::count;
use super::gap::{limit_s, step_limit_s};
use super::steps::Steps;
use diya_tables::{Layer, Op, TableBuilder};
use std::collections::{BTreeMap, HashSet};

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
        let mut groups: BTreeMap<(i32, Layer), Vec<(f64, u32)>> = BTreeMap::new();
        let mut numbers = BTreeMap::new();
        let group_of: Vec<Option<usize>> = calls
            .streams
            .iter()
            .map(|s| {
                let next = numbers.len();
                s.is_data().then(|| *numbers.entry((s.log, s.layer)).or_insert(next))
            })
            .collect();
        let mut starts: Vec<Vec<(f64, u32)>> = vec![Vec::new(); numbers.len()];
        for (number, call) in (0..).zip(&calls.rows) {
            if let Some(group) = group_of[call.stream as usize] {
                starts[group].push((call.start_s, number));
            }
        }
        for (key, number) in numbers {
            groups.insert(key, std::mem::take(&mut starts[number]));
        }
        let mut split =
            Split { calls, ranks: RankSums::new(calls), phases: Vec::new(), steps: Vec::new() };
        for mut group in groups.into_values() {
            // Streams come in order of time one after the other: merging
            // finds them as they are.
            group.sort_by(|a, b| a.0.total_cmp(&b.0));
            split.group(&group);
        }
        Self { phases: split.phases, steps: split.steps }
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

    /// Rows of table `phase`.
    pub fn write(&self, table: &mut TableBuilder) {
        for phase in &self.phases {
            table.push_i32(0, Some(phase.log));
            table.push_str(1, Some(phase.layer.name()));
            table.push_i32(2, Some(phase.number));
            table.push_f64(3, Some(phase.start_s));
            table.push_f64(4, Some(phase.end_s));
            table.push_f64(5, Some(phase.end_s - phase.start_s));
            table.push_f64(6, Some(phase.busy_s));
            table.push_f64(7, phase.pause_before_s);
            table.push_i64(8, Some(phase.calls));
            table.push_i64(9, Some(phase.bytes_read));
            table.push_i64(10, Some(phase.bytes_written));
            table.push_i64(11, count(phase.ranks.len()));
            table.push_i64(12, count(phase.files));
            table.push_f64(13, phase.limit_s);
            let moved = phase.bytes_read.saturating_add(phase.bytes_written);
            table.push_f64(14, Some(phase.ranks.iter().map(|part| part.io_s).sum()));
            table.push_f64(15, (phase.busy_s > 0.0).then(|| moved as f64 / phase.busy_s));
            table.end_row();
        }
    }

    /// Rows of table `phase_rank`.
    pub fn write_ranks(&self, table: &mut TableBuilder) {
        for phase in &self.phases {
            for part in &phase.ranks {
                table.push_i32(0, Some(phase.log));
                table.push_str(1, Some(phase.layer.name()));
                table.push_i32(2, Some(phase.number));
                table.push_i32(3, Some(part.rank));
                table.push_i64(4, Some(part.calls));
                table.push_i64(5, Some(part.bytes));
                table.push_f64(6, Some(part.io_s));
                table.push_f64(7, Some(part.first_s));
                table.push_f64(8, Some(part.last_s));
                table.push_f64(9, Some(part.longest_s));
                table.push_i64(10, Some(part.longest_bytes));
                table.end_row();
            }
        }
    }
}

/// Place of the phase in which something starts; phases come in order of time.
pub(super) fn place(phases: &[Phase], start_s: f64) -> Option<usize> {
    let at = phases.partition_point(|phase| phase.start_s <= start_s).checked_sub(1)?;
    (start_s <= phases[at].end_s).then_some(at)
}

/// Splits the calls of each log and layer.
struct Split<'a> {
    calls: &'a Calls,
    ranks: RankSums,
    phases: Vec<Phase>,
    steps: Vec<Steps>,
}

impl Split<'_> {
    fn call(&self, place: (f64, u32)) -> &Call {
        &self.calls.rows[place.1 as usize]
    }

    /// Calls of one log and layer, in order of their start.
    fn group(&mut self, places: &[(f64, u32)]) {
        let (mut reach_s, mut pauses_s) = (f64::NEG_INFINITY, Vec::new());
        // Where a pause of all ranks ends: the call, and how long it was.
        let mut breaks = Vec::new();
        for (at, place) in places.iter().enumerate() {
            let call = self.call(*place);
            if at > 0 && call.start_s > reach_s {
                breaks.push((at, call.start_s - reach_s));
                pauses_s.push(call.start_s - reach_s);
            }
            reach_s = reach_s.max(call.end_s);
        }
        let Some(first) = places.first() else { return };
        let (span_s, usual_s) = (reach_s - first.0, self.usual_s(places));
        let limit = limit_s(&mut pauses_s, span_s, usual_s);
        if let Some(least_s) = step_limit_s(&pauses_s, usual_s) {
            let later = breaks.iter().filter(|(_, pause)| *pause >= least_s);
            let starts_s = std::iter::once(first.0).chain(later.map(|(at, _)| places[*at].0));
            let busy_s = span_s - pauses_s.iter().sum::<f64>();
            let stream = self.calls.stream(self.call(*first));
            let moved = places.iter().map(|place| self.call(*place).size_bytes);
            let bytes = moved.fold(0i64, i64::saturating_add);
            self.steps.push(Steps::of(stream, starts_s.collect(), busy_s, bytes));
        }
        breaks.retain(|(_, pause)| limit.is_some_and(|limit| *pause >= limit));
        let starts = std::iter::once((0, None)).chain(breaks.iter().map(|(at, p)| (*at, Some(*p))));
        let ends = breaks.iter().map(|(at, _)| *at).chain([places.len()]);
        for (number, ((from, pause), to)) in (0..).zip(starts.zip(ends)) {
            let phase = self.phase(&places[from..to], number, pause, limit);
            self.phases.push(phase);
        }
    }

    /// Median time in a call, in seconds.
    fn usual_s(&self, places: &[(f64, u32)]) -> f64 {
        // Of a million calls every hundredth tells as much.
        let step = (places.len() / 10_000).max(1);
        let call_s = |place: &(f64, u32)| {
            let call = self.call(*place);
            call.end_s - call.start_s
        };
        let mut times: Vec<f64> = places.iter().step_by(step).map(call_s).collect();
        let middle = times.len() / 2;
        let (_, usual, _) = times.select_nth_unstable_by(middle, f64::total_cmp);
        *usual
    }

    /// Sums up one phase; there is at least one call.
    fn phase(
        &mut self,
        places: &[(f64, u32)],
        number: i32,
        pause: Option<f64>,
        limit: Option<f64>,
    ) -> Phase {
        let first = self.call(places[0]);
        let stream = self.calls.stream(first);
        let mut phase = Phase {
            log: stream.log,
            layer: stream.layer,
            number,
            ranks: Vec::new(),
            start_s: first.start_s,
            end_s: first.end_s,
            pause_before_s: pause,
            limit_s: limit,
            busy_s: first.end_s - first.start_s,
            calls: 0,
            bytes_read: 0,
            bytes_written: 0,
            files: 0,
        };
        for (_, at) in places {
            let call = &self.calls.rows[*at as usize];
            let fresh_s = call.end_s - call.start_s.max(phase.end_s);
            if fresh_s > 0.0 {
                phase.busy_s += fresh_s;
                phase.end_s = call.end_s;
            }
            self.ranks.add(call);
        }
        self.ranks.hand_over(self.calls, &mut phase);
        phase
    }
}

/// Sums per stream while a phase is gone through: found by number, not by
/// search.
struct RankSums {
    sums: Vec<Option<RankPart>>,
    used: Vec<u32>,
}

impl RankSums {
    fn new(calls: &Calls) -> Self {
        Self { sums: vec![None; calls.streams.len()], used: Vec::new() }
    }

    fn add(&mut self, call: &Call) {
        let sum = &mut self.sums[call.stream as usize];
        let part = sum.get_or_insert_with(|| {
            self.used.push(call.stream);
            RankPart::new(call)
        });
        part.add(call);
    }

    /// Ranks, files and sums of the phase; forgets them.
    fn hand_over(&mut self, calls: &Calls, phase: &mut Phase) {
        let mut ranks: BTreeMap<i32, RankPart> = BTreeMap::new();
        let mut files = HashSet::new();
        for number in self.used.drain(..) {
            let Some(part) = self.sums[number as usize].take() else { continue };
            let stream = &calls.streams[number as usize];
            let moved = match stream.op {
                Op::Read => &mut phase.bytes_read,
                _ => &mut phase.bytes_written,
            };
            *moved = moved.saturating_add(part.bytes);
            phase.calls = phase.calls.saturating_add(part.calls);
            files.insert(stream.file_id);
            let rank = RankPart { rank: stream.rank, ..part };
            ranks.entry(stream.rank).and_modify(|known| known.join(&rank)).or_insert(rank);
        }
        phase.files = files.len();
        phase.ranks = ranks.into_values().collect();
    }
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
