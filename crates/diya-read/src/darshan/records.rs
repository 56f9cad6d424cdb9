//! Fixed-size records of counters, straight into the columns of their table.

use super::bytes::{Cursor, Order};
use super::layout::{Layout, Word};
use crate::Selection;
use crate::walk::{Damage, Sink};
use diya_tables::{TableId, Tables, pnetcdf_file, stdio};

/// Columns `log`, `file_id` and `rank` are the first three of every such table.
pub(crate) const LOG: usize = 0;
pub(crate) const FILE_ID: usize = 1;
pub(crate) const RANK: usize = 2;

/// Decodes the records of one module.
pub(crate) struct Records<'a> {
    pub table: TableId,
    pub layout: &'a Layout,
    pub order: Order,
    pub log: i32,
    pub selection: &'a Selection,
    pub tables: &'a mut Tables,
    /// Records whose rank is no rank: these bytes are damaged.
    pub invalid: u64,
    /// Records that old POSIX modules kept for files opened with fopen.
    pub streams: u64,
}

impl Records<'_> {
    fn record(&mut self, record: &[u8]) -> Option<()> {
        let mut at = Cursor::new(record, self.order);
        let Ok((id, rank)) = at.base()? else {
            self.invalid += 1;
            return None;
        };
        if !self.selection.wants(id, rank) {
            return None;
        }
        let is_shared = rank == -1;
        if self.layout.words.iter().any(|w| matches!(w, Word::Stdio(_))) {
            self.old_stream(at.clone(), id, rank);
        }
        let t = self.tables.builder(self.table);
        t.push_i32(LOG, Some(self.log));
        t.push_u64(FILE_ID, Some(id));
        t.push_i32(RANK, Some(rank));
        let mut opens = None;
        for word in &self.layout.words {
            match *word {
                Word::Opens(column) => {
                    let count = at.i64()?;
                    opens = Some(count.saturating_add(opens.unwrap_or(0)));
                    t.push_counter(column, count, is_shared);
                }
                Word::Int(column) => t.push_counter(column, at.i64()?, is_shared),
                Word::Float(column) => t.push_f_counter(column, at.f64()?, is_shared),
                Word::Id(column) => t.push_u64(column, Some(at.u64()?)),
                Word::Uuid(column) => t.push_str(column, Some(&uuid_text(at.take(16)?))),
                Word::Stdio(_) | Word::Skip => {
                    at.u64()?;
                }
            }
        }
        if let Some(opens) = opens {
            t.push_counter(pnetcdf_file::OPENS, opens, is_shared);
        }
        t.end_row();
        Some(())
    }

    /// POSIX records of version 1 counted stream calls, too: those of a file
    /// that was opened as a stream become a row of `stdio`.
    fn old_stream(&mut self, mut at: Cursor<'_>, id: u64, rank: i32) -> Option<()> {
        let mut counts = Vec::with_capacity(4);
        for word in &self.layout.words {
            let value = at.i64()?;
            if let Word::Stdio(column) = *word {
                counts.push((column, value));
            }
        }
        if !counts.iter().any(|&(column, value)| column == stdio::OPENS && value > 0) {
            return None;
        }
        self.streams += 1;
        let t = self.tables.builder(TableId::Stdio);
        t.push_i32(LOG, Some(self.log));
        t.push_u64(FILE_ID, Some(id));
        t.push_i32(RANK, Some(rank));
        for (column, value) in counts {
            t.push_counter(column, value, rank == -1);
        }
        t.end_row();
        Some(())
    }
}

impl Sink for Records<'_> {
    fn take(&mut self, bytes: &[u8]) -> Result<usize, Damage> {
        let records = bytes.chunks_exact(self.layout.size);
        let rest = records.remainder().len();
        for record in records {
            self.record(record);
        }
        Ok(bytes.len() - rest)
    }

    fn reset(&mut self) {}
}

/// A uuid as people write it.
fn uuid_text(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(36);
    for (i, byte) in bytes.iter().enumerate() {
        if matches!(i, 4 | 6 | 8 | 10) {
            out.push('-');
        }
        out.push_str(&format!("{byte:02x}"));
    }
    out
}
