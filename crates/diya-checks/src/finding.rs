//! What is said about logs, and how much a finding weighs.

use crate::steps::ExplainedFinding;
use crate::{CheckName, Config, Finding, Recoverable, Severity, Unknown};

/// How much a finding weighs: what a fix saves by the best estimate, in seconds and
/// against the run time.
pub(crate) fn severity_of(
    saved_s: Option<f64>,
    run_time_s: Option<f64>,
    config: &Config,
) -> Severity {
    let is_long = saved_s.is_some_and(|s| s >= config.least_s);
    match diya_model::ratio(saved_s.filter(|_| is_long), run_time_s) {
        Some(ratio) if ratio >= config.high_ratio => Severity::High,
        Some(ratio) if ratio >= config.warn_ratio => Severity::Warn,
        _ => Severity::Info,
    }
}

/// All verdicts on one log.
#[derive(Debug, Clone, PartialEq)]
pub struct LogVerdicts {
    /// Number of the log.
    pub log: i32,
    /// Run time of the job in seconds; `None`: not recorded.
    pub run_time_s: Option<f64>,
    /// What fixing all findings would save, no second counted twice; `None`:
    /// nothing was found, or nothing that can be quantified.
    pub all_fixed: Option<Recoverable>,
    /// By severity, then most seconds first; an explained one after the one that explains it.
    pub findings: Vec<ExplainedFinding>,
    /// Applied, and nothing found.
    pub passed: Vec<CheckName>,
    /// Nothing in the log that they ask about.
    pub not_applicable: Vec<CheckName>,
    /// What they need is damaged or was not captured.
    pub unknown: Vec<Unknown>,
}

impl LogVerdicts {
    /// The findings, each judged and explained, what to look at first first.
    pub fn found(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().map(ExplainedFinding::finding)
    }
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
    fn severity_follows_the_share_of_the_run() {
        let of = |saved, run| severity_of(saved, run, &Config::default());
        assert_eq!(of(Some(10.0), Some(100.0)), Severity::High);
        assert_eq!(of(Some(9.9), Some(100.0)), Severity::Warn);
        assert_eq!(of(Some(2.0), Some(100.0)), Severity::Warn);
        assert_eq!(of(Some(1.9), Some(100.0)), Severity::Info);
    }

    #[test]
    fn less_than_a_tenth_of_a_second_is_info() {
        let of = |saved, run| severity_of(saved, run, &Config::default());
        assert_eq!(of(Some(0.1), Some(0.2)), Severity::High);
        assert_eq!(of(Some(0.099), Some(0.1)), Severity::Info);
    }

    #[test]
    fn what_cannot_be_quantified_is_info() {
        assert_eq!(severity_of(None, Some(1.0), &Config::default()), Severity::Info);
        assert_eq!(severity_of(Some(5.0), None, &Config::default()), Severity::Info);
    }
}
