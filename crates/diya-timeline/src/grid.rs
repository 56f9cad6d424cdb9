//! Sums over all calls of a layer: groups of tracks x time, with time halved
//! again and again, so that a tile of any window costs the same.

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
}

/// Adds the coarser levels to the finest one.
pub(crate) fn complete(levels: &mut Vec<Level>) {
    while levels.last().is_some_and(|level| level.cells % 2 == 0 && level.cells > 64) {
        let Some(next) = levels.last().map(Level::halved) else { break };
        levels.push(next);
    }
}
