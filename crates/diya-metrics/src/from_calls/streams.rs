//! Sums over the calls of each stream, and what follows from them: calls per
//! file and rank, and time by request size.

use super::call::NO_THREAD;
use super::calls::{Calls, Stream};
use super::count;
use crate::rows;
use diya_model::SizeBin;
use diya_tables::TableBuilder;
use std::collections::{BTreeMap, BTreeSet};

/// Sums over some calls.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sum {
    pub calls: i64,
    pub bytes: i64,
    pub time_s: f64,
}

impl Sum {
    fn add(&mut self, other: &Self) {
        self.calls = self.calls.saturating_add(other.calls);
        self.bytes = self.bytes.saturating_add(other.bytes);
        self.time_s += other.time_s;
    }
}

/// What one stream comes to.
#[derive(Debug, Clone)]
struct Total {
    all: Sum,
    bins: [Sum; SizeBin::COUNT],
    longest_s: f64,
    first_s: f64,
    last_s: f64,
    /// Of the calls that moved no byte.
    empty: Sum,
    files: BTreeSet<u64>,
    threads: BTreeSet<u32>,
}

impl Total {
    const NONE: Self = Self {
        all: Sum { calls: 0, bytes: 0, time_s: 0.0 },
        bins: [Sum { calls: 0, bytes: 0, time_s: 0.0 }; SizeBin::COUNT],
        longest_s: 0.0,
        first_s: f64::INFINITY,
        last_s: f64::NEG_INFINITY,
        empty: Sum { calls: 0, bytes: 0, time_s: 0.0 },
        files: BTreeSet::new(),
        threads: BTreeSet::new(),
    };

    fn add(&mut self, other: &Self) {
        self.all.add(&other.all);
        for (bin, more) in self.bins.iter_mut().zip(&other.bins) {
            bin.add(more);
        }
        self.longest_s = self.longest_s.max(other.longest_s);
        self.first_s = self.first_s.min(other.first_s);
        self.last_s = self.last_s.max(other.last_s);
        self.empty.add(&other.empty);
        self.files.extend(&other.files);
        self.threads.extend(&other.threads);
    }

    /// The bins with calls.
    fn filled_bins(&self) -> impl Iterator<Item = (&'static SizeBin, &Sum)> {
        SizeBin::ALL.iter().zip(&self.bins).filter(|(_, bin)| bin.calls > 0)
    }
}

/// Sums of all streams that read or write.
#[derive(Debug)]
pub(crate) struct Totals {
    streams: Vec<(Stream, Total)>,
}

impl Totals {
    /// Adds up all calls.
    pub fn of(calls: &Calls) -> Self {
        let mut totals = vec![Total::NONE; calls.streams.len()];
        let is_transfer = |stream: usize| calls.streams[stream].is_transfer();
        // The thread of the call before, which most calls have too.
        let mut last = (u32::MAX, NO_THREAD);
        calls.each_of(is_transfer, |call| {
            let total = &mut totals[call.stream as usize];
            let sum = Sum { calls: call.calls, bytes: call.size_bytes, time_s: call.busy_s };
            total.all.add(&sum);
            // A run of tiny calls is in the bin of one of them.
            let each_bytes = if call.calls > 1 {
                (call.size_bytes as f64 / call.calls as f64).ceil() as i64
            } else {
                call.size_bytes
            };
            total.bins[SizeBin::index_of(each_bytes)].add(&sum);
            if call.is_empty {
                total.empty.add(&sum);
            }
            total.longest_s = total.longest_s.max(call.busy_s);
            total.first_s = total.first_s.min(call.start_s);
            total.last_s = total.last_s.max(call.end_s);
            if call.thread != NO_THREAD && last != (call.stream, call.thread) {
                last = (call.stream, call.thread);
                total.threads.insert(call.thread);
            }
        });
        for (total, stream) in totals.iter_mut().zip(&calls.streams) {
            total.files.insert(stream.file_id);
        }
        let streams = calls.streams.iter().copied().zip(totals);
        Self { streams: streams.filter(|(stream, _)| stream.is_transfer()).collect() }
    }

    /// Sums with the same key, in order of the key.
    fn by<K: Ord>(&self, key: impl Fn(&Stream) -> K) -> BTreeMap<K, Total> {
        let mut groups: BTreeMap<K, Total> = BTreeMap::new();
        for (stream, total) in &self.streams {
            groups.entry(key(stream)).or_insert(Total::NONE).add(total);
        }
        groups
    }

    /// Rows of table `file_rank`.
    pub fn write_file_rank(&self, table: &mut TableBuilder) {
        let groups = self.by(|s| (s.log, s.file_id, s.layer, s.op, s.rank));
        for ((log, file_id, layer, op, rank), total) in groups {
            rows::FileRank {
                log,
                file_id,
                layer: layer.name(),
                op: op.name(),
                rank,
                calls: total.all.calls,
                bytes: total.all.bytes,
                time_s: total.all.time_s,
                longest_s: total.longest_s,
                first_s: total.first_s,
                last_s: total.last_s,
            }
            .push(table);
        }
    }

    /// Rows of table `rank_call`.
    pub fn write_rank_call(&self, table: &mut TableBuilder) {
        for ((log, rank, layer, op), total) in self.by(|s| (s.log, s.rank, s.layer, s.op)) {
            let Sum { calls, bytes, time_s } = total.all;
            let threads = Some(total.threads.len()).filter(|threads| *threads > 0);
            rows::RankCall {
                log,
                rank,
                layer: layer.name(),
                op: op.name(),
                calls,
                bytes,
                time_s,
                bandwidth_bytes_per_s: (time_s > 0.0).then(|| bytes as f64 / time_s),
                longest_s: total.longest_s,
                first_s: total.first_s,
                last_s: total.last_s,
                empty_calls: total.empty.calls,
                empty_s: total.empty.time_s,
                files: count(total.files.len()),
                threads: threads.map(count),
            }
            .push(table);
        }
    }

    /// Rows of table `size_time`.
    pub fn write_size_time(&self, table: &mut TableBuilder) {
        for ((log, layer, op), total) in self.by(|s| (s.log, s.layer, s.op)) {
            for (size, bin) in total.filled_bins() {
                rows::SizeTime {
                    log,
                    layer: layer.name(),
                    op: op.name(),
                    size_lo_bytes: size.smallest_bytes,
                    calls: bin.calls,
                    bytes: bin.bytes,
                    time_s: bin.time_s,
                    calls_ratio: share(bin.calls as f64, total.all.calls as f64),
                    bytes_ratio: share(bin.bytes as f64, total.all.bytes as f64),
                    time_ratio: share(bin.time_s, total.all.time_s),
                }
                .push(table);
            }
        }
    }

    /// Rows of table `file_size_time`.
    pub fn write_file_size_time(&self, table: &mut TableBuilder) {
        let groups = self.by(|s| (s.log, s.file_id, s.layer, s.op));
        for ((log, file_id, layer, op), total) in groups {
            for (size, bin) in total.filled_bins() {
                rows::FileSizeTime {
                    log,
                    file_id,
                    layer: layer.name(),
                    op: op.name(),
                    size_lo_bytes: size.smallest_bytes,
                    calls: bin.calls,
                    bytes: bin.bytes,
                    time_s: bin.time_s,
                    calls_ratio: share(bin.calls as f64, total.all.calls as f64),
                    bytes_ratio: share(bin.bytes as f64, total.all.bytes as f64),
                    time_ratio: share(bin.time_s, total.all.time_s),
                }
                .push(table);
            }
        }
    }
}

fn share(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then(|| part / whole)
}
