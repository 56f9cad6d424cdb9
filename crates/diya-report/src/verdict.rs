//! The verdict in words: the first thing a reader sees.

use crate::numbers::{about_s, percent, range_s, rate};
use crate::{Confidence, Finding, Report, Severity};

/// Share of the run time below which I/O is not worth a thought.
///
/// Two runs of one job differ by more than that (5.7 % on Theta, 7.2 % on
/// Cori: Isakov, SC22), so nobody could see the gain.
const NEGLIGIBLE_SHARE: f64 = 0.01;

/// The verdict of a report in one sentence or two, from its numbers: those of
/// `verdict`, `all_fixed`, and the severities of `findings`.
///
/// ```
/// use diya_report::{Report, Verdict, verdict_text};
/// let verdict = Verdict {
///     io_s: Some(0.8),
///     run_s: Some(600.0),
///     ..Verdict::default()
/// };
/// let report = Report { verdict, ..Report::default() };
/// assert_eq!(
///     verdict_text(&report),
///     "I/O is not what makes this job slow: 0.8 s of 10 min (0.1 %)."
/// );
/// ```
pub fn verdict_text(report: &Report) -> String {
    let verdict = &report.verdict;
    let low_s = verdict.io_low_s.or(verdict.io_s);
    let high_s = verdict.io_high_s.or(verdict.io_s);
    let Some(most_s) = high_s else {
        return format!("The log does not tell how long I/O took{}.", and_found(report));
    };
    if most_s == 0.0 && verdict.bytes.unwrap_or(0) == 0 {
        return if verdict.not_captured.is_empty() {
            "No I/O was recorded.".to_owned()
        } else {
            "No I/O was recorded; not all of it could be seen.".to_owned()
        };
    }
    let io = range_s(low_s, high_s).unwrap_or_default();
    let Some(run_s) = verdict.run_s.filter(|run_s| *run_s > 0.0) else {
        let rate = at_rate(report);
        let found = and_found(report);
        return format!("I/O took {io}{rate}{found}; how long the job ran is not recorded.");
    };
    let share = shares(low_s.map(|s| s / run_s), most_s / run_s);
    let run = about_s(run_s);
    if most_s / run_s < NEGLIGIBLE_SHARE {
        let is_doubtful = verdict.confidence == Confidence::Low && !verdict.not_captured.is_empty();
        let as_far = if is_doubtful { ", as far as it was seen" } else { "" };
        return format!("I/O is not what makes this job slow: {io} of {run} ({share}){as_far}.");
    }
    let rate = at_rate(report);
    format!("I/O took {io} of the {run} run ({share}){rate}{}.", and_found(report))
}

/// `15 %`, or `10 to 15 %`.
fn shares(low: Option<f64>, high: f64) -> String {
    let most = percent(high);
    match low.map(percent) {
        Some(least) if least != most => {
            format!("{} to {most}", least.trim_end_matches(" %"))
        }
        _ => most,
    }
}

fn at_rate(report: &Report) -> String {
    let bytes_per_s = report.verdict.throughput_bytes_per_s.filter(|rate| *rate > 0.0);
    bytes_per_s.map(|r| format!(", at {}", rate(r))).unwrap_or_default()
}

/// What can be won, as the end of a sentence.
fn and_found(report: &Report) -> String {
    let is_worth = |s: Severity| matches!(s, Severity::High | Severity::Warn);
    // What another finding explains goes with it.
    let is_own = |f: &&Finding| f.explained_by.is_none();
    let worth = report.findings.iter().filter(is_own).filter(|f| is_worth(f.severity)).count();
    let won = report.all_fixed.filter(|won| won.lost_high_s.is_some_and(|s| s > 0.0));
    let won = won.and_then(|won| range_s(won.lost_low_s, won.lost_high_s));
    match (won, worth) {
        (_, 0) => "; nothing worth fixing was found".to_owned(),
        (Some(won), _) => format!("; fixing what was found could win {won}"),
        (None, 1) => "; one thing is worth fixing".to_owned(),
        (None, n) => format!("; {n} things are worth fixing"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Recoverable, Verdict};

    fn report(io_low_s: f64, io_high_s: f64, run_s: Option<f64>) -> Report {
        let verdict = Verdict {
            io_low_s: Some(io_low_s),
            io_high_s: Some(io_high_s),
            run_s,
            bytes: Some(5 << 30),
            throughput_bytes_per_s: Some(440.0 * f64::from(1 << 20)),
            ..Verdict::default()
        };
        Report { verdict, ..Report::default() }
    }

    #[test]
    fn slow_io_is_told_with_what_can_be_won() {
        let mut report = report(12.0, 12.0, Some(80.0));
        let finding = Finding { severity: Severity::High, ..Finding::default() };
        report.findings.push(finding);
        report.all_fixed = Some(Recoverable { lost_low_s: Some(6.0), lost_high_s: Some(9.0) });
        assert_eq!(
            verdict_text(&report),
            "I/O took 12 s of the 80 s run (15 %), at 440 MiB/s; \
             fixing what was found could win 6 to 9 s."
        );
        report.all_fixed = None;
        assert!(verdict_text(&report).ends_with("; one thing is worth fixing."));
    }

    #[test]
    fn slow_io_without_a_finding_says_so() {
        assert_eq!(
            verdict_text(&report(8.0, 12.0, Some(80.0))),
            "I/O took 8 to 12 s of the 80 s run (10 to 15 %), at 440 MiB/s; \
             nothing worth fixing was found."
        );
    }

    #[test]
    fn little_io_is_no_problem_at_its_upper_end() {
        let text = |low, high| verdict_text(&report(low, high, Some(100.0)));
        assert_eq!(
            text(0.5, 0.9),
            "I/O is not what makes this job slow: 0.5 to 0.9 s of 100 s (0.5 to 0.9 %)."
        );
        // One percent exactly is none of that.
        assert!(text(0.5, 1.0).starts_with("I/O took 0.5 to 1 s of the 100 s run"));
    }

    #[test]
    fn counters_alone_are_no_doubt_but_losses_are() {
        let mut report = report(0.5, 0.5, Some(100.0));
        report.verdict.not_captured = vec!["single calls".to_owned()];
        report.verdict.confidence = Confidence::Medium;
        assert!(!verdict_text(&report).contains("as far as"));
        report.verdict.confidence = Confidence::Low;
        assert!(verdict_text(&report).ends_with("(0.5 %), as far as it was seen."));
    }

    #[test]
    fn what_is_not_known_is_said() {
        assert_eq!(
            verdict_text(&Report::default()),
            "The log does not tell how long I/O took; nothing worth fixing was found."
        );
        assert!(
            verdict_text(&report(1.0, 1.0, None))
                .ends_with("; how long the job ran is not recorded.")
        );
        let verdict = Verdict { io_s: Some(0.0), run_s: Some(1.0), ..Verdict::default() };
        let silent = Report { verdict, ..Report::default() };
        assert_eq!(verdict_text(&silent), "No I/O was recorded.");
    }
}
