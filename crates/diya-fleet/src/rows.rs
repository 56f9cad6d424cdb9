//! Rows of all tables, on their way from logs to files.

use crate::generated::{TABLES, job, job_layer, job_target, manifest, metric, rank_host, record};
use crate::generated::{activity, finding};
use arrow::array::RecordBatch;
use diya_tables::{TableBuilder, TableDef};

/// Rows of every table but `manifest`.
pub struct Rows {
    pub job: TableBuilder,
    pub job_layer: TableBuilder,
    pub record: TableBuilder,
    pub job_target: TableBuilder,
    pub rank_host: TableBuilder,
    pub activity: TableBuilder,
    pub metric: TableBuilder,
    pub finding: TableBuilder,
}

impl Rows {
    pub fn new() -> Self {
        Self {
            job: TableBuilder::new(&job::DEF),
            job_layer: TableBuilder::new(&job_layer::DEF),
            record: TableBuilder::new(&record::DEF),
            job_target: TableBuilder::new(&job_target::DEF),
            rank_host: TableBuilder::new(&rank_host::DEF),
            activity: TableBuilder::new(&activity::DEF),
            metric: TableBuilder::new(&metric::DEF),
            finding: TableBuilder::new(&finding::DEF),
        }
    }

    /// As Arrow, with the number of each table in [`TABLES`].
    pub fn into_batches(self) -> Vec<(usize, RecordBatch)> {
        let tables = [
            self.job,
            self.job_layer,
            self.record,
            self.job_target,
            self.rank_host,
            self.activity,
            self.metric,
            self.finding,
        ];
        let filled = tables.into_iter().filter(|table| table.rows() > 0);
        filled.map(|table| (number(table.def()), table.into_batch())).collect()
    }
}

/// Place of a table in [`TABLES`].
pub fn number(def: &TableDef) -> usize {
    TABLES.iter().position(|table| table.name == def.name).unwrap_or(0)
}

/// Place of `manifest` in [`TABLES`].
pub fn manifest_number() -> usize {
    number(&manifest::DEF)
}
