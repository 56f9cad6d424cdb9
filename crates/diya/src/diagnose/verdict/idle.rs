//! Runs that mostly wait for something that the log does not hold: nobody can say that it is
//! no I/O (a network that holds the data, a device, another program).

use diya_model::part_s;
use diya_report::Report;

/// From this share of the run on, waiting is what takes the time.
const MOST: f64 = 0.5;

/// A shorter run waits for its program to be loaded.
const LEAST_S: f64 = 0.5;

/// Seconds in which nobody worked, where they are most of the run.
pub(super) fn waited_s(report: &Report) -> Option<f64> {
    let run_s = report.verdict.run_s?;
    report.verdict.idle_s.filter(|idle_s| *idle_s >= LEAST_S && *idle_s >= MOST * run_s)
}

/// `for at least 1.4 s ...`, after "Could not be judged".
pub(super) fn why(report: &Report) -> Option<String> {
    let waited = part_s(waited_s(report)?, report.verdict.run_s?);
    Some(format!(
        "for at least {waited} no process used a processor or was in a recorded call. The program \
         slept, or waited for a network, a lock, a device or a program that the log does not hold"
    ))
}

#[cfg(test)]
mod tests {
    use super::super::{kind, text};
    use super::*;
    use diya_report::{Confidence, Verdict, VerdictKind};

    fn report(idle_s: Option<f64>) -> Report {
        let verdict = Verdict {
            io_s: Some(0.02),
            run_s: Some(3.0),
            idle_s,
            confidence: Confidence::High,
            ..Verdict::default()
        };
        Report { verdict, ..Report::default() }
    }

    #[test]
    fn a_run_that_mostly_waits_is_not_called_fine() {
        let waits = report(Some(1.6));
        assert_eq!(kind(&waits), VerdictKind::NotJudged);
        assert_eq!(
            text(&waits, true),
            "I/O takes 20 ms of the 3.00 s run (0.7 %). Could not be judged: for at least 1.60 s \
             no process used a processor or was in a recorded call. The program slept, or waited \
             for a network, a lock, a device or a program that the log does not hold."
        );
        for idle_s in [None, Some(1.4)] {
            assert_eq!(kind(&report(idle_s)), VerdictKind::NotTheProblem);
        }
    }
}
