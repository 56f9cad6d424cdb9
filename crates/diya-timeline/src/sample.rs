//! The longest calls and a sample of the others, with the sums of all.

use crate::grid::Grid;
use crate::grid_build::{GRID_CELLS, GRID_ROWS};
use crate::work::alone;
use crate::{Branch, Bundle, Calls, Holding, NONE, Narrow, Store, Stream, whole_tree};
use std::sync::OnceLock;

/// A store of about `most` calls: half of them the longest, half every n-th of
/// the others. With `is_final` it holds the grid of each layer and a note.
pub fn sampled(store: &Store, most: usize, is_final: bool) -> Store {
    let calls = &store.calls;
    let all = calls.len();
    let mut by_duration: Vec<u32> = (0..all as u32).collect();
    let longest = (most / 2).min(all);
    if longest < all {
        by_duration.select_nth_unstable_by_key(longest, |call| {
            std::cmp::Reverse(calls.duration_ns.value(*call as usize))
        });
    }
    let mut is_kept = vec![false; all];
    by_duration[..longest].iter().for_each(|call| is_kept[*call as usize] = true);
    let step = (all / (most / 2).max(1)).max(1);
    (0..all).step_by(step).for_each(|call| is_kept[call] = true);
    let kept = pick(calls, &is_kept);
    let note = format!(
        "{} of {all} calls can be looked at one by one: the {longest} longest, and of the others 1 in {step}. \
         Pictures over time show sums over all calls. For every call: diya open LOG",
        kept.len()
    );
    Store {
        logs: store.logs.clone(),
        layers: store.layers.clone(),
        ops: store.ops.clone(),
        functions: store.functions.clone(),
        hosts: store.hosts.clone(),
        errors: store.errors.clone(),
        forms: store.forms.clone(),
        tracks: store.tracks.clone(),
        files: store.files.clone(),
        stacks: store.stacks.clone(),
        regions: store.regions.clone(),
        places: store.places.clone(),
        holding: if is_final { Holding::Grid } else { store.holding },
        rows_in_all: store.rows_in_all,
        note: if is_final { Some(note) } else { None },
        calls: kept,
        grids: if is_final { grids(store) } else { Vec::new() },
        trees: if is_final { trees(store) } else { Default::default() },
    }
}

/// Grids at half the resolution: they are mailed.
fn grids(store: &Store) -> Vec<OnceLock<Grid>> {
    let rows = (GRID_ROWS / 2 / store.layers.len().max(1)).max(64);
    let layers = 0..store.layers.len() as u8;
    layers
        .map(|layer| OnceLock::from(Grid::build(store, layer, (GRID_CELLS / 2, rows), &alone)))
        .collect()
}

/// The trees of all calls: those of a sample would show its sums.
fn trees(store: &Store) -> [OnceLock<Vec<Branch>>; 2] {
    [false, true].map(|is_nested| OnceLock::from(whole_tree(store, is_nested).to_vec()))
}

/// The calls that are kept, in their streams.
fn pick(calls: &Calls, is_kept: &[bool]) -> Calls {
    let kept = || (0..calls.len()).filter(|call| is_kept[*call]);
    let mut place = vec![NONE; if calls.parent.is_empty() { 0 } else { calls.len() }];
    if !place.is_empty() {
        (0u32..).zip(kept()).for_each(|(new, call)| place[call] = new);
    }
    let mut picked = Calls { threads: calls.threads.clone(), ..Calls::default() };
    let (mut durations, mut sizes) = (Narrow::default(), Narrow::default());
    for stream in &calls.streams {
        let first = picked.start_ns.len() as u32;
        for call in stream.range().filter(|call| is_kept[*call]) {
            if calls.weight(call).0 != 1 {
                let (number, busy_ns) = calls.weight(call);
                let call = picked.start_ns.len() as u32;
                picked.bundles.push(Bundle { call, calls: number, busy_ns });
            }
            picked.start_ns.push(calls.start_ns[call]);
            picked.offset_bytes.push(calls.offset_bytes[call]);
            picked.file.push(calls.file[call]);
            picked.form.push(calls.form[call]);
            durations.push(calls.duration_ns.get(call));
            sizes.push(calls.size_bytes.get(call));
            if !calls.stack.is_empty() {
                picked.stack.push(calls.stack[call]);
            }
            if !calls.place.is_empty() {
                picked.place.push(calls.place[call]);
            }
            if !calls.thread.is_empty() {
                picked.thread.push(calls.thread[call]);
            }
            if !place.is_empty() {
                picked.parent.push(calls.parent_of(call).map_or(NONE, |parent| place[parent]));
            }
        }
        let end = picked.start_ns.len() as u32;
        if end > first {
            picked.streams.push(Stream { first, end, ..*stream });
        }
    }
    (picked.duration_ns, picked.size_bytes) = (durations, sizes);
    picked.finish();
    picked
}
