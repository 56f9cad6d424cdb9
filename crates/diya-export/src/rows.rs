//! Rows of calls, for formats that hold one event for each.

use super::whole::whole;
use arrow::array::{Array, AsArray, RecordBatch};
use arrow::datatypes::{Float64Type, Int32Type, Int64Type, UInt64Type};
use diya::Trace;
use diya_tables::{TableId, call, rank_host};
use std::collections::HashMap;

/// Log and rank: a process of the trace.
pub(super) type Process = (i32, i32);

/// Columns of table `call`.
pub(super) struct Rows<'b> {
    pub batch: &'b RecordBatch,
    pub layers: &'b arrow::array::StringViewArray,
    pub files: &'b arrow::array::UInt64Array,
}

impl<'b> Rows<'b> {
    pub fn of(batch: &'b RecordBatch) -> Self {
        let layers = batch.column(call::LAYER).as_string_view();
        Self { batch, layers, files: batch.column(call::FILE_ID).as_primitive::<UInt64Type>() }
    }

    pub fn process(&self, row: usize) -> Process {
        let number =
            |column: usize| self.batch.column(column).as_primitive::<Int32Type>().value(row);
        (number(call::LOG), number(call::RANK))
    }

    pub fn text(&self, column: usize, row: usize) -> Option<&'b str> {
        let texts = self.batch.column(column).as_string_view();
        texts.is_valid(row).then(|| texts.value(row))
    }

    pub fn number(&self, column: usize, row: usize) -> Option<i64> {
        let numbers = self.batch.column(column).as_primitive::<Int64Type>();
        numbers.is_valid(row).then(|| numbers.value(row))
    }

    pub fn name(&self, row: usize) -> &'b str {
        self.text(call::FUNCTION, row).or_else(|| self.text(call::OP, row)).unwrap_or_default()
    }

    pub fn thread(&self, row: usize) -> Option<u64> {
        let threads = self.batch.column(call::THREAD).as_primitive::<UInt64Type>();
        threads.is_valid(row).then(|| threads.value(row))
    }
}

/// Calls of a row that holds several, and the seconds inside them; `None`: one call.
pub(super) fn sum_of(batch: &RecordBatch, row: usize) -> Option<(i64, f64)> {
    let calls = batch.column(call::CALLS).as_primitive::<Int64Type>().value(row);
    let busy_s = batch.column(call::BUSY_S).as_primitive::<Float64Type>().value(row);
    (calls > 1).then_some((calls, busy_s))
}

/// Host of each rank.
pub(super) fn hosts(trace: &Trace) -> HashMap<Process, String> {
    let mut hosts = HashMap::new();
    for batch in whole(trace, TableId::RankHost) {
        let logs = batch.column(rank_host::LOG).as_primitive::<Int32Type>();
        let ranks = batch.column(rank_host::RANK).as_primitive::<Int32Type>();
        let names = batch.column(rank_host::HOST).as_string_view();
        for row in 0..batch.num_rows() {
            let rank = (logs.value(row), ranks.value(row));
            hosts.entry(rank).or_insert_with(|| names.value(row).to_owned());
        }
    }
    hosts
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::{ArrayRef, Float64Array, Int64Array};
    use std::sync::Arc;

    #[test]
    fn a_row_of_several_calls_is_a_sum() {
        let column = |at: usize| -> (String, ArrayRef) {
            let values: ArrayRef = match at {
                call::CALLS => Arc::new(Int64Array::from(vec![1, 40])),
                call::BUSY_S => Arc::new(Float64Array::from(vec![0.5, 0.25])),
                _ => Arc::new(Int64Array::from(vec![0, 0])),
            };
            (at.to_string(), values)
        };
        let batch = RecordBatch::try_from_iter((0..=call::AUX).map(column)).expect("equal lengths");
        assert_eq!([sum_of(&batch, 0), sum_of(&batch, 1)], [None, Some((40, 0.25))]);
    }
}
