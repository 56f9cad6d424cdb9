//! Seconds of single calls by the part of the run in which they pass, and by rank.

use super::class::Class;
use diya_tables::Layer;
use std::collections::BTreeMap;

/// Parts of a run: a strip of the page has hardly more pixels.
const WINDOWS: usize = 250;

pub(super) type Kind = (Layer, Class);

/// Seconds of single calls of one log.
#[derive(Debug, Default)]
pub(super) struct Placed {
    pub windows: Windows,
    /// Of all ranks, whether the run waits for them or not.
    pub ranks: BTreeMap<i32, BTreeMap<Kind, f64>>,
}

impl Placed {
    pub fn add_rank(&mut self, rank: i32, kind: Kind, time_s: f64) {
        *self.ranks.entry(rank).or_default().entry(kind).or_default() += time_s;
    }
}

/// Equal parts of the run, each with its seconds by kind.
#[derive(Debug, Default)]
pub(super) struct Windows {
    pub length_s: f64,
    pub parts: BTreeMap<(usize, Kind), f64>,
}

impl Windows {
    pub fn of(run_s: Option<f64>) -> Self {
        Self { length_s: run_s.unwrap_or(0.0) / WINDOWS as f64, parts: BTreeMap::new() }
    }

    /// Adds seconds that pass evenly from the start to the end of a call.
    pub fn add(&mut self, kind: Kind, (start_s, end_s): (f64, f64), time_s: f64) {
        if self.length_s <= 0.0 || time_s <= 0.0 {
            return;
        }
        let place = |at_s: f64| ((at_s / self.length_s).max(0.0) as usize).min(WINDOWS - 1);
        let (first, last) = (place(start_s), place(end_s));
        for at in first..=last {
            let from_s = if at == first { start_s } else { at as f64 * self.length_s };
            let to_s = if at == last { end_s } else { (at + 1) as f64 * self.length_s };
            let share = if first == last { 1.0 } else { (to_s - from_s) / (end_s - start_s) };
            *self.parts.entry((at, kind)).or_default() += time_s * share;
        }
    }
}
