//! What Python spends on loading modules between the calls for it.

use super::super::job::Job;
use super::super::lost::computed;
use super::{Class, Share, Shares};
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

/// The process of each log that spends the most on it: rank, calls, seconds.
pub(super) fn of(tables: &[Arc<dyn BatchSource>]) -> HashMap<i32, (i32, i64, f64)> {
    let columns = ["log", "rank", "library", "calls", "pause_s"];
    let mut most: HashMap<i32, (i32, i64, f64)> = HashMap::new();
    for batch in computed(tables, "library_pause", &columns) {
        let libraries = batch.column(2).as_string_view();
        for row in (0..batch.num_rows()).filter(|row| libraries.value(*row) == LIBRARY) {
            let log = batch.column(0).as_primitive::<Int32Type>().value(row);
            let rank = batch.column(1).as_primitive::<Int32Type>().value(row);
            let calls = batch.column(3).as_primitive::<Int64Type>().value(row);
            let pause_s = batch.column(4).as_primitive::<Float64Type>().value(row);
            if calls >= LEAST_CALLS && most.get(&log).is_none_or(|of| of.2 < pause_s) {
                most.insert(log, (rank, calls, pause_s));
            }
        }
    }
    most
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
