//! What the processor was used for: samples of each thread by the kind of work, inside
//! calls and between them.
//!
//! Between two calls the work belongs to the transfer that it is for: what is packed or
//! formatted, to the write that follows; what is unpacked or parsed, to the read before.

use super::batches;
use super::calls::Calls;
use super::passed_time::{of_threads, waits};
use super::processor_position::{Item, Position, attribute_to};
use super::processor_samples::{Samples, TakenSample, Thread};
use super::{interpreter_samples, module_samples};
use crate::hash::{HashMap, HashSet};
use crate::installed::Installed;
use crate::rows;
use crate::work_kinds::Work;
use diya_tables::{BatchSource, Op, TableBuilder, attribute};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Calls that are looked at together: 0.2 GB.
const MAX_ROWS: usize = 5_000_000;

/// Threads that work in the same quarter of a second share it.
const SLOT_S: f64 = 0.25;

/// No method makes so few packed bytes in a second (LZMA and bzip2 at their strongest some
/// hundred thousand), none takes in so few when it unpacks (some millions): what does, works
/// on something else than the file.
const LEAST_PACKED_RATE: f64 = 50e3;
const LEAST_UNPACKED_RATE: f64 = 500e3;

/// Work of one kind by one library, of one process.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Part {
    pub log: i32,
    pub rank: i32,
    pub place: Position,
    /// That of the call it is done in or for, as in [`Calls::streams`].
    pub stream: Option<u32>,
    pub work: Work,
    pub library: String,
    pub samples: i64,
    /// Processor time.
    pub time_s: f64,
    /// What passes meanwhile, less what threads do side by side.
    pub passed_s: f64,
}

/// The work of all processes that were sampled.
#[derive(Debug, Default)]
pub(crate) struct ProcessorWork {
    pub parts: Vec<Part>,
    /// The recorder's own work in each process: no part of the program's.
    recorder: BTreeMap<(i32, i32), Sum>,
}

/// What parts have in common: process, place and stream.
type Group = (i32, i32, Position, Option<u32>);

#[derive(Debug, Clone, Copy, Default)]
struct Sum {
    samples: i64,
    time_s: f64,
    passed_s: f64,
}

impl Sum {
    fn add(&mut self, samples: i64, time_s: f64, passed_s: f64) {
        self.samples = self.samples.saturating_add(samples);
        self.time_s += time_s;
        self.passed_s += passed_s;
    }
}

/// By kind, and number of the library.
type Sums = BTreeMap<Group, BTreeMap<(Work, u32), Sum>>;

impl ProcessorWork {
    /// Of all logs with samples.
    pub fn of(tables: &[Arc<dyn BatchSource>], calls: &Calls, installed: &Installed) -> Self {
        let mut samples = Samples::read(tables, installed);
        if samples.threads.is_empty() {
            return Self::default();
        }
        interpreter_samples::attribute(&mut samples);
        module_samples::attribute(&mut samples, tables);
        let mut sums = Sums::new();
        let mut recorder: BTreeMap<(i32, i32), Sum> = BTreeMap::new();
        let slots = slots(&samples);
        let waits = waits(tables);
        let moved = each_process(&samples, calls, &mut |(log, rank), threads| {
            let waits = waits.get(&(log, rank)).copied().unwrap_or(usize::MAX);
            for ((items, taken), passed) in threads.iter().zip(of_threads(threads, waits, calls)) {
                attribute_to(items, taken, calls, &mut |place, stream, at, ratio| {
                    let sample = &taken[at];
                    let (work, library) = samples.code(sample);
                    let threads = slots.get(&(log, rank, slot(sample))).copied().unwrap_or(1);
                    let passed_s = passed[at] * ratio / f64::from(threads.max(1));
                    let sum = if work == Work::Recorder {
                        recorder.entry((log, rank)).or_default()
                    } else {
                        let of_group = sums.entry((log, rank, place, stream)).or_default();
                        of_group.entry((work, library)).or_default()
                    };
                    sum.add(i64::from(ratio > 0.5), sample.weight_s * ratio, passed_s);
                });
            }
        });
        sums.values_mut().for_each(share_out);
        let textual = textual(tables);
        let mut parts = Vec::new();
        for ((log, rank, place, stream), of_group) in sums {
            let file = stream.map(|stream| (log, calls.streams[stream as usize].file_id));
            for ((work, library), Sum { samples: count, time_s, passed_s }) in of_group {
                let is_text = work == Work::Fortran && file.is_some_and(|of| textual.contains(&of));
                let is_for_file = place == Position::Call
                    || stream.is_some_and(|of| is_at_rate(of, calls, &moved, passed_s));
                let work = match if is_text { Work::Text } else { work } {
                    Work::Compression if !is_for_file => Work::Own,
                    work => work,
                };
                let library = samples.library(library);
                let samples = count;
                parts.push(Part {
                    log,
                    rank,
                    place,
                    stream,
                    work,
                    library,
                    samples,
                    time_s,
                    passed_s,
                });
            }
        }
        Self { parts, recorder }
    }

    /// Rows of table `processor_work`.
    pub fn write(&self, calls: &Calls, table: &mut TableBuilder) {
        for part in &self.parts {
            let stream = part.stream.map(|stream| &calls.streams[stream as usize]);
            rows::ProcessorWork {
                log: part.log,
                rank: part.rank,
                place: if part.place == Position::Call { "call" } else { "between" },
                layer: stream.map(|stream| stream.layer.name()),
                op: stream.map(|stream| stream.op.name()),
                file_id: stream.map(|stream| stream.file_id),
                kind: part.work.name(),
                library: &part.library,
                samples: part.samples,
                time_s: part.time_s,
                passed_s: part.passed_s,
            }
            .push(table);
        }
        for ((log, rank), sum) in &self.recorder {
            rows::ProcessorWork {
                log: *log,
                rank: *rank,
                place: "between",
                layer: None,
                op: None,
                file_id: None,
                kind: Work::Recorder.name(),
                library: "diya",
                samples: sum.samples,
                time_s: sum.time_s,
                passed_s: sum.passed_s,
            }
            .push(table);
        }
    }
}

/// Whether packing or unpacking what a stream moves can take so long.
fn is_at_rate(stream: u32, calls: &Calls, moved: &HashMap<u32, i64>, passed_s: f64) -> bool {
    let is_read = calls.streams[stream as usize].op == Op::Read;
    let least = if is_read { LEAST_UNPACKED_RATE } else { LEAST_PACKED_RATE };
    moved.get(&stream).is_some_and(|bytes| *bytes as f64 >= least * passed_s)
}

fn slot(sample: &TakenSample) -> i64 {
    (sample.time_s / SLOT_S) as i64
}

/// How many threads of a process were seen at work in each slot of time.
fn slots(samples: &Samples) -> HashMap<(i32, i32, i64), u32> {
    let mut slots = HashMap::default();
    for ((log, rank, _), taken) in &samples.threads {
        let mut last = None;
        let own = taken.iter().filter(|sample| samples.code(sample).0 != Work::Recorder);
        for slot in own.map(slot) {
            if last != Some(slot) {
                *slots.entry((*log, *rank, slot)).or_default() += 1;
            }
            last = Some(slot);
        }
    }
    slots
}

/// Memory is copied and allocated for something: for what else the group does.
fn share_out(of_group: &mut BTreeMap<(Work, u32), Sum>) {
    let shared: Vec<Sum> = of_group
        .iter()
        .filter(|((work, _), _)| *work == Work::Shared)
        .map(|(_, sum)| *sum)
        .collect();
    let shared_s: f64 = shared.iter().map(|sum| sum.time_s).sum();
    let others_s: f64 = of_group.values().map(|sum| sum.time_s).sum::<f64>() - shared_s;
    if shared_s <= 0.0 {
        return;
    }
    if others_s <= 0.0 {
        let all = std::mem::take(of_group);
        for ((_, library), sum) in all {
            of_group.insert((Work::Own, library), sum);
        }
        return;
    }
    of_group.retain(|(work, _), _| *work != Work::Shared);
    let passed_s: f64 = shared.iter().map(|sum| sum.passed_s).sum();
    for sum in of_group.values_mut() {
        let ratio = sum.time_s / others_s;
        sum.time_s += shared_s * ratio;
        sum.passed_s += passed_s * ratio;
    }
}

diya_tables::columns! {
    struct FileAttributes of attribute { log: i32, file_id: u64, name: str, value: str }
}

/// Files in which nothing but text was seen.
fn textual(tables: &[Arc<dyn BatchSource>]) -> HashSet<(i32, u64)> {
    let (mut text, mut others) = (HashSet::default(), HashSet::default());
    for of in FileAttributes::all(tables) {
        for row in (0..of.rows()).filter(|row| of.name.value(*row) == "content") {
            let is_text = matches!(of.value.value(row), "numbers" | "text");
            let files_of = if is_text { &mut text } else { &mut others };
            files_of.insert((of.log.value(row), of.file_id.value(row)));
        }
    }
    text.difference(&others).copied().collect()
}

/// A thread that was sampled: its calls in the order of their starts, what was made inside
/// a call behind it; and its samples.
type Sampled<'a> = (&'a [Item], &'a [TakenSample]);

/// Shows the threads of each process that were sampled. Returns the bytes that they move, by
/// stream.
fn each_process(
    samples: &Samples,
    calls: &Calls,
    visit: &mut impl FnMut((i32, i32), &[Sampled]),
) -> HashMap<u32, i64> {
    let mut moved: HashMap<u32, i64> = HashMap::default();
    let mut ranks: Vec<(i32, i32)> =
        samples.threads.keys().map(|(log, rank, _)| (*log, *rank)).collect();
    ranks.dedup();
    let (rank_of, counts) = calls.by_rank(&ranks);
    for batch in batches(&counts, MAX_ROWS) {
        let mut threads: BTreeMap<Thread, Vec<Item>> = BTreeMap::new();
        calls.each_of(
            |stream| rank_of[stream].is_some_and(|rank| batch.contains(&rank)),
            |call| {
                let stream = calls.stream(call);
                let Some(thread) = calls.threads.get(call.thread as usize) else { return };
                let thread = (stream.log, stream.rank, *thread);
                if samples.threads.contains_key(&thread) {
                    let of_stream = moved.entry(call.stream).or_default();
                    *of_stream = of_stream.saturating_add(call.size_bytes.max(0));
                    threads.entry(thread).or_default().push(Item::of(call));
                }
            },
        );
        let by_start =
            |a: &Item, b: &Item| a.start_s.total_cmp(&b.start_s).then(b.end_s.total_cmp(&a.end_s));
        threads.values_mut().for_each(|items| items.sort_by(by_start));
        for process in &ranks[batch] {
            let (log, rank) = *process;
            let of_process: Vec<Sampled> = threads
                .range((log, rank, 0)..=(log, rank, u64::MAX))
                .filter_map(|(thread, items)| {
                    Some((items.as_slice(), samples.threads.get(thread)?.as_slice()))
                })
                .collect();
            visit(*process, &of_process);
        }
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_memory_is_copied_for_is_what_else_is_done_there() {
        let sum = |time_s: f64| Sum { samples: 1, time_s, passed_s: time_s };
        let mut group = BTreeMap::from([
            ((Work::Text, 0), sum(0.3)),
            ((Work::Own, 1), sum(0.1)),
            ((Work::Shared, 2), sum(0.2)),
        ]);
        share_out(&mut group);
        let times: Vec<_> = group.iter().map(|(key, sum)| (*key, sum.time_s)).collect();
        assert!(
            (times[0].1 - 0.45).abs() < 1e-12 && (times[1].1 - 0.15).abs() < 1e-12,
            "{times:?}"
        );
        let mut alone = BTreeMap::from([((Work::Shared, 2), sum(0.2))]);
        share_out(&mut alone);
        assert_eq!(alone.keys().collect::<Vec<_>>(), [&(Work::Own, 2)]);
    }
}
