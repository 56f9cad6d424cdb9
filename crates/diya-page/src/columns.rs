//! The numbers of table `call` that a page shows, some rows at a time.

use super::places::Origins;
use arrow::array::Array;
use diya_tables::{BatchSource, Column, call, columns};
use diya_timeline::{Traced, ns_of};
use std::ops::Range;

columns! {
    /// Which rows have what only own traces record.
    struct Marks of call { calls: i64, call_id: u64 }
}

columns! {
    struct Busy of call { busy_s: f64 }
}

columns! {
    /// Id, parent, stack and thread of each call.
    struct Ids of call { rank: i32, thread: u64, call_id: u64, parent_id: u64, stack_id: u64 }
}

columns! {
    /// What differs from call to call.
    pub(super) struct Each of call {
        start_s: f64,
        end_s: f64,
        offset_bytes: i64,
        size_bytes: i64,
    }
}

/// The numbers of some calls.
pub(super) struct Numbers {
    /// Row of the batch behind the last one.
    pub end: usize,
    pub each: Each,
    /// Calls and time in rows of several calls; `None`: there are none.
    several: Option<(Column<i64>, Column<f64>)>,
    /// `None`: not recorded.
    ids: Option<Ids>,
}

impl Numbers {
    /// Reads some rows of a batch of table `call`.
    pub fn read(table: &dyn BatchSource, number: usize, rows: Range<usize>) -> Self {
        let part = |columns: &[usize]| table.part(number, rows.clone(), columns);
        // What only own traces have is asked for where there is any of it.
        let marks = Marks::of(&part(Marks::COLUMNS));
        let has_several = marks.calls.values().iter().any(|calls| *calls != 1);
        let several =
            has_several.then(|| (marks.calls.clone(), Busy::of(&part(Busy::COLUMNS)).busy_s));
        let has_ids = marks.call_id.null_count() < rows.len();
        let ids = has_ids.then(|| Ids::of(&part(Ids::COLUMNS)));
        Self { end: rows.end, each: Each::of(&part(Each::COLUMNS)), several, ids }
    }

    /// Where the request of a call begins; `None`: nowhere, or not recorded.
    #[inline(always)]
    pub fn offset_bytes(&self, row: usize) -> Option<u64> {
        self.each.offset_bytes.get(row).and_then(|offset| offset.try_into().ok())
    }

    /// Bytes of a call; `None`: it moves no data.
    #[inline(always)]
    pub fn size_bytes(&self, row: usize) -> Option<u64> {
        self.each.size_bytes.get(row).and_then(|size| size.try_into().ok())
    }

    /// Facts about a call that only own traces contain.
    #[inline(always)]
    pub fn traced(&self, row: usize, log: i32, origins: &Origins) -> Option<Traced> {
        if self.ids.is_none() && self.several.is_none() {
            return None;
        }
        self.traced_here(row, log, origins)
    }

    fn traced_here(&self, row: usize, log: i32, origins: &Origins) -> Option<Traced> {
        let several = self.several.as_ref().filter(|(calls, _)| calls.value(row) != 1);
        if self.ids.is_none() && several.is_none() {
            return None;
        }
        let ids = self.ids.as_ref();
        let bundle = several.and_then(|(calls, busy_s)| {
            let calls = u64::try_from(calls.value(row)).ok()?;
            Some((calls, u64::try_from(ns_of(busy_s.value(row))).unwrap_or(0)))
        });
        Some(Traced {
            log,
            id: ids.and_then(|ids| ids.call_id.get(row)),
            parent_id: ids.and_then(|ids| ids.parent_id.get(row)),
            stack: ids
                .and_then(|ids| origins.stacks.numbers.get(&(log, ids.stack_id.get(row)?)))
                .copied(),
            place: ids.and_then(|ids| {
                let of = (log, ids.rank.value(row));
                origins.place(of, ids.thread.get(row), self.each.start_s.value(row))
            }),
            thread: ids.and_then(|ids| ids.thread.get(row)),
            bundle,
        })
    }
}
