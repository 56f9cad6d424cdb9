//! The split of the run time in words, and the part of it at full speed.

use crate::numbers::rate;
use crate::{AccountRow, Finding, Report};
use diya_model::{Layer, part_s};
use std::borrow::Cow;

/// Classes of calls below this share of the I/O time are not listed.
const NAMED_SHARE: f64 = 0.01;

/// From this share of the I/O time on, a part at full speed is named beside unknown causes.
const NAMED_PART: f64 = 0.1;

/// `: write 6.2 s, sync 1.8 s, ...; computing and other work: 2.1 s.`
pub(super) fn account(report: &Report) -> String {
    let io_s: f64 = report.time_account.iter().filter(|row| row.is_io()).map(|r| r.time_s).sum();
    let mut classes: Vec<(Cow<'_, str>, f64)> = Vec::new();
    for row in report.time_account.iter().filter(|row| row.is_io()) {
        let name = class_name(row, report.job.nprocs == Some(1));
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
    let run_s = report.verdict.run_s.unwrap_or(io_s);
    let parts: Vec<String> =
        classes.iter().map(|(name, s)| format!("{name} {}", part_s(*s, run_s))).collect();
    let computing = report.time_account.iter().find(|row| row.class == "computing");
    let computing =
        computing.map(|row| format!("; computing and other work: {}", part_s(row.time_s, run_s)));
    format!(": {}{}.", parts.join(", "), computing.unwrap_or_default())
}

/// The class of a row as readers know it. A single process waits for its own threads.
fn class_name(row: &AccountRow, is_alone: bool) -> Cow<'_, str> {
    let library = || {
        let layer = Layer::from_name(&row.layer).filter(|l| l.depth() <= Layer::Mpiio.depth());
        layer.map_or("inside libraries".into(), |layer| {
            format!("inside {}", layer.software()).into()
        })
    };
    let name = match row.class.as_str() {
        "wait" if row.function.as_deref() == Some("naps") => "sleeping between polls",
        "wait" if matches!(row.layer.as_str(), "posix" | "stdio") => match is_alone {
            true => "waiting for other threads",
            false => "waiting for other processes",
        },
        "wait" => "waiting and data exchange between ranks",
        "lock" => "waiting for locks",
        "map" => "mapped files",
        "text" => "converting text",
        "library" => match row.function.as_deref() {
            Some("import") => "loading modules",
            Some("compression") => "compression",
            Some("serialisation") => "converting objects",
            _ => return library(),
        },
        class => class,
    };
    Cow::Borrowed(name)
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
    let size = diya_model::bytes_text((bytes / calls.max(1)).max(0).unsigned_abs());
    let speed = rate(all / seconds.max(f64::MIN_POSITIVE));
    format!("{speed} over all processes, in requests of {size} on average")
}
