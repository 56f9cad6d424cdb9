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

    fn array(&self) -> PrimitiveArray<T> {
        match self {
            Self::Plain(array) => array.clone(),
            Self::Packed(packed, nulls) => {
                let values = packed.numbers(T::value);
                PrimitiveArray::new(ScalarBuffer::from(values), nulls.clone())
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

    fn array(&self, starts_s: impl FnOnce() -> Float64Array) -> Float64Array {
        match self {
            Self::Plain(array) => array.clone(),
            Self::Packed(packed) => {
                let spans = packed.numbers(|span| span);
                let starts_s = starts_s();
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

    fn rows(&self) -> usize {
        self.rows
    }

    fn ends(&self) -> Float64Array {
        self.end_s.array(|| self.start_s.array())
    }

    /// Calls per row: one where nothing else was said.
    fn calls(&self) -> ArrayRef {
        match &self.calls {
            None => spread::<Int64Type>(self.rows(), [(self.rows(), 1)].into_iter()),
            Some(known) => {
                let known = known.as_primitive::<Int64Type>();
                Arc::new(Int64Array::from_iter_values(known.iter().map(|n| n.unwrap_or(1))))
            }
        }
    }

    /// Time in the calls: from start to end where nothing else was said.
    fn busy_s(&self) -> ArrayRef {
        let (starts, ends) = (self.start_s.array(), self.ends());
        let spans = starts.values().iter().zip(ends.values()).map(|(s, e)| e - s);
        match &self.busy_s {
            None => Arc::new(Float64Array::from_iter_values(spans)),
            Some(known) => {
                let known = known.as_primitive::<Float64Type>().iter();
                let busy = known.zip(spans).map(|(busy, span)| busy.unwrap_or(span));
                Arc::new(Float64Array::from_iter_values(busy))
            }
        }
    }
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

    fn names_of(&self, chunk: &FrozenChunk, of: fn(&CallRun) -> Option<NameId>) -> ArrayRef {
        let name = |id: NameId| self.names.get(id.0 as usize).map(String::as_str);
        spread_text(chunk.rows(), chunk.runs.iter().map(|r| (r.len, of(r).and_then(name))))
    }

    fn column(&self, chunk: &FrozenChunk, column: usize) -> ArrayRef {
        let rows = chunk.rows();
        let runs = chunk.runs.iter();
        match column {
            call::LOG => spread::<Int32Type>(rows, runs.map(|r| (r.len, r.log))),
            call::LAYER => spread_text(rows, runs.map(|r| (r.len, Some(r.layer.name())))),
            call::OP => spread_text(rows, runs.map(|r| (r.len, Some(r.op.name())))),
            call::FILE_ID => spread::<UInt64Type>(rows, runs.map(|r| (r.len, r.file_id))),
            call::RANK => spread::<Int32Type>(rows, runs.map(|r| (r.len, r.rank))),
            call::HOST => self.names_of(chunk, |r| r.host),
            call::THREAD => or_nulls::<UInt64Type>(&chunk.thread, rows),
            call::OFFSET_BYTES => Arc::new(chunk.offset_bytes.array()),
            call::SIZE_BYTES => Arc::new(chunk.size_bytes.array()),
            call::START_S => Arc::new(chunk.start_s.array()),
            call::END_S => Arc::new(chunk.ends()),
            call::FUNCTION => self.names_of(chunk, |r| r.function),
            call::PROCESS => spread_optional::<Int32Type>(rows, runs.map(|r| (r.len, r.process))),
            call::CALLS => chunk.calls(),
            call::BUSY_S => chunk.busy_s(),
            call::REQUESTED_BYTES => or_nulls::<Int64Type>(&chunk.requested_bytes, rows),
            call::ERROR => self.names_of(chunk, |r| r.error),
            call::IS_COLLECTIVE => spread_flags(rows, runs.map(|r| (r.len, r.is_collective))),
            call::CALL_ID => or_nulls::<UInt64Type>(&chunk.call_id, rows),
            call::PARENT_ID => or_nulls::<UInt64Type>(&chunk.parent_id, rows),
            call::STACK_ID => or_nulls::<UInt64Type>(&chunk.stack_id, rows),
            _ => or_nulls::<Int64Type>(&chunk.aux, rows),
        }
    }
}

impl BatchSource for FrozenCalls {
    fn def(&self) -> &'static TableDef {
        TableId::Call.def()
    }

    fn rows(&self) -> usize {
        self.rows
    }

    fn pieces(&self) -> usize {
        self.chunks.len()
    }

    fn piece(&self, piece: usize, columns: &[usize]) -> RecordBatch {
        let chunk = &self.chunks[piece];
        let arrays = columns.iter().map(|&c| self.column(chunk, c)).collect();
        let options = RecordBatchOptions::new().with_row_count(Some(chunk.rows()));
        RecordBatch::try_new_with_options(projected(&self.schema, columns), arrays, &options)
            .expect("columns follow the definition")
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
            let alone = |pieces: usize, work: &Work<'_>| (0..pieces).for_each(work);
            FrozenCalls::new(table.chunks, (table.names, table.rows), many, &alone)
        };
        let (plain, packed) = (table(usize::MAX), table(0));
        let columns: Vec<usize> = (0..TableId::Call.def().columns.len()).collect();
        for piece in 0..plain.pieces() {
            assert_eq!(plain.piece(piece, &columns), packed.piece(piece, &columns));
        }
    }
}
