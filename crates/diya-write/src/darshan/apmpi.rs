//! APMPI (AutoPerf): a head record for the job, then counters of one rank each.

use super::pack::Packer;
use super::{FILE_ID, RANK, Records, base, fixed_text, rows_of};
use diya_tables::{Kind, TableBuilder, TableId, Tables, apmpi, apmpi_summary, record_id};
use std::io::{self, Write as _};

const NODE_NAME_BYTES: usize = 128;

/// "APMPI", as the C source adds it up.
const MAGIC: i64 = (0x41 << 32) + (0x50 << 24) + (0x4d << 16) + (0x50 << 8) + 0x49;

pub(super) struct Apmpi<'t> {
    summary: Option<(&'t TableBuilder, usize)>,
    table: Option<&'t TableBuilder>,
    rows: Vec<usize>,
}

impl<'t> Apmpi<'t> {
    pub fn new(tables: &'t Tables, log: i32) -> Self {
        let table = tables.table(TableId::Apmpi);
        let summaries = tables.table(TableId::ApmpiSummary);
        Self {
            summary: summaries.and_then(|t| rows_of(t, log).next().map(|row| (t, row))),
            table,
            rows: table.map_or(Vec::new(), |t| rows_of(t, log).collect()),
        }
    }

    fn head(&self) -> Vec<u8> {
        let flag = |column| self.summary.and_then(|(t, row)| t.bool(column, row));
        let number = |column| self.summary.and_then(|(t, row)| t.f64(column, row));
        // Id and rank of the head record mean nothing; Darshan's are these.
        let mut bytes = base(record_id(b"APMPI"), 0).to_vec();
        bytes.extend(MAGIC.to_le_bytes());
        let is_sync_measured = flag(apmpi_summary::IS_SYNC_TIME_MEASURED).unwrap_or(false);
        bytes.extend(u64::from(is_sync_measured).to_le_bytes());
        for column in
            [apmpi_summary::F_VARIANCE_TOTAL_MPITIME, apmpi_summary::F_VARIANCE_TOTAL_MPISYNCTIME]
        {
            bytes.extend(number(column).unwrap_or(0.0).to_le_bytes());
        }
        bytes
    }
}

impl Records for Apmpi<'_> {
    fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    fn pack(&self, into: &mut Packer) -> io::Result<()> {
        let Some(table) = self.table else { return Ok(()) };
        into.write_all(&self.head())?;
        for &row in &self.rows {
            let id = table.u64(FILE_ID, row).unwrap_or(0);
            let mut bytes = base(id, table.i32(RANK, row).unwrap_or(-1)).to_vec();
            for column in RANK + 1..apmpi::NODE_NAME {
                match table.def().columns[column].kind {
                    Kind::U64 => bytes.extend(table.u64(column, row).unwrap_or(0).to_le_bytes()),
                    _ => bytes.extend(table.f64(column, row).unwrap_or(0.0).to_le_bytes()),
                }
            }
            let mut node = [0; NODE_NAME_BYTES];
            fixed_text(table.str(apmpi::NODE_NAME, row).unwrap_or_default(), &mut node);
            bytes.extend(node);
            into.write_all(&bytes)?;
        }
        Ok(())
    }
}
