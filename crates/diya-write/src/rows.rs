//! Rows of one table put into another of the same definition.

use diya_tables::{Kind, TableBuilder};

/// Appends the cell of a row to the open row of another table.
pub fn copy_cell(from: &TableBuilder, column: usize, row: usize, to: &mut TableBuilder) {
    match from.def().columns[column].kind {
        Kind::Bool => to.push_bool(column, from.bool(column, row)),
        Kind::I32 => to.push_i32(column, from.i32(column, row)),
        Kind::I64 | Kind::TimestampNs => to.push_i64(column, from.i64(column, row)),
        Kind::U64 => to.push_u64(column, from.u64(column, row)),
        Kind::F64 => to.push_f64(column, from.f64(column, row)),
        Kind::Str => to.push_str(column, from.str(column, row)),
    }
}

/// Appends a whole row to another table.
pub fn copy_row(from: &TableBuilder, row: usize, to: &mut TableBuilder) {
    (0..from.def().columns.len()).for_each(|column| copy_cell(from, column, row, to));
    to.end_row();
}

/// The rows for which `keep` holds.
pub fn filter_rows(from: &TableBuilder, keep: impl Fn(usize) -> bool) -> TableBuilder {
    let mut to = TableBuilder::new(from.def());
    (0..from.rows()).filter(|row| keep(*row)).for_each(|row| copy_row(from, row, &mut to));
    to
}
