//! A batch of table `call`: what its rows share, and their numbers when they are
//! gone over.

use super::call::Call;
use diya_tables::{BatchSource, call};
use std::ops::Range;

/// Calls that follow each other in a batch, of one stream and thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct StreamRun {
    /// Position in [`Calls::streams`]; `LEFT_OUT`: rows that are no calls to these
    /// computations.
    pub stream: u32,
    pub thread: u32,
    /// The calls failed.
    pub is_failed: bool,
    pub rows: u32,
}

/// The stream of rows that are left out.
pub(super) const LEFT_OUT: u32 = u32::MAX;

/// What a batch of the table holds.
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
    pub fn add(&mut self, stream: u32, thread: u32, is_failed: bool) {
        let of = (stream, thread, is_failed);
        match self.runs.last_mut() {
            Some(last) if (last.stream, last.thread, last.is_failed) == of => last.rows += 1,
            _ => self.runs.push(StreamRun { stream, thread, is_failed, rows: 1 }),
        }
    }
}

/// What differs from call to call, of one batch.
pub(super) struct Numbers {
    each: Each,
    /// `None`: the batch is plain.
    several: Option<Several>,
    /// `None`: no call of the batch was made inside another.
    parents: Option<Parents>,
}

diya_tables::columns! {
    struct Each of call { start_s: f64, end_s: f64, offset_bytes: i64, size_bytes: i64 }
}

diya_tables::columns! {
    /// Time and number of the calls of a row.
    struct Several of call { busy_s: f64, calls: i64 }
}

diya_tables::columns! {
    struct Parents of call { parent_id: u64 }
}

impl Numbers {
    /// Reads them.
    pub fn read(table: &dyn BatchSource, number: usize, batch: &CallBatch) -> Self {
        Self {
            each: Each::read(table, number),
            several: (!batch.is_plain).then(|| Several::read(table, number)),
            parents: batch.has_parents.then(|| Parents::read(table, number)),
        }
    }

    #[inline(always)]
    pub fn call(&self, row: usize, run: &StreamRun) -> Call {
        let of = &self.each;
        let (start_s, end_s) = (of.start_s.value(row), of.end_s.value(row));
        let (busy_s, calls) = match &self.several {
            None => (end_s - start_s, 1),
            Some(several) => (several.busy_s.value(row), several.calls.value(row)),
        };
        let recorded_bytes = of.size_bytes.get(row).map(|bytes| bytes.max(0));
        Call {
            start_s,
            end_s,
            busy_s,
            offset: of.offset_bytes.get(row).map_or(-1, |offset| offset.max(-1)),
            size_bytes: recorded_bytes.unwrap_or(0),
            is_empty: recorded_bytes == Some(0),
            is_failed: run.is_failed,
            calls,
            stream: run.stream,
            thread: run.thread,
            parent: self.parents.as_ref().and_then(|of| of.parent_id.get(row)).unwrap_or(0),
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
