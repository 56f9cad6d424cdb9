//! Whole tables, for formats that are written from several of them.

use arrow::array::{Array, AsArray, RecordBatch};
use arrow::datatypes::{Int32Type, UInt64Type};
use diya::Trace;
use diya_tables::{TableId, file};
use std::collections::HashMap;

/// The rows of a table, with all columns.
pub(super) fn whole(trace: &Trace, table: TableId) -> impl Iterator<Item = RecordBatch> + '_ {
    let source = trace.table(table);
    let columns: Vec<usize> = (0..table.def().columns.len()).collect();
    (0..source.batches()).map(move |number| source.batch(number, &columns))
}

/// Names of files, by log and id.
pub(super) fn paths(trace: &Trace) -> HashMap<(i32, u64), String> {
    let mut paths = HashMap::new();
    for batch in whole(trace, TableId::File) {
        let logs = batch.column(file::LOG).as_primitive::<Int32Type>();
        let ids = batch.column(file::FILE_ID).as_primitive::<UInt64Type>();
        let names = batch.column(file::PATH).as_string_view();
        for row in (0..batch.num_rows()).filter(|row| names.is_valid(*row)) {
            paths.insert((logs.value(row), ids.value(row)), names.value(row).to_string());
        }
    }
    paths
}
