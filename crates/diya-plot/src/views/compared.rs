//! Runs above each other on one axis of time, and the lengths of their phases.

use super::{Job, by_kind, layer_name, nothing, of_layer, parts, time};
use crate::PlotError;
use crate::figure::{Figure, Marks, Panel, beside};
use crate::scale::{Scale, Ticks, Unit};
use crate::theme::Theme;
use diya_model::Layer;
use diya_timeline::{AxisOf, Filter, area};
use std::collections::BTreeMap;

diya_tables::columns! {
    struct Phases by name { log: i32, layer: str, phase: i32, duration_s: f64 }
}

/// Runs by letter, as `diya compare` names them.
fn letter(run: usize) -> char {
    char::from(b'A' + run as u8)
}

/// The calls of each run, and how long each of its phases took.
pub(super) fn runs<'a>(job: &'a Job, theme: &'static Theme) -> Result<Figure<'a>, PlotError> {
    let of_runs = (0..job.runs.len()).map(|run| lanes(job, run, theme));
    let mut panels: Vec<Panel<'a>> = of_runs.flatten().collect();
    if panels.is_empty() {
        return Err(nothing("no run has calls"));
    }
    panels.extend(phases(job, theme));
    let mut legend = parts(theme);
    for (run, name) in job.runs.iter().enumerate() {
        legend.push((format!("{}: {name}", letter(run)), theme.series(run)));
    }
    Ok(Figure { title: "Runs on one axis of time".to_owned(), panels, legend, ramp: None })
}

/// One panel for each layer of a run, zero at the start of its job.
fn lanes<'a>(job: &'a Job, run: usize, theme: &'static Theme) -> Vec<Panel<'a>> {
    let store = &job.store;
    let is_own = |track: &u32| store.tracks[*track as usize].log == run as i32;
    let tracks: Vec<u32> = (0..store.tracks.len() as u32).filter(is_own).collect();
    let rank = |track: &u32| store.tracks[*track as usize].rank.to_string();
    let (x, y) = (time(store), Scale::names("rank", tracks.iter().map(rank).collect()));
    let of = |layer: usize| Filter { log: Some(run as i32), ..of_layer(store, layer) };
    let has_calls = |layer: &usize| !area(store, &of(*layer), 1).kinds.is_empty();
    let panel = |layer: usize| {
        let order = Some(tracks.clone());
        let painter =
            by_kind(store, theme, of(layer), (AxisOf::Time, &x), (AxisOf::Track, &y), order);
        let name = format!("{}: {}", letter(run), layer_name(&store.layers[layer]));
        Panel::new(&name, x.clone(), y.clone(), vec![Marks::Map(painter)]).downward()
    };
    (0..store.layers.len()).filter(has_calls).map(panel).collect()
}

/// The lengths of the phases by their numbers, in the lowest layer that every run has phases in.
fn phases<'a>(job: &'a Job, theme: &'static Theme) -> Option<Panel<'a>> {
    let mut layers: BTreeMap<&str, Vec<Vec<f64>>> = BTreeMap::new();
    let tables: Vec<Phases> = job.table("phase").into_iter().flat_map(Phases::batches).collect();
    for of in &tables {
        for row in 0..of.rows() {
            let runs = layers.entry(of.layer.value(row)).or_default();
            runs.resize(job.runs.len(), Vec::new());
            let run = usize::try_from(of.log.value(row)).ok();
            let lengths = run.and_then(|run| runs.get_mut(run));
            let length = of.duration_s.get(row).filter(|_| of.phase.value(row) >= 0);
            lengths?.push(length.unwrap_or(0.0));
        }
    }
    let of_layer = |layer: Layer| Some((layer, layers.get(layer.name())?));
    let has_all = |runs: &[Vec<f64>]| runs.iter().all(|lengths| !lengths.is_empty());
    let mut found = Layer::BOTTOM_UP.into_iter().filter_map(of_layer);
    let (layer, runs) = found.find(|(_, runs)| has_all(runs))?;
    let most_phases = runs.iter().map(Vec::len).max()?;
    let series: Vec<_> = runs
        .iter()
        .enumerate()
        .map(|(run, lengths)| (theme.series(run), lengths.clone()))
        .collect();
    let (blocks, most) = beside(&series);
    let x = Scale::names("phase", (0..most_phases).map(|phase| phase.to_string()).collect());
    let y = Scale::new("length", (0.0, most * 1.05), Ticks::Linear(Unit::Seconds));
    let name = format!("Length of each phase, {}", layer_name(layer.name()));
    Some(Panel::new(&name, x, y, vec![Marks::Boxes(blocks)]))
}
