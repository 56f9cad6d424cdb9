//! Rows become files: a buffer for all threads, emptied commit by commit.

use crate::files::PartWriter;
use crate::generated::{TABLES, manifest};
use crate::known::Known;
use crate::rows::manifest_number;
use crate::{Dataset, FleetError};
use arrow::array::RecordBatch;
use arrow::compute::interleave_record_batch;
use diya_tables::{TableBuilder, TableDef, TimestampNs, columns};
use std::ops::Range;

/// Bytes of rows at which the buffer is written.
const BUFFER_BYTES: usize = 64 << 20;

/// Rows on their way to the dataset, and what it holds already.
pub struct Buffer<'d> {
    dataset: &'d Dataset,
    system: String,
    /// Beginning of the names of this process's commits.
    prefix: String,
    commits: usize,
    batches: Vec<Vec<RecordBatch>>,
    bytes: usize,
    manifest: TableBuilder,
    /// Rows of the manifest that fill the buffer; zero: any number.
    most: usize,
    pub known: Known,
}

impl<'d> Buffer<'d> {
    pub fn new(
        dataset: &'d Dataset,
        system: &str,
        prefix: String,
        known: Known,
        most: usize,
    ) -> Self {
        Self {
            dataset,
            system: system.to_owned(),
            prefix,
            commits: 0,
            batches: vec![Vec::new(); TABLES.len()],
            bytes: 0,
            manifest: TableBuilder::new(&manifest::DEF),
            most,
            known,
        }
    }

    /// Adds rows of a table.
    pub fn add(&mut self, table: usize, batch: RecordBatch) {
        self.bytes += batch.get_array_memory_size();
        self.batches[table].push(batch);
    }

    /// Where rows of `manifest` go.
    pub fn manifest(&mut self) -> &mut TableBuilder {
        &mut self.manifest
    }

    /// Writes everything when there is enough of it.
    pub fn write_if_full(&mut self) -> Result<(), FleetError> {
        // A row of the manifest takes about 200 bytes.
        let is_large = self.bytes + self.manifest.rows() * 200 >= BUFFER_BYTES;
        let is_many = self.most > 0 && self.manifest.rows() >= self.most;
        if is_large || is_many { self.write() } else { Ok(()) }
    }

    /// One commit of everything.
    pub fn write(&mut self) -> Result<(), FleetError> {
        if self.manifest.rows() == 0 {
            return Ok(());
        }
        let commit = format!("{}-{:06}", self.prefix, self.commits);
        self.commits += 1;
        let staged = self.dataset.staging(&commit);
        let rows = std::mem::replace(&mut self.manifest, TableBuilder::new(&manifest::DEF));
        let below = format!("{}/system={}/{commit}.parquet", manifest::DEF.name, self.system);
        let staged_manifest = staged.join(&below);
        let mut part = PartWriter::create(&staged_manifest, &manifest::DEF)?;
        part.write(&rows.into_batch())?;
        part.finish()?;
        for (number, batches) in self.batches.iter_mut().enumerate() {
            let batches = std::mem::take(batches);
            if !batches.is_empty() && number != manifest_number() {
                let def = TABLES[number];
                let all = sorted(def, &batches)?;
                drop(batches);
                for (partition, rows) in partitions(&all) {
                    let path =
                        format!("{}/system={}/{partition}/{commit}.parquet", def.name, self.system);
                    let mut part = PartWriter::create(&staged.join(path), def)?;
                    part.write(&rows)?;
                    part.finish()?;
                }
            }
        }
        self.bytes = 0;
        let place = self.dataset.root().join(&below);
        if let Some(folder) = place.parent() {
            std::fs::create_dir_all(folder).map_err(FleetError::file(folder))?;
        }
        std::fs::rename(&staged_manifest, &place).map_err(FleetError::file(&place))?;
        self.dataset.publish(&commit)
    }
}

columns! {
    struct LogKeys by name { log_hash: i64, start_time: TimestampNs }
}

columns! {
    /// Of tables that belong to no log.
    struct RowKeys by name { row_hash: i64, start_time: TimestampNs }
}

/// Key of a row: start of the job and hash of the log, or of the row.
pub fn keys(batch: &RecordBatch) -> Vec<(i64, i64)> {
    let (hashes, starts) = match (LogKeys::named(batch), RowKeys::named(batch)) {
        (Some(of), _) => (of.log_hash, of.start_time),
        (_, Some(of)) => (of.row_hash, of.start_time),
        (None, None) => return vec![(i64::MIN, 0); batch.num_rows()],
    };
    let start = |row: usize| starts.get(row).unwrap_or(i64::MIN);
    (0..batch.num_rows()).map(|row| (start(row), hashes.value(row))).collect()
}

/// All rows, by start of the job; those of a log in their order.
fn sorted(def: &'static TableDef, batches: &[RecordBatch]) -> Result<RecordBatch, FleetError> {
    // The rows of a log stand side by side: logs are put in order, not single rows.
    let mut logs: Vec<((i64, i64), usize, Range<usize>)> = Vec::new();
    for (batch, rows) in batches.iter().enumerate() {
        let mut from = 0;
        for log in keys(rows).chunk_by(|a, b| a == b) {
            logs.push((log[0], batch, from..from + log.len()));
            from += log.len();
        }
    }
    logs.sort_unstable_by_key(|(key, batch, rows)| (*key, *batch, rows.start));
    let of_log = |(_, batch, rows): (_, usize, Range<usize>)| rows.map(move |row| (batch, row));
    let picks: Vec<(usize, usize)> = logs.into_iter().flat_map(of_log).collect();
    let batches: Vec<&RecordBatch> = batches.iter().collect();
    interleave_record_batch(&batches, &picks)
        .map_err(|error| FleetError::Parquet { path: def.name.into(), reason: error.to_string() })
}

/// Rows by year and month of the start; they are sorted by it.
fn partitions(rows: &RecordBatch) -> Vec<(String, RecordBatch)> {
    let keys = keys(rows);
    let mut parts = Vec::new();
    let mut from = 0;
    while from < keys.len() {
        let of = partition(keys[from].0);
        // Months are ascending: the end of this one is found by halving.
        let to = from + keys[from..].partition_point(|(start, _)| partition(*start) <= of);
        let (year, month) = of;
        parts.push((format!("year={year}/month={month}"), rows.slice(from, to - from)));
        from = to;
    }
    parts
}

/// Year and month (UTC) of a start; 0 where it is not recorded.
pub fn partition(start: i64) -> (i16, i8) {
    if start == i64::MIN {
        return (0, 0);
    }
    let moment = jiff::Timestamp::from_nanosecond(i128::from(start));
    let day = moment.map(|moment| moment.to_zoned(jiff::tz::TimeZone::UTC).date());
    day.map_or((0, 0), |day| (day.year(), day.month()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_start_has_a_month() {
        assert_eq!(partition(1_709_164_800_000_000_000), (2024, 2));
        assert_eq!(partition(1_709_251_200_000_000_000), (2024, 3));
        assert_eq!(partition(i64::MIN), (0, 0));
    }
}
