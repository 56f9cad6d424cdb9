//! Runs too short for a verdict: no finding saves enough seconds to be worth a fix, but one
//! saves so large a part of the run that a longer run of the same program may well lose more.

use diya_model::percent_text;
use diya_report::{Finding, Report, Severity, saves};

/// From this share of the run on, a saving is no small matter, however short the run is.
const LARGE_SHARE: f64 = 0.1;

/// The INFO finding with the largest such saving. `None`: there is none.
pub(super) fn finding(report: &Report) -> Option<&Finding> {
    let run_s = report.verdict.run_s.filter(|run_s| *run_s > 0.0)?;
    let saved_s = |finding: &Finding| finding.saved_s.unwrap_or(0.0);
    let own = report.findings.iter().filter(|f| f.explained_by.is_none());
    let info = own.filter(|f| f.severity == Severity::Info);
    info.filter(|f| saved_s(f) >= LARGE_SHARE * run_s)
        .max_by(|a, b| saved_s(a).total_cmp(&saved_s(b)))
}

/// `the run is too short: ...`, after "Could not be judged".
pub(super) fn why(report: &Report) -> Option<String> {
    let finding = finding(report)?;
    let saved = saves(finding.saved_s, finding.lost_low_s, finding.lost_high_s)?;
    let share = percent_text(finding.saved_s? / report.verdict.run_s?);
    Some(format!(
        "the run is too short. \"{}\" costs {saved}, {share} of the run. If a longer run has the \
         same share, it is worth a fix (`diya explain {}`)",
        finding.title, finding.id
    ))
}

#[cfg(test)]
mod tests {
    use super::super::{kind, text};
    use super::*;
    use diya_report::{Confidence, Verdict, VerdictKind};

    fn report(saved_s: f64) -> Report {
        let finding = Finding {
            id: "posix/fsync-per-write".to_owned(),
            title: "Many fsync calls".to_owned(),
            severity: Severity::Info,
            saved_s: Some(saved_s),
            lost_low_s: Some(saved_s),
            lost_high_s: Some(saved_s),
            ..Finding::default()
        };
        let verdict = Verdict {
            io_s: Some(0.095),
            run_s: Some(0.35),
            confidence: Confidence::High,
            ..Verdict::default()
        };
        Report { verdict, findings: vec![finding], ..Report::default() }
    }

    #[test]
    fn a_quarter_of_a_short_run_is_not_called_fine() {
        assert_eq!(kind(&report(0.09)), VerdictKind::NotJudged);
        assert_eq!(
            text(&report(0.09), true),
            "I/O takes 0.095 s of the 0.350 s run (27 %). Could not be judged: the run is too \
             short. \"Many fsync calls\" costs about 90 ms, 26 % of the run. If a longer run has \
             the same share, it is worth a fix (`diya explain posix/fsync-per-write`)."
        );
    }

    #[test]
    fn a_small_share_is() {
        assert_eq!(kind(&report(0.02)), VerdictKind::NotTheProblem);
    }
}
