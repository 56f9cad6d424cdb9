//! Calls that could be neither recorded nor counted because of the moment at which they were made.
//!
//! A shell that starts many programs loses one here and there: its handler of `SIGCHLD` interrupts
//! the recorder. So few of a run decide nothing; many are missing like any others.

use super::process::Outcome;
use diya_tables::{Issue, IssueKind, Tables};

/// So many calls of the run have to be there for each that is missing.
const FOR_EACH: u64 = 1000;

/// Such calls of all processes.
#[derive(Default)]
pub(super) struct FewLost {
    seen: u64,
    lost: u64,
    rows: Vec<Row>,
}

struct Row {
    segment: String,
    calls: u64,
    effect: String,
}

impl FewLost {
    /// Counts the calls that a process made.
    pub fn see(&mut self, outcome: &Outcome) {
        let calls = outcome.definitions.calls.saturating_add(outcome.counted_calls);
        self.seen = self.seen.saturating_add(calls);
    }

    /// Takes in calls of one process that are missing.
    pub fn add(&mut self, segment: &str, calls: u64, effect: String) {
        self.lost = self.lost.saturating_add(calls);
        self.rows.push(Row { segment: segment.to_owned(), calls, effect });
    }

    /// A row of `read_issue` for each process that lost calls.
    pub fn push(&self, log: i32, tables: &mut Tables) {
        let kind = match self.lost.saturating_mul(FOR_EACH) <= self.seen {
            true => IssueKind::FewNotRecorded,
            false => IssueKind::NotRecorded,
        };
        for row in &self.rows {
            let issue = Issue::of_log(kind, &row.effect);
            let issue = Issue { module: Some(&row.segment), count: Some(row.calls), ..issue };
            tables.push_issue(log, issue);
        }
    }
}
