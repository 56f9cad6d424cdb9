//! Parquet files of a dataset: how they are written and read.

use crate::FleetError;
use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use diya_tables::{Kind, TableDef};
use parquet::arrow::ArrowWriter;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;
use std::fs::File;
use std::path::Path;

/// Rows of a page: many files are merged side by side, and each has a page of every
/// column in memory.
const ROWS_PER_PAGE: usize = 4096;

/// Rows of a row group, which a query reads or skips as a whole.
const ROWS_PER_GROUP: usize = 1 << 18;

/// Columns with another value in nearly every row, or in every log: a dictionary of them would be
/// as long as the column.
const DISTINCT: [&str; 5] = ["log_hash", "row_hash", "file_hash", "content_hash", "path"];

/// A Parquet file that is being written.
pub struct PartWriter {
    writer: ArrowWriter<File>,
    /// The same file, which the writer does not give back.
    file: File,
    path: std::path::PathBuf,
}

impl PartWriter {
    pub fn create(path: &Path, def: &'static TableDef) -> Result<Self, FleetError> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(FleetError::file(folder))?;
        }
        let file = File::create(path).map_err(FleetError::file(path))?;
        let out = file.try_clone().map_err(FleetError::file(path))?;
        let writer = ArrowWriter::try_new(out, def.arrow_schema(), Some(properties(def)))
            .map_err(FleetError::parquet(path))?;
        Ok(Self { writer, file, path: path.to_path_buf() })
    }

    pub fn write(&mut self, batch: &RecordBatch) -> Result<(), FleetError> {
        self.writer.write(batch).map_err(FleetError::parquet(&self.path))
    }

    /// Bytes of the file so far, what is not compressed yet included.
    pub fn bytes(&self) -> usize {
        self.writer.bytes_written() + self.writer.in_progress_size()
    }

    /// Ends the file; its bytes are on the disk afterwards.
    pub fn finish(mut self) -> Result<(), FleetError> {
        // Not `into_inner`, which has only words for a full disk.
        self.writer.finish().map_err(FleetError::parquet(&self.path))?;
        self.file.sync_all().map_err(FleetError::file(&self.path))
    }
}

fn properties(def: &TableDef) -> WriterProperties {
    // Level 3 is zstd's own default; above it ingest would be twice as slow for 5 %.
    let level = ZstdLevel::try_new(3).unwrap_or_default();
    let mut properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(level))
        // Rows are sorted by time alone, and readers skip row groups: least and largest values of
        // pages would help nobody.
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_data_page_row_count_limit(ROWS_PER_PAGE)
        .set_max_row_group_row_count(Some(ROWS_PER_GROUP));
    for column in def.columns {
        let encoding = match (column.kind, column.name) {
            // The same real in all rows of a log.
            (_, "bin_s") => Encoding::PLAIN,
            // Other rounded reals differ in their first bytes only: apart, these compress.
            (Kind::F64, _) => Encoding::BYTE_STREAM_SPLIT,
            // Rows are sorted by time, and jobs are numbered as they come: steps are small.
            (Kind::TimestampNs, _) | (_, "job_id") => Encoding::DELTA_BINARY_PACKED,
            (_, name) if DISTINCT.contains(&name) => Encoding::PLAIN,
            _ => continue,
        };
        let path = ColumnPath::from(column.name);
        properties = properties
            .set_column_dictionary_enabled(path.clone(), false)
            .set_column_encoding(path, encoding);
    }
    properties.build()
}

/// A whole file, in batches of at most so many rows; `columns`: only these.
pub fn read(
    path: &Path,
    rows: usize,
    columns: Option<&[&str]>,
) -> Result<(SchemaRef, ParquetRecordBatchReader), FleetError> {
    let file = File::open(path).map_err(FleetError::file(path))?;
    let mut builder =
        ParquetRecordBatchReaderBuilder::try_new(file).map_err(FleetError::parquet(path))?;
    if let Some(columns) = columns {
        let mask = ProjectionMask::columns(builder.parquet_schema(), columns.iter().copied());
        builder = builder.with_projection(mask);
    }
    let schema = builder.schema().clone();
    let reader = builder.with_batch_size(rows).build().map_err(FleetError::parquet(path))?;
    Ok((schema, reader))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generated::{ActivityRow, activity};
    use diya_tables::TableBuilder;
    use parquet::file::reader::{FileReader, SerializedFileReader};

    #[test]
    fn keys_and_times_have_no_dictionary_and_are_read_as_they_were() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("part.parquet");
        let mut rows = TableBuilder::new(&activity::DEF);
        // Times may be missing, and are not always in order.
        for (log_hash, start_time) in [(i64::MIN, Some(5)), (-1, None), (i64::MAX, Some(-3))] {
            let row = ActivityRow {
                log_hash,
                start_time,
                op: "read",
                bin: 0,
                bin_s: 1.5,
                bytes: 7,
                is_estimate: false,
            };
            row.push(&mut rows);
        }
        let rows = rows.into_batch();
        let mut part = PartWriter::create(&path, &activity::DEF).expect("a file");
        part.write(&rows).expect("written");
        part.finish().expect("ended");
        let (_, mut reader) = read(&path, 100, None).expect("Parquet");
        let read = reader.next().expect("rows").expect("readable");
        assert_eq!(read.columns(), rows.columns());
        let file = SerializedFileReader::new(File::open(&path).expect("a file")).expect("Parquet");
        let has = |column: usize, encoding| {
            let of = file.metadata().row_group(0).column(column);
            of.encodings().any(|one| one == encoding)
        };
        assert!(has(activity::LOG_HASH, Encoding::PLAIN));
        assert!(has(activity::START_TIME, Encoding::DELTA_BINARY_PACKED));
        assert!(has(activity::BIN_S, Encoding::PLAIN));
        let with_dictionary = [activity::OP, activity::BIN, activity::BYTES];
        for column in 0..activity::IS_ESTIMATE {
            let is_expected = with_dictionary.contains(&column);
            assert_eq!(has(column, Encoding::RLE_DICTIONARY), is_expected, "column {column}");
        }
    }
}
