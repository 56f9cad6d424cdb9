//! The numbers of a record as the log holds them.
//!
//! Tables turn Darshan's marks for "not measured" into null. The text needs the
//! marks back: -1 for a counter that is not available, 0 for a time stamp of
//! something that never happened, and -1.0 for a time that records of that
//! version do not have (darshan-util puts it in when it brings old records to
//! the current layout; docs/formats/darshan-parser-text.md, section 5).

use diya_tables::{ColumnDef, Kind, NullWhen, TableBuilder, TableDef, TableId};

/// Columns `log`, `file_id` and `rank` are the first three of these tables.
const FILE_ID: usize = 1;
const RANK: usize = 2;

/// A column that is a counter in the log.
#[derive(Debug, Clone, Copy)]
pub(super) struct Counter {
    column: usize,
    /// Name in the log, as `POSIX_OPENS`.
    pub name: &'static str,
    kind: Kind,
    int_null: i64,
    float_null: f64,
}

/// The counters of a module: integers, then reals, as they lie in a record.
#[derive(Debug)]
pub(super) struct Counters<'t> {
    table: Option<&'t TableBuilder>,
    pub def: &'static TableDef,
    pub ints: Vec<Counter>,
    pub floats: Vec<Counter>,
}

impl<'t> Counters<'t> {
    /// Counters of a table that was filled from records of this version.
    pub fn of(id: TableId, table: Option<&'t TableBuilder>, version: Option<i32>) -> Self {
        let def = id.def();
        let counters = def.columns.iter().enumerate().filter_map(|(column, c)| {
            let name = c.darshan?;
            let float_null = float_null(id, c, name, version);
            Some(Counter { column, name, kind: c.kind, int_null: int_null(c), float_null })
        });
        let (floats, ints) = counters.partition(|c| c.kind == Kind::F64);
        Self { table, def, ints, floats }
    }

    /// Records.
    pub fn rows(&self) -> usize {
        self.table.map_or(0, TableBuilder::rows)
    }

    pub fn file_id(&self, row: usize) -> u64 {
        self.table.and_then(|t| t.u64(FILE_ID, row)).unwrap_or(0)
    }

    pub fn rank(&self, row: usize) -> i32 {
        self.table.and_then(|t| t.i32(RANK, row)).unwrap_or(-1)
    }

    /// An integer as the log holds it; an unsigned one by its bits.
    pub fn int(&self, counter: &Counter, row: usize) -> i64 {
        let Some(table) = self.table else { return counter.int_null };
        let value = match counter.kind {
            Kind::U64 => table.u64(counter.column, row).map(u64::cast_signed),
            _ => table.i64(counter.column, row),
        };
        value.unwrap_or(counter.int_null)
    }

    /// A real number as the log holds it.
    pub fn float(&self, counter: &Counter, row: usize) -> f64 {
        let value = self.table.and_then(|t| t.f64(counter.column, row));
        value.unwrap_or(counter.float_null)
    }

    /// A number that is no counter.
    pub fn id(&self, column: usize, row: usize) -> Option<u64> {
        self.table.and_then(|t| t.u64(column, row))
    }

    /// A text that is no counter.
    pub fn text(&self, column: usize, row: usize) -> Option<&'t str> {
        self.table.and_then(|t| t.str(column, row))
    }

    /// All numbers of a record.
    pub fn load(&self, row: usize, record: &mut Record) {
        record.file_id = self.file_id(row);
        record.rank = self.rank(row);
        record.ints.clear();
        record.ints.extend(self.ints.iter().map(|c| self.int(c, row)));
        record.floats.clear();
        record.floats.extend(self.floats.iter().map(|c| self.float(c, row)));
    }

    /// Position of an integer among the integers, by the end of its name.
    pub fn int_at(&self, name: &str) -> usize {
        find(&self.ints, name)
    }

    /// Position of a real among the reals, by the end of its name.
    pub fn float_at(&self, name: &str) -> usize {
        find(&self.floats, name)
    }
}

impl Counter {
    pub fn is_unsigned(&self) -> bool {
        self.kind == Kind::U64
    }

    /// Name without the module: `OPENS`, `F_READ_TIME`.
    pub fn short_name(&self) -> &'static str {
        self.name.split_once('_').map_or(self.name, |(_, rest)| rest)
    }
}

/// The numbers of one record.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Record {
    pub file_id: u64,
    pub rank: i32,
    pub ints: Vec<i64>,
    pub floats: Vec<f64>,
}

/// A counter that this program itself names is missing only if the table
/// definition and the program no longer fit, which a test would have shown.
fn find(counters: &[Counter], name: &str) -> usize {
    let found = counters.iter().position(|c| c.short_name() == name);
    found.unwrap_or_else(|| panic!("no counter {name}"))
}

fn int_null(column: &ColumnDef) -> i64 {
    match column.null_when {
        NullWhen::MinusOne => -1,
        NullWhen::Never | NullWhen::Zero | NullWhen::ZeroUnshared => 0,
    }
}

fn float_null(id: TableId, column: &ColumnDef, name: &str, version: Option<i32>) -> f64 {
    match column.null_when {
        NullWhen::Never | NullWhen::MinusOne => -1.0,
        NullWhen::Zero | NullWhen::ZeroUnshared if is_absent(id, name, version) => -1.0,
        NullWhen::Zero | NullWhen::ZeroUnshared => 0.0,
    }
}

/// Records of this version do not have the time stamp.
///
/// Source: the record getters of darshan-{posix,mpiio,hdf5,pnetcdf}-logutils.c.
fn is_absent(id: TableId, name: &str, version: Option<i32>) -> bool {
    let since = match id {
        TableId::Posix | TableId::Mpiio if is_close_start_or_open_end(name) => 3,
        TableId::Hdf5File | TableId::PnetcdfFile if is_close_start_or_open_end(name) => 2,
        TableId::PnetcdfFile if name.contains("_WAIT_") => 3,
        _ => return false,
    };
    // Formats without versions are older than all of them.
    version.is_none_or(|version| version < since)
}

fn is_close_start_or_open_end(name: &str) -> bool {
    name.ends_with("_F_CLOSE_START_TIMESTAMP") || name.ends_with("_F_OPEN_END_TIMESTAMP")
}

#[cfg(test)]
mod tests {
    use super::*;
    use diya_tables::{Tables, posix};

    fn one_row() -> Tables {
        let mut tables = Tables::new();
        let t = tables.builder(TableId::Posix);
        t.push_u64(FILE_ID, Some(7));
        t.push_i32(RANK, Some(0));
        t.push_counter(posix::MMAPS, -1, false);
        t.push_counter(posix::FASTEST_RANK, 0, false);
        t.push_counter(posix::READS, 3, false);
        t.push_f_counter(posix::F_READ_START_TIMESTAMP, 0.0, false);
        t.push_f_counter(posix::F_READ_TIME, 1.5, false);
        t.end_row();
        tables
    }

    fn value(version: i32, name: &str) -> f64 {
        let tables = one_row();
        let counters = Counters::of(TableId::Posix, tables.table(TableId::Posix), Some(version));
        let int = counters.ints.iter().find(|c| c.short_name() == name);
        let float = counters.floats.iter().find(|c| c.short_name() == name);
        match (int, float) {
            (Some(counter), _) => counters.int(counter, 0) as f64,
            (_, Some(counter)) => counters.float(counter, 0),
            _ => panic!("no counter {name}"),
        }
    }

    #[test]
    fn nulls_become_the_marks_of_the_log_again() {
        assert_eq!(value(4, "MMAPS"), -1.0);
        assert_eq!(value(4, "FASTEST_RANK"), 0.0);
        assert_eq!(value(4, "RENAMED_FROM"), 0.0);
        assert_eq!(value(4, "F_READ_START_TIMESTAMP"), 0.0);
        assert_eq!(value(4, "F_CLOSE_START_TIMESTAMP"), 0.0);
        assert_eq!(value(4, "READS"), 3.0);
        assert_eq!(value(4, "F_READ_TIME"), 1.5);
    }

    #[test]
    fn a_time_stamp_that_the_version_lacks_is_minus_one() {
        assert_eq!(value(2, "F_CLOSE_START_TIMESTAMP"), -1.0);
        assert_eq!(value(2, "F_OPEN_END_TIMESTAMP"), -1.0);
        assert_eq!(value(2, "F_READ_START_TIMESTAMP"), 0.0);
        assert_eq!(value(3, "F_CLOSE_START_TIMESTAMP"), 0.0);
    }
}
