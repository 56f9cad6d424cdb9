//! Rows of table `read_issue`: what could not be read, and what that costs.
//!
//! The kinds stand in `schema/read_issues.toml`. A reader names the kind and
//! the tables concerned; loss and scope follow.

use crate::{IssueKind, ReadIssueRow, TableId, Tables};

/// What a log lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Loss {
    /// Nothing that a table should hold is missing or wrong.
    None,
    /// Rows or values are missing; what is there is right.
    Missing,
    /// Rows are there that can be wrong.
    Doubtful,
}

/// What an issue is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // the names say it
pub enum Scope {
    Log,
    Module,
    Table,
    Rank,
    Process,
    File,
}

impl Loss {
    const ALL: [Self; 3] = [Self::None, Self::Missing, Self::Doubtful];

    /// Its name in the table.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Missing => "missing",
            Self::Doubtful => "doubtful",
        }
    }

    /// The loss with this name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|loss| loss.name() == name)
    }
}

impl Scope {
    /// Its name in the table.
    pub fn name(self) -> &'static str {
        match self {
            Self::Log => "log",
            Self::Module => "module",
            Self::Table => "table",
            Self::Rank => "rank",
            Self::Process => "process",
            Self::File => "file",
        }
    }
}

impl IssueKind {
    /// The kind with this name.
    ///
    /// ```
    /// use diya_tables::{IssueKind, Loss};
    /// let kind = IssueKind::of_name("truncated");
    /// assert_eq!(kind.map(IssueKind::loss), Some(Loss::Missing));
    /// ```
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// What a row of this kind is about.
    pub fn scope_of(self, module: Option<&str>) -> Scope {
        match self.scope() {
            // Such losses name no part of the file, and still are not of all of it.
            scope @ (Scope::Rank | Scope::Process) => scope,
            scope if module.is_some() => scope,
            _ => Scope::Log,
        }
    }
}

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

    #[test]
    fn every_name_leads_back_to_its_kind() {
        for kind in IssueKind::ALL {
            assert_eq!(IssueKind::of_name(kind.name()), Some(kind));
            assert_eq!(Loss::of_name(kind.loss().name()), Some(kind.loss()));
        }
    }
}
