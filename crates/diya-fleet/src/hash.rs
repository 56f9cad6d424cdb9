//! A hash of the rows of a dataset, whatever their order and their files.

use crate::generated::{TABLES, job, manifest};
use crate::live::{Live, commit_of, is_joined};
use crate::{Dataset, FleetError, files};
use arrow::array::RecordBatch;
use arrow::compute::filter_record_batch;
use arrow::row::{RowConverter, SortField};
use diya_tables::TableDef;
use siphasher::sip128::{Hasher128 as _, SipHasher13};
use std::hash::Hasher as _;

/// Rows that are read at once.
const ROWS: usize = 8192;

/// Rows of a table and their hash.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct TableHash {
    /// Name of the table.
    pub name: &'static str,
    /// Rows that count.
    pub rows: u64,
    /// Sum of the hashes of its rows, in hexadecimal.
    pub hash: String,
}

/// Columns that are no content: where a log lay, and when it was looked at.
fn is_content(def: &TableDef, column: usize) -> bool {
    // The user comes from the file name of the log: a copy has another.
    const PLACE: [usize; 2] = [job::PATH, job::USER_NAME];
    const MOMENT: [usize; 4] =
        [manifest::MTIME, manifest::STATUS, manifest::VERSION, manifest::SEEN];
    let is_place = def.name == job::DEF.name && PLACE.contains(&column);
    let is_moment = def.name == manifest::DEF.name && MOMENT.contains(&column);
    !is_place && !is_moment
}

impl Dataset {
    /// A hash of each table. Datasets that were filled in other ways (shards, threads,
    /// after a kill) from the same logs have the same.
    pub fn hash(&self) -> Result<Vec<TableHash>, FleetError> {
        let live = Live::read(self)?;
        TABLES.iter().map(|def| self.hash_table(def, &live)).collect()
    }

    fn hash_table(&self, def: &'static TableDef, live: &Live) -> Result<TableHash, FleetError> {
        let (mut rows, mut sum) = (0, 0u128);
        let fail = |error: arrow::error::ArrowError| FleetError::Parquet {
            path: def.name.into(),
            reason: error.to_string(),
        };
        let schema = def.arrow_schema();
        let kept: Vec<usize> = (0..def.columns.len()).filter(|c| is_content(def, *c)).collect();
        let fields = kept.iter().map(|c| SortField::new(schema.field(*c).data_type().clone()));
        let converter = RowConverter::new(fields.collect()).map_err(fail)?;
        for part in self.parts(def)? {
            let commit = commit_of(&part);
            let (_, reader) = files::read(&part, ROWS, None)?;
            for batch in reader {
                let batch = batch.map_err(FleetError::parquet(&part))?;
                let batch = counted(def, &batch, &commit, live).map_err(fail)?;
                let columns: Vec<_> = kept.iter().map(|c| batch.column(*c).clone()).collect();
                let of_batch = converter.convert_columns(&columns).map_err(fail)?;
                for row in &of_batch {
                    let mut hasher = SipHasher13::new();
                    hasher.write(row.as_ref());
                    sum = sum.wrapping_add(hasher.finish128().as_u128());
                    rows += 1;
                }
            }
        }
        Ok(TableHash { name: def.name, rows, hash: format!("{sum:032x}") })
    }
}

/// The rows of a batch that count.
pub fn counted(
    def: &TableDef,
    batch: &RecordBatch,
    commit: &str,
    live: &Live,
) -> Result<RecordBatch, arrow::error::ArrowError> {
    if is_joined(def) {
        return Ok(batch.clone());
    }
    let counts = match def.name == manifest::DEF.name {
        true => live.manifest_rows(batch, commit),
        false => live.rows(batch, commit),
    };
    if counts.true_count() == batch.num_rows() {
        return Ok(batch.clone());
    }
    filter_record_batch(batch, &counts)
}
