//! Rows of a query as a drawn table that a terminal has room for.

use super::LeftOut;
use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use arrow::error::ArrowError;
use arrow::util::display::{ArrayFormatter, FormatOptions};
use diya_report::{NO_VALUE, TextTable, printable};
use std::io::{self, Write};

/// Columns of the terminal before and behind a row.
const BORDERS: usize = 4;

/// So many rows are printed as lists of columns where a table has no room for all columns.
const MAX_LISTED_ROWS: usize = 3;

/// Writes the rows within so many columns of the terminal. Gives back the columns that had no
/// room; few rows are lists with one line for each column, which need none.
pub fn write_drawn(
    out: &mut dyn Write,
    schema: &SchemaRef,
    batches: &[RecordBatch],
    room: usize,
) -> io::Result<LeftOut> {
    let mut table = texts(schema, batches).map_err(io::Error::other)?;
    let whole = table.clone();
    // Lines between columns take one more than the blanks of a table without them.
    let room_between = |columns: usize| room.saturating_sub(BORDERS + columns.saturating_sub(1));
    let mut columns = table.fit_columns(room_between(whole.columns.len()));
    if !columns.is_empty() && (1..=MAX_LISTED_ROWS).contains(&whole.rows()) {
        columns.clear();
        list(out, &whole, room)?;
    } else {
        draw(out, &table)?;
    }
    Ok(LeftOut { rows: 0, columns })
}

/// The values as `write_rows` prints them.
fn texts(schema: &SchemaRef, batches: &[RecordBatch]) -> Result<TextTable, ArrowError> {
    let options = FormatOptions::default().with_null(NO_VALUE);
    let mut table =
        TextTable::new(schema.fields().iter().map(|field| (field.name().as_str(), false)));
    for batch in batches {
        for (column, values) in table.columns.iter_mut().zip(batch.columns()) {
            column.is_number = values.data_type().is_numeric();
            let values = ArrayFormatter::try_new(values, &options)?;
            for row in 0..batch.num_rows() {
                let text = values.value(row).try_to_string()?;
                column.cells.push(printable(&text).into_owned());
            }
        }
    }
    Ok(table)
}

fn draw(out: &mut dyn Write, table: &TextTable) -> io::Result<()> {
    let widths: Vec<usize> = table.columns.iter().map(diya_report::TextColumn::width).collect();
    let rule: String = widths.iter().map(|width| format!("+{}", "-".repeat(width + 2))).collect();
    writeln!(out, "{rule}+")?;
    let heads = table.heads();
    for (number, line) in table.lines().enumerate() {
        let mut cells = line.into_iter().peekable();
        for (column, width) in widths.iter().enumerate() {
            let text = cells.next_if(|cell| cell.column == column).map_or("", |cell| cell.text);
            let pad = width - diya_report::width(text);
            write!(out, "| {text}{:pad$} ", "")?;
        }
        writeln!(out, "|")?;
        if number + 1 == heads {
            writeln!(out, "{rule}+")?;
        }
    }
    writeln!(out, "{rule}+")
}

/// Each row as a list: a column and its value on a line.
fn list(out: &mut dyn Write, table: &TextTable, room: usize) -> io::Result<()> {
    for row in 0..table.rows() {
        if table.rows() > 1 {
            writeln!(out, "{}row {}", if row > 0 { "\n" } else { "" }, row + 1)?;
        }
        let mut lines = TextTable::new([("", false), ("", false)]);
        for column in &table.columns {
            lines.row([&column.head, &column.cells[row]]);
        }
        lines.wrap_last(room);
        lines.write(out, 0)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::{ArrayRef, Int64Array, StringArray};
    use std::sync::Arc;

    fn drawn(rows: usize, room: usize) -> (String, Vec<String>) {
        let paths: ArrayRef = Arc::new(StringArray::from(vec!["/scratch/output.h5"; rows]));
        let calls: ArrayRef = Arc::new(Int64Array::from(vec![Some(1000); rows]));
        let bytes: ArrayRef = Arc::new(Int64Array::from(vec![None; rows]));
        let columns = [("path", paths), ("calls", calls), ("bytes_read", bytes)];
        let batch = RecordBatch::try_from_iter_with_nullable(
            columns.map(|(name, values)| (name, values, true)),
        )
        .expect("columns of one length");
        let mut out = Vec::new();
        let left =
            write_drawn(&mut out, &batch.schema(), &[batch], room).expect("memory takes all");
        (String::from_utf8(out).expect("texts"), left.columns)
    }

    #[test]
    fn a_table_that_fits_is_drawn_as_it_is_without_a_terminal() {
        let (text, left) = drawn(1, 80);
        assert_eq!(
            text,
            "+--------------------+-------+------------+\n\
             | path               | calls | bytes_read |\n\
             +--------------------+-------+------------+\n\
             | /scratch/output.h5 | 1000  | -          |\n\
             +--------------------+-------+------------+\n"
        );
        assert!(left.is_empty());
    }

    #[test]
    fn a_narrow_terminal_gets_less_and_is_told_what() {
        let (text, left) = drawn(4, 34);
        assert_eq!(left, ["bytes_read"]);
        assert!(text.lines().all(|line| diya_report::width(line) <= 34), "{text}");
    }

    #[test]
    fn few_rows_are_lists_of_all_columns() {
        let (text, left) = drawn(1, 24);
        assert_eq!(text, "path        /scratch/output.h5\ncalls       1000\nbytes_read  -\n");
        assert!(left.is_empty());
    }
}
