//! A report as data, as much as an assistant needs to choose a fix.

use diya::report::{self, Finding, Report, Severity};
use serde::Serialize;

/// Files, source lines and ranks that a finding names.
const NAMED: usize = 5;

/// One job with its findings.
#[derive(Serialize)]
pub struct Job<'r> {
    logs: &'r [String],
    verdict: &'r str,
    run_s: Option<f64>,
    findings: Vec<Found<'r>>,
    /// Ids of findings that have no room: `explain` and `report` say more.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    more_findings: Vec<&'r str>,
    /// Checks that cannot be decided from these logs.
    unknown_checks: Vec<&'r str>,
}

/// One finding; empty lists are left out.
#[derive(Serialize)]
struct Found<'r> {
    id: &'r str,
    severity: Severity,
    title: &'r str,
    text: &'r str,
    /// The estimate with its range, as reports write it; null: not quantifiable.
    saves: Option<String>,
    saved_s: Option<f64>,
    saved_low_s: Option<f64>,
    saved_high_s: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    explained_by: Option<&'r str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    source: Vec<&'r str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    files: Vec<&'r str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ranks: Vec<i64>,
    fixes: Vec<Fix<'r>>,
    verify: &'r str,
    /// The resource that says more.
    page: String,
}

/// What to do, and in which software.
#[derive(Serialize)]
struct Fix<'r> {
    /// The direction after a comma where it is for one: `HDF5, reading`.
    software: String,
    text: &'r str,
}

impl<'r> Job<'r> {
    /// What the report says.
    pub fn of(report: &'r Report) -> Self {
        Self {
            logs: &report.logs,
            verdict: &report.verdict.text,
            run_s: report.job.run_s,
            findings: report.findings.iter().map(Found::of).collect(),
            more_findings: Vec::new(),
            unknown_checks: report.unknown.iter().map(|check| check.id.as_str()).collect(),
        }
    }
}

impl Job<'_> {
    /// Leaves only the id of the last finding; `false`: the first one is always whole.
    pub fn shorten(&mut self) -> bool {
        let last = if self.findings.len() > 1 { self.findings.pop() } else { None };
        self.more_findings.splice(0..0, last.iter().map(|found| found.id));
        last.is_some()
    }
}

impl<'r> Found<'r> {
    fn of(finding: &'r Finding) -> Self {
        let (fixes, _) = report::fitting_actions(finding);
        Self {
            id: &finding.id,
            severity: finding.severity,
            title: &finding.title,
            text: &finding.text,
            saves: report::saves(finding.saved_s, finding.lost_low_s, finding.lost_high_s),
            saved_s: finding.saved_s,
            saved_low_s: finding.lost_low_s,
            saved_high_s: finding.lost_high_s,
            explained_by: finding.explained_by.as_deref(),
            source: first(&finding.source),
            files: first(&finding.files),
            ranks: finding.ranks.iter().take(NAMED).copied().collect(),
            fixes: fixes
                .into_iter()
                .map(|action| Fix {
                    software: action.heading().unwrap_or_else(|| action.stack.clone()),
                    text: &action.text,
                })
                .collect(),
            verify: &finding.verify,
            page: format!("diya://checks/{}", finding.id),
        }
    }
}

fn first(all: &[String]) -> Vec<&str> {
    all.iter().take(NAMED).map(String::as_str).collect()
}
