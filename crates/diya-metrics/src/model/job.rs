//! One log: its loads, grouped as the model asks for them, and its paths.

use super::facts::Facts;
use super::load::{Class, Load, NO_PHASE};
use super::path::Path;
use super::pause::LEAST_IO_RATIO;
use super::range::Range;
use crate::hash::{HashMap, HashSet};
use diya_tables::Layer;
use std::collections::{BTreeMap, BTreeSet};

/// One log.
#[derive(Debug)]
pub(crate) struct Job {
    pub facts: Facts,
    pub loads: Vec<Load>,
    /// Loads of each layer and file.
    pub files: BTreeMap<(Layer, u64), Vec<usize>>,
    paths: BTreeMap<Layer, Path>,
    /// Files whose time is that of MPI-IO, which holds that of POSIX below.
    through_mpiio: HashSet<u64>,
    /// Time in MPI-IO while no POSIX call of the rank ran.
    waits: Vec<Load>,
}

impl Job {
    pub fn of(facts: Facts, mut loads: Vec<Load>) -> Self {
        if is_computing(&loads, &facts) {
            loads.iter_mut().for_each(Load::forget_pauses);
        }
        let mut files: BTreeMap<(Layer, u64), Vec<usize>> = BTreeMap::new();
        for (place, load) in loads.iter().enumerate() {
            files.entry((load.layer, load.file_id)).or_default().push(place);
        }
        let layers: BTreeSet<Layer> = files.keys().map(|(layer, _)| *layer).collect();
        let path = |layer: &Layer| {
            let of_layer = loads.iter().filter(|load| load.layer == *layer);
            (*layer, Path::of(of_layer, facts.nprocs, facts.run_s))
        };
        let paths = layers.iter().map(path).collect();
        let (through_mpiio, waits) = waits(&loads, &files, facts.nprocs);
        Self { facts, loads, files, paths, through_mpiio, waits }
    }

    pub fn layers(&self) -> impl Iterator<Item = Layer> {
        self.paths.keys().copied()
    }

    /// Loads of a layer.
    pub fn of_layer(&self, layer: Layer) -> impl Iterator<Item = &Load> {
        self.loads.iter().filter(move |load| load.layer == layer)
    }

    /// Files of a layer, each with its loads.
    pub fn of_files(&self, layer: Layer) -> impl Iterator<Item = (u64, Vec<&Load>)> {
        let of_layer = self.files.iter().filter(move |((of, _), _)| *of == layer);
        of_layer.map(|((_, file), places)| {
            (*file, places.iter().filter_map(|place| self.loads.get(*place)).collect())
        })
    }

    /// What the job saves when calls of these loads, all of one layer, take that
    /// much less time.
    pub fn gain<'l>(&self, layer: Layer, saved: impl Iterator<Item = (&'l Load, Range)>) -> Range {
        self.paths.get(&layer).map_or(Range::ZERO, |path| path.gain(saved))
    }

    /// Ranks that used a file; `None`: all, and their number is not recorded.
    pub fn ranks(&self, loads: &[&Load]) -> Option<i64> {
        if loads.iter().any(|load| load.is_shared()) {
            return self.facts.nprocs;
        }
        let ranks: HashSet<i32> = loads.iter().map(|load| load.rank).collect();
        i64::try_from(ranks.len()).ok()
    }

    /// Seconds of each class on the critical path of the whole job, no layer
    /// counted twice.
    pub fn classes(&self) -> Vec<(Class, Range)> {
        let has_dfs = self.paths.contains_key(&Layer::Dfs);
        let is_low = |load: &&Load| match load.layer {
            Layer::Posix | Layer::Stdio | Layer::Dfs => true,
            Layer::Daos => !has_dfs, // dfs calls these
            // Nothing below it was recorded.
            Layer::Mpiio => !self.files.contains_key(&(Layer::Posix, load.file_id)),
            _ => false,
        };
        let is_outer = |load: &&Load| match load.layer {
            Layer::Mpiio => self.through_mpiio.contains(&load.file_id),
            _ => is_low(load) && !self.through_mpiio.contains(&load.file_id),
        };
        let outer: Vec<&Load> = self.loads.iter().filter(is_outer).collect();
        let low: Vec<&Load> = self.loads.iter().filter(is_low).collect();
        let Facts { nprocs, run_s, .. } = self.facts;
        let of = |loads: &[&Load], class: Class| {
            let path = Path::of(loads.iter().copied(), nprocs, run_s);
            path.gain(loads.iter().map(|load| (*load, load.class_s(class))))
        };
        // What the lower layers alone take is a part of it.
        let (all, low_all) = (of(&outer, Class::All), of(&low, Class::All));
        let all = Range::new(all.low.max(low_all.low), all.high).within(all.high);
        let waits: Vec<&Load> = self.waits.iter().collect();
        let low_path = Path::of(low.iter().copied(), nprocs, run_s);
        let of_class = |class: Class| match class {
            Class::All => all,
            Class::Wait => of(&waits, Class::All).within(all.high),
            Class::Pause => {
                let (outer, low) = (of(&outer, Class::Pause), of(&low, Class::Pause));
                Range::at_most(outer.high.max(low.high))
            }
            _ => {
                let gain = low_path.gain(low.iter().map(|load| (*load, load.class_s(class))));
                gain.within(all.high)
            }
        };
        Class::EVERY.into_iter().map(|class| (class, of_class(class))).collect()
    }
}

/// Whether calls take so little of the run that time between them is no matter
/// of I/O.
fn is_computing(loads: &[Load], facts: &Facts) -> bool {
    let mut ranks: HashMap<(Layer, i32), f64> = HashMap::default();
    for load in loads {
        *ranks.entry((load.layer, load.rank)).or_default() += load.total_s * load.slowest_ratio;
    }
    // The slowest rank in files of its own, and in those of all.
    let most_s = |is_shared: bool| {
        let of = ranks.iter().filter(|((_, rank), _)| (*rank < 0) == is_shared);
        of.map(|(_, s)| *s).fold(0.0, f64::max)
    };
    facts.run_s.is_some_and(|run_s| most_s(true) + most_s(false) < LEAST_IO_RATIO * run_s)
}

/// Files whose MPI-IO calls take longer than the POSIX calls below, and how
/// much longer, record by record.
fn waits(
    loads: &[Load],
    files: &BTreeMap<(Layer, u64), Vec<usize>>,
    nprocs: Option<i64>,
) -> (HashSet<u64>, Vec<Load>) {
    let records = |key: (Layer, u64)| -> Vec<&Load> {
        let places = files.get(&key).map_or(&[][..], Vec::as_slice);
        let all = places.iter().filter_map(|place| loads.get(*place));
        all.filter(|load| load.phase == NO_PHASE).collect()
    };
    let (mut through, mut waits) = (HashSet::default(), Vec::new());
    for (_, file_id) in files.keys().filter(|(layer, _)| *layer == Layer::Mpiio) {
        let (above, below) = (records((Layer::Mpiio, *file_id)), records((Layer::Posix, *file_id)));
        let sum_s = |records: &[&Load]| records.iter().map(|load| load.record_s).sum::<f64>();
        if sum_s(&above) < sum_s(&below) {
            continue;
        }
        through.insert(*file_id);
        if below.is_empty() {
            continue;
        }
        let slowest_s = |load: &Load| load.record_s * load.slowest_ratio;
        let below_most_s = below.iter().map(|load| slowest_s(load)).fold(0.0, f64::max);
        let own_s: HashMap<i32, f64> =
            below.iter().map(|load| (load.rank, load.record_s)).collect();
        let mean_s = own_s.get(&-1).map_or(0.0, |s| s / nprocs.unwrap_or(1).max(1) as f64);
        for record in above {
            let (total_s, most_s) = if record.is_shared() {
                (record.record_s - sum_s(&below), slowest_s(record) - below_most_s)
            } else {
                let below_s = own_s.get(&record.rank).copied().unwrap_or(mean_s);
                (record.record_s - below_s, record.record_s - below_s)
            };
            if total_s > 0.0 && most_s > 0.0 {
                let mut wait = Load::new(Layer::Mpiio, *file_id, record.rank, NO_PHASE);
                (wait.total_s, wait.wait_s) = (total_s, total_s);
                wait.slowest_ratio = most_s / total_s;
                waits.push(wait);
            }
        }
    }
    (through, waits)
}
