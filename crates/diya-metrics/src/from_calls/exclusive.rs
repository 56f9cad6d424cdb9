//! Time that a rank spends in a layer itself, not in a layer below it.
//!
//! Taken from when calls were running, not from which call made which: a DXT
//! trace does not record that. Ranks are looked at one after the other, some
//! million calls at a time: what is running below is forgotten with its rank.

use super::call::Call;
use super::call_batch::batches;
use super::calls::Calls;
use super::intervals::{join, overlap_s, seconds};
use super::phases::{Phase, Phases, place};
use crate::rows;
use diya_tables::{Layer, TableBuilder};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Calls of which the spans are kept at a time: 0.2 GB.
const MAX_SPANS: usize = 12_000_000;

/// Calls of one rank in one layer.
#[derive(Debug, Default)]
struct Part {
    spans: Vec<(f64, f64)>,
    calls: i64,
    time_s: f64,
    busy_s: f64,
    exclusive_s: f64,
    /// When lower layers were running, joined.
    below: Vec<(f64, f64)>,
}

/// Time of one file in one layer.
#[derive(Debug, Default)]
struct FileTime {
    calls: i64,
    time_s: f64,
    exclusive_s: f64,
}

/// Time by log, file and layer.
type FileTimes = BTreeMap<(i32, u64, Layer), FileTime>;

/// Log, rank and layer, the layers of a rank from the top down.
type Key = (i32, i32, u8, Layer);

/// The layers of all ranks, and what each call has to itself.
#[derive(Debug)]
pub(crate) struct Exclusive {
    parts: Vec<(Key, Part)>,
    files: FileTimes,
    /// Of each phase: seconds in calls, and those that are exclusive.
    phases: Vec<(f64, f64)>,
}

impl Exclusive {
    /// Takes all calls apart.
    pub fn of(calls: &Calls, phases: &Phases) -> Self {
        Self::within(calls, phases, MAX_SPANS)
    }

    /// The same, with the spans of at most so many calls at a time.
    pub(super) fn within(calls: &Calls, phases: &Phases, most: usize) -> Self {
        let keys: BTreeSet<Key> =
            calls.streams.iter().map(|s| (s.log, s.rank, s.layer.depth(), s.layer)).collect();
        let mut parts: Vec<(Key, Part)> =
            keys.into_iter().map(|key| (key, Part::default())).collect();
        let place = |key: Key| parts.partition_point(|(known, _)| *known < key);
        let part_of: Vec<usize> = calls
            .streams
            .iter()
            .map(|s| place((s.log, s.rank, s.layer.depth(), s.layer)))
            .collect();
        // The parts of a rank stand together, and their calls are needed together.
        let ranks: Vec<Range<usize>> = parts
            .chunk_by(|(a, _), (b, _)| (a.0, a.1) == (b.0, b.1))
            .scan(0, |end, of_rank| {
                let first = *end;
                *end += of_rank.len();
                Some(first..*end)
            })
            .collect();
        let mut counts = vec![0; parts.len()];
        for (part, count) in part_of.iter().zip(calls.counts()) {
            counts[*part] += count;
        }
        let of_ranks: Vec<usize> = ranks.iter().map(|of| counts[of.clone()].iter().sum()).collect();
        let mut sums = Sums::new(calls, phases);
        for batch in batches(&of_ranks, most) {
            let of_batch = ranks[batch.start].start..ranks[batch.end - 1].end;
            let is_selected = |stream: usize| of_batch.contains(&part_of[stream]);
            for part in of_batch.clone() {
                parts[part].1.spans.reserve_exact(counts[part]);
            }
            calls.each_of(is_selected, |call| {
                let part = &mut parts[part_of[call.stream as usize]].1;
                part.spans.push((call.start_s, call.end_s));
                part.calls = part.calls.saturating_add(call.calls);
                part.time_s += call.busy_s;
            });
            for rank in &ranks[batch] {
                subtract_lower(&mut parts[rank.clone()]);
            }
            calls.each_of(is_selected, |call| {
                sums.add(call, &parts[part_of[call.stream as usize]].1.below);
            });
            parts[of_batch].iter_mut().for_each(|(_, part)| part.below = Vec::new());
        }
        let (files, phases) = sums.finish();
        Self { parts, files, phases }
    }

    /// Rows of table `phase_exclusive`.
    pub fn write_phases(&self, phases: &Phases, table: &mut TableBuilder) {
        for (phase, (time_s, exclusive_s)) in phases.phases.iter().zip(&self.phases) {
            rows::PhaseExclusive {
                log: phase.log,
                layer: phase.layer.name(),
                phase: phase.number,
                time_s: *time_s,
                exclusive_s: *exclusive_s,
                exclusive_ratio: (*time_s > 0.0).then(|| exclusive_s / time_s),
            }
            .push(table);
        }
    }

    /// Rows of table `exclusive_time`.
    pub fn write(&self, table: &mut TableBuilder) {
        for ((log, rank, _, layer), part) in &self.parts {
            rows::ExclusiveTime {
                log: *log,
                rank: *rank,
                layer: layer.name(),
                calls: part.calls,
                time_s: part.time_s,
                busy_s: part.busy_s,
                exclusive_s: part.exclusive_s,
            }
            .push(table);
        }
    }

    /// Rows of table `file_exclusive`.
    pub fn write_files(&self, table: &mut TableBuilder) {
        for ((log, file_id, layer), file) in &self.files {
            rows::FileExclusive {
                log: *log,
                file_id: *file_id,
                layer: layer.name(),
                calls: file.calls,
                time_s: file.time_s,
                exclusive_s: file.exclusive_s,
            }
            .push(table);
        }
    }
}

/// What the calls of files and phases have to themselves.
struct Sums<'c> {
    calls: &'c Calls,
    of_streams: Vec<FileTime>,
    /// By stream: the phases of its log and layer, and the place of their first.
    phases_of: Vec<(usize, &'c [Phase])>,
    of_phases: Vec<(f64, f64)>,
}

impl<'c> Sums<'c> {
    fn new(calls: &'c Calls, phases: &'c Phases) -> Self {
        let mut of_streams = Vec::new();
        of_streams.resize_with(calls.streams.len(), FileTime::default);
        let own = calls.streams.iter().map(|s| phases.of_layer_at(s.log, s.layer, s.is_data()));
        let of_phases = vec![(0.0, 0.0); phases.phases.len()];
        Self { calls, of_streams, phases_of: own.collect(), of_phases }
    }

    fn add(&mut self, call: &Call, below: &[(f64, f64)]) {
        let exclusive_s = own_s(call, below);
        let sum = &mut self.of_streams[call.stream as usize];
        sum.calls = sum.calls.saturating_add(call.calls);
        sum.time_s += call.busy_s;
        sum.exclusive_s += exclusive_s;
        let (first, own) = self.phases_of[call.stream as usize];
        if let Some(at) = place(own, call.start_s) {
            let sum = &mut self.of_phases[first + at];
            sum.0 += call.busy_s;
            sum.1 += exclusive_s;
        }
    }

    fn finish(self) -> (FileTimes, Vec<(f64, f64)>) {
        let mut files = FileTimes::new();
        for (stream, sum) in self.calls.streams.iter().zip(self.of_streams) {
            let file = files.entry((stream.log, stream.file_id, stream.layer)).or_default();
            file.calls = file.calls.saturating_add(sum.calls);
            file.time_s += sum.time_s;
            file.exclusive_s += sum.exclusive_s;
        }
        (files, self.of_phases)
    }
}

/// Time in a call while no lower layer was running; `below` is joined.
fn own_s(call: &Call, below: &[(f64, f64)]) -> f64 {
    let first = below.partition_point(|span| span.1 <= call.start_s);
    let covered_s: f64 = below[first..]
        .iter()
        .take_while(|span| span.0 < call.end_s)
        .map(|span| span.1.min(call.end_s) - span.0.max(call.start_s))
        .sum();
    let span_s = call.end_s - call.start_s;
    // In a run of tiny calls only a part of the span is in calls.
    if span_s > 0.0 { call.busy_s * ((span_s - covered_s) / span_s).clamp(0.0, 1.0) } else { 0.0 }
}

/// Goes from the bottom up: `below` is when a lower layer was running, `beside`
/// what of the depth at hand will lie below the next.
fn subtract_lower(of_rank: &mut [(Key, Part)]) {
    let top = of_rank.first().map_or(0, |((.., depth, _), _)| *depth);
    let (mut below, mut beside, mut at_depth) = (Vec::new(), Vec::new(), u8::MAX);
    for ((.., depth, _), part) in of_rank.iter_mut().rev() {
        if *depth != at_depth {
            at_depth = *depth;
            below.append(&mut beside);
            join(&mut below);
        }
        join(&mut part.spans);
        part.busy_s = seconds(&part.spans);
        part.exclusive_s = (part.busy_s - overlap_s(&part.spans, &below)).max(0.0);
        let spans = std::mem::take(&mut part.spans);
        // Nothing stands above the top layer that would ask for its spans.
        if *depth > top {
            beside.extend(spans);
        }
        part.below.clone_from(&below);
    }
}
