//! I/O that takes its time outside of calls: numbers that become text before a
//! write and numbers again after a read, accesses to mapped files that wait for a
//! page, and naps of a process that waits for a file.
//!
//! No call shows either. The recorder notes which files hold numbers as text, and
//! what the kernel counted for each process. What lies between two calls of a
//! thread bounds the first, what a process waited without being in a call the
//! second.

use super::Model;
use super::between_calls::{Activity, BetweenCalls};
use super::naps;
use super::page_faults::{Rank, page_faults, usages};
use super::pipes::pipes;
use super::sampled_work::{TextKey, Worked};
use crate::from_calls::{Call, Calls, batches};
use crate::hash::{HashMap, HashSet};
use crate::installed::Installed;
use crate::relay::Relays;
use crate::rows;
use diya_tables::{BatchSource, Op, TableBuilder, attribute};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Rows of each log.
pub(super) type Besides = HashMap<i32, Vec<BetweenCalls>>;

/// Converting a number takes 5 to 20 ns for each byte of its text in C, Fortran and
/// C++ libraries, and up to 50 ns in Python and on slow processors.
const LEAST_S_PER_BYTE: f64 = 5e-9;
const USUAL_S_PER_BYTE: f64 = 20e-9;
const MAX_S_PER_BYTE: f64 = 50e-9;

/// A file that is opened for so few transfers is opened for each line, or nearly.
const FEW_CALLS: i64 = 2;

/// Of a pause that conversion fills, this share is conversion at least.
const FILLED_RATIO: f64 = 0.5;

/// Calls that are looked at together: 0.2 GB.
const MAX_ROWS: usize = 5_000_000;

/// All logs whose recorder says what files hold, and what the kernel counted.
pub(super) fn of(
    tables: &[Arc<dyn BatchSource>],
    calls: &Calls,
    relays: &Relays,
    worked: &Worked,
) -> Besides {
    let numbers = files_of_numbers(tables);
    let usage = usages(tables, relays);
    let installed = Installed::read(tables);
    let pipes = pipes(tables);
    let mut ranks: Vec<Rank> = calls
        .streams
        .iter()
        .filter(|s| numbers.contains(&(s.log, s.file_id)) || usage.contains_key(&(s.log, s.rank)))
        .map(|s| (s.log, s.rank))
        .collect();
    ranks.sort_unstable();
    ranks.dedup();
    let (rank_of, counts) = calls.by_rank(&ranks);
    let mut besides = Besides::default();
    for batch in batches(&counts, MAX_ROWS) {
        let mut of_ranks: Vec<Vec<Call>> = batch.clone().map(|_| Vec::new()).collect();
        let place = |stream: usize| {
            rank_of[stream].filter(|rank| batch.contains(rank)).map(|rank| rank - batch.start)
        };
        calls.each_of(
            |stream| place(stream).is_some(),
            |call| place(call.stream as usize).iter().for_each(|at| of_ranks[*at].push(*call)),
        );
        for (rank, mut of_rank) in ranks[batch].iter().zip(of_ranks) {
            let rows = besides.entry(rank.0).or_default();
            let usage = usage.get(rank);
            rows.extend(usage.and_then(|usage| page_faults(*rank, usage, &of_rank, calls)));
            of_rank.sort_unstable_by(|a, b| {
                a.thread.cmp(&b.thread).then(a.start_s.total_cmp(&b.start_s))
            });
            if !worked.is_known(rank.0) && !installed.is_it(rank.0, rank.1) {
                rows.extend(text(*rank, &of_rank, calls, &numbers));
            }
            let idle_s = usage.map_or(0.0, |usage| usage.idle_s);
            let naps = naps::of(rank.1, &of_rank, calls, idle_s);
            rows.extend(naps.into_iter().filter(|of| !pipes.contains(&(rank.0, of.file_id))));
        }
    }
    for log in worked.logs() {
        let rows = besides.entry(log).or_default();
        rows.extend(sampled_text(log, worked.text(log, &numbers), calls));
    }
    besides
}

/// Conversion that samples of the processor show, with the calls that it is for.
fn sampled_text(log: i32, text: BTreeMap<TextKey, (f64, f64)>, calls: &Calls) -> Vec<BetweenCalls> {
    let key = |stream: usize| {
        let s = &calls.streams[stream];
        (s.rank, s.file_id, s.layer, s.op == Op::Write)
    };
    let is_selected = |stream: usize| {
        let s = &calls.streams[stream];
        s.log == log && s.is_transfer() && text.contains_key(&key(stream))
    };
    let mut moved: HashMap<TextKey, (i64, i64)> = HashMap::default();
    calls.each_of(is_selected, |call| {
        let sum = moved.entry(key(call.stream as usize)).or_default();
        sum.0 = sum.0.saturating_add(call.calls);
        sum.1 = sum.1.saturating_add(call.size_bytes);
    });
    let opens = opens(log, calls);
    let rows = |(of, (low_s, high_s)): (TextKey, (f64, f64))| {
        let (rank, file_id, layer, is_write) = of;
        let (calls, bytes) = moved.get(&of).copied().unwrap_or_default();
        // Where a file is opened for each line, the library sets itself up each time, too.
        let opens = opens.get(&(rank, file_id)).copied().unwrap_or_default();
        let handled_s = match opens.saturating_mul(FEW_CALLS) >= calls {
            true => (low_s - bytes as f64 * MAX_S_PER_BYTE).max(0.0),
            false => 0.0,
        };
        let (low_s, high_s) = (low_s - handled_s, high_s - handled_s);
        // What else was seen there is conversion as far as that takes so many bytes.
        let most_s = bytes as f64 * USUAL_S_PER_BYTE;
        let is_filled = high_s <= bytes as f64 * MAX_S_PER_BYTE;
        let text = BetweenCalls {
            rank,
            activity: Activity::Text,
            layer,
            op: if is_write { Op::Write } else { Op::Read },
            file_id,
            calls,
            bytes,
            low_s,
            high_s: if is_filled { high_s } else { low_s.max(most_s) },
        };
        let handling = BetweenCalls {
            activity: Activity::Handling,
            op: Op::Open,
            calls: opens,
            bytes: 0,
            low_s: handled_s,
            high_s: handled_s,
            ..text.clone()
        };
        [Some(text), (handled_s > 0.0).then_some(handling)].into_iter().flatten()
    };
    // Names that a program picks numbers from, as of a directory, are no file's contents.
    let of_log = calls.streams.iter().filter(|s| s.log == log && s.is_transfer());
    let moved_files: HashSet<u64> = of_log.map(|s| s.file_id).collect();
    text.into_iter()
        .filter(|((_, file_id, ..), _)| moved_files.contains(file_id))
        .flat_map(rows)
        .collect()
}

/// How often a process opened a file of this log.
fn opens(log: i32, calls: &Calls) -> HashMap<(i32, u64), i64> {
    let mut opens: HashMap<(i32, u64), i64> = HashMap::default();
    for (of, count) in calls.streams.iter().zip(calls.counts()) {
        if of.log == log && of.op == Op::Open {
            let sum = opens.entry((of.rank, of.file_id)).or_default();
            *sum = sum.saturating_add(i64::try_from(count).unwrap_or(i64::MAX));
        }
    }
    opens
}

diya_tables::columns! {
    struct FileAttributes of attribute { log: i32, file_id: u64, name: str, value: str }
}

/// Files of which nothing else was seen than numbers as text.
fn files_of_numbers(tables: &[Arc<dyn BatchSource>]) -> HashSet<(i32, u64)> {
    let (mut numbers, mut others) = (HashSet::default(), HashSet::default());
    for of in FileAttributes::all(tables) {
        for row in (0..of.rows()).filter(|row| of.name.value(*row) == "content") {
            let file = (of.log.value(row), of.file_id.value(row));
            // The head of a table is text; its processes may have seen one part each.
            match of.value.value(row) {
                "numbers" => numbers.insert(file),
                "text" => false,
                _ => others.insert(file),
            };
        }
    }
    numbers.difference(&others).copied().collect()
}

/// Conversion of the numbers in text files: in the pauses before writes and after
/// reads of one thread. `of_rank` is in the order of threads and time.
fn text(
    rank: Rank,
    of_rank: &[Call],
    calls: &Calls,
    numbers: &HashSet<(i32, u64)>,
) -> Vec<BetweenCalls> {
    let mut rows: BTreeMap<(u64, bool), BetweenCalls> = BTreeMap::new();
    let mut add = |call: &Call, gap_s: f64| {
        let stream = calls.stream(call);
        if !stream.is_transfer()
            || call.size_bytes <= 0
            || !numbers.contains(&(stream.log, stream.file_id))
        {
            return;
        }
        // Calls too short to be recorded one by one have their pauses between them.
        let inside_s = (call.end_s - call.start_s - call.busy_s).max(0.0);
        let (low_s, high_s) = conversion_s(gap_s + inside_s, call.size_bytes);
        let row = rows.entry((stream.file_id, stream.op == Op::Write)).or_insert(BetweenCalls {
            rank: rank.1,
            activity: Activity::Text,
            layer: stream.layer,
            op: stream.op,
            file_id: stream.file_id,
            calls: 0,
            bytes: 0,
            low_s: 0.0,
            high_s: 0.0,
        });
        row.calls = row.calls.saturating_add(call.calls);
        row.bytes = row.bytes.saturating_add(call.size_bytes);
        (row.low_s, row.high_s) = (row.low_s + low_s, row.high_s + high_s);
    };
    let mut end_s = f64::INFINITY; // of all calls of this thread so far
    for (at, call) in of_rank.iter().enumerate() {
        let is_first = at == 0 || of_rank[at - 1].thread != call.thread;
        let before_s = if is_first { 0.0 } else { (call.start_s - end_s).max(0.0) };
        end_s = if is_first { call.end_s } else { end_s.max(call.end_s) };
        let next = of_rank.get(at + 1).filter(|next| next.thread == call.thread);
        let after_s = next.map_or(0.0, |next| (next.start_s - call.end_s).max(0.0));
        let is_read = calls.stream(call).op == Op::Read;
        add(call, if is_read { after_s } else { before_s });
    }
    rows.into_values().collect()
}

/// Seconds of a pause that converting so many bytes takes, at least and at most.
fn conversion_s(pause_s: f64, bytes: i64) -> (f64, f64) {
    let bytes = bytes as f64;
    if pause_s <= bytes * MAX_S_PER_BYTE {
        return (pause_s * FILLED_RATIO, pause_s);
    }
    (bytes * LEAST_S_PER_BYTE, bytes * USUAL_S_PER_BYTE)
}

/// Rows of table `beside_calls`.
pub(crate) fn write(model: &Model, table: &mut TableBuilder) {
    let besides = &model.besides;
    let mut logs: Vec<i32> = besides.keys().copied().collect();
    logs.sort_unstable();
    for log in logs {
        for of in &besides[&log] {
            let kind = match of.activity {
                Activity::Text => "text",
                Activity::PageFaults => "page_faults",
                Activity::Handling => "handling",
                Activity::Naps => "naps",
            };
            rows::BesideCalls {
                log,
                rank: of.rank,
                kind,
                layer: of.layer.name(),
                op: of.op.name(),
                file_id: of.file_id,
                calls: of.calls,
                bytes: of.bytes,
                low_s: of.low_s,
                high_s: of.high_s,
            }
            .push(table);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_that_conversion_fills_is_conversion_and_a_longer_one_is_not() {
        assert_eq!(conversion_s(1.0, 50_000_000), (0.5, 1.0));
        let (low_s, high_s) = conversion_s(10.0, 50_000_000);
        assert!((low_s - 0.25).abs() < 1e-9 && (high_s - 1.0).abs() < 1e-9);
    }

    #[test]
    fn what_passes_before_a_write_and_after_a_read_counts() {
        let calls = Calls::from_text(
            "0 posix write 0 10000000 0.0 0.1 7
             0 posix write 0 10000000 0.3 0.4 7
             0 posix read  0 10000000 0.5 0.6 8
             0 posix close - 0        0.8 0.8 8",
        );
        let numbers = HashSet::from_iter([(0, 7), (0, 8)]);
        let mut of_rank = Vec::new();
        calls.each_of(|_| true, |call| of_rank.push(*call));
        let rows = text((0, 0), &of_rank, &calls, &numbers);
        let high = |at: usize| (rows[at].file_id, rows[at].bytes, (rows[at].high_s * 1e3).round());
        // 0.2 s before the second write; 0.2 s after the read.
        assert_eq!([high(0), high(1)], [(7, 20_000_000, 200.0), (8, 10_000_000, 200.0)]);
    }
}
