//! Whether requests lie side by side: which requests can be merged, and by which ranks.

use super::super::load::{Load, NO_PHASE, Side};
use super::total;
use crate::hash::HashMap;

/// How the requests of a load lie in the file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Shape {
    /// Without holes, or unknown: the rank merges them by itself.
    Dense,
    /// Those of all ranks together leave no holes: merging means exchange.
    Interleaved,
    /// Merging moves the holes as well; bytes from first to last per byte
    /// that is wanted.
    Sparse(f64),
}

/// Bytes of an extent that requests without holes cover, at least.
const DENSE_RATIO: f64 = 0.9;

/// Extent per byte from which the holes do not matter: they are not read.
const SPARSEST: f64 = 64.0;

/// The shapes of the loads of one file.
#[derive(Debug)]
pub(super) struct Shapes {
    /// Of each direction: extent of all ranks by phase, and bytes in it.
    phases: [HashMap<i32, (i64, i64, f64)>; 2],
}

impl Shapes {
    pub fn of(loads: &[&Load]) -> Self {
        let mut phases = [HashMap::default(), HashMap::default()];
        for (is_write, phases) in [false, true].into_iter().zip(&mut phases) {
            for load in loads {
                let side = load.side(is_write);
                let Some((first, last)) = side.extent else { continue };
                let all = phases.entry(load.phase).or_insert((first, last, 0.0));
                *all = (all.0.min(first), all.1.max(last), all.2 + side.bytes as f64);
            }
        }
        Self { phases }
    }

    pub fn shape(&self, load: &Load, is_write: bool) -> Shape {
        let side = load.side(is_write);
        let Some(extent) = side.extent else { return from_counters(load, side) };
        let extent_ratio = ratio(extent, side.bytes as f64);
        if extent_ratio * DENSE_RATIO <= 1.0 {
            return Shape::Dense;
        }
        let all = self.phases[usize::from(is_write)].get(&load.phase);
        match all {
            Some((first, last, bytes)) if ratio((*first, *last), *bytes) * DENSE_RATIO <= 1.0 => {
                Shape::Interleaved
            }
            _ => Shape::Sparse(extent_ratio.min(SPARSEST)),
        }
    }
}

fn ratio((first, last): (i64, i64), bytes: f64) -> f64 {
    if bytes > 0.0 { last.saturating_sub(first) as f64 / bytes } else { f64::INFINITY }
}

/// Counters know which requests follow each other, not how far apart others
/// are.
fn from_counters(load: &Load, side: &Side) -> Shape {
    match side.apart_calls {
        Some(apart) if load.phase == NO_PHASE && 2 * apart > side.calls => Shape::Interleaved,
        _ => Shape::Dense,
    }
}

/// Share of the bytes read from a file that in order would not be read: a request at a
/// random place fills a buffer with more than it needs, which the next one throws away.
pub(super) fn again_ratio(loads: &[&Load]) -> f64 {
    let extent = loads.iter().map(|load| load.read_extent_bytes).max().unwrap_or(0);
    let bytes = total(loads, |load| load.read.bytes);
    if extent > 0 && bytes > extent { 1.0 - extent as f64 / bytes as f64 } else { 0.0 }
}
