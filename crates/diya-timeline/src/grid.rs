//! Sums over all calls of a layer: groups of tracks x time, with time halved
//! again and again, so that a tile of any window costs the same.

use crate::row::{Row, TimeAxis, Wanted};
use crate::{Filter, Kind, Store};

/// Cells over time at the finest level.
pub const GRID_CELLS: usize = 4096;
/// Groups of tracks at most.
pub const GRID_ROWS: usize = 1024;

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
        let plane = vec![0.0; cells * rows];
        Self {
            cells,
            busy_ns: plane.clone(),
            bytes: plane.clone(),
            calls: plane.clone(),
            longest_ns: plane,
        }
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
        for levels in &mut self.levels {
            while levels.last().is_some_and(|level| level.cells % 2 == 0 && level.cells > 64) {
                let Some(next) = levels.last().map(Level::halved) else { break };
                levels.push(next);
            }
        }
    }

    /// Builds the grid of a layer, with at most so many cells and rows.
    pub fn build(store: &Store, layer: u8, cells: usize, most_rows: usize) -> Self {
        let window_ns = store.window_ns();
        let axis = TimeAxis::new(window_ns, cells);
        let tracks = store.tracks.len();
        let rows = tracks.min(most_rows).max(1);
        let row_tracks: Vec<u32> = (0..=rows).map(|row| (row * tracks / rows) as u32).collect();
        let wanted = Wanted { busy: [true; 4], bytes: true, calls: true, longest: true };
        let mut sums = Row::new(wanted, cells);
        let mut grid = Self {
            from_ns: axis.from_ns,
            to_ns: axis.to_ns,
            row_tracks,
            levels: Default::default(),
        };
        let filter = Filter::default();
        for kind in Kind::ALL {
            let is_wanted = |s: &&crate::Stream| s.layer == layer && s.kind == kind;
            if !store.calls.streams.iter().any(|s| is_wanted(&s)) {
                continue;
            }
            let mut level = Level::new(cells, rows);
            for row in 0..rows {
                sums.clear();
                for track in grid.row_tracks[row]..grid.row_tracks[row + 1] {
                    let streams = store.calls.streams_of(track);
                    if let Some(stream) = streams.iter().find(is_wanted) {
                        sums.add_track(
                            store,
                            &filter,
                            axis,
                            (std::slice::from_ref(stream), wanted),
                        );
                    }
                }
                if sums.is_used {
                    level.set_row(row, &sums, kind);
                }
            }
            grid.levels[kind as usize].push(level);
        }
        grid.complete();
        grid
    }
}

impl Level {
    fn set_row(&mut self, row: usize, sums: &Row, kind: Kind) {
        let cells = row * self.cells..(row + 1) * self.cells;
        let copy = |plane: &mut [f32], sums: &[f64]| {
            plane.iter_mut().zip(sums).for_each(|(cell, sum)| *cell = *sum as f32);
        };
        copy(&mut self.busy_ns[cells.clone()], &sums.busy_ns[kind as usize]);
        copy(&mut self.bytes[cells.clone()], &sums.bytes);
        copy(&mut self.calls[cells.clone()], &sums.calls);
        self.longest_ns[cells].copy_from_slice(&sums.longest_ns);
    }
}

impl Store {
    /// The grid of a layer; made by the first who asks.
    pub fn grid(&self, layer: u8) -> Option<&Grid> {
        let slot = self.grids.get(usize::from(layer))?;
        let rows = GRID_ROWS / self.layers.len().max(1).next_power_of_two();
        Some(slot.get_or_init(|| Grid::build(self, layer, GRID_CELLS, rows.max(128))))
    }

    /// Makes room for one grid per layer; to be called when the layers are known.
    pub fn prepare(&mut self) {
        self.grids.resize_with(self.layers.len(), std::sync::OnceLock::new);
    }
}
