//! Only the calls of some regions or steps, and what can be counted from them.
//!
//! Counters of a log are sums over the whole run, so they are counted again from the calls
//! that are left. Runs after all readers, like [`crate::remove_impossible`].

use crate::assemble::Sums;
use crate::derive;
use crate::{Selection, TableSet};
use diya_tables::{
    Call, CallRun, CallTable, HeatmapTable, TableBuilder, TableId, Tables, file, job, region,
};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::RangeInclusive;

/// Categories whose regions are of the whole process.
const OF_PROCESS: [&str; 2] = ["step", "epoch"];

/// Tables whose rows are counted from calls.
fn counted() -> impl Iterator<Item = TableId> {
    let more = [TableId::OpCount, TableId::SizeHistogram, TableId::AccessSize];
    TableId::of_layers().chain(more)
}

/// The regions and steps whose calls are wanted. A call is in a region when it begins in it, in
/// the same thread; steps and epochs are of the whole process.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Within {
    /// Calls in a region with one of these names; empty: all calls.
    pub regions: Vec<String>,
    /// Calls in a step with one of these numbers.
    pub steps: Option<RangeInclusive<i64>>,
}

/// What was found of a [`Within`].
#[derive(Debug, Default)]
pub struct FoundWithin {
    /// Regions and steps that are wanted.
    pub regions: usize,
    /// Names of all regions.
    pub names: BTreeSet<String>,
    /// The first and last number of a step.
    pub steps: Option<(i64, i64)>,
}

impl Within {
    /// Whether calls are left out.
    pub fn is_set(&self) -> bool {
        !self.regions.is_empty() || self.steps.is_some()
    }

    /// Tables that have to be read for it.
    pub fn tables(&self) -> TableSet {
        let needed = [TableId::Job, TableId::File, TableId::Call, TableId::Region];
        if self.is_set() { needed.into_iter().collect() } else { TableSet::NONE }
    }

    /// Removes the calls outside, and counts the others again for the tables of the selection.
    pub fn restrict(&self, selection: &Selection, tables: &mut Tables) -> FoundWithin {
        let mut found = FoundWithin::default();
        let [in_regions, in_steps] = self.spans(tables, &mut found);
        let is_inside = |spans: &Spans, run: &CallRun, thread: Option<u64>, start_s: f64| {
            let of_thread = thread.is_some() && spans.has((run.log, run.rank, thread), start_s);
            of_thread || spans.has((run.log, run.rank, None), start_s)
        };
        let mut calls = std::mem::take(&mut tables.calls);
        calls.retain(|run, chunk, at| {
            let start_s = chunk.start_s.get(at).copied().unwrap_or_default();
            let thread = chunk.thread.get(at);
            (self.regions.is_empty() || is_inside(&in_regions, run, thread, start_s))
                && (self.steps.is_none() || is_inside(&in_steps, run, thread, start_s))
        });
        count_again(selection, &calls, tables);
        tables.calls = calls;
        found
    }

    /// When the wanted regions are, and when the steps.
    fn spans(&self, tables: &Tables, found: &mut FoundWithin) -> [Spans; 2] {
        let mut both = [Spans::default(), Spans::default()];
        let Some(regions) = tables.table(TableId::Region) else { return both };
        for row in 0..regions.rows() {
            let name = regions.str(region::NAME, row).unwrap_or_default();
            let category = regions.str(region::CATEGORY, row);
            let step = regions.i64(region::NUMBER, row).filter(|_| category == Some("step"));
            if !found.names.contains(name) {
                found.names.insert(name.to_owned());
            }
            if let Some(step) = step {
                let (first, last) = found.steps.unwrap_or((step, step));
                found.steps = Some((first.min(step), last.max(step)));
            }
            let is_named = self.regions.iter().any(|wanted| wanted == name);
            let is_step = step.zip(self.steps.as_ref()).is_some_and(|(n, all)| all.contains(&n));
            let (Some(log), Some(rank)) =
                (regions.i32(region::LOG, row), regions.i32(region::RANK, row))
            else {
                continue;
            };
            let is_of_process = category.is_some_and(|category| OF_PROCESS.contains(&category));
            let thread = regions.u64(region::THREAD, row).filter(|_| !is_of_process);
            let time = |column| regions.f64(column, row).unwrap_or_default();
            let span = (time(region::START_S), time(region::END_S));
            found.regions += usize::from(is_named || is_step);
            for (spans, is_wanted) in both.iter_mut().zip([is_named, is_step]) {
                if is_wanted {
                    spans.of.entry((log, rank, thread)).or_default().push(span);
                }
            }
        }
        both.iter_mut().for_each(Spans::settle);
        both
    }
}

/// Log, rank, and the thread where only that is meant.
type ThreadKey = (i32, i32, Option<u64>);

/// Stretches of time by thread, in order and apart.
#[derive(Debug, Default)]
struct Spans {
    of: HashMap<ThreadKey, Vec<(f64, f64)>>,
}

impl Spans {
    /// Puts them in order and joins those that overlap.
    fn settle(&mut self) {
        for spans in self.of.values_mut() {
            spans.sort_by(|a, b| a.0.total_cmp(&b.0));
            spans.dedup_by(|next, before| {
                let is_joined = next.0 <= before.1;
                if is_joined {
                    before.1 = before.1.max(next.1);
                }
                is_joined
            });
        }
    }

    fn has(&self, key: ThreadKey, time_s: f64) -> bool {
        let Some(spans) = self.of.get(&key) else { return false };
        let before = spans.partition_point(|span| span.0 <= time_s).checked_sub(1);
        before.and_then(|at| spans.get(at)).is_some_and(|span| time_s < span.1)
    }
}

/// Counts the calls again: the rows of the log were of all calls.
fn count_again(selection: &Selection, calls: &CallTable, tables: &mut Tables) {
    for table in counted() {
        tables.truncate(table, 0);
    }
    tables.heatmap = HeatmapTable::default();
    let pipes = pipes(tables.table(TableId::File));
    let lengths = run_times(tables.table(TableId::Job));
    let before = derive::Before::of(tables);
    for (log, run_time_s) in lengths {
        let mut sums = Sums::new((run_time_s * 1e9).round() as i64);
        let inner = times_inside(log, calls);
        for chunk in calls.chunks() {
            let mut at = 0;
            for run in &chunk.runs {
                let all = (at..at + run.len).map(|call| chunk.call(call));
                at += run.len;
                if run.log == log {
                    let of = |call: &Call| call.call_id.and_then(|id| inner.get(&id)).copied();
                    sums.add(run, calls, all.map(|call| (call, of(&call).unwrap_or_default())));
                }
            }
        }
        let is_file = |id: u64| !pipes.contains(&(log, id));
        sums.rows((log, selection), &is_file, true, calls, tables);
    }
    derive::fill(selection, &before, tables);
}

/// Time of the calls that were made inside a call, by its id.
fn times_inside(log: i32, calls: &CallTable) -> HashMap<u64, i64> {
    let mut inside: HashMap<u64, i64> = HashMap::new();
    for chunk in calls.chunks() {
        let mut at = 0;
        for run in &chunk.runs {
            for call in (at..at + run.len).filter(|_| run.log == log).map(|at| chunk.call(at)) {
                if let Some(parent) = call.parent_id {
                    let busy_s = call.busy_s.unwrap_or(call.end_s - call.start_s);
                    *inside.entry(parent).or_default() += (busy_s * 1e9).round() as i64;
                }
            }
            at += run.len;
        }
    }
    inside
}

/// Files that are pipes, sockets or terminals, by log.
fn pipes(files: Option<&TableBuilder>) -> HashSet<(i32, u64)> {
    let rows = files.into_iter().flat_map(|files| {
        let is_pipe = |row: &usize| files.str(file::KIND, *row) == Some("pipe");
        (0..files.rows())
            .filter(is_pipe)
            .filter_map(|row| Some((files.i32(file::LOG, row)?, files.u64(file::FILE_ID, row)?)))
    });
    rows.collect()
}

/// How long the job of each log ran.
fn run_times(jobs: Option<&TableBuilder>) -> Vec<(i32, f64)> {
    let rows = jobs.into_iter().flat_map(|jobs| {
        (0..jobs.rows()).filter_map(|row| {
            Some((jobs.i32(job::LOG, row)?, jobs.f64(job::RUN_TIME_S, row).unwrap_or_default()))
        })
    });
    rows.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Request, Serial};
    use diya_tables::posix;

    /// A step of two seconds with a region in each of its halves, and one write in each; a
    /// second thread writes in the second half.
    const TRACE: &str = r#"[
{"ph":"X","name":"ProfilerStep#3","ts":0,"dur":2000000,"pid":1,"tid":1},
{"ph":"X","name":"load","ts":0,"dur":1000000,"pid":1,"tid":1},
{"ph":"X","name":"save","ts":1000000,"dur":1000000,"pid":1,"tid":1},
{"ph":"X","cat":"posix","name":"write","ts":500000,"dur":10,"pid":1,"tid":1,"args":{"file":"/a","ret":10}},
{"ph":"X","cat":"posix","name":"write","ts":1500000,"dur":10,"pid":1,"tid":1,"args":{"file":"/a","ret":200}},
{"ph":"X","cat":"posix","name":"write","ts":1600000,"dur":10,"pid":1,"tid":2,"args":{"file":"/a","ret":3000}},
{"ph":"X","cat":"posix","name":"write","ts":2500000,"dur":10,"pid":1,"tid":1,"args":{"file":"/a","ret":40000}}]"#;

    fn bytes_within(regions: &[&str], steps: Option<RangeInclusive<i64>>) -> (usize, Option<i64>) {
        let source = TRACE.as_bytes().to_vec();
        let selection = &Selection::all();
        let request = Request {
            source: &source,
            log: 0,
            log_name: "made",
            outer_compression: None,
            selection,
            workers: &Serial,
        };
        let mut tables = Tables::new();
        crate::read(&request, &mut tables).expect("a trace");
        let regions = regions.iter().map(|name| (*name).to_owned()).collect();
        let within = Within { regions, steps };
        let found = within.restrict(selection, &mut tables);
        let counters = tables.table(TableId::Posix);
        let bytes = counters.and_then(|counters| counters.i64(posix::BYTES_WRITTEN, 0));
        assert_eq!(found.steps, Some((3, 3)));
        (tables.calls.rows(), bytes)
    }

    #[test]
    fn a_region_keeps_the_calls_of_its_thread_and_counts_them() {
        assert_eq!(bytes_within(&["save"], None), (1, Some(200)));
        assert_eq!(bytes_within(&["save", "load"], None), (2, Some(210)));
    }

    #[test]
    fn a_step_keeps_the_calls_of_all_threads() {
        assert_eq!(bytes_within(&[], Some(3..=3)), (3, Some(3210)));
        assert_eq!(bytes_within(&["load"], Some(0..=5)), (1, Some(10)));
    }

    #[test]
    fn no_region_of_this_name_leaves_no_call() {
        assert_eq!(bytes_within(&["lode"], None), (0, None));
        assert_eq!(bytes_within(&[], Some(4..=9)), (0, None));
    }

    #[test]
    fn the_end_of_a_region_is_outside() {
        let mut spans = Spans::default();
        let key = (0, 0, None);
        spans.of.insert(key, vec![(2.0, 3.0), (0.0, 1.0), (0.5, 1.5)]);
        spans.settle();
        let inside = [0.0, 1.2, 1.5, 2.0, 3.0].map(|at| spans.has(key, at));
        assert_eq!(inside, [true, true, false, true, false]);
    }
}
