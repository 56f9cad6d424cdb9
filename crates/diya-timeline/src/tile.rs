//! Tiles: a picture's worth of cells, and the request for one.

use crate::axis::TimeAxis;
use crate::row::{Row, Wanted};
use crate::{AxisOf, Filter, ns_of};

/// One axis, cut into equal cells.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Axis {
    /// What it counts.
    pub of: AxisOf,
    /// Start of the first cell.
    pub from: f64,
    /// End of the last cell, above `from`.
    pub to: f64,
    /// Number of cells, at least one.
    pub cells: usize,
    /// Cells are equal in the logarithm; `from` is above 0.
    pub is_log: bool,
}

impl Axis {
    pub(crate) fn time(&self) -> TimeAxis {
        TimeAxis::new((ns_of(self.from), ns_of(self.to)), self.cells)
    }
}

/// Which tile.
#[derive(Debug, Clone)]
pub struct TileRequest {
    /// Which calls count.
    pub filter: Filter,
    /// From left to right.
    pub x: Axis,
    /// From top to bottom.
    pub y: Axis,
    /// Tracks by position; None: all, by number.
    pub order: Option<Vec<u32>>,
    /// Which planes.
    pub wanted: Wanted,
    /// Read every call, though sums would do.
    pub is_refined: bool,
}

/// Cells row by row, the first row first; planes that were not wanted are empty.
#[derive(Debug, Default)]
pub struct Tile {
    /// By kind: share of the cell's time and tracks in calls; without a time
    /// axis: seconds.
    pub busy: [Vec<f32>; 4],
    /// Bytes moved.
    pub bytes: Vec<f32>,
    /// Calls that begin.
    pub calls: Vec<f32>,
    /// Longest call, seconds.
    pub longest_s: Vec<f32>,
    /// Share of the time in libraries while no call below runs.
    pub library: Vec<f32>,
    /// False: from sums, or of a sample.
    pub is_exact: bool,
}

impl Tile {
    /// A tile with any numbers in its cells, in the memory of this one: a large one
    /// costs more to get from the system, page by page, than to fill.
    pub(crate) fn sized(mut self, wanted: Wanted, cells: usize) -> Self {
        let [read, write, metadata, wait] = wanted.busy;
        let Wanted { bytes, calls, longest, library, .. } = wanted;
        let is_requested = [read, write, metadata, wait, bytes, calls, longest, library];
        for (plane, is_requested) in self.planes().zip(is_requested) {
            if is_requested && plane.capacity() == 0 {
                *plane = vec![0.0; cells]; // zeroed pages of the system
            } else {
                plane.resize(if is_requested { cells } else { 0 }, 0.0);
            }
        }
        self.is_exact = true;
        self
    }

    /// Zeros everywhere.
    pub(crate) fn cleared(mut self) -> Self {
        self.planes().for_each(|plane| plane.fill(0.0));
        self
    }

    fn planes(&mut self) -> impl Iterator<Item = &mut Vec<f32>> {
        let others = [&mut self.bytes, &mut self.calls, &mut self.longest_s, &mut self.library];
        self.busy.iter_mut().chain(others)
    }

    /// Writes a row of sums over so many tracks, and leaves zeros in their place: both in
    /// one go, as each costs as much as reading them.
    pub(crate) fn move_row(&mut self, at: usize, row: &mut Row, tracks: usize, axis: TimeAxis) {
        let cells = at * axis.cells..(at + 1) * axis.cells;
        let share = (1.0 / (axis.cell_ns * tracks.max(1) as f64)) as f32;
        let planes = self.busy.iter_mut().zip(row.busy_ns.iter_mut().map(|sums| (sums, share)));
        let sums = [
            (&mut self.bytes, (&mut row.bytes, 1.0)),
            (&mut self.calls, (&mut row.calls, 1.0)),
            (&mut self.library, (&mut row.library_ns, share)),
        ];
        for (plane, (sums, factor)) in planes.chain(sums).filter(|(plane, _)| !plane.is_empty()) {
            for (cell, sum) in plane[cells.clone()].iter_mut().zip(sums) {
                *cell = std::mem::take(sum) as f32 * factor;
            }
        }
        if !self.longest_s.is_empty() {
            for (cell, ns) in self.longest_s[cells].iter_mut().zip(&mut row.longest_ns) {
                *cell = std::mem::take(ns) * 1e-9;
            }
        }
        row.is_used = false;
    }

    /// A row without calls.
    pub(crate) fn clear_row(&mut self, at: usize, width: usize) {
        let planes = self.planes().filter(|plane| !plane.is_empty());
        planes.for_each(|plane| plane[at * width..(at + 1) * width].fill(0.0));
    }

    /// The row above, again.
    pub(crate) fn repeat_row(&mut self, at: usize, width: usize) {
        for plane in self.planes().filter(|plane| !plane.is_empty()) {
            plane.copy_within((at - 1) * width..at * width, at * width);
        }
    }
}

/// Positions of the tracks that a cell of the axis shows. Each track is in one
/// cell where there are more tracks than cells; else a track fills several.
pub(crate) fn positions(axis: Axis, cell: usize, all: usize) -> std::ops::Range<usize> {
    let step = (axis.to - axis.from) / axis.cells as f64;
    let (from, to) = (axis.from + step * cell as f64, axis.from + step * (cell + 1) as f64);
    // Sums of steps miss whole numbers by little; a track must not be lost by it.
    let whole = |place: f64| {
        let near = place.round();
        if (place - near).abs() < 1e-6 { near } else { place.ceil() }
    };
    let (mut first, mut end) = (whole(from), whole(to));
    if end <= first {
        first = (from + 1e-6).floor();
        end = first + 1.0;
    }
    if end <= 0.0 {
        return 0..0;
    }
    let end = (end as usize).min(all);
    (first.max(0.0) as usize).min(end)..end
}
