//! MDHIM: counters of a key-value store, with one count per server at the end.

use super::bytes::{Cursor, Order};
use super::records::{FILE_ID, LOG, RANK};
use crate::Selection;
use crate::walk::{Damage, Sink, take_whole};
use diya_tables::{MdhimServerRow, TableId, Tables, mdhim};

/// Servers are processes of the job; what claims more than this is damaged.
const MAX_SERVERS: i64 = 1 << 24;

/// Decodes the records.
pub(crate) struct Mdhim<'a> {
    pub order: Order,
    pub log: i32,
    pub selection: &'a Selection,
    pub tables: &'a mut Tables,
}

impl Mdhim<'_> {
    fn record(&mut self, bytes: &[u8]) -> Result<Option<usize>, Damage> {
        let mut at = Cursor::new(bytes, self.order);
        let (id, rank) = match at.base() {
            None => return Ok(None),
            Some(Ok(base)) => base,
            Some(Err(rank)) => return Err(Damage(format!("an MDHIM record claims rank {rank}"))),
        };
        let Some(counters) = at.take(9 * 8) else { return Ok(None) };
        let mut peek = Cursor::new(counters.get(4 * 8..).unwrap_or_default(), self.order);
        let servers = peek.i64().unwrap_or(0);
        if !(0..=MAX_SERVERS).contains(&servers) {
            return Err(Damage(format!("an MDHIM record claims {servers} servers")));
        }
        // The C struct has room for one server even when there is none.
        let servers = usize::try_from(servers).unwrap_or(0);
        let Some(per_server) = at.take(servers.max(1) * 8) else { return Ok(None) };
        let size = bytes.len() - at.rest().len();
        if self.selection.wants(id, rank) {
            self.push(id, rank, counters, per_server, servers);
        }
        Ok(Some(size))
    }

    fn push(&mut self, id: u64, rank: i32, counters: &[u8], per_server: &[u8], servers: usize) {
        let mut at = Cursor::new(counters, self.order);
        let is_shared = rank == -1;
        let t = self.tables.builder(TableId::Mdhim);
        t.push_i32(LOG, Some(self.log));
        t.push_u64(FILE_ID, Some(id));
        t.push_i32(RANK, Some(rank));
        for column in mdhim::PUTS..=mdhim::SERVERS {
            t.push_counter(column, at.i64().unwrap_or(-1), is_shared);
        }
        for column in mdhim::F_PUT_TIMESTAMP..=mdhim::F_GET_MAX_DURATION {
            t.push_f_counter(column, at.f64().unwrap_or(0.0), is_shared);
        }
        t.end_row();
        let mut at = Cursor::new(per_server, self.order);
        for server in 0..i32::try_from(servers).unwrap_or(i32::MAX) {
            let Some(operations) = at.i64() else { return };
            let (log, file_id) = (self.log, id);
            self.tables.push_mdhim_server(MdhimServerRow {
                log,
                file_id,
                rank,
                server,
                operations,
            });
        }
    }
}

impl Sink for Mdhim<'_> {
    fn take(&mut self, bytes: &[u8]) -> Result<usize, Damage> {
        take_whole(bytes, |rest| self.record(rest))
    }

    fn reset(&mut self) {}
}
