//! Table `call`, finished: Arrow batches, one per chunk.
//!
//! What a chunk keeps as runs is spread out only when a consumer asks for the
//! column; what no call of a chunk has becomes a column of nulls. The numbers of
//! very many calls are packed: see docs/decisions/0002.

use crate::packed::Packed;
use crate::runs::{spread, spread_flags, spread_optional, spread_text};
use crate::source::{BatchSource, Run, projected};
use crate::sparse::or_nulls;
use crate::{CallChunk, CallRun, NameId, TableDef, TableId, call};
use arrow_array::types::{ArrowPrimitiveType, Float64Type, Int32Type, Int64Type, UInt64Type};
use arrow_array::{
    ArrayRef, Float64Array, Int64Array, PrimitiveArray, RecordBatch, RecordBatchOptions,
    cast::AsArray,
};
use arrow_buffer::{NullBuffer, ScalarBuffer};
use arrow_schema::SchemaRef;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// Calls from which on their numbers are packed: 0.5 GB as they are. Below, reading
/// them again and again is worth the room.
pub(crate) const PACKED_ROWS: usize = 1 << 24;

/// Numbers of a chunk.
#[derive(Debug)]
enum Numbers<T: ArrowPrimitiveType> {
    Plain(PrimitiveArray<T>),
    Packed(Packed, Option<NullBuffer>),
}

impl<T: Bits> Numbers<T> {
    fn new(values: Vec<T::Native>, nulls: Option<NullBuffer>, is_packed: bool) -> Self {
        if is_packed {
            let bits = values.iter().map(|value| T::bits(*value));
            return Self::Packed(Packed::new(bits), nulls);
        }
        Self::Plain(PrimitiveArray::new(ScalarBuffer::from(values), nulls))
    }

    fn array(&self, rows: Range<usize>) -> PrimitiveArray<T> {
        match self {
            Self::Plain(array) => array.slice(rows.start, rows.len()),
            Self::Packed(packed, nulls) => {
                let nulls = nulls.as_ref().map(|nulls| nulls.slice(rows.start, rows.len()));
                let values = packed.numbers(rows, T::value);
                PrimitiveArray::new(ScalarBuffer::from(values), nulls)
            }
        }
    }
}

/// Numbers as bits and back.
trait Bits: ArrowPrimitiveType {
    fn bits(value: Self::Native) -> u64;
    fn value(bits: u64) -> Self::Native;
}

impl Bits for Int64Type {
    fn bits(value: i64) -> u64 {
        value.cast_unsigned()
    }

    fn value(bits: u64) -> i64 {
        bits.cast_signed()
    }
}

impl Bits for Float64Type {
    fn bits(value: f64) -> u64 {
        value.to_bits()
    }

    fn value(bits: u64) -> f64 {
        f64::from_bits(bits)
    }
}

/// How long calls took lies closer together than when they ended.
#[derive(Debug)]
enum Ends {
    Plain(Float64Array),
    /// The bits of an end less those of its start.
    Packed(Packed),
}

impl Ends {
    fn new(starts_s: &[f64], ends_s: Vec<f64>, is_packed: bool) -> Self {
        if is_packed {
            let spans = starts_s.iter().zip(&ends_s);
            let spans = spans.map(|(start, end)| end.to_bits().wrapping_sub(start.to_bits()));
            return Self::Packed(Packed::new(spans));
        }
        Self::Plain(Float64Array::from(ends_s))
    }

    fn array(&self, rows: Range<usize>, starts_s: &Numbers<Float64Type>) -> Float64Array {
        match self {
            Self::Plain(array) => array.slice(rows.start, rows.len()),
            Self::Packed(packed) => {
                let spans = packed.numbers(rows.clone(), |span| span);
                let starts_s = starts_s.array(rows);
                let ends = starts_s.values().iter().zip(spans);
                let ends = ends.map(|(start, span)| start.to_bits().wrapping_add(span));
                Float64Array::from_iter_values(ends.map(f64::from_bits))
            }
        }
    }
}

#[derive(Debug)]
struct FrozenChunk {
    rows: usize,
    runs: Vec<CallRun>,
    offset_bytes: Numbers<Int64Type>,
    size_bytes: Numbers<Int64Type>,
    start_s: Numbers<Float64Type>,
    end_s: Ends,
    thread: Option<ArrayRef>,
    requested_bytes: Option<ArrayRef>,
    call_id: Option<ArrayRef>,
    parent_id: Option<ArrayRef>,
    stack_id: Option<ArrayRef>,
    aux: Option<ArrayRef>,
    calls: Option<ArrayRef>,
    busy_s: Option<ArrayRef>,
}

impl FrozenChunk {
    fn new(chunk: CallChunk, is_packed: bool) -> Self {
        let rows = chunk.len();
        let offset_nulls = nulls(&chunk.runs, |run| run.has_offset);
        let size_nulls = nulls(&chunk.runs, |run| run.has_size);
        let end_s = Ends::new(&chunk.start_s, chunk.end_s, is_packed);
        Self {
            rows,
            offset_bytes: Numbers::new(chunk.offset_bytes, offset_nulls, is_packed),
            size_bytes: Numbers::new(chunk.size_bytes, size_nulls, is_packed),
            start_s: Numbers::new(chunk.start_s, None, is_packed),
            end_s,
            thread: chunk.thread.into_array::<UInt64Type>(rows),
            requested_bytes: chunk.requested_bytes.into_array::<Int64Type>(rows),
            call_id: chunk.call_id.into_array::<UInt64Type>(rows),
            parent_id: chunk.parent_id.into_array::<UInt64Type>(rows),
            stack_id: chunk.stack_id.into_array::<UInt64Type>(rows),
            aux: chunk.aux.into_array::<Int64Type>(rows),
            calls: chunk.calls.into_array::<Int64Type>(rows),
            busy_s: chunk.busy_s.into_array::<Float64Type>(rows),
            runs: chunk.runs,
        }
    }

    fn ends(&self, rows: Range<usize>) -> Float64Array {
        self.end_s.array(rows, &self.start_s)
    }

    /// A column that differs from call to call.
    fn numbers(&self, column: usize, rows: Range<usize>) -> ArrayRef {
        let some = |column: &Option<ArrayRef>| {
            column.as_ref().map(|column| column.slice(rows.start, rows.len()))
        };
        match column {
            call::OFFSET_BYTES => Arc::new(self.offset_bytes.array(rows)),
            call::SIZE_BYTES => Arc::new(self.size_bytes.array(rows)),
            call::START_S => Arc::new(self.start_s.array(rows)),
            call::END_S => Arc::new(self.ends(rows)),
            call::THREAD => or_nulls::<UInt64Type>(some(&self.thread), rows.len()),
            call::CALLS => calls(some(&self.calls), rows.len()),
            call::BUSY_S => self.busy_s(rows),
            call::REQUESTED_BYTES => or_nulls::<Int64Type>(some(&self.requested_bytes), rows.len()),
            call::CALL_ID => or_nulls::<UInt64Type>(some(&self.call_id), rows.len()),
            call::PARENT_ID => or_nulls::<UInt64Type>(some(&self.parent_id), rows.len()),
            call::STACK_ID => or_nulls::<UInt64Type>(some(&self.stack_id), rows.len()),
            _ => or_nulls::<Int64Type>(some(&self.aux), rows.len()),
        }
    }

    /// Time in the calls: from start to end where nothing else was said.
    fn busy_s(&self, rows: Range<usize>) -> ArrayRef {
        let (starts, ends) = (self.start_s.array(rows.clone()), self.ends(rows.clone()));
        let spans = starts.values().iter().zip(ends.values()).map(|(s, e)| e - s);
        match &self.busy_s {
            None => Arc::new(Float64Array::from_iter_values(spans)),
            Some(known) => {
                let known = known.slice(rows.start, rows.len());
                let known = known.as_primitive::<Float64Type>().iter();
                let busy = known.zip(spans).map(|(busy, span)| busy.unwrap_or(span));
                Arc::new(Float64Array::from_iter_values(busy))
            }
        }
    }
}

/// Calls per row: one where nothing else was said.
fn calls(known: Option<ArrayRef>, rows: usize) -> ArrayRef {
    let Some(known) = known else {
        return spread::<Int64Type>(rows, [(rows, 1)].into_iter());
    };
    let known = known.as_primitive::<Int64Type>();
    Arc::new(Int64Array::from_iter_values(known.iter().map(|n| n.unwrap_or(1))))
}

fn nulls(runs: &[CallRun], is_known: impl Fn(&CallRun) -> bool) -> Option<NullBuffer> {
    let is_complete = runs.iter().all(&is_known);
    (!is_complete).then(|| {
        let known = runs.iter().flat_map(|run| std::iter::repeat_n(is_known(run), run.len));
        NullBuffer::from(known.collect::<Vec<bool>>())
    })
}

/// Packs chunks side by side; each is given back when it was taken in.
fn packed(chunks: Vec<CallChunk>, run: &Run<'_>) -> Vec<FrozenChunk> {
    type Slot = Mutex<(Option<CallChunk>, Option<FrozenChunk>)>;
    let slots: Vec<Slot> =
        chunks.into_iter().map(|chunk| Mutex::new((Some(chunk), None))).collect();
    run(slots.len(), &|at| {
        let mut slot = slots[at].lock().unwrap_or_else(PoisonError::into_inner);
        slot.1 = slot.0.take().map(|chunk| FrozenChunk::new(chunk, true));
    });
    let slots =
        slots.into_iter().map(|slot| slot.into_inner().unwrap_or_else(PoisonError::into_inner));
    slots.filter_map(|(_, frozen)| frozen).collect()
}

/// Table `call`, finished.
#[derive(Debug)]
pub struct FrozenCalls {
    schema: SchemaRef,
    chunks: Vec<FrozenChunk>,
    names: Vec<String>,
    rows: usize,
}

impl FrozenCalls {
    /// Packed when there are `many` rows or more.
    pub(crate) fn new(
        chunks: Vec<CallChunk>,
        (names, rows): (Vec<String>, usize),
        many: usize,
        run: &Run<'_>,
    ) -> Self {
        let chunks = chunks.into_iter().filter(|chunk| !chunk.is_empty());
        let chunks = if rows >= many {
            packed(chunks.collect(), run)
        } else {
            chunks.map(|chunk| FrozenChunk::new(chunk, false)).collect()
        };
        Self { schema: TableId::Call.def().arrow_schema(), chunks, names, rows }
    }

    /// What the calls of runs have in common, each over its number of rows; `None`: the
    /// column differs from call to call.
    fn key<'r>(
        &self,
        column: usize,
        rows: usize,
        runs: impl Iterator<Item = (usize, &'r CallRun)> + Clone,
    ) -> Option<ArrayRef> {
        let names = |of: fn(&CallRun) -> Option<NameId>| {
            let name = |id: NameId| self.names.get(id.0 as usize).map(String::as_str);
            spread_text(rows, runs.clone().map(|(len, run)| (len, of(run).and_then(name))))
        };
        let text = |of: fn(&CallRun) -> &'static str| {
            spread_text(rows, runs.clone().map(|(len, run)| (len, Some(of(run)))))
        };
        Some(match column {
            call::LOG => spread::<Int32Type>(rows, runs.map(|(len, run)| (len, run.log))),
            call::LAYER => text(|run| run.layer.name()),
            call::OP => text(|run| run.op.name()),
            call::FILE_ID => spread::<UInt64Type>(rows, runs.map(|(len, run)| (len, run.file_id))),
            call::RANK => spread::<Int32Type>(rows, runs.map(|(len, run)| (len, run.rank))),
            call::HOST => names(|run| run.host),
            call::FUNCTION => names(|run| run.function),
            call::ERROR => names(|run| run.error),
            call::PROCESS => {
                spread_optional::<Int32Type>(rows, runs.map(|(len, run)| (len, run.process)))
            }
            call::IS_COLLECTIVE => {
                spread_flags(rows, runs.map(|(len, run)| (len, run.is_collective)))
            }
            _ => return None,
        })
    }

    fn column(&self, chunk: &FrozenChunk, rows: Range<usize>, column: usize) -> ArrayRef {
        let runs = chunk.runs.iter().map(|run| (run.len, run));
        match self.key(column, chunk.rows, runs) {
            Some(key) => key.slice(rows.start, rows.len()),
            None => chunk.numbers(column, rows),
        }
    }

    fn record_batch(&self, rows: usize, columns: &[usize], arrays: Vec<ArrayRef>) -> RecordBatch {
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        RecordBatch::try_new_with_options(projected(&self.schema, columns), arrays, &options)
            .expect("columns follow the definition")
    }
}

impl BatchSource for FrozenCalls {
    fn def(&self) -> &'static TableDef {
        TableId::Call.def()
    }

    fn rows(&self) -> usize {
        self.rows
    }

    fn batches(&self) -> usize {
        self.chunks.len()
    }

    fn batch(&self, number: usize, columns: &[usize]) -> RecordBatch {
        self.part(number, 0..self.chunks[number].rows, columns)
    }

    fn part(&self, number: usize, rows: Range<usize>, columns: &[usize]) -> RecordBatch {
        let chunk = &self.chunks[number];
        let array = |&column: &usize| self.column(chunk, rows.clone(), column);
        self.record_batch(rows.len(), columns, columns.iter().map(array).collect())
    }

    fn runs(&self, number: usize, columns: &[usize]) -> (Vec<usize>, RecordBatch) {
        let runs = &self.chunks[number].runs;
        let key = |&column: &usize| self.key(column, runs.len(), runs.iter().map(|run| (1, run)));
        match columns.iter().map(key).collect::<Option<Vec<_>>>() {
            Some(arrays) => {
                let rows = runs.iter().map(|run| run.len).collect();
                (rows, self.record_batch(runs.len(), columns, arrays))
            }
            None => {
                let batch = self.batch(number, columns);
                (vec![1; batch.num_rows()], batch)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Call, CallTable, Layer, Op, Work};

    #[test]
    fn packed_calls_are_the_same_calls() {
        let table = |many: usize| {
            let mut table = CallTable::default();
            for number in 0..100_000_u32 {
                let op = if number % 7 == 0 { Op::Open } else { Op::Write };
                let has_place = op == Op::Write;
                let rank = (number / 20_000) as i32;
                let run = CallRun::new(0, Layer::Posix, op, 1, rank);
                let run = CallRun { has_offset: has_place, has_size: has_place, ..run };
                let start_s = f64::from(number % 20_000) * 0.001;
                let call = Call {
                    offset_bytes: i64::from(number) * 61,
                    size_bytes: 61 + i64::from(number % 3),
                    start_s,
                    end_s: start_s + 1e-6 * f64::from(number % 90),
                    calls: (number == 5).then_some(9),
                    ..Call::default()
                };
                table.push(run, call);
            }
            let alone = |batches: usize, work: &Work<'_>| (0..batches).for_each(work);
            FrozenCalls::new(table.chunks, (table.names, table.rows), many, &alone)
        };
        let (plain, packed) = (table(usize::MAX), table(0));
        let columns: Vec<usize> = (0..TableId::Call.def().columns.len()).collect();
        for number in 0..plain.batches() {
            assert_eq!(plain.batch(number, &columns), packed.batch(number, &columns));
            let part = |table: &FrozenCalls| table.part(number, 700..9000, &columns);
            assert_eq!(part(&plain), part(&packed));
            assert_eq!(part(&plain), plain.batch(number, &columns).slice(700, 8300));
        }
    }

    #[test]
    fn stretches_tell_once_what_calls_have_in_common() {
        let mut table = CallTable::default();
        for (rank, op) in [(0, Op::Write), (0, Op::Write), (0, Op::Read), (1, Op::Read)] {
            table.push(CallRun::new(0, Layer::Posix, op, 1, rank), Call::default());
        }
        let table = table.finish();
        let (rows, keys) = table.runs(0, &[call::RANK, call::OP]);
        assert_eq!(rows, [2, 1, 1]);
        assert_eq!(keys.column(0).as_primitive::<Int32Type>().values(), &[0, 0, 1]);
        // Starts differ from call to call.
        assert_eq!(table.runs(0, &[call::RANK, call::START_S]).0, [1; 4]);
    }
}
