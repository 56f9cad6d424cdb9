//! Table `call`, finished: Arrow batches, one per chunk.
//!
//! What a chunk keeps as runs is spread out only when a consumer asks for the
//! column; what no call of a chunk has becomes a column of nulls. The numbers of
//! very many calls are packed: see docs/decisions/0002.

use crate::frozen_chunk::FrozenChunk;
use crate::held_chunk::HeldChunk;
use crate::runs::{spread, spread_flags, spread_optional, spread_text};
use crate::source::{BatchSource, Executor, projected};
use crate::{CallRun, NameId, TableDef, TableId, call};
use arrow_array::types::{Int32Type, UInt64Type};
use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_schema::SchemaRef;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// Calls from which on their numbers are packed: 0.5 GB as they are. Below, reading
/// them again and again is worth the room.
pub(crate) const PACKED_ROWS: usize = 1 << 24;

/// Packs chunks side by side; each is given back when it was taken in.
fn packed(chunks: Vec<HeldChunk>, executor: &Executor<'_>) -> Vec<FrozenChunk> {
    type Slot = Mutex<(Option<HeldChunk>, Option<FrozenChunk>)>;
    let slots: Vec<Slot> =
        chunks.into_iter().map(|chunk| Mutex::new((Some(chunk), None))).collect();
    executor(slots.len(), &|at| {
        let mut slot = slots[at].lock().unwrap_or_else(PoisonError::into_inner);
        slot.1 = slot.0.take().map(|chunk| FrozenChunk::new(chunk, true));
    });
    let slots =
        slots.into_iter().map(|slot| slot.into_inner().unwrap_or_else(PoisonError::into_inner));
    slots.filter_map(|(_, frozen)| frozen).collect()
}

/// Table `call`, finished.
#[derive(Debug)]
pub struct FrozenCalls {
    schema: SchemaRef,
    chunks: Vec<FrozenChunk>,
    names: Vec<String>,
    rows: usize,
}

impl FrozenCalls {
    /// Packed when there are `many` rows or more.
    pub(crate) fn new(
        chunks: Vec<HeldChunk>,
        (names, rows): (Vec<String>, usize),
        many: usize,
        executor: &Executor<'_>,
    ) -> Self {
        let chunks = chunks.into_iter().filter(|chunk| chunk.len() > 0);
        let chunks = if rows >= many {
            packed(chunks.collect(), executor)
        } else {
            chunks.map(|chunk| FrozenChunk::new(chunk, false)).collect()
        };
        Self { schema: TableId::Call.def().arrow_schema(), chunks, names, rows }
    }

    /// What the calls of runs have in common, each over its number of rows; `None`: the
    /// column differs from call to call.
    fn key<'r>(
        &self,
        column: usize,
        rows: usize,
        runs: impl Iterator<Item = (usize, &'r CallRun)> + Clone,
    ) -> Option<ArrayRef> {
        let names = |of: fn(&CallRun) -> Option<NameId>| {
            let name = |id: NameId| self.names.get(id.0 as usize).map(String::as_str);
            spread_text(rows, runs.clone().map(|(len, run)| (len, of(run).and_then(name))))
        };
        let text = |of: fn(&CallRun) -> &'static str| {
            spread_text(rows, runs.clone().map(|(len, run)| (len, Some(of(run)))))
        };
        Some(match column {
            call::LOG => spread::<Int32Type>(rows, runs.map(|(len, run)| (len, run.log))),
            call::LAYER => text(|run| run.layer.name()),
            call::OP => text(|run| run.op.name()),
            call::FILE_ID => spread::<UInt64Type>(rows, runs.map(|(len, run)| (len, run.file_id))),
            call::RANK => spread::<Int32Type>(rows, runs.map(|(len, run)| (len, run.rank))),
            call::HOST => names(|run| run.host),
            call::FUNCTION => names(|run| run.function),
            call::ERROR => names(|run| run.error),
            call::PROCESS => {
                spread_optional::<Int32Type>(rows, runs.map(|(len, run)| (len, run.process)))
            }
            call::IS_COLLECTIVE => {
                spread_flags(rows, runs.map(|(len, run)| (len, run.is_collective)))
            }
            _ => return None,
        })
    }

    fn column(&self, chunk: &FrozenChunk, rows: Range<usize>, column: usize) -> ArrayRef {
        let runs = chunk.runs.iter().map(|run| (run.len, run));
        match self.key(column, chunk.rows, runs) {
            Some(key) => key.slice(rows.start, rows.len()),
            None => chunk.numbers(column, rows),
        }
    }

    fn record_batch(&self, rows: usize, columns: &[usize], arrays: Vec<ArrayRef>) -> RecordBatch {
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        RecordBatch::try_new_with_options(projected(&self.schema, columns), arrays, &options)
            .expect("columns follow the definition")
    }
}

impl BatchSource for FrozenCalls {
    fn def(&self) -> &'static TableDef {
        TableId::Call.def()
    }

    fn rows(&self) -> usize {
        self.rows
    }

    fn batches(&self) -> usize {
        self.chunks.len()
    }

    fn batch(&self, number: usize, columns: &[usize]) -> RecordBatch {
        self.part(number, 0..self.chunks[number].rows, columns)
    }

    fn part(&self, number: usize, rows: Range<usize>, columns: &[usize]) -> RecordBatch {
        let chunk = &self.chunks[number];
        let array = |&column: &usize| self.column(chunk, rows.clone(), column);
        self.record_batch(rows.len(), columns, columns.iter().map(array).collect())
    }

    fn runs(&self, number: usize, columns: &[usize]) -> (Vec<usize>, RecordBatch) {
        let runs = &self.chunks[number].runs;
        let key = |&column: &usize| self.key(column, runs.len(), runs.iter().map(|run| (1, run)));
        match columns.iter().map(key).collect::<Option<Vec<_>>>() {
            Some(arrays) => {
                let rows = runs.iter().map(|run| run.len).collect();
                (rows, self.record_batch(runs.len(), columns, arrays))
            }
            None => {
                let batch = self.batch(number, columns);
                (vec![1; batch.num_rows()], batch)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Call, CallTable, Layer, Op, Work};
    use arrow_array::cast::AsArray;

    #[test]
    fn packed_calls_are_the_same_calls() {
        let table = |many: usize, mut table: CallTable| {
            for number in 0..100_000_u32 {
                let op = if number % 7 == 0 { Op::Open } else { Op::Write };
                let has_place = op == Op::Write;
                let rank = (number / 20_000) as i32;
                let run = CallRun::new(0, Layer::Posix, op, 1, rank);
                let run = CallRun { has_offset: has_place, has_size: has_place, ..run };
                let start_s = f64::from(number % 20_000) * 0.001;
                let call = Call {
                    offset_bytes: i64::from(number) * 61,
                    size_bytes: 61 + i64::from(number % 3),
                    start_s,
                    end_s: start_s + 1e-6 * f64::from(number % 90),
                    calls: (number == 5).then_some(9),
                    ..Call::default()
                };
                table.push(run, call);
            }
            table.relocate(|rank| rank + 1, 0.5);
            let is_late = |_: &CallRun, chunk: &crate::CallChunk, call| chunk.start_s[call] > 0.51;
            table.retain(is_late);
            let alone = |batches: usize, work: &Work<'_>| (0..batches).for_each(work);
            FrozenCalls::new(table.chunks, (table.names, table.rows), many, &alone)
        };
        let (plain, packed) =
            (table(usize::MAX, CallTable::default()), table(0, CallTable::default()));
        // Each chunk as soon as it is full.
        let early = table(usize::MAX, CallTable::packing());
        assert_eq!(early.batches(), 2);
        let columns: Vec<usize> = (0..TableId::Call.def().columns.len()).collect();
        for number in 0..plain.batches() {
            assert_eq!(plain.batch(number, &columns), packed.batch(number, &columns));
            assert_eq!(plain.batch(number, &columns), early.batch(number, &columns));
            let part = |table: &FrozenCalls| table.part(number, 700..9000, &columns);
            assert_eq!(part(&plain), part(&packed));
            assert_eq!(part(&plain), plain.batch(number, &columns).slice(700, 8300));
        }
    }

    #[test]
    fn stretches_tell_once_what_calls_have_in_common() {
        let mut table = CallTable::default();
        for (rank, op) in [(0, Op::Write), (0, Op::Write), (0, Op::Read), (1, Op::Read)] {
            table.push(CallRun::new(0, Layer::Posix, op, 1, rank), Call::default());
        }
        let table = table.finish();
        let (rows, keys) = table.runs(0, &[call::RANK, call::OP]);
        assert_eq!(rows, [2, 1, 1]);
        assert_eq!(keys.column(0).as_primitive::<Int32Type>().values(), &[0, 0, 1]);
        // Starts differ from call to call.
        assert_eq!(table.runs(0, &[call::RANK, call::START_S]).0, [1; 4]);
    }
}
