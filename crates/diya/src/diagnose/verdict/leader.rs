//! What takes most of a run, where that is no I/O of its own: other ranks, programs that it
//! started, a sleep, a network, decoding.

use super::{idle, rank_wait};
use diya_model::{part_s, percent_text};
use diya_report::{Leader, Report, StartedProgram};

/// From this share of the run on, the first words are about it.
const LEADS_SHARE: f64 = 0.3;
const LEADS_S: f64 = 0.1;

/// Share of what the run waits for from which on one program stands for all of it.
const MOST: f64 = 0.7;

/// Seconds that differ by less are about the same time.
const ALIKE: f64 = 1.1;

/// More of them at a time than this are no longer one after another.
const AFTER_ANOTHER: f64 = 1.1;

/// The largest, where it takes more than all I/O of the run.
pub(super) fn of(report: &Report) -> Option<Leader> {
    let verdict = &report.verdict;
    let run_s = verdict.run_s?;
    let least_s = (LEADS_SHARE * run_s).max(LEADS_S).max(verdict.io_s.unwrap_or(0.0));
    let waited = idle::waited(report).filter(|_| idle::sentence(report).is_some());
    let ranks = verdict.rank_wait.as_ref().filter(|of| !of.is_transfer);
    let all = [
        ranks
            .filter(|_| rank_wait::sentence(report, false).is_some())
            .map(|of| ("message-wait", of.wait_s)),
        waited.as_ref().map(|of| (of.activity.as_str(), of.time_s)),
        verdict.started.as_ref().map(|of| ("child", of.time_s)),
        verdict.decoding_s.map(|time_s| ("decoding", time_s)),
    ];
    let large = all.into_iter().flatten().filter(|of| of.1 >= least_s);
    // Of two that are about as large, the first: a rank that waits for a child keeps others waiting.
    let largest = large.reduce(|most, of| if of.1 > ALIKE * most.1 { of } else { most })?;
    Some(Leader { class: largest.0.to_owned(), time_s: largest.1.min(run_s) })
}

/// The sentence about programs that it started, or decoding, where that leads.
pub(super) fn sentence(report: &Report) -> Option<String> {
    let (run_s, leader) = (report.verdict.run_s?, of(report)?);
    let of_run = |time_s: f64| {
        let share = percent_text(time_s / run_s);
        format!("{} of the {} run ({share})", part_s(time_s, run_s), part_s(run_s, run_s))
    };
    match leader.class.as_str() {
        "child" => started(report, run_s, of_run),
        "decoding" => Some(format!("Decoding takes {}.", of_run(leader.time_s))),
        _ => None,
    }
}

/// `` `awk` takes 1.29 s of the 1.32 s run (98 %): the program starts it 6 times, one after
/// another, and waits. ``
fn started(report: &Report, run_s: f64, of_run: impl Fn(f64) -> String) -> Option<String> {
    let of = report.verdict.started.as_ref()?;
    let first = of.programs.first()?;
    if first.time_s >= MOST * of.time_s {
        let how = often(first);
        let time = of_run(first.time_s);
        return Some(format!("`{}` takes {time}: the program starts it{how}.", first.program));
    }
    let named: Vec<String> = of
        .programs
        .iter()
        .map(|of| format!("`{}` {}", of.program, part_s(of.time_s, run_s)))
        .collect();
    let (last, some) = named.split_last()?;
    let time = of_run(of.time_s);
    Some(format!(
        "The program waits {time} for others that it starts, mostly {} and {last}.",
        some.join(", ")
    ))
}

fn often(of: &StartedProgram) -> String {
    match (of.runs, of.at_once) {
        (Some(1), _) => " once, and waits".to_owned(),
        (Some(runs), Some(at_once)) if at_once < AFTER_ANOTHER => {
            format!(" {runs} times, one after another, and waits")
        }
        (Some(runs), Some(at_once)) => {
            format!(" {runs} times, {at_once:.1} at a time, and waits")
        }
        _ => " and waits".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{kind, text};
    use super::*;
    use diya_report::{Confidence, Started, Verdict, VerdictKind};

    fn report(programs: &[(&str, f64, i64, f64)]) -> Report {
        let program = |(program, time_s, runs, at_once): &(&str, f64, i64, f64)| StartedProgram {
            program: (*program).to_owned(),
            time_s: *time_s,
            runs: Some(*runs),
            at_once: Some(*at_once),
        };
        let time_s = programs.iter().map(|of| of.1).sum();
        let programs = programs.iter().map(program).collect();
        let verdict = Verdict {
            io_s: Some(0.02),
            run_s: Some(2.0),
            started: Some(Started { time_s, programs }),
            confidence: Confidence::High,
            ..Verdict::default()
        };
        Report { verdict, ..Report::default() }
    }

    #[test]
    fn programs_that_take_the_run_come_first() {
        let six = report(&[("awk", 1.8, 6, 1.0)]);
        assert_eq!(kind(&six), VerdictKind::NotTheProblem);
        assert_eq!(
            text(&six, true),
            "`awk` takes 1.80 s of the 2.00 s run (90 %): the program starts it 6 times, one after \
             another, and waits. I/O is not the problem: it takes 20 ms of the 2.00 s run (1.0 %)."
        );
        let words = |of: &Report| sentence(of).unwrap_or_default();
        assert!(words(&report(&[("xz", 1.8, 1, 1.0)])).ends_with("starts it once, and waits."));
        let several = report(&[("awk", 0.8, 2, 1.0), ("sort", 0.6, 1, 1.0)]);
        assert_eq!(
            words(&several),
            "The program waits 1.40 s of the 2.00 s run (70 %) for others that it starts, mostly \
             `awk` 0.80 s and `sort` 0.60 s."
        );
        assert!(words(&report(&[("cc", 1.8, 8, 3.9)])).contains("8 times, 3.9 at a time"));
    }

    #[test]
    fn what_takes_little_leads_nowhere() {
        assert_eq!(of(&report(&[("awk", 0.5, 1, 1.0)])), None);
        let mut reads = report(&[("awk", 0.9, 1, 1.0)]);
        reads.verdict.io_s = Some(1.0);
        assert_eq!(of(&reads), None);
        reads.verdict.decoding_s = Some(1.2);
        assert_eq!(
            sentence(&reads).as_deref(),
            Some("Decoding takes 1.20 s of the 2.00 s run (60 %).")
        );
    }
}
