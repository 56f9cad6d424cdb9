//! Table `call_count`: counters of calls, one row each in place of one column.
//!
//! SQL can turn columns into rows only by naming each of them several times.

use crate::rows;
use arrow::array::{Array, AsArray};
use arrow::datatypes::{Int32Type, Int64Type};
use diya_tables::{BatchSource, Layer, TableBuilder, posix};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Appends the rows of table `call_count`; a counter that no record of a log
/// holds has none.
pub(crate) fn write(tables: &[Arc<dyn BatchSource>], table: &mut TableBuilder) {
    for layer in Layer::ALL {
        let name = layer.name();
        let Some(counters) = tables.iter().find(|of| of.def().name == name) else { continue };
        let kinds: Vec<(usize, &str)> = counters.def().calls().collect();
        // Log number 0 in every table: the column of the key.
        let columns: Vec<usize> =
            std::iter::once(posix::LOG).chain(kinds.iter().map(|(column, _)| *column)).collect();
        let mut sums: BTreeMap<i32, Vec<Option<i64>>> = BTreeMap::new();
        for piece in 0..counters.pieces() {
            let batch = counters.piece(piece, &columns);
            let logs = batch.column(0).as_primitive::<Int32Type>();
            for (index, column) in batch.columns().iter().skip(1).enumerate() {
                let calls = column.as_primitive::<Int64Type>();
                for row in (0..batch.num_rows()).filter(|row| calls.is_valid(*row)) {
                    let of_log = sums.entry(logs.value(row));
                    let sum = &mut of_log.or_insert_with(|| vec![None; kinds.len()])[index];
                    *sum = Some(sum.unwrap_or(0).saturating_add(calls.value(row)));
                }
            }
        }
        for (log, of_log) in sums {
            for ((_, kind), calls) in kinds.iter().zip(of_log) {
                let Some(calls) = calls else { continue };
                rows::CallCount { log, layer: name, kind, calls }.push(table);
            }
        }
    }
}
