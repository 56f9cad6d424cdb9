//! Rows of tables in batches, and those of table `job`.

use arrow::array::RecordBatch;
use diya_tables::{BatchSource, TableId, job};
use std::sync::Arc;

/// A table's rows in batches, with only these columns.
pub(crate) fn batches(
    tables: &[Arc<dyn BatchSource>],
    id: TableId,
    columns: &[usize],
) -> Vec<RecordBatch> {
    let table = tables.iter().find(|table| table.def().name == id.def().name);
    let count = table.map_or(0, |table| table.batches());
    (0..count).filter_map(|number| table.map(|table| table.batch(number, columns))).collect()
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

diya_tables::columns! {
    struct Jobs of job { log: i32, nprocs: i64, run_time_s: f64, format: str }
}

/// Rows of table `job`.
pub(super) fn facts(tables: &[Arc<dyn BatchSource>]) -> Vec<Facts> {
    let mut facts = Vec::new();
    for of in Jobs::all(tables) {
        facts.extend((0..of.rows()).map(|row| Facts {
            log: of.log.value(row),
            is_darshan: of.format.get(row) == Some("darshan"),
            nprocs: of.nprocs.get(row).filter(|nprocs| *nprocs > 0),
            run_s: of.run_time_s.get(row).filter(|s| *s >= 0.0),
        }));
    }
    facts
}
