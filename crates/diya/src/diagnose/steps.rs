//! A finding in steps, each a type that only the step before can make: judged by its check and
//! explained among the others (`diya-checks/src/steps.rs`), then located in the program, and
//! advised for the run. So none of them sees a finding half-made.

use super::advice::{Circumstances, advised};
use super::late_rank::LateRanks;
use super::main_file::MainFiles;
use super::source::{SourcePlaces, SourceTime};
use super::stack_lines::StackLines;
use crate::{AskError, Session};
use diya_checks::{Advice, Check, ExplainedFinding, LogVerdicts, ProcessNames};
use diya_report::{Finding, Job};

/// Where in the program findings can be.
pub(super) struct Places<'c> {
    checks: &'c [Check],
    source: SourceTime,
    stacks: StackLines,
    late: LateRanks,
    files: MainFiles,
}

impl<'c> Places<'c> {
    /// Those of the logs of a session. The findings, which are of these checks, say what has to
    /// be asked.
    pub fn read(
        session: &Session<'_>,
        logs: &[LogVerdicts],
        checks: &'c [Check],
    ) -> Result<Self, AskError> {
        let findings = || logs.iter().flat_map(LogVerdicts::found);
        Ok(Self {
            checks,
            source: SourceTime::read(session)?,
            stacks: StackLines::read(session)?,
            late: LateRanks::read(session, findings())?,
            files: MainFiles::read(session, findings())?,
        })
    }

    /// The finding with its lines, its files and its late rank.
    pub fn locate(
        &self,
        log: i32,
        explained: ExplainedFinding,
        names: &ProcessNames,
    ) -> LocatedFinding {
        let (mut finding, advice) = explained.into_parts();
        if finding.source.is_empty() {
            finding.source.extend(self.stacks.of(log, &finding));
        }
        let check = self.checks.iter().find(|check| check.id == finding.id);
        let (ops, changed) = check.map_or((&[][..], &[][..]), |of| (&of.ops, &of.changes));
        let SourcePlaces { source, lines, other_lines, lines_of } =
            self.source.of(log, &finding, ops);
        let finding = Finding {
            changes: self.source.changes(log, &finding, &source, changed),
            late: self.late.of(log, &finding, names),
            main_files: self.files.of(log, &finding),
            source,
            lines,
            other_lines,
            lines_of,
            ..finding
        };
        LocatedFinding { finding, advice }
    }
}

/// A finding of which it is known where in the program it is.
pub(super) struct LocatedFinding {
    finding: Finding,
    advice: Advice,
}

impl LocatedFinding {
    /// The finding that a report shows, with what to do about it in this run.
    pub fn advised(self, run: &Circumstances, job: &Job) -> Finding {
        advised(self.finding, &self.advice, run, job)
    }
}
