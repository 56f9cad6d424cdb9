//! APMPI (AutoPerf): counters of MPI communication, one record per rank, after
//! one head record for the job.

use super::bytes::{Cursor, Order, text_of};
use super::records::{FILE_ID, LOG, RANK};
use crate::Selection;
use crate::walk::{Damage, Sink};
use diya_tables::{ApmpiSummaryRow, Kind, RankHostRow, TableId, Tables, apmpi};

const HEAD_BYTES: usize = 48;
const NODE_NAME_BYTES: usize = 128;
const RECORD_BYTES: usize = 5232;

/// "APMPI", as the C source adds it up.
const MAGIC: i64 = (0x41 << 32) + (0x50 << 24) + (0x4d << 16) + (0x50 << 8) + 0x49;

/// Decodes the records.
pub(crate) struct Apmpi<'a> {
    pub order: Order,
    pub log: i32,
    pub selection: &'a Selection,
    pub tables: &'a mut Tables,
    /// The head comes once, before all records.
    pub has_head: bool,
}

impl Apmpi<'_> {
    fn head(&mut self, bytes: &[u8]) -> Option<Result<(), Damage>> {
        let mut at = Cursor::new(bytes, self.order);
        at.take(16)?;
        if at.i64()? != MAGIC {
            return Some(Err(Damage("the APMPI head record has no magic number".into())));
        }
        let is_sync_time_measured = at.u32()? != 0;
        at.take(4)?;
        let time = at.f64()?;
        let sync = at.f64()?;
        self.tables.push_apmpi_summary(ApmpiSummaryRow {
            log: self.log,
            is_sync_time_measured,
            f_variance_total_mpitime: time,
            f_variance_total_mpisynctime: Some(sync).filter(|_| is_sync_time_measured),
        });
        Some(Ok(()))
    }

    fn record(&mut self, record: &[u8]) -> Result<(), Damage> {
        let mut at = Cursor::new(record, self.order);
        let (id, rank) = match at.base() {
            Some(Ok(base)) => base,
            Some(Err(rank)) => return Err(Damage(format!("an APMPI record claims rank {rank}"))),
            None => return Ok(()),
        };
        if !self.selection.wants(id, rank) {
            return Ok(());
        }
        let t = self.tables.builder(TableId::Apmpi);
        t.push_i32(LOG, Some(self.log));
        t.push_u64(FILE_ID, Some(id));
        t.push_i32(RANK, Some(rank));
        for column in RANK + 1..apmpi::NODE_NAME {
            match TableId::Apmpi.def().columns.get(column).map(|c| c.kind) {
                Some(Kind::U64) => t.push_u64(column, at.u64()),
                _ => t.push_f64(column, at.f64()),
            }
        }
        let node = at.take(NODE_NAME_BYTES).map(text_of).filter(|name| !name.is_empty());
        t.push_str(apmpi::NODE_NAME, node.as_deref());
        t.end_row();
        if let Some(host) = node.as_deref().filter(|_| rank >= 0) {
            self.tables.push_rank_host(RankHostRow { log: self.log, rank, host, source: "APMPI" });
        }
        Ok(())
    }
}

impl Sink for Apmpi<'_> {
    fn take(&mut self, bytes: &[u8]) -> Result<usize, Damage> {
        let mut taken = 0;
        if !self.has_head {
            match self.head(bytes) {
                None => return Ok(0),
                Some(head) => head?,
            }
            self.has_head = true;
            taken = HEAD_BYTES;
        }
        let records = bytes.get(taken..).unwrap_or_default().chunks_exact(RECORD_BYTES);
        let rest = records.remainder().len();
        for record in records {
            self.record(record)?;
        }
        Ok(bytes.len() - rest)
    }

    fn reset(&mut self) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_columns_fill_the_record() {
        let counters = apmpi::NODE_NAME - (RANK + 1);
        assert_eq!(16 + counters * 8 + NODE_NAME_BYTES, RECORD_BYTES);
    }
}
