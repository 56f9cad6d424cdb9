//! Table `call_count`: counters of calls, one row each in place of one column.
//!
//! SQL can turn columns into rows only by naming each of them several times.

use crate::rows;
use arrow::array::{Array, AsArray};
use arrow::datatypes::Int64Type;
use diya_tables::{BatchSource, Layer, TableBuilder};
use std::collections::BTreeMap;
use std::sync::Arc;

diya_tables::columns! {
    /// The key of all tables of counters.
    struct Logs by name { log: i32 }
}

/// Appends the rows of table `call_count`; a counter that no record of a log
/// holds has none.
pub(crate) fn write(tables: &[Arc<dyn BatchSource>], table: &mut TableBuilder) {
    for layer in Layer::ALL {
        let name = layer.name();
        let Some(counters) = tables.iter().find(|of| of.def().name == name) else { continue };
        let kinds: Vec<(usize, &str)> = counters.def().calls().collect();
        let columns: Vec<usize> = kinds.iter().map(|(column, _)| *column).collect();
        let mut sums: BTreeMap<i32, Vec<Option<i64>>> = BTreeMap::new();
        for (number, logs) in Logs::batches(counters.as_ref()).enumerate() {
            let batch = counters.batch(number, &columns);
            for (index, column) in batch.columns().iter().enumerate() {
                let calls = column.as_primitive::<Int64Type>();
                for row in (0..batch.num_rows()).filter(|row| calls.is_valid(*row)) {
                    let of_log = sums.entry(logs.log.value(row));
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
