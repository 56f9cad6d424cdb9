//! MDHIM: counters of a key-value store, with one count per server at the end.

use super::pack::Packer;
use super::{FILE_ID, RANK, Records, base, rows_of};
use diya_tables::{TableBuilder, TableId, Tables, mdhim, mdhim_server};
use std::collections::HashMap;
use std::io::{self, Write as _};

pub(super) struct Mdhim<'t> {
    table: Option<&'t TableBuilder>,
    rows: Vec<usize>,
    /// Operations per server of a record, by file and rank.
    servers: HashMap<(u64, i32), Vec<i64>>,
}

impl<'t> Mdhim<'t> {
    pub fn new(tables: &'t Tables, log: i32) -> Self {
        let table = tables.table(TableId::Mdhim);
        let mut servers: HashMap<(u64, i32), Vec<i64>> = HashMap::new();
        if let Some(table) = tables.table(TableId::MdhimServer) {
            for row in rows_of(table, log) {
                let operations = table.i64(mdhim_server::OPERATIONS, row).unwrap_or(0);
                servers.entry(key_of(table, row)).or_default().push(operations);
            }
        }
        Self { table, rows: table.map_or(Vec::new(), |t| rows_of(t, log).collect()), servers }
    }
}

fn key_of(table: &TableBuilder, row: usize) -> (u64, i32) {
    (table.u64(FILE_ID, row).unwrap_or(0), table.i32(RANK, row).unwrap_or(-1))
}

impl Records for Mdhim<'_> {
    fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    fn pack(&self, into: &mut Packer) -> io::Result<()> {
        let Some(table) = self.table else { return Ok(()) };
        for &row in &self.rows {
            let key = key_of(table, row);
            let servers = self.servers.get(&key).map_or(&[][..], Vec::as_slice);
            let mut bytes = base(key.0, key.1).to_vec();
            for column in mdhim::PUTS..mdhim::SERVERS {
                bytes.extend(table.i64(column, row).unwrap_or(-1).to_le_bytes());
            }
            // Readers take this many counts from the end of the record.
            bytes.extend((servers.len() as u64).to_le_bytes());
            for column in mdhim::F_PUT_TIMESTAMP..=mdhim::F_GET_MAX_DURATION {
                bytes.extend(table.f64(column, row).unwrap_or(0.0).to_le_bytes());
            }
            bytes.extend(servers.iter().flat_map(|operations| operations.to_le_bytes()));
            // The C struct has room for one server even when there is none.
            bytes.resize(bytes.len() + if servers.is_empty() { 8 } else { 0 }, 0);
            into.write_all(&bytes)?;
        }
        Ok(())
    }
}
