//! Tiles with an axis other than tracks over time: places in files, sizes,
//! durations, storage targets.
//!
//! A call is a rectangle: some cells of each axis with a share of its time and
//! of its bytes in each. Overlapping calls of a track are not joined here, as
//! they touch different places.

use crate::axis::TimeAxis;
use crate::row::Wanted;
use crate::tile::Tile;
use crate::{Axis, AxisOf, Filter, Store, TileRequest, ns_of};

/// A cell that a call touches, the share of the call's time that is spent in it,
/// and the share of its bytes.
#[derive(Clone, Copy)]
struct Touch {
    cell: usize,
    time_ns: f64,
    bytes: f64,
}

/// One axis, ready to place calls on.
enum Placer {
    Time(TimeAxis),
    /// First cell and cell after the last one of each track; equal: hidden.
    Track(Vec<(usize, usize)>),
    Number {
        of: AxisOf,
        from: f64,
        per_unit: f64,
        cells: usize,
        is_log: bool,
    },
    /// Sorted targets, and how many cells per target from which one on.
    Target {
        targets: Vec<i64>,
        from: f64,
        per_unit: f64,
        cells: usize,
    },
}

impl Placer {
    fn new(store: &Store, axis: Axis, order: Option<&[u32]>) -> Self {
        let (from, cells) = (axis.from, axis.cells);
        let per_unit = cells as f64 / (axis.to - from).max(f64::MIN_POSITIVE);
        match axis.of {
            AxisOf::Time => Self::Time(axis.time()),
            AxisOf::Track => {
                let mut places = vec![(0, 0); store.tracks.len()];
                let all = order.map_or(places.len(), <[u32]>::len);
                for position in 0..all {
                    let track = order.map_or(position, |order| order[position] as usize);
                    if let Some(place) = places.get_mut(track) {
                        *place =
                            span(position as f64, (position + 1) as f64, (from, per_unit), cells);
                    }
                }
                Self::Track(places)
            }
            AxisOf::Target => Self::Target { targets: store.targets(), from, per_unit, cells },
            of if axis.is_log => {
                let (low, high) = (from.max(f64::MIN_POSITIVE).log2(), axis.to.log2());
                let per_unit = cells as f64 / (high - low).max(f64::MIN_POSITIVE);
                Self::Number { of, from: low, per_unit, cells, is_log: true }
            }
            of => Self::Number { of, from, per_unit, cells, is_log: false },
        }
    }

    /// Cells that a call touches.
    fn place(&self, store: &Store, (call, track): (usize, u32), touched: &mut Vec<Touch>) {
        touched.clear();
        let calls = &store.calls;
        let duration_ns = calls.duration_ns.value(call);
        let whole = |cell| Touch { cell, time_ns: duration_ns as f64, bytes: 1.0 };
        match self {
            Self::Time(axis) => {
                let (start, end) = (calls.start_ns[call], calls.end_ns(call));
                let (from, to) = (start.max(axis.from_ns), end.min(axis.to_ns));
                let place = axis.place(from, to);
                let per_cell = axis.cell_ns / duration_ns.max(1) as f64;
                for cell in place.first..=place.last {
                    let inside = place.inside(cell);
                    let bytes = if duration_ns == 0 { 1.0 } else { inside * per_cell };
                    touched.push(Touch { cell, time_ns: inside * axis.cell_ns, bytes });
                }
            }
            Self::Track(places) => {
                let (first, end) = places.get(track as usize).copied().unwrap_or_default();
                touched.extend((first..end).map(whole));
            }
            Self::Number { of: AxisOf::Offset, from, per_unit, cells, is_log } => {
                let offset = calls.offset_bytes[call];
                if offset < 0 {
                    return;
                }
                let size = calls.size_bytes.value(call).max(1) as f64;
                let (start, end) = (offset as f64, offset as f64 + size);
                let on_axis = |byte: f64| if *is_log { byte.max(1.0).log2() } else { byte };
                let (first, last) = span(on_axis(start), on_axis(end), (*from, *per_unit), *cells);
                for cell in first..last {
                    let edge = |cell: usize| {
                        let place = from + cell as f64 / per_unit;
                        if *is_log { place.exp2() } else { place }
                    };
                    let inside = end.min(edge(cell + 1)) - start.max(edge(cell));
                    touched.push(Touch { bytes: (inside / size).clamp(0.0, 1.0), ..whole(cell) });
                }
            }
            Self::Number { of, from, per_unit, cells, is_log } => {
                let number = match of {
                    AxisOf::Size => match calls.size_bytes.get(call) {
                        Some(size) => size as f64,
                        None => return,
                    },
                    _ => duration_ns as f64 / 1e9,
                };
                let place = match *is_log {
                    true if number <= 0.0 => 0.0,
                    true => ((number.log2() - from) * per_unit).max(0.0),
                    false => (number - from) * per_unit,
                };
                if place >= 0.0 && place < *cells as f64 {
                    touched.push(whole(place as usize));
                }
            }
            Self::Target { targets, from, per_unit, cells } => {
                let Ok(offset) = u64::try_from(calls.offset_bytes[call]) else { return };
                let Some(layout) = store.layout(calls.file[call]) else { return };
                let size = calls.size_bytes.value(call);
                layout.split(offset, size, |target, bytes| {
                    let Ok(position) = targets.binary_search(&target) else { return };
                    let position = position as f64;
                    let (first, end) = span(position, position + 1.0, (*from, *per_unit), *cells);
                    let bytes = bytes as f64 / size.max(1) as f64;
                    touched.extend((first..end).map(|cell| Touch { bytes, ..whole(cell) }));
                });
            }
        }
    }
}

/// Cells of a range of an axis: the first, and the one after the last.
fn span(from: f64, to: f64, (axis_from, per_unit): (f64, f64), cells: usize) -> (usize, usize) {
    let (first, end) = ((from - axis_from) * per_unit, (to - axis_from) * per_unit);
    if end <= 0.0 || first >= cells as f64 {
        return (0, 0);
    }
    let first = first.max(0.0) as usize;
    (first, (end.ceil() as usize).clamp(first + 1, cells.max(first + 1)))
}

/// Fills a tile of zeros.
pub(crate) fn fill(store: &Store, request: &TileRequest, tile: &mut Tile) {
    let width = request.x.cells;
    tile.is_exact = store.holding != crate::Holding::Grid;
    let order = request.order.as_deref();
    let xs = Placer::new(store, request.x, order);
    let ys = Placer::new(store, request.y, order);
    let time = [&xs, &ys].into_iter().find_map(|axis| match axis {
        Placer::Time(time) => Some(*time),
        _ => None,
    });
    // What lies outside the axis is outside the question.
    let (from_ns, to_ns) = request.filter.window_ns;
    let window_ns = time.map_or((from_ns, to_ns), |t| (from_ns.max(t.from_ns), to_ns.min(t.to_ns)));
    let filter = Filter { window_ns, ..request.filter.clone() };
    let unit_ns = time.map_or(ns_of(1.0) as f64, |time| time.cell_ns);
    let (mut across, mut down) = (Vec::new(), Vec::new());
    for stream in filter.streams(store) {
        for call in filter.calls(store, *stream) {
            ys.place(store, (call, stream.track), &mut down);
            if down.is_empty() {
                continue;
            }
            xs.place(store, (call, stream.track), &mut across);
            let is_start = store.calls.start_ns[call] >= window_ns.0;
            add(
                tile,
                store,
                request.wanted,
                (call, stream.kind as usize),
                Rectangle {
                    across: &across,
                    down: &down,
                    width,
                    is_start,
                    per_ns: 1.0 / unit_ns,
                    is_x_time: matches!(xs, Placer::Time(_)),
                    is_y_target: matches!(ys, Placer::Target { .. }),
                },
            );
        }
    }
}

struct Rectangle<'a> {
    across: &'a [Touch],
    down: &'a [Touch],
    width: usize,
    is_start: bool,
    per_ns: f64,
    is_x_time: bool,
    is_y_target: bool,
}

#[inline]
fn add(
    tile: &mut Tile,
    store: &Store,
    wanted: Wanted,
    (call, kind): (usize, usize),
    at: Rectangle,
) {
    let bytes = if wanted.bytes { store.calls.size_bytes.value(call) as f64 } else { 0.0 };
    let longest_s = (store.calls.duration_ns.value(call).max(1) as f64 * 1e-9) as f32;
    for (j, y) in at.down.iter().enumerate() {
        for (i, x) in at.across.iter().enumerate() {
            let cell = y.cell * at.width + x.cell;
            if wanted.busy[kind] {
                let time_ns = if at.is_x_time { x.time_ns } else { y.time_ns };
                tile.busy[kind][cell] += (time_ns * at.per_ns) as f32;
            }
            if wanted.bytes {
                tile.bytes[cell] += (bytes * x.bytes * y.bytes) as f32;
            }
            if wanted.calls && at.is_start && i == 0 && (j == 0 || at.is_y_target) {
                tile.calls[cell] += store.calls.weight(call).0 as f32;
            }
            if wanted.longest {
                tile.longest_s[cell] = tile.longest_s[cell].max(longest_s);
            }
        }
    }
}
