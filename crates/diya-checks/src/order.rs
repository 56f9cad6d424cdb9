//! Which finding a reader should look at first.

use crate::{Check, Finding, Severity};

/// Share of the seconds of a finding that another one has to cover to explain it.
const EXPLAINED_RATIO: f64 = 0.5;

/// Says which findings others explain, and puts what to look at first first.
pub(crate) fn rank(findings: &mut [Finding], checks: &[Check]) {
    let most_s = |f: &Finding| f.lost_high_s.unwrap_or(0.0);
    let mut explaining: Vec<(&str, f64, Severity, &[String])> = findings
        .iter()
        .filter_map(|f| {
            let check = checks.iter().find(|check| check.id == f.id)?;
            Some((check.id.as_str(), most_s(f), f.severity, check.explains.as_slice()))
        })
        .filter(|(.., explains)| !explains.is_empty())
        .collect();
    // What explains most comes nearest to the cause.
    explaining.sort_by_key(|(.., explains)| std::cmp::Reverse(explains.len()));
    for finding in findings.iter_mut() {
        let covers = |s: f64| s >= EXPLAINED_RATIO * most_s(finding);
        // What costs too little to act on does not hide what is worth it.
        let is_seen =
            |severity: Severity| severity <= Severity::Warn || finding.severity > Severity::Warn;
        let mut by = explaining.iter().filter(|(_, s, severity, explains)| {
            explains.contains(&finding.id) && covers(*s) && is_seen(*severity)
        });
        finding.explained_by = by.next().map(|(id, ..)| (*id).to_owned());
    }
    sort(findings);
}

/// What to look at first comes first. Findings that others explain come last, in the order of
/// these: so what a reader sees at once is numbered without gaps.
pub(crate) fn sort(findings: &mut [Finding]) {
    let saved_s = |f: &Finding| f.saved_s.unwrap_or(0.0);
    findings.sort_by(|a, b| {
        let is_explained = |f: &Finding| f.explained_by.is_some();
        let by_severity = is_explained(a).cmp(&is_explained(b)).then(a.severity.cmp(&b.severity));
        by_severity.then(saved_s(b).total_cmp(&saved_s(a))).then_with(|| a.id.cmp(&b.id))
    });
    let places: Vec<(bool, usize)> = (0..findings.len())
        .map(|at| (findings[at].explained_by.is_some(), cause(findings, at)))
        .collect();
    let mut places = places.into_iter();
    findings.sort_by_cached_key(|_| places.next());
}

/// Where the finding stands that explains one, at the end of the chain; itself if none does.
fn cause(findings: &[Finding], mut at: usize) -> usize {
    // A circle ends after as many steps as there are findings.
    for _ in findings {
        let by = findings.get(at).and_then(|finding| finding.explained_by.as_ref());
        match by.and_then(|by| findings.iter().position(|finding| finding.id == *by)) {
            Some(next) if next != at => at = next,
            _ => break,
        }
    }
    at
}
