//! Rows of a query in the format that was asked for.

use crate::failure::Failure;
use crate::options::{Common, RowFormat};
use crate::output::{Content, room, say_columns, to_stdout, write_failure};
use diya::Rows;
use diya_export::{ResultFormat, write_drawn, write_rows};
use std::io::Write;

/// Writes them; a drawn table takes at most the columns of `room`. Gives back the columns that
/// had no room.
pub fn write(
    out: &mut (impl Write + Send),
    answers: &[Rows],
    format: ResultFormat,
    room: Option<usize>,
) -> Result<Vec<String>, Failure> {
    let mut left_out = Vec::new();
    for rows in answers {
        match room.filter(|_| format == ResultFormat::Table) {
            Some(room) => {
                left_out.extend(write_drawn(out, &rows.schema, &rows.batches, room)?.columns);
            }
            None => write_rows(out, rows, format).map_err(write_failure)?,
        }
    }
    Ok(left_out)
}

/// Prints them on standard output.
pub fn print(answers: &[Rows], format: ResultFormat, common: &Common) -> Result<(), Failure> {
    let mut left_out = Vec::new();
    to_stdout(content_of(format), |out| {
        left_out = write(out, answers, format, room(false))?;
        Ok(())
    })?;
    say_columns(&left_out, common);
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
