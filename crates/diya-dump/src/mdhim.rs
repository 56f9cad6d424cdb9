//! MDHIM: counters, then what each server got.

use super::base::{self, Frame, NO_NAME};
use super::counters::Counters;
use super::modules::Module;
use super::names::Names;
use super::text::Text;
use diya_tables::{TableBuilder, TableId, Tables, mdhim_server};
use std::io;

/// Prints all records.
pub(super) fn print(
    text: &mut Text<'_>,
    tables: &Tables,
    module: &Module<'_>,
    names: &Names<'_>,
) -> io::Result<()> {
    let counters = Counters::of(TableId::Mdhim, tables.table(TableId::Mdhim), module.version);
    let mut servers = Servers { table: tables.table(TableId::MdhimServer), row: 0 };
    let mut frame = Frame::default();
    for row in 0..counters.rows() {
        let (file_id, rank) = (counters.file_id(row), counters.rank(row));
        frame.set(module.name, rank, file_id, &names.place(file_id, NO_NAME));
        for counter in &counters.ints {
            base::int_line(text, &frame, counter, counters.int(counter, row));
        }
        for counter in &counters.floats {
            let value = counters.float(counter, row);
            frame.line(text, counter.name, |text| {
                text.f6(value);
            });
        }
        for server in 0.. {
            let Some(operations) = servers.next(file_id, rank, server) else { break };
            frame.line(text, &format!("MDHIM_SERVER_{server}"), |text| {
                text.i64(operations);
            });
        }
        text.flush_full()?;
    }
    Ok(())
}

/// Rows of `mdhim_server`, which come in the order of the records.
struct Servers<'t> {
    table: Option<&'t TableBuilder>,
    row: usize,
}

impl Servers<'_> {
    /// Operations of a server, if the next row is about it.
    fn next(&mut self, file_id: u64, rank: i32, server: i32) -> Option<i64> {
        let table = self.table?;
        let is_own = table.u64(mdhim_server::FILE_ID, self.row) == Some(file_id)
            && table.i32(mdhim_server::RANK, self.row) == Some(rank)
            && table.i32(mdhim_server::SERVER, self.row) == Some(server);
        let operations = table.i64(mdhim_server::OPERATIONS, self.row).filter(|_| is_own)?;
        self.row += 1;
        Some(operations)
    }
}
