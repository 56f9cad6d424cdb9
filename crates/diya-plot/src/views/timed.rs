//! Views over time: ranks, ranks in calls, bytes, phases, sizes.

use super::{
    Job, axis, by_kind, directions, ends, heated, kinds, layer_name, nothing, of_kinds, of_layer,
    parts, ranks_of, time, window_s,
};
use crate::PlotError;
use crate::figure::{Block, Figure, Marks, Panel, Ramp};
use crate::scale::{Scale, Ticks, Unit};
use crate::scene::{Cells, Colour};
use crate::theme::Theme;
use diya_timeline::{AxisOf, Filter, Kind, TileRequest, Wanted, activity, ns_of, tile};
use std::collections::BTreeMap;

/// Ranks over time, one panel per layer.
pub(super) fn timeline<'a>(job: &'a Job, theme: &'static Theme) -> Figure<'a> {
    let store = &job.store;
    let (x, y) = (time(store), ranks_of(store));
    let panel = |layer: usize| {
        let painter = by_kind(
            store,
            theme,
            of_layer(store, layer),
            (AxisOf::Time, &x),
            (AxisOf::Track, &y),
            None,
        );
        let name = layer_name(&store.layers[layer]);
        Panel::new(&name, x.clone(), y.clone(), vec![Marks::Map(painter)]).downward()
    };
    Figure {
        title: "Calls of each rank over time".to_owned(),
        panels: (0..store.layers.len()).map(panel).collect(),
        legend: parts(theme),
        ramp: None,
    }
}

/// Moments that curves are cut into.
const MOMENTS: usize = 400;

/// A curve on top of those before it.
fn curve(
    values: &[f32],
    (from, step): (f64, f64),
    tops: &mut [f64],
    colour: Colour,
) -> Marks<'static> {
    let moments = values.iter().zip(tops).enumerate().filter(|(_, (value, _))| **value > 0.0);
    let moment = |(at, (value, top)): (usize, (&f32, &mut f64))| {
        let low = *top;
        *top += f64::from(*value);
        [from + at as f64 * step, low, *top]
    };
    Marks::Steps(colour, step, moments.map(moment).collect())
}

/// How many ranks are in which kind of call at each moment.
pub(super) fn activity_of<'a>(job: &'a Job, theme: &'static Theme) -> Figure<'a> {
    let store = &job.store;
    let (from_s, to_s) = window_s(store);
    let filter = Filter { window_ns: (ns_of(from_s), ns_of(to_s)), ..Filter::default() };
    let curves = activity(store, &filter, MOMENTS);
    let x = time(store);
    let panel = |layer: usize| {
        let mut tops = vec![0.0; MOMENTS];
        let mut marks = Vec::new();
        for kind in Kind::ALL {
            let first = (layer * 4 + kind as usize) * MOMENTS;
            let values = curves.busy_tracks.get(first..first + MOMENTS).unwrap_or_default();
            let step = (to_s - from_s) / MOMENTS as f64;
            marks.push(curve(values, (from_s, step), &mut tops, theme.kind(kind)));
        }
        let most = tops.iter().copied().fold(0.0, f64::max);
        let y = Scale::new("ranks in calls", (0.0, most * 1.05), Ticks::Linear(Unit::Mean));
        Panel::new(&layer_name(&store.layers[layer]), x.clone(), y, marks)
    };
    Figure {
        title: "Ranks in calls at each moment".to_owned(),
        panels: (0..store.layers.len()).map(panel).collect(),
        legend: kinds(theme),
        ramp: None,
    }
}

/// Bandwidth over time by layer, and when its phases were.
pub(super) fn phases<'a>(job: &'a Job, theme: &'static Theme) -> Figure<'a> {
    let store = &job.store;
    let (from_s, to_s) = window_s(store);
    let filter = Filter { window_ns: (ns_of(from_s), ns_of(to_s)), ..Filter::default() };
    let curves = activity(store, &filter, MOMENTS);
    let step = (to_s - from_s) / MOMENTS as f64;
    let shade = theme.ground.mix(theme.line, 0.6);
    let panel = |layer: usize| {
        let mut tops = vec![0.0; MOMENTS];
        let mut curves_of = Vec::new();
        for kind in [Kind::Read, Kind::Write] {
            let first = (layer * 4 + kind as usize) * MOMENTS;
            let values = curves.bytes_per_s.get(first..first + MOMENTS).unwrap_or_default();
            curves_of.push(curve(values, (from_s, step), &mut tops, theme.kind(kind)));
        }
        let most = tops.iter().copied().fold(0.0, f64::max);
        let spans = spans(job, &store.layers[layer]);
        let top = most * 1.05;
        let spans = spans.into_iter().map(|span| Block::new(span, [0.0, top], shade)).collect();
        let y = Scale::new("bandwidth", (0.0, top), Ticks::Linear(Unit::BytesPerSecond));
        let marks: Vec<Marks<'_>> = [Marks::Boxes(spans)].into_iter().chain(curves_of).collect();
        (most > 0.0).then(|| Panel::new(&layer_name(&store.layers[layer]), time(store), y, marks))
    };
    let mut legend = directions(theme);
    legend.push(("phase".to_owned(), shade));
    Figure {
        title: "Bandwidth over time, and I/O phases".to_owned(),
        panels: (0..store.layers.len()).filter_map(panel).collect(),
        legend,
        ramp: None,
    }
}

diya_tables::columns! {
    struct Phases by name { layer: str, start_s: f64, end_s: f64 }
}

/// Start and end of the phases of a layer.
fn spans(job: &Job, layer: &str) -> Vec<[f64; 2]> {
    let mut spans = Vec::new();
    for of in job.table("phase").into_iter().flat_map(Phases::batches) {
        let rows = (0..of.rows()).filter(|row| of.layer.value(*row) == layer);
        spans.extend(rows.map(|row| [of.start_s.value(row), of.end_s.value(row)]));
    }
    spans
}

/// Sizes of requests over time, one panel per layer that moved bytes.
pub(super) fn requests<'a>(job: &'a Job, theme: &'static Theme) -> Result<Figure<'a>, PlotError> {
    let store = &job.store;
    let moved = of_kinds(Filter::default(), &[Kind::Read, Kind::Write]);
    let calls = moved.streams(store).flat_map(|stream| moved.calls(store, *stream));
    let largest = calls.map(|call| store.calls.size_bytes.value(call)).max().unwrap_or(0);
    if largest == 0 {
        return Err(nothing("no request of this log moves a byte"));
    }
    let top = (largest.max(1024) as f64 * 1.5).log2().ceil().exp2();
    let (x, y) =
        (time(store), Scale::new("size of the request", (1.0, top), Ticks::Log(Unit::Bytes)));
    let panel = |layer: usize| {
        let filter = of_kinds(of_layer(store, layer), &[Kind::Read, Kind::Write]);
        filter.streams(store).next()?;
        let painter =
            coarse(by_kind(store, theme, filter, (AxisOf::Time, &x), (AxisOf::Size, &y), None));
        let name = layer_name(&store.layers[layer]);
        Some(Panel::new(&name, x.clone(), y.clone(), vec![Marks::Map(painter)]))
    };
    Ok(Figure {
        title: "Sizes of requests over time".to_owned(),
        panels: (0..store.layers.len()).filter_map(panel).collect(),
        legend: kinds(theme),
        ramp: None,
    })
}

/// Cells of six pixels: single requests are to be seen.
pub(super) fn coarse(painter: crate::figure::Painter<'_>) -> crate::figure::Painter<'_> {
    Box::new(move |width, height| painter(width / 6, height / 6))
}

/// One layer of a heat map.
struct Lane {
    name: String,
    cells: usize,
    ranks: Scale,
    end_s: f64,
    bytes: Vec<f32>,
}

/// Rows of a heat map at most: more are not seen.
const HEAT_ROWS: usize = 250;
const HEAT_CELLS: usize = 400;

/// Bytes by rank and time: from the heat map of the log, else from its calls.
pub(super) fn heatmap<'a>(job: &'a Job, theme: &'static Theme) -> Result<Figure<'a>, PlotError> {
    let lanes = recorded(job).unwrap_or_else(|| traced(job));
    let scale = ends(lanes.iter().flat_map(|lane| &lane.bytes));
    let scale = scale
        .ok_or_else(|| nothing("the log has no heat map and no single calls that move bytes"))?;
    let panel = |lane: &Lane| {
        let x = Scale::new("time", (0.0, lane.end_s), Ticks::Linear(Unit::Seconds));
        let colours = heated(&lane.bytes, scale, theme);
        let cells = Cells { width: lane.cells, colours };
        Panel::new(&layer_name(&lane.name), x, lane.ranks.clone(), vec![Marks::Cells(cells)])
            .downward()
    };
    Ok(Figure {
        title: "Bytes by rank and time".to_owned(),
        panels: lanes.iter().map(panel).collect(),
        legend: Vec::new(),
        ramp: Some(Ramp {
            title: "per cell (log scale)".to_owned(),
            least: Unit::Bytes.text(f64::from(scale.0)),
            most: Unit::Bytes.text(f64::from(scale.1)),
        }),
    })
}

diya_tables::columns! {
    struct HeatBins by name { layer: str, rank: i32, bin: i32, bin_width_s: f64, bytes: i64 }
}

/// Bytes by rank and bin, and the end of the last bin in seconds.
type Bins = (BTreeMap<(i32, i32), f64>, f64);

/// Cells of the table `heatmap`: by layer, then rank and bin.
fn recorded(job: &Job) -> Option<Vec<Lane>> {
    let table = job.table("heatmap")?;
    let mut layers: BTreeMap<String, Bins> = BTreeMap::new();
    for of in HeatBins::batches(table) {
        for row in 0..of.rows() {
            let (bins, end_s) = layers.entry(of.layer.value(row).to_owned()).or_default();
            let (rank, bin) = (of.rank.value(row).max(0), of.bin.value(row).max(0));
            *bins.entry((rank, bin)).or_default() += of.bytes.value(row) as f64;
            *end_s = end_s.max(f64::from(bin + 1) * of.bin_width_s.value(row));
        }
    }
    let of_all = layers.values().flat_map(|(bins, _)| bins.keys());
    let ranks = of_all.map(|(rank, _)| *rank as usize + 1).max().unwrap_or(1);
    let lane = |(name, (bins, end_s)): (String, Bins)| {
        let cells = bins.keys().map(|(_, bin)| *bin as usize + 1).max().unwrap_or(1);
        let rows = ranks.min(HEAT_ROWS);
        let mut bytes = vec![0.0; rows * cells];
        for ((rank, bin), sum) in bins {
            bytes[rank as usize * rows / ranks * cells + bin as usize] += sum as f32;
        }
        let ranks = Scale::names("rank", (0..ranks).map(|rank| rank.to_string()).collect());
        Lane { name, cells, ranks, end_s, bytes }
    };
    Some(layers.into_iter().map(lane).collect())
}

fn traced(job: &Job) -> Vec<Lane> {
    let store = &job.store;
    let (x, y) = (time(store), ranks_of(store));
    let lane = |layer: usize| {
        let request = TileRequest {
            filter: of_layer(store, layer),
            x: axis(AxisOf::Time, &x, HEAT_CELLS),
            y: axis(AxisOf::Track, &y, HEAT_ROWS),
            order: None,
            wanted: Wanted { bytes: true, ..Wanted::default() },
            is_refined: true,
        };
        let bytes = tile(store, &request).bytes;
        let name = store.layers[layer].clone();
        Lane { name, cells: request.x.cells, ranks: y.clone(), end_s: x.to, bytes }
    };
    let lanes = (0..store.layers.len()).map(lane);
    lanes.filter(|lane| lane.bytes.iter().any(|bytes| *bytes > 0.0)).collect()
}
