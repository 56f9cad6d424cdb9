//! What makes a check of a run fail, for continuous integration.

use crate::findings::side;
use diya_report::comparison::{Fate, FindingSide, RunComparison};
use diya_report::{Report, Severity, about_s};
use std::str::FromStr;

/// A reason to fail.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FailOn {
    /// The run or its I/O became slower, beyond the noise.
    Regression,
    /// There is a finding that the baseline lacks, or that costs more than it
    /// did; without a baseline any finding.
    Finding {
        /// Seconds it has to cost, the middle of its range; `None`: it has to
        /// be a warning at least.
        least_s: Option<f64>,
    },
}

impl FromStr for FailOn {
    type Err = String;

    /// `regression`, `finding`, or `finding:SECONDS`.
    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once(':') {
            None if text == "regression" => Ok(Self::Regression),
            None if text == "finding" => Ok(Self::Finding { least_s: None }),
            Some(("finding", seconds)) => {
                let number = seconds.trim_end_matches('s').parse::<f64>();
                let least_s = number.ok().filter(|s| s.is_finite() && *s >= 0.0);
                match least_s {
                    Some(_) => Ok(Self::Finding { least_s }),
                    None => Err(format!("{seconds:?} is not a number of seconds")),
                }
            }
            _ => Err("expected regression, finding, or finding:SECONDS".to_owned()),
        }
    }
}

impl FailOn {
    fn is_met(self, cost_s: Option<f64>, severity: Severity) -> bool {
        match self {
            Self::Regression => false,
            Self::Finding { least_s: None } => severity <= Severity::Warn,
            Self::Finding { least_s: Some(least_s) } => cost_s.is_some_and(|s| s >= least_s),
        }
    }
}

/// Why a run fails against its baseline; empty: it passes.
pub fn failures(run: &RunComparison, reasons: &[FailOn]) -> Vec<String> {
    let mut failures = Vec::new();
    if reasons.contains(&FailOn::Regression) {
        failures.extend(run.regressions.iter().map(|text| format!("regression: {text}")));
    }
    for change in &run.findings {
        // What could not be judged before may have been there all along.
        let (true, None, Some(side)) =
            (matches!(change.fate, Fate::New | Fate::More), &change.unknown, &change.after)
        else {
            continue;
        };
        if reasons.iter().any(|reason| reason.is_met(side.cost_s(), side.severity))
            && side.explained_by.is_none()
        {
            let word = if change.fate == Fate::New { "new" } else { "worse" };
            failures.push(line(word, &change.id, &change.title, side));
        }
    }
    failures
}

/// Why a run fails by itself; empty: it passes.
pub fn failures_alone(report: &Report, reasons: &[FailOn]) -> Vec<String> {
    let sides = report.findings.iter().map(|finding| (finding, side(finding)));
    let failing = sides.filter(|(_, side)| {
        side.explained_by.is_none()
            && reasons.iter().any(|reason| reason.is_met(side.cost_s(), side.severity))
    });
    failing.map(|(finding, side)| line("a", &finding.id, &finding.title, &side)).collect()
}

fn line(word: &str, id: &str, title: &str, side: &FindingSide) -> String {
    let cost = side.cost_s().map(about_s);
    let cost = cost.map(|cost| format!(", {cost}")).unwrap_or_default();
    format!("{word} finding: {title} ({id}{cost})")
}

#[cfg(test)]
mod tests {
    use super::*;
    use diya_report::comparison::FindingChange;

    fn run(fate: Fate, severity: Severity, cost_s: f64) -> RunComparison {
        let side = FindingSide {
            severity,
            lost_low_s: Some(cost_s),
            lost_high_s: Some(cost_s),
            ..FindingSide::default()
        };
        let change = FindingChange {
            fate,
            id: "posix/a".to_owned(),
            title: "A".to_owned(),
            after: Some(side),
            ..FindingChange::default()
        };
        RunComparison {
            regressions: vec!["I/O takes 2 s".to_owned()],
            findings: vec![change],
            ..RunComparison::default()
        }
    }

    fn told(run: &RunComparison, reasons: &[&str]) -> Vec<String> {
        let reasons: Vec<FailOn> = reasons.iter().map(|text| text.parse().unwrap()).collect();
        failures(run, &reasons)
    }

    #[test]
    fn only_what_was_asked_for_fails() {
        let run = run(Fate::New, Severity::Warn, 2.0);
        assert_eq!(told(&run, &["regression"]), ["regression: I/O takes 2 s"]);
        assert_eq!(told(&run, &["finding"]), ["new finding: A (posix/a, 2 s)"]);
        assert_eq!(told(&run, &["finding:2"]).len(), 1);
        assert_eq!(told(&run, &["finding:2.1s"]).len(), 0);
        assert_eq!(told(&run, &["regression", "finding"]).len(), 2);
    }

    #[test]
    fn what_was_there_before_does_not_fail() {
        assert!(told(&run(Fate::Same, Severity::High, 9.0), &["finding"]).is_empty());
        assert!(told(&run(Fate::New, Severity::Info, 9.0), &["finding"]).is_empty());
        let mut unknown = run(Fate::New, Severity::High, 9.0);
        unknown.findings[0].unknown = Some("no calls".to_owned());
        assert!(told(&unknown, &["finding"]).is_empty());
    }

    #[test]
    fn wrong_reasons_are_told() {
        let wrong = |text: &str| FailOn::from_str(text).unwrap_err();
        assert_eq!(wrong("findings"), "expected regression, finding, or finding:SECONDS");
        assert_eq!(wrong("finding:much"), "\"much\" is not a number of seconds");
        assert!(FailOn::from_str("finding:-1").is_err());
    }
}
