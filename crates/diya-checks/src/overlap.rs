//! Findings that would save the same seconds.
//!
//! Savings are printed side by side, and readers add them up. If their sum is larger than
//! the I/O time, some findings count the same calls. Of two such findings, one is marked as
//! part of the other.

use std::collections::HashMap;

use crate::combined_gain::{Part, all_s, shared_s};
use crate::{Check, Finding, Severity, order};

/// Numbers are rounded for people.
const SLACK: f64 = 1.005;

/// A general finding is part of a specific one only if the specific one saves at least this
/// share of its seconds.
const SPECIFIC_RATIO: f64 = 0.5;

/// What `mark` needs to know of each finding, by its check.
pub(crate) struct Known<'k> {
    pub parts: HashMap<&'k str, Vec<Part>>,
    /// See `specific_checks`.
    pub specific_checks: &'k HashMap<&'k str, usize>,
}

/// For each check, the number of more specific checks that explain it: a general check has
/// many, a specific one few.
pub(crate) fn specific_checks(checks: &[Check]) -> HashMap<&str, usize> {
    let mut specific: HashMap<&str, usize> = HashMap::new();
    for id in checks.iter().flat_map(|check| &check.explains) {
        *specific.entry(id).or_default() += 1;
    }
    specific
}

/// Marks findings as parts of others until the savings of the remaining findings add up to
/// at most the I/O time. First pass: the savings in one class of calls must not exceed the
/// time of this class. Second pass: the sum of all savings must not exceed the I/O time.
/// `findings` are in the order of the report. Of two findings, the general one is part of
/// the specific one, if the specific one saves at least half as much.
pub(crate) fn mark(
    findings: &mut [Finding],
    known: &Known<'_>,
    limit: impl Fn(Option<&str>) -> f64,
) {
    take_out(findings, known, limit);
    order::sort(findings);
}

fn take_out(findings: &mut [Finding], known: &Known<'_>, limit: impl Fn(Option<&str>) -> f64) {
    let io_s = all_s(known.parts.values().flatten(), &limit);
    let none = Vec::new();
    let parts_of = |id: &str| known.parts.get(id).unwrap_or(&none);
    let specific = |id: &str| known.specific_checks.get(id).copied().unwrap_or(0);
    for is_by_class in [true, false] {
        let mut before: Vec<usize> = Vec::new();
        for at in 0..findings.len() {
            if own(findings).map(saved_s).sum::<f64>() <= io_s * SLACK {
                return;
            }
            let finding = &findings[at];
            if !is_own(finding) {
                continue;
            }
            let parts = parts_of(&finding.id);
            let kept = || before.iter().map(|at| &findings[*at]);
            let is_beyond = match is_by_class {
                true => parts.iter().any(|part| {
                    let class = part.class.as_deref();
                    let of = kept().map(|of| of_class(parts_of(&of.id), class)).sum::<f64>();
                    class.is_some() && of + of_class(parts, class) > limit(class) * SLACK
                }),
                false => kept().map(saved_s).sum::<f64>() + saved_s(finding) > io_s * SLACK,
            };
            let shared = |at: &usize| shared_s(parts, parts_of(&findings[*at].id), &limit);
            // Of equal findings the first one: it is higher in the report.
            let most = before.iter().rev().max_by(|a, b| shared(a).total_cmp(&shared(b))).copied();
            match most.filter(|most| is_beyond && shared(most) > 0.0) {
                None => before.push(at),
                Some(most) => {
                    let other = &findings[most];
                    let is_specific = specific(&finding.id) < specific(&other.id)
                        && saved_s(finding) >= SPECIFIC_RATIO * saved_s(other)
                        && finding.severity <= other.severity;
                    let (part, whole) = if is_specific { (most, at) } else { (at, most) };
                    if is_specific {
                        before.retain(|of| *of != most);
                        before.push(at);
                    }
                    findings[part].explained_by = Some(findings[whole].id.clone());
                }
            }
        }
    }
}

fn saved_s(finding: &Finding) -> f64 {
    finding.saved_s.unwrap_or(0.0)
}

fn is_own(finding: &Finding) -> bool {
    finding.explained_by.is_none() && finding.severity != Severity::Ok && saved_s(finding) > 0.0
}

fn own(findings: &[Finding]) -> impl Iterator<Item = &Finding> {
    findings.iter().filter(|finding| is_own(finding))
}

fn of_class(parts: &[Part], class: Option<&str>) -> f64 {
    parts.iter().filter(|part| part.class.as_deref() == class).map(|part| part.saved_s).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(id: &str, saved_s: f64) -> Finding {
        Finding { id: id.to_owned(), saved_s: Some(saved_s), ..Finding::default() }
    }

    fn part(class: &str, saved_s: f64) -> Part {
        Part { class: Some(class.to_owned()), file_id: None, low_s: 0.0, saved_s, high_s: saved_s }
    }

    #[test]
    fn savings_beyond_the_io_are_parts_of_the_finding_about_the_same_calls() {
        let mut findings = [
            finding("posix/reopened-files", 5.0),
            finding("posix/fsync-per-write", 3.0),
            finding("posix/temporary-files", 4.0),
            finding("posix/small-requests", 1.0),
        ];
        let parts = HashMap::from([
            ("posix/reopened-files", vec![part("metadata", 5.0)]),
            ("posix/fsync-per-write", vec![part("sync", 3.0)]),
            ("posix/temporary-files", vec![part("metadata", 4.0)]),
            ("posix/small-requests", vec![part("write", 1.0)]),
        ]);
        let limit = |class: Option<&str>| if class == Some("metadata") { 6.0 } else { 10.0 };
        mark(&mut findings, &Known { parts, specific_checks: &HashMap::new() }, limit);
        let by: Vec<Option<&str>> = findings.iter().map(|f| f.explained_by.as_deref()).collect();
        // An explained finding comes behind those that stand on their own.
        assert_eq!(by, [None, None, None, Some("posix/reopened-files")]);
    }

    #[test]
    fn the_general_finding_is_part_of_the_specific_one() {
        let mut findings =
            [finding("posix/metadata-storm", 5.0), finding("posix/failed-opens", 4.0)];
        let parts = HashMap::from([
            ("posix/metadata-storm", vec![part("metadata", 5.0)]),
            ("posix/failed-opens", vec![part("metadata", 4.0)]),
        ]);
        let specific_checks = HashMap::from([("posix/metadata-storm", 10)]);
        mark(&mut findings, &Known { parts, specific_checks: &specific_checks }, |_| 6.0);
        let by: Vec<Option<&str>> = findings.iter().map(|f| f.explained_by.as_deref()).collect();
        assert_eq!(by, [None, Some("posix/failed-opens")]);
    }

    #[test]
    fn savings_within_the_io_stay() {
        let mut findings = [finding("a", 5.0), finding("b", 5.0)];
        let known = Known { parts: HashMap::new(), specific_checks: &HashMap::new() };
        mark(&mut findings, &known, |_| 10.0);
        assert!(findings.iter().all(|f| f.explained_by.is_none()));
    }
}
