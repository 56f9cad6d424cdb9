//! Rows of a table as a block: every column with its name and type, so that a
//! block can be read without any other part of the file.

use super::block::{Block, BlockKind, Effort};
use super::body::Body;
use super::numbers::{put_numbers, put_reals, put_texts};
use diya_tables::{Kind, TableBuilder};
use std::ops::Range;

/// Rows in a full block.
pub(super) const ROWS_PER_BLOCK: usize = 65_536;

/// Makes a block of these rows. The column `log` is left out: a file holds one
/// log, and its number is given by who reads it.
pub(super) fn encode_rows(table: &TableBuilder, rows: Range<usize>) -> Block {
    let def = table.def();
    let columns = || def.columns.iter().enumerate().filter(|(_, c)| c.name != "log");
    let (mut raw, mut part) = (Body::default(), Body::default());
    raw.varint(u64::from(def.version));
    raw.size(columns().count());
    for (number, column) in columns() {
        raw.text(column.name);
        raw.byte(type_code(column.kind));
        raw.part(&mut part, |out| put_column(out, table, number, rows.clone()));
    }
    Block::new(BlockKind::Rows, def.name, &[], rows.len(), &raw, Effort::Small)
}

fn type_code(kind: Kind) -> u8 {
    match kind {
        Kind::Bool => 1,
        Kind::I32 => 2,
        Kind::I64 => 3,
        Kind::U64 => 4,
        Kind::F64 => 5,
        Kind::Str => 6,
        Kind::TimestampNs => 7,
    }
}

/// Which rows have a value, then their values.
fn put_column(out: &mut Body, table: &TableBuilder, column: usize, rows: Range<usize>) {
    let numbers = |out: &mut Body, cell: &dyn Fn(usize) -> Option<i64>| {
        put_known(out, rows.clone(), cell, put_numbers);
    };
    match table.def().columns[column].kind {
        Kind::Bool => numbers(out, &|row| table.bool(column, row).map(i64::from)),
        Kind::I32 => numbers(out, &|row| table.i32(column, row).map(i64::from)),
        Kind::I64 | Kind::TimestampNs => numbers(out, &|row| table.i64(column, row)),
        Kind::U64 => numbers(out, &|row| table.u64(column, row).map(u64::cast_signed)),
        Kind::F64 => put_known(out, rows, |row| table.f64(column, row), put_reals),
        Kind::Str => put_known(out, rows, |row| table.str(column, row), put_texts),
    }
}

fn put_known<T>(
    out: &mut Body,
    rows: Range<usize>,
    cell: impl Fn(usize) -> Option<T>,
    put: impl Fn(&mut Body, &[T]),
) {
    let all = rows.len();
    let mut bits = vec![0_u8; all.div_ceil(8)];
    let mut known = Vec::with_capacity(all);
    for (place, row) in rows.enumerate() {
        if let Some(value) = cell(row) {
            bits[place / 8] |= 1 << (place % 8);
            known.push(value);
        }
    }
    match known.len() {
        0 => out.byte(0),
        n if n == all => out.byte(1),
        _ => {
            out.byte(2);
            out.bytes(&bits);
        }
    }
    put(out, &known);
}
