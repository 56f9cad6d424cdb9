//! Sums over all calls of a layer: groups of tracks x time, with time halved
//! again and again, so that a tile of any window costs the same.

use crate::axis::TimeAxis;
use crate::sums::{Cell, add_stream};
use crate::{Kind, Store};
use std::sync::{Mutex, PoisonError};

/// Cells over time at the finest level.
pub const GRID_CELLS: usize = 4096;
/// Groups of tracks at most.
pub const GRID_ROWS: usize = 1024;

/// Pieces of work, by number.
pub type Work<'w> = dyn Fn(usize) + Sync + 'w;

/// Does work for each number below the first argument, on as many threads as it likes.
pub type Run<'r> = dyn Fn(usize, &Work<'_>) + 'r;

/// Sums of one level, row by row.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct Level {
    /// Cells over time.
    pub cells: usize,
    /// Nanoseconds in calls, summed over the tracks of a row.
    pub busy_ns: Vec<f32>,
    /// Bytes moved.
    pub bytes: Vec<f32>,
    /// Calls that begin.
    pub calls: Vec<f32>,
    /// Longest call that touches the cell.
    pub longest_ns: Vec<f32>,
}

impl Level {
    pub(crate) fn new(cells: usize, rows: usize) -> Self {
        // The system gives zeroed pages; a copy would write the zeros.
        let plane = || vec![0.0; cells * rows];
        Self { cells, busy_ns: plane(), bytes: plane(), calls: plane(), longest_ns: plane() }
    }

    /// Half as many cells.
    fn halved(&self) -> Self {
        let add = |plane: &[f32]| plane.chunks_exact(2).map(|pair| pair[0] + pair[1]).collect();
        let most = |plane: &[f32]| plane.chunks_exact(2).map(|pair| pair[0].max(pair[1])).collect();
        Self {
            cells: self.cells / 2,
            busy_ns: add(&self.busy_ns),
            bytes: add(&self.bytes),
            calls: add(&self.calls),
            longest_ns: most(&self.longest_ns),
        }
    }
}

/// Sums over all calls of one layer.
#[derive(Debug, Clone, PartialEq)]
pub struct Grid {
    /// Start of the first cell.
    pub from_ns: i64,
    /// End of the last cell.
    pub to_ns: i64,
    /// Row `r` holds tracks `row_tracks[r]..row_tracks[r + 1]`.
    pub row_tracks: Vec<u32>,
    /// By kind: levels from the finest; empty: the layer has no such calls.
    pub levels: [Vec<Level>; 4],
}

impl Grid {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.row_tracks.len().saturating_sub(1)
    }

    /// Each row is one track.
    pub fn is_by_track(&self) -> bool {
        self.row_tracks.windows(2).all(|pair| pair[1] - pair[0] == 1)
    }

    /// Adds the coarser levels to the finest ones.
    pub(crate) fn complete(&mut self) {
        self.levels.iter_mut().for_each(complete);
    }

    /// Builds the grid of a layer, with at most so many cells and rows.
    ///
    /// Rows are built side by side.
    pub fn build(
        store: &Store,
        layer: u8,
        (cells, most_rows): (usize, usize),
        run: &Run<'_>,
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
        // Each stretch of rows of each kind is written by one thread at a time.
        let stretches: Vec<Mutex<Rows<'_>>> = finest
            .iter_mut()
            .zip(&kinds)
            .flat_map(|(level, kind)| level.stretches(*kind))
            .map(Mutex::new)
            .collect();
        let of = Source { store, layer, axis, row_tracks: &row_tracks };
        run(stretches.len(), &|at| {
            stretches[at].lock().unwrap_or_else(PoisonError::into_inner).fill(&of);
        });
        drop(stretches);
        let levels: Vec<Mutex<Vec<Level>>> =
            finest.into_iter().map(|level| Mutex::new(vec![level])).collect();
        run(levels.len(), &|at| {
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

/// Does everything itself, one after the other.
pub(crate) fn alone(pieces: usize, work: &Work<'_>) {
    (0..pieces).for_each(work);
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
        let is_wanted = |s: &&crate::Stream| s.layer == of.layer && s.kind == kind;
        for row in 0..self.busy_ns.len() / self.cells {
            let number = self.first + row;
            let mut is_used = false;
            for track in of.row_tracks[number]..of.row_tracks[number + 1] {
                let streams = of.store.calls.streams_of(track);
                if let Some(stream) = streams.iter().find(is_wanted) {
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
    fn stretches(&mut self, kind: Kind) -> Vec<Rows<'_>> {
        let (cells, size) = (self.cells, self.cells * ROWS_AT_ONCE);
        let planes = self.busy_ns.chunks_mut(size).zip(self.bytes.chunks_mut(size));
        let others = self.calls.chunks_mut(size).zip(self.longest_ns.chunks_mut(size));
        let stretch = |(at, ((busy_ns, bytes), (calls, longest_ns)))| Rows {
            kind,
            first: at * ROWS_AT_ONCE,
            cells,
            busy_ns,
            bytes,
            calls,
            longest_ns,
        };
        planes.zip(others).enumerate().map(stretch).collect()
    }
}

/// Adds the coarser levels to the finest one.
pub(crate) fn complete(levels: &mut Vec<Level>) {
    while levels.last().is_some_and(|level| level.cells % 2 == 0 && level.cells > 64) {
        let Some(next) = levels.last().map(Level::halved) else { break };
        levels.push(next);
    }
}

impl Store {
    /// The grid of a layer; made by the first who asks.
    pub fn grid(&self, layer: u8) -> Option<&Grid> {
        let slot = self.grids.get(usize::from(layer))?;
        Some(slot.get_or_init(|| Grid::build(self, layer, self.grid_size(), &alone)))
    }

    /// Makes the grids that tiles of this store are drawn from, before anybody
    /// asks; `run` as in [`Grid::build`]. Few calls need none.
    pub fn build_grids(&self, run: &Run<'_>) {
        if self.calls.len() <= crate::tile::CALLS_AT_ONCE {
            return;
        }
        for (layer, slot) in (0..).zip(&self.grids) {
            slot.get_or_init(|| Grid::build(self, layer, self.grid_size(), run));
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
