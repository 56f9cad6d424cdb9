//! What the checks found in one log.

use super::At;
use super::record::file_hash;
use crate::generated::FindingRow;
use crate::names::Names;
use crate::round::{to_16_bits, to_24_bits};
use diya::report::{Report, Severity, VerdictKind};
use diya_tables::TableBuilder;

/// The judgement of a log.
pub struct LogFindings(Report);

impl From<Report> for LogFindings {
    fn from(report: Report) -> Self {
        Self(report)
    }
}

fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::High => "high",
        Severity::Warn => "warn",
        Severity::Unexplained => "unexplained",
        Severity::Info => "info",
        Severity::Ok => "ok",
    }
}

impl LogFindings {
    pub fn verdict(&self) -> &'static str {
        match self.0.verdict.kind {
            VerdictKind::NotTheProblem => "not_the_problem",
            VerdictKind::Findings => "findings",
            VerdictKind::AtSpeed => "at_speed",
            VerdictKind::NotJudged => "not_judged",
        }
    }

    /// Time in I/O on the critical path, as `time_account` has it.
    pub fn io_s(&self) -> Option<f64> {
        self.0.verdict.io_s
    }

    /// Findings of a kind that no other finding explains.
    pub fn count(&self, is_counted: impl Fn(Severity) -> bool) -> i64 {
        let own = self.0.findings.iter().filter(|finding| finding.explained_by.is_none());
        own.filter(|finding| is_counted(finding.severity)).count() as i64
    }

    /// What all fixes save together: best estimate, at least, at most.
    pub fn recoverable_s(&self) -> [Option<f64>; 3] {
        let all = self.0.all_fixed;
        let all = all.map(|all| [all.saved_s, all.lost_low_s, all.lost_high_s]);
        all.unwrap_or_default().map(|seconds| seconds.map(to_16_bits))
    }

    /// Rows of `finding`.
    pub fn push(&self, at: At, names: &Names, out: &mut TableBuilder) {
        for finding in &self.0.findings {
            let seconds = |value: Option<f64>| value.map(to_24_bits);
            FindingRow {
                log_hash: at.log_hash,
                start_time: at.start,
                check_id: &finding.id,
                code: &finding.code,
                severity: severity(finding.severity),
                saved_s: seconds(finding.saved_s),
                lost_low_s: seconds(finding.lost_low_s),
                lost_high_s: seconds(finding.lost_high_s),
                explained_by: finding.explained_by.as_deref(),
                is_on_part: finding.on_part.is_some(),
                evidence_rows: finding.evidence_rows as i64,
                files: finding.files.len() as i64,
                file_hash: finding.files.first().map(|path| file_hash(names, path, 0)),
                ost_id: finding.targets.first().copied(),
                rank: finding.ranks.first().copied(),
                // A sentence may name files.
                text: if names.is_anonymous { "" } else { &finding.text },
            }
            .push(out);
        }
    }
}
