//! Pictures made of cells: ranks over time, places in a file, heat maps.

use super::axes::{Axes, Unit};
use super::picture::{Colour, Shape};
use super::theme::heat;
use super::{Canvas, Job, PlotError};
use arrow::array::AsArray;
use arrow::datatypes::{Float64Type, Int32Type, Int64Type};
use diya_tables::heatmap;
use diya_timeline::{
    Axis, Filter, Kind, Members, Of, Store, Tile, TileRequest, Wanted, area, s_of, tile,
};
use std::collections::BTreeMap;

pub(super) fn axis(of: Of, from: f64, to: f64, cells: usize) -> Axis {
    Axis {
        of,
        from,
        to: if to > from { to } else { from + 1.0 },
        cells: cells.max(1),
        is_log: false,
    }
}

pub(super) fn window_s(store: &Store) -> (f64, f64) {
    let (from_ns, to_ns) = store.window_ns();
    (s_of(from_ns), s_of(to_ns))
}

/// Only this layer.
pub(super) fn of_layer(store: &Store, layer: usize) -> Filter {
    Filter { layers: Some(Members::new(store.layers.len(), [layer])), ..Filter::default() }
}

/// Each cell in the colour of the kind that takes most of it, stronger where
/// more is busy, and never so weak that it is not seen.
fn by_kind(canvas: &Canvas, tile: &Tile, full: f32) -> Vec<Option<Colour>> {
    let cells = tile.busy.iter().map(Vec::len).max().unwrap_or(0);
    let cell = |at: usize| {
        let busy = |kind: Kind| tile.busy[kind as usize].get(at).copied().unwrap_or(0.0);
        let most = Kind::ALL.into_iter().max_by(|a, b| busy(*a).total_cmp(&busy(*b)))?;
        let all: f32 = Kind::ALL.into_iter().map(busy).sum();
        let is_touched = all > 0.0 || tile.longest_s.get(at).is_some_and(|s| *s > 0.0);
        let share = 0.3 + 0.7 * (all / full).clamp(0.0, 1.0);
        is_touched.then(|| canvas.theme.ground.mix(canvas.theme.kind(most), share))
    };
    (0..cells).map(cell).collect()
}

fn draw(canvas: &mut Canvas, room: Axes, width: usize, cells: Vec<Option<Colour>>) {
    let at = [room.left, room.top, room.width, room.height];
    canvas.picture.shapes.push(Shape::Cells { at, width, cells });
    room.frame(canvas);
}

pub(super) const ALL: Wanted =
    Wanted { busy: [true; 4], bytes: false, calls: false, longest: true };

/// Ranks over time, one lane per layer.
pub(super) fn timeline(canvas: &mut Canvas, job: &Job) {
    let store = &job.store;
    let whole = canvas.heading("Timeline");
    canvas.legend(&canvas.theme.kinds());
    let (from_s, to_s) = window_s(store);
    let tracks = store.tracks.len();
    let lanes = whole.lanes(store.layers.len());
    for (layer, room) in lanes.iter().enumerate() {
        let rows = (room.height as usize * 2).clamp(1, 4000);
        let request = TileRequest {
            filter: of_layer(store, layer),
            x: axis(Of::Time, from_s, to_s, room.width as usize * 2),
            y: axis(Of::Track, 0.0, tracks as f64, rows),
            order: None,
            wanted: ALL,
            is_refined: true,
        };
        let cells = by_kind(canvas, &tile(store, &request), 1.0);
        draw(canvas, *room, request.x.cells, cells);
        room.name(canvas, &format!("{}, by rank", store.layers[layer]));
        room.beside(canvas, (0.0, tracks as f64), Unit::Number, true);
    }
    if let Some(last) = lanes.last() {
        last.below(canvas, (from_s, to_s), Unit::Seconds);
    }
}

/// Places in one file: over time, and by rank.
pub(super) fn spatiality(
    canvas: &mut Canvas,
    job: &Job,
    wanted: Option<&str>,
) -> Result<(), PlotError> {
    let store = &job.store;
    let path = |file: u32| {
        store
            .files
            .get(file as usize)
            .and_then(|f| f.path.as_deref())
            .unwrap_or("a file without name")
    };
    let all = area(store, &Filter::default(), usize::MAX);
    let is_selected = |file: &u32| wanted.is_none_or(|part| path(*file).contains(part));
    let has_place = |file: &u32| {
        let calls = &store.calls;
        (0..calls.len()).any(|call| calls.file[call] == *file && calls.offset_bytes[call] >= 0)
    };
    let file = all.files.iter().map(|(file, _)| *file).filter(is_selected).find(has_place);
    let file = file.ok_or_else(|| {
        PlotError::Nothing(match wanted {
            Some(part) => {
                format!("no request with an offset in a file whose path contains {part:?}")
            }
            None => "no request with a known offset".to_owned(),
        })
    })?;
    let calls = (0..store.calls.len()).filter(|call| store.calls.file[*call] == file);
    let extents = calls.filter_map(|call| {
        let from = u64::try_from(store.calls.offset_bytes[call]).ok()?;
        Some((from, from.saturating_add(store.calls.size_bytes.value(call))))
    });
    let (from, to) =
        extents.fold((u64::MAX, 0), |(from, to), (first, end)| (from.min(first), to.max(end)));
    let (from, to) = (from as f64, to as f64);
    let whole = canvas.heading(&format!("Places in {}", path(file)));
    canvas.legend(&canvas.theme.kinds());
    let (from_s, to_s) = window_s(store);
    let tracks = store.tracks.len() as f64;
    let filter = Filter {
        files: Some(Members::new(store.files.len(), [file as usize])),
        ..Filter::default()
    };
    for (room, x, unit, name) in [
        (whole.part(0.0, 0.6), axis(Of::Time, from_s, to_s, 1), Unit::Seconds, "over time"),
        (whole.part(0.66, 1.0), axis(Of::Track, 0.0, tracks, 1), Unit::Number, "by rank"),
    ] {
        let room = Axes { top: room.top + 14.0, height: room.height - 14.0, ..room };
        let x = Axis { cells: room.width as usize * 2, ..x };
        let y = axis(Of::Offset, from, to, room.height as usize);
        let (filter, order) = (filter.clone(), None);
        let request = TileRequest { filter, x, y, order, wanted: ALL, is_refined: true };
        let tile = tile(store, &request);
        // What counts here is where, not how long.
        let cells = by_kind(canvas, &tile, f32::MIN_POSITIVE);
        draw(canvas, room, x.cells, cells);
        room.name(canvas, name);
        room.below(canvas, (x.from, x.to), unit);
        if unit == Unit::Seconds {
            room.beside(canvas, (from, to), Unit::Bytes, true);
        }
    }
    Ok(())
}

/// Bytes by rank and time: from the heat map of the log, else from its calls.
pub(super) fn heatmap(canvas: &mut Canvas, job: &Job) -> Result<(), PlotError> {
    let whole = canvas.heading("Bytes by rank and time");
    let lanes = recorded(job).or_else(|| traced(job)).ok_or_else(|| {
        PlotError::Nothing("the log has no heat map and no single calls".to_owned())
    })?;
    let rooms = whole.lanes(lanes.len());
    for (room, lane) in rooms.iter().zip(&lanes) {
        let most = lane.bytes.iter().copied().fold(0.0, f32::max).max(1.0);
        // In the logarithm: a few large cells would leave all others dark.
        let colour = |bytes: f32| heat((1.0 + bytes).ln() / (1.0 + most).ln());
        let cells = lane.bytes.iter().map(|b| (*b > 0.0).then(|| colour(*b))).collect();
        draw(canvas, *room, lane.width, cells);
        let most = Unit::Bytes.text(f64::from(most));
        room.name(canvas, &format!("{}, by rank; brightest cell {most}", lane.name));
        room.beside(canvas, (0.0, lane.rows as f64), Unit::Number, true);
    }
    if let (Some(room), Some(lane)) = (rooms.last(), lanes.last()) {
        room.below(canvas, (0.0, lane.end_s), Unit::Seconds);
    }
    Ok(())
}

/// Rows of a heat map at most: a pixel shows one.
const HEAT_ROWS: usize = 250;

struct Lane {
    name: String,
    width: usize,
    rows: usize,
    end_s: f64,
    bytes: Vec<f32>,
}

/// Bytes by rank and bin, and the end of the last bin in seconds.
type Cells = (BTreeMap<(i32, i32), f64>, f64);

/// Cells of the table `heatmap`: by layer, then rank and bin.
fn recorded(job: &Job) -> Option<Vec<Lane>> {
    let table = job.heatmap.as_ref().filter(|table| table.rows() > 0)?;
    let columns: Vec<usize> = (0..table.def().columns.len()).collect();
    let mut layers: BTreeMap<String, Cells> = BTreeMap::new();
    for number in 0..table.batches() {
        let batch = table.batch(number, &columns);
        let names = batch.column(heatmap::LAYER).as_string_view();
        let ranks = batch.column(heatmap::RANK).as_primitive::<Int32Type>();
        let bins = batch.column(heatmap::BIN).as_primitive::<Int32Type>();
        let widths = batch.column(heatmap::BIN_WIDTH_S).as_primitive::<Float64Type>();
        let bytes = batch.column(heatmap::BYTES).as_primitive::<Int64Type>();
        for row in 0..batch.num_rows() {
            let (cells, end_s) = layers.entry(names.value(row).to_owned()).or_default();
            let cell = cells.entry((ranks.value(row).max(0), bins.value(row).max(0))).or_default();
            *cell += bytes.value(row) as f64;
            *end_s = end_s.max(f64::from(bins.value(row) + 1) * widths.value(row));
        }
    }
    let lane = |(name, (cells, end_s)): (String, Cells)| {
        let rows = cells.keys().map(|(rank, _)| *rank as usize + 1).max().unwrap_or(1);
        let width = cells.keys().map(|(_, bin)| *bin as usize + 1).max().unwrap_or(1);
        let shown = rows.min(HEAT_ROWS);
        let mut bytes = vec![0.0; shown * width];
        for ((rank, bin), sum) in cells {
            let row = rank as usize * shown / rows;
            bytes[row * width + bin as usize] += sum as f32;
        }
        Lane { name, width, rows, end_s, bytes }
    };
    Some(layers.into_iter().map(lane).collect())
}

fn traced(job: &Job) -> Option<Vec<Lane>> {
    let store = &job.store;
    let (from_s, to_s) = window_s(store);
    let rows = store.tracks.len();
    let lane = |layer: usize| {
        let request = TileRequest {
            filter: of_layer(store, layer),
            x: axis(Of::Time, from_s, to_s, 400),
            y: axis(Of::Track, 0.0, rows as f64, rows.min(HEAT_ROWS)),
            order: None,
            wanted: Wanted { bytes: true, ..Wanted::default() },
            is_refined: true,
        };
        let bytes = tile(store, &request).bytes;
        Lane { name: store.layers[layer].clone(), width: 400, rows, end_s: to_s, bytes }
    };
    (!store.calls.is_empty()).then(|| (0..store.layers.len()).map(lane).collect())
}
