//! Why no finding is worth a fix although I/O takes time.

use super::unled::led;
use super::{SMALL_S, fine, scope};
use diya_report::{Finding, Report, Severity, saves};

/// Share of the run from which a saving is worth a fix.
const WORTH_SHARE: f64 = 0.02;

/// That I/O is not the problem; less firmly where the range of a finding crosses the threshold.
pub(super) fn little(report: &Report, run_s: f64) -> String {
    let text = of_savings(report, run_s);
    led(report, run_s).map_or(text.clone(), |led| format!("{text} {led}"))
}

fn of_savings(report: &Report, run_s: f64) -> String {
    let most = |finding: &&Finding| finding.lost_high_s.unwrap_or(0.0);
    let is_own = |f: &&Finding| f.severity == Severity::Info && f.explained_by.is_none();
    let largest = report.findings.iter().filter(is_own).max_by(|a, b| most(a).total_cmp(&most(b)));
    let is_near = |of: &&Finding| most(of) >= SMALL_S && most(of) >= WORTH_SHARE * run_s;
    let near = largest.filter(is_near);
    match near.and_then(|of| saves(of.saved_s, of.lost_low_s, of.lost_high_s)) {
        Some(saved) => {
            let scope = scope(report).map(|scope| format!(" {scope}")).unwrap_or_default();
            format!("I/O is probably not the problem: the largest saving is {saved}.{scope}")
        }
        None if largest.is_some_and(|of| most(&of) > 0.0) => {
            fine(report, "each finding saves less than 0.1 s or less than 2 % of the run time")
        }
        None => fine(report, "no finding saves time"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(saved_s: f64, high_s: f64) -> String {
        let finding = Finding {
            severity: Severity::Info,
            saved_s: Some(saved_s),
            lost_low_s: Some(saved_s / 2.0),
            lost_high_s: Some(high_s),
            ..Finding::default()
        };
        little(&Report { findings: vec![finding], ..Report::default() }, 2.0)
    }

    #[test]
    fn a_range_across_the_threshold_is_no_firm_no() {
        assert_eq!(
            text(0.097, 0.107),
            "I/O is probably not the problem: the largest saving is about 97 ms (48 to 107)."
        );
        assert_eq!(
            text(0.05, 0.06),
            "I/O is not the problem: each finding saves less than 0.1 s or less than 2 % of the \
             run time."
        );
        assert_eq!(
            little(&Report::default(), 2.0),
            "I/O is not the problem: no finding saves time."
        );
    }
}
