//! Views without one axis of time for all: offsets in a file, durations by rank, targets.

use super::timed::coarse;
use super::{
    Job, axis, by_kind, ends, heated, kinds, layer_name, nothing, of_layer, ranks_of, time, turned,
};
use crate::PlotError;
use crate::figure::{Figure, Marks, Panel, Ramp};
use crate::scale::{Scale, Ticks, Unit};
use crate::scene::Cells;
use crate::theme::Theme;
use diya_timeline::{AxisOf, Filter, Kind, Members, Store, TileRequest, Wanted, area, tile};

fn path_of(store: &Store, file: u32) -> &str {
    let file = store.files.get(file as usize);
    file.and_then(|file| file.path.as_deref()).unwrap_or("a file without name")
}

/// The file with the most time, of those whose path has the words and whose requests have offsets.
fn shown_file(job: &Job) -> Result<u32, PlotError> {
    let store = &job.store;
    let wanted = job.file.as_deref();
    let calls = &store.calls;
    let mut has_place = vec![false; store.files.len()];
    for call in (0..calls.len()).filter(|call| calls.offset_bytes[*call] >= 0) {
        if let Some(has_place) = has_place.get_mut(calls.file[call] as usize) {
            *has_place = true;
        }
    }
    let all = area(store, &Filter::default(), usize::MAX);
    let is_shown = |file: &u32| {
        has_place.get(*file as usize).is_some_and(|has_place| *has_place)
            && wanted.is_none_or(|part| path_of(store, *file).contains(part))
    };
    all.files.iter().map(|(file, _)| *file).find(is_shown).ok_or_else(|| match wanted {
        Some(part) => PlotError::Nothing(format!(
            "no request with an offset in a file whose path contains {part:?}"
        )),
        None => nothing("no request with a known offset"),
    })
}

/// Places in one file: over time, and by rank.
pub(super) fn spatiality<'a>(job: &'a Job, theme: &'static Theme) -> Result<Figure<'a>, PlotError> {
    let store = &job.store;
    let file = shown_file(job)?;
    let of_file = |filter: Filter| Filter {
        files: Some(Members::new(store.files.len(), [file as usize])),
        ..filter
    };
    // The lowest layer that moves bytes of the file: what the file system saw.
    let moved = |layer: &usize| {
        let kinds = area(store, &of_file(of_layer(store, *layer)), 1).kinds;
        kinds.iter().any(|kind| kind.total.bytes > 0.0)
    };
    let layer = (0..store.layers.len()).rev().find(moved);
    let filter = of_file(layer.map_or_else(Filter::default, |layer| of_layer(store, layer)));
    let calls = filter.streams(store).flat_map(|stream| filter.calls(store, *stream));
    let end = calls.filter_map(|call| {
        let from = u64::try_from(store.calls.offset_bytes[call]).ok()?;
        Some(from.saturating_add(store.calls.size_bytes.value(call)))
    });
    let y = (0.0, end.max().unwrap_or(1) as f64);
    let y = Scale::new("offset in the file", y, Ticks::Linear(Unit::Bytes));
    let panel = |name: &str, of: AxisOf, x: Scale| {
        let painter = by_kind(store, theme, filter.clone(), (of, &x), (AxisOf::Offset, &y), None);
        Panel::new(name, x, y.clone(), vec![Marks::Map(coarse(painter))])
    };
    let layer =
        layer.map_or_else(String::new, |layer| format!("{}: ", layer_name(&store.layers[layer])));
    Ok(Figure {
        title: format!("Offsets in {}", path_of(store, file)),
        panels: vec![
            panel(&format!("{layer}offsets over time"), AxisOf::Time, time(store)),
            panel(&format!("{layer}offsets by rank"), AxisOf::Track, ranks_of(store)),
        ],
        legend: kinds(theme),
        ramp: None,
    })
}

/// How long the calls of each rank took, in the layer nearest to the storage.
pub(super) fn latency<'a>(job: &'a Job, theme: &'static Theme) -> Result<Figure<'a>, PlotError> {
    let store = &job.store;
    let layer = store.layers.iter().position(|layer| layer == "posix");
    let layer = layer.or_else(|| store.layers.len().checked_sub(1));
    let layer = layer.ok_or_else(|| nothing("the log holds no single calls"))?;
    let of_layer = area(store, &of_layer(store, layer), 1).kinds;
    let longest_ns = of_layer.iter().map(|kind| kind.longest_ns).max().unwrap_or(0);
    let top = 10_f64.powf((longest_ns as f64 * 1e-9).max(1e-5).log10().ceil());
    let x = ranks_of(store);
    let name = layer_name(&store.layers[layer]);
    let title = format!("duration of {name} calls");
    let y = Scale::new(&title, (1e-6, top), Ticks::Log(Unit::Seconds));
    let request = TileRequest {
        filter: super::of_layer(store, layer),
        x: axis(AxisOf::Track, &x, 500),
        y: axis(AxisOf::Duration, &y, 60),
        order: None,
        wanted: Wanted { calls: true, ..Wanted::default() },
        is_refined: true,
    };
    let calls = tile(store, &request).calls;
    let scale = ends(calls.iter()).ok_or_else(|| nothing("no call of this log has a duration"))?;
    let cells = Cells { width: request.x.cells, colours: heated(&calls, scale, theme) };
    Ok(Figure {
        title: format!("Durations of {name} calls by rank"),
        panels: vec![Panel::new("", x, y, vec![Marks::Cells(turned(cells, true))])],
        legend: Vec::new(),
        ramp: Some(calls_ramp(scale)),
    })
}

fn calls_ramp((least, most): (f32, f32)) -> Ramp {
    Ramp {
        title: "calls per cell (log scale)".to_owned(),
        least: Unit::Count.text(f64::from(least)),
        most: Unit::Count.text(f64::from(most)),
    }
}

/// Bytes of each storage target over time.
pub(super) fn target_load<'a>(
    job: &'a Job,
    theme: &'static Theme,
) -> Result<Figure<'a>, PlotError> {
    let store = &job.store;
    let targets = store.targets();
    if targets.is_empty() {
        return Err(nothing("the layout of the files on storage targets is not recorded"));
    }
    let (x, y) =
        (time(store), Scale::names("storage target", targets.iter().map(i64::to_string).collect()));
    // What the targets saw: the lowest layer, and requests that move bytes.
    let depth = |layer: &usize| store.depth(*layer as u8);
    let lowest = (0..store.layers.len()).max_by_key(depth).unwrap_or(0);
    let request = TileRequest {
        filter: super::of_kinds(of_layer(store, lowest), &[Kind::Read, Kind::Write]),
        x: axis(AxisOf::Time, &x, 300),
        y: axis(AxisOf::Target, &y, targets.len()),
        order: None,
        wanted: Wanted { bytes: true, ..Wanted::default() },
        is_refined: true,
    };
    let bytes = tile(store, &request).bytes;
    let scale = ends(bytes.iter())
        .ok_or_else(|| nothing("no request reaches a storage target that is known"))?;
    let cells = Cells { width: request.x.cells, colours: heated(&bytes, scale, theme) };
    Ok(Figure {
        title: "Bytes of each storage target over time".to_owned(),
        panels: vec![Panel::new("", x, y, vec![Marks::Cells(cells)]).downward()],
        legend: Vec::new(),
        ramp: Some(Ramp {
            title: "per cell (log scale)".to_owned(),
            least: Unit::Bytes.text(f64::from(scale.0)),
            most: Unit::Bytes.text(f64::from(scale.1)),
        }),
    })
}
