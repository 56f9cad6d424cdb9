//! The sums of one row of a grid.
//!
//! Like a [`crate::row::Row`] over a window that holds all calls, with every sum: then
//! they lie side by side, and a call touches one or two lines of a cache instead of
//! eight.

use crate::axis::TimeAxis;
use crate::calls::Stream;
use crate::{Calls, Narrow};

/// Sums of one cell.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Cell {
    /// Time in calls; overlapping calls of a track count once.
    pub busy_ns: f64,
    /// Bytes, spread evenly over the time of their call.
    pub bytes: f64,
    /// Calls that begin.
    pub calls: f64,
    /// Longest call that touches the cell.
    pub longest_ns: f32,
}

/// Adds the calls of a stream to the cells of an axis that holds them all.
pub(crate) fn add_stream(cells: &mut [Cell], calls: &Calls, axis: TimeAxis, stream: Stream) {
    let range = stream.range();
    let first_call = range.start;
    let starts = calls.start_ns[range.clone()].iter();
    let durations = calls.duration_ns.raw(range.clone()).iter();
    let sizes = calls.size_bytes.raw(range).iter();
    let (places, is_single) = (axis.fixed, calls.bundles.is_empty());
    let part_ns = places.part_ns;
    let mut reach = 0; // of the calls before
    for (at, ((start_ns, duration), size)) in starts.zip(durations).zip(sizes).enumerate() {
        let call = first_call + at;
        let duration_ns = calls.duration_ns.widened(*duration, call);
        let end_ns = start_ns.saturating_add_unsigned(duration_ns);
        let bytes = value(&calls.size_bytes, *size, call);
        let (from, to) = (places.place(*start_ns), places.place(end_ns));
        let (first, last) = (places.first(from), places.last(from, to));
        let (head, tail) = places.head_and_tail((first, last), (from, to));
        // An instant is in one cell with all its bytes.
        let per_part = bytes / (to - from).max(1).cast_signed() as f64;
        let head_bytes = if to > from { head * per_part } else { bytes };
        let is_apart = from >= reach;
        let busy_ns = if is_apart { part_ns } else { 0.0 };
        // An instant is a call too: 0 would hide it.
        let longest_ns = duration_ns.clamp(1, i64::MAX as u64).cast_signed() as f32;
        let cell = &mut cells[first];
        cell.busy_ns += head * busy_ns;
        cell.bytes += head_bytes;
        cell.calls += if is_single { 1.0 } else { calls.weight(call).0 as f64 };
        cell.lengthen(longest_ns);
        let cell = &mut cells[last];
        cell.busy_ns += tail * busy_ns;
        cell.bytes += tail * per_part;
        cell.lengthen(longest_ns);
        if last > first + 1 {
            let whole = (axis.cell_ns / part_ns) * per_part;
            let busy_ns = if is_apart { axis.cell_ns } else { 0.0 };
            for cell in &mut cells[first + 1..last] {
                cell.busy_ns += busy_ns;
                cell.bytes += whole;
                cell.lengthen(longest_ns);
            }
        }
        if !is_apart && to > reach {
            spread_busy(cells, axis, (reach, to));
        }
        reach = reach.max(to);
    }
}

/// The part of a call that no call before it covers.
fn spread_busy(cells: &mut [Cell], axis: TimeAxis, (from, to): (u64, u64)) {
    let places = axis.fixed;
    let (first, last) = (places.first(from), places.last(from, to));
    let (head, tail) = places.head_and_tail((first, last), (from, to));
    cells[first].busy_ns += head * places.part_ns;
    cells[last].busy_ns += tail * places.part_ns;
    let whole = cells.get_mut(first + 1..last).unwrap_or_default();
    whole.iter_mut().for_each(|cell| cell.busy_ns += axis.cell_ns);
}

/// A number as it lies in a column, and its place.
#[inline(always)]
fn value(column: &Narrow, raw: u32, at: usize) -> f64 {
    column.widened(raw, at) as f64
}

impl Cell {
    #[inline(always)]
    fn lengthen(&mut self, call_ns: f32) {
        // No `max`: it also has to mind what is no number.
        self.longest_ns = if self.longest_ns < call_ns { call_ns } else { self.longest_ns };
    }
}
