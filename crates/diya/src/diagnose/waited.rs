//! What the leading thread of a run waited for, besides calls on files.

use super::cells::Cells;
use diya_report::Waited;
use std::collections::{BTreeMap, BTreeSet};

/// Waits that no call on a file is. A wait for a pipe is one where the recorder sees its calls; who
/// waits for a child, or for a process of this host, waits for what that one does.
const BESIDE_FILES: [&str; 5] = ["sleep", "network", "socket", "lock", "core"];

/// Share of a wait from which on one place, or one program, stands for all of it.
const MOST: f64 = 0.7;

/// Bytes that the kernel keeps of a name.
const KERNEL_NAME: usize = 15;

/// The longest of them; `own` are the names of the programs that no other of the log started.
pub(super) fn longest(leader: &Cells, log: i32, own: &BTreeSet<String>) -> Option<Waited> {
    let mut sums: BTreeMap<String, Sum> = BTreeMap::new();
    for row in leader.rows(log) {
        let activity = row.text("activity")?;
        if !BESIDE_FILES.contains(&activity.as_str()) {
            continue;
        }
        let time_s = row.number("time_s").unwrap_or(0.0);
        let sum = sums.entry(activity).or_default();
        sum.time_s += time_s;
        *sum.programs.entry(row.text("program").unwrap_or_default()).or_default() += time_s;
        *sum.places.entry(row.text("place").unwrap_or_default()).or_default() += time_s;
    }
    let (activity, sum) = sums.into_iter().max_by(|a, b| a.1.time_s.total_cmp(&b.1.time_s))?;
    Some(Waited {
        program: most(&sum.programs, sum.time_s).filter(|name| !is_own(name, own)),
        place: most(&sum.places, sum.time_s),
        activity,
        time_s: sum.time_s,
    })
}

/// Seconds in which the run waited for other programs than its own, which its processes started:
/// `own` are the names of those that no other of the log started.
pub(super) fn children_s(leader: &Cells, log: i32, own: &BTreeSet<String>) -> Option<f64> {
    let of_others = leader.rows(log).filter_map(|row| {
        let program = row.text("program").filter(|name| !is_own(name, own))?;
        (program != RECORDER).then(|| row.number("time_s"))?
    });
    Some(of_others.sum::<f64>()).filter(|sum_s| *sum_s > 0.0)
}

/// The kernel may have cut the name.
fn is_own(name: &str, own: &BTreeSet<String>) -> bool {
    let is_cut = name.len() == KERNEL_NAME;
    own.iter().any(|of| of == name || (is_cut && of.starts_with(name)))
}

/// Before the command starts.
const RECORDER: &str = "diya";

#[derive(Default)]
struct Sum {
    time_s: f64,
    programs: BTreeMap<String, f64>,
    places: BTreeMap<String, f64>,
}

/// The name that stands for nearly all of the time.
fn most(names: &BTreeMap<String, f64>, all_s: f64) -> Option<String> {
    let is_most = |(name, time_s): &(&String, &f64)| !name.is_empty() && **time_s >= MOST * all_s;
    names.iter().find(is_most).map(|(name, _)| name.clone())
}
