//! What Python spends on loading modules between the calls for it.

use super::super::job::Job;
use super::super::lost::computed;
use super::{Class, Share, Shares};
use crate::relay::Relays;
use arrow::array::AsArray;
use arrow::datatypes::{Float64Type, Int32Type, Int64Type};
use diya_tables::{BatchSource, Layer};
use std::collections::HashMap;
use std::sync::Arc;

/// The library of Python that loads modules.
const LIBRARY: &str = "importlib";

/// How the account names it.
const FUNCTION: &str = "import";

/// Fewer calls are the start of a program that uses a package or two.
const LEAST_CALLS: i64 = 10_000;

/// Processes that load the standard library's usual modules make some hundred each.
const LEAST_CALLS_AGAIN: i64 = 3_000;

/// The process of each log, or the chain of processes, that spends the most on it: rank,
/// calls, seconds.
pub(super) fn of(
    tables: &[Arc<dyn BatchSource>],
    relays: &Relays,
) -> HashMap<i32, (i32, i64, f64)> {
    let columns = ["log", "rank", "library", "calls", "pause_s"];
    let mut chains: HashMap<(i32, i32), Vec<(i64, f64)>> = HashMap::new();
    for batch in computed(tables, "library_pause", &columns) {
        let libraries = batch.column(2).as_string_view();
        for row in (0..batch.num_rows()).filter(|row| libraries.value(*row) == LIBRARY) {
            let log = batch.column(0).as_primitive::<Int32Type>().value(row);
            let rank = batch.column(1).as_primitive::<Int32Type>().value(row);
            let calls = batch.column(3).as_primitive::<Int64Type>().value(row);
            let pause_s = batch.column(4).as_primitive::<Float64Type>().value(row);
            chains.entry((log, relays.of(log, rank))).or_default().push((calls, pause_s));
        }
    }
    let mut most: HashMap<i32, (i32, i64, f64)> = HashMap::new();
    for ((log, rank), chain) in chains {
        let Some((calls, pause_s)) = counted(chain) else { continue };
        if most.get(&log).is_none_or(|of| (of.2, rank) < (pause_s, of.0)) {
            most.insert(log, (rank, calls, pause_s));
        }
    }
    most
}

/// What counts of the calls and pauses of processes that follow one another: all where a
/// large package is loaded, else what was loaded again.
fn counted(chain: Vec<(i64, f64)>) -> Option<(i64, f64)> {
    let sum = |all: &[(i64, f64)]| {
        all.iter().fold((0i64, 0.0), |sum, of| (sum.0.saturating_add(of.0), sum.1 + of.1))
    };
    let all = sum(&chain);
    let most = chain.into_iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
    let again = (all.0 - most.0, all.1 - most.1);
    match all.0 >= LEAST_CALLS {
        true => Some(all),
        false => Some(again).filter(|again| again.0 >= LEAST_CALLS_AGAIN),
    }
}

/// Adds it, no more than the calls leave of the run.
pub(super) fn add(shares: &mut Shares, job: &Job, (rank, calls, pause_s): (i32, i64, f64)) {
    let in_calls_s: f64 = shares.values().map(|share| share.time_s).sum();
    let rest_s = job.facts.run_s.map_or(0.0, |run_s| (run_s - in_calls_s).max(0.0));
    let share: &mut Share = shares.entry((Layer::Posix, Class::Library, None)).or_default();
    share.time_s += pause_s.min(rest_s);
    share.calls = share.calls.saturating_add(calls);
    *share.ranks.entry(rank).or_default() += pause_s.min(rest_s);
    share.function = Some(FUNCTION.to_owned());
}

#[cfg(test)]
mod tests {
    use super::counted;

    #[test]
    fn one_start_is_left_out_and_starting_again_counts() {
        assert_eq!(counted(vec![(2_000, 0.25)]), None);
        assert_eq!(
            counted(vec![(2_000, 0.25), (2_000, 0.25), (1_500, 0.125)]),
            Some((3_500, 0.375))
        );
        assert_eq!(counted(vec![(12_000, 0.5)]), Some((12_000, 0.5)));
    }
}
