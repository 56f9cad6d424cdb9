//! What is missing in a trace, as rows of `read_issue`.

use super::metadata::{Layout, Metadata};
use diya_tables::{Issue, IssueKind, TableId, Tables};

/// What could not be read.
#[derive(Debug, Default)]
pub(super) struct Losses {
    /// The tar file is damaged or cut here.
    pub tar_damaged_at: Option<u64>,
    /// Ranks without a file that they need.
    pub missing_ranks: u64,
    /// Files that make no sense from some place on, and where the first of them begins.
    pub damaged_files: u64,
    pub first_damaged_at: Option<u64>,
    /// Calls without a time.
    pub untimed_calls: u64,
    /// Times without a call.
    pub idle_times: u64,
    /// Calls whose function or signature is not there.
    pub unknown_calls: u64,
}

impl Losses {
    /// A file is damaged.
    pub fn damaged(&mut self, offset: u64) {
        self.damaged_files += 1;
        self.first_damaged_at.get_or_insert(offset);
    }

    /// Writes the rows.
    pub fn push(&self, log: i32, metadata: &Metadata, tables: &mut Tables) {
        let mut push = |kind, byte_offset, count: u64, effect: &str| {
            if count > 0 {
                let issue = Issue::of_log(kind, effect);
                let concerned = &[TableId::Call, TableId::Region, TableId::OpCount];
                let count = Some(count);
                tables.push_issue(log, Issue { byte_offset, count, tables: concerned, ..issue });
            }
        };
        let is_damaged = u64::from(self.tar_damaged_at.is_some());
        let effect = "the trace is cut or damaged here: files behind this place are missing";
        push(IssueKind::Truncated, self.tar_damaged_at, is_damaged, effect);
        let effect = "ranks left no calls: a file of theirs is missing";
        push(IssueKind::MissingRank, None, self.missing_ranks, effect);
        let effect = "files of signatures, grammars, times or calls are damaged: calls are missing, \
                      and times behind the damage can be wrong";
        push(IssueKind::Corrupt, self.first_damaged_at, self.damaged_files, effect);
        let effect = "calls without a time are left out: files of times are cut";
        push(IssueKind::Truncated, None, self.untimed_calls, effect);
        let effect = "times without a call: files of grammars are damaged";
        push(IssueKind::Corrupt, None, self.idle_times, effect);
        let effect = "calls of unknown functions or signatures are left out";
        push(IssueKind::Corrupt, None, self.unknown_calls, effect);
        let effect = match metadata.layout {
            Layout::Records => {
                "Recorder 2.2 records the results of open and dup only: other calls have no error, \
                 and sizes are those that were asked for"
            }
            _ => {
                "Recorder records no results: calls have no error, and sizes are those that were \
                 asked for"
            }
        };
        let tables_of_sizes = &[TableId::Call];
        let issue = Issue::of_log(IssueKind::Misfit, effect);
        tables.push_issue(log, Issue { module: Some("posix"), tables: tables_of_sizes, ..issue });
    }
}
