//! Tiles from the grid.

use crate::grid::{Grid, Level};
use crate::grid_build::CALLS_AT_ONCE;
use crate::row::Row;
use crate::tile::{Tile, positions};
use crate::{Filter, Holding, Kind, Store, TileRequest};
use std::ops::Range;

/// Sums to draw a tile from, one grid per layer, when the calls are too many, or not
/// here; `None`: it has to be made of calls.
pub(crate) fn grids_of<'s>(store: &'s Store, request: &TileRequest) -> Option<Vec<&'s Grid>> {
    let filter = &request.filter;
    if filter.asks_calls() || filter.log.is_some() && store.logs.len() > 1 {
        return None;
    }
    if store.holding != Holding::Grid && (request.is_refined || !is_large(store, request)) {
        return None;
    }
    let layers: Vec<&Grid> = (0..store.layers.len())
        .filter(|layer| filter.layers.as_ref().is_none_or(|wanted| wanted.has(*layer)))
        .filter_map(|layer| store.grid(layer as u8))
        .collect();
    let is_ordered = request.order.is_some() || filter.tracks.is_some();
    (!is_ordered || layers.iter().all(|grid| grid.is_by_track())).then_some(layers)
}

/// Fills a tile from sums.
pub(crate) fn fill(store: &Store, request: &TileRequest, grids: &[&Grid], tile: &mut Tile) {
    tile.is_exact = false;
    let axis = request.x.time();
    let sources: Vec<Source<'_>> =
        grids.iter().filter_map(|grid| Source::new(grid, request)).collect();
    let all = request.order.as_ref().map_or(store.tracks.len(), Vec::len);
    let mut row = Row::new(request.wanted, axis);
    let (mut spare, mut before) = (Spare::default(), None);
    for y in 0..request.y.cells {
        let positions = positions(request.y, y, all);
        if before.as_ref() == Some(&positions) {
            tile.repeat_row(y, axis.cells);
            continue;
        }
        for source in &sources {
            let rows = rows_of(source.grid, request, positions.clone());
            source.add(&mut row, &rows, &mut spare);
        }
        tile.move_row(y, &mut row, positions.len(), axis);
        before = Some(positions);
    }
    // Layers of one rank that overlap: what is above 1 was counted twice.
    if sources.len() > 1 {
        tile.busy.iter_mut().flatten().for_each(|share| *share = share.min(1.0));
    }
}

/// A grid at the level that suits a tile.
struct Source<'g> {
    grid: &'g Grid,
    kinds: Vec<(Kind, &'g Level)>,
    /// Cells of the tile that lie in the grid.
    cells: Range<usize>,
    /// By cell of these, counted from the first of `bins`.
    spans: Vec<Span>,
    /// Bins that lie in the tile.
    bins: Range<usize>,
}

/// Sums over rows of a grid, bin by bin; kept from row to row.
#[derive(Default)]
struct Spare(Vec<f32>);

impl Spare {
    fn clear(&mut self, bins: &Range<usize>) {
        self.0.clear();
        // Zeros behind the last bin: every cell can look at a few.
        self.0.resize(bins.len() + Span::FEW, 0.0);
    }
}

impl<'g> Source<'g> {
    /// `None`: nothing of it is in the tile.
    fn new(grid: &'g Grid, request: &TileRequest) -> Option<Self> {
        let cell_ns = request.x.time().cell_ns;
        // The coarsest whose bins are no longer than a cell of the tile.
        let fits =
            |level: &&Level| (grid.to_ns - grid.from_ns) as f64 / level.cells as f64 <= cell_ns;
        let suits = |levels: &'g Vec<Level>| levels.iter().rev().find(fits).or(levels.first());
        let counting = Kind::ALL.into_iter().filter(|kind| request.filter.has_kind(*kind));
        let levels = counting.filter_map(|kind| Some((kind, suits(&grid.levels[kind as usize])?)));
        let kinds: Vec<(Kind, &Level)> = levels.collect();
        // Levels of all kinds have the same cells.
        let all = spans(grid, kinds.first()?.1, request);
        let before = all.iter().position(Option::is_some)?;
        let mut spans: Vec<Span> = all.into_iter().flatten().collect();
        let (first, last) = (spans.first()?.first, spans.last()?.last);
        for span in &mut spans {
            span.first -= first;
            span.last -= first;
        }
        let (cells, bins) = (before..before + spans.len(), first as usize..last as usize + 1);
        Some(Self { grid, kinds, cells, spans, bins })
    }

    /// Adds some rows of the grid, each by its share, to a row of a tile.
    fn add(&self, row: &mut Row, rows: &[(usize, f64)], spare: &mut Spare) {
        for (kind, level) in &self.kinds {
            let sums = [
                (&mut row.busy_ns[*kind as usize], &level.busy_ns),
                (&mut row.bytes, &level.bytes),
                (&mut row.calls, &level.calls),
            ];
            for (cells, bins) in sums.into_iter().filter(|(cells, _)| !cells.is_empty()) {
                spare.clear(&self.bins);
                self.gather(rows, level, bins, spare, |sum, bin, share| sum + bin * share);
                for (cell, span) in cells[self.cells.clone()].iter_mut().zip(&self.spans) {
                    *cell += f64::from(span.sum(&spare.0));
                }
            }
        }
        if row.longest_ns.is_empty() {
            return;
        }
        spare.clear(&self.bins);
        for (_, level) in &self.kinds {
            self.gather(rows, level, &level.longest_ns, spare, |most, bin, _| larger(most, bin));
        }
        let cells = &mut row.longest_ns[self.cells.clone()];
        for (cell, span) in cells.iter_mut().zip(&self.spans) {
            *cell = larger(*cell, span.longest(&spare.0));
        }
    }

    /// Adds rows of a plane to what was gathered, each by its share.
    #[inline(always)]
    fn gather(
        &self,
        rows: &[(usize, f64)],
        level: &Level,
        plane: &[f32],
        Spare(sums): &mut Spare,
        together: impl Fn(f32, f32, f32) -> f32,
    ) {
        for (row, share) in rows {
            let (first, share) = (row * level.cells, *share as f32);
            let bins = &plane[first + self.bins.start..first + self.bins.end];
            sums.iter_mut().zip(bins).for_each(|(sum, bin)| *sum = together(*sum, *bin, share));
        }
    }
}

/// Not `max`, which also has to mind what is no number.
#[inline(always)]
fn larger(a: f32, b: f32) -> f32 {
    if a < b { b } else { a }
}

impl Span {
    /// Bins that a cell of a tile touches at most, but at the coarsest level.
    const FEW: usize = 3;

    /// The bins from the first on, where there are few; at least one.
    #[inline(always)]
    fn few<'b>(&self, bins: &'b [f32]) -> Option<&'b [f32; Self::FEW]> {
        let is_few = self.last < self.first + Self::FEW as u32;
        bins.get(self.first as usize..).and_then(|bins| bins.first_chunk()).filter(|_| is_few)
    }

    /// Sum of the bins in the cell, by how much of each is in it.
    #[inline(always)]
    fn sum(&self, bins: &[f32]) -> f32 {
        if let Some([a, b, c]) = self.few(bins) {
            return a * self.head + b * self.second + c * self.third;
        }
        let (first, last) = (self.first as usize, self.last as usize);
        let whole = bins[first + 1..last].iter().sum::<f32>();
        bins[first] * self.head + whole + bins[last] * self.third
    }

    /// The most of the bins that touch the cell.
    #[inline(always)]
    fn longest(&self, bins: &[f32]) -> f32 {
        if let Some([a, b, c]) = self.few(bins) {
            let touched =
                |bin: &f32, place| if self.first + place <= self.last { *bin } else { 0.0 };
            return larger(*a, larger(touched(b, 1), touched(c, 2)));
        }
        let touched = &bins[self.first as usize..=self.last as usize];
        touched.iter().fold(0.0, |a, b| larger(a, *b))
    }
}

/// Whether reading the calls would take long.
fn is_large(store: &Store, request: &TileRequest) -> bool {
    let axis = request.x.time();
    let window = (axis.from_ns, axis.to_ns);
    if store.calls.len() <= CALLS_AT_ONCE {
        return false;
    }
    let all = request.order.as_ref().map_or(store.tracks.len(), Vec::len);
    let shown = (request.y.to.min(all as f64) - request.y.from.max(0.0)).max(0.0);
    let share = shown / (all.max(1) as f64);
    let in_window = counted(store, &request.filter, window).unwrap_or_else(|| {
        let streams = request.filter.streams(store);
        streams.map(|stream| store.calls.at_most(*stream, window) as f64).sum()
    });
    in_window * share > CALLS_AT_ONCE as f64
}

/// Bins of a window in which calls are counted: enough to tell many calls from few.
const COUNTED_BINS: f64 = 16.0;

/// About so many calls begin in a window, from the grids: to search thousands of
/// streams for it takes longer than to draw the tile. `None`: no grid contains it.
fn counted(store: &Store, filter: &Filter, (from_ns, to_ns): (i64, i64)) -> Option<f64> {
    if filter.tracks.is_some() || filter.log.is_some() {
        return None;
    }
    let mut calls = 0.0;
    for (layer, slot) in store.grids.iter().enumerate() {
        if !filter.layers.as_ref().is_none_or(|wanted| wanted.has(layer)) {
            continue;
        }
        let grid = slot.get()?;
        let bin_of = |ns: i64, level: &Level| {
            let share =
                (ns as f64 - grid.from_ns as f64) / (grid.to_ns as f64 - grid.from_ns as f64);
            share.clamp(0.0, 1.0) * level.cells as f64
        };
        for kind in Kind::ALL.into_iter().filter(|kind| filter.has_kind(*kind)) {
            let levels = &grid.levels[kind as usize];
            let is_fine =
                |level: &&Level| bin_of(to_ns, level) - bin_of(from_ns, level) >= COUNTED_BINS;
            let Some(level) = levels.iter().rev().find(is_fine).or(levels.first()) else {
                continue;
            };
            let (from, to) = (bin_of(from_ns, level), bin_of(to_ns, level));
            let bins = from as usize..(to.ceil() as usize).min(level.cells);
            let rows = level.calls.chunks_exact(level.cells);
            let begun: f64 =
                rows.map(|row| row[bins.clone()].iter().map(|n| f64::from(*n)).sum::<f64>()).sum();
            // A window inside a bin has its share of it.
            calls += begun * ((to - from) / bins.len().max(1) as f64);
        }
    }
    Some(calls)
}

/// Where a cell of the tile lies in a level: first and last bin, and how much
/// of each is in the cell.
struct Span {
    // Small: those of all cells stay in a first-level cache.
    first: u32,
    last: u32,
    head: f32,
    /// How much of the second bin, where there are three at most.
    second: f32,
    /// How much of the third bin; where there are more, of the last one.
    third: f32,
}

fn spans(grid: &Grid, level: &Level, request: &TileRequest) -> Vec<Option<Span>> {
    let axis = request.x.time();
    let bin_ns = (grid.to_ns - grid.from_ns) as f64 / level.cells as f64;
    let place = |cell: usize| {
        let ns = axis.from_ns as f64 + axis.cell_ns * cell as f64;
        (ns - grid.from_ns as f64) / bin_ns
    };
    let span = |cell: usize| {
        let (from, to) = (place(cell).max(0.0), place(cell + 1).min(level.cells as f64));
        if to <= from {
            return None;
        }
        let first = (from as usize).min(level.cells - 1);
        let last = ((to.ceil() as usize).max(1) - 1).clamp(first, level.cells - 1);
        let head =
            (first + 1) as f64 - from - if first == last { (first + 1) as f64 - to } else { 0.0 };
        let tail = if first == last { 0.0 } else { to - last as f64 };
        let (second, third) = match last - first {
            0 => (0.0, 0.0),
            1 => (tail, 0.0),
            _ => (1.0, tail),
        };
        let [head, second, third] = [head, second, third].map(|part| part as f32);
        Some(Span { first: first as u32, last: last as u32, head, second, third })
    };
    (0..axis.cells).map(span).collect()
}

/// Rows of the grid that hold these positions, and which share of each.
fn rows_of(grid: &Grid, request: &TileRequest, positions: Range<usize>) -> Vec<(usize, f64)> {
    let row_of =
        |track: u32| grid.row_tracks.partition_point(|first| *first <= track).saturating_sub(1);
    let tracks = &request.filter.tracks;
    if let Some(order) = &request.order {
        let shown = positions.filter_map(|position| order.get(position).copied());
        let counts = shown.filter(|t| tracks.as_ref().is_none_or(|m| m.has(*t as usize)));
        return counts.map(row_of).filter(|row| *row < grid.rows()).map(|row| (row, 1.0)).collect();
    }
    if let Some(tracks) = tracks {
        let counts = positions.filter(|track| tracks.has(*track));
        let rows = counts.map(|track| (row_of(track as u32), 1.0));
        return rows.filter(|(row, _)| *row < grid.rows()).collect();
    }
    if positions.is_empty() {
        return Vec::new();
    }
    let (first, end) = (positions.start as u32, positions.end as u32);
    (row_of(first)..=row_of(end - 1).min(grid.rows() - 1))
        .map(|row| {
            let (from, to) = (grid.row_tracks[row], grid.row_tracks[row + 1]);
            let inside = to.min(end).saturating_sub(from.max(first));
            (row, f64::from(inside) / f64::from((to - from).max(1)))
        })
        .collect()
}
