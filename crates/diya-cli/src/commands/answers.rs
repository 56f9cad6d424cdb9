//! Rows of a query in the format that was asked for.

use crate::failure::Failure;
use crate::options::RowFormat;
use crate::output::{Content, write_failure};
use diya::Rows;
use diya::export::{ResultFormat, write_rows};
use std::io::Write;

pub fn write(
    out: &mut (impl Write + Send),
    answers: &[Rows],
    format: ResultFormat,
) -> Result<(), Failure> {
    for rows in answers {
        write_rows(out, rows, format).map_err(write_failure)?;
    }
    Ok(())
}

/// What an answer in this format is.
pub fn content_of(format: ResultFormat) -> Content {
    match format {
        ResultFormat::Json => Content::Json,
        ResultFormat::Parquet => Content::Binary,
        ResultFormat::Table | ResultFormat::Csv => Content::Text,
    }
}

pub fn result_format(format: RowFormat) -> ResultFormat {
    match format {
        RowFormat::Table => ResultFormat::Table,
        RowFormat::Csv => ResultFormat::Csv,
        RowFormat::Json => ResultFormat::Json,
        RowFormat::Parquet => ResultFormat::Parquet,
    }
}
