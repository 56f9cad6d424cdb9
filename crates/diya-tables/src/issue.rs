//! Rows of table `read_issue`: what could not be read, and what that costs.
//!
//! The kinds stand in `schema/read_issues.toml`. A reader names the kind and
//! the tables concerned; loss and scope follow.

use crate::{IssueKind, Loss, ReadIssueRow, TableId, Tables};

/// One thing that could not be read, was guessed, or is missing.
#[derive(Debug, Clone, Copy)]
pub struct Issue<'a> {
    /// What it is.
    pub kind: IssueKind,
    /// Part of the log; `None`: all of it.
    pub module: Option<&'a str>,
    /// Tables that a loss concerns; none: every table.
    pub tables: &'a [TableId],
    /// Where in the log.
    pub byte_offset: Option<u64>,
    /// Records, bytes or names it concerns.
    pub count: Option<u64>,
    /// What it means for the tables, in words.
    pub effect: &'a str,
}

impl<'a> Issue<'a> {
    /// An issue of the whole log.
    pub fn of_log(kind: IssueKind, effect: &'a str) -> Self {
        Self { kind, module: None, tables: &[], byte_offset: None, count: None, effect }
    }
}

impl Tables {
    /// Appends a row to table `read_issue`.
    pub fn push_issue(&mut self, log: i32, issue: Issue<'_>) {
        let names: Vec<&str> = issue.tables.iter().map(|id| id.def().name).collect();
        let names = names.join(",");
        let is_limited = issue.kind.loss() != Loss::None && !names.is_empty();
        self.push_read_issue(ReadIssueRow {
            log,
            kind: issue.kind.name(),
            module: issue.module,
            byte_offset: issue.byte_offset,
            count: issue.count,
            effect: issue.effect,
            loss: issue.kind.loss().name(),
            scope: issue.kind.scope_of(issue.module).name(),
            tables: is_limited.then_some(names.as_str()),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read_issue;

    fn row(issue: Issue<'_>) -> [Option<String>; 3] {
        let mut tables = Tables::new();
        tables.push_issue(0, issue);
        let rows = tables.take(TableId::ReadIssue).expect("a row");
        [read_issue::LOSS, read_issue::SCOPE, read_issue::TABLES]
            .map(|column| rows.str(column, 0).map(str::to_owned))
    }

    #[test]
    fn a_loss_names_its_tables_and_what_it_is_about() {
        let issue = Issue::of_log(IssueKind::Truncated, "cut");
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(row(issue), [text("missing"), text("log"), None]);
        let tables = &[TableId::Posix, TableId::SizeHistogram];
        let issue = Issue { module: Some("POSIX"), tables, ..issue };
        assert_eq!(row(issue), [text("missing"), text("module"), text("posix,size_histogram")]);
    }

    #[test]
    fn what_is_no_loss_concerns_no_table() {
        let issue = Issue::of_log(IssueKind::KnownDefect, "miscounts");
        let issue = Issue { module: Some("POSIX"), tables: &[TableId::Posix], ..issue };
        assert_eq!(row(issue)[2], None);
    }
}
