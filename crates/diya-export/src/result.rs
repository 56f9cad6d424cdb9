//! Rows of a query in the formats people and programs read.

use super::batches::{TableFormat, plain_text, write_batches_as};
use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use arrow::json::writer::{JsonArray, WriterBuilder};
use arrow::util::display::FormatOptions;
use diya_query::Rows;
use std::io::Write;
use std::sync::Arc;

/// How rows are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResultFormat {
    /// A drawn table.
    Table,
    /// Comma-separated values with a header line.
    Csv,
    /// An array of objects; null is null.
    Json,
    /// A Parquet file.
    Parquet,
}

/// Writes the rows of a query.
pub fn write_rows(
    out: &mut (impl Write + Send),
    rows: &Rows,
    format: ResultFormat,
) -> Result<(), String> {
    write_batches(out, &rows.schema, &rows.batches, format)
}

/// Writes record batches.
pub fn write_batches(
    out: &mut (impl Write + Send),
    schema: &SchemaRef,
    batches: &[RecordBatch],
    format: ResultFormat,
) -> Result<(), String> {
    match format {
        ResultFormat::Table => {
            let options = FormatOptions::default().with_null("-");
            let text = if batches.is_empty() {
                arrow::util::pretty::pretty_format_batches_with_options(
                    &[RecordBatch::new_empty(Arc::clone(schema))],
                    &options,
                )
            } else {
                arrow::util::pretty::pretty_format_batches_with_options(batches, &options)
            };
            writeln!(out, "{}", text.map_err(|e| e.to_string())?).map_err(|e| e.to_string())
        }
        ResultFormat::Json => {
            let builder = WriterBuilder::new().with_explicit_nulls(true);
            let mut writer = builder.build::<_, JsonArray>(&mut *out);
            for batch in batches {
                writer.write(batch).map_err(|e| e.to_string())?;
            }
            writer.finish().map_err(|e| e.to_string())?;
            writeln!(out).map_err(|e| e.to_string())
        }
        ResultFormat::Csv => write_plain(out, schema, batches, TableFormat::Csv),
        ResultFormat::Parquet => write_plain(out, schema, batches, TableFormat::Parquet),
    }
}

fn write_plain(
    out: &mut (impl Write + Send),
    schema: &SchemaRef,
    batches: &[RecordBatch],
    format: TableFormat,
) -> Result<(), String> {
    let schema = plain_text(&RecordBatch::new_empty(Arc::clone(schema))).schema();
    write_batches_as(out, schema, batches.iter().map(plain_text), format)
}
