//! I/O beside other work: threads that do it while others go on, several
//! threads at once, and requests that were handed over and waited for later.
//!
//! What a thread does between its calls a trace does not show. It can only
//! show that a thread was free: what is called background here could have been
//! hidden behind computing, what is called blocking could not.

use super::call::{Call, NO_THREAD};
use super::call_batch::batches;
use super::calls::Calls;
use super::intervals::{join, overlap_s, seconds};
use crate::rows;
use diya_tables::{Op, TableBuilder};
use std::collections::BTreeMap;

/// Threads of one rank: the spans of each.
type Threads = BTreeMap<u32, Vec<(f64, f64)>>;

/// One rank.
#[derive(Debug, Default)]
struct Rank {
    threads: Threads,
    wait_s: f64,
    submits: i64,
    calls: i64,
}

/// Calls of which the spans are kept at a time: 0.2 GB.
const MAX_SPANS: usize = 12_000_000;

/// Rows of table `overlap`.
pub(crate) fn compute(calls: &Calls, table: &mut TableBuilder) {
    if calls.threads.is_empty() {
        return;
    }
    // The calls of a stream go to one rank: look it up once.
    let mut keys: Vec<(i32, i32)> = calls.streams.iter().map(|s| (s.log, s.rank)).collect();
    keys.sort_unstable();
    keys.dedup();
    let number = |log, rank| keys.partition_point(|key| *key < (log, rank));
    let rank_of: Vec<usize> = calls.streams.iter().map(|s| number(s.log, s.rank)).collect();
    let mut counts = vec![0; keys.len()];
    for (rank, count) in rank_of.iter().zip(calls.counts()) {
        counts[*rank] += count;
    }
    for batch in batches(&counts, MAX_SPANS) {
        let mut ranks: Vec<Rank> = batch.clone().map(|_| Rank::default()).collect();
        calls.each_of(
            |stream| batch.contains(&rank_of[stream]),
            |call| {
                if call.thread != NO_THREAD {
                    ranks[rank_of[call.stream as usize] - batch.start]
                        .add(call, calls.stream(call).op);
                }
            },
        );
        for (rank, (log, number)) in ranks.into_iter().zip(&keys[batch]) {
            if rank.calls > 0 {
                rank.write(*log, *number, table);
            }
        }
    }
}

impl Rank {
    fn add(&mut self, call: &Call, op: Op) {
        self.calls = self.calls.saturating_add(call.calls);
        match op {
            Op::Submit => self.submits = self.submits.saturating_add(call.calls),
            Op::Wait => self.wait_s += call.busy_s,
            _ => {}
        }
        self.threads.entry(call.thread).or_default().push((call.start_s, call.end_s));
    }

    fn write(mut self, log: i32, rank: i32, table: &mut TableBuilder) {
        self.threads.values_mut().for_each(join);
        // The thread with the most I/O is the one whose work is delayed.
        let busiest = self.threads.iter().max_by(|a, b| seconds(a.1).total_cmp(&seconds(b.1)));
        let Some((_, main)) = busiest else { return };
        let first = self.threads.values().filter_map(|spans| spans.first());
        let first_s = first.map(|span| span.0).fold(f64::INFINITY, f64::min);
        let last = self.threads.values().filter_map(|spans| spans.last());
        let last_s = last.map(|span| span.1).fold(f64::NEG_INFINITY, f64::max);
        let mut all: Vec<(f64, f64)> = self.threads.values().flatten().copied().collect();
        let most = most_at_once(&all);
        let summed_s = seconds(&all);
        join(&mut all);
        let io_s = seconds(&all);
        // Times in which every thread that ever does I/O is in it.
        let mut blocked = main.clone();
        for spans in self.threads.values() {
            blocked = common(&blocked, spans);
        }
        rows::Overlap {
            log,
            rank,
            threads: super::count(self.threads.len()),
            most_at_once: most,
            span_s: last_s - first_s,
            io_s,
            summed_s,
            concurrency_ratio: (io_s > 0.0).then(|| summed_s / io_s),
            blocking_s: seconds(&blocked),
            background_s: (io_s - seconds(&blocked)).max(0.0),
            background_ratio: (io_s > 0.0).then(|| ((io_s - seconds(&blocked)) / io_s).max(0.0)),
            submits: self.submits,
            wait_s: self.wait_s,
        }
        .push(table);
    }
}

/// The most spans that run at one time.
fn most_at_once(spans: &[(f64, f64)]) -> i64 {
    let mut edges: Vec<(f64, i64)> =
        spans.iter().flat_map(|(from, to)| [(*from, 1), (*to, -1)]).collect();
    // What ends makes room before what starts at the same time.
    edges.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut open = 0;
    edges.iter().fold(0, |most, (_, step)| {
        open += step;
        most.max(open)
    })
}

/// Spans that lie in both; both are joined.
fn common(a: &[(f64, f64)], b: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let (mut at, mut bt, mut both) = (0, 0, Vec::new());
    while let (Some(x), Some(y)) = (a.get(at), b.get(bt)) {
        let (from, to) = (x.0.max(y.0), x.1.min(y.1));
        if from < to {
            both.push((from, to));
        }
        if x.1 < y.1 {
            at += 1;
        } else {
            bt += 1;
        }
    }
    debug_assert!((seconds(&both) - overlap_s(a, b)).abs() < 1e-6);
    both
}
