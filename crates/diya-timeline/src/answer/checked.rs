//! What a question says, checked against the calls that are held.

use crate::answer::Orders;
use crate::{
    Axis, CallFilter, Filter, Kind, Members, Plane, Store, TileAxis, TrackOrder, Wanted, ns_of,
};
use std::ops::Range;

/// Which planes are wanted.
pub(super) fn planes(planes: &[Plane]) -> Wanted {
    let mut wanted = Wanted::default();
    for plane in planes {
        match plane {
            Plane::BusyRead => wanted.busy[Kind::Read as usize] = true,
            Plane::BusyWrite => wanted.busy[Kind::Write as usize] = true,
            Plane::BusyMetadata => wanted.busy[Kind::Metadata as usize] = true,
            Plane::BusyWait => wanted.busy[Kind::Wait as usize] = true,
            Plane::Bytes => wanted.bytes = true,
            Plane::Calls => wanted.calls = true,
            Plane::Longest => wanted.longest = true,
            Plane::BusyLibrary => wanted.library = true,
        }
    }
    wanted
}

/// Tracks by position.
pub(super) fn order(
    store: &Store,
    orders: &Orders,
    order: Option<&TrackOrder>,
) -> Result<Option<Vec<u32>>, String> {
    let Some(TrackOrder { id, tracks }) = order else { return Ok(None) };
    let tracks = match tracks {
        Some(tracks) => {
            let is_there = |track: &u32| (*track as usize) < store.tracks.len();
            orders.keep(id, tracks.iter().copied().filter(is_there).collect())
        }
        None => orders.find(id).ok_or("unknown order")?,
    };
    Ok(Some(tracks.to_vec()))
}

/// An axis of a tile.
pub(super) fn axis(axis: &TileAxis) -> Result<Axis, String> {
    let TileAxis { of, from, to, log: is_log, .. } = *axis;
    let cells = axis.cells as usize;
    if cells == 0 || cells > 1 << 16 {
        return Err("an axis has 1 to 65536 cells".to_owned());
    }
    let is_empty = !from.is_finite() || !to.is_finite() || to <= from;
    if is_empty || (is_log && from <= 0.0) {
        return Err("the axis is empty".to_owned());
    }
    Ok(Axis { of, from, to, cells, is_log })
}

/// Which calls count.
pub(super) fn filter(store: &Store, asked: &CallFilter) -> Filter {
    let time = |time: Option<f64>, open| time.map_or(open, ns_of);
    Filter {
        window_ns: (time(asked.start_s, i64::MIN), time(asked.end_s, i64::MAX)),
        log: asked.log,
        tracks: numbers(asked.tracks.as_deref(), store.tracks.len()),
        files: numbers(asked.files.as_deref(), store.files.len()),
        kinds: names(asked.kinds.as_deref(), Kind::ALL.len(), |name| {
            Kind::from_name(name).map(|kind| kind as usize)
        }),
        layers: names(asked.layers.as_deref(), store.layers.len(), |name| {
            store.layers.iter().position(|layer| layer == name)
        }),
        targets: asked.targets.clone(),
        forms: forms(store, asked),
        // NaN, and what is below 0, does not narrow.
        sizes_bytes: sizes(asked),
        stacks: asked.frame.as_deref().map(|frame| stacks(store, frame)),
        places: places(store, asked),
        longer_ns: asked.longer_s.and_then(|s| u64::try_from(ns_of(s)).ok().filter(|ns| *ns > 0)),
    }
}

/// Sizes that are asked for; NaN, and what is below 0, does not narrow.
fn sizes(asked: &CallFilter) -> Option<Range<u64>> {
    let bytes = |asked: Option<f64>| asked.filter(|bytes| *bytes > 0.0).map(|bytes| bytes as u64);
    let (least, below) = (bytes(asked.least_bytes), bytes(asked.below_bytes));
    let is_asked = least.is_some() || below.is_some();
    is_asked.then(|| least.unwrap_or(0)..below.unwrap_or(u64::MAX))
}

/// Stacks with a frame.
fn stacks(store: &Store, frame: &str) -> Members {
    let has = |frames: &[String]| frames.iter().any(|one| one == frame);
    let with = store.stacks.iter().enumerate().filter(|(_, frames)| has(frames));
    Members::new(store.stacks.len(), with.map(|(number, _)| number))
}

/// Places inside the regions and steps that are asked for.
fn places(store: &Store, asked: &CallFilter) -> Option<Members> {
    if asked.regions.is_none() && asked.steps.is_none() {
        return None;
    }
    let region = |name: &String| store.regions.iter().position(|region| region == name);
    let regions = asked.regions.as_ref();
    let regions: Option<Vec<usize>> = regions.map(|all| all.iter().filter_map(region).collect());
    let steps = asked.steps.as_ref().map(|steps| {
        let mut steps = steps.clone();
        steps.sort_unstable();
        steps
    });
    let is_in = |place: &crate::Place| {
        let is_named = |wanted: &Vec<usize>| {
            place.regions.iter().any(|region| wanted.contains(&(*region as usize)))
        };
        let is_counted =
            |steps: &Vec<i64>| place.step.is_some_and(|step| steps.binary_search(&step).is_ok());
        regions.as_ref().is_none_or(is_named) && steps.as_ref().is_none_or(is_counted)
    };
    let members = store.places.iter().enumerate().filter(|(_, place)| is_in(place));
    Some(Members::new(store.places.len(), members.map(|(number, _)| number)))
}

/// Forms of the functions and errors that are asked for.
fn forms(store: &Store, asked: &CallFilter) -> Option<Members> {
    if asked.functions.is_none() && asked.errors.is_none() {
        return None;
    }
    let name = |names: &[String], number: Option<u32>| {
        number.and_then(|number| names.get(number as usize).cloned())
    };
    let is_one = |asked: &Option<Vec<String>>, name: Option<String>| {
        asked.as_ref().is_none_or(|asked| name.is_some_and(|name| asked.contains(&name)))
    };
    let counts = |form: &crate::Form| {
        let function = name(&store.functions, form.function)
            .or_else(|| store.ops.get(usize::from(form.op)).cloned());
        is_one(&asked.functions, function) && is_one(&asked.errors, name(&store.errors, form.error))
    };
    let members = store.forms.iter().enumerate().filter(|(_, form)| counts(form));
    Some(Members::new(store.forms.len(), members.map(|(number, _)| number)))
}

fn numbers(numbers: Option<&[u32]>, all: usize) -> Option<Members> {
    Some(Members::new(all, numbers?.iter().map(|number| *number as usize)))
}

fn names(
    names: Option<&[String]>,
    all: usize,
    number: impl Fn(&str) -> Option<usize>,
) -> Option<Members> {
    Some(Members::new(all, names?.iter().filter_map(|name| number(name))))
}
