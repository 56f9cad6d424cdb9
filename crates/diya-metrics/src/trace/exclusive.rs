//! Time that a rank spends in a layer itself, not in a layer below it.
//!
//! Taken from when calls were running, not from which call made which: a DXT
//! trace does not record that.

use super::calls::{Call, Calls, Stream};
use super::intervals::{join, overlap_s, seconds};
use super::phases::{Phase, Phases, place};
use diya_tables::{Layer, TableBuilder};
use std::collections::BTreeMap;

/// How far down a layer stands: a call of a layer runs inside calls of smaller
/// numbers only.
fn depth(layer: Layer) -> u8 {
    match layer {
        Layer::Netcdf => 0,
        Layer::Hdf5File
        | Layer::Hdf5Dataset
        | Layer::Hdf5Other
        | Layer::PnetcdfFile
        | Layer::PnetcdfVar => 1,
        Layer::Mpiio => 2,
        Layer::Posix | Layer::Stdio | Layer::Dfs => 3,
        Layer::Daos => 4,
    }
}

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

/// The layers of each log and rank.
type Ranks = BTreeMap<(i32, i32), BTreeMap<(u8, Layer), Part>>;

/// The layers of all ranks, and what each call has to itself.
#[derive(Debug)]
pub(super) struct Exclusive {
    ranks: Ranks,
    files: BTreeMap<(i32, u64, Layer), FileTime>,
}

impl Exclusive {
    /// Takes all calls apart.
    pub fn of(calls: &Calls) -> Self {
        let mut ranks = Ranks::new();
        // Streams that go to one part, so that a call needs no search.
        let mut numbers = BTreeMap::new();
        let part_of: Vec<usize> = calls
            .streams
            .iter()
            .map(|s| {
                let next = numbers.len();
                *numbers.entry((s.log, s.rank, s.layer)).or_insert(next)
            })
            .collect();
        let mut parts: Vec<Part> = Vec::new();
        parts.resize_with(numbers.len(), Part::default);
        for call in &calls.rows {
            let part = &mut parts[part_of[call.stream as usize]];
            part.spans.push((call.start_s, call.end_s));
            part.calls = part.calls.saturating_add(call.calls);
            part.time_s += call.busy_s;
        }
        for ((log, rank, layer), number) in &numbers {
            let part = std::mem::take(&mut parts[*number]);
            ranks.entry((*log, *rank)).or_default().insert((depth(*layer), *layer), part);
        }
        ranks.values_mut().for_each(subtract_lower);
        let files = files(calls, &ranks);
        Self { ranks, files }
    }

    /// Rows of table `phase_exclusive`.
    pub fn write_phases(&self, calls: &Calls, phases: &Phases, table: &mut TableBuilder) {
        let below = below(calls, &self.ranks);
        let of_stream: Vec<(usize, &[Phase])> =
            calls.streams.iter().map(|s| phases.of_layer_at(s.log, s.layer, s.is_data())).collect();
        let mut sums = vec![(0.0, 0.0); phases.phases.len()];
        for call in &calls.rows {
            let (first, own) = of_stream[call.stream as usize];
            let Some(at) = place(own, call.start_s) else { continue };
            let sum = &mut sums[first + at];
            sum.0 += call.busy_s;
            sum.1 += own_s(call, below[call.stream as usize]);
        }
        for (phase, (time_s, exclusive_s)) in phases.phases.iter().zip(sums) {
            table.push_i32(0, Some(phase.log));
            table.push_str(1, Some(phase.layer.name()));
            table.push_i32(2, Some(phase.number));
            table.push_f64(3, Some(time_s));
            table.push_f64(4, Some(exclusive_s));
            table.push_f64(5, (time_s > 0.0).then(|| exclusive_s / time_s));
            table.end_row();
        }
    }

    /// Rows of table `exclusive_time`.
    pub fn write(&self, table: &mut TableBuilder) {
        for ((log, rank), parts) in &self.ranks {
            for ((_, layer), part) in parts {
                table.push_i32(0, Some(*log));
                table.push_i32(1, Some(*rank));
                table.push_str(2, Some(layer.name()));
                table.push_i64(3, Some(part.calls));
                table.push_f64(4, Some(part.time_s));
                table.push_f64(5, Some(part.busy_s));
                table.push_f64(6, Some(part.exclusive_s));
                table.end_row();
            }
        }
    }

    /// Rows of table `file_exclusive`.
    pub fn write_files(&self, table: &mut TableBuilder) {
        for ((log, file_id, layer), file) in &self.files {
            table.push_i32(0, Some(*log));
            table.push_u64(1, Some(*file_id));
            table.push_str(2, Some(layer.name()));
            table.push_i64(3, Some(file.calls));
            table.push_f64(4, Some(file.time_s));
            table.push_f64(5, Some(file.exclusive_s));
            table.end_row();
        }
    }
}

/// When lower layers were running on the rank of each stream.
fn below<'a>(calls: &Calls, ranks: &'a Ranks) -> Vec<&'a [(f64, f64)]> {
    let of_stream = |s: &Stream| {
        let part = ranks.get(&(s.log, s.rank)).and_then(|p| p.get(&(depth(s.layer), s.layer)));
        part.map_or(&[][..], |part| &part.below)
    };
    calls.streams.iter().map(of_stream).collect()
}

/// Sums of calls per file; a call of a rank without lower layers is all its own.
fn files(calls: &Calls, ranks: &Ranks) -> BTreeMap<(i32, u64, Layer), FileTime> {
    let below = below(calls, ranks);
    let mut sums: Vec<FileTime> = Vec::new();
    sums.resize_with(calls.streams.len(), FileTime::default);
    for call in &calls.rows {
        let sum = &mut sums[call.stream as usize];
        sum.calls = sum.calls.saturating_add(call.calls);
        sum.time_s += call.busy_s;
        sum.exclusive_s += own_s(call, below[call.stream as usize]);
    }
    let mut files: BTreeMap<(i32, u64, Layer), FileTime> = BTreeMap::new();
    for (stream, sum) in calls.streams.iter().zip(sums) {
        let file = files.entry((stream.log, stream.file_id, stream.layer)).or_default();
        file.calls = file.calls.saturating_add(sum.calls);
        file.time_s += sum.time_s;
        file.exclusive_s += sum.exclusive_s;
    }
    files
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
fn subtract_lower(parts: &mut BTreeMap<(u8, Layer), Part>) {
    let top = parts.keys().next().map_or(0, |(depth, _)| *depth);
    let (mut below, mut beside, mut at_depth) = (Vec::new(), Vec::new(), u8::MAX);
    for ((depth, _), part) in parts.iter_mut().rev() {
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
