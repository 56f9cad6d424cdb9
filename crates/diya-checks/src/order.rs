//! Which finding a reader should look at first.

use crate::{Check, Explained, Finding, Severity};

/// Share of the seconds of a finding that another one has to cover to explain it.
const EXPLAINED_RATIO: f64 = 0.5;

/// From this share on the two are one matter: where the seconds of the whole are worth acting on,
/// so is their cause, though it may lie just below the limit.
const SAME_RATIO: f64 = 0.9;

/// Says which findings others explain, and puts what to look at first first.
pub(crate) fn rank(findings: &mut [Finding], checks: &[Check]) {
    let mut explaining: Vec<(Finding, &[String])> = findings
        .iter()
        .filter_map(|f| {
            let check = checks.iter().find(|check| check.id == f.id)?;
            Some((f.clone(), check.explains.as_slice()))
        })
        .filter(|(_, explains)| !explains.is_empty())
        .collect();
    // What explains most comes nearest to the cause.
    explaining.sort_by_key(|(_, explains)| std::cmp::Reverse(explains.len()));
    for finding in findings.iter_mut() {
        // What costs too little to act on does not hide what is worth it.
        let is_seen =
            |severity: Severity| severity <= Severity::Warn || finding.severity > Severity::Warn;
        let mut by = explaining.iter().filter(|(by, explains)| {
            let of_both_s = most_of_both_s(finding, by);
            explains.contains(&finding.id)
                && is_of_same_files(finding, by)
                && most_s(by) >= EXPLAINED_RATIO * of_both_s
                && (is_seen(by.severity) || most_s(by) >= SAME_RATIO * of_both_s)
        });
        finding.explained_by = by.next().map(|(by, _)| by.id.clone());
    }
    lift(findings);
    sort(findings);
}

/// Whether two findings can be about the same calls: those that name files name one of them both.
/// A list that may go on says nothing.
fn is_of_same_files(finding: &Finding, by: &Finding) -> bool {
    let [some, others] = [&finding.files, &by.files];
    let is_whole = |files: &[String]| (1..MOST_FILES).contains(&files.len());
    !is_whole(some) || !is_whole(others) || some.iter().any(|file| others.contains(file))
}

/// Files that a finding names at most.
const MOST_FILES: usize = 50;

/// A cause is as severe as what it explains.
fn lift(findings: &mut [Finding]) {
    let explained: Vec<(String, Severity)> = findings
        .iter()
        .filter(|finding| finding.severity <= Severity::Warn)
        .filter_map(|finding| Some((finding.explained_by.clone()?, finding.severity)))
        .collect();
    for (by, severity) in explained {
        for finding in findings.iter_mut().filter(|finding| finding.id == by) {
            finding.severity = finding.severity.min(severity);
        }
    }
}

fn most_s(finding: &Finding) -> f64 {
    finding.lost_high_s.unwrap_or(0.0)
}

/// Seconds of a finding that `by` can be about: a general finding also counts calls of other
/// classes, for example the writes that go with the opens. They are no reason against a cause
/// that covers all opens.
fn most_of_both_s(finding: &Finding, by: &Finding) -> f64 {
    if by.explains.is_empty() {
        return most_s(finding);
    }
    let is_of_by = |row: &&Explained| by.explains.iter().any(|of| of.class == row.class);
    let of_both_s = finding.explains.iter().filter(is_of_by).map(|row| row.time_s).sum();
    most_s(finding).min(of_both_s)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn explained(class: &str, time_s: f64) -> Explained {
        Explained { class: class.to_owned(), time_s, ..Explained::default() }
    }

    fn finding(id: &str, high_s: f64, explains: Vec<Explained>) -> Finding {
        Finding { id: id.to_owned(), lost_high_s: Some(high_s), explains, ..Finding::default() }
    }

    #[test]
    fn a_finding_about_other_files_is_no_cause() {
        let of = |files: &[&str]| Finding {
            files: files.iter().map(|&file| file.to_owned()).collect(),
            ..Finding::default()
        };
        assert!(is_of_same_files(&of(&["a", "b"]), &of(&["b"])));
        assert!(!is_of_same_files(&of(&["a"]), &of(&["b"])));
        assert!(is_of_same_files(&of(&["a"]), &of(&[])));
    }

    #[test]
    fn calls_of_another_class_do_not_speak_against_a_cause() {
        let opens = || explained("metadata", 6.0);
        let general = finding("general", 14.0, vec![opens(), explained("write", 9.0)]);
        let specific = finding("specific", 6.0, vec![opens()]);
        assert_eq!(most_of_both_s(&general, &specific), 6.0);
        let unknown = finding("specific", 6.0, Vec::new());
        assert_eq!(most_of_both_s(&general, &unknown), 14.0);
    }
}
