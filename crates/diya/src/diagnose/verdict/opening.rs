//! The split of the run time in words, and the part of it at full speed.

use diya_model::{bytes_text, part_s, percent_text};
use diya_report::{Finding, Report, TimePart};

/// Classes of calls below this share of the I/O time are not listed.
const NAMED_SHARE: f64 = 0.01;

/// From this share of the I/O time on, a part at full speed is named beside unknown causes.
const NAMED_PART: f64 = 0.1;

/// Causes of waits below this share of them have no place in the headline: the bar has them.
const NAMED_WAIT: f64 = 0.05;

/// Behind the time of writes and syncs of which only the sum is known.
const NOT_SEPARATED: &str = " (the log does not separate them)";

/// Waits are named instead of I/O from this share of the I/O time on.
const WAITS_SHARE: f64 = 0.5;

/// What the I/O time is: `I/O takes 12 s of the 80 s run (15 %): write 9 s, ...`. Where most of it
/// is waiting, that comes first: `Ranks wait 2.3 s of the 5 s run (46 %) for rank 3.` A picture of
/// the parts needs no list of them (`has_parts`).
pub(super) fn opening(report: &Report, io_s: f64, run_s: f64, has_parts: bool) -> String {
    let parts = super::time_parts(report);
    let waits: Vec<&TimePart> = parts.iter().filter(|part| part.awaited.is_some()).collect();
    let waits_s: f64 = waits.iter().map(|part| part.time_s).sum();
    let of_run = |time_s: f64| {
        let (time, run) = (part_s(time_s, run_s), part_s(run_s, run_s));
        format!("{time} of the {run} run ({})", percent_text(time_s / run_s))
    };
    let list = |is_listed: &dyn Fn(&&TimePart) -> bool| -> Vec<String> {
        let least_s = NAMED_SHARE * io_s;
        let is_named =
            |part: &&TimePart| part.is_io() && part.time_s > 0.0 && part.time_s >= least_s;
        let named = parts.iter().filter(is_named).filter(is_listed);
        // "rank 3 2.5 s" would read as one number.
        let is_rank =
            |part: &TimePart| part.awaited.is_some() && part.name.ends_with(char::is_numeric);
        let colon = |part: &TimePart| if is_rank(part) { ":" } else { "" };
        let text = |part: &TimePart| {
            let why = if part.class == "write_sync" { NOT_SEPARATED } else { "" };
            format!("{}{} {}{why}", part.name, colon(part), part_s(part.time_s, run_s))
        };
        named.map(text).collect()
    };
    let is_other = |part: &&TimePart| match part.class.as_str() {
        "computing" => true,
        "child" => part.time_s >= NAMED_SHARE * run_s,
        _ => false,
    };
    let text = |part: &TimePart| format!("{}: {}", part.name, part_s(part.time_s, run_s));
    let others: Vec<String> = parts.iter().filter(is_other).map(text).collect();
    let computing = (!others.is_empty()).then(|| others.join("; "));
    let ended = |lead: String, list: &[String]| match (list, computing.as_ref()) {
        ([], None) => format!("{lead}."),
        ([], Some(computing)) => format!("{lead}; {computing}."),
        (list, None) => format!("{lead}: {}.", list.join(", ")),
        (list, Some(computing)) => format!("{lead}: {}; {computing}.", list.join(", ")),
    };
    if waits_s < WAITS_SHARE * io_s || waits_s <= 0.0 {
        let (lead, list) = (format!("I/O takes {}", of_run(io_s)), list(&|_| true));
        return if has_parts && !list.is_empty() { ended(lead, &list) } else { format!("{lead}.") };
    }
    let lead = format!(
        "{} {}{}.",
        subject(report, &waits),
        of_run(waits_s),
        causes(report, &waits, run_s)
    );
    let rest_s = io_s - waits_s;
    if rest_s < NAMED_SHARE * io_s {
        let computing = computing.filter(|_| has_parts).map(|text| format!(" {}.", capital(&text)));
        return format!("{lead}{}", computing.unwrap_or_default());
    }
    let other = format!("{lead} Other I/O takes {}", part_s(rest_s, run_s));
    let list = list(&|part| part.awaited.is_none());
    if has_parts { ended(other, &list) } else { format!("{other}.") }
}

/// Who waits, with the verb.
fn subject(report: &Report, waits: &[&TimePart]) -> &'static str {
    let is_of_ranks = |part: &&&TimePart| {
        let who = part.awaited.as_deref().unwrap_or_default();
        who.contains("rank") || who.starts_with("each other")
    };
    match report.job.nprocs {
        Some(1) => "The program waits",
        _ if waits.iter().any(|part| is_of_ranks(&part)) => "Ranks wait",
        _ => "Processes wait",
    }
}

/// What is waited for: ` for rank 3`, or `: 2 s for rank 3, 0.3 s for locks, 20 ms for others`. A
/// rank that is not most of it has its name where a finding tells more about it.
fn causes(report: &Report, waits: &[&TimePart], run_s: f64) -> String {
    let all_s: f64 = waits.iter().map(|part| part.time_s).sum();
    let named = waits.iter().filter(|part| part.time_s >= NAMED_WAIT * all_s);
    let mut named: Vec<(&str, f64)> =
        named.map(|part| (part.awaited.as_deref().unwrap_or_default(), part.time_s)).collect();
    let rest_s = all_s - named.iter().map(|(_, time_s)| time_s).sum::<f64>();
    if rest_s >= NAMED_SHARE * all_s {
        named.push(("others", rest_s));
    }
    match named.as_slice() {
        [(who, _)] => format!(" for {who}"),
        several => {
            let most_s = several.iter().map(|(_, time_s)| *time_s).fold(0.0, f64::max);
            let cause = |(who, time_s): &(&str, f64)| {
                let is_named =
                    *time_s >= most_s || !who.starts_with("rank ") || is_told(report, who);
                let who = if is_named { who } else { "other ranks" };
                format!("{} for {who}", part_s(*time_s, run_s))
            };
            format!(": {}", several.iter().map(cause).collect::<Vec<_>>().join(", "))
        }
    }
}

/// Whether a finding is about this rank.
fn is_told(report: &Report, who: &str) -> bool {
    let ends = |rest: &str| !rest.starts_with(|next: char| next.is_ascii_digit());
    let names = |text: &str| text.match_indices(who).any(|(at, _)| ends(&text[at + who.len()..]));
    report.findings.iter().any(|finding| names(&finding.text))
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

pub(super) fn at_speed_s(report: &Report) -> f64 {
    report.time_account.iter().filter(|row| row.is_at_speed).map(|row| row.time_s).sum()
}

/// `I/O is as fast as the log shows to be possible: 1.2 GiB/s over all processes, in ...`
pub(super) fn at_speed(report: &Report) -> String {
    let saves = |finding: &Finding| finding.saved_s.is_some_and(|saved_s| saved_s > 0.0);
    let besides = match report.findings.iter().any(saves) {
        true => {
            "Beyond the little that the findings save, only reading or writing less would save time."
        }
        false => "Only reading or writing less would save time.",
    };
    format!(
        "I/O is as fast as the log or the machine profile shows to be possible: {}. {besides}",
        speed(report)
    )
}

/// `9 s of it are at full speed (1.2 GiB/s over all processes, in requests of ...). `
pub(super) fn part_at_speed(report: &Report, io_s: f64) -> String {
    let seconds = at_speed_s(report);
    match seconds >= NAMED_PART * io_s && seconds > 0.0 {
        true => format!("{} are at full speed ({}). ", part_s(seconds, io_s), speed(report)),
        false => String::new(),
    }
}

/// `1.2 GiB/s over all processes, in requests of ... on average`
fn speed(report: &Report) -> String {
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
    let size = bytes_text((bytes / calls.max(1)).max(0).unsigned_abs());
    // An `as` from a float saturates; a rate is not negative.
    let speed = bytes_text((all / seconds.max(f64::MIN_POSITIVE)).max(0.0) as u64);
    let over = if report.job.nprocs == Some(1) { "" } else { " over all processes" };
    format!("{speed}/s{over}, in requests of {size} on average")
}
