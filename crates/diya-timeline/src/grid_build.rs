//! Makes grids from the calls of a store.

use crate::axis::TimeAxis;
use crate::grid::{Grid, Level, complete};
use crate::sums::{Cell, add_stream};
use crate::work::{Executor, alone};
use crate::{Kind, Store};
use std::sync::{Mutex, PoisonError};

/// Cells over time at the finest level.
pub const GRID_CELLS: usize = 4096;
/// Groups of tracks at most.
pub const GRID_ROWS: usize = 1024;

/// Above so many calls the grid is drawn instead, unless refinement was asked for.
pub const CALLS_AT_ONCE: usize = 12_000_000;

impl Grid {
    /// Builds the grid of a layer, with at most so many cells and rows.
    ///
    /// Rows are built side by side.
    pub fn build(
        store: &Store,
        layer: u8,
        (cells, most_rows): (usize, usize),
        executor: &Executor<'_>,
    ) -> Self {
        let window_ns = store.window_ns();
        let axis = TimeAxis::new(window_ns, cells);
        let tracks = store.tracks.len();
        let rows = tracks.min(most_rows).max(1);
        let row_tracks: Vec<u32> = (0..=rows).map(|row| (row * tracks / rows) as u32).collect();
        let is_there =
            |kind: &Kind| store.calls.streams.iter().any(|s| s.layer == layer && s.kind == *kind);
        let kinds: Vec<Kind> = Kind::ALL.into_iter().filter(is_there).collect();
        let mut finest: Vec<Level> = kinds.iter().map(|_| Level::new(cells, rows)).collect();
        // Each slice of rows of each kind is written by one thread at a time.
        let slices: Vec<Mutex<Rows<'_>>> = finest
            .iter_mut()
            .zip(&kinds)
            .flat_map(|(level, kind)| level.slices(*kind))
            .map(Mutex::new)
            .collect();
        let of = Source { store, layer, axis, row_tracks: &row_tracks };
        executor(slices.len(), &|at| {
            slices[at].lock().unwrap_or_else(PoisonError::into_inner).fill(&of);
        });
        drop(slices);
        let levels: Vec<Mutex<Vec<Level>>> =
            finest.into_iter().map(|level| Mutex::new(vec![level])).collect();
        executor(levels.len(), &|at| {
            complete(&mut levels[at].lock().unwrap_or_else(PoisonError::into_inner));
        });
        let mut grid = Self {
            from_ns: axis.from_ns,
            to_ns: axis.to_ns,
            row_tracks,
            levels: Default::default(),
        };
        for (kind, levels) in kinds.into_iter().zip(levels) {
            grid.levels[kind as usize] =
                levels.into_inner().unwrap_or_else(PoisonError::into_inner);
        }
        grid
    }
}

/// Rows that one thread fills in one go.
const ROWS_AT_ONCE: usize = 16;

/// What a grid is built from.
struct Source<'s> {
    store: &'s Store,
    layer: u8,
    axis: TimeAxis,
    row_tracks: &'s [u32],
}

/// Some rows of a level.
struct Rows<'l> {
    kind: Kind,
    first: usize,
    cells: usize,
    busy_ns: &'l mut [f32],
    bytes: &'l mut [f32],
    calls: &'l mut [f32],
    longest_ns: &'l mut [f32],
}

impl Rows<'_> {
    fn fill(&mut self, of: &Source<'_>) {
        let mut sums = vec![Cell::default(); self.cells];
        let kind = self.kind;
        let is_match = |s: &&crate::Stream| s.layer == of.layer && s.kind == kind;
        for row in 0..self.busy_ns.len() / self.cells {
            let number = self.first + row;
            let mut is_used = false;
            for track in of.row_tracks[number]..of.row_tracks[number + 1] {
                let streams = of.store.calls.streams_of(track);
                if let Some(stream) = streams.iter().find(is_match) {
                    add_stream(&mut sums, &of.store.calls, of.axis, *stream);
                    is_used = true;
                }
            }
            if is_used {
                self.move_row(row, &mut sums);
            }
        }
    }

    /// Writes a row of sums, and leaves zeros in their place.
    fn move_row(&mut self, row: usize, sums: &mut [Cell]) {
        let cells = row * self.cells..(row + 1) * self.cells;
        let planes = self.busy_ns[cells.clone()].iter_mut().zip(&mut self.bytes[cells.clone()]);
        let others = self.calls[cells.clone()].iter_mut().zip(&mut self.longest_ns[cells]);
        for (((busy_ns, bytes), (calls, longest_ns)), sum) in planes.zip(others).zip(sums) {
            let sum = std::mem::take(sum);
            *busy_ns = sum.busy_ns as f32;
            *bytes = sum.bytes as f32;
            *calls = sum.calls as f32;
            *longest_ns = sum.longest_ns;
        }
    }
}

impl Level {
    /// Its rows, some at a time.
    fn slices(&mut self, kind: Kind) -> Vec<Rows<'_>> {
        let (cells, size) = (self.cells, self.cells * ROWS_AT_ONCE);
        let planes = self.busy_ns.chunks_mut(size).zip(self.bytes.chunks_mut(size));
        let others = self.calls.chunks_mut(size).zip(self.longest_ns.chunks_mut(size));
        let slice = |(at, ((busy_ns, bytes), (calls, longest_ns)))| Rows {
            kind,
            first: at * ROWS_AT_ONCE,
            cells,
            busy_ns,
            bytes,
            calls,
            longest_ns,
        };
        planes.zip(others).enumerate().map(slice).collect()
    }
}

impl Store {
    /// The grid of a layer; made by the first who asks.
    pub fn grid(&self, layer: u8) -> Option<&Grid> {
        let slot = self.grids.get(usize::from(layer))?;
        Some(slot.get_or_init(|| Grid::build(self, layer, self.grid_size(), &alone)))
    }

    /// Makes the grids that tiles of this store are drawn from, before anybody
    /// asks; `executor` as in [`Grid::build`]. Few calls need none.
    pub fn build_grids(&self, executor: &Executor<'_>) {
        if self.calls.len() <= CALLS_AT_ONCE {
            return;
        }
        for (layer, slot) in (0..).zip(&self.grids) {
            slot.get_or_init(|| Grid::build(self, layer, self.grid_size(), executor));
        }
    }

    /// Cells and rows of its grids.
    fn grid_size(&self) -> (usize, usize) {
        let rows = GRID_ROWS / self.layers.len().max(1).next_power_of_two();
        (GRID_CELLS, rows.max(128))
    }

    /// Makes room for one grid per layer; to be called when the layers are known.
    pub fn prepare(&mut self) {
        self.grids.resize_with(self.layers.len(), std::sync::OnceLock::new);
    }
}
