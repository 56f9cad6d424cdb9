//! Ranks that take turns: while one is in I/O, the others wait for theirs.
//!
//! Which rank waits for which is not recorded. Where the calls of several ranks fill
//! a period and rarely overlap, the ranks form a chain. The saving of each
//! rank shortens the job then, not only that of the slowest rank.

use super::load::{Load, NO_PHASE};
use crate::from_calls::Phases;
use crate::hash::HashSet;
use diya_tables::Layer;
use std::collections::BTreeMap;

/// Time in calls, summed over ranks, over the time in which any rank was in one:
/// up to this, overlaps are clocks and chance.
const OVERLAP_RATIO: f64 = 1.1;

/// Share of the period that calls fill, at least. Ranks that do I/O now and then
/// between computing seldom meet either.
const FILLED_RATIO: f64 = 0.5;

/// Share of the time that one rank has, at most: else it alone is the path.
const ONE_RANK_RATIO: f64 = 0.9;

/// Whether ranks with so much time each take turns: `busy_s` is the time in which
/// any of them was in a call, of a period of `span_s`.
fn is_chain(ranks_s: &[f64], busy_s: f64, span_s: f64) -> bool {
    let sum_s: f64 = ranks_s.iter().sum();
    let most_s = ranks_s.iter().copied().fold(0.0, f64::max);
    sum_s > 0.0
        && most_s <= ONE_RANK_RATIO * sum_s
        && sum_s <= OVERLAP_RATIO * busy_s
        && busy_s >= FILLED_RATIO * span_s
}

/// Marks the loads of ranks that take turns: by phases where single calls were
/// recorded, else by the spans of records.
pub(super) fn mark(log: i32, phases: &Phases, loads: &mut [Load]) {
    let mut chains: HashSet<(Layer, i32)> = HashSet::default();
    let mut traced: HashSet<Layer> = HashSet::default();
    for (layer, number, ranks_s, busy_s, span_s) in phases.ranks_of(log) {
        traced.insert(layer);
        if is_chain(&ranks_s, busy_s, span_s) {
            chains.insert((layer, number));
        }
    }
    let mut records: BTreeMap<Layer, Vec<&Load>> = BTreeMap::new();
    for load in loads.iter().filter(|l| l.phase == NO_PHASE && !traced.contains(&l.layer)) {
        records.entry(load.layer).or_default().push(load);
    }
    let of_records = records.iter().filter(|(_, records)| is_chain_of_records(records));
    chains.extend(of_records.map(|(layer, _)| (*layer, NO_PHASE)));
    for load in loads.iter_mut().filter(|load| !load.is_shared()) {
        load.in_turn = chains.contains(&(load.layer, load.phase));
    }
}

/// Whether each rank has its time to itself, by the first and last request of each
/// file: what a rank does in between is its turn.
fn is_chain_of_records(records: &[&Load]) -> bool {
    let own: Option<Vec<(f64, f64, &Load)>> = records
        .iter()
        .filter(|load| load.read.calls > 0 || load.write.calls > 0)
        .map(|load| load.span_s.filter(|_| !load.is_shared()).map(|(a, b)| (a, b, *load)))
        .collect();
    // One file of all ranks, or one without times, leaves it open.
    let Some(mut spans) = own else { return false };
    spans.sort_by(|a, b| a.0.total_cmp(&b.0));
    let Some((start_s, ..)) = spans.first().copied() else { return false };
    // Turns: of each rank the time that its files cover, and of all of them.
    let (mut ranks, mut all) = (BTreeMap::<i32, Covered>::new(), Covered::default());
    for (from_s, to_s, load) in &spans {
        all.add(*from_s, *to_s);
        ranks.entry(load.rank).or_default().add(*from_s, *to_s);
    }
    let turns_s: Vec<f64> = ranks.values().map(|rank| rank.sum_s).collect();
    let calls_s: f64 = spans.iter().map(|(.., load)| load.record_s).sum();
    let stretch_s = all.reach_s - start_s;
    is_chain(&turns_s, all.sum_s, stretch_s) && calls_s >= FILLED_RATIO * stretch_s
}

/// Time that spans cover, in order of their starts.
#[derive(Default)]
struct Covered {
    reach_s: f64,
    sum_s: f64,
}

impl Covered {
    fn add(&mut self, start_s: f64, end_s: f64) {
        self.sum_s += (end_s - start_s.max(self.reach_s)).max(0.0);
        self.reach_s = self.reach_s.max(end_s);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::from_calls::Calls;

    fn chain_of_calls(calls: &str) -> bool {
        let calls = Calls::from_text(calls);
        let mut loads = vec![Load::new(Layer::Posix, 7, 0, 0)];
        mark(0, &Phases::of(&calls), &mut loads);
        loads[0].in_turn
    }

    #[test]
    fn ranks_that_follow_each_other_form_a_chain() {
        assert!(chain_of_calls(
            "0 posix write 0 9 0.0 1.0
             1 posix write 9 9 1.0 2.0
             2 posix write 18 9 2.1 3.0"
        ));
    }

    #[test]
    fn ranks_at_the_same_time_do_not() {
        assert!(!chain_of_calls("0 posix write 0 9 0 1\n1 posix write 9 9 0.1 1.1"));
    }

    #[test]
    fn ranks_that_seldom_do_io_do_not() {
        let calls: String = (0..40)
            .map(|i| {
                let start_s = f64::from(i) * 0.1;
                format!("{} posix write 0 9 {start_s} {}\n", i % 2, start_s + 0.01)
            })
            .collect();
        assert!(!chain_of_calls(&calls));
    }

    fn record(rank: i32, span_s: (f64, f64), time_s: f64) -> Load {
        let mut load = Load::new(Layer::Posix, rank as u64, rank, NO_PHASE);
        (load.write.calls, load.span_s, load.record_s) = (1, Some(span_s), time_s);
        load
    }

    fn chain_of(mut loads: Vec<Load>) -> bool {
        mark(0, &Phases::of(&Calls::default()), &mut loads);
        loads[0].in_turn
    }

    #[test]
    fn records_whose_spans_follow_each_other_form_a_chain() {
        assert!(chain_of(vec![record(0, (0.0, 1.0), 0.9), record(1, (1.0, 2.0), 0.9)]));
        assert!(!chain_of(vec![record(0, (0.0, 1.0), 0.9), record(1, (0.5, 1.5), 0.9)]));
        assert!(!chain_of(vec![record(0, (0.0, 1.0), 0.1), record(1, (1.0, 2.0), 0.1)]));
    }
}
