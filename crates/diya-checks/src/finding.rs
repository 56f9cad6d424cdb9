//! What is said about a log: the types behind the JSON of a report.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Action, Config, Value};

/// How much a finding weighs. The order is that of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// At least 10 % of the run time.
    High,
    /// At least 2 % of the run time.
    Warn,
    /// Below, or not quantifiable.
    Info,
    /// Good news.
    Ok,
}

impl Severity {
    /// Follows the middle of the range of seconds against the run time: the
    /// upper end is what the calls cost, the lower what is sure to be won.
    pub(crate) fn of(
        lost_low_s: Option<f64>,
        lost_high_s: Option<f64>,
        run_time_s: Option<f64>,
        config: &Config,
    ) -> Self {
        let middle_s = lost_high_s.map(|high| f64::midpoint(lost_low_s.unwrap_or(0.0), high));
        match diya_units::ratio(middle_s, run_time_s) {
            Some(ratio) if ratio.0 >= config.high_ratio => Self::High,
            Some(ratio) if ratio.0 >= config.warn_ratio => Self::Warn,
            _ => Self::Info,
        }
    }
}

/// A reported problem with its evidence.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Finding {
    /// Id of the check.
    pub id: String,
    /// Its short code.
    pub code: String,
    /// Its title.
    pub title: String,
    /// How much it weighs.
    pub severity: Severity,
    /// Seconds of run time that a fix wins at least; `None`: not quantifiable.
    pub lost_low_s: Option<f64>,
    /// Seconds of run time that a fix wins at most; `None`: not quantifiable.
    pub lost_high_s: Option<f64>,
    /// Id of a finding that says more closely what this one sees, and covers
    /// most of its seconds: its fix comes first.
    pub explained_by: Option<String>,
    /// The sentence, about the worst of the evidence.
    pub text: String,
    /// The worst rows, at most 20.
    pub evidence: Vec<Evidence>,
    /// All rows, also those that `evidence` leaves out.
    pub evidence_rows: usize,
    /// What the numbers were compared with, by parameter.
    pub thresholds: BTreeMap<String, Value>,
    /// Paths of the files concerned.
    pub files: Vec<String>,
    /// Ranks concerned; empty: all, or not told.
    pub ranks: Vec<i64>,
    /// First and last moment concerned, seconds since the start of the job.
    pub window_s: Option<(f64, f64)>,
    /// Storage targets concerned.
    pub targets: Vec<i64>,
    /// Source lines concerned.
    pub source: Vec<String>,
    /// What to do.
    pub actions: Vec<Action>,
    /// Gain seen elsewhere, with its source.
    pub gain: String,
    /// When the actions do harm.
    pub contraindications: Vec<String>,
    /// Which number must move after the fix.
    pub verify: String,
    /// When the finding is wrong.
    pub wrong_when: String,
}

/// One row of evidence.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Evidence {
    /// The sentence about this row.
    pub text: String,
    /// Its values by column; the name tells the unit.
    pub values: BTreeMap<String, Value>,
}

/// A check that found nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CheckName {
    /// Id of the check.
    pub id: String,
    /// Its title.
    pub title: String,
}

/// A check that could not say anything.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unknown {
    /// Id of the check.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Why.
    pub reason: String,
}

/// All verdicts on one log.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LogVerdicts {
    /// Number of the log.
    pub log: i32,
    /// Run time of the job in seconds; `None`: not recorded.
    pub run_time_s: Option<f64>,
    /// By severity, then most seconds first; explained ones after all others.
    pub findings: Vec<Finding>,
    /// Applied, and nothing found.
    pub passed: Vec<CheckName>,
    /// Nothing in the log that they ask about.
    pub not_applicable: Vec<CheckName>,
    /// What they need is damaged or was not captured.
    pub unknown: Vec<Unknown>,
}

/// All verdicts on all logs.
#[derive(Debug, Default)]
pub struct Verdicts {
    /// One per log, by number.
    pub logs: Vec<LogVerdicts>,
    /// Checks that were skipped because a query of theirs failed.
    pub problems: Vec<crate::CheckError>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn severity_follows_the_middle_of_the_range() {
        let of = |low, high, run| Severity::of(low, high, run, &Config::default());
        assert_eq!(of(Some(0.0), Some(20.0), Some(100.0)), Severity::High);
        assert_eq!(of(Some(0.0), Some(19.9), Some(100.0)), Severity::Warn);
        assert_eq!(of(None, Some(4.0), Some(100.0)), Severity::Warn);
        assert_eq!(of(Some(0.0), Some(3.9), Some(100.0)), Severity::Info);
    }

    #[test]
    fn what_cannot_be_quantified_is_info() {
        assert_eq!(Severity::of(None, None, Some(1.0), &Config::default()), Severity::Info);
        assert_eq!(Severity::of(None, Some(5.0), None, &Config::default()), Severity::Info);
    }
}
