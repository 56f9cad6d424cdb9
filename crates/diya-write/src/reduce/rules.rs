//! How each column of a table is reduced: its name, which is Darshan's, decides.

use super::common::Common;
use super::compared::Compared;
use super::{LOG, RANK, SHARED};
use crate::rows::copy_cell;
use diya_tables::{Kind, TableBuilder, TableDef};

/// What becomes of the values of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rule {
    Sum,
    Max,
    Min,
    /// A property of the file, or of how it was opened: that of one rank.
    First,
    /// Put in by [`Common`], [`Compared`] or with the slowest call.
    Elsewhere,
}

/// The slowest call and the size of its request.
#[derive(Debug)]
struct Slowest {
    time: usize,
    size: usize,
}

/// How the records of a table are reduced.
#[derive(Debug)]
pub(super) struct Reduction {
    rules: Vec<Rule>,
    slowest: Vec<Slowest>,
    common: Vec<Common>,
    compared: Option<Compared>,
}

impl Reduction {
    pub fn of(def: &'static TableDef) -> Self {
        let pair =
            |(time, size)| Some(Slowest { time: def.column(time)?, size: def.column(size)? });
        let pairs = [
            ("f_max_read_time", "max_read_time_size"),
            ("f_max_write_time", "max_write_time_size"),
        ];
        Self {
            rules: def.columns.iter().map(|column| rule(column.name)).collect(),
            slowest: pairs.into_iter().filter_map(pair).collect(),
            common: ["stride", "access"].iter().filter_map(|what| Common::of(def, what)).collect(),
            compared: Compared::of(def),
        }
    }

    /// Appends the record that the rows become.
    pub fn push(&self, table: &TableBuilder, rows: &[usize], out: &mut TableBuilder) {
        let first = rows.first().copied().unwrap_or(0);
        copy_cell(table, LOG, first, out);
        out.push_i32(RANK, Some(SHARED));
        for (column, rule) in
            self.rules.iter().enumerate().filter(|(c, _)| ![LOG, RANK].contains(c))
        {
            match rule {
                Rule::First => {
                    let known = rows.iter().find(|row| is_known(table, column, **row));
                    copy_cell(table, column, known.copied().unwrap_or(first), out);
                }
                Rule::Elsewhere => {}
                rule => number(*rule, table, column, rows, out),
            }
        }
        for Slowest { time, size } in &self.slowest {
            let of = |row: usize| table.f64(*time, row).unwrap_or(0.0);
            let row = rows.iter().copied().reduce(|a, b| if of(b) > of(a) { b } else { a });
            copy_cell(table, *time, row.unwrap_or(first), out);
            copy_cell(table, *size, row.unwrap_or(first), out);
        }
        self.common.iter().for_each(|common| common.push(table, rows, out));
        if let Some(compared) = &self.compared {
            compared.push(table, rows, out);
        }
        out.end_row();
    }
}

fn is_known(table: &TableBuilder, column: usize, row: usize) -> bool {
    match table.def().columns[column].kind {
        Kind::U64 => table.u64(column, row).is_some(),
        Kind::Str => table.str(column, row).is_some(),
        _ => table.i64(column, row).is_some(),
    }
}

/// Values that were not recorded take no part; none recorded gives none.
fn number(rule: Rule, table: &TableBuilder, column: usize, rows: &[usize], out: &mut TableBuilder) {
    if table.def().columns[column].kind == Kind::F64 {
        let values = rows.iter().filter_map(|&row| table.f64(column, row));
        let value = match rule {
            Rule::Min => values.reduce(f64::min),
            Rule::Max => values.reduce(f64::max),
            _ => values.reduce(|a, b| a + b),
        };
        return out.push_f64(column, value);
    }
    let values = rows.iter().filter_map(|&row| table.i64(column, row));
    let value = match rule {
        Rule::Min => values.min(),
        Rule::Max => values.max(),
        _ => values.reduce(i64::saturating_add),
    };
    out.push_i64(column, value);
}

fn rule(name: &str) -> Rule {
    match name {
        "file_id" | "mode" | "mem_alignment" | "file_alignment" | "renamed_from"
        | "file_rec_id" | "datatype_size" | "is_record_var" | "chunk_size" | "ndims"
        | "npoints" | "pool_uuid" | "cont_uuid" | "oid_hi" | "oid_lo" => Rule::First,
        // Flags: set when any rank set them.
        "use_mpiio" | "use_mpiio_collective" | "use_deprecated" => Rule::Max,
        "f_max_read_time" | "f_max_write_time" | "max_read_time_size" | "max_write_time_size" => {
            Rule::Elsewhere
        }
        _ if name.starts_with("chunk_size_") || name.starts_with("dataspace_") => Rule::First,
        _ if name.starts_with("max_byte_") || name.ends_with("_end_timestamp") => Rule::Max,
        _ if name.ends_with("_start_timestamp") => Rule::Min,
        _ if super::common::is_common(name) || super::compared::is_compared(name) => {
            Rule::Elsewhere
        }
        _ => Rule::Sum,
    }
}
