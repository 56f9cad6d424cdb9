//! Programs that were started and left no recording.
//!
//! A process says what it becomes, and what it starts by vfork and posix_spawn; a
//! forked child says so itself. What then has a segment was recorded; the rest is
//! named with what spoke against it. How long it ran, from its start to the moment at
//! which its parent learned of its end, bounds the time in which it can have made calls.

use super::header::{Ended, Header};
use super::merge::seconds;
use diya_tables::{Issue, IssueKind, Tables, UnrecordedProcessRow};
use std::collections::{BTreeMap, HashMap, HashSet};

/// `enum diya_start_reason` of `diya_trace.h`, and how a sentence says it. No words:
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
const UNKNOWN: u8 = 6;
const FAILED: u8 = 7;
/// Names in the sentence of an issue; the table has all.
const MOST_NAMES: usize = 4;
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

#[derive(Debug)]
struct Program {
    process: i32,
    rank: i32,
    reason: u8,
    /// `None`: segments of older recorders name none.
    path: Option<String>,
    /// Nanoseconds since the start of the job.
    start_ns: Option<i64>,
}

/// Programs of which nothing has come yet, while processes come in the order they began.
#[derive(Debug, Default)]
pub(super) struct Unrecorded {
    /// By host and process id.
    known: BTreeMap<(String, u32), Program>,
    /// Of these no process id is known.
    others: Vec<Program>,
    /// Processes that a segment tells of to their end.
    recorded: HashSet<(String, u32)>,
    /// When processes were found to have ended, by host and process id.
    ends: HashMap<(String, u32), Vec<i64>>,
}

impl Unrecorded {
    /// Takes in what one process, of this number and rank, says.
    pub fn add(&mut self, header: &Header, (process, rank): (i32, i32), started: &[Started]) {
        let own = (header.host.clone(), header.pid);
        self.known.remove(&own);
        for one in started {
            let key = (header.host.clone(), one.pid);
            // A process that took its number before is another one.
            self.recorded.remove(&key);
            let path = Some(one.program.clone());
            let program = Program { process, rank, reason: one.reason, path, start_ns: None };
            if one.reason == FAILED {
                self.known.remove(&key);
            } else if one.pid == 0 {
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
            let (path, start_ns) = (None, None);
            let unknown = Program { process, rank, reason: UNKNOWN, path, start_ns };
            self.known.entry(own).or_insert(unknown);
        }
    }

    /// Takes in when programs began and ended, as the same process says.
    pub fn add_times(&mut self, host: &str, process: i32, times: &[(u32, bool, i64)]) {
        for (pid, is_end, ns) in times {
            let key = (host.to_string(), *pid);
            if *is_end {
                self.ends.entry(key).or_default().push(*ns);
            } else if let Some(program) = self.known.get_mut(&key)
                && program.process == process
            {
                program.start_ns = Some(*ns);
            }
        }
    }

    /// The end of a program: the first one that was seen of its process since its start.
    fn end_ns(&self, key: &(String, u32), program: &Program) -> Option<i64> {
        let start_ns = program.start_ns?;
        self.ends.get(key)?.iter().copied().filter(|end_ns| *end_ns >= start_ns).min()
    }

    /// Their rows, and a sentence about those that may have made calls: a loss where they
    /// ran for a good part of the run.
    pub fn rows(&self, log: i32, job_ns: i64, tables: &mut Tables) {
        let known = self.known.iter().filter(|(key, _)| !self.recorded.contains(*key));
        let known = known.map(|(key, program)| (Some(key.1), program, self.end_ns(key, program)));
        let others = self.others.iter().map(|program| (None, program, None));
        let mut all: Vec<_> = known.chain(others).collect();
        all.sort_by_key(|(pid, program, _)| (program.process, *pid));
        let mut lost: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        let mut ran_ns: Option<i64> = Some(0);
        for (pid, program, end_ns) in all {
            let unknown = REASONS[usize::from(UNKNOWN)];
            let (reason, words) =
                REASONS.get(usize::from(program.reason)).copied().unwrap_or(unknown);
            tables.push_unrecorded_process(UnrecordedProcessRow {
                log,
                process: program.process,
                rank: program.rank,
                pid: pid.map(i64::from),
                program: program.path.as_deref(),
                reason,
                start_s: program.start_ns.map(seconds),
                end_s: end_ns.map(seconds),
            });
            if let Some(words) = words {
                let path = program.path.as_deref().unwrap_or("one");
                let name = path.rsplit('/').next().unwrap_or(path);
                *lost.entry((name, words)).or_default() += 1;
                let span_ns = end_ns.zip(program.start_ns).map(|(end, start)| end - start);
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

/// `ran_s`: how long they ran together.
fn sentence(count: usize, lost: &BTreeMap<(&str, &str), usize>, ran_s: Option<f64>) -> String {
    let mut names: Vec<String> = Vec::new();
    for ((name, words), times) in lost.iter().take(MOST_NAMES) {
        let times = if *times > 1 { format!("{times} times ") } else { String::new() };
        names.push(format!("{times}{name} ({words})"));
    }
    if lost.len() > MOST_NAMES {
        names.push(format!("{} more in table unrecorded_process", lost.len() - MOST_NAMES));
    }
    let (programs, whose) = if count == 1 { ("program", "its") } else { ("programs", "their") };
    let text = diya_units::seconds_text;
    let bound = ran_s.map(|s| format!("; {whose} I/O takes at most {}", text(s)));
    format!(
        "{count} {programs} left no recording: {}{}; `--tracer ptrace` also records programs that cannot load the recorder",
        names.join(", "),
        bound.unwrap_or_default()
    )
}
