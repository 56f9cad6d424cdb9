//! Rows of a query for people: units instead of bare numbers, aligned columns.

use arrow::array::{Array, ArrayRef, AsArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Float64Type, Int64Type};
use diya_model::{bytes_text, calls_text, seconds_text};
use diya_query::Rows;
use diya_report::{NO_VALUE, TextColumn, TextTable, printable, shortened};
use std::io::{self, Write};

/// How to print rows for people.
#[derive(Debug, Clone, Copy)]
pub struct Readable {
    /// Rows to print; 0: all.
    pub limit: usize,
    /// Characters a path may take; its middle is left out where it is longer. 0: all.
    pub path_width: usize,
    /// Columns of the terminal that the table may take; `None`: any number.
    pub room: Option<usize>,
    /// Rows are of one log: its number says nothing.
    pub is_one_log: bool,
}

/// What [`write_readable`] and [`super::write_drawn`] left out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Rows beyond the limit.
    pub rows: usize,
    /// Columns for which the terminal has no room.
    pub columns: Vec<String>,
}

/// Prints the rows; gives back what was left out.
///
/// Units come from the names of the columns: `_s`, `bytes`, `_bytes_per_s`.
pub fn write_readable(out: &mut dyn Write, rows: &Rows, how: Readable) -> io::Result<LeftOut> {
    let all: usize = rows.batches.iter().map(|batch| batch.num_rows()).sum();
    let limit = if how.limit == 0 { all } else { how.limit.min(all) };
    let names: Vec<&str> = rows.schema.fields().iter().map(|f| f.name().as_str()).collect();
    let is_shown = |name: &str| match name {
        "log" => !how.is_one_log,
        // The path says which file it is.
        "file_id" => !names.contains(&"path"),
        _ => true,
    };
    let mut table = TextTable::default();
    for (place, name) in names.iter().enumerate().filter(|(_, name)| is_shown(name)) {
        let mut column = TextColumn::new(*name, false);
        for batch in &rows.batches {
            let left = limit - column.cells.len();
            let values = batch.column(place).slice(0, batch.num_rows().min(left));
            append(&mut column, name, &values, how.path_width).map_err(io::Error::other)?;
        }
        table.columns.push(column);
    }
    let columns = how.room.map(|room| table.fit_columns(room)).unwrap_or_default();
    table.write(out, 0)?;
    Ok(LeftOut { rows: all - limit, columns })
}

fn append(
    column: &mut TextColumn,
    name: &str,
    values: &ArrayRef,
    path_width: usize,
) -> Result<(), String> {
    let to = match values.data_type() {
        DataType::UInt64 => DataType::Utf8,
        kind if kind.is_integer() => DataType::Int64,
        kind if kind.is_numeric() => DataType::Float64,
        _ => DataType::Utf8,
    };
    column.is_number |= to != DataType::Utf8;
    let values = cast(values, &to).map_err(|e| e.to_string())?;
    for row in 0..values.len() {
        column.cells.push(match &to {
            _ if values.is_null(row) => NO_VALUE.to_owned(),
            DataType::Int64 => whole(name, values.as_primitive::<Int64Type>().value(row)),
            DataType::Float64 => real(name, values.as_primitive::<Float64Type>().value(row)),
            _ => plain(values.as_string::<i32>().value(row), path_width),
        });
    }
    Ok(())
}

/// Numbers that count nothing are printed as they are.
fn whole(name: &str, value: i64) -> String {
    let is_bytes = name.contains("bytes");
    const NAMES: [&str; 9] =
        ["log", "rank", "phase", "process", "line", "component", "year", "month", "behaviour"];
    let is_name =
        NAMES.contains(&name) || ["_rank", "_id", "_hash"].iter().any(|end| name.ends_with(end));
    match u64::try_from(value) {
        Ok(value) if is_bytes => bytes_text(value),
        Ok(value) if !is_name => calls_text(value),
        _ => value.to_string(),
    }
}

fn real(name: &str, value: f64) -> String {
    if name.ends_with("bytes_per_s") {
        format!("{}/s", bytes_text(value.max(0.0) as u64))
    } else if name.ends_with("_s") {
        seconds_text(value)
    } else if name.contains("bytes") && !name.ends_with("_ratio") {
        bytes_text(value.max(0.0) as u64)
    } else if value.abs() >= 1000.0 {
        format!("{value:.0}")
    } else {
        let text = format!("{value:.3}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    }
}

/// Text of a log as one visible line; the middle of a long one is left out.
fn plain(text: &str, width: usize) -> String {
    match printable(text) {
        visible if width < 8 => visible.into_owned(),
        visible => shortened(&visible, width),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_follow_the_names() {
        assert_eq!(whole("bytes_read", 1536), "1.50 KiB");
        assert_eq!(whole("calls", 12_000), "12,000");
        assert_eq!(whole("slowest_rank", 12_000), "12000");
        assert_eq!(whole("rank", -1), "-1");
        assert_eq!(real("bandwidth_bytes_per_s", 2048.0), "2.00 KiB/s");
        assert_eq!(real("waited_s", 0.25), "250 ms");
        assert_eq!(real("bytes_imbalance_ratio", 1.5), "1.5");
    }

    #[test]
    fn names_from_a_log_are_one_visible_line() {
        assert_eq!(plain("a\u{1b}[31m\nb", 80), "a\\x1b[31m\\nb");
        assert_eq!(plain("/scratch/project/output.h5", 16), "/scra…/output.h5");
    }
}
