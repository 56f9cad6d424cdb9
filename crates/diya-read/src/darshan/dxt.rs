//! DXT: one timed segment per read or write, straight into the call columns.
//!
//! A record is a head (file, rank, host, counts), then its write segments, then
//! its read segments. The decoder never holds a record: it keeps where it is
//! and moves segments from the inflated bytes into the columns, a block at a
//! time. Source: darshan-dxt-log-format.h.

use super::bytes::{Cursor, Order, text_of};
use crate::Selection;
use crate::walk::{Damage, Sink};
use diya_tables::{CallChunk, CallRun, CallTable, Layer, NameId, Op};

const HEAD_BYTES: usize = 104;
const HOST_BYTES: usize = 64;

/// What a version of the module stores.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Segments {
    pub layer: Layer,
    /// 40-byte segments end in a thread id; 32-byte ones do not.
    pub has_thread: bool,
    /// Offsets of DXT_MPIIO version 1 mean nothing.
    pub has_offset: bool,
}

impl Segments {
    pub fn of(layer: Layer, version: u32) -> Self {
        let threads_since = if layer == Layer::Mpiio { 3 } else { 2 };
        Self {
            layer,
            has_thread: version >= threads_since,
            has_offset: layer != Layer::Mpiio || version >= 2,
        }
    }

    fn size(self) -> usize {
        if self.has_thread { 40 } else { 32 }
    }
}

/// Segments still to come in the record.
#[derive(Debug, Clone, Copy)]
struct Open {
    id: u64,
    rank: i32,
    host: Option<NameId>,
    writes: u64,
    reads: u64,
    is_selected: bool,
}

/// Decodes a region, or a part that starts with a record.
pub(crate) struct Dxt<'a> {
    pub segments: Segments,
    pub order: Order,
    pub log: i32,
    pub selection: &'a Selection,
    pub calls: CallTable,
    /// Rank and host of the records seen, without repetition in a row.
    pub hosts: Vec<(i32, NameId)>,
    open: Option<Open>,
    /// Segments that a record announced and that never came.
    pub missing: u64,
}

impl<'a> Dxt<'a> {
    /// `calls` is the table that calls are appended to: an empty one.
    pub fn new(
        segments: Segments,
        order: Order,
        log: i32,
        selection: &'a Selection,
        calls: CallTable,
    ) -> Self {
        Self { segments, order, log, selection, calls, hosts: Vec::new(), open: None, missing: 0 }
    }

    /// Counts what the open record still lacks, at the end of the data.
    pub fn close(&mut self) {
        if let Some(open) = self.open.take() {
            self.missing = self.missing.saturating_add(open.writes).saturating_add(open.reads);
        }
    }

    /// Is a record unfinished?
    pub fn is_open(&self) -> bool {
        self.open.is_some()
    }

    fn head(&mut self, head: &[u8]) -> Result<Open, Damage> {
        let mut at = Cursor::new(head, self.order);
        let short = || Damage("a DXT record is cut".into());
        let (id, rank) = at
            .base()
            .ok_or_else(short)?
            .map_err(|rank| Damage(format!("a DXT record claims rank {rank}")))?;
        let _shared_record = at.i64();
        let name = text_of(at.take(HOST_BYTES).ok_or_else(short)?);
        let writes = at.i64().ok_or_else(short)?;
        let reads = at.i64().ok_or_else(short)?;
        let (Ok(writes), Ok(reads)) = (u64::try_from(writes), u64::try_from(reads)) else {
            return Err(Damage(format!("a DXT record claims {writes} writes and {reads} reads")));
        };
        let host = (!name.is_empty()).then(|| self.calls.name_id(&name));
        if let Some(host) = host.filter(|host| self.hosts.last() != Some(&(rank, *host))) {
            self.hosts.push((rank, host));
        }
        let is_selected = self.selection.wants(id, rank);
        Ok(Open { id, rank, host, writes, reads, is_selected })
    }

    /// Moves segments of one direction into the columns; returns how many.
    fn segments(&mut self, bytes: &[u8], open: &Open, op: Op, left: u64) -> usize {
        let size = self.segments.size();
        let whole = bytes.len() / size;
        let count = usize::try_from(left).unwrap_or(usize::MAX).min(whole);
        if !open.is_selected {
            return count;
        }
        let run = CallRun {
            host: open.host,
            has_offset: self.segments.has_offset,
            ..CallRun::new(self.log, self.segments.layer, op, open.id, open.rank)
        };
        let mut rest = bytes.get(..count * size).unwrap_or_default();
        while !rest.is_empty() {
            let (chunk, room) = self.calls.open(run);
            let (now, later) = rest.split_at(rest.len().min(room * size));
            append(chunk, now, self.segments.has_thread, self.order);
            self.calls.commit(now.len() / size);
            rest = later;
        }
        count
    }
}

/// Column by column over a block that the first-level cache holds.
fn append(chunk: &mut CallChunk, bytes: &[u8], has_thread: bool, order: Order) {
    // The order is settled here, so that the loops below contain no branch.
    match (has_thread, order) {
        (false, Order::Little) => columns::<32>(chunk, bytes, u64::from_le_bytes),
        (false, Order::Big) => columns::<32>(chunk, bytes, u64::from_be_bytes),
        (true, Order::Little) => columns::<40>(chunk, bytes, u64::from_le_bytes),
        (true, Order::Big) => columns::<40>(chunk, bytes, u64::from_be_bytes),
    }
}

/// Segments whose four columns are appended before going on to the next block.
const BLOCK_SEGMENTS: usize = 512;

#[inline(always)]
fn columns<const SIZE: usize>(
    chunk: &mut CallChunk,
    bytes: &[u8],
    number: impl Fn([u8; 8]) -> u64,
) {
    let (segments, _) = bytes.as_chunks::<SIZE>();
    if SIZE == 40 {
        // Calls before these, of a record without threads, have none.
        chunk.thread.pad(chunk.len());
    }
    for block in segments.chunks(BLOCK_SEGMENTS) {
        chunk.offset_bytes.extend(block.iter().map(|s| number(word::<SIZE, 0>(s)).cast_signed()));
        chunk.size_bytes.extend(block.iter().map(|s| number(word::<SIZE, 8>(s)).cast_signed()));
        chunk.start_s.extend(block.iter().map(|s| f64::from_bits(number(word::<SIZE, 16>(s)))));
        chunk.end_s.extend(block.iter().map(|s| f64::from_bits(number(word::<SIZE, 24>(s)))));
        if SIZE == 40 {
            chunk.thread.extend(block.iter().map(|s| number(word::<SIZE, 32>(s))));
        }
    }
}

/// Eight bytes at a fixed place; becomes a single load.
#[inline(always)]
fn word<const SIZE: usize, const AT: usize>(segment: &[u8; SIZE]) -> [u8; 8] {
    // Spelled out: the compiler makes one load of it, but not of a closure.
    [
        segment[AT],
        segment[AT + 1],
        segment[AT + 2],
        segment[AT + 3],
        segment[AT + 4],
        segment[AT + 5],
        segment[AT + 6],
        segment[AT + 7],
    ]
}

impl Sink for Dxt<'_> {
    fn take(&mut self, bytes: &[u8]) -> Result<usize, Damage> {
        let size = self.segments.size();
        let mut rest = bytes;
        loop {
            match self.open {
                None => {
                    let Some((head, after)) = rest.split_at_checked(HEAD_BYTES) else { break };
                    self.open = Some(self.head(head)?);
                    rest = after;
                }
                Some(open) if open.writes == 0 && open.reads == 0 => self.open = None,
                Some(mut open) => {
                    if rest.len() < size {
                        break;
                    }
                    let op = if open.writes > 0 { Op::Write } else { Op::Read };
                    let left = if open.writes > 0 { open.writes } else { open.reads };
                    let done = self.segments(rest, &open, op, left);
                    let done_u64 = u64::try_from(done).unwrap_or(u64::MAX);
                    if op == Op::Write {
                        open.writes = open.writes.saturating_sub(done_u64);
                    } else {
                        open.reads = open.reads.saturating_sub(done_u64);
                    }
                    self.open = Some(open);
                    rest = rest.get(done * size..).unwrap_or_default();
                }
            }
        }
        Ok(bytes.len() - rest.len())
    }

    fn reset(&mut self) {
        self.close();
    }
}
