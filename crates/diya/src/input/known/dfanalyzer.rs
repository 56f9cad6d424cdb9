//! Traces of Recorder as DFAnalyzer and WisIO keep them: Parquet with a row for each call.
//!
//! Starts and ends are numbers of 32 bits, which are wrong by 30 us after five minutes: the middle
//! of a call stands beside them as an integer, and its duration is short enough to be exact.

use super::Rows;
use std::io;
use std::path::Path;

/// Columns by which such a file is known.
const COLUMNS: [&str; 8] =
    ["rank", "thread_id", "func_id", "hostname", "file_name", "size", "tmid", "duration"];

/// Units of `tmid` in a second.
#[cfg(not(target_family = "wasm"))]
const TICK_NS: i64 = 100;

#[cfg(target_family = "wasm")]
pub(super) fn is_one(_path: &Path) -> bool {
    let _ = COLUMNS;
    false
}

#[cfg(target_family = "wasm")]
pub(super) fn add(_path: &Path, _rows: &mut Rows) -> io::Result<()> {
    Err(io::Error::other("a browser reads no Parquet files"))
}

#[cfg(not(target_family = "wasm"))]
mod files {
    use super::{COLUMNS, Path, Rows, TICK_NS, io};
    use crate::input::known::Row;
    use arrow::array::{Array as _, AsArray as _, RecordBatch};
    use arrow::compute::cast;
    use arrow::datatypes::{DataType, Float64Type, Int64Type};
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
    use std::fs::File;

    /// Is this a part of such a trace?
    pub fn is_one(path: &Path) -> bool {
        path.extension().is_some_and(|ending| ending == "parquet")
            && File::open(path).is_ok_and(|file| {
                ParquetRecordBatchReaderBuilder::try_new(file).is_ok_and(|builder| {
                    COLUMNS.iter().all(|name| builder.schema().field_with_name(name).is_ok())
                })
            })
    }

    /// Adds the calls of a part.
    pub fn add(path: &Path, rows: &mut Rows) -> io::Result<()> {
        let builder = ParquetRecordBatchReaderBuilder::try_new(File::open(path)?);
        let batches = builder.and_then(|builder| builder.build()).map_err(io::Error::other)?;
        for batch in batches {
            add_batch(&batch.map_err(io::Error::other)?, rows)?;
        }
        Ok(())
    }

    pub fn add_batch(batch: &RecordBatch, rows: &mut Rows) -> io::Result<()> {
        let column = |name: &str, to: &DataType| {
            let column = batch
                .column_by_name(name)
                .ok_or_else(|| io::Error::other(format!("no column {name:?}")))?;
            cast(column, to).map_err(|e| io::Error::other(format!("column {name:?}: {e}")))
        };
        let whole = |name: &str| column(name, &DataType::Int64);
        let text = |name: &str| column(name, &DataType::Utf8);
        let [rank, thread, size, middle] =
            [whole("rank")?, whole("thread_id")?, whole("size")?, whole("tmid")?];
        let [function, host, path] = [text("func_id")?, text("hostname")?, text("file_name")?];
        let duration = column("duration", &DataType::Float64)?;
        for at in 0..batch.num_rows() {
            let whole = |of: &arrow::array::ArrayRef| {
                of.is_valid(at).then(|| of.as_primitive::<Int64Type>().value(at))
            };
            let text = |of: &arrow::array::ArrayRef| {
                if of.is_valid(at) {
                    of.as_string::<i32>().value(at).to_owned()
                } else {
                    <_>::default()
                }
            };
            let is_timed = duration.is_valid(at);
            let half_s = is_timed.then(|| duration.as_primitive::<Float64Type>().value(at) / 2.0);
            let half_ns = half_s.map(|s| (s * 1e9).round() as i64);
            let middle_ns = whole(&middle).and_then(|ticks| ticks.checked_mul(TICK_NS));
            let times = middle_ns.zip(half_ns);
            let (function, host, path) = (text(&function), text(&host), text(&path));
            rows.add(&Row {
                start_ns: times.and_then(|(middle, half)| middle.checked_sub(half)),
                end_ns: times.and_then(|(middle, half)| middle.checked_add(half)),
                function: &function,
                path: &path,
                rank: whole(&rank).unwrap_or(0),
                thread: whole(&thread).unwrap_or(0),
                host: &host,
                bytes: whole(&size),
            })?;
        }
        Ok(())
    }
}

#[cfg(not(target_family = "wasm"))]
pub(super) use files::{add, is_one};
