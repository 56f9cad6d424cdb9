//! Table `call`, finished: Arrow batches, one per chunk.
//!
//! What a chunk keeps as runs is spread out only when a consumer asks for the
//! column; what no call of a chunk has becomes a column of nulls.

use crate::runs::{spread, spread_flags, spread_optional, spread_text};
use crate::source::{BatchSource, projected};
use crate::sparse::or_nulls;
use crate::{CallChunk, CallRun, NameId, TableDef, TableId, call};
use arrow_array::types::{Float64Type, Int32Type, Int64Type, UInt64Type};
use arrow_array::{
    ArrayRef, Float64Array, Int64Array, RecordBatch, RecordBatchOptions, cast::AsArray,
};
use arrow_buffer::{NullBuffer, ScalarBuffer};
use arrow_schema::SchemaRef;
use std::sync::Arc;

#[derive(Debug)]
struct FrozenChunk {
    runs: Vec<CallRun>,
    offset_bytes: ArrayRef,
    size_bytes: ArrayRef,
    start_s: Float64Array,
    end_s: Float64Array,
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
    fn new(chunk: CallChunk) -> Self {
        let rows = chunk.len();
        let offset_nulls = nulls(&chunk.runs, |run| run.has_offset);
        let size_nulls = nulls(&chunk.runs, |run| run.has_size);
        let numbers = |values, nulls| Arc::new(Int64Array::new(ScalarBuffer::from(values), nulls));
        Self {
            offset_bytes: numbers(chunk.offset_bytes, offset_nulls),
            size_bytes: numbers(chunk.size_bytes, size_nulls),
            start_s: Float64Array::from(chunk.start_s),
            end_s: Float64Array::from(chunk.end_s),
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
        self.start_s.len()
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
        let spans = self.start_s.values().iter().zip(self.end_s.values()).map(|(s, e)| e - s);
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

/// Table `call`, finished.
#[derive(Debug)]
pub struct FrozenCalls {
    schema: SchemaRef,
    chunks: Vec<FrozenChunk>,
    names: Vec<String>,
    rows: usize,
}

impl FrozenCalls {
    pub(crate) fn new(chunks: Vec<CallChunk>, names: Vec<String>, rows: usize) -> Self {
        let chunks = chunks.into_iter().filter(|c| !c.is_empty()).map(FrozenChunk::new).collect();
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
            call::OFFSET_BYTES => Arc::clone(&chunk.offset_bytes),
            call::SIZE_BYTES => Arc::clone(&chunk.size_bytes),
            call::START_S => Arc::new(chunk.start_s.clone()),
            call::END_S => Arc::new(chunk.end_s.clone()),
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
