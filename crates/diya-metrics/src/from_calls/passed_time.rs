//! How much time passes for each sample of the processor.
//!
//! Samples count processor time. Where a process gets its processor in turns with others,
//! or the machine shares it, its work takes longer than that, and so does what a fix
//! saves. Of the time between two samples what calls to the storage take is their own; the
//! rest passes for the work that the later sample is of.
//!
//! A process that gives up the processor itself waits for something: as many of the longest
//! times as it did so are taken for such waits, and count as their processor time.

use super::calls::Calls;
use super::processor_position::Item;
use super::processor_samples::TakenSample;
use crate::hash::HashMap;
use diya_tables::{BatchSource, process};
use std::sync::Arc;

diya_tables::columns! {
    struct Switches of process { log: i32, rank: i32, voluntary_switches: i64, ended: str }
}

/// How often each process gave up the processor to wait, where that was counted.
pub(super) fn waits(tables: &[Arc<dyn BatchSource>]) -> HashMap<(i32, i32), usize> {
    let mut waits: HashMap<(i32, i32), usize> = HashMap::default();
    for of in Switches::all(tables) {
        for row in 0..of.rows() {
            let process = (of.log.value(row), of.rank.value(row));
            // Of a process that was killed it is not known.
            let is_killed = of.ended.get(row) == Some("killed or still running");
            let count = of.voluntary_switches.get(row).filter(|_| !is_killed);
            let count = count.and_then(|count| usize::try_from(count).ok()).unwrap_or(usize::MAX);
            let sum = waits.entry(process).or_default();
            *sum = sum.saturating_add(count);
        }
    }
    waits
}

/// Seconds that pass for each sample of the threads of one process: its calls in the order
/// of their starts, its samples in the order of time.
pub(super) fn of_threads(
    threads: &[(&[Item], &[TakenSample])],
    waits: usize,
    calls: &Calls,
) -> Vec<Vec<f64>> {
    let mut passed: Vec<Vec<f64>> =
        threads.iter().map(|(items, taken)| between(items, taken, calls)).collect();
    let beyond_s =
        |of: usize, at: usize, passed: &[Vec<f64>]| passed[of][at] - threads[of].1[at].weight_s;
    let mut longest: Vec<(usize, usize)> = (0..threads.len())
        .flat_map(|of| (0..threads[of].1.len()).map(move |at| (of, at)))
        .filter(|(of, at)| beyond_s(*of, *at, &passed) > 0.0)
        .collect();
    longest.sort_by(|a, b| {
        beyond_s(b.0, b.1, &passed).total_cmp(&beyond_s(a.0, a.1, &passed)).then(a.cmp(b))
    });
    for (of, at) in longest.into_iter().take(waits) {
        passed[of][at] = threads[of].1[at].weight_s;
    }
    // Work takes no less than its processor time; where most is taken for waits, as long.
    let processor: Vec<Vec<f64>> =
        threads.iter().map(|(_, taken)| taken.iter().map(|of| of.weight_s).collect()).collect();
    let sum_s = |times: &[Vec<f64>]| times.iter().flatten().sum::<f64>();
    if sum_s(&passed) < sum_s(&processor) { processor } else { passed }
}

/// Time since the sample before, without calls to the storage; of samples inside such a
/// call, and of the first one, what they stand for.
fn between(items: &[Item], taken: &[TakenSample], calls: &Calls) -> Vec<f64> {
    let spans = Spans::of(items, calls);
    let mut last_s: Option<f64> = None;
    let each = taken.iter().map(|sample| {
        let (in_calls_s, is_inside) = spans.up_to(sample.time_s);
        if is_inside {
            return sample.weight_s;
        }
        let outside_s = sample.time_s - in_calls_s;
        let before_s = last_s.replace(outside_s);
        before_s.map_or(sample.weight_s, |before_s| (outside_s - before_s).max(0.0))
    });
    each.collect()
}

/// When a thread is in a call to the storage.
struct Spans {
    /// Start, end, share of the time in between that the calls take, sum before.
    spans: Vec<(f64, f64, f64, f64)>,
}

impl Spans {
    /// Calls that others contain count with these. In calls of HDF5 and NetCDF the library
    /// works: what they call below counts.
    fn of(items: &[Item], calls: &Calls) -> Self {
        let mut spans: Vec<(f64, f64, f64, f64)> = Vec::new();
        let mut sum_s = 0.0;
        for item in items.iter().filter(|item| item.layer(calls).depth() > 1) {
            let start_s = spans.last().map_or(item.start_s, |last| item.start_s.max(last.1));
            if item.end_s > start_s {
                spans.push((start_s, item.end_s, item.busy_ratio, sum_s));
                sum_s += (item.end_s - start_s) * item.busy_ratio;
            }
        }
        Self { spans }
    }

    /// Seconds in calls before a moment, and whether it lies in one of them.
    fn up_to(&self, time_s: f64) -> (f64, bool) {
        let at = self.spans.partition_point(|span| span.0 <= time_s);
        let Some((start_s, end_s, ratio, before_s)) = at.checked_sub(1).map(|at| self.spans[at])
        else {
            return (0.0, false);
        };
        let inside_s = (time_s.min(end_s) - start_s).max(0.0);
        (before_s + inside_s * ratio, time_s <= end_s && ratio >= 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::processor_samples::Toward;
    use super::*;

    /// Samples of a millisecond each.
    fn taken(times_s: &[f64]) -> Vec<TakenSample> {
        let sample = |time_s: &f64| TakenSample {
            time_s: *time_s,
            weight_s: 0.001,
            code: 0,
            toward: Toward::Unknown,
            helps: Default::default(),
        };
        times_s.iter().map(sample).collect()
    }

    fn passed(text: &str, times_s: &[f64], waits: usize) -> Vec<i64> {
        let calls = Calls::from_text(text);
        let mut items = Vec::new();
        calls.each_of(|_| true, |call| items.push(Item::of(call)));
        items.sort_by(|a, b| a.start_s.total_cmp(&b.start_s).then(b.end_s.total_cmp(&a.end_s)));
        let of = of_threads(&[(&items, &taken(times_s))], waits, &calls);
        of[0].iter().map(|passed_s| (passed_s * 1e3).round() as i64).collect()
    }

    const WRITES: &str = "0 posix write 0 100 0.010 0.020 7
                          0 posix write 0 100 0.030 0.040 7";

    #[test]
    fn a_processor_that_is_shared_makes_work_longer() {
        assert_eq!(passed(WRITES, &[0.001, 0.005, 0.025, 0.045], 0), [1, 4, 10, 10]);
    }

    #[test]
    fn waits_of_the_program_itself_are_no_work() {
        assert_eq!(passed("", &[0.001, 0.002, 0.5, 0.502], 1), [1, 1, 1, 2]);
        assert_eq!(passed("", &[0.001, 0.002, 0.5, 0.502], 9), [1, 1, 1, 1]);
    }

    #[test]
    fn work_inside_a_call_to_the_storage_leaves_the_time_to_what_follows() {
        assert_eq!(passed(WRITES, &[0.009, 0.015, 0.021], 0), [1, 1, 2]);
    }

    #[test]
    fn a_call_of_a_library_is_work_but_for_the_calls_below() {
        let calls = "0 hdf5_dataset write 0 100 0.000 0.100 5
                     0 posix        write 0 100 0.020 0.080 7 1 - 1";
        assert_eq!(passed(calls, &[0.010, 0.090], 0), [1, 20]);
    }
}
