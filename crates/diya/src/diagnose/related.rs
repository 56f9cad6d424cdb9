//! How the findings of a report stand to each other: which one tells the time of another, and
//! what of it is worth a reader's time.

use diya_report::{Finding, Severity};

/// An INFO finding that saves less than this share of the run time is minor.
const MINOR_SHARE: f64 = 1e-4;

/// Below this factor two savings are equal to a reader.
const MORE: f64 = 1.1;

/// Fills in `same_time_as`, `saves_more` and `is_minor` of the findings of one report.
pub(super) fn relate(findings: &mut [Finding], run_s: Option<f64>) {
    for at in 0..findings.len() {
        let by = leader(findings, at);
        let saved_s = findings[at].saved_s;
        let head_s = by.and_then(|by| findings[by].saved_s);
        let is_less = |(saved_s, run_s): (f64, f64)| saved_s > 0.0 && saved_s < MINOR_SHARE * run_s;
        let finding = &mut findings[at];
        finding.same_time_as = by.map(|by| by + 1);
        finding.saves_more = saved_s.zip(head_s).is_some_and(|(own, head)| own > MORE * head);
        finding.is_minor =
            finding.severity == Severity::Info && saved_s.zip(run_s).is_some_and(is_less);
    }
}

/// Place of the finding that explains this one and is explained by none; `None`: this one
/// stands on its own, or explains itself by way of others.
fn leader(findings: &[Finding], at: usize) -> Option<usize> {
    let explaining = |of: usize| {
        let id = findings[of].explained_by.as_ref()?;
        findings.iter().position(|finding| finding.id == *id)
    };
    let mut by = explaining(at)?;
    // A circle ends after as many steps as there are findings.
    for _ in findings {
        match explaining(by) {
            Some(next) if next != by => by = next,
            Some(_) => return None,
            None => return (by != at).then_some(by),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(id: &str, by: Option<&str>, saved_s: f64) -> Finding {
        Finding {
            id: id.to_owned(),
            explained_by: by.map(str::to_owned),
            severity: Severity::Info,
            saved_s: Some(saved_s),
            ..Finding::default()
        }
    }

    #[test]
    fn a_finding_is_told_by_the_one_at_the_end_of_its_chain() {
        let mut all =
            [finding("a", None, 2.0), finding("b", Some("a"), 2.1), finding("c", Some("b"), 3.0)];
        relate(&mut all, Some(10.0));
        assert_eq!(all.clone().map(|f| f.same_time_as), [None, Some(1), Some(1)]);
        assert_eq!(all.map(|f| f.saves_more), [false, false, true]);
    }

    #[test]
    fn in_a_circle_each_stands_on_its_own() {
        let mut all = [finding("a", Some("b"), 1.0), finding("b", Some("a"), 1.0)];
        relate(&mut all, None);
        assert_eq!(all.map(|f| f.same_time_as), [None, None]);
    }

    #[test]
    fn little_of_a_known_run_time_is_minor() {
        let mut all = [finding("a", None, 0.0009), finding("b", None, 0.0011)];
        relate(&mut all, Some(10.0));
        assert_eq!(all.clone().map(|f| f.is_minor), [true, false]);
        relate(&mut all, None);
        assert_eq!(all.map(|f| f.is_minor), [false, false]);
    }
}
