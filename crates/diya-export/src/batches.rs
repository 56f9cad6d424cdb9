//! Record batches in the formats of files.

use arrow::array::{ArrayRef, RecordBatch};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use std::io::Write;
use std::sync::Arc;

/// File format of exported tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableFormat {
    /// Apache Parquet, compressed with zstd.
    Parquet,
    /// Arrow IPC file.
    Arrow,
    /// Comma-separated values with a header line.
    Csv,
}

impl TableFormat {
    /// Ending of the files.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Parquet => "parquet",
            Self::Arrow => "arrow",
            Self::Csv => "csv",
        }
    }
}

/// Writes record batches to a file of this format.
pub(super) fn write_batches_as(
    out: &mut (impl Write + Send),
    schema: SchemaRef,
    batches: impl Iterator<Item = RecordBatch>,
    format: TableFormat,
) -> Result<(), String> {
    match format {
        TableFormat::Parquet => super::parquet::write(out, schema, batches)?,
        TableFormat::Arrow => {
            let mut writer =
                arrow::ipc::writer::FileWriter::try_new(out, &schema).map_err(|e| e.to_string())?;
            for batch in batches {
                writer.write(&batch).map_err(|e| e.to_string())?;
            }
            writer.finish().map_err(|e| e.to_string())?;
        }
        TableFormat::Csv => {
            let mut writer = arrow::csv::Writer::new(out);
            let mut batches = batches.peekable();
            if batches.peek().is_none() {
                // The header line says what the columns would be.
                writer.write(&RecordBatch::new_empty(schema)).map_err(|e| e.to_string())?;
            }
            for batch in batches {
                writer.write(&batch).map_err(|e| e.to_string())?;
            }
        }
    }
    Ok(())
}

/// The batch with view columns as plain text: not every reader of Arrow and
/// Parquet files knows views.
pub(super) fn plain_text(batch: &RecordBatch) -> RecordBatch {
    let schema = batch.schema();
    let fields: Vec<Field> = schema
        .fields()
        .iter()
        .map(|f| match f.data_type() {
            DataType::Utf8View => f.as_ref().clone().with_data_type(DataType::Utf8),
            _ => f.as_ref().clone(),
        })
        .collect();
    let columns: Vec<ArrayRef> = batch
        .columns()
        .iter()
        .zip(&fields)
        .map(|(column, field)| cast(column, field.data_type()).expect("text casts to text"))
        .collect();
    let schema = Arc::new(Schema::new_with_metadata(fields, schema.metadata().clone()));
    let options = arrow::array::RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    RecordBatch::try_new_with_options(schema, columns, &options)
        .expect("the schema has the types of the columns")
}
