//! Pictures made of bars: bandwidth over time, ranks, targets, sizes.

use super::axes::{Axes, Unit};
use super::maps::{axis, of_layer, window_s};
use super::picture::Colour;
use super::{Canvas, Job, PlotError};
use diya_timeline::{
    Axis, Filter, Kind, Members, Of, TileRequest, Wanted, activity, area, ns_of, tile,
};

/// Stacked bars of equal width; `values[series][bar]`.
fn stacked(canvas: &mut Canvas, room: Axes, values: &[(Colour, Vec<f64>)], unit: Unit) {
    let bars = values.iter().map(|(_, values)| values.len()).max().unwrap_or(0);
    let height = |bar: usize| values.iter().filter_map(|(_, v)| v.get(bar)).sum::<f64>();
    let most = (0..bars).map(height).fold(0.0, f64::max);
    if most > 0.0 {
        let width = room.width / bars as f32;
        let gap = if width > 4.0 { 1.0 } else { 0.0 };
        for bar in 0..bars {
            let mut bottom = room.top + room.height;
            for (colour, values) in values {
                let share = values.get(bar).copied().unwrap_or(0.0) / most;
                let height = share as f32 * room.height;
                if height > 0.0 {
                    bottom -= height;
                    let left = room.left + width * bar as f32;
                    canvas.picture.rect([left, bottom, width - gap, height], *colour);
                }
            }
        }
        room.beside(canvas, (0.0, most), unit, false);
    }
    room.frame(canvas);
}

/// Bandwidth over time by layer, and when the phases of the log were.
pub(super) fn phases(canvas: &mut Canvas, job: &Job) {
    let store = &job.store;
    let whole = canvas.heading("Bandwidth and phases");
    let theme = canvas.theme;
    canvas.legend(&[
        ("read", theme.kind(Kind::Read)),
        ("write", theme.kind(Kind::Write)),
        ("phase", theme.line),
    ]);
    let (from_s, to_s) = window_s(store);
    let cells = (whole.width as usize / 2).max(1);
    let filter = Filter { window_ns: (ns_of(from_s), ns_of(to_s)), ..Filter::default() };
    let curves = activity(store, &filter, cells);
    let lanes = whole.lanes(store.layers.len());
    for (layer, room) in lanes.iter().enumerate() {
        for (start_s, end_s) in spans(job, &store.layers[layer]) {
            let x = |s: f64| room.left + ((s - from_s) / (to_s - from_s)) as f32 * room.width;
            let at = [x(start_s), room.top, (x(end_s) - x(start_s)).max(1.0), room.height];
            canvas.picture.rect(at, theme.ground.mix(theme.line, 0.6));
        }
        let series = [Kind::Read, Kind::Write].map(|kind| {
            let first = (layer * 4 + kind as usize) * cells;
            let curve = curves.bytes_per_s[first..first + cells].iter();
            (theme.kind(kind), curve.map(|v| f64::from(*v)).collect())
        });
        stacked(canvas, *room, &series, Unit::BytesPerSecond);
        room.name(canvas, &store.layers[layer]);
    }
    if let Some(last) = lanes.last() {
        last.below(canvas, (from_s, to_s), Unit::Seconds);
    }
}

diya_tables::columns! {
    struct Phases by name { layer: str, start_s: f64, end_s: f64 }
}

/// Start and end of the phases of a layer.
fn spans(job: &Job, layer: &str) -> Vec<(f64, f64)> {
    let Some(table) = &job.phases else { return Vec::new() };
    let mut spans = Vec::new();
    for of in Phases::batches(table.as_ref()) {
        let rows = (0..of.rows()).filter(|row| of.layer.value(*row) == layer);
        spans.extend(rows.map(|row| (of.start_s.value(row), of.end_s.value(row))));
    }
    spans
}

/// Time in calls by rank, of the lowest layers of the log: those above do the
/// same work again.
pub(super) fn ranks(canvas: &mut Canvas, job: &Job) {
    let store = &job.store;
    let room = canvas.heading("Time in calls by rank, lowest layers");
    canvas.legend(&canvas.theme.kinds());
    let tracks = store.tracks.len();
    let bars = tracks.clamp(1, room.width as usize);
    let depth = |layer: &usize| store.depth(*layer as u8);
    let lowest = (0..store.layers.len()).map(|layer| depth(&layer)).max().unwrap_or(0);
    let lowest: Vec<usize> = (0..store.layers.len()).filter(|l| depth(l) == lowest).collect();
    let series: Vec<(Colour, Vec<f64>)> = Kind::ALL
        .into_iter()
        .map(|kind| {
            let kinds = Some(Members::new(Kind::ALL.len(), [kind as usize]));
            let layers = Some(Members::new(store.layers.len(), lowest.iter().copied()));
            let of_kind = area(store, &Filter { kinds, layers, ..Filter::default() }, usize::MAX);
            let mut values = vec![0.0_f64; bars];
            for (track, total) in &of_kind.tracks {
                let bar = *track as usize * bars / tracks.max(1);
                // More ranks than pixels: the one with the most time is seen.
                values[bar] = values[bar].max(total.time_s);
            }
            (canvas.theme.kind(kind), values)
        })
        .collect();
    stacked(canvas, room, &series, Unit::Seconds);
    room.below(canvas, (0.0, tracks as f64), Unit::Number);
}

/// Bytes and time by storage target.
pub(super) fn targets(canvas: &mut Canvas, job: &Job) -> Result<(), PlotError> {
    let store = &job.store;
    let area = area(store, &Filter::default(), usize::MAX);
    if area.targets.is_empty() {
        return Err(PlotError::Nothing(
            "the layout of the files on storage targets is not recorded".to_owned(),
        ));
    }
    let whole = canvas.heading("Storage targets: bytes and time of the requests, split at stripes");
    let ids = store.targets();
    let of = |value: &dyn Fn(&diya_timeline::Total) -> f64| {
        let total = |id: &i64| area.targets.iter().find(|(target, _)| target == id);
        ids.iter().map(|id| total(id).map_or(0.0, |(_, total)| value(total))).collect::<Vec<f64>>()
    };
    let series = [
        ("bytes", Kind::Write, Unit::Bytes, of(&|total| total.bytes)),
        ("time in requests", Kind::Read, Unit::Seconds, of(&|total| total.time_s)),
    ];
    let lanes = whole.lanes(series.len());
    for (room, (name, kind, unit, values)) in lanes.iter().zip(series) {
        stacked(canvas, *room, &[(canvas.theme.kind(kind), values)], unit);
        let (first, last) = (ids.first().unwrap_or(&0), ids.last().unwrap_or(&0));
        room.name(canvas, &format!("{name}; {} targets, {first} to {last}", ids.len()));
    }
    Ok(())
}

/// How many requests of which size, by layer.
pub(super) fn sizes(canvas: &mut Canvas, job: &Job) {
    const BINS: usize = 40;
    let store = &job.store;
    let whole = canvas.heading("Sizes of requests");
    let theme = canvas.theme;
    canvas.legend(&[("read", theme.kind(Kind::Read)), ("write", theme.kind(Kind::Write))]);
    let (from_s, to_s) = window_s(store);
    let lanes = whole.lanes(store.layers.len());
    for (layer, room) in lanes.iter().enumerate() {
        let series = [Kind::Read, Kind::Write].map(|kind| {
            let filter = Filter {
                kinds: Some(Members::new(Kind::ALL.len(), [kind as usize])),
                ..of_layer(store, layer)
            };
            let request = TileRequest {
                filter,
                x: axis(Of::Time, from_s, to_s, 1),
                y: Axis { is_log: true, ..axis(Of::Size, 1.0, (BINS as f64).exp2(), BINS) },
                order: None,
                wanted: Wanted { calls: true, ..Wanted::default() },
                is_refined: true,
            };
            let counts = tile(store, &request).calls;
            (theme.kind(kind), counts.into_iter().map(f64::from).collect())
        });
        stacked(canvas, *room, &series, Unit::Calls);
        room.name(
            canvas,
            &format!(
                "{}: requests by size (each bar is twice the previous size)",
                store.layers[layer]
            ),
        );
    }
    if let Some(room) = lanes.last() {
        let soft = theme.soft;
        for bin in (0..=BINS).step_by(10) {
            let x = room.left + room.width * bin as f32 / BINS as f32;
            let text = Unit::Bytes.text((bin as f64).exp2());
            let at = [x, room.top + room.height + 17.0];
            canvas.picture.text(at, super::Anchor::Middle, text, soft);
        }
    }
}
