//! I/O phases: stretches of time in which some rank reads or writes, over all
//! ranks and files of a layer, separated by pauses of all ranks.

use super::calls::Call;
use super::count;
use super::gap::limit_s;
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
    end_s: f64,
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
}

impl Phases {
    /// Finds the phases.
    pub fn of(calls: &[Call]) -> Self {
        // With the start beside the call, sorting does not jump through memory.
        let mut groups: BTreeMap<(i32, Layer), Vec<(f64, &Call)>> = BTreeMap::new();
        for call in calls.iter().filter(|call| call.is_data()) {
            groups.entry((call.log, call.layer)).or_default().push((call.start_s, call));
        }
        let mut phases = Vec::new();
        for mut group in groups.into_values() {
            group.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
            let in_order: Vec<&Call> = group.into_iter().map(|(_, call)| call).collect();
            split(&in_order, &mut phases);
        }
        Self { phases }
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

/// Splits the calls of one log and layer, which come in order of their start.
fn split(calls: &[&Call], phases: &mut Vec<Phase>) {
    let (mut reach_s, mut pauses_s) = (f64::NEG_INFINITY, Vec::new());
    // Where a pause of all ranks ends: the call, and how long it was.
    let mut breaks = Vec::new();
    for (at, call) in calls.iter().enumerate() {
        if at > 0 && call.start_s > reach_s {
            breaks.push((at, call.start_s - reach_s));
            pauses_s.push(call.start_s - reach_s);
        }
        reach_s = reach_s.max(call.end_s);
    }
    let Some(first) = calls.first() else { return };
    let limit = limit_s(&mut pauses_s, reach_s - first.start_s, usual_s(calls));
    breaks.retain(|(_, pause)| limit.is_some_and(|limit| *pause >= limit));
    let starts = std::iter::once((0, None)).chain(breaks.iter().map(|(at, p)| (*at, Some(*p))));
    let ends = breaks.iter().map(|(at, _)| *at).chain([calls.len()]);
    for (number, ((from, pause), to)) in (0..).zip(starts.zip(ends)) {
        phases.push(phase(&calls[from..to], number, pause, limit));
    }
}

/// Median time in a call, in seconds.
fn usual_s(calls: &[&Call]) -> f64 {
    let mut times: Vec<f64> = calls.iter().map(|call| call.end_s - call.start_s).collect();
    let middle = times.len() / 2;
    let (_, usual, _) = times.select_nth_unstable_by(middle, f64::total_cmp);
    *usual
}

/// Sums up one phase; there is at least one call.
fn phase(calls: &[&Call], number: i32, pause: Option<f64>, limit: Option<f64>) -> Phase {
    let first = calls[0];
    let mut ranks: BTreeMap<i32, RankPart> = BTreeMap::new();
    let mut files = HashSet::new();
    let mut phase = Phase {
        log: first.log,
        layer: first.layer,
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
    for call in calls {
        let fresh_s = call.end_s - call.start_s.max(phase.end_s);
        if fresh_s > 0.0 {
            phase.busy_s += fresh_s;
            phase.end_s = call.end_s;
        }
        phase.calls = phase.calls.saturating_add(call.calls);
        let bytes = match call.op {
            Op::Read => &mut phase.bytes_read,
            _ => &mut phase.bytes_written,
        };
        *bytes = bytes.saturating_add(call.size_bytes);
        files.insert(call.file_id);
        ranks.entry(call.rank).or_insert_with(|| RankPart::new(call)).add(call);
    }
    phase.files = files.len();
    phase.ranks = ranks.into_values().collect();
    phase
}

impl RankPart {
    fn new(first: &Call) -> Self {
        let (rank, first_s, last_s) = (first.rank, first.start_s, first.end_s);
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
}
