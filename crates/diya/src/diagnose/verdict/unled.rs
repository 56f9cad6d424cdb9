//! Waits of the headline that no finding is about: the sentence says where they lead.

use diya_model::part_s;
use diya_report::{Confidence, Finding, Report, Severity, TimePart, late_place};

/// From this share of the run time on, a reader looks for the finding about a wait.
const LOOKED_FOR: f64 = 0.05;

/// A finding is about a wait if it explains at least this share of its seconds.
const ABOUT: f64 = 0.5;

/// Beside a finding that saves so many times as much, nobody looks for it.
const BESIDE: f64 = 4.0;

/// The longest wait that the findings leave open: `No finding is about the wait of 0.38 s for
/// rank 1; the timeline shows where it is.`
pub(super) fn unled(report: &Report, run_s: f64) -> Option<String> {
    // That one names the time without a cause itself.
    if report.findings.iter().any(|finding| finding.severity == Severity::Unexplained) {
        return None;
    }
    let parts = super::time_parts(report);
    let most_s = report.findings.iter().filter_map(|finding| finding.saved_s).fold(0.0, f64::max);
    let is_open = |part: &&TimePart| {
        part.awaited.is_some()
            && part.time_s >= LOOKED_FOR * run_s
            && most_s < BESIDE * part.time_s
            && !report.findings.iter().any(|finding| is_about(finding, part))
    };
    let open = parts.iter().filter(is_open).max_by(|a, b| a.time_s.total_cmp(&b.time_s))?;
    let who = open.awaited.as_deref().unwrap_or_default();
    // Counters have no timeline of calls.
    let where_to = match report.verdict.confidence == Confidence::High && !open.is_between_calls {
        true => "; the timeline shows where it is",
        false => "",
    };
    let time = part_s(open.time_s, run_s);
    Some(format!("No finding is about the wait of {time} for {who}{where_to}."))
}

/// The longest wait that a finding of no saving is about: `The wait of 0.38 s for rank 1 is
/// no I/O: 0.72 s pass between two calls at react (a.f90:38).`
pub(super) fn led(report: &Report, run_s: f64) -> Option<String> {
    let parts = super::time_parts(report);
    let long = parts.iter().filter(|part| part.awaited.is_some());
    let longest = long.max_by(|a, b| a.time_s.total_cmp(&b.time_s))?;
    let who = longest.awaited.as_deref().filter(|_| longest.time_s >= LOOKED_FOR * run_s)?;
    let mut late = report.findings.iter().filter_map(|finding| finding.late.as_ref());
    let late = late.find(|late| Some(&late.name) == longest.awaited.as_ref())?;
    let part = late.parts.first()?;
    let (time, more) = (part_s(longest.time_s, run_s), part_s(part.time_s, run_s));
    let place = late_place(part);
    Some(format!("The wait of {time} for {who} is another matter: it spends {more} {place}."))
}

fn is_about(finding: &Finding, part: &TimePart) -> bool {
    let is_late =
        finding.late.as_ref().is_some_and(|late| Some(&late.name) == part.awaited.as_ref());
    let of_class = finding.explains.iter().filter(|row| row.class == part.class);
    let explained_s: f64 = of_class.map(|row| row.time_s).sum();
    // Who compares ranks says for whom the others wait.
    let compares = finding.severity <= Severity::Warn
        && finding.evidence.iter().any(|row| row.values.contains_key("late_rank"));
    is_late || compares || (explained_s > 0.0 && explained_s >= ABOUT * part.time_s)
}

#[cfg(test)]
mod tests {
    use super::*;
    use diya_report::{AccountRow, Explained, Verdict};

    fn report(explained_s: f64, late_s: f64) -> Report {
        let row = |class: &str| AccountRow {
            layer: "mpiio".into(),
            class: class.into(),
            time_s: 2.0,
            ..AccountRow::default()
        };
        let (late, awaited) = (Some(late_s), Some("rank 1".to_owned()));
        let explains = Explained {
            layer: "mpiio".into(),
            class: "wait".into(),
            time_s: explained_s,
            ..Explained::default()
        };
        Report {
            verdict: Verdict { confidence: Confidence::High, ..Verdict::default() },
            time_account: vec![row("write"), AccountRow { late_s: late, awaited, ..row("wait") }],
            findings: vec![Finding { explains: vec![explains], ..Finding::default() }],
            ..Report::default()
        }
    }

    #[test]
    fn a_wait_without_a_finding_leads_to_the_timeline() {
        assert_eq!(
            unled(&report(0.1, 1.0), 4.0).as_deref(),
            Some(
                "No finding is about the wait of 1.00 s for rank 1; the timeline shows where it is."
            )
        );
    }

    #[test]
    fn a_wait_with_a_finding_and_a_short_one_need_no_words() {
        assert_eq!(unled(&report(0.5, 1.0), 4.0), None);
        assert_eq!(unled(&report(0.0, 0.1), 4.0), None);
        let mut beside = report(0.1, 1.0);
        beside.findings[0].saved_s = Some(4.0);
        assert_eq!(unled(&beside, 6.0), None, "a finding saves four times as much");
    }
}
