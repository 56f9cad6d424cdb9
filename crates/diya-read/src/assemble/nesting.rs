//! Which call was made inside which: by their times, within a thread.

use super::summary::nanoseconds;
use diya_tables::{CallTable, FastHashMap};
use std::cmp::Ordering;

/// Start, end, and how far the layer is from the program.
type Span = (f64, f64, u8);

/// Stands for no call.
const NONE: u32 = u32::MAX;

/// The place of the call that each call of a thread lies in.
#[derive(Debug, Default)]
pub(super) struct Parents {
    /// Calls at the end that lie in none are left out.
    of: Vec<u32>,
}

impl Parents {
    /// The place of the call around this one.
    pub fn get(&self, at: usize) -> Option<usize> {
        self.of.get(at).filter(|parent| **parent != NONE).map(|parent| *parent as usize)
    }

    /// Time of the calls in a call, by its place.
    pub fn inner_ns(&self, calls: &CallTable) -> FastHashMap<usize, i64> {
        let mut inner: FastHashMap<usize, i64> = FastHashMap::default();
        for (at, (start_s, end_s, _)) in spans(calls).enumerate().take(self.of.len()) {
            if let Some(parent) = self.get(at) {
                let busy_ns = nanoseconds(end_s).saturating_sub(nanoseconds(start_s));
                let slot = inner.entry(parent).or_default();
                *slot = slot.saturating_add(busy_ns);
            }
        }
        inner
    }

    fn set(&mut self, at: usize, parent: usize) {
        let parent = u32::try_from(parent).unwrap_or(NONE);
        if self.of.len() <= at {
            self.of.resize(at, NONE);
            self.of.push(parent);
        } else if let Some(slot) = self.of.get_mut(at) {
            *slot = parent;
        }
    }
}

/// Finds the calls around the calls of a thread.
///
/// A call lies in another when that one began before it, or at the same time, and
/// returned after it, or at the same time; of equals the one of the layer further out.
pub(super) fn parents(calls: &CallTable) -> Parents {
    let mut walk = Walk::default();
    // Most tracers write calls in the order of their starts: then nothing has to be kept.
    let mut last = None;
    let is_sorted = spans(calls).enumerate().all(|(at, span)| {
        let before: Option<Span> = last.replace(span);
        let is_next = before.is_none_or(|before| order(&before, &span) != Ordering::Greater);
        if is_next {
            walk.next(at, span);
        }
        is_next
    });
    if !is_sorted {
        walk = Walk::default();
        let mut all: Vec<(Span, usize)> = spans(calls).zip(0..).collect();
        all.sort_by(|(a, at), (b, place)| order(a, b).then(at.cmp(place)));
        all.into_iter().for_each(|(span, at)| walk.next(at, span));
    }
    walk.parents
}

/// By start; what lies in another comes behind it.
fn order(a: &Span, b: &Span) -> Ordering {
    a.0.total_cmp(&b.0).then(b.1.total_cmp(&a.1)).then(a.2.cmp(&b.2))
}

/// The calls around the one that is looked at.
#[derive(Default)]
struct Walk {
    open: Vec<(usize, f64)>,
    parents: Parents,
}

impl Walk {
    fn next(&mut self, at: usize, (start_s, end_s, _): Span) {
        let is_over = |outer_s: f64| outer_s < end_s || outer_s <= start_s;
        while self.open.last().is_some_and(|(_, outer_s)| is_over(*outer_s)) {
            self.open.pop();
        }
        if let Some((outer, _)) = self.open.last() {
            self.parents.set(at, *outer);
        }
        self.open.push((at, end_s));
    }
}

fn spans(calls: &CallTable) -> impl Iterator<Item = Span> {
    calls.chunks().flat_map(|chunk| {
        let mut depths = Vec::with_capacity(chunk.len());
        for run in &chunk.runs {
            depths.resize(depths.len() + run.len, run.layer.depth());
        }
        let span = move |(at, depth)| {
            let time = |times: &[f64]| times.get(at).copied().unwrap_or_default();
            (time(&chunk.start_s), time(&chunk.end_s), depth)
        };
        depths.into_iter().enumerate().map(span)
    })
}
