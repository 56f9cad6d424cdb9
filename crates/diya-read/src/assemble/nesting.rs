//! Which call was made inside which: by their times, within a thread.

use diya_tables::{Call, CallRun, CallTable};

/// The calls of a thread with their ids, and each with the place of the call it lies in.
///
/// A call lies in another when that one began before it, or at the same time, and
/// returned after it, or at the same time; of equals the one of the layer further out.
pub(super) fn parents(calls: &CallTable) -> Vec<Option<usize>> {
    let all: Vec<(CallRun, Call)> = each(calls).collect();
    let mut order: Vec<usize> = (0..all.len()).collect();
    let key = |at: &usize| all.get(*at).map(|(run, call)| (call.start_s, call.end_s, run.layer));
    order.sort_by(|a, b| {
        let (Some(one), Some(two)) = (key(a), key(b)) else { return std::cmp::Ordering::Equal };
        one.0
            .total_cmp(&two.0)
            .then(two.1.total_cmp(&one.1))
            .then(one.2.depth().cmp(&two.2.depth()))
    });
    let mut parents = vec![None; all.len()];
    let mut open: Vec<(usize, f64)> = Vec::new();
    for at in order {
        let Some((_, call)) = all.get(at) else { continue };
        while open.last().is_some_and(|(_, end_s)| *end_s < call.end_s || *end_s <= call.start_s) {
            open.pop();
        }
        if let (Some((outer, _)), Some(parent)) = (open.last(), parents.get_mut(at)) {
            *parent = Some(*outer);
        }
        open.push((at, call.end_s));
    }
    parents
}

/// All calls of a table, each with the run it is in.
pub(super) fn each(calls: &CallTable) -> impl Iterator<Item = (CallRun, Call)> {
    calls.chunks().flat_map(|chunk| {
        let runs = chunk.runs.iter().flat_map(|run| std::iter::repeat_n(*run, run.len));
        let runs: Vec<CallRun> = runs.collect();
        runs.into_iter().enumerate().map(move |(at, run)| (run, chunk.call(at)))
    })
}
