//! Findings of two runs side by side.

use super::noise::is_beyond;
use diya_report::comparison::{Fate, FindingChange, FindingSide};
use diya_report::{Finding, Report, Severity};

/// Share of the run time that a change of cost has to be to count.
const MATTERS: f64 = 0.01;

/// What became of each finding, what is new first.
pub(super) fn findings(before: &Report, after: &Report, io_noise: f64) -> Vec<FindingChange> {
    let mut ids: Vec<&str> = Vec::new();
    for finding in after.findings.iter().chain(&before.findings) {
        // Good news is no problem that came or went.
        if finding.severity != Severity::Ok && !ids.contains(&finding.id.as_str()) {
            ids.push(&finding.id);
        }
    }
    let run_s = before.job.run_s;
    let mut changes: Vec<FindingChange> =
        ids.into_iter().map(|id| change(before, after, id, run_s, io_noise)).collect();
    let cost_s = |change: &FindingChange| {
        change.after.as_ref().or(change.before.as_ref()).and_then(FindingSide::cost_s)
    };
    changes.sort_by(|a, b| {
        let by_cost = cost_s(b).unwrap_or(0.0).total_cmp(&cost_s(a).unwrap_or(0.0));
        a.fate.cmp(&b.fate).then(by_cost).then_with(|| a.id.cmp(&b.id))
    });
    changes
}

fn change(
    before: &Report,
    after: &Report,
    id: &str,
    run_s: Option<f64>,
    io_noise: f64,
) -> FindingChange {
    let find = |report: &Report| {
        let found = report.findings.iter().find(|f| f.id == id && f.severity != Severity::Ok);
        found.map(|finding| (finding.title.clone(), side(finding)))
    };
    let (a, b) = (find(before), find(after));
    let unknown_in = |report: &Report| {
        report.unknown.iter().find(|u| u.id == id).map(|unknown| unknown.reason.clone())
    };
    let (fate, unknown) = match (&a, &b) {
        (Some((_, a)), Some((_, b))) => (fate(a, b, run_s, io_noise), None),
        (None, _) => (Fate::New, unknown_in(before)),
        (_, None) => (Fate::Gone, unknown_in(after)),
    };
    let title = b.as_ref().or(a.as_ref()).map(|(title, _)| title.clone()).unwrap_or_default();
    FindingChange {
        fate,
        id: id.to_owned(),
        title,
        before: a.map(|(_, side)| side),
        after: b.map(|(_, side)| side),
        unknown,
    }
}

pub(crate) fn side(finding: &Finding) -> FindingSide {
    FindingSide {
        severity: finding.severity,
        saved_s: finding.saved_s,
        lost_low_s: finding.lost_low_s,
        lost_high_s: finding.lost_high_s,
        explained_by: finding.explained_by.clone(),
        text: finding.text.clone(),
    }
}

fn fate(a: &FindingSide, b: &FindingSide, run_s: Option<f64>, io_noise: f64) -> Fate {
    match (a.cost_s(), b.cost_s()) {
        (Some(before_s), Some(after_s)) => {
            let least_s = MATTERS * run_s.unwrap_or(0.0);
            let is_much = (after_s - before_s).abs() >= least_s;
            if !is_much || !is_beyond(before_s, after_s, io_noise) {
                Fate::Same
            } else if after_s > before_s {
                Fate::More
            } else {
                Fate::Less
            }
        }
        // Without seconds the severity is all there is; the order is that of weight.
        _ => match b.severity.cmp(&a.severity) {
            std::cmp::Ordering::Less => Fate::More,
            std::cmp::Ordering::Equal => Fate::Same,
            std::cmp::Ordering::Greater => Fate::Less,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use diya_report::{Job, Unknown};

    fn report(findings: &[(&str, Option<f64>)]) -> Report {
        let finding = |(id, cost_s): &(&str, Option<f64>)| Finding {
            id: (*id).to_owned(),
            lost_low_s: *cost_s,
            lost_high_s: *cost_s,
            ..Finding::default()
        };
        Report {
            job: Job { run_s: Some(100.0), ..Job::default() },
            findings: findings.iter().map(finding).collect(),
            ..Report::default()
        }
    }

    fn told(before: &Report, after: &Report) -> Vec<(Fate, String)> {
        findings(before, after, 0.1).into_iter().map(|c| (c.fate, c.id)).collect()
    }

    #[test]
    fn findings_come_and_go() {
        let before = report(&[("a", Some(5.0)), ("b", Some(5.0)), ("c", Some(5.0)), ("d", None)]);
        let after = report(&[("b", Some(9.0)), ("c", Some(5.2)), ("d", None), ("e", Some(2.0))]);
        let expected = [
            (Fate::New, "e".to_owned()),
            (Fate::More, "b".to_owned()),
            (Fate::Gone, "a".to_owned()),
            (Fate::Same, "c".to_owned()),
            (Fate::Same, "d".to_owned()),
        ];
        assert_eq!(told(&before, &after), expected);
    }

    #[test]
    fn a_factor_of_little_is_no_change() {
        let (before, after) = (report(&[("a", Some(0.1))]), report(&[("a", Some(0.9))]));
        assert_eq!(told(&before, &after), [(Fate::Same, "a".to_owned())]);
    }

    #[test]
    fn what_could_not_be_judged_is_not_solved() {
        let before = report(&[("a", Some(5.0))]);
        let mut after = report(&[]);
        let reason = "needs table `call`".to_owned();
        after.unknown = vec![Unknown {
            id: "a".to_owned(),
            title: String::new(),
            reason: reason.clone(),
            ..Unknown::default()
        }];
        assert_eq!(findings(&before, &after, 0.1)[0].unknown, Some(reason));
    }
}
