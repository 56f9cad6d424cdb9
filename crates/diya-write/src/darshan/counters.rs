//! Modules whose records are counters: the columns of their table, in order.
//!
//! Always in the newest version of the record, except where only an older one
//! can say that something was not recorded. Source: darshan-*-log-format.h of
//! 3.5.0; sizes are in docs/formats/darshan.md, section 3.

use super::pack::Packer;
use super::{FILE_ID, RANK, Records, base, rows_of};
use crate::Loss;
use diya_tables::{Kind, NullWhen, TableBuilder, TableId, pnetcdf_file};
use std::io::{self, Write as _};

/// A module of counters.
#[derive(Debug)]
pub(super) struct Module {
    slot: usize,
    version: u32,
    pub name: &'static str,
    pub table: TableId,
}

const fn of(slot: usize, version: u32, name: &'static str, table: TableId) -> Module {
    Module { slot, version, name, table }
}

static MODULES: [Module; 10] = [
    of(1, 4, "POSIX", TableId::Posix),
    of(2, 3, "MPI-IO", TableId::Mpiio),
    of(3, 3, "H5F", TableId::Hdf5File),
    of(4, 2, "H5D", TableId::Hdf5Dataset),
    of(5, 3, "PNETCDF_FILE", TableId::PnetcdfFile),
    of(6, 1, "PNETCDF_VAR", TableId::PnetcdfVar),
    of(7, 2, "BG/Q", TableId::Bgq),
    of(9, 2, "STDIO", TableId::Stdio),
    of(16, 1, "DFS", TableId::Dfs),
    of(17, 1, "DAOS", TableId::Daos),
];

/// The module of counters with this number.
pub(super) fn module(slot: usize) -> Option<&'static Module> {
    MODULES.iter().find(|m| m.slot == slot)
}

/// One field of a record.
#[derive(Debug, Clone, Copy)]
enum Field {
    /// Eight bytes: a counter or an id.
    Number(usize),
    /// Sixteen bytes.
    Uuid(usize),
}

/// The records of one module.
pub(super) struct Counters<'t> {
    table: &'t TableBuilder,
    rows: Vec<usize>,
    pub version: u32,
    fields: Vec<Field>,
}

impl<'t> Counters<'t> {
    pub fn new(
        table: &'t TableBuilder,
        log: i32,
        module: &'static Module,
        losses: &mut Vec<Loss>,
    ) -> Self {
        let rows: Vec<usize> = rows_of(table, log).collect();
        let columns = table.def().columns.iter().enumerate();
        let counters = columns.filter(|(_, c)| c.darshan.is_some());
        let mut fields: Vec<Field> = counters.map(|(i, _)| Field::Number(i)).collect();
        let mut version = module.version;
        if let Some(file) = table.def().column("file_rec_id") {
            let is_known = |row: &usize| table.u64(file, *row).is_some();
            // Version 1 of H5D, written by Darshan 3.2 and 3.3, did not know the file.
            if module.table == TableId::Hdf5Dataset && !rows.iter().any(is_known) {
                version = 1;
            } else {
                fields.insert(0, Field::Number(file));
            }
        }
        let column = |name| table.def().column(name);
        fields.extend(["pool_uuid", "cont_uuid"].into_iter().filter_map(column).map(Field::Uuid));
        fields.extend(["oid_hi", "oid_lo"].into_iter().filter_map(column).map(Field::Number));
        if module.table == TableId::PnetcdfFile {
            let is_split = |row: &&usize| table.i64(pnetcdf_file::INDEP_OPENS, **row).is_some();
            tell_split_opens(rows.iter().filter(is_split).count(), losses);
        }
        Self { table, rows, version, fields }
    }

    fn number(&self, column: usize, row: usize) -> [u8; 8] {
        let def = &self.table.def().columns[column];
        match def.kind {
            // A time that was not measured has no mark of its own.
            Kind::F64 => self.table.f64(column, row).unwrap_or(0.0).to_le_bytes(),
            Kind::U64 => self.table.u64(column, row).unwrap_or(0).to_le_bytes(),
            _ => {
                let mark = match def.null_when {
                    NullWhen::Zero | NullWhen::ZeroUnshared => 0,
                    NullWhen::MinusOne | NullWhen::Never => -1,
                };
                self.table.i64(column, row).unwrap_or(mark).to_le_bytes()
            }
        }
    }
}

impl Records for Counters<'_> {
    fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    fn pack(&self, into: &mut Packer) -> io::Result<()> {
        let mut record = Vec::new();
        for &row in &self.rows {
            record.clear();
            let id = self.table.u64(FILE_ID, row).unwrap_or(0);
            record.extend(base(id, self.table.i32(RANK, row).unwrap_or(-1)));
            for field in &self.fields {
                match *field {
                    Field::Number(column) => record.extend(self.number(column, row)),
                    Field::Uuid(column) => record.extend(uuid(self.table.str(column, row))),
                }
            }
            into.write_all(&record)?;
        }
        Ok(())
    }
}

fn tell_split_opens(rows: usize, losses: &mut Vec<Loss>) {
    if rows > 0 {
        losses.push(Loss {
            part: "PNETCDF_FILE",
            count: rows as u64,
            effect: "records have only the sum of independent and collective opens",
        });
    }
}

/// The bytes of a uuid as people write it; zeros for none.
fn uuid(text: Option<&str>) -> [u8; 16] {
    let digits: Vec<u8> = text
        .unwrap_or_default()
        .chars()
        .filter_map(|c| c.to_digit(16))
        .filter_map(|digit| u8::try_from(digit).ok())
        .collect();
    let mut bytes = [0; 16];
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
        *byte = pair[0] << 4 | pair[1];
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uuid_is_read_whether_it_has_dashes_or_not() {
        let text = "00112233-4455-6677-8899-aabbccddeeff";
        let bytes = [0, 17, 34, 51, 68, 85, 102, 119, 136, 153, 170, 187, 204, 221, 238, 255];
        assert_eq!(uuid(Some(text)), bytes);
        assert_eq!(uuid(Some(&text.replace('-', ""))), bytes);
        assert_eq!(uuid(None), [0; 16]);
    }
}
