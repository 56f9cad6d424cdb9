//! Numbers of two runs side by side.

use super::facts::Facts;
use super::noise::is_beyond;
use diya_report::comparison::{Change, ComparedRun, Noise, SizeChange};
use std::collections::BTreeSet;

/// Counts are the same in every run of a job, but for few calls of libraries.
const SAME_COUNT: f64 = 0.01;

/// What is good about a number.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Better {
    /// Less of it, and chance moves it as it moves run times.
    LessRunTime,
    /// Less of it, and chance moves it as it moves times of I/O.
    LessTime,
    /// More of it: a rate of I/O.
    MoreRate,
    /// Neither; it is counted, so chance does not move it.
    Count,
}

/// Numbers of the job, then those of its layers.
pub(super) fn numbers(
    (a, before): (&ComparedRun, &Facts),
    (b, after): (&ComparedRun, &Facts),
    noise: Noise,
) -> Vec<Change> {
    let rate = |run: &ComparedRun| {
        let bytes = run.verdict.bytes.filter(|bytes| *bytes > 0)?;
        diya_model::ratio(Some(bytes as f64), run.io_s)
    };
    let share = |run: &ComparedRun| diya_model::ratio(run.io_s, run.run_s);
    let bytes = |run: &ComparedRun| run.verdict.bytes.map(|bytes| bytes as f64);
    let files = |facts: &Facts| Some(facts.files.len() as f64).filter(|files| *files > 0.0);
    let job = |name, unit, a, b, better| change("job", name, unit, (a, b), better, noise);
    let mut changes = vec![
        job("run_s", "s", a.run_s, b.run_s, Better::LessRunTime),
        job("io_s", "s", a.io_s, b.io_s, Better::LessTime),
        job("io_ratio", "1", share(a), share(b), Better::Count),
        job("bytes", "bytes", bytes(a), bytes(b), Better::Count),
        job("io_bytes_per_s", "bytes/s", rate(a), rate(b), Better::MoreRate),
        job("files", "files", files(before), files(after), Better::Count),
    ];
    let keys: BTreeSet<_> = before.ops.keys().chain(after.ops.keys()).collect();
    for key in keys {
        let (x, y) = (before.ops.get(key), after.ops.get(key));
        let subject = format!("{} {}", key.0, key.1);
        let mut op = |name, unit, get: fn(&super::facts::Op) -> Option<f64>, better| {
            let values = (x.and_then(get), y.and_then(get));
            changes.push(change(&subject, name, unit, values, better, noise));
        };
        op("calls", "calls", |op| op.calls, Better::Count);
        op("bytes", "bytes", |op| op.bytes, Better::Count);
        op("mean_bytes", "bytes", |op| op.mean_bytes, Better::Count);
        op("time_s", "s", |op| op.time_s, Better::LessTime);
        op("bytes_per_s", "bytes/s", |op| op.bandwidth_bytes_per_s, Better::MoreRate);
    }
    changes.retain(|change| change.before.is_some() || change.after.is_some());
    changes
}

fn change(
    subject: &str,
    name: &str,
    unit: &str,
    (before, after): (Option<f64>, Option<f64>),
    better: Better,
    noise: Noise,
) -> Change {
    let both = before.zip(after);
    let noise_ratio = match better {
        Better::LessRunTime => noise.run_ratio,
        Better::LessTime | Better::MoreRate => noise.io_ratio,
        Better::Count => SAME_COUNT,
    };
    Change {
        subject: subject.to_owned(),
        name: name.to_owned(),
        unit: unit.to_owned(),
        before,
        after,
        change_ratio: both.filter(|(before, _)| *before != 0.0).map(|(a, b)| b / a - 1.0),
        is_beyond_noise: both.map(|(a, b)| is_beyond(a, b, noise_ratio)),
        is_worse: match better {
            Better::LessRunTime | Better::LessTime => both.map(|(a, b)| b > a),
            Better::MoreRate => both.map(|(a, b)| b < a),
            Better::Count => None,
        },
    }
}

/// Requests by size, the bins of both runs.
pub(super) fn sizes(before: &Facts, after: &Facts) -> Vec<SizeChange> {
    let keys: BTreeSet<_> = before.sizes.keys().chain(after.sizes.keys()).collect();
    let change = |key: &(String, String, i64)| {
        let (a, b) = (before.sizes.get(key), after.sizes.get(key));
        SizeChange {
            layer: key.0.clone(),
            op: key.1.clone(),
            size_lo_bytes: key.2,
            size_hi_bytes: a.or(b).and_then(|size| size.size_hi_bytes),
            calls_before: a.map_or(0, |size| size.calls),
            calls_after: b.map_or(0, |size| size.calls),
            before_ratio: a.and_then(|size| size.calls_ratio),
            after_ratio: b.and_then(|size| size.calls_ratio),
        }
    };
    keys.into_iter().map(change).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOISE: Noise = Noise { run_ratio: 0.1, io_ratio: 0.2, is_measured: false };

    fn told(name: &str, before: f64, after: f64, better: Better) -> (Option<bool>, Option<bool>) {
        let values = (Some(before), Some(after));
        let change = change("job", name, "s", values, better, NOISE);
        (change.is_beyond_noise, change.is_worse)
    }

    #[test]
    fn each_number_has_its_own_noise() {
        assert_eq!(told("run_s", 100.0, 115.0, Better::LessRunTime), (Some(true), Some(true)));
        assert_eq!(told("io_s", 100.0, 115.0, Better::LessTime), (Some(false), Some(true)));
        assert_eq!(told("rate", 100.0, 130.0, Better::MoreRate), (Some(true), Some(false)));
        assert_eq!(told("calls", 100.0, 102.0, Better::Count), (Some(true), None));
    }

    #[test]
    fn what_one_run_lacks_has_no_change() {
        let change = change("job", "io_s", "s", (Some(1.0), None), Better::LessTime, NOISE);
        assert_eq!((change.change_ratio, change.is_beyond_noise), (None, None));
    }
}
