//! I/O that others wait for: one rank, or the threads that load the data of a process, read
//! or write and work on these bytes, while all others neither compute nor do I/O.
//!
//! Messages and queues are not recorded. The evidence of waiting is samples of the
//! processor: a waiting rank or thread has samples in MPI only, or none. The one that the
//! others wait for works between its calls, too: a pause counts if it is short, or short for
//! the bytes of the call next to it. Longer ones are computing.

use super::calls::Calls;
use super::intervals::{join, overlap_s, seconds};
use super::lane::{Item, Lane, Span, gaps, lanes, merged};
use super::processor_samples::Samples;
use super::{count, no_files};
use crate::hash::HashMap;
use crate::installed::Installed;
use crate::peers::Peers;
use crate::rows;
use diya_tables::{BatchSource, Layer, Op, TableBuilder};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Share of the bytes that one rank reads and writes for all, at least.
const ALL_BYTES_RATIO: f64 = 0.8;

/// A thread that waits is not seen for so long; threads of Python hand their lock on
/// every 5 ms.
const LEAST_WAIT_S: f64 = 8e-3;

/// Share of a wait in which the loading threads are seen at work, at least.
const LOADING_RATIO: f64 = 0.3;

/// Who waits for whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Waiter {
    Rank,
    Thread,
}

/// I/O of one rank, or of the loading threads of a process, while the others wait.
#[derive(Debug)]
pub(crate) struct Awaited {
    log: i32,
    waiter: Waiter,
    rank: i32,
    lanes: usize,
    layer: Layer,
    op: Op,
    bytes: i64,
    waits: usize,
    calls_s: f64,
    beside_s: f64,
    /// Processor time of those who wait, outside of MPI, in all of the time looked at.
    own_s: f64,
}

impl Awaited {
    /// Of all logs with samples of the processor.
    pub fn of(tables: &[Arc<dyn BatchSource>], calls: &Calls, peers: &Peers) -> Vec<Self> {
        let samples = Samples::read(tables, &Installed::default());
        if samples.threads.is_empty() {
            return Vec::new();
        }
        let others = no_files(tables);
        let mut threads: BTreeMap<(i32, i32), usize> = BTreeMap::new();
        for (log, rank, _) in samples.threads.keys() {
            *threads.entry((*log, *rank)).or_default() += 1;
        }
        // Ranks of one step are looked at together, other processes alone.
        let mut groups: BTreeMap<(i32, Option<i32>, i32), Vec<i32>> = BTreeMap::new();
        for ((log, rank), threads) in threads {
            let step = peers.of(log, rank).filter(|of| of.is_rank && of.peers != Some(1));
            if step.is_some() || threads > 1 {
                let key = step.map_or((log, None, rank), |of| (log, Some(of.number), 0));
                groups.entry(key).or_default().push(rank);
            }
        }
        let found = groups.into_iter().filter_map(|((log, step, rank), ranks)| {
            let lanes = lanes(log, &ranks, &samples, calls, &others);
            match step {
                Some(_) => of_ranks(log, &merged(&lanes)),
                None => of_threads(log, rank, &lanes.values().collect::<Vec<_>>()),
            }
        });
        found.collect()
    }

    /// Log, layer and what others wait beyond the time of calls.
    pub fn waits(all: &[Self]) -> impl Iterator<Item = (i32, Layer, f64)> {
        all.iter().map(|of| (of.log, of.layer, of.beside_s * of.shared()))
    }

    /// Share of the time that is saved where all lanes do it.
    fn shared(&self) -> f64 {
        match self.waiter {
            Waiter::Rank => 1.0 - 1.0 / self.lanes.max(1) as f64,
            Waiter::Thread => 1.0,
        }
    }
}

/// Rows of table `awaited_io`.
pub(crate) fn write(all: &[Awaited], table: &mut TableBuilder) {
    for of in all {
        rows::AwaitedIo {
            log: of.log,
            kind: if of.waiter == Waiter::Rank { "rank" } else { "thread" },
            rank: of.rank,
            lanes: count(of.lanes),
            layer: of.layer.name(),
            op: of.op.name(),
            bytes: of.bytes,
            waits: count(of.waits),
            calls_s: of.calls_s,
            beside_s: of.beside_s,
            others_s: of.own_s,
            lost_s: (of.calls_s + of.beside_s) * of.shared(),
        }
        .push(table);
    }
}

/// The rank that reads, or writes, nearly everything, where all others wait for it.
fn of_ranks(log: i32, lanes: &BTreeMap<i32, Lane>) -> Option<Awaited> {
    let bytes = |lane: &Lane| lane.bytes(Op::Read).saturating_add(lane.bytes(Op::Write));
    let (rank, lane) = lanes.iter().max_by_key(|(rank, lane)| (bytes(lane), -**rank))?;
    let all_bytes: i64 = lanes.values().map(bytes).sum();
    let is_all = bytes(lane) as f64 >= ALL_BYTES_RATIO * all_bytes as f64;
    if lanes.len() < 2 || all_bytes == 0 || !is_all {
        return None;
    }
    let peers = || lanes.iter().filter(|(other, _)| *other != rank).map(|(_, lane)| lane);
    let (mut waits, mut sum_s, mut calls_s, mut own_s, mut mpi_s) = (0, 0.0, 0.0, 0.0, 0.0);
    for (span, busy_s) in lane.spans() {
        if !peers().all(|peer| peer.waits(span)) {
            continue;
        }
        waits += 1;
        let span_s = span.1 - span.0;
        sum_s += span_s;
        // Opens and syncs between the transfers are calls, too, and no work beside them.
        calls_s += lane.file_calls_s(span).max(busy_s).min(span_s);
        for (own, mpi) in peers().map(|peer| peer.processor_s(span)) {
            (own_s, mpi_s) = (own_s + own, mpi_s + mpi);
        }
    }
    // Ranks that were never seen in MPI may sleep or have ended.
    (mpi_s > 0.0)
        .then(|| lane.awaited(log, Waiter::Rank, *rank, lanes.len()))
        .flatten()
        .map(|of| Awaited { waits, calls_s, beside_s: (sum_s - calls_s).max(0.0), own_s, ..of })
}

/// Threads that read for the first thread of a process, where that one waits for them.
fn of_threads(log: i32, rank: i32, lanes: &[&Lane]) -> Option<Awaited> {
    let first_s = |lane: &&&Lane| {
        let sampled_s = lane.samples.first().map_or(f64::INFINITY, |(of, _)| of.0);
        sampled_s.min(lane.first_s())
    };
    let consumer = *lanes.iter().min_by(|a, b| first_s(a).total_cmp(&first_s(b)))?;
    let loading = |lane: &&&Lane| {
        !std::ptr::eq(**lane, consumer) && lane.transfers().any(|item| item.op == Op::Read)
    };
    let loaders: Vec<&Lane> = lanes.iter().filter(loading).copied().collect();
    let most = *loaders.iter().max_by_key(|lane| lane.bytes(Op::Read))?;
    let mut working: Vec<Span> = loaders.iter().flat_map(|lane| lane.active()).collect();
    join(&mut working);
    let reads = loaders.iter().flat_map(|lane| lane.transfers());
    let mut reading: Vec<Span> = reads.map(Item::span).collect();
    join(&mut reading);
    let whole = (working.first()?.0, working.last()?.1);
    let mut waits: Vec<Span> = gaps(&consumer.active(), whole);
    waits.retain(|gap| {
        let worked_s = overlap_s(&working, &[*gap]);
        gap.1 - gap.0 >= LEAST_WAIT_S && worked_s >= LOADING_RATIO * (gap.1 - gap.0)
    });
    let calls_s = overlap_s(&reading, &waits);
    let beside_s = (overlap_s(&working, &waits) - calls_s).max(0.0);
    let bytes = loaders.iter().map(|lane| lane.bytes(Op::Read)).sum();
    let (own_s, mpi_s) = consumer.processor_s(whole);
    // One thread at a time: several that load side by side are fast readers.
    let alone_s: f64 = loaders.iter().map(|lane| seconds(&lane.active())).sum();
    let is_one = alone_s <= 1.3 * seconds(&working);
    most.awaited(log, Waiter::Thread, rank, loaders.len()).filter(|_| is_one).map(|of| Awaited {
        op: Op::Read,
        bytes,
        waits: waits.len(),
        calls_s,
        beside_s,
        own_s: own_s + mpi_s,
        ..of
    })
}

impl Lane {
    fn awaited(&self, log: i32, waiter: Waiter, rank: i32, lanes: usize) -> Option<Awaited> {
        let mut layers: HashMap<Layer, i64> = HashMap::default();
        for item in self.transfers() {
            *layers.entry(item.layer).or_default() += item.bytes.max(0);
        }
        let layer = layers.into_iter().max_by_key(|(layer, bytes)| (*bytes, *layer))?.0;
        let (read, written) = (self.bytes(Op::Read), self.bytes(Op::Write));
        Some(Awaited {
            log,
            waiter,
            rank,
            lanes,
            layer,
            op: if read >= written { Op::Read } else { Op::Write },
            bytes: read.saturating_add(written),
            waits: 0,
            calls_s: 0.0,
            beside_s: 0.0,
            own_s: 0.0,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(start_s: f64, end_s: f64) -> Item {
        let busy_s = end_s - start_s;
        let (layer, op) = (Layer::Posix, Op::Read);
        let (is_transfer, is_file) = (true, true);
        Item { start_s, end_s, busy_s, bytes: 1_000_000, layer, op, is_transfer, is_file }
    }

    /// A call of a start, and processor time of 1 ms in every millisecond of a span.
    fn lane(items: Vec<Item>, from_s: f64, to_s: f64, is_mpi: bool) -> Lane {
        let samples = ((from_s * 1e3) as i64..(to_s * 1e3) as i64)
            .map(|ms| ((ms as f64 * 1e-3, (ms + 1) as f64 * 1e-3), is_mpi));
        let start = Item { is_transfer: false, ..read(0.0, 1e-4) };
        let mut lane = Lane { items: [vec![start], items].concat(), samples: samples.collect() };
        lane.sort();
        lane
    }

    /// Reads of 1 ms, one every 10 ms.
    fn reads(from: i32, to: i32) -> Vec<Item> {
        (from..to).map(|n| f64::from(n) * 0.01).map(|at_s| read(at_s, at_s + 1e-3)).collect()
    }

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 0.03
    }

    #[test]
    fn a_sync_between_the_writes_is_a_call_and_no_work_beside_them() {
        let write = |item: Item| Item { op: Op::Write, ..item };
        let sync = |item: &Item| Item {
            start_s: item.end_s,
            end_s: item.end_s + 5e-3,
            busy_s: 5e-3,
            bytes: 0,
            op: Op::Sync,
            is_transfer: false,
            ..*item
        };
        let writes: Vec<Item> = reads(10, 110).into_iter().map(write).collect();
        let syncs: Vec<Item> = writes.iter().map(sync).collect();
        let busy = lane([writes, syncs].concat(), 0.1, 1.1, false);
        let waiting = lane(Vec::new(), 0.05, 1.2, true);
        let of = of_ranks(0, &BTreeMap::from([(0, busy), (1, waiting)])).expect("waits");
        assert!(near(of.calls_s, 0.6) && near(of.beside_s, 0.4), "{of:?}");
    }

    #[test]
    fn a_rank_that_reads_and_unpacks_for_all_is_awaited_while_others_are_in_mpi() {
        let busy = || lane(reads(10, 110), 0.1, 1.1, false);
        let waiting = lane(Vec::new(), 0.05, 1.2, true);
        let of = of_ranks(0, &BTreeMap::from([(0, busy()), (1, waiting)])).expect("waits");
        assert!(near(of.calls_s, 0.1) && near(of.beside_s, 0.9), "{of:?}");
        assert!(near(of.shared(), 0.5) && of.bytes == 100_000_000 && of.rank == 0);
        // One that computes for the last half second.
        let mut half = lane(Vec::new(), 0.05, 0.6, true);
        half.samples.extend(lane(Vec::new(), 0.6, 1.2, false).samples);
        let of = of_ranks(0, &BTreeMap::from([(0, busy()), (1, half)])).expect("waits");
        assert!(near(of.calls_s + of.beside_s, 0.5), "{of:?}");
    }

    #[test]
    fn ranks_that_compute_or_read_themselves_do_not_wait() {
        let busy = || lane(reads(10, 110), 0.1, 1.1, false);
        let computing = lane(Vec::new(), 0.05, 1.2, false);
        assert!(of_ranks(0, &BTreeMap::from([(0, busy()), (1, computing)])).is_none());
        let reading = lane(reads(10, 110), 0.05, 1.2, true);
        assert!(of_ranks(0, &BTreeMap::from([(0, busy()), (1, reading)])).is_none());
        // Nothing says what a rank does before its first call.
        let unknown = Lane { items: Vec::new(), ..lane(Vec::new(), 0.05, 1.2, true) };
        assert!(of_ranks(0, &BTreeMap::from([(0, busy()), (1, unknown)])).is_none());
    }

    #[test]
    fn a_thread_that_is_not_seen_while_another_loads_waits_for_it() {
        // 50 ms of loading for each 10 ms of computing.
        let mut training = lane(Vec::new(), 0.0, 0.0, false);
        let mut loader = Lane::default();
        for step in 0..10 {
            let at_s = f64::from(step) * 0.06 + 0.1;
            loader.items.push(read(at_s, at_s + 0.02));
            loader.samples.extend(lane(Vec::new(), at_s + 0.02, at_s + 0.05, false).samples);
            training.samples.extend(lane(Vec::new(), at_s + 0.05, at_s + 0.06, false).samples);
        }
        let of = of_threads(0, 0, &[&training, &loader]).expect("two threads");
        assert_eq!((of.waits, of.waiter), (10, Waiter::Thread));
        assert!(near(of.calls_s, 0.2) && near(of.beside_s, 0.3) && near(of.own_s, 0.1), "{of:?}");
        // Who computes all the time waits for nobody.
        let computing = lane(Vec::new(), 0.0, 0.9, false);
        let of = of_threads(0, 0, &[&computing, &loader]).expect("two threads");
        assert_eq!((of.waits, of.calls_s), (0, 0.0));
    }
}
