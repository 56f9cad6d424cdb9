//! Programs that were started and left no recording.
//!
//! A process says what it becomes, and what it starts by vfork and posix_spawn; a
//! forked child says so itself. What then has a segment was recorded; the rest is
//! named with what spoke against it. How long it ran, from its start to the moment at
//! which its parent learned of its end, bounds the time in which it can have made calls.

use super::clock::seconds;
use super::header::{Ended, Header};
use diya_model::segment::{
    FIRST_SHELL, START_FAILED as FAILED, START_UNKNOWN as UNKNOWN, START_UNREACHABLE as UNREACHABLE,
};
use diya_tables::{FastHashMap, Issue, IssueKind, Tables, UnrecordedProcessRow};
use std::collections::{BTreeMap, HashSet};

/// `enum diya_start_reason`, and how a sentence says it. No words:
/// nothing is lost, or nothing by accident.
const REASONS: [(&str, Option<&str>); 9] = [
    ("none", None),
    ("static", Some("statically linked")),
    ("environment", Some("the recorder is not in its environment")),
    ("architecture", Some("another processor or word size")),
    ("privileged", Some("setuid")),
    ("skipped", None),
    ("unknown", Some("reason unknown")),
    ("failed", None), // takes another record back
    ("unreachable", Some("other root folder or other user")),
];
/// Of one process's children without a process id: a damaged header may say any number.
const MAX_ROWS: usize = 1000;
/// Names in the sentence of an issue; the table has all.
const MAX_NAMES: usize = 4;
/// Share of the run below which what ran does not matter: two runs of one job differ by
/// more (Isakov et al., SC 2022).
const BRIEF_RATIO: f64 = 0.05;

/// One record of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Started {
    /// 0: not known.
    pub pid: u32,
    pub reason: u8,
    pub program: String,
}

/// When a program began in a process, or when the process was found to have ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ProgramTime<T> {
    pub pid: u32,
    pub is_end: bool,
    pub at: T,
    /// As of `waitpid`; `None`: not known.
    pub status: Option<u32>,
}

impl<T> ProgramTime<T> {
    /// The same on another clock.
    pub fn at<U>(&self, at: U) -> ProgramTime<U> {
        ProgramTime { pid: self.pid, is_end: self.is_end, at, status: self.status }
    }
}

#[derive(Debug)]
struct Program {
    process: i32,
    rank: i32,
    reason: u8,
    /// `None`: segments of older recorders name none.
    path: Option<String>,
    /// Nanoseconds since the start of the job.
    start_ns: Option<i64>,
    /// Parent of the process, where the process itself recorded the program.
    parent_pid: Option<u32>,
    /// Number of the shell that it is, or 0.
    shell: u32,
}

/// When a process was found to have ended, and its status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct End {
    ns: i64,
    status: Option<u32>,
}

/// A child of which its parent knows the times, but no process id.
#[derive(Debug)]
struct Shell {
    host: String,
    parent_pid: u32,
    start_ns: i64,
    end: Option<End>,
}

/// Programs of which nothing has come yet, while processes come in the order they began.
#[derive(Debug, Default)]
pub(super) struct Unrecorded {
    /// By host and process id.
    known: BTreeMap<(String, u32), Program>,
    /// Of these no process id is known.
    others: Vec<Program>,
    /// Processes that a segment records to their end.
    recorded: HashSet<(String, u32)>,
    /// By host and process id.
    ends: FastHashMap<(String, u32), Vec<End>>,
    /// By number of the process that started them, and their own.
    shells: BTreeMap<(i32, u32), Shell>,
}

impl Unrecorded {
    /// Takes in what one process, of this number and rank, says.
    pub fn add(&mut self, header: &Header, (process, rank): (i32, i32), started: &[Started]) {
        let own = (header.host.clone(), header.pid);
        self.known.remove(&own);
        let unattached = children_without_a_segment(header);
        for one in started.iter().chain(&unattached) {
            let key = (header.host.clone(), one.pid);
            // A process that took its number before is another one.
            self.recorded.remove(&key);
            let is_shell = one.pid == 0 || one.pid >= FIRST_SHELL;
            let program = Program {
                process,
                rank,
                reason: one.reason,
                path: Some(one.program.clone()),
                start_ns: None,
                parent_pid: (key == own).then_some(header.parent_pid),
                shell: if is_shell { one.pid } else { 0 },
            };
            if one.reason == FAILED {
                self.known.remove(&key);
            } else if is_shell {
                self.others.push(program);
            } else {
                self.known.insert(key, program);
            }
        }
        let became_another = matches!(header.ended, Ended::Execed | Ended::Skipped);
        if !became_another {
            // The last of its programs left this segment.
            self.known.remove(&own);
            self.recorded.insert(own);
        } else if header.ended == Ended::Execed {
            self.known.entry(own).or_insert(Program {
                process,
                rank,
                reason: UNKNOWN,
                path: None,
                start_ns: None,
                parent_pid: Some(header.parent_pid),
                shell: 0,
            });
        }
    }

    /// Takes in when programs began and ended, as the same process says.
    pub fn add_times(&mut self, header: &Header, process: i32, times: &[ProgramTime<i64>]) {
        for time in times {
            let end = End { ns: time.at, status: time.status };
            let key = (header.host.clone(), time.pid);
            if time.pid >= FIRST_SHELL {
                self.add_shell(header, (process, time.pid), time.is_end, end);
            } else if time.is_end {
                self.ends.entry(key).or_default().push(end);
            } else if let Some(program) = self.known.get_mut(&key)
                && program.process == process
            {
                program.start_ns = Some(time.at);
            }
        }
    }

    fn add_shell(&mut self, header: &Header, key: (i32, u32), is_end: bool, at: End) {
        if !is_end {
            let (host, parent_pid) = (header.host.clone(), header.pid);
            self.shells.insert(key, Shell { host, parent_pid, start_ns: at.ns, end: None });
        } else if let Some(shell) = self.shells.get_mut(&key) {
            shell.end = Some(at);
        }
    }

    /// The end of a program: the first one that was seen of its process since its start.
    fn end(&self, key: &(String, u32), program: &Program) -> Option<End> {
        let start_ns = program.start_ns?;
        let ends = self.ends.get(key).into_iter().flatten().copied();
        let first = ends.filter(|end| end.ns >= start_ns).min();
        first.or_else(|| self.end_of_shell(&key.0, program.parent_pid?, start_ns))
    }

    /// The shell of `system` that became this program (`sh -c program`): it began while its
    /// parent waited. Of several such shells the last end is the bound, without a status.
    fn end_of_shell(&self, host: &str, parent_pid: u32, start_ns: i64) -> Option<End> {
        let mut last: Option<End> = None;
        for shell in self.shells.values() {
            let is_parent = shell.parent_pid == parent_pid && shell.host == host;
            if !is_parent || shell.start_ns > start_ns {
                continue;
            }
            let end = shell.end?;
            if end.ns >= start_ns {
                last =
                    Some(last.map_or(end, |other| End { ns: other.ns.max(end.ns), status: None }));
            }
        }
        last
    }

    /// A program without a process id, with its start and its end.
    fn shell_times(&self, program: &Program) -> (Option<i64>, Option<End>) {
        let shell = self.shells.get(&(program.process, program.shell));
        (shell.map(|shell| shell.start_ns), shell.and_then(|shell| shell.end))
    }

    /// Their rows, and a sentence about those that may have made calls: a loss where they
    /// ran for a good part of the run.
    pub fn rows(&self, log: i32, job_ns: i64, tables: &mut Tables) {
        let known = self.known.iter().filter(|(key, _)| !self.recorded.contains(*key));
        let known = known
            .map(|(key, program)| (Some(key.1), program, program.start_ns, self.end(key, program)));
        let others = self.others.iter().map(|program| {
            let (start_ns, end) = self.shell_times(program);
            (None, program, start_ns, end)
        });
        let mut all: Vec<_> = known.chain(others).collect();
        all.sort_by_key(|(pid, program, ..)| (program.process, *pid, program.shell));
        let mut lost: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        let mut ran_ns: Option<i64> = Some(0);
        for (pid, program, start_ns, end) in all {
            let unknown = REASONS[usize::from(UNKNOWN)];
            let (reason, words) =
                REASONS.get(usize::from(program.reason)).copied().unwrap_or(unknown);
            let (exit_code, signal) = how_it_ended(end.and_then(|end| end.status));
            tables.push_unrecorded_process(UnrecordedProcessRow {
                log,
                process: program.process,
                rank: program.rank,
                pid: pid.map(i64::from),
                program: program.path.as_deref(),
                reason,
                start_s: start_ns.map(seconds),
                end_s: end.map(|end| seconds(end.ns)),
                exit_code,
                signal,
            });
            if let Some(words) = words {
                let path = program.path.as_deref().unwrap_or("one");
                let name = path.rsplit('/').next().unwrap_or(path);
                *lost.entry((name, words)).or_default() += 1;
                let span_ns = end.zip(start_ns).map(|(end, start)| end.ns - start);
                ran_ns = ran_ns.zip(span_ns).map(|(sum, ns)| sum.saturating_add(ns));
            }
        }
        if lost.is_empty() {
            return;
        }
        let count: usize = lost.values().sum();
        let is_brief = ran_ns.is_some_and(|ns| ns as f64 <= BRIEF_RATIO * job_ns as f64);
        let kind = if is_brief { IssueKind::BriefProcess } else { IssueKind::MissingProcess };
        let effect = sentence(count, &lost, ran_ns.map(seconds));
        let count = u64::try_from(count).ok();
        tables.push_issue(log, Issue { count, ..Issue::of_log(kind, &effect) });
    }
}

/// They went on as the same program.
fn children_without_a_segment(header: &Header) -> Vec<Started> {
    let others = usize::try_from(header.unattached.others).unwrap_or(usize::MAX);
    let named = header.unattached.children.iter().map(|(pid, _)| *pid);
    let program = header.exe.clone();
    let started = |pid| Started { pid, reason: UNREACHABLE, program: program.clone() };
    named.chain(std::iter::repeat_n(0, others.min(MAX_ROWS))).map(started).collect()
}

/// Exit code or signal of a status as of `waitpid`.
fn how_it_ended(status: Option<u32>) -> (Option<i32>, Option<i32>) {
    let byte = |shift: u32, mask: u32| status.and_then(|s| i32::try_from(s >> shift & mask).ok());
    match byte(0, 0x7f) {
        Some(0) => (byte(8, 0xff), None),
        signal => (None, signal),
    }
}

/// `ran_s`: how long they ran together.
fn sentence(count: usize, lost: &BTreeMap<(&str, &str), usize>, ran_s: Option<f64>) -> String {
    let mut names: Vec<String> = Vec::new();
    for ((name, words), times) in lost.iter().take(MAX_NAMES) {
        let times = if *times > 1 { format!("{times} times ") } else { String::new() };
        names.push(format!("{times}{name} ({words})"));
    }
    if lost.len() > MAX_NAMES {
        names.push(format!("{} more in table unrecorded_process", lost.len() - MAX_NAMES));
    }
    let (programs, whose) = if count == 1 { ("program", "its") } else { ("programs", "their") };
    let text = diya_model::seconds_text;
    let bound = ran_s.map(|s| format!("; {whose} I/O takes at most {}", text(s)));
    format!(
        "{count} {programs} left no recording: {}{}; `--tracer ptrace` also records programs \
         that cannot load the recorder",
        names.join(", "),
        bound.unwrap_or_default()
    )
}
