//! The columns of table `call` that a page shows, a piece at a time.

use super::files::Stacks;
use arrow::array::{
    Array, AsArray, BooleanArray, Float64Array, Int32Array, Int64Array, PrimitiveArray,
    StringViewArray, UInt64Array,
};
use arrow::datatypes::{ArrowPrimitiveType, Float64Type, Int32Type, Int64Type, UInt64Type};
use diya_tables::{BatchSource, call};
use diya_timeline::{Traced, ns_of};

/// What the page shows of the calls of a piece.
pub(super) struct Columns {
    pub rows: usize,
    pub logs: Int32Array,
    pub ranks: Int32Array,
    pub files: UInt64Array,
    pub layers: StringViewArray,
    pub ops: StringViewArray,
    pub functions: StringViewArray,
    pub errors: StringViewArray,
    pub is_collective: BooleanArray,
    pub starts_s: Float64Array,
    pub ends_s: Float64Array,
    pub offsets: Int64Array,
    pub sizes: Int64Array,
    /// Calls and time in rows of several calls; `None`: there are none.
    several: Option<(Int64Array, Float64Array)>,
    /// Id, parent and stack of each call; `None`: not recorded.
    ids: Option<[UInt64Array; 3]>,
}

impl Columns {
    /// Reads a piece of table `call`.
    pub fn read(table: &dyn BatchSource, piece: usize) -> Self {
        // What only own traces have is asked for where there is any of it.
        let marks = table.piece(piece, &[call::CALLS, call::CALL_ID]);
        let rows = marks.num_rows();
        let counts = marks.column(0).as_primitive::<Int64Type>();
        let has_several = counts.values().iter().any(|calls| *calls != 1);
        let several = has_several.then(|| {
            let busy = table.piece(piece, &[call::BUSY_S]);
            (counts.clone(), busy.column(0).as_primitive::<Float64Type>().clone())
        });
        let has_ids = marks.column(1).null_count() < rows;
        let ids = has_ids.then(|| {
            let ids = table.piece(piece, &[call::CALL_ID, call::PARENT_ID, call::STACK_ID]);
            [0, 1, 2].map(|column| ids.column(column).as_primitive::<UInt64Type>().clone())
        });
        let batch = table.piece(
            piece,
            &[
                call::LOG,
                call::RANK,
                call::FILE_ID,
                call::LAYER,
                call::OP,
                call::FUNCTION,
                call::ERROR,
                call::IS_COLLECTIVE,
                call::START_S,
                call::END_S,
                call::OFFSET_BYTES,
                call::SIZE_BYTES,
            ],
        );
        let words = |column: usize| batch.column(column).as_string_view().clone();
        let seconds = |column: usize| batch.column(column).as_primitive::<Float64Type>().clone();
        let integers = |column: usize| batch.column(column).as_primitive::<Int64Type>().clone();
        Self {
            rows,
            logs: batch.column(0).as_primitive::<Int32Type>().clone(),
            ranks: batch.column(1).as_primitive::<Int32Type>().clone(),
            files: batch.column(2).as_primitive::<UInt64Type>().clone(),
            layers: words(3),
            ops: words(4),
            functions: words(5),
            errors: words(6),
            is_collective: batch.column(7).as_boolean().clone(),
            starts_s: seconds(8),
            ends_s: seconds(9),
            offsets: integers(10),
            sizes: integers(11),
            several,
            ids,
        }
    }

    /// What only own traces tell of a call.
    pub fn traced(&self, row: usize, log: i32, stacks: &Stacks) -> Option<Traced> {
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
pub(super) fn known<T: ArrowPrimitiveType>(
    values: &PrimitiveArray<T>,
    row: usize,
) -> Option<T::Native> {
    values.is_valid(row).then(|| values.value(row))
}
