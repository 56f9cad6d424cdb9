//! Tiles: a picture's worth of cells, filled from the calls or from a grid.

use crate::axis::TimeAxis;
use crate::row::{Row, Wanted};
use crate::{Filter, Store, draw, ns_of, scatter};

/// What an axis of a tile counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Of {
    /// Seconds since the start of the job.
    Time,
    /// Positions in the order of tracks.
    Track,
    /// Bytes in a file.
    Offset,
    /// Bytes of a request.
    Size,
    /// Seconds of a call.
    Duration,
    /// Positions in the list of storage targets.
    Target,
}

/// One axis, cut into equal cells.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Axis {
    /// What it counts.
    pub of: Of,
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
    /// False: from sums, or of a sample.
    pub is_exact: bool,
}

impl Tile {
    /// A tile with any numbers in its cells, in the memory of this one: a large one
    /// costs more to get from the system, page by page, than to fill.
    fn sized(mut self, wanted: Wanted, cells: usize) -> Self {
        let [read, write, metadata, wait] = wanted.busy;
        let is_wanted = [read, write, metadata, wait, wanted.bytes, wanted.calls, wanted.longest];
        for (plane, is_wanted) in self.planes().zip(is_wanted) {
            if is_wanted && plane.capacity() == 0 {
                *plane = vec![0.0; cells]; // zeroed pages of the system
            } else {
                plane.resize(if is_wanted { cells } else { 0 }, 0.0);
            }
        }
        self.is_exact = true;
        self
    }

    /// Zeros everywhere.
    fn cleared(mut self) -> Self {
        self.planes().for_each(|plane| plane.fill(0.0));
        self
    }

    fn planes(&mut self) -> impl Iterator<Item = &mut Vec<f32>> {
        self.busy.iter_mut().chain([&mut self.bytes, &mut self.calls, &mut self.longest_s])
    }

    /// Writes a row of sums over so many tracks, and leaves zeros in their place: both in
    /// one go, as each costs as much as reading them.
    pub(crate) fn move_row(&mut self, at: usize, row: &mut Row, tracks: usize, axis: TimeAxis) {
        let cells = at * axis.cells..(at + 1) * axis.cells;
        let share = (1.0 / (axis.cell_ns * tracks.max(1) as f64)) as f32;
        let planes = self.busy.iter_mut().zip(row.busy_ns.iter_mut().map(|sums| (sums, share)));
        let sums =
            [(&mut self.bytes, (&mut row.bytes, 1.0)), (&mut self.calls, (&mut row.calls, 1.0))];
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
    fn clear_row(&mut self, at: usize, width: usize) {
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

/// Above so many calls the grid is drawn instead, unless refinement was asked for.
pub const CALLS_AT_ONCE: usize = 12_000_000;

/// The tile.
pub fn tile(store: &Store, request: &TileRequest) -> Tile {
    tile_in(store, request, Tile::default())
}

/// The tile, in the memory of one that is no longer needed.
pub fn tile_in(store: &Store, request: &TileRequest, spare: Tile) -> Tile {
    let mut tile = spare.sized(request.wanted, request.x.cells * request.y.cells);
    let is_rank_time = request.x.of == Of::Time && request.y.of == Of::Track;
    if !is_rank_time {
        tile = tile.cleared();
        scatter::fill(store, request, &mut tile);
        return tile;
    }
    if let Some(grids) = draw::grids_of(store, request) {
        draw::fill(store, request, &grids, &mut tile);
        return tile;
    }
    let axis = request.x.time();
    tile.is_exact = store.holding != crate::Holding::Grid;
    let mut row = Row::new(request.wanted, axis);
    let all = request.order.as_ref().map_or(store.tracks.len(), Vec::len);
    let mut before = None;
    for y in 0..request.y.cells {
        let positions = positions(request.y, y, all);
        if before.as_ref() == Some(&positions) {
            tile.repeat_row(y, axis.cells);
            continue;
        }
        for position in positions.clone() {
            let track = request.order.as_ref().map_or(position as u32, |order| order[position]);
            let streams = store.calls.streams_of(track);
            row.add_track(store, &request.filter, axis, (streams, request.wanted));
        }
        if row.is_used {
            tile.move_row(y, &mut row, positions.len(), axis);
        } else {
            tile.clear_row(y, axis.cells);
        }
        before = Some(positions);
    }
    tile
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
