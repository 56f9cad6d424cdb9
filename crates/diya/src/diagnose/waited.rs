//! What the leading thread of a run waited for, besides calls on files.

use super::cells::Cells;
use diya_report::{Started, StartedProgram, Value, Waited};
use std::collections::{BTreeMap, BTreeSet};

/// Waits that no call on a file is. A wait for a pipe is one where the recorder sees its calls; who
/// waits for a child, or for a process of this host, waits for what that one does.
const BESIDE_FILES: [&str; 5] = ["sleep", "network", "socket", "lock", "core"];

/// Share of a wait from which on one place, or one program, stands for all of it.
const MOST: f64 = 0.7;

/// Programs that are named.
const NAMED: usize = 3;

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

/// What the run waited for of other programs than its own, which its processes started: `own` are
/// the names of those that no other of the log started, for recordings that do not say it.
pub(super) fn started(
    leader: &Cells,
    processes: &Cells,
    log: i32,
    own: &BTreeSet<String>,
) -> Option<Started> {
    let mut sums: BTreeMap<String, f64> = BTreeMap::new();
    for row in leader.rows(log) {
        let program = row.text("program").unwrap_or_default();
        let is_other = flag(row.value("is_started")).unwrap_or_else(|| !is_own(&program, own));
        if is_other && program != RECORDER {
            *sums.entry(program).or_default() += row.number("time_s").unwrap_or(0.0);
        }
    }
    let time_s: f64 = sums.values().sum();
    let mut programs: Vec<StartedProgram> = sums
        .into_iter()
        .map(|(program, time_s)| {
            let lives = lives(processes, log, &program);
            let (runs, at_once) = lives.unzip();
            StartedProgram { program, time_s, runs, at_once }
        })
        .collect();
    programs.sort_by(|a, b| b.time_s.total_cmp(&a.time_s));
    programs.truncate(NAMED);
    (time_s > 0.0).then_some(Started { time_s, programs })
}

fn flag(value: Value) -> Option<bool> {
    if let Value::Flag(flag) = value { Some(flag) } else { None }
}

/// How often a program was started by another one of the log, and how many of it were there at a
/// time, on average.
fn lives(processes: &Cells, log: i32, program: &str) -> Option<(i64, f64)> {
    let base = |path: &str| path.rsplit('/').next().map(str::to_owned);
    let is_it = |row: &super::cells::Row<'_>| {
        let line = row.text("command_line").unwrap_or_default();
        let names = [row.text("exe"), line.split_whitespace().next().map(str::to_owned)];
        let mut names = names.into_iter().flatten().filter_map(|path| base(&path));
        let is_cut = program.len() == KERNEL_NAME;
        row.integer("parent").is_some()
            && names.any(|name| name == program || (is_cut && name.starts_with(program)))
    };
    let span = |row: super::cells::Row<'_>| Some((row.number("start_s")?, row.number("end_s")?));
    let mut spans: Vec<(f64, f64)> = processes.rows(log).filter(is_it).filter_map(span).collect();
    spans.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut sum_s, mut together_s, mut until_s) = (0.0, 0.0, f64::NEG_INFINITY);
    for (start_s, end_s) in &spans {
        sum_s += end_s - start_s;
        together_s += (end_s - start_s.max(until_s)).max(0.0);
        until_s = until_s.max(*end_s);
    }
    let runs = i64::try_from(spans.len()).ok().filter(|runs| *runs > 0)?;
    Some((runs, if together_s > 0.0 { sum_s / together_s } else { 1.0 }))
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
