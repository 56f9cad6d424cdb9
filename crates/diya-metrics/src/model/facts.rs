//! Rows of tables in pieces, and those of table `job`.

use arrow::array::{Array, AsArray, RecordBatch};
use arrow::datatypes::{Float64Type, Int32Type, Int64Type};
use diya_tables::{BatchSource, TableId, job};
use std::sync::Arc;

/// A table's rows in pieces, with only these columns.
pub(crate) fn pieces(
    tables: &[Arc<dyn BatchSource>],
    id: TableId,
    columns: &[usize],
) -> Vec<RecordBatch> {
    let table = tables.iter().find(|table| table.def().name == id.def().name);
    let count = table.map_or(0, |table| table.pieces());
    (0..count).filter_map(|piece| table.map(|table| table.piece(piece, columns))).collect()
}

/// What table `job` says of a log.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Facts {
    pub log: i32,
    pub nprocs: Option<i64>,
    pub run_s: Option<f64>,
    /// Whether Darshan recorded it: some of its counters mean more than others'.
    pub is_darshan: bool,
}

/// Rows of table `job`.
pub(super) fn facts(tables: &[Arc<dyn BatchSource>]) -> Vec<Facts> {
    let mut facts = Vec::new();
    let columns = [job::LOG, job::NPROCS, job::RUN_TIME_S, job::FORMAT];
    for batch in pieces(tables, TableId::Job, &columns) {
        let logs = batch.column(0).as_primitive::<Int32Type>();
        let nprocs = batch.column(1).as_primitive::<Int64Type>();
        let run = batch.column(2).as_primitive::<Float64Type>();
        let formats = batch.column(3).as_string_view();
        facts.extend((0..batch.num_rows()).map(|row| Facts {
            log: logs.value(row),
            is_darshan: !formats.is_null(row) && formats.value(row) == "darshan",
            nprocs: (!nprocs.is_null(row)).then(|| nprocs.value(row)).filter(|n| *n > 0),
            run_s: (!run.is_null(row)).then(|| run.value(row)).filter(|s| *s >= 0.0),
        }));
    }
    facts
}
