//! A chunk of calls as a block.
//!
//! What a run shares is kept once (`kinds`, `files`, runs of them); the
//! numbers are stored sorted by kind, because calls of one kind resemble each
//! other more than neighbours do.

use super::block::{Block, BlockKind, Effort};
use super::body::Body;
use super::numbers::{Scale, estimate, put_numbers, put_reals, put_texts};
use diya_tables::{CallChunk, CallRun, CallTable, FastHashMap, NameId, Sparse};
use std::ops::Range;

/// More files than this are not listed in the summary of a block.
const MAX_LISTED_FILES: usize = 32;

/// Makes a block of a chunk of this table.
pub fn encode_calls(table: &CallTable, chunk: &CallChunk, effort: Effort) -> Block {
    let shared = Shared::of(chunk);
    let raw = Encoder { table, chunk, shared: &shared }.payload();
    Block::new(BlockKind::Calls, "call", &summary(chunk, &shared.files), chunk.len(), &raw, effort)
}

/// Ranks, files and time of the calls: lets a reader skip the block.
fn summary(chunk: &CallChunk, files: &[u64]) -> Vec<u8> {
    let ranks = || chunk.runs.iter().map(|run| run.rank);
    let mut out = Vec::new();
    out.extend(ranks().min().unwrap_or(-1).to_le_bytes());
    out.extend(ranks().max().unwrap_or(-1).to_le_bytes());
    let least = chunk.start_s.iter().copied().fold(f64::INFINITY, f64::min);
    let most = chunk.end_s.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    out.extend(least.to_le_bytes());
    out.extend(most.to_le_bytes());
    if files.len() <= MAX_LISTED_FILES {
        out.extend(files.iter().flat_map(|id| id.to_le_bytes()));
    }
    out
}

/// What the runs of a chunk share.
struct Shared {
    /// Everything of a run but its file and length.
    kinds: Vec<CallRun>,
    files: Vec<u64>,
    /// Kind, file and calls of each run.
    runs: Vec<(usize, usize, Range<usize>)>,
    /// The runs, sorted by kind.
    sorted: Vec<usize>,
}

impl Shared {
    fn of(chunk: &CallChunk) -> Self {
        let (mut kinds, mut files, mut runs) = (Vec::new(), Vec::new(), Vec::new());
        let mut kind_places: FastHashMap<CallRun, usize> = FastHashMap::default();
        let mut file_places: FastHashMap<u64, usize> = FastHashMap::default();
        let mut start = 0;
        for run in chunk.runs.iter().filter(|run| run.len > 0) {
            let kind = CallRun { len: 0, log: 0, file_id: 0, ..*run };
            let kind = *kind_places.entry(kind).or_insert_with(|| {
                kinds.push(kind);
                kinds.len() - 1
            });
            let file = *file_places.entry(run.file_id).or_insert_with(|| {
                files.push(run.file_id);
                files.len() - 1
            });
            runs.push((kind, file, start..start + run.len));
            start += run.len;
        }
        let mut sorted: Vec<usize> = (0..runs.len()).collect();
        sorted.sort_by_key(|run| runs[*run].0);
        Self { kinds, files, runs, sorted }
    }

    /// Calls in the order in which their numbers are stored: by kind.
    fn by_kind(&self, wants: impl Fn(&CallRun) -> bool) -> impl Iterator<Item = Range<usize>> {
        let runs = self.sorted.iter().map(|run| &self.runs[*run]);
        runs.filter(move |run| wants(&self.kinds[run.0])).map(|run| run.2.clone())
    }

    fn gather<T: Copy>(&self, values: &[T], wants: impl Fn(&CallRun) -> bool) -> Vec<T> {
        let mut out = Vec::with_capacity(values.len());
        self.by_kind(wants).for_each(|calls| out.extend_from_slice(&values[calls]));
        out
    }
}

struct Encoder<'a> {
    table: &'a CallTable,
    chunk: &'a CallChunk,
    shared: &'a Shared,
}

impl Encoder<'_> {
    fn payload(&self) -> Body {
        let mut out = Body::default();
        self.put_shared(&mut out);
        let part = &mut Body::default();
        let mut column = |id: u8, fill: &dyn Fn(&mut Body)| {
            out.byte(id);
            out.part(part, fill);
        };
        let chunk = self.chunk;
        column(1, &|out| self.put_times(out));
        column(2, &|out| self.put_offsets(out));
        column(3, &|out| put_numbers(out, &self.shared.gather(&chunk.size_bytes, |k| k.has_size)));
        let u64s = |out: &mut Body, v: &[u64]| {
            put_numbers(out, &v.iter().map(|v| v.cast_signed()).collect::<Vec<i64>>());
        };
        if !chunk.thread.is_empty() {
            column(4, &|out| self.put_sparse(out, &chunk.thread, |_, v| v, u64s));
        }
        if !chunk.requested_bytes.is_empty() {
            // Nearly always what was done.
            let short = |call, v: i64| v.wrapping_sub(chunk.size_bytes[call]);
            column(5, &|out| self.put_sparse(out, &chunk.requested_bytes, short, put_numbers));
        }
        if !chunk.call_id.is_empty() {
            // Counted up by the recorder: the place in the chunk is most of it.
            let beyond = |call, v: u64| v.wrapping_sub(call as u64);
            column(6, &|out| self.put_sparse(out, &chunk.call_id, beyond, u64s));
        }
        if !chunk.parent_id.is_empty() {
            let above = |call, v: u64| v.wrapping_sub(chunk.call_id.get(call).unwrap_or(0));
            column(7, &|out| self.put_sparse(out, &chunk.parent_id, above, u64s));
        }
        if !chunk.stack_id.is_empty() {
            column(8, &|out| self.put_sparse(out, &chunk.stack_id, |_, v| v, u64s));
        }
        if !chunk.aux.is_empty() {
            column(9, &|out| self.put_sparse(out, &chunk.aux, |_, v| v, put_numbers));
        }
        if !chunk.calls.is_empty() {
            column(10, &|out| self.put_sparse(out, &chunk.calls, |_, v| v, put_numbers));
        }
        if !chunk.busy_s.is_empty() {
            column(11, &|out| self.put_sparse(out, &chunk.busy_s, |_, v| v, put_reals));
        }
        out
    }

    fn put_shared(&self, out: &mut Body) {
        let Shared { kinds, files, runs, .. } = self.shared;
        for count in [self.chunk.len(), runs.len(), kinds.len(), files.len()] {
            out.size(count);
        }
        let mut names =
            Names { table: self.table, places: FastHashMap::default(), texts: Vec::new() };
        let mut columns: [Vec<i64>; 8] = Default::default();
        for kind in kinds {
            let collective = kind.is_collective.map_or(0, |yes| 1 + i64::from(yes));
            let flags = i64::from(kind.has_offset)
                + 2 * i64::from(kind.has_size)
                + 4 * i64::from(kind.process.is_some())
                + 8 * collective;
            let values = [
                names.text(kind.layer.name()),
                names.text(kind.op.name()),
                i64::from(kind.rank),
                names.optional(kind.host),
                names.optional(kind.function),
                names.optional(kind.error),
                i64::from(kind.process.unwrap_or(0)),
                flags,
            ];
            columns.iter_mut().zip(values).for_each(|(column, value)| column.push(value));
        }
        out.size(names.texts.len());
        put_texts(out, &names.texts);
        columns.iter().for_each(|column| put_numbers(out, column));
        put_numbers(out, &files.iter().map(|id| id.cast_signed()).collect::<Vec<i64>>());
        put_numbers(out, &runs.iter().map(|run| run.0 as i64).collect::<Vec<i64>>());
        put_numbers(out, &runs.iter().map(|run| run.1 as i64).collect::<Vec<i64>>());
        put_numbers(out, &runs.iter().map(|run| run.2.len() as i64).collect::<Vec<i64>>());
    }

    /// Start: after the start, or the end, of the call before; then duration.
    fn put_times(&self, out: &mut Body) {
        let chunk = self.chunk;
        let scale = Scale::of(chunk.start_s.iter().chain(&chunk.end_s));
        let room = || Vec::with_capacity(chunk.len());
        let [mut after_start, mut after_end, mut nested, mut durations] = [(); 4].map(|()| room());
        let has_parents = !chunk.parent_id.is_empty();
        let (mut last_start, mut last_end) = (0_i64, 0_i64);
        for (call, (start_s, end_s)) in chunk.start_s.iter().zip(&chunk.end_s).enumerate() {
            let (start, end) = (scale.whole(*start_s), scale.whole(*end_s));
            after_start.push(start.wrapping_sub(last_start));
            after_end.push(start.wrapping_sub(last_end));
            durations.push(end.wrapping_sub(start));
            if has_parents {
                let last = if is_nested(chunk, call) { last_start } else { last_end };
                nested.push(start.wrapping_sub(last));
            }
            (last_start, last_end) = (start, end);
        }
        let lists = [after_start, after_end, nested];
        let forms = if has_parents { 1..=3 } else { 1..=2 };
        let best = forms.min_by_key(|form| estimate(&lists[form - 1])).unwrap_or(1);
        scale.put(out);
        out.byte(best as u8);
        put_numbers(out, &self.shared.gather(&lists[best - 1], |_| true));
        put_numbers(out, &self.shared.gather(&durations, |_| true));
    }

    /// Offset: itself, or after the last offset, or the end, of the call
    /// before it in the same file.
    fn put_offsets(&self, out: &mut Body) {
        let chunk = self.chunk;
        let offsets = &chunk.offset_bytes;
        let mut last = vec![(0_i64, 0_i64); self.shared.files.len()];
        let (mut steps, mut gaps) = (offsets.clone(), offsets.clone());
        for (kind, file, calls) in &self.shared.runs {
            let kind = &self.shared.kinds[*kind];
            if !kind.has_offset {
                continue;
            }
            let (last_offset, last_end) = &mut last[*file];
            for call in calls.clone() {
                let offset = offsets[call];
                steps[call] = offset.wrapping_sub(*last_offset);
                gaps[call] = offset.wrapping_sub(*last_end);
                let moved = if kind.has_size { chunk.size_bytes[call] } else { 0 };
                (*last_offset, *last_end) = (offset, offset.wrapping_add(moved));
            }
        }
        let lists = [offsets, &steps, &gaps].map(|list| self.shared.gather(list, |k| k.has_offset));
        let best = (0..3).min_by_key(|way| estimate(&lists[*way])).unwrap_or(0);
        out.byte(best as u8);
        put_numbers(out, &lists[best]);
    }

    /// Who has a value, then the values, each seen from `relative`.
    fn put_sparse<T: Copy + Default>(
        &self,
        out: &mut Body,
        column: &Sparse<T>,
        relative: impl Fn(usize, T) -> T,
        put: impl Fn(&mut Body, &[T]),
    ) {
        let values = column.values();
        if column.is_complete() && values.len() == self.chunk.len() {
            let mut all = Vec::with_capacity(values.len());
            for calls in self.shared.by_kind(|_| true) {
                all.extend(calls.map(|call| relative(call, values[call])));
            }
            out.byte(1);
            put(out, &all);
            return;
        }
        let calls = || self.shared.by_kind(|_| true).flatten();
        let known: Vec<T> =
            calls().filter_map(|call| column.get(call).map(|v| relative(call, v))).collect();
        if known.len() == self.chunk.len() {
            out.byte(1);
        } else {
            out.byte(2);
            let mut bits = vec![0_u8; self.chunk.len().div_ceil(8)];
            for (place, _) in calls().enumerate().filter(|(_, call)| column.get(*call).is_some()) {
                bits[place / 8] |= 1 << (place % 8);
            }
            out.bytes(&bits);
        }
        put(out, &known);
    }
}

/// Was the call made inside the call before it, or that one inside this one?
fn is_nested(chunk: &CallChunk, call: usize) -> bool {
    let is_parent = |parent: usize, child: usize| {
        chunk.parent_id.get(child).is_some_and(|id| chunk.call_id.get(parent) == Some(id))
    };
    call > 0 && (is_parent(call, call - 1) || is_parent(call - 1, call))
}

/// Names that the kinds of a block use, numbered as they come.
struct Names<'a> {
    table: &'a CallTable,
    places: FastHashMap<&'a str, i64>,
    texts: Vec<&'a str>,
}

impl<'a> Names<'a> {
    fn text(&mut self, text: &'a str) -> i64 {
        let Self { places, texts, .. } = self;
        *places.entry(text).or_insert_with(|| {
            texts.push(text);
            texts.len() as i64 - 1
        })
    }

    /// 0: none; otherwise one more than the place of the name.
    fn optional(&mut self, id: Option<NameId>) -> i64 {
        let table: &'a CallTable = self.table;
        id.map_or(0, |id| self.text(table.name(id)) + 1)
    }
}
