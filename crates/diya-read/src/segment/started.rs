//! Programs that were started and left no recording.
//!
//! A process says what it becomes, and what it starts by vfork and posix_spawn; a
//! forked child says so itself. What then has a segment was recorded; the rest is
//! named with what spoke against it.

use super::header::{Ended, Header};
use diya_tables::{Issue, IssueKind, Tables, UnrecordedProcessRow};
use std::collections::{BTreeMap, HashSet};

/// `enum diya_start_reason` of `diya_trace.h`, and how a sentence says it. No words:
/// nothing is lost, or nothing by accident.
const REASONS: [(&str, Option<&str>); 9] = [
    ("none", None),
    ("static", Some("statically linked")),
    ("environment", Some("with an environment that does not name the recorder")),
    ("architecture", Some("of another processor or word size")),
    ("privileged", Some("setuid")),
    ("skipped", None),
    ("unknown", Some("of which nothing is known")),
    ("failed", None), // takes another record back
    ("unreachable", Some("in another root folder or as another user")),
];
const UNKNOWN: u8 = 6;
const FAILED: u8 = 7;
/// Names in the sentence of an issue; the table has all.
const MOST_NAMES: usize = 4;

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
}

impl Unrecorded {
    /// Takes in what one process says.
    pub fn add(&mut self, header: &Header, process: i32, rank: i32, started: &[Started]) {
        let own = (header.host.clone(), header.pid);
        self.known.remove(&own);
        for one in started {
            let key = (header.host.clone(), one.pid);
            // A process that took its number before is another one.
            self.recorded.remove(&key);
            let program =
                Program { process, rank, reason: one.reason, path: Some(one.program.clone()) };
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
            let unknown = Program { process, rank, reason: UNKNOWN, path: None };
            self.known.entry(own).or_insert(unknown);
        }
    }

    /// Their rows, and a sentence about those that may have made calls.
    pub fn rows(&self, log: i32, tables: &mut Tables) {
        let known = self.known.iter().filter(|(key, _)| !self.recorded.contains(*key));
        let known = known.map(|((_, pid), program)| (Some(*pid), program));
        let mut all: Vec<_> = known.chain(self.others.iter().map(|p| (None, p))).collect();
        all.sort_by_key(|(pid, program)| (program.process, *pid));
        let mut lost: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        for (pid, program) in all {
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
            });
            if let Some(words) = words {
                let path = program.path.as_deref().unwrap_or("one");
                let name = path.rsplit('/').next().unwrap_or(path);
                *lost.entry((name, words)).or_default() += 1;
            }
        }
        if !lost.is_empty() {
            let count: usize = lost.values().sum();
            let effect = sentence(count, &lost);
            let count = u64::try_from(count).ok();
            let kind = IssueKind::MissingProcess;
            tables.push_issue(log, Issue { count, ..Issue::of_log(kind, &effect) });
        }
    }
}

fn sentence(count: usize, lost: &BTreeMap<(&str, &str), usize>) -> String {
    let mut names: Vec<String> = Vec::new();
    for ((name, words), times) in lost.iter().take(MOST_NAMES) {
        let times = if *times > 1 { format!("{times} times ") } else { String::new() };
        names.push(format!("{times}{name} ({words})"));
    }
    if lost.len() > MOST_NAMES {
        names.push(format!("{} more in table unrecorded_process", lost.len() - MOST_NAMES));
    }
    let programs = if count == 1 { "program" } else { "programs" };
    format!(
        "{count} {programs} left no recording: {}; `--tracer ptrace` records what cannot load the recorder",
        names.join(", ")
    )
}
