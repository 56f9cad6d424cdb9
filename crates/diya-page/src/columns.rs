//! The numbers of table `call` that a page shows, some rows at a time.

use super::files::Stacks;
use arrow::array::{Array, AsArray, Float64Array, Int64Array, PrimitiveArray, UInt64Array};
use arrow::datatypes::{ArrowPrimitiveType, Float64Type, Int64Type, UInt64Type};
use diya_tables::{BatchSource, call};
use diya_timeline::{Traced, ns_of};
use std::ops::Range;

/// What differs from call to call.
pub(super) struct Numbers {
    pub rows: usize,
    /// Row of the piece behind the last one.
    pub end: usize,
    pub starts_s: Float64Array,
    pub ends_s: Float64Array,
    offsets: Int64Array,
    sizes: Int64Array,
    /// Calls and time in rows of several calls; `None`: there are none.
    several: Option<(Int64Array, Float64Array)>,
    /// Id, parent and stack of each call; `None`: not recorded.
    ids: Option<[UInt64Array; 3]>,
}

/// Of no rows.
impl Default for Numbers {
    fn default() -> Self {
        Self {
            rows: 0,
            end: 0,
            starts_s: Float64Array::from(Vec::<f64>::new()),
            ends_s: Float64Array::from(Vec::<f64>::new()),
            offsets: Int64Array::from(Vec::<i64>::new()),
            sizes: Int64Array::from(Vec::<i64>::new()),
            several: None,
            ids: None,
        }
    }
}

impl Numbers {
    /// Reads some rows of a piece of table `call`.
    pub fn read(table: &dyn BatchSource, piece: usize, rows: Range<usize>) -> Self {
        let part = |columns: &[usize]| table.part(piece, rows.clone(), columns);
        // What only own traces have is asked for where there is any of it.
        let marks = part(&[call::CALLS, call::CALL_ID]);
        let counts = marks.column(0).as_primitive::<Int64Type>();
        let has_several = counts.values().iter().any(|calls| *calls != 1);
        let several = has_several.then(|| {
            let busy = part(&[call::BUSY_S]);
            (counts.clone(), busy.column(0).as_primitive::<Float64Type>().clone())
        });
        let has_ids = marks.column(1).null_count() < rows.len();
        let ids = has_ids.then(|| {
            let ids = part(&[call::CALL_ID, call::PARENT_ID, call::STACK_ID]);
            [0, 1, 2].map(|column| ids.column(column).as_primitive::<UInt64Type>().clone())
        });
        let batch = part(&[call::START_S, call::END_S, call::OFFSET_BYTES, call::SIZE_BYTES]);
        let seconds = |column: usize| batch.column(column).as_primitive::<Float64Type>().clone();
        let integers = |column: usize| batch.column(column).as_primitive::<Int64Type>().clone();
        Self {
            rows: rows.len(),
            end: rows.end,
            starts_s: seconds(0),
            ends_s: seconds(1),
            offsets: integers(2),
            sizes: integers(3),
            several,
            ids,
        }
    }

    /// Where the request of a call begins; `None`: nowhere, or not recorded.
    #[inline(always)]
    pub fn offset_bytes(&self, row: usize) -> Option<u64> {
        known(&self.offsets, row).and_then(|offset| offset.try_into().ok())
    }

    /// Bytes of a call; `None`: it moves no data.
    #[inline(always)]
    pub fn size_bytes(&self, row: usize) -> Option<u64> {
        known(&self.sizes, row).and_then(|size| size.try_into().ok())
    }

    /// Facts about a call that only own traces contain.
    #[inline(always)]
    pub fn traced(&self, row: usize, log: i32, stacks: &Stacks) -> Option<Traced> {
        if self.ids.is_none() && self.several.is_none() {
            return None;
        }
        self.told(row, log, stacks)
    }

    fn told(&self, row: usize, log: i32, stacks: &Stacks) -> Option<Traced> {
        let several = self.several.as_ref().filter(|(calls, _)| calls.value(row) != 1);
        if self.ids.is_none() && several.is_none() {
            return None;
        }
        let id = |place: usize| self.ids.as_ref().and_then(|ids| known(&ids[place], row));
        let bundle = several.and_then(|(calls, busy_s)| {
            let calls = u64::try_from(calls.value(row)).ok()?;
            Some((calls, u64::try_from(ns_of(busy_s.value(row))).unwrap_or(0)))
        });
        Some(Traced {
            log,
            id: id(0),
            parent_id: id(1),
            stack: id(2).and_then(|stack| stacks.numbers.get(&(log, stack)).copied()),
            bundle,
        })
    }
}

/// The value of a row; `None`: it has none.
#[inline(always)]
fn known<T: ArrowPrimitiveType>(values: &PrimitiveArray<T>, row: usize) -> Option<T::Native> {
    values.is_valid(row).then(|| values.value(row))
}
