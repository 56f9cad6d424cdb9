//! The verdict in words: the first thing a reader sees.
//!
//! First the split of the run time. Then one of four results: I/O is not the problem,
//! the estimated saving, I/O runs at full speed, or unknown with the reason.

use crate::numbers::{percent, rate, saves};
use crate::{AccountRow, Confidence, Finding, Report, Severity, VerdictKind};
use diya_model::{Layer, about_s};
use std::borrow::Cow;

/// I/O below this share of the run time is not reported as a problem.
///
/// Two runs of one job differ by more than that (5.7 % on Theta, 7.2 % on
/// Cori: Isakov, SC22), so the gain could not be measured.
const NEGLIGIBLE_SHARE: f64 = 0.01;

/// The same if no finding is above INFO, as share and in seconds.
const SMALL_SHARE: f64 = 0.05;
const SMALL_S: f64 = 0.1;

/// From this share of the I/O time at full speed on, the verdict is "at speed".
const AT_SPEED_SHARE: f64 = 0.5;

/// A sum of savings that is larger by more than this factor is not a matter of rounding.
const ROUNDING: f64 = 1.02;

/// Classes of calls below this share of the I/O time are not listed.
const NAMED_SHARE: f64 = 0.01;

/// Which of the four results a report has, from its account and its findings.
pub fn verdict_kind(report: &Report) -> VerdictKind {
    let verdict = &report.verdict;
    let Some(io_s) = verdict.io_s else { return VerdictKind::NotJudged };
    if worth(report) > 0 {
        return VerdictKind::Findings;
    }
    if verdict.is_part_unseen {
        return VerdictKind::NotJudged;
    }
    let is_lost = verdict.confidence == Confidence::Low;
    let share = verdict.run_s.filter(|run_s| *run_s > 0.0).map(|run_s| io_s / run_s);
    let Some(share) = share else { return VerdictKind::NotJudged };
    let is_unexplained = report.findings.iter().any(|f| f.severity == Severity::Unexplained);
    if is_unexplained || (is_lost && !report.unknown.is_empty() && share >= NEGLIGIBLE_SHARE) {
        return VerdictKind::NotJudged;
    }
    if is_lost && io_s == 0.0 {
        return VerdictKind::NotJudged;
    }
    if share >= SMALL_SHARE && io_s >= SMALL_S && at_speed_s(report) >= AT_SPEED_SHARE * io_s {
        return VerdictKind::AtSpeed;
    }
    VerdictKind::NotTheProblem
}

/// The verdict of a report in a few sentences, from its numbers: those of `verdict`,
/// `time_account`, `all_fixed`, and the severities of `findings`.
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
///     "I/O is not the problem: it takes 0.8 s of the 10 min run (0.1 %)."
/// );
/// ```
pub fn verdict_text(report: &Report) -> String {
    let verdict = &report.verdict;
    let kind = verdict_kind(report);
    let Some(io_s) = verdict.io_s else {
        let text = match why_not(report) {
            Some(why) => format!("Could not be judged: I/O time is unknown ({why})."),
            None => "Could not be judged: I/O time was not recorded.".to_owned(),
        };
        return match worth(report) {
            0 => text,
            _ => format!("{text} {}", cost(report)),
        };
    };
    if io_s == 0.0 && verdict.bytes.unwrap_or(0) == 0 && kind == VerdictKind::NotTheProblem {
        return "No I/O was recorded.".to_owned();
    }
    let Some(run_s) = verdict.run_s.filter(|run_s| *run_s > 0.0) else {
        let found = match worth(report) {
            0 => "Could not be judged: the run time was not recorded.".to_owned(),
            _ => cost(report),
        };
        return format!("I/O takes {}. {found}", about_s(io_s));
    };
    let takes =
        format!("{} of the {} run ({})", about_s(io_s), about_s(run_s), percent(io_s / run_s));
    match kind {
        VerdictKind::NotTheProblem
            if io_s / run_s < NEGLIGIBLE_SHARE || report.time_account.is_empty() =>
        {
            format!("I/O is not the problem: it takes {takes}.")
        }
        VerdictKind::NotTheProblem => {
            let limit = match io_s < SMALL_S || io_s / run_s < SMALL_SHARE {
                true => "I/O is not the problem.",
                false => {
                    "I/O is not the problem: no finding saves both 0.1 s and 2 % of the run time."
                }
            };
            format!("I/O takes {takes}{} {limit}", account(report))
        }
        VerdictKind::Findings => format!("I/O takes {takes}{} {}", account(report), cost(report)),
        VerdictKind::AtSpeed => {
            format!("I/O takes {takes}{} {}", account(report), at_speed(report))
        }
        VerdictKind::NotJudged => {
            let why = match (unexplained(report), why_not(report)) {
                (Some(place), _) => format!("no check explains {place}"),
                (None, Some(why)) => why,
                (None, None) => "the log is incomplete".to_owned(),
            };
            format!("I/O takes {takes}{} Could not be judged: {why}.", account(report))
        }
    }
}

/// What all fixes save together. `None`: there are less than two findings, or no
/// saving is known.
pub fn together_text(report: &Report) -> Option<String> {
    let all = report.all_fixed.filter(|all| all.lost_high_s.is_some_and(|s| s > 0.0))?;
    if worth(report) < 2 {
        return None;
    }
    let saved = saves(all.saved_s, all.lost_low_s, all.lost_high_s)?;
    let of = report.verdict.io_s.map(|io_s| format!(" of {} in I/O", about_s(io_s)));
    let sum_s: f64 = own(report).filter_map(|finding| finding.saved_s).sum();
    let is_less = all.saved_s.is_some_and(|all_s| sum_s > all_s * ROUNDING);
    let shared = if is_less { " Several findings count some of this time." } else { "" };
    Some(format!("All fixes together: {saved}{}.{shared}", of.unwrap_or_default()))
}

/// Findings above INFO that no other one explains.
fn own(report: &Report) -> impl Iterator<Item = &Finding> {
    let is_own = |f: &&Finding| {
        matches!(f.severity, Severity::High | Severity::Warn) && f.explained_by.is_none()
    };
    report.findings.iter().filter(is_own)
}

fn worth(report: &Report) -> usize {
    own(report).count()
}

fn cost(report: &Report) -> String {
    let found = match worth(report) {
        1 => "One finding".to_owned(),
        n => format!("{n} findings"),
    };
    let all = report.all_fixed.filter(|all| all.lost_high_s.is_some_and(|s| s > 0.0));
    let saved = all.and_then(|all| saves(all.saved_s, all.lost_low_s, all.lost_high_s));
    let saved = saved.map(|saved| format!("; the estimated saving is {saved}")).unwrap_or_default();
    let rest = report.findings.iter().find(|f| f.severity == Severity::Unexplained);
    let rest = rest.map(|_| " Some I/O time has no known cause (marked ?).").unwrap_or_default();
    format!("{found}{saved}.{rest}")
}

fn at_speed_s(report: &Report) -> f64 {
    report.time_account.iter().filter(|row| row.is_at_speed).map(|row| row.time_s).sum()
}

/// `I/O runs at full speed: 1.2 GiB/s over all processes, in requests of ...`
fn at_speed(report: &Report) -> String {
    let rows = || report.time_account.iter().filter(|row| row.is_at_speed && row.is_io());
    let (bytes, calls) = rows().fold((0i64, 0i64), |(bytes, calls), row| {
        // Syncs, and calls that submit requests or wait for them, move no bytes themselves.
        let moved = row.bytes.unwrap_or(0);
        let requests = row.calls.filter(|_| moved > 0).unwrap_or(0);
        (bytes.saturating_add(moved), calls.saturating_add(requests))
    });
    let seconds = at_speed_s(report);
    // The time account has the bytes of one process: scale to all processes of the job.
    let of_account: i64 = report.time_account.iter().filter_map(|row| row.bytes).sum();
    let of_job = report.verdict.bytes.unwrap_or(0).max(of_account);
    let all = bytes as f64 * (of_job as f64 / of_account.max(1) as f64).max(1.0);
    let size = diya_model::bytes_text((bytes / calls.max(1)).max(0).unsigned_abs());
    let speed = rate(all / seconds.max(f64::MIN_POSITIVE));
    format!(
        "I/O runs at full speed: {speed} over all processes, in requests of {size} on average. \
         No saving is expected."
    )
}

/// Where the time without a known cause is: the first part of the sentence.
fn unexplained(report: &Report) -> Option<String> {
    let rest = report.findings.iter().find(|f| f.severity == Severity::Unexplained)?;
    let place = rest.text.split(';').next().unwrap_or_default();
    Some(place.trim_end_matches('.').to_owned())
}

/// Why there is no judgement.
fn why_not(report: &Report) -> Option<String> {
    unexplained(report).or_else(|| report.verdict.not_captured.first().cloned())
}

/// `: write 6.2 s, sync 1.8 s, ...; outside I/O: 2.1 s.`
fn account(report: &Report) -> String {
    let io_s: f64 = report.time_account.iter().filter(|row| row.is_io()).map(|r| r.time_s).sum();
    let mut classes: Vec<(Cow<'_, str>, f64)> = Vec::new();
    for row in report.time_account.iter().filter(|row| row.is_io()) {
        let name = class_name(row);
        match classes.iter_mut().find(|(known, _)| *known == name) {
            Some((_, sum_s)) => *sum_s += row.time_s,
            None => classes.push((name, row.time_s)),
        }
    }
    classes.retain(|(_, s)| *s >= NAMED_SHARE * io_s && *s > 0.0);
    classes.sort_by(|a, b| b.1.total_cmp(&a.1));
    if classes.is_empty() {
        return ".".to_owned();
    }
    let parts: Vec<String> =
        classes.iter().map(|(name, s)| format!("{name} {}", about_s(*s))).collect();
    let computing = report.time_account.iter().find(|row| row.class == "computing");
    let computing = computing.map(|row| format!("; outside I/O: {}", about_s(row.time_s)));
    format!(": {}{}.", parts.join(", "), computing.unwrap_or_default())
}

/// The class of a row as readers know it.
fn class_name(row: &AccountRow) -> Cow<'_, str> {
    let library = || {
        let layer = Layer::from_name(&row.layer).filter(|l| l.depth() <= Layer::Mpiio.depth());
        layer.map_or("inside libraries".into(), |layer| {
            format!("inside {}", layer.software()).into()
        })
    };
    let name = match row.class.as_str() {
        "wait" if row.function.as_deref() == Some("naps") => "sleeping between polls",
        "wait" if matches!(row.layer.as_str(), "posix" | "stdio") => "waiting for other processes",
        "wait" => "waiting and data exchange",
        "lock" => "waiting for locks",
        "map" => "mapped files",
        "text" => "converting text",
        "library" => match row.function.as_deref() {
            Some("import") => "loading modules",
            Some("compression") => "compression",
            Some("serialisation") => "packing objects",
            _ => return library(),
        },
        class => class,
    };
    Cow::Borrowed(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Recoverable, Verdict};

    fn row(layer: &str, class: &str, time_s: f64) -> AccountRow {
        let (layer, class) = (layer.to_owned(), class.to_owned());
        AccountRow { layer, class, time_s, ..AccountRow::default() }
    }

    fn report(io_s: f64, run_s: Option<f64>) -> Report {
        let verdict = Verdict {
            io_s: Some(io_s),
            run_s,
            bytes: Some(5 << 30),
            confidence: Confidence::High,
            ..Verdict::default()
        };
        let computing_s = run_s.unwrap_or(io_s) - io_s;
        let time_account = vec![
            row("posix", "write", io_s * 0.75),
            row("posix", "sync", io_s * 0.25),
            row("program", "computing", computing_s),
        ];
        Report { verdict, time_account, ..Report::default() }
    }

    fn finding(severity: Severity, text: &str) -> Finding {
        Finding { severity, text: text.to_owned(), ..Finding::default() }
    }

    #[test]
    fn findings_come_with_the_account_and_what_they_save() {
        let mut report = report(12.0, Some(80.0));
        report.findings.push(finding(Severity::High, ""));
        report.all_fixed =
            Some(Recoverable { saved_s: Some(8.4), lost_low_s: Some(6.0), lost_high_s: Some(9.0) });
        assert_eq!(
            verdict_text(&report),
            "I/O takes 12 s of the 80 s run (15 %): write 9 s, sync 3 s; outside I/O: 68 s. \
             One finding; the estimated saving is about 8.4 s (6 to 9)."
        );
        assert_eq!(together_text(&report), None);
        report.findings.push(finding(Severity::Warn, ""));
        assert_eq!(
            together_text(&report).as_deref(),
            Some("All fixes together: about 8.4 s (6 to 9) of 12 s in I/O.")
        );
        report.findings.iter_mut().for_each(|finding| finding.saved_s = Some(8.0));
        assert_eq!(
            together_text(&report).as_deref(),
            Some(
                "All fixes together: about 8.4 s (6 to 9) of 12 s in I/O. Several findings count \
                 some of this time."
            )
        );
    }

    #[test]
    fn time_that_no_check_explains_is_not_judged() {
        let mut report = report(12.0, Some(80.0));
        report.findings.push(finding(Severity::Unexplained, "9 s in `ftruncate`; no check."));
        assert_eq!(verdict_kind(&report), VerdictKind::NotJudged);
        assert!(
            verdict_text(&report)
                .ends_with("Could not be judged: no check explains 9 s in `ftruncate`.")
        );
    }

    #[test]
    fn large_requests_run_at_the_possible_speed() {
        let mut report = report(10.0, Some(20.0));
        let write = &mut report.time_account[0];
        (write.is_at_speed, write.bytes, write.calls) = (true, Some(15 << 30), Some(960));
        assert_eq!(
            verdict_text(&report),
            "I/O takes 10 s of the 20 s run (50 %): write 7.5 s, sync 2.5 s; outside I/O: 10 s. \
             I/O runs at full speed: 2.00 GiB/s over all processes, in requests of 16.0 MiB on \
             average. No saving is expected."
        );
        // Four ranks write at once, the account holds the slowest.
        report.verdict.bytes = Some(60 << 30);
        assert!(verdict_text(&report).contains("full speed: 8.00 GiB/s over all processes"));
    }

    #[test]
    fn calls_that_submit_requests_are_no_requests() {
        let mut report = report(10.0, Some(20.0));
        let moved = |bytes, calls| AccountRow {
            is_at_speed: true,
            bytes: Some(bytes),
            calls: Some(calls),
            ..row("posix", "write", 5.0)
        };
        report.time_account[0] = moved(15 << 30, 960);
        report.time_account[1] = moved(0, 9999);
        assert!(verdict_text(&report).contains("in requests of 16.0 MiB"));
    }

    #[test]
    fn little_io_is_not_the_problem() {
        let text = verdict_text(&report(0.9, Some(100.0)));
        assert_eq!(text, "I/O is not the problem: it takes 0.9 s of the 100 s run (0.9 %).");
        let text = verdict_text(&report(3.0, Some(100.0)));
        assert!(text.ends_with("outside I/O: 97 s. I/O is not the problem."), "{text}");
    }

    #[test]
    fn a_loss_beside_unknown_checks_is_not_judged() {
        let mut report = report(10.0, Some(20.0));
        report.verdict.confidence = Confidence::Low;
        report.verdict.not_captured = vec!["POSIX: records are missing".to_owned()];
        report.unknown.push(crate::Unknown::default());
        assert!(
            verdict_text(&report).ends_with("Could not be judged: POSIX: records are missing.")
        );
    }

    #[test]
    fn what_is_not_known_is_said() {
        assert_eq!(
            verdict_text(&Report::default()),
            "Could not be judged: I/O time was not recorded."
        );
        assert_eq!(
            verdict_text(&report(1.0, None)),
            "I/O takes 1 s. Could not be judged: the run time was not recorded."
        );
        let verdict = Verdict {
            io_s: Some(0.0),
            run_s: Some(1.0),
            confidence: Confidence::High,
            ..Verdict::default()
        };
        let silent = Report { verdict, ..Report::default() };
        assert_eq!(verdict_text(&silent), "No I/O was recorded.");
    }
}
