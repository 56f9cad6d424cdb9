//! The numbers of a finished chunk of table `call`, as Arrow columns.

use crate::bits::{Bits, span_end};
use crate::held_chunk::{HeldChunk, PackedChunk};
use crate::packed::Packed;
use crate::runs::spread;
use crate::sparse::or_nulls;
use crate::{CallChunk, CallRun, call};
use arrow_array::types::{ArrowPrimitiveType, Float64Type, Int64Type, UInt64Type};
use arrow_array::{ArrayRef, Float64Array, Int64Array, PrimitiveArray, cast::AsArray};
use arrow_buffer::{NullBuffer, ScalarBuffer};
use std::ops::Range;
use std::sync::Arc;

/// Numbers of a chunk.
#[derive(Debug)]
enum Numbers<T: ArrowPrimitiveType> {
    Plain(PrimitiveArray<T>),
    Packed(Packed, Option<NullBuffer>),
}

impl<T: Bits> Numbers<T> {
    fn plain(values: Vec<T::Native>, nulls: Option<NullBuffer>) -> Self {
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

#[derive(Debug)]
enum Ends {
    Plain(Float64Array),
    /// See [`crate::bits::span_bits`].
    Packed(Packed),
}

impl Ends {
    fn array(&self, rows: Range<usize>, starts_s: &Numbers<Float64Type>) -> Float64Array {
        match self {
            Self::Plain(array) => array.slice(rows.start, rows.len()),
            Self::Packed(packed) => {
                let spans = packed.numbers(rows.clone(), |span| span);
                let starts_s = starts_s.array(rows);
                let ends = starts_s.values().iter().zip(spans);
                Float64Array::from_iter_values(ends.map(|(start, span)| span_end(*start, span)))
            }
        }
    }
}

/// A finished chunk.
#[derive(Debug)]
pub(crate) struct FrozenChunk {
    pub rows: usize,
    pub runs: Vec<CallRun>,
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
    /// `is_packed`: a chunk that is not packed yet will be.
    pub fn new(held: HeldChunk, is_packed: bool) -> Self {
        match held {
            HeldChunk::Packed(packed) => Self::of_packed(*packed),
            HeldChunk::Plain(mut chunk) if is_packed => {
                Self::of_packed(PackedChunk::of(&mut chunk))
            }
            HeldChunk::Plain(chunk) => Self::of_plain(*chunk),
        }
    }

    fn of_packed(packed: PackedChunk) -> Self {
        let [offset_nulls, size_nulls] = nulls_of(&packed.rest.runs);
        Self {
            offset_bytes: Numbers::Packed(packed.offset_bytes, offset_nulls),
            size_bytes: Numbers::Packed(packed.size_bytes, size_nulls),
            start_s: Numbers::Packed(packed.start_s, None),
            end_s: Ends::Packed(packed.span),
            ..Self::of_sparse(packed.rows, packed.rest)
        }
    }

    fn of_plain(mut chunk: CallChunk) -> Self {
        let rows = chunk.len();
        let [offset_nulls, size_nulls] = nulls_of(&chunk.runs);
        let offsets = std::mem::take(&mut chunk.offset_bytes);
        let sizes = std::mem::take(&mut chunk.size_bytes);
        let starts_s = std::mem::take(&mut chunk.start_s);
        let ends_s = std::mem::take(&mut chunk.end_s);
        Self {
            offset_bytes: Numbers::plain(offsets, offset_nulls),
            size_bytes: Numbers::plain(sizes, size_nulls),
            start_s: Numbers::plain(starts_s, None),
            end_s: Ends::Plain(Float64Array::from(ends_s)),
            ..Self::of_sparse(rows, chunk)
        }
    }

    /// What is not packed.
    fn of_sparse(rows: usize, chunk: CallChunk) -> Self {
        Self {
            rows,
            offset_bytes: Numbers::plain(Vec::new(), None),
            size_bytes: Numbers::plain(Vec::new(), None),
            start_s: Numbers::plain(Vec::new(), None),
            end_s: Ends::Plain(Float64Array::from(Vec::<f64>::new())),
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
    pub fn numbers(&self, column: usize, rows: Range<usize>) -> ArrayRef {
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

/// Where offsets, and where sizes, are not known.
fn nulls_of(runs: &[CallRun]) -> [Option<NullBuffer>; 2] {
    [nulls(runs, |run| run.has_offset), nulls(runs, |run| run.has_size)]
}

fn nulls(runs: &[CallRun], is_known: impl Fn(&CallRun) -> bool) -> Option<NullBuffer> {
    let is_complete = runs.iter().all(&is_known);
    (!is_complete).then(|| {
        let known = runs.iter().flat_map(|run| std::iter::repeat_n(is_known(run), run.len));
        NullBuffer::from(known.collect::<Vec<bool>>())
    })
}
