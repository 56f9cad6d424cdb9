//! What is said about logs, and how much a finding weighs.

use serde::Serialize;

use crate::{CheckName, Config, Finding, Recoverable, Severity, Unknown};

/// How much a finding weighs: follows the middle of the range of seconds against the run time: the
/// upper end is what the calls cost, the lower what is sure to be won.
pub(crate) fn severity_of(
    lost_low_s: Option<f64>,
    lost_high_s: Option<f64>,
    run_time_s: Option<f64>,
    config: &Config,
) -> Severity {
    let middle_s = lost_high_s.map(|high| f64::midpoint(lost_low_s.unwrap_or(0.0), high));
    match diya_units::ratio(middle_s, run_time_s) {
        Some(ratio) if ratio.0 >= config.high_ratio => Severity::High,
        Some(ratio) if ratio.0 >= config.warn_ratio => Severity::Warn,
        _ => Severity::Info,
    }
}

/// All verdicts on one log.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LogVerdicts {
    /// Number of the log.
    pub log: i32,
    /// Run time of the job in seconds; `None`: not recorded.
    pub run_time_s: Option<f64>,
    /// What fixing all findings would win, no second counted twice; `None`:
    /// nothing was found, or nothing that can be quantified.
    pub all_fixed: Option<Recoverable>,
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
        let of = |low, high, run| severity_of(low, high, run, &Config::default());
        assert_eq!(of(Some(0.0), Some(20.0), Some(100.0)), Severity::High);
        assert_eq!(of(Some(0.0), Some(19.9), Some(100.0)), Severity::Warn);
        assert_eq!(of(None, Some(4.0), Some(100.0)), Severity::Warn);
        assert_eq!(of(Some(0.0), Some(3.9), Some(100.0)), Severity::Info);
    }

    #[test]
    fn what_cannot_be_quantified_is_info() {
        assert_eq!(severity_of(None, None, Some(1.0), &Config::default()), Severity::Info);
        assert_eq!(severity_of(None, Some(5.0), None, &Config::default()), Severity::Info);
    }
}
