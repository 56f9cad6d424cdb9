//! A piece of table `call`: what its rows share, and their numbers when they are
//! gone over.

use super::call::Call;
use arrow::array::{Array, AsArray, Float64Array, Int64Array, UInt64Array};
use arrow::datatypes::{Float64Type, Int64Type, UInt64Type};
use diya_tables::{BatchSource, call};
use std::ops::Range;

/// Calls that follow each other in a piece, of one stream and thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct StreamRun {
    /// Position in [`Calls::streams`]; `LEFT_OUT`: rows that are no calls to these
    /// computations.
    pub stream: u32,
    pub thread: u32,
    pub rows: u32,
}

/// The stream of rows that are left out.
pub(super) const LEFT_OUT: u32 = u32::MAX;

/// What a piece of the table holds.
#[derive(Debug, Clone)]
pub(super) struct CallBatch {
    pub runs: Vec<StreamRun>,
    /// Every row is one call, and all of its time is spent in it.
    pub is_plain: bool,
    /// Some call was made inside another.
    pub has_parents: bool,
}

impl CallBatch {
    /// Appends a row.
    pub fn add(&mut self, stream: u32, thread: u32) {
        match self.runs.last_mut() {
            Some(last) if (last.stream, last.thread) == (stream, thread) => last.rows += 1,
            _ => self.runs.push(StreamRun { stream, thread, rows: 1 }),
        }
    }
}

/// What differs from call to call, of one piece.
pub(super) struct Numbers {
    start_s: Float64Array,
    end_s: Float64Array,
    offset: Int64Array,
    size_bytes: Int64Array,
    /// Time and number of the calls of a row; `None`: the piece is plain.
    several: Option<(Float64Array, Int64Array)>,
    /// `None`: no call of the piece was made inside another.
    parents: Option<UInt64Array>,
}

impl Numbers {
    /// Reads them.
    pub fn read(table: &dyn BatchSource, number: usize, piece: &CallBatch) -> Self {
        let mut columns = vec![call::START_S, call::END_S, call::OFFSET_BYTES, call::SIZE_BYTES];
        if !piece.is_plain {
            columns.extend([call::BUSY_S, call::CALLS]);
        }
        let parents = columns.len();
        if piece.has_parents {
            columns.push(call::PARENT_ID);
        }
        let batch = table.piece(number, &columns);
        let seconds = |column: usize| batch.column(column).as_primitive::<Float64Type>().clone();
        let integers = |column: usize| batch.column(column).as_primitive::<Int64Type>().clone();
        Self {
            start_s: seconds(0),
            end_s: seconds(1),
            offset: integers(2),
            size_bytes: integers(3),
            several: (!piece.is_plain).then(|| (seconds(4), integers(5))),
            parents: piece
                .has_parents
                .then(|| batch.column(parents).as_primitive::<UInt64Type>().clone()),
        }
    }

    #[inline(always)]
    pub fn call(&self, row: usize, run: &StreamRun) -> Call {
        let (start_s, end_s) = (self.start_s.value(row), self.end_s.value(row));
        let (busy_s, calls) = match &self.several {
            None => (end_s - start_s, 1),
            Some((busy, calls)) => (busy.value(row), calls.value(row)),
        };
        let is_placed = self.offset.is_valid(row);
        let is_sized = self.size_bytes.is_valid(row);
        let size_bytes = if is_sized { self.size_bytes.value(row).max(0) } else { 0 };
        Call {
            start_s,
            end_s,
            busy_s,
            offset: if is_placed { self.offset.value(row).max(-1) } else { -1 },
            size_bytes,
            is_empty: is_sized && size_bytes == 0,
            calls,
            stream: run.stream,
            thread: run.thread,
            parent: self.parents.as_ref().filter(|p| p.is_valid(row)).map_or(0, |p| p.value(row)),
        }
    }
}

/// Neighbours that are worked on together, at most `most` calls of them, or one
/// that alone has more: what is gathered of their calls stays that small.
///
/// `counts` are the calls of each; gives ranges of places in it.
pub(crate) fn batches(counts: &[usize], most: usize) -> Vec<Range<usize>> {
    let (mut found, mut first, mut sum) = (Vec::new(), 0, 0_usize);
    for (place, count) in counts.iter().enumerate() {
        if place > first && sum.saturating_add(*count) > most {
            found.push(first..place);
            (first, sum) = (place, 0);
        }
        sum = sum.saturating_add(*count);
    }
    if first < counts.len() {
        found.push(first..counts.len());
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_hold_what_fits_and_at_least_one() {
        assert_eq!(batches(&[3, 3, 9, 1, 1], 6), [0..2, 2..3, 3..5]);
        assert!(batches(&[], 6).is_empty());
    }
}
