//! What each view shows: from tables and calls to panels.

mod compared;
mod counted;
mod places;
mod roofed;
mod spent;
mod timed;

use crate::figure::{Figure, Painter};
use crate::scale::{Scale, Ticks, Unit};
use crate::scene::{Cells, Colour};
use crate::theme::Theme;
use crate::{PlotError, PlotView};
use diya::report::TimePart;
use diya_model::Layer;
use diya_tables::BatchSource;
use diya_timeline::{
    Axis, AxisOf, Filter, Kind, Members, Store, Tile, TileRequest, Wanted, s_of, tile,
};
use std::sync::Arc;

/// What is drawn from.
pub(crate) struct Job {
    pub store: Store,
    pub tables: Vec<Arc<dyn BatchSource>>,
    /// Part of the path of the file that is shown.
    pub file: Option<String>,
    /// Parts of the run time, as a report names them.
    pub parts: Vec<TimePart>,
    /// Names of the runs, by the number of their log.
    pub runs: Vec<String>,
}

impl Job {
    /// A table or metric; `None`: it could not be computed, or has no row.
    fn table(&self, name: &str) -> Option<&dyn BatchSource> {
        let found = self.tables.iter().find(|table| table.def().name == name);
        found.map(AsRef::as_ref).filter(|table| table.rows() > 0)
    }
}

/// Tables and metrics that a view needs; whether it needs the calls.
pub(crate) fn needs(view: PlotView) -> (&'static [&'static str], bool) {
    match view {
        PlotView::Timeline | PlotView::Activity | PlotView::Spatiality => (&[], true),
        PlotView::Latency | PlotView::Requests | PlotView::TargetLoad => (&[], true),
        PlotView::Stacks => (&[], true),
        PlotView::Phases | PlotView::Compare => (&["phase"], true),
        PlotView::Heatmap => (&["heatmap"], true),
        PlotView::Stragglers => (&["phase_straggler"], false),
        PlotView::Ranks => (&["rank_io", "rank_layer"], false),
        PlotView::Sizes => (&["size_distribution", "size_time"], false),
        PlotView::Targets => (&["target_load"], false),
        PlotView::Account => (&["time_account", "peer_group"], false),
        PlotView::Roofline => (&["roofline", "machine_ceiling"], false),
    }
}

/// The figure of a view.
pub(crate) fn figure<'a>(
    view: PlotView,
    job: &'a Job,
    theme: &'static Theme,
) -> Result<Figure<'a>, PlotError> {
    match view {
        PlotView::Timeline => Ok(timed::timeline(job, theme)),
        PlotView::Activity => Ok(timed::activity_of(job, theme)),
        PlotView::Heatmap => timed::heatmap(job, theme),
        PlotView::Phases => Ok(timed::phases(job, theme)),
        PlotView::Requests => timed::requests(job, theme),
        PlotView::Spatiality => places::spatiality(job, theme),
        PlotView::Latency => places::latency(job, theme),
        PlotView::TargetLoad => places::target_load(job, theme),
        PlotView::Ranks => counted::ranks(job, theme),
        PlotView::Sizes => counted::sizes(job, theme),
        PlotView::Targets => counted::targets(job, theme),
        PlotView::Stragglers => spent::stragglers(job, theme),
        PlotView::Account => spent::account(job, theme),
        PlotView::Roofline => roofed::roofline(job, theme),
        PlotView::Stacks => spent::stacks(job, theme),
        PlotView::Compare => compared::runs(job, theme),
    }
}

fn nothing(why: &str) -> PlotError {
    PlotError::Nothing(why.to_owned())
}

/// A layer as its users write it.
fn layer_name(name: &str) -> String {
    match name {
        "dfs" => "DFS".to_owned(),
        _ => Layer::from_name(name).map_or(name.to_owned(), |layer| {
            let part = match layer {
                Layer::Hdf5Dataset | Layer::PnetcdfVar => " data",
                Layer::Hdf5File => " files",
                Layer::Hdf5Other => " other",
                _ => "",
            };
            format!("{}{part}", layer.software())
        }),
    }
}

fn kind_name(kind: Kind) -> String {
    if kind == Kind::Wait { "sync and wait".to_owned() } else { kind.name().to_owned() }
}

/// Names and colours of all kinds of calls.
fn kinds(theme: &Theme) -> Vec<(String, Colour)> {
    Kind::ALL.map(|kind| (kind_name(kind), theme.kind(kind))).to_vec()
}

/// Names and colours of what lanes over time show: kinds of calls, and libraries.
fn parts(theme: &Theme) -> Vec<(String, Colour)> {
    let library = ("inside libraries".to_owned(), theme.class("library"));
    kinds(theme).into_iter().chain([library]).collect()
}

/// Names and colours of reads and writes.
fn directions(theme: &Theme) -> Vec<(String, Colour)> {
    kinds(theme).into_iter().take(2).collect()
}

/// From the first to the last moment, seconds.
fn window_s(store: &Store) -> (f64, f64) {
    let (from_ns, to_ns) = store.window_ns();
    (s_of(from_ns), s_of(to_ns))
}

fn time(store: &Store) -> Scale {
    Scale::new("time", window_s(store), Ticks::Linear(Unit::Seconds))
}

/// Ranks by their numbers, in the order of the tracks.
fn ranks_of(store: &Store) -> Scale {
    Scale::names("rank", store.tracks.iter().map(|track| track.rank.to_string()).collect())
}

/// Only this layer.
fn of_layer(store: &Store, layer: usize) -> Filter {
    Filter { layers: Some(Members::new(store.layers.len(), [layer])), ..Filter::default() }
}

/// Only these kinds.
fn of_kinds(filter: Filter, kinds: &[Kind]) -> Filter {
    let kinds = kinds.iter().map(|kind| *kind as usize);
    Filter { kinds: Some(Members::new(Kind::ALL.len(), kinds)), ..filter }
}

/// An axis of a tile, as the axis of a panel has it.
fn axis(of: AxisOf, scale: &Scale, cells: usize) -> Axis {
    // A rank or a target is one cell at least as wide as a pixel.
    let is_named = matches!(scale.ticks, Ticks::Names(_));
    let most = if is_named { (scale.to - scale.from).ceil() as usize } else { usize::MAX };
    let is_log = matches!(scale.ticks, Ticks::Log(_));
    Axis { of, from: scale.from, to: scale.to, cells: cells.clamp(1, most.max(1)), is_log }
}

const BUSY: Wanted =
    Wanted { busy: [true; 4], bytes: false, calls: false, longest: true, library: false };

/// Paints the calls that a filter leaves by kind, on two axes. `order`: the tracks of an axis of
/// tracks; `None`: all of them.
fn by_kind<'a>(
    store: &'a Store,
    theme: &'static Theme,
    filter: Filter,
    x: (AxisOf, &Scale),
    y: (AxisOf, &Scale),
    order: Option<Vec<u32>>,
) -> Painter<'a> {
    let (x_of, x_scale, y_of, y_scale) = (x.0, x.1.clone(), y.0, y.1.clone());
    Box::new(move |width, height| {
        let request = TileRequest {
            filter: filter.clone(),
            x: axis(x_of, &x_scale, width),
            y: axis(y_of, &y_scale, height),
            order: order.clone(),
            // Over time a lane of a library shows what the library itself does.
            wanted: Wanted { library: x_of == AxisOf::Time && y_of == AxisOf::Track, ..BUSY },
            is_refined: true,
        };
        let made = tile(store, &request);
        let is_upward = !matches!(y_scale.ticks, Ticks::Names(_));
        // Without time on an axis the busiest cell is at full strength.
        let most = made.busy.iter().flatten().copied().fold(0.0, f32::max);
        let full = if x_of == AxisOf::Time || most == 0.0 { 1.0 } else { most };
        let (cells, seen) = painted(&made, theme, full);
        (turned(Cells { width: request.x.cells, colours: cells }, is_upward), seen)
    })
}

/// What has the most time in a cell gives its colour, the busy share its strength; never so
/// weak that it is not seen. As `paintKinds` in `web/src/model/paint.ts`.
fn painted(tile: &Tile, theme: &Theme, full: f32) -> (Vec<Option<Colour>>, Vec<usize>) {
    let cells = tile.busy.iter().map(Vec::len).max().unwrap_or(0);
    let [read, write, metadata, wait] = &tile.busy;
    let planes = [read, write, metadata, wait, &tile.library];
    let mut is_seen = [false; 5];
    let mut cell = |at: usize| {
        let busy = |part: usize| planes[part].get(at).copied().unwrap_or(0.0);
        let all: f32 = (0..5).map(busy).sum();
        let is_touched = all > 0.0 || tile.longest_s.get(at).is_some_and(|s| *s > 0.0);
        let most = (0..5).rev().max_by(|a, b| busy(*a).total_cmp(&busy(*b)))?;
        is_seen[most] |= is_touched;
        let share = 0.3 + 0.7 * (all / full).clamp(0.0, 1.0).sqrt();
        let colour = Kind::ALL.get(most).map_or_else(|| theme.class("library"), |k| theme.kind(*k));
        is_touched.then(|| theme.ground.mix(colour, share))
    };
    let colours = (0..cells).map(&mut cell).collect();
    (colours, (0..5).filter(|part| is_seen[*part]).collect())
}

/// Rows from above: tiles begin with the least value of an axis.
fn turned(cells: Cells, is_upward: bool) -> Cells {
    if !is_upward {
        return cells;
    }
    let rows = cells.colours.chunks(cells.width.max(1)).rev();
    Cells { width: cells.width, colours: rows.flatten().copied().collect() }
}

/// Least and most value above zero; `None`: there is none.
fn ends<'a>(values: impl Iterator<Item = &'a f32>) -> Option<(f32, f32)> {
    let found = values.filter(|value| **value > 0.0);
    let ends = found.fold((f32::MAX, 0.0_f32), |(least, most), v| (least.min(*v), most.max(*v)));
    (ends.1 > 0.0).then_some(ends)
}

/// Colours of values between two ends, in the logarithm: a few large cells would leave all
/// others alike.
fn heated(values: &[f32], (least, most): (f32, f32), theme: &Theme) -> Vec<Option<Colour>> {
    let span = (most / least).ln();
    let share = |value: f32| if span > 0.0 { (value / least).ln() / span } else { 1.0 };
    values.iter().map(|value| (*value > 0.0).then(|| theme.heat(share(*value)))).collect()
}
