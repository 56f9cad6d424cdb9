//! Who waits for whom in messages of MPI, and why: what the one that is waited for does
//! meanwhile, followed through its own waits; and the way through all ranks that took the
//! time of the run.

mod blame;
mod delays;
mod finalize;
mod lanes;
#[cfg(test)]
mod tests;

use super::{Calls, count};
use crate::rows;
use blame::{Activity, Blame, Cause};
use delays::Delays;
use diya_model::MessageKind;
use diya_tables::{BatchSource, TableBuilder};
use lanes::{Lane, Lanes, RankKey, WaitsFor};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Steps of the way back through the ranks, at most.
const MAX_STEPS: usize = 1_000_000;

/// What one rank waits for another in calls of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    log: i32,
    rank: i32,
    function: u32,
    state: &'static str,
    stack_id: Option<u64>,
    late_rank: Option<i32>,
    cause: Cause,
}

#[derive(Debug, Default)]
struct Sum {
    waits: usize,
    wait_s: f64,
    first_s: f64,
}

/// Waits that are kept one by one, of each log: the longest.
const KEPT: usize = 400;

/// One wait.
#[derive(Debug, Clone, Copy)]
struct Span {
    rank: i32,
    function: u32,
    start_s: f64,
    until_s: f64,
    end_s: f64,
    late_rank: i32,
    /// What takes most of it.
    cause: Cause,
}

/// The waits of all logs.
#[derive(Debug, Default)]
pub(crate) struct MessageWaits {
    functions: Vec<String>,
    /// By log, the longest first.
    spans: BTreeMap<i32, Vec<Span>>,
    waits: BTreeMap<Key, Sum>,
    /// By log.
    path: BTreeMap<(i32, Cause), f64>,
}

impl MessageWaits {
    pub fn of(tables: &[Arc<dyn BatchSource>], calls: &Calls) -> Self {
        let mut lanes = Lanes::read(tables, calls);
        if lanes.ranks.is_empty() {
            return Self::default();
        }
        finalize::add(&mut lanes, tables);
        if lanes.ranks.values().all(|lane| lane.messages.is_empty()) {
            return Self::default();
        }
        let delays = delays::delays(&lanes);
        let mut all = Self { functions: lanes.functions.clone(), ..Self::default() };
        let blame = Blame { lanes: &lanes, delays: &delays };
        for (key, lane) in &lanes.ranks {
            all.add_lane(&blame, *key, lane);
        }
        all.spans.values_mut().for_each(keep_longest);
        let logs: std::collections::BTreeSet<i32> =
            lanes.ranks.keys().map(|(log, _)| *log).collect();
        for log in logs {
            let path = &mut all.path;
            way_back(&lanes, &delays, log, &mut |cause, time_s| {
                *path.entry((log, cause)).or_default() += time_s;
            });
        }
        all
    }

    fn add_lane(&mut self, blame: &Blame<'_>, (log, rank): RankKey, lane: &Lane) {
        let delays = blame.delays.get(&(log, rank)).map_or(&[][..], Vec::as_slice);
        let spans = self.spans.entry(log).or_default();
        for (message, delay) in lane.messages.iter().zip(delays) {
            let until_s = delay.map_or(message.start_s, |delay| delay.until_s);
            let state = state(message.kind, message.waits_for);
            let mut add = |state, late_rank, cause, time_s: f64, waits| {
                let (function, stack_id) = (message.function, message.stack_id);
                let key = Key { log, rank, function, state, stack_id, late_rank, cause };
                let sum = self
                    .waits
                    .entry(key)
                    .or_insert_with(|| Sum { first_s: message.start_s, ..Sum::default() });
                sum.waits += waits;
                sum.wait_s += time_s;
            };
            if let Some(delay) = delay {
                let mut parts: BTreeMap<Cause, f64> = BTreeMap::new();
                blame.of((log, delay.rank), (message.start_s, until_s), &mut |cause, time_s| {
                    *parts.entry(cause).or_default() += time_s;
                });
                if let Some((cause, _)) = parts.iter().max_by(|a, b| a.1.total_cmp(b.1)) {
                    let (start_s, end_s) = (message.start_s, message.end_s);
                    let (function, late_rank, cause) = (message.function, delay.rank, *cause);
                    let span = Span { rank, function, start_s, until_s, end_s, late_rank, cause };
                    spans.push(span);
                }
                for (cause, time_s) in parts {
                    add(state, Some(delay.rank), cause, time_s, 1);
                }
            }
            if message.end_s > until_s {
                let cause = Cause { rank, activity: Activity::Message, file_id: None };
                add("transfer", None, cause, message.end_s - until_s, 1);
            }
            if spans.len() >= 4 * KEPT {
                keep_longest(spans);
            }
        }
    }
}

fn keep_longest(spans: &mut Vec<Span>) {
    let wait_s = |span: &Span| span.until_s - span.start_s;
    spans.sort_by(|a, b| wait_s(b).total_cmp(&wait_s(a)).then(a.start_s.total_cmp(&b.start_s)));
    spans.truncate(KEPT);
}

/// The pattern, by the names that Scalasca has for them.
fn state(kind: MessageKind, waits_for: WaitsFor) -> &'static str {
    match (kind, waits_for) {
        (MessageKind::Receive | MessageKind::Probe | MessageKind::Exchange, _)
        | (MessageKind::Wait, WaitsFor::Receives) => "late_sender",
        (MessageKind::Send, _) | (MessageKind::Wait, WaitsFor::Sends) => "late_receiver",
        (MessageKind::Barrier, _) => "wait_at_barrier",
        (MessageKind::FromRoot, _) => "late_broadcast",
        (MessageKind::ToRoot, _) => "early_reduce",
        (MessageKind::Prefix, _) => "early_scan",
        (MessageKind::WindowFence, _) => "wait_at_fence",
        (MessageKind::Communicator | MessageKind::Window, _) => "wait_at_create",
        _ => "wait_at_n_to_n",
    }
}

/// From the end of the rank that ends last back to the start: where a rank waited, on with the
/// one that it waited for. What lies on the way adds up to the run.
fn way_back(lanes: &Lanes, delays: &Delays, log: i32, each: &mut dyn FnMut(Cause, f64)) {
    let of_log = || lanes.ranks.iter().filter(|((of, _), _)| *of == log);
    let ends_last = of_log().max_by(|a, b| a.1.end_s.total_cmp(&b.1.end_s));
    let Some((key, last)) = ends_last else { return };
    let mut rank = key.1;
    let start_s = of_log().map(|(_, lane)| lane.start_s).fold(f64::INFINITY, f64::min);
    let mut to_s = last.end_s;
    for _ in 0..MAX_STEPS {
        let Some(lane) = lanes.ranks.get(&(log, rank)) else { return };
        let of_rank = delays.get(&(log, rank)).map_or(&[][..], Vec::as_slice);
        let before = lane.messages.partition_point(|of| of.start_s < to_s);
        let wait = lane.messages[..before]
            .iter()
            .zip(of_rank)
            .rev()
            .find_map(|(_, delay)| delay.filter(|delay| delay.until_s < to_s));
        let from_s = wait.map_or(start_s, |delay| delay.until_s.max(start_s));
        stretch(lane, rank, (from_s, to_s), each);
        match wait {
            Some(delay) if from_s > start_s => (rank, to_s) = (delay.rank, from_s),
            _ => return,
        }
    }
}

/// A stretch of one rank on the way: its own work, and messages that wait for nobody.
fn stretch(lane: &Lane, rank: i32, (from_s, to_s): (f64, f64), each: &mut dyn FnMut(Cause, f64)) {
    let mut at_s = from_s;
    for message in lane.messages_in(from_s, to_s) {
        blame::own(lane, rank, (at_s, message.start_s.min(to_s)), each);
        let (start_s, end_s) = (message.start_s.max(at_s), message.end_s.min(to_s));
        if end_s > start_s {
            let activity = Activity::Message;
            each(Cause { rank, activity, file_id: None }, end_s - start_s);
        }
        at_s = at_s.max(end_s);
    }
    blame::own(lane, rank, (at_s, to_s), each);
}

/// Rows of table `message_wait`.
pub(crate) fn write_waits(all: &MessageWaits, table: &mut TableBuilder) {
    for (key, sum) in &all.waits {
        rows::MessageWait {
            log: key.log,
            rank: key.rank,
            function: all.functions.get(key.function as usize).map_or("", String::as_str),
            state: key.state,
            stack_id: key.stack_id,
            late_rank: key.late_rank,
            cause_rank: key.late_rank.map(|_| key.cause.rank),
            activity: key.cause.activity.name(),
            file_id: key.cause.file_id,
            waits: count(sum.waits),
            wait_s: sum.wait_s,
            first_s: sum.first_s,
        }
        .push(table);
    }
}

/// Rows of table `message_span`.
pub(crate) fn write_spans(all: &MessageWaits, table: &mut TableBuilder) {
    for (log, spans) in &all.spans {
        for span in spans {
            rows::MessageSpan {
                log: *log,
                rank: span.rank,
                function: all.functions.get(span.function as usize).map_or("", String::as_str),
                late_rank: span.late_rank,
                cause_rank: span.cause.rank,
                activity: span.cause.activity.name(),
                file_id: span.cause.file_id,
                start_s: span.start_s,
                until_s: span.until_s,
                end_s: span.end_s,
            }
            .push(table);
        }
    }
}

/// Rows of table `message_path`.
pub(crate) fn write_path(all: &MessageWaits, table: &mut TableBuilder) {
    for ((log, cause), time_s) in &all.path {
        rows::MessagePath {
            log: *log,
            rank: cause.rank,
            activity: cause.activity.name(),
            file_id: cause.file_id,
            time_s: *time_s,
        }
        .push(table);
    }
}
