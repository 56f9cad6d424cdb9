//! Fills a tile from the calls or from a grid.

use crate::AxisOf;
use crate::row::Row;
use crate::tile::{Tile, TileRequest, positions};
use crate::{Store, draw, scatter};

/// The tile.
pub fn tile(store: &Store, request: &TileRequest) -> Tile {
    tile_in(store, request, Tile::default())
}

/// The tile, in the memory of one that is no longer needed.
pub fn tile_in(store: &Store, request: &TileRequest, spare: Tile) -> Tile {
    let mut tile = spare.sized(request.wanted, request.x.cells * request.y.cells);
    let is_rank_time = request.x.of == AxisOf::Time && request.y.of == AxisOf::Track;
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
