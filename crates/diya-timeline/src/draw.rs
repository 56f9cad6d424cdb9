//! Tiles from the grid.

use crate::grid::{Grid, Level};
use crate::tile::{CALLS_AT_ONCE, Tile, positions};
use crate::{Filter, Holding, Kind, Store, TileRequest};

/// Fills a tile of zeros from sums, when the calls are too many, or not here; false:
/// it has to be made of calls, and is as it was.
pub(crate) fn fill_from_grid(store: &Store, request: &TileRequest, tile: &mut Tile) -> bool {
    let filter = &request.filter;
    if filter.asks_calls() || filter.log.is_some() && store.logs.len() > 1 {
        return false;
    }
    if store.holding != Holding::Grid && (request.is_refined || !is_large(store, request)) {
        return false;
    }
    let layers: Vec<&Grid> = (0..store.layers.len())
        .filter(|layer| filter.layers.as_ref().is_none_or(|wanted| wanted.has(*layer)))
        .filter_map(|layer| store.grid(layer as u8))
        .collect();
    let is_ordered = request.order.is_some() || filter.tracks.is_some();
    if is_ordered && !layers.iter().all(|grid| grid.is_by_track()) {
        return false;
    }
    tile.is_exact = false;
    for grid in layers {
        add(tile, grid, request, store.tracks.len());
    }
    // Layers of one rank that overlap: what is above 1 was counted twice.
    tile.busy.iter_mut().flatten().for_each(|share| *share = share.min(1.0));
    true
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
    let in_window = |filter: &Filter| -> usize {
        filter.streams(store).map(|stream| store.calls.at_most(*stream, window)).sum()
    };
    in_window(&request.filter) as f64 * share > CALLS_AT_ONCE as f64
}

/// Where a cell of the tile lies in a level: first and last bin, and how much
/// of each is in the cell.
struct Span {
    first: usize,
    last: usize,
    head: f32,
    tail: f32,
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
        Some(Span { first, last, head: head as f32, tail: tail as f32 })
    };
    (0..axis.cells).map(span).collect()
}

fn add(tile: &mut Tile, grid: &Grid, request: &TileRequest, tracks: usize) {
    let cell_ns = request.x.time().cell_ns;
    let all = request.order.as_ref().map_or(tracks, Vec::len);
    for kind in Kind::ALL.into_iter().filter(|kind| request.filter.has_kind(*kind)) {
        let levels = &grid.levels[kind as usize];
        // The coarsest whose bins are no longer than a cell of the tile.
        let fits =
            |level: &&Level| (grid.to_ns - grid.from_ns) as f64 / level.cells as f64 <= cell_ns;
        let Some(level) = levels.iter().rev().find(fits).or(levels.first()) else { continue };
        let spans = spans(grid, level, request);
        for y in 0..request.y.cells {
            let positions = positions(request.y, y, all);
            let shown = positions.len();
            for (row, share) in rows_of(grid, request, positions) {
                let share_busy = share / (cell_ns * shown.max(1) as f64);
                add_row(tile, (y, kind), (level, row, &spans), (share_busy as f32, share as f32));
            }
        }
    }
}

/// Rows of the grid that hold these positions, and which share of each.
fn rows_of(
    grid: &Grid,
    request: &TileRequest,
    positions: std::ops::Range<usize>,
) -> Vec<(usize, f64)> {
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

fn add_row(
    tile: &mut Tile,
    (y, kind): (usize, Kind),
    (level, row, spans): (&Level, usize, &[Option<Span>]),
    (share_busy, share): (f32, f32),
) {
    let width = spans.len();
    let bins = row * level.cells..(row + 1) * level.cells;
    let cells = y * width..(y + 1) * width;
    let sums = [
        (&mut tile.busy[kind as usize], &level.busy_ns, share_busy),
        (&mut tile.bytes, &level.bytes, share),
        (&mut tile.calls, &level.calls, share),
    ];
    for (plane, source, factor) in sums.into_iter().filter(|(plane, ..)| !plane.is_empty()) {
        let source = &source[bins.clone()];
        for (cell, span) in plane[cells.clone()].iter_mut().zip(spans) {
            let Some(span) = span else { continue };
            let mut sum = source[span.first] * span.head;
            if span.last > span.first {
                sum += source[span.first + 1..span.last].iter().sum::<f32>();
                sum += source[span.last] * span.tail;
            }
            *cell += sum * factor;
        }
    }
    if !tile.longest_s.is_empty() {
        let source = &level.longest_ns[bins];
        for (cell, span) in tile.longest_s[cells].iter_mut().zip(spans) {
            let Some(span) = span else { continue };
            let longest = source[span.first..=span.last].iter().fold(0.0, |a: f32, b| a.max(*b));
            *cell = cell.max(longest * 1e-9);
        }
    }
}
