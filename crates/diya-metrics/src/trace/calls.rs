//! Table `call`, as far as these computations need it.

use arrow::array::{Array, AsArray, RecordBatch, StringViewArray};
use arrow::datatypes::{Float64Type, Int32Type, Int64Type, UInt64Type};
use diya_tables::{BatchSource, Layer, Op, TableId, call};
use std::sync::Arc;

/// One row of table `call`. Times in seconds since the start of the job.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Call {
    pub log: i32,
    pub rank: i32,
    pub layer: Layer,
    pub op: Op,
    pub file_id: u64,
    /// First byte, when the call has a place in the file.
    pub offset: Option<i64>,
    /// Bytes moved; 0 when the call moves none.
    pub size_bytes: i64,
    pub start_s: f64,
    pub end_s: f64,
    /// Time inside the calls of this row.
    pub busy_s: f64,
    /// Calls of this row.
    pub calls: i64,
}

impl Call {
    /// Whether it hands data, or the wish that it be safe, to the storage.
    pub fn is_data(&self) -> bool {
        matches!(self.op, Op::Read | Op::Write | Op::Sync | Op::Datasync | Op::SyncMap | Op::Flush)
    }
}

const COLUMNS: [usize; 11] = [
    call::LOG,
    call::RANK,
    call::LAYER,
    call::OP,
    call::FILE_ID,
    call::OFFSET_BYTES,
    call::SIZE_BYTES,
    call::START_S,
    call::END_S,
    call::BUSY_S,
    call::CALLS,
];

/// All calls with a known layer and operation and with times that are in order;
/// the reader says in `read_issue` what is wrong with the others.
pub(super) fn load(tables: &[Arc<dyn BatchSource>]) -> Vec<Call> {
    let name = TableId::Call.def().name;
    let Some(table) = tables.iter().find(|table| table.def().name == name) else {
        return Vec::new();
    };
    let mut calls = Vec::with_capacity(table.rows());
    for piece in 0..table.pieces() {
        append(&table.piece(piece, &COLUMNS), &mut calls);
    }
    calls
}

fn append(batch: &RecordBatch, calls: &mut Vec<Call>) {
    let logs = batch.column(0).as_primitive::<Int32Type>();
    let ranks = batch.column(1).as_primitive::<Int32Type>();
    let layers = batch.column(2).as_string_view();
    let ops = batch.column(3).as_string_view();
    let files = batch.column(4).as_primitive::<UInt64Type>();
    let offsets = batch.column(5).as_primitive::<Int64Type>();
    let sizes = batch.column(6).as_primitive::<Int64Type>();
    let starts = batch.column(7).as_primitive::<Float64Type>();
    let ends = batch.column(8).as_primitive::<Float64Type>();
    let busy = batch.column(9).as_primitive::<Float64Type>();
    let counts = batch.column(10).as_primitive::<Int64Type>();
    let (mut layer, mut op) = (Word::default(), Word::default());
    for row in 0..batch.num_rows() {
        let layer = layer.at(layers, row, Layer::from_name);
        let op = op.at(ops, row, Op::from_name);
        let (Some(layer), Some(op)) = (layer, op) else { continue };
        let (start_s, end_s) = (starts.value(row), ends.value(row));
        if !(start_s.is_finite() && end_s.is_finite() && start_s <= end_s) {
            continue;
        }
        calls.push(Call {
            log: logs.value(row),
            rank: ranks.value(row),
            layer,
            op,
            file_id: files.value(row),
            offset: (!offsets.is_null(row)).then(|| offsets.value(row)).filter(|o| *o >= 0),
            size_bytes: if sizes.is_null(row) { 0 } else { sizes.value(row).max(0) },
            start_s,
            end_s,
            busy_s: busy.value(row),
            calls: counts.value(row),
        });
    }
}

/// The word of the row before: the same word comes thousands of times in turn.
struct Word<T> {
    view: Option<u128>,
    meaning: Option<T>,
}

impl<T> Default for Word<T> {
    fn default() -> Self {
        Self { view: None, meaning: None }
    }
}

impl<T: Copy> Word<T> {
    fn at(&mut self, words: &StringViewArray, row: usize, of: fn(&str) -> Option<T>) -> Option<T> {
        let view = words.views().get(row).copied();
        if view != self.view || view.is_none() {
            self.view = view;
            self.meaning = of(words.value(row));
        }
        self.meaning
    }
}
