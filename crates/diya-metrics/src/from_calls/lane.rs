//! What threads were seen doing: their calls, and samples of the processor. When they do
//! I/O with the work on its bytes, and when they wait.

use super::calls::Calls;
use super::intervals::join;
use super::processor_samples::{Samples, Thread};
use crate::hash::HashSet;
use crate::work_kinds::Work;
use diya_tables::{Layer, Op};
use std::collections::BTreeMap;

/// More calls than this are not looked at: 0.1 GB.
const MAX_CALLS: usize = 2_000_000;

/// A pause up to this is part of the I/O around it.
const SHORT_PAUSE_S: f64 = 2e-3;

/// A longer one as far as unpacking, or packing, so many bytes takes it.
const WORK_S_PER_BYTE: f64 = 1e-7;

/// Shorter spans of I/O hold too few samples to say what others do.
const LEAST_STRETCH_S: f64 = 5e-3;

/// A longer one is cut: not all ranks wait all the time.
const SLICE_S: f64 = 2e-2;

/// Calls that are one row cover its span where they fill so much of it.
const FILLED_RATIO: f64 = 0.2;

/// Share of its processor time that a waiting rank spends outside of MPI, at most.
const OWN_RATIO: f64 = 0.2;

/// Span of time, in seconds since the start of the job.
pub(super) type Span = (f64, f64);

/// A call that reads or writes a file, or another call.
#[derive(Debug, Clone, Copy)]
pub(super) struct Item {
    pub start_s: f64,
    pub end_s: f64,
    pub busy_s: f64,
    pub bytes: i64,
    pub layer: Layer,
    pub op: Op,
    /// It reads or writes a file of a file system.
    pub is_transfer: bool,
    pub is_file: bool,
}

impl Item {
    /// When its calls ran, as far as one row of several calls says so.
    pub fn span(&self) -> Span {
        let is_filled = self.busy_s >= FILLED_RATIO * (self.end_s - self.start_s);
        (self.start_s, if is_filled { self.end_s } else { self.start_s + self.busy_s })
    }
}

/// What was seen of one thread.
#[derive(Debug, Default)]
pub(super) struct Lane {
    /// In the order of their starts.
    pub items: Vec<Item>,
    /// Processor time that ends at each sample, and whether it is spent in MPI.
    pub samples: Vec<(Span, bool)>,
}

/// Calls and samples of these processes, by thread.
pub(super) fn lanes(
    log: i32,
    ranks: &[i32],
    samples: &Samples,
    calls: &Calls,
    others: &HashSet<(i32, u64)>,
) -> BTreeMap<Thread, Lane> {
    let mut lanes: BTreeMap<Thread, Lane> = BTreeMap::new();
    for ((of_log, rank, thread), taken) in &samples.threads {
        if *of_log == log && ranks.binary_search(rank).is_ok() {
            let lane = lanes.entry((log, *rank, *thread)).or_default();
            let sampled = taken.iter().map(|sample| {
                let is_waiting = matches!(samples.code(sample).0, Work::Mpi | Work::Shared);
                ((sample.time_s - sample.weight_s, sample.time_s), is_waiting)
            });
            lane.samples = sampled.collect();
        }
    }
    let keys: Vec<(i32, i32)> = ranks.iter().map(|rank| (log, *rank)).collect();
    let (rank_of, counts) = calls.by_rank(&keys);
    if counts.iter().sum::<usize>() > MAX_CALLS {
        return BTreeMap::new();
    }
    calls.each_of(
        |stream| rank_of[stream].is_some(),
        |call| {
            let stream = calls.stream(call);
            let Some(thread) = calls.threads.get(call.thread as usize) else { return };
            let lane = lanes.get_mut(&(log, stream.rank, *thread));
            let Some(lane) = lane.filter(|_| call.parent == 0) else { return };
            let is_file = !others.contains(&(log, stream.file_id));
            lane.items.push(Item {
                start_s: call.start_s,
                end_s: call.end_s,
                busy_s: call.busy_s,
                bytes: call.size_bytes,
                layer: stream.layer,
                op: stream.op,
                is_transfer: is_file && stream.is_transfer(),
                is_file,
            });
        },
    );
    lanes.values_mut().for_each(Lane::sort);
    lanes
}

impl Lane {
    pub fn sort(&mut self) {
        self.items.sort_by(|a, b| a.start_s.total_cmp(&b.start_s));
        self.samples.sort_by(|a, b| a.0.1.total_cmp(&b.0.1));
    }

    pub fn transfers(&self) -> impl Iterator<Item = &Item> {
        self.items.iter().filter(|item| item.is_transfer)
    }

    pub fn bytes(&self, op: Op) -> i64 {
        self.transfers().filter(|item| item.op == op).map(|item| item.bytes.max(0)).sum()
    }

    pub fn first_s(&self) -> f64 {
        self.items.first().map_or(f64::INFINITY, |item| item.start_s)
    }

    /// Spans of I/O with the work on its bytes; and the time in its calls.
    pub fn spans(&self) -> Vec<(Span, f64)> {
        let mut all: Vec<(Span, f64)> = Vec::new();
        let mut last: Option<&Item> = None;
        for item in self.transfers() {
            let bytes = match last {
                Some(before) if before.op == Op::Read => before.bytes.max(0),
                _ if item.op == Op::Write => item.bytes.max(0),
                _ => 0,
            };
            let longest_s = SHORT_PAUSE_S.max(bytes as f64 * WORK_S_PER_BYTE);
            match all.last_mut() {
                Some((span, busy_s)) if item.start_s - span.1 <= longest_s => {
                    let end_s = span.1.max(item.end_s);
                    if span.1 - span.0 < SLICE_S {
                        *busy_s += item.busy_s;
                        span.1 = end_s;
                    } else {
                        let next = (span.1, end_s);
                        all.push((next, item.busy_s));
                    }
                }
                _ => all.push(((item.start_s, item.end_s), item.busy_s)),
            }
            last = Some(item);
        }
        all.retain(|(span, _)| span.1 - span.0 >= LEAST_STRETCH_S);
        all
    }

    /// Processor time in this span, outside of MPI and in it.
    pub fn processor_s(&self, span: Span) -> (f64, f64) {
        let from = self.samples.partition_point(|(of, _)| of.1 < span.0);
        let within = self.samples[from..].iter().take_while(|(of, _)| of.1 <= span.1);
        within.fold((0.0, 0.0), |sum, (of, is_mpi)| match is_mpi {
            false => (sum.0 + of.1 - of.0, sum.1),
            true => (sum.0, sum.1 + of.1 - of.0),
        })
    }

    /// Time in calls on files that start in this span, of all kinds; at its end begins the next.
    pub fn file_calls_s(&self, span: Span) -> f64 {
        let from = self.items.partition_point(|item| item.start_s < span.0);
        let within = self.items[from..].iter().take_while(|item| item.start_s < span.1);
        within.filter(|item| item.is_file).map(|item| item.busy_s).sum()
    }

    /// Whether it waits all the time: it makes no calls on files, and its processor works
    /// in MPI only.
    pub fn waits(&self, span: Span) -> bool {
        let (own_s, mpi_s) = self.processor_s(span);
        let in_calls_s = self.file_calls_s(span);
        // Nothing was sampled before a thread's first call.
        self.first_s() < span.0
            && own_s + in_calls_s <= OWN_RATIO * (own_s + in_calls_s + mpi_s)
            && in_calls_s <= OWN_RATIO * (span.1 - span.0)
    }

    /// When it was seen at work, joined.
    pub fn active(&self) -> Vec<Span> {
        let calls = self.items.iter().map(Item::span);
        let mut all: Vec<Span> = calls.chain(self.samples.iter().map(|(of, _)| *of)).collect();
        join(&mut all);
        all
    }
}

/// All threads of a rank as one.
pub(super) fn merged(lanes: &BTreeMap<Thread, Lane>) -> BTreeMap<i32, Lane> {
    let mut ranks: BTreeMap<i32, Lane> = BTreeMap::new();
    for ((_, rank, _), lane) in lanes {
        let of_rank = ranks.entry(*rank).or_default();
        of_rank.items.extend(&lane.items);
        of_rank.samples.extend(&lane.samples);
    }
    ranks.values_mut().for_each(Lane::sort);
    ranks
}

/// What lies between these spans within a whole.
pub(super) fn gaps(spans: &[Span], whole: Span) -> Vec<Span> {
    let mut end_s = whole.0;
    let mut all = Vec::new();
    for span in spans {
        if span.0 > end_s {
            all.push((end_s, span.0.min(whole.1)));
        }
        end_s = end_s.max(span.1);
        if end_s >= whole.1 {
            return all;
        }
    }
    all.push((end_s, whole.1));
    all
}
