//! The records of a trace, found again in the runs of table `call`.
//!
//! A run ends where a chunk ends, too, so a record may be several slices. A
//! record holds its writes before its reads: after reads the next one starts.

use diya_tables::{CallRun, CallTable, Layer, NameId, Op};
use std::ops::Range;

/// Calls of a record that lie together in a chunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RunSlice {
    pub chunk: usize,
    pub calls: Range<usize>,
    pub op: Op,
    pub has_offset: bool,
}

/// A record: one file on one rank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Block {
    pub layer: Layer,
    pub file_id: u64,
    pub rank: i32,
    pub host: Option<NameId>,
    pub writes: u64,
    pub reads: u64,
    /// Its slices in [`Blocks::slices`].
    pub slices: Range<usize>,
}

/// All records of a layer.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    pub blocks: Vec<Block>,
    pub slices: Vec<RunSlice>,
}

/// Finds the records of a layer, in the order of the log.
pub(super) fn find(calls: &CallTable, layer: Layer) -> Blocks {
    let mut found = Blocks::default();
    for (chunk, content) in calls.chunks().enumerate() {
        let mut start = 0;
        for run in &content.runs {
            let calls = start..start + run.len;
            start = calls.end;
            let is_transfer = matches!(run.op, Op::Read | Op::Write);
            if run.layer == layer && is_transfer && run.len > 0 {
                found.add(chunk, run, calls);
            }
        }
    }
    found
}

impl Blocks {
    fn add(&mut self, chunk: usize, run: &CallRun, calls: Range<usize>) {
        let is_same = self.blocks.last().is_some_and(|last| {
            let is_own = (last.file_id, last.rank, last.host) == (run.file_id, run.rank, run.host);
            is_own && (run.op == Op::Read || last.reads == 0)
        });
        let here = self.slices.len();
        if !is_same {
            self.blocks.push(Block {
                layer: run.layer,
                file_id: run.file_id,
                rank: run.rank,
                host: run.host,
                writes: 0,
                reads: 0,
                slices: here..here,
            });
        }
        let Some(block) = self.blocks.last_mut() else { return };
        let count = u64::try_from(run.len).unwrap_or(u64::MAX);
        if run.op == Op::Write {
            block.writes += count;
        } else {
            block.reads += count;
        }
        block.slices.end = here + 1;
        self.slices.push(RunSlice { chunk, calls, op: run.op, has_offset: run.has_offset });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Appends runs given as (operation, file, calls).
    fn calls(runs: &[(Op, u64, usize)]) -> CallTable {
        let mut calls = CallTable::default();
        for &(op, file_id, mut len) in runs {
            let run = CallRun::new(0, Layer::Posix, op, file_id, 0);
            while len > 0 {
                let (chunk, room) = calls.open(run);
                let now = len.min(room);
                chunk.offset_bytes.extend(std::iter::repeat_n(0, now));
                chunk.size_bytes.extend(std::iter::repeat_n(1, now));
                chunk.start_s.extend(std::iter::repeat_n(0.5, now));
                chunk.end_s.extend(std::iter::repeat_n(0.6, now));
                calls.commit(now);
                len -= now;
            }
        }
        calls
    }

    fn counts(runs: &[(Op, u64, usize)]) -> Vec<(u64, u64, u64)> {
        let found = find(&calls(runs), Layer::Posix);
        found.blocks.iter().map(|b| (b.file_id, b.writes, b.reads)).collect()
    }

    #[test]
    fn writes_and_reads_of_a_file_are_one_record() {
        let runs = [(Op::Write, 1, 3), (Op::Read, 1, 2), (Op::Read, 2, 1)];
        assert_eq!(counts(&runs), [(1, 3, 2), (2, 0, 1)]);
    }

    #[test]
    fn a_record_may_cross_chunks() {
        let more = diya_tables::CALLS_PER_CHUNK + 5;
        let runs = [(Op::Write, 1, more), (Op::Read, 1, 2)];
        assert_eq!(counts(&runs), [(1, u64::try_from(more).expect("small"), 2)]);
    }

    #[test]
    fn writes_after_reads_are_the_next_record() {
        let runs = [(Op::Read, 1, 2), (Op::Write, 1, 3)];
        assert_eq!(counts(&runs), [(1, 0, 2), (1, 3, 0)]);
    }

    #[test]
    fn other_layers_are_left_out() {
        assert!(find(&calls(&[(Op::Read, 1, 2)]), Layer::Mpiio).blocks.is_empty());
    }
}
