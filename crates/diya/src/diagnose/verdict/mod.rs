//! The verdict in words: the first thing a reader sees.
//!
//! First the split of the run time. Then one of four results: I/O is not the problem,
//! the estimated saving, I/O runs at full speed, or unknown with the reason.

mod idle;
mod leader;
mod little;
mod messages;
mod opening;
mod parts;
mod rank_wait;
mod scope;
mod short;
mod unled;

pub(super) use parts::time_parts;

use diya_model::{part_s, percent_text};
use diya_report::{
    Confidence, Evidence, Finding, Recoverable, Report, Severity, Value, VerdictKind, saves,
};
use little::little;
use opening::{at_speed, at_speed_s, opening, part_at_speed};
use scope::scope;

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

/// Recording is named from this share of the run time on.
const NAMED_RECORDING: f64 = 0.02;

/// From this share on, it is a part of the run time.
const RECORDING_PART: f64 = 0.1;

/// A sum of savings that is larger by more than this factor is not a matter of rounding.
const ROUNDING: f64 = 1.02;

/// Says in a report what its numbers mean: those of `verdict`, `time_account`, `all_fixed`, and
/// the severities of `findings`.
pub(super) fn say(report: &mut Report) {
    report.time_parts = time_parts(report);
    report.verdict.leader = leader::of(report);
    report.verdict.kind = kind(report);
    report.verdict.text = text(report, true);
    report.verdict.brief = text(report, false);
    report.together = together(report);
    report.recording = recording(report);
}

/// Which of the four results a report has, from its account and its findings.
fn kind(report: &Report) -> VerdictKind {
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
    if short::finding(report).is_some() {
        return VerdictKind::NotJudged;
    }
    if share >= SMALL_SHARE && io_s >= SMALL_S && at_speed_s(report) >= AT_SPEED_SHARE * io_s {
        return VerdictKind::AtSpeed;
    }
    match idle::waited_s(report).is_some() || idle::is_network(report) {
        true => VerdictKind::NotJudged,
        false => VerdictKind::NotTheProblem,
    }
}

/// The verdict in a few sentences; without the parts of the run time (`has_parts`) for readers who
/// see them in a picture.
fn text(report: &Report, has_parts: bool) -> String {
    let rest = of_io(report, has_parts);
    // A rank without a core spins in MPI for longer; which rank the others wait for is the same.
    let is_core = idle::waited(report).is_some_and(|of| of.activity == "core");
    let of_ranks = || match &report.verdict.rank_wait {
        Some(_) => rank_wait::sentence(report, is_core),
        None => messages::sentence(report),
    };
    let lead = leader::of(report);
    let led = match lead.as_ref().map(|of| of.class.as_str()) {
        _ if is_core => of_ranks(),
        Some("message-wait") => of_ranks(),
        _ => leader::sentence(report),
    };
    let Some(wait) = led.or_else(|| idle::sentence(report)).or_else(of_ranks) else { return rest };
    // What takes the run is what the reader needs first; where data may come over a network, too.
    let is_first = kind(report) == VerdictKind::NotTheProblem && lead.is_some();
    match is_first || idle::is_network(report) {
        true => format!("{wait} {rest}"),
        false => format!("{rest} {wait}"),
    }
}

/// What it says of I/O.
fn of_io(report: &Report, has_parts: bool) -> String {
    let verdict = &report.verdict;
    let kind = kind(report);
    let Some(io_s) = verdict.io_s else {
        let text = match why_not(report) {
            Some(why) => format!("Could not be judged: I/O time is unknown ({why})."),
            None => "Could not be judged: I/O time was not recorded.".to_owned(),
        };
        return match worth(report) {
            0 => text,
            _ => format!("{text} {}", cost(report, has_parts)),
        };
    };
    if io_s == 0.0 && verdict.bytes.unwrap_or(0) == 0 && kind == VerdictKind::NotTheProblem {
        return match scope(report) {
            None => "No file I/O was recorded: I/O is not the problem.".to_owned(),
            Some(scope) => format!("No file I/O was recorded. {scope}"),
        };
    }
    let Some(run_s) = verdict.run_s.filter(|run_s| *run_s > 0.0) else {
        let found = match worth(report) {
            0 => "The run time was not recorded, so the share of I/O is unknown.".to_owned(),
            _ => cost(report, has_parts),
        };
        return format!("I/O takes {}. {found}", part_s(io_s, io_s));
    };
    let opening = opening(report, io_s, run_s, has_parts);
    match kind {
        VerdictKind::NotTheProblem
            if io_s / run_s < NEGLIGIBLE_SHARE || report.time_account.is_empty() =>
        {
            let (io, run) = (part_s(io_s, run_s), part_s(run_s, run_s));
            let share = percent_text(io_s / run_s);
            fine(report, &format!("it takes {io} of the {run} run ({share})"))
        }
        VerdictKind::NotTheProblem => {
            let fine = match (io_s < SMALL_S, io_s / run_s < SMALL_SHARE) {
                (true, _) => fine(report, "it takes less than 0.1 s"),
                (_, true) => fine(report, "it takes less than 5 % of the run time"),
                _ => little(report, run_s),
            };
            format!("{opening} {fine}")
        }
        VerdictKind::Findings => {
            let unled = unled::unled(report, run_s).map(|text| format!(" {text}"));
            format!("{opening} {}{}", cost(report, has_parts), unled.unwrap_or_default())
        }
        VerdictKind::AtSpeed => format!("{opening} {}", at_speed(report)),
        VerdictKind::NotJudged => {
            let is_whole = !verdict.is_part_unseen && verdict.confidence != Confidence::Low;
            let of_run = short::why(report).or_else(|| idle::why(report)).filter(|_| is_whole);
            let of_network = idle::is_network(report)
                .then(|| "what comes over the connection was not recorded".to_owned());
            let of_run = of_run.or(of_network);
            let why = match (unexplained(report), of_run.or_else(|| why_not(report))) {
                (Some(rest), _) => format!("{}{rest}", part_at_speed(report, io_s)),
                (None, Some(why)) => format!("Could not be judged: {why}."),
                (None, None) => "Could not be judged: the log is incomplete.".to_owned(),
            };
            format!("{opening} {why}")
        }
    }
}

/// That I/O is not the problem, where the log can show it.
fn fine(report: &Report, why: &str) -> String {
    match scope(report) {
        None => format!("I/O is not the problem: {why}."),
        Some(scope) => format!("The recorded I/O is not the problem: {why}. {scope}"),
    }
}

/// Savings above this share of the I/O are not said as a part of it: rounded, they exceed it.
const NEARLY_ALL: f64 = 0.95;

/// What all fixes save together. `None`: there are less than two findings, or no
/// saving is known.
fn together(report: &Report) -> Option<String> {
    let all = report.all_fixed.filter(|all| all.lost_high_s.is_some_and(|s| s > 0.0))?;
    if worth(report) < 2 {
        return None;
    }
    let saved = saves(all.saved_s, all.lost_low_s, all.lost_high_s)?;
    let run_s = report.verdict.run_s;
    // Fixes may also save time that is no I/O, such as that of a program's work around its calls.
    let is_within = |io_s: &f64| all.lost_high_s.is_some_and(|high_s| high_s <= NEARLY_ALL * io_s);
    let of = report.verdict.io_s.filter(is_within).map(|io_s| {
        format!(" of {} in I/O", part_s(io_s, run_s.filter(|s| *s > 0.0).unwrap_or(io_s)))
    });
    let is_less = is_less_than_sum(report, all);
    let largest_s = own(report).filter_map(|finding| finding.saved_s).fold(0.0, f64::max);
    let largest = report.findings.iter().position(|finding| finding.saved_s == Some(largest_s));
    let is_one = all.saved_s.is_some_and(|all_s| all_s <= largest_s * ROUNDING);
    // What only a finding about the same time saves is no reason to begin elsewhere.
    let is_best = |at: &usize| {
        let mut others = report.findings.iter().filter(|other| other.saves_more);
        others.all(|other| other.same_time_as != Some(at + 1))
    };
    let shared = match (is_less, largest.filter(|_| is_one).filter(is_best)) {
        (true, Some(at)) => format!(" Finding {} alone saves this much: fix it first.", at + 1),
        (true, None) => {
            " This is less than the sum of the findings: some of them count the same time."
                .to_owned()
        }
        (false, _) => String::new(),
    };
    Some(format!("All fixes together save {saved}{}.{shared}", of.unwrap_or_default()))
}

/// Whether findings count the same time, so that all of them save less than their sum.
fn is_less_than_sum(report: &Report, all: Recoverable) -> bool {
    let sum_s: f64 = own(report).filter_map(|finding| finding.saved_s).sum();
    all.saved_s.is_some_and(|all_s| sum_s > all_s * ROUNDING)
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

/// What recording took, where it is worth a line: `takes about 0.5 s of the run, ...`. Of several
/// processes it is the least: a processor that one of them keeps longer delays the others, too.
fn recording(report: &Report) -> Option<String> {
    let run_s = report.verdict.run_s?;
    let recorder_s = recorder_s(report).filter(|own_s| *own_s >= NAMED_RECORDING * run_s)?;
    let (own, run) = (part_s(recorder_s, run_s), part_s(run_s, run_s));
    // Helpers of a single program do not wait for it.
    let are_many = report.job.nprocs.is_some_and(|processes| processes > 1);
    Some(match are_many && report.job.programs.is_empty() {
        true => format!("makes the {run} run longer, by at least {own}"),
        false => format!("makes the {run} run longer, by about {own}"),
    })
}

/// Seconds of recording: no more than the I/O leaves of the run. Threads that are stopped side by
/// side each have their own.
fn recorder_s(report: &Report) -> Option<f64> {
    let verdict = &report.verdict;
    let left_s =
        verdict.run_s.map_or(f64::INFINITY, |run_s| (run_s - verdict.io_s.unwrap_or(0.0)).max(0.0));
    verdict.recorder_s.map(|own_s| own_s.min(left_s))
}

/// What recording takes as a part of the run time, where it is so much that the rest looks like
/// another program.
fn recording_part(report: &Report) -> Option<(&'static str, f64)> {
    let (run_s, own_s) = (report.verdict.run_s?, recorder_s(report)?);
    (own_s >= RECORDING_PART * run_s).then_some(("recording", own_s))
}

/// What the findings save; `is_whole`: the reader sees the relation to their sum elsewhere.
fn cost(report: &Report, is_whole: bool) -> String {
    let found = match worth(report) {
        1 => "One finding is worth a fix".to_owned(),
        n => format!("{n} findings are worth a fix"),
    };
    let is_known = |high_s: Option<f64>| high_s.is_some_and(|s| s > 0.0);
    let all = report.all_fixed.filter(|all| is_known(all.lost_high_s));
    let of_all = all.and_then(|all| saves(all.saved_s, all.lost_low_s, all.lost_high_s));
    // The sum has what minor findings save, too: of one finding, its own number is the same
    // here and in its heading.
    let only = own(report).next().filter(|of| worth(report) == 1 && is_known(of.lost_high_s));
    let of_one = only.and_then(|of| saves(of.saved_s, of.lost_low_s, of.lost_high_s));
    let saved = match (of_one.or(of_all), worth(report)) {
        (Some(saved), 2..) => {
            let less = match !is_whole && all.is_some_and(|all| is_less_than_sum(report, all)) {
                true => ", less than their sum, since some count the same time",
                false => "",
            };
            format!("; all fixes together save {saved}{less}")
        }
        (Some(saved), _) => format!("; the estimated saving is {saved}"),
        (None, _) => String::new(),
    };
    let rest = unexplained(report).map(|rest| format!(" {rest}")).unwrap_or_default();
    format!("{found}{saved}.{rest}")
}

/// The time without a known cause, and where it is: `The cause of 9 s in ... is unknown.`
fn unexplained(report: &Report) -> Option<String> {
    let rest = report.findings.iter().find(|f| f.severity == Severity::Unexplained)?;
    let seconds = |row: &Evidence| row.values.get("all_s").and_then(Value::number);
    let all_s = rest.evidence.first().and_then(seconds).filter(|_| rest.evidence_rows > 1);
    Some(match all_s {
        Some(all_s) => {
            let whole_s = report.verdict.run_s.unwrap_or(all_s);
            let (all, place) = (part_s(all_s, whole_s), heading(rest));
            format!("The cause of {all} is unknown (marked ?); the largest part is {place}.")
        }
        None => format!("The cause of {} is unknown (marked ?).", heading(rest)),
    })
}

/// Of time without a known cause, its place: `9 s in ftruncate`.
fn heading(finding: &Finding) -> &str {
    finding.heading.as_deref().unwrap_or(&finding.title)
}

/// Why there is no judgement.
fn why_not(report: &Report) -> Option<String> {
    let rest = report.findings.iter().find(|f| f.severity == Severity::Unexplained);
    let rest = rest.map(|rest| format!("the cause of {} is unknown", heading(rest)));
    rest.or_else(|| report.verdict.not_captured.first().cloned())
}

#[cfg(test)]
mod tests;
