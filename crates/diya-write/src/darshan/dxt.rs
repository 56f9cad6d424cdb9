//! DXT: one timed segment per read or write, by file and rank.
//!
//! A record is a head (file, rank, host, counts), then its write segments, then
//! its read segments. Table `call` may hold the calls of a process in the order
//! of time, so they are sorted into records first: by range, not by call.
//! Source: darshan-dxt-log-format.h.

use super::pack::Packer;
use super::{Records, base, fixed_text};
use crate::Loss;
use diya_tables::{CallChunk, CallRun, CallTable, Layer, NameId, Op};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io::{self, Write as _};

const HOST_BYTES: usize = 64;

/// Offset of a call whose offset was not recorded.
const NO_OFFSET: i64 = -1;

/// Segments that are encoded before they go to the compressor.
const BLOCK_SEGMENTS: usize = 1024;

/// Calls that lie in one chunk, one after the other.
#[derive(Debug, Clone, Copy)]
struct SegmentRange {
    chunk: usize,
    from: usize,
    to: usize,
    has_offset: bool,
}

/// Calls of one rank on one file.
#[derive(Debug)]
struct Record {
    file_id: u64,
    rank: i32,
    host: Option<NameId>,
    writes: Vec<SegmentRange>,
    reads: Vec<SegmentRange>,
}

/// Calls of the layer that are no segments.
#[derive(Debug, Default)]
struct LeftOut {
    other: u64,
    failed: u64,
}

impl LeftOut {
    /// Counts the run, if it has to be left out.
    fn has(&mut self, run: &CallRun) -> bool {
        let is_other = !matches!(run.op, Op::Read | Op::Write);
        let has_failed = run.error.is_some() || !run.has_size;
        if is_other {
            self.other += run.len as u64;
        } else if has_failed {
            self.failed += run.len as u64;
        }
        is_other || has_failed
    }
}

/// The records of one layer.
pub(super) struct Dxt<'t> {
    calls: &'t CallTable,
    layer: Layer,
    has_threads: bool,
    has_offsets: bool,
    records: Vec<Record>,
}

impl<'t> Dxt<'t> {
    pub fn new(
        calls: &'t CallTable,
        log: i32,
        layer: Layer,
        part: &'static str,
        has_threads: bool,
        losses: &mut Vec<Loss>,
    ) -> Self {
        let mut dxt =
            Self { calls, layer, has_threads: false, has_offsets: true, records: Vec::new() };
        let left_out = dxt.collect(log);
        let threads = dxt.count(|c, call| c.thread.get(call).is_some());
        let coalesced = dxt.count(|c, call| c.calls.get(call).is_some_and(|calls| calls > 1));
        dxt.has_threads = has_threads && threads > 0;
        let mut tell = |count, effect| {
            if count > 0 {
                losses.push(Loss { part, count, effect });
            }
        };
        tell(left_out.other, "calls other than reads and writes cannot be stored in DXT");
        tell(left_out.failed, "reads and writes that failed are left out, as Darshan does");
        tell(coalesced, "segments contain several small calls that were recorded as one");
        let threads = if dxt.has_threads { 0 } else { threads };
        tell(threads, "segments lose their thread id; PyDarshan cannot read segments that have it");
        dxt
    }

    /// Sorts the calls of the layer into records; counts those that are no segments.
    fn collect(&mut self, log: i32) -> LeftOut {
        let mut places: HashMap<(u64, i32), usize> = HashMap::new();
        let mut left_out = LeftOut::default();
        let (mut has_no_offset, mut has_offset) = (false, false);
        for (chunk, calls) in self.calls.chunks().enumerate() {
            let mut from = 0;
            for run in &calls.runs {
                let to = from + run.len;
                let range = SegmentRange { chunk, from, to, has_offset: run.has_offset };
                from = to;
                if run.len == 0 || run.log != log || run.layer != self.layer {
                    continue;
                }
                if left_out.has(run) {
                    continue;
                }
                has_offset |= run.has_offset;
                has_no_offset |= !run.has_offset;
                let place = match places.entry((run.file_id, run.rank)) {
                    Entry::Occupied(place) => *place.get(),
                    Entry::Vacant(place) => {
                        let (file_id, rank, host) = (run.file_id, run.rank, run.host);
                        let (writes, reads) = (Vec::new(), Vec::new());
                        self.records.push(Record { file_id, rank, host, writes, reads });
                        *place.insert(self.records.len() - 1)
                    }
                };
                let record = &mut self.records[place];
                record.host = record.host.or(run.host);
                let ranges = match run.op {
                    Op::Write => &mut record.writes,
                    _ => &mut record.reads,
                };
                ranges.push(range);
            }
        }
        self.has_offsets = has_offset || !has_no_offset;
        left_out
    }

    /// Segments of which something holds.
    fn count(&self, is: impl Fn(&CallChunk, usize) -> bool) -> u64 {
        let ranges = self.records.iter().flat_map(|r| r.writes.iter().chain(&r.reads));
        let calls = ranges.flat_map(|s| (s.from..s.to).map(move |call| (s.chunk, call)));
        calls.filter(|&(chunk, call)| is(&self.calls.chunk(chunk), call)).count() as u64
    }

    /// 40-byte segments end in a thread id; version 1 of DXT_MPIIO had no offsets.
    pub fn version(&self) -> u32 {
        match (self.layer, self.has_threads) {
            (Layer::Mpiio, true) => 3,
            (Layer::Mpiio, false) if self.has_offsets => 2,
            (_, true) => 2,
            (_, false) => 1,
        }
    }

    fn head(&self, record: &Record) -> Vec<u8> {
        let count = |ranges: &[SegmentRange]| ranges.iter().map(|s| s.to - s.from).sum::<usize>();
        let mut bytes = base(record.file_id, record.rank).to_vec();
        // A flag that Darshan's own tools set and never ask for.
        bytes.extend([0; 8]);
        let mut host = [0; HOST_BYTES];
        fixed_text(record.host.map_or("", |id| self.calls.name(id)), &mut host);
        bytes.extend(host);
        bytes.extend((count(&record.writes) as u64).to_le_bytes());
        bytes.extend((count(&record.reads) as u64).to_le_bytes());
        bytes
    }

    fn segments(&self, range: &SegmentRange, block: &mut Vec<u8>) {
        let calls = self.calls.chunk(range.chunk);
        for call in range.from..range.to {
            // Where no call has an offset, what was recorded in its place stays.
            let is_known = range.has_offset || !self.has_offsets;
            let offset = if is_known { calls.offset_bytes[call] } else { NO_OFFSET };
            block.extend(offset.to_le_bytes());
            block.extend(calls.size_bytes[call].to_le_bytes());
            block.extend(calls.start_s[call].to_le_bytes());
            block.extend(calls.end_s[call].to_le_bytes());
            if self.has_threads {
                block.extend(calls.thread.get(call).unwrap_or(0).to_le_bytes());
            }
        }
    }
}

impl Records for Dxt<'_> {
    fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    fn pack(&self, into: &mut Packer) -> io::Result<()> {
        let mut block = Vec::with_capacity(BLOCK_SEGMENTS * 40);
        for record in &self.records {
            block.extend(self.head(record));
            for range in record.writes.iter().chain(&record.reads) {
                // A range may be a whole chunk: it goes out in chunks.
                for from in (range.from..range.to).step_by(BLOCK_SEGMENTS) {
                    let to = range.to.min(from + BLOCK_SEGMENTS);
                    self.segments(&SegmentRange { from, to, ..*range }, &mut block);
                    if block.len() >= BLOCK_SEGMENTS * 32 {
                        into.write_all(&block)?;
                        block.clear();
                    }
                }
            }
        }
        into.write_all(&block)
    }
}
