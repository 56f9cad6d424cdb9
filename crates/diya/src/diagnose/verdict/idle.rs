//! Runs that mostly wait for something that is no call on a file: a sleep, a network, a lock.

use diya_model::{part_s, percent_text};
use diya_report::{Report, Waited};

/// From this share of the run on, waiting is what takes the time.
const MOST: f64 = 0.5;

/// A shorter run waits for its program to be loaded.
const LEAST_S: f64 = 0.5;

/// A wait from here on is named beside what else is said.
const NAMED_SHARE: f64 = 0.1;
const NAMED_S: f64 = 0.1;

/// Seconds in which nobody worked, where they are most of the run, and what for is not known.
pub(super) fn waited_s(report: &Report) -> Option<f64> {
    let run_s = report.verdict.run_s?;
    let idle_s = report.verdict.idle_s?;
    let known_s = waited(report).map_or(0.0, |waited| waited.time_s);
    Some(idle_s).filter(|s| *s >= LEAST_S && *s >= MOST * run_s && *s - known_s >= MOST * *s)
}

/// `for at least 1.4 s ...`, after "Could not be judged".
pub(super) fn why(report: &Report) -> Option<String> {
    let waited = part_s(waited_s(report)?, report.verdict.run_s?);
    Some(format!(
        "for at least {waited} no process used a processor or was in a recorded call. The program \
         slept, or waited for a network, a lock, a device or a program that the log does not hold"
    ))
}

/// The longest wait, where it is worth a word.
pub(super) fn waited(report: &Report) -> Option<Waited> {
    let run_s = report.verdict.run_s?;
    let waited = report.verdict.waited.as_ref()?;
    let polls = report.time_account.iter().filter(|row| row.function.as_deref() == Some("naps"));
    let polls_s: f64 = polls.map(|row| row.time_s).sum();
    let seen_s = waited.time_s.min(run_s);
    let time_s = match waited.activity.as_str() {
        // Sleeping between polls of a file is said as that: with what is left of it, somebody
        // works on what the poll waits for.
        "sleep" if polls_s >= MOST * seen_s => 0.0,
        "sleep" => seen_s - polls_s,
        _ => seen_s,
    };
    let is_worth = time_s >= NAMED_S && time_s >= NAMED_SHARE * run_s;
    is_worth.then(|| Waited { time_s, ..waited.clone() })
}

/// Decoding as a part of the run time, where it is worth a word.
pub(super) fn decoding(report: &Report) -> Option<(&'static str, f64)> {
    let (run_s, time_s) = (report.verdict.run_s?, report.verdict.decoding_s?);
    let is_worth = time_s >= NAMED_S && time_s >= NAMED_SHARE * run_s;
    is_worth.then_some(("decoding", time_s))
}

/// Seconds in which programs that it started were at work, beyond those that are known already,
/// where they are worth a word.
pub(super) fn children(report: &Report, known_s: f64) -> Option<f64> {
    let (run_s, time_s) = (report.verdict.run_s?, report.verdict.children_s?);
    let is_worth = time_s >= NAMED_S && time_s >= NAMED_SHARE * run_s;
    Some(time_s - known_s).filter(|more_s| is_worth && *more_s > 0.0)
}

/// Whether data of the run may come over it.
pub(super) fn is_network(report: &Report) -> bool {
    let run_s = report.verdict.run_s.unwrap_or(f64::INFINITY);
    waited(report).is_some_and(|of| of.activity == "network" && of.time_s >= MOST * run_s)
}

/// `The program sleeps 2.1 s of the 3 s run (70 %).`
pub(super) fn sentence(report: &Report) -> Option<String> {
    let (run_s, waited) = (report.verdict.run_s?, waited(report)?);
    let who = match &waited.program {
        Some(program) => format!("The program `{program}`"),
        None => "The program".to_owned(),
    };
    let of_run = format!(
        "{} of the {} run ({})",
        part_s(waited.time_s, run_s),
        part_s(run_s, run_s),
        percent_text(waited.time_s / run_s)
    );
    let place = waited.place.as_ref().map(|place| format!(" ({place})")).unwrap_or_default();
    Some(match waited.activity.as_str() {
        "sleep" => format!("{who} sleeps {of_run}."),
        "network" if is_of_this_host(waited.place.as_deref()) => {
            format!("{who} waits {of_run} for a connection to a program of the same host{place}.")
        }
        "network" => format!("{who} waits {of_run} for a network connection{place}."),
        "socket" => format!("{who} waits {of_run} for another process of this host, at a socket."),
        "lock" => format!("{who} waits {of_run} for its own threads."),
        "core" => format!(
            "{who} waits {of_run} for a processor core, in I/O and in computing: others have them."
        ),
        _ => return None,
    })
}

/// Whether the place of a connection is on the host of the program.
fn is_of_this_host(place: Option<&str>) -> bool {
    place.is_some_and(|place| place.starts_with("127.") || place.starts_with("[::1]"))
}

/// The same as a part of the run time.
pub(super) fn part(report: &Report) -> Option<(&'static str, f64)> {
    let waited = waited(report)?;
    let name = match waited.activity.as_str() {
        "sleep" => "sleeping",
        "network" if is_of_this_host(waited.place.as_deref()) => "waiting for another program",
        "network" => "waiting for a network",
        "socket" => "waiting for another process",
        "lock" => "waiting for own threads",
        // It may be any of the ranks, at work or in I/O: no part of its own.
        _ => return None,
    };
    Some((name, waited.time_s))
}

#[cfg(test)]
mod tests {
    use super::super::{kind, text};
    use super::*;
    use diya_report::{Confidence, Verdict, VerdictKind};

    fn report(idle_s: Option<f64>, waited: Option<(&str, f64)>) -> Report {
        let waited = waited.map(|(of, time_s)| Waited {
            activity: of.to_owned(),
            time_s,
            ..Waited::default()
        });
        let verdict = Verdict {
            io_s: Some(0.02),
            run_s: Some(3.0),
            idle_s,
            waited,
            confidence: Confidence::High,
            ..Verdict::default()
        };
        Report { verdict, ..Report::default() }
    }

    #[test]
    fn a_run_that_mostly_waits_is_not_called_fine() {
        let waits = report(Some(1.6), None);
        assert_eq!(kind(&waits), VerdictKind::NotJudged);
        assert_eq!(
            text(&waits, true),
            "I/O takes 20 ms of the 3.00 s run (0.7 %). Could not be judged: for at least 1.60 s \
             no process used a processor or was in a recorded call. The program slept, or waited \
             for a network, a lock, a device or a program that the log does not hold."
        );
        for idle_s in [None, Some(1.4)] {
            assert_eq!(kind(&report(idle_s, None)), VerdictKind::NotTheProblem);
        }
    }

    #[test]
    fn the_sleep_of_a_poll_is_told_once() {
        let mut polls = report(None, Some(("sleep", 2.2)));
        polls.time_account = vec![diya_report::AccountRow {
            class: "wait".to_owned(),
            function: Some("naps".to_owned()),
            time_s: 1.8,
            ..diya_report::AccountRow::default()
        }];
        assert_eq!(waited(&polls), None);
        polls.time_account[0].time_s = 0.8;
        assert!(waited(&polls).is_some_and(|of| (of.time_s - 1.4).abs() < 1e-9));
    }

    #[test]
    fn a_wait_that_was_seen_is_named() {
        let sleeps = report(Some(1.6), Some(("sleep", 1.7)));
        assert_eq!(kind(&sleeps), VerdictKind::NotTheProblem);
        assert_eq!(
            text(&sleeps, true),
            "The program sleeps 1.70 s of the 3.00 s run (57 %). I/O is not the problem: it takes 20 ms \
             of the 3.00 s run (0.7 %)."
        );
        let waits = report(Some(1.6), Some(("network", 1.7)));
        assert_eq!(kind(&waits), VerdictKind::NotJudged);
        assert_eq!(
            text(&waits, true),
            "The program waits 1.70 s of the 3.00 s run (57 %) for a network connection. I/O takes \
             20 ms of the 3.00 s run (0.7 %). Could not be judged: what comes over the connection \
             was not recorded."
        );
        let mut local = waits;
        if let Some(waited) = &mut local.verdict.waited {
            waited.place = Some("127.0.0.1:8080".to_owned());
        }
        let of_host = "for a connection to a program of the same host (127.0.0.1:8080).";
        assert!(text(&local, true).contains(of_host));
        let short = report(None, Some(("sleep", 0.2)));
        assert!(!text(&short, true).contains("sleeps"));
    }
}
