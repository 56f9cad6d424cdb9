//! A block of calls: what the stored share, then the numbers by kind.

use super::cursor::{Cursor, MAX_ROWS, Payload};
use super::numbers::{Known, Scale, Texts, known, numbers, reals};
use crate::Selection;
use crate::walk::Damage;
use diya_tables::{CallChunk, CallRun, CallTable, Layer, NameId, Op, Sparse};
use std::ops::Range;

/// Calls of a block, and what of it is not known to this program.
pub(super) struct DecodedCalls {
    pub calls: CallTable,
    /// Calls of layers or operations that this program does not know.
    pub unknown: u64,
    /// Numbers of columns that this program does not know.
    pub unknown_columns: Vec<u8>,
}

/// What the summary of a block says of its calls.
pub(super) fn is_selected(summary: &[u8], selection: &Selection) -> bool {
    let rank = |at: usize| summary.get(at..)?.first_chunk().map(|b| i32::from_le_bytes(*b));
    let (Some(least), Some(most)) = (rank(0), rank(4)) else { return true };
    let ranks = selection.ranks.as_ref();
    if ranks.is_some_and(|r| least > -1 && (most < *r.start() || least > *r.end())) {
        return false;
    }
    let (ids, _) = summary.get(24..).unwrap_or_default().as_chunks::<8>();
    let wanted = selection.file_ids.as_ref();
    // No ids: too many to list them.
    ids.is_empty()
        || wanted.is_none_or(|w| ids.iter().any(|id| w.contains(&u64::from_le_bytes(*id))))
}

/// Decodes a block of `rows` calls.
pub(super) fn decode(
    payload: &Payload,
    rows: usize,
    log: i32,
    selection: &Selection,
) -> Result<DecodedCalls, Damage> {
    let mut at = Cursor::new(payload);
    let calls = at.count(MAX_ROWS)?;
    if calls != rows {
        return Err(Damage(format!("{calls} calls where the head of the block says {rows}")));
    }
    let mut table = CallTable::default();
    let shared = Shared::read(&mut at, calls, log, &mut table)?;
    let mut chunk = CallChunk {
        runs: shared.runs.iter().map(|run| run.run).collect(),
        offset_bytes: vec![0; calls],
        size_bytes: vec![0; calls],
        start_s: vec![0.0; calls],
        end_s: vec![0.0; calls],
        ..CallChunk::default()
    };
    let mut unknown_columns = Vec::new();
    let mut columns: [Option<Cursor<'_>>; 12] = [None; 12];
    while !at.is_done() {
        let id = at.u8()?;
        let part = at.part()?;
        match columns.get_mut(usize::from(id)) {
            Some(slot) => *slot = Some(part),
            None => unknown_columns.push(id),
        }
    }
    let [_, times, offsets, sizes, rest @ ..] = columns;
    let missing = || Damage("a column of the calls is missing".into());
    // Times, offsets and requested bytes are seen from other columns.
    shared.read_sizes(&mut sizes.ok_or_else(missing)?, &mut chunk)?;
    shared.read_offsets(&mut offsets.ok_or_else(missing)?, &mut chunk)?;
    shared.read_rest(&rest, &mut chunk)?;
    shared.read_times(&mut times.ok_or_else(missing)?, &mut chunk)?;
    let is_all = selection.file_ids.is_none() && selection.ranks.is_none();
    if is_all && shared.unknown == 0 {
        table.push_chunk(chunk);
    } else {
        shared.push_wanted(&chunk, selection, &mut table);
    }
    Ok(DecodedCalls { calls: table, unknown: shared.unknown, unknown_columns })
}

struct StoredRun {
    run: CallRun,
    file: usize,
    calls: Range<usize>,
    is_known: bool,
}

/// What the runs of a block share.
struct Shared {
    runs: Vec<StoredRun>,
    files: usize,
    /// The runs, sorted by kind: the order of the numbers.
    sorted: Vec<usize>,
    unknown: u64,
}

impl Shared {
    fn read(
        at: &mut Cursor<'_>,
        calls: usize,
        log: i32,
        table: &mut CallTable,
    ) -> Result<Self, Damage> {
        let [runs, kinds, files] = [at.count(calls)?, at.count(calls)?, at.count(calls)?];
        let names = at.count(at.left())?;
        let names = Names::read(at, names, table)?;
        let kinds = read_kinds(at, kinds, log, &names)?;
        let file_ids = numbers(at, files)?;
        let (of_kind, of_file) = (numbers(at, runs)?, numbers(at, runs)?);
        let lens = numbers(at, runs)?;
        let outside = || Damage("a run of calls points outside its lists".into());
        let place = |value: i64, list: usize| usize::try_from(value).ok().filter(|v| *v < list);
        let mut start = 0_usize;
        let mut unknown = 0;
        let mut stored = Vec::with_capacity(runs);
        let mut by_kind = Vec::with_capacity(runs);
        for ((kind, file), len) in of_kind.into_iter().zip(of_file).zip(lens) {
            let kind = place(kind, kinds.len()).ok_or_else(outside)?;
            let file = place(file, files).ok_or_else(outside)?;
            let len = place(len, calls - start + 1).ok_or_else(outside)?;
            let (mut run, is_known) = *kinds.get(kind).ok_or_else(outside)?;
            run.len = len;
            run.file_id = file_ids.get(file).copied().unwrap_or_default().cast_unsigned();
            by_kind.push(kind);
            stored.push(StoredRun { run, file, calls: start..start + len, is_known });
            start += len;
            unknown += if is_known { 0 } else { len as u64 };
        }
        if start != calls {
            return Err(Damage(format!("stored of {start} calls in a block of {calls}")));
        }
        let mut sorted: Vec<usize> = (0..stored.len()).collect();
        sorted.sort_by_key(|run| by_kind.get(*run).copied());
        Ok(Self { runs: stored, files, sorted, unknown })
    }

    /// Runs in the order in which their numbers are stored: by kind.
    fn by_kind(&self) -> impl Iterator<Item = &StoredRun> {
        self.sorted.iter().filter_map(|run| self.runs.get(*run))
    }

    /// Moves numbers, stored by kind, to the places of their calls.
    fn scatter(&self, from: &[i64], to: &mut [i64], wants: impl Fn(&CallRun) -> bool) {
        let mut rest = from;
        for span in self.by_kind().filter(|span| wants(&span.run)) {
            let Some((now, later)) = rest.split_at_checked(span.calls.len()) else { return };
            if let Some(place) = to.get_mut(span.calls.clone()) {
                place.copy_from_slice(now);
            }
            rest = later;
        }
    }

    fn column(
        &self,
        at: &mut Cursor<'_>,
        calls: usize,
        wants: impl Fn(&CallRun) -> bool,
    ) -> Result<Vec<i64>, Damage> {
        let count = self.runs.iter().filter(|s| wants(&s.run)).map(|s| s.calls.len()).sum();
        let stored = numbers(at, count)?;
        if self.runs.len() == 1 && count == calls {
            return Ok(stored);
        }
        let mut column = vec![0; calls];
        self.scatter(&stored, &mut column, wants);
        Ok(column)
    }

    fn read_times(&self, at: &mut Cursor<'_>, chunk: &mut CallChunk) -> Result<(), Damage> {
        let scale = Scale::read(at)?;
        let form = at.u8()?;
        if !(1..=3).contains(&form) {
            return Err(Damage(format!("times of form {form} are not known")));
        }
        let calls = chunk.len();
        let steps = self.column(at, calls, |_| true)?;
        let durations = self.column(at, calls, |_| true)?;
        let (mut last_start, mut last_end) = (0_i64, 0_i64);
        let (ids, parents) = (&chunk.call_id, &chunk.parent_id);
        let places = chunk.start_s.iter_mut().zip(&mut chunk.end_s);
        let values = steps.iter().zip(&durations);
        for (call, ((start_s, end_s), (step, duration))) in places.zip(values).enumerate() {
            let is_from_start = form == 1 || form == 3 && is_nested(ids, parents, call);
            let last = if is_from_start { last_start } else { last_end };
            let start = last.wrapping_add(*step);
            let end = start.wrapping_add(*duration);
            (*start_s, *end_s) = (scale.real(start), scale.real(end));
            (last_start, last_end) = (start, end);
        }
        Ok(())
    }

    fn read_sizes(&self, at: &mut Cursor<'_>, chunk: &mut CallChunk) -> Result<(), Damage> {
        chunk.size_bytes = self.column(at, chunk.len(), |run| run.has_size)?;
        Ok(())
    }

    fn read_offsets(&self, at: &mut Cursor<'_>, chunk: &mut CallChunk) -> Result<(), Damage> {
        let way = at.u8()?;
        if way > 2 {
            return Err(Damage(format!("offsets of form {way} are not known")));
        }
        chunk.offset_bytes = self.column(at, chunk.len(), |run| run.has_offset)?;
        if way == 0 {
            return Ok(());
        }
        let mut last = vec![0_i64; self.files];
        for span in self.runs.iter().filter(|span| span.run.has_offset) {
            let Some(last) = last.get_mut(span.file) else { continue };
            let calls = span.calls.clone();
            let offsets = chunk.offset_bytes.get_mut(calls.clone()).unwrap_or_default();
            let sizes = chunk.size_bytes.get(calls).unwrap_or_default();
            for (offset, size) in offsets.iter_mut().zip(sizes) {
                *offset = last.wrapping_add(*offset);
                let moved = if way == 2 && span.run.has_size { *size } else { 0 };
                *last = offset.wrapping_add(moved);
            }
        }
        Ok(())
    }

    /// Columns 4 to 11, as far as they are there.
    fn read_rest(
        &self,
        columns: &[Option<Cursor<'_>>],
        chunk: &mut CallChunk,
    ) -> Result<(), Damage> {
        let calls = chunk.len();
        let part = |id: usize| columns.get(id - 4).copied().flatten();
        let unsigned = |value: i64| value.cast_unsigned();
        self.sparse(part(4), calls, &mut chunk.thread, |_, v| unsigned(v))?;
        let sizes = std::mem::take(&mut chunk.size_bytes);
        let size = |call: usize| sizes.get(call).copied().unwrap_or_default();
        let whole = |call, v: i64| v.wrapping_add(size(call));
        let outcome = self.sparse(part(5), calls, &mut chunk.requested_bytes, whole);
        chunk.size_bytes = sizes;
        outcome?;
        let counted = |call, v| unsigned(v).wrapping_add(call as u64);
        self.sparse(part(6), calls, &mut chunk.call_id, counted)?;
        let mut parents = std::mem::take(&mut chunk.parent_id);
        let own = |call| chunk.call_id.get(call).unwrap_or(0);
        self.sparse(part(7), calls, &mut parents, |call, v| unsigned(v).wrapping_add(own(call)))?;
        chunk.parent_id = parents;
        self.sparse(part(8), calls, &mut chunk.stack_id, |_, v| unsigned(v))?;
        self.sparse(part(9), calls, &mut chunk.aux, |_, v| v)?;
        self.sparse(part(10), calls, &mut chunk.calls, |_, v| v)?;
        if let Some(mut at) = part(11) {
            let Some(known) = known(&mut at, calls)? else { return Ok(()) };
            let bits: Vec<i64> = reals(&mut at, known.count)?
                .into_iter()
                .map(|value| value.to_bits().cast_signed())
                .collect();
            let real = |_, bits: i64| f64::from_bits(bits.cast_unsigned());
            self.place(&known, &bits, calls, &mut chunk.busy_s, real);
        }
        Ok(())
    }

    fn sparse<T: Copy + Default>(
        &self,
        part: Option<Cursor<'_>>,
        calls: usize,
        column: &mut Sparse<T>,
        value: impl Fn(usize, i64) -> T,
    ) -> Result<(), Damage> {
        let Some(mut at) = part else { return Ok(()) };
        let Some(known) = known(&mut at, calls)? else { return Ok(()) };
        let stored = numbers(&mut at, known.count)?;
        self.place(&known, &stored, calls, column, value);
        Ok(())
    }

    /// Gives the calls that have one their values, which come by kind.
    fn place<T: Copy + Default>(
        &self,
        known: &Known,
        stored: &[i64],
        calls: usize,
        column: &mut Sparse<T>,
        value: impl Fn(usize, i64) -> T,
    ) {
        if known.count == calls {
            let mut all = vec![0; calls];
            self.scatter(stored, &mut all, |_| true);
            column.extend(all.into_iter().enumerate().map(|(call, v)| value(call, v)));
            return;
        }
        let mut all = vec![None; calls];
        let mut stored = stored.iter();
        let in_order = self.by_kind().flat_map(|span| span.calls.clone()).enumerate();
        for (_, call) in in_order.filter(|(place, _)| known.has(*place)) {
            if let (Some(slot), Some(v)) = (all.get_mut(call), stored.next()) {
                *slot = Some(value(call, *v));
            }
        }
        for (call, value) in all.into_iter().enumerate() {
            if let Some(value) = value {
                column.set(call, value);
            }
        }
    }

    fn push_wanted(&self, chunk: &CallChunk, selection: &Selection, table: &mut CallTable) {
        for span in self.runs.iter().filter(|span| span.is_known) {
            if selection.wants(span.run.file_id, span.run.rank) {
                span.calls.clone().for_each(|call| table.push(span.run, chunk.call(call)));
            }
        }
    }
}

/// Was the call made inside the call before it, or that one inside this one?
fn is_nested(ids: &Sparse<u64>, parents: &Sparse<u64>, call: usize) -> bool {
    let is_parent = |parent: usize, child: usize| {
        parents.get(child).is_some_and(|id| ids.get(parent) == Some(id))
    };
    let Some(before) = call.checked_sub(1) else { return false };
    is_parent(call, before) || is_parent(before, call)
}

/// Names of a block, and their ids in the table that is being made.
struct Names<'a> {
    texts: Texts<'a>,
    ids: Vec<Option<NameId>>,
}

impl<'a> Names<'a> {
    fn read(at: &mut Cursor<'a>, count: usize, table: &mut CallTable) -> Result<Self, Damage> {
        let texts = Texts::read(at, count)?;
        let ids = (0..count).map(|place| Some(table.name_id(texts.get(place)))).collect();
        Ok(Self { texts, ids })
    }

    fn text(&self, place: i64) -> &'a str {
        usize::try_from(place).map_or("", |place| self.texts.get(place))
    }

    /// 0: none; otherwise one more than the place of the name.
    fn optional(&self, place: i64) -> Option<NameId> {
        let place = usize::try_from(place).ok()?.checked_sub(1)?;
        self.ids.get(place).copied().flatten()
    }
}

/// Everything of a run but its file and length; false: of a newer program.
fn read_kinds(
    at: &mut Cursor<'_>,
    count: usize,
    log: i32,
    names: &Names<'_>,
) -> Result<Vec<(CallRun, bool)>, Damage> {
    let mut columns: [std::vec::IntoIter<i64>; 8] = Default::default();
    for column in &mut columns {
        *column = numbers(at, count)?.into_iter();
    }
    let mut kinds = Vec::with_capacity(count);
    for _ in 0..count {
        let [layer, op, rank, host, function, error, process, flags] =
            columns.each_mut().map(|column| column.next().unwrap_or_default());
        let layer = Layer::from_name(names.text(layer));
        let op = Op::from_name(names.text(op));
        let small = |value: i64| i32::try_from(value).ok();
        let run = CallRun {
            host: names.optional(host),
            function: names.optional(function),
            process: small(process).filter(|_| flags & 4 != 0),
            error: names.optional(error),
            is_collective: match flags >> 3 & 3 {
                1 => Some(false),
                2 => Some(true),
                _ => None,
            },
            has_offset: flags & 1 != 0,
            has_size: flags & 2 != 0,
            ..CallRun::new(
                log,
                layer.unwrap_or(Layer::Posix),
                op.unwrap_or(Op::Other),
                0,
                small(rank).ok_or_else(|| Damage(format!("rank {rank} is claimed")))?,
            )
        };
        kinds.push((run, layer.is_some() && op.is_some()));
    }
    Ok(kinds)
}
