//! Ranks that wait for another one in messages, in words.

use diya_model::{part_s, percent_text};
use diya_report::{RankDoes, RankTurn, RankWait, Report};

/// Share of the run from which on a wait is worth a sentence.
const WORTH_SHARE: f64 = 0.1;
const WORTH_S: f64 = 0.1;

/// The same of moving data: programs with messages have some.
const WORTH_TRANSFER: f64 = 0.3;

/// Share of the run from which on moving data is a part of it.
const NAMED_PART: f64 = 0.02;

/// Share of the run that all ranks but one wait, on average, from which on they take turns.
const TURNS_SHARE: f64 = 0.6;

/// Parts that are named.
const NAMED: usize = 3;

/// Ranks that are named one by one.
const NAMED_RANKS: usize = 4;

/// `Ranks 1 and 2 wait 0.81 s of the 1.20 s run (68 %) for rank 0, in MPI_Bcast, at main (solve.c:42):
/// meanwhile it reads config.nc (0.60 s) and computes (0.21 s).`
pub(super) fn sentence(report: &Report, has_no_core: bool) -> Option<String> {
    let (run_s, wait) = (report.verdict.run_s?, report.verdict.rank_wait.as_ref()?);
    let least = if wait.is_transfer { WORTH_TRANSFER } else { WORTH_SHARE };
    if wait.wait_s < WORTH_S || wait.wait_s < least * run_s {
        return None;
    }
    let place = place(&wait.function, wait.source.as_deref());
    if let Some(turns) = in_turns(wait, run_s) {
        return Some(turns);
    }
    let time = format!(
        "{} of the {} run ({})",
        part_s(wait.wait_s, run_s),
        part_s(run_s, run_s),
        percent_text(wait.wait_s / run_s)
    );
    let who = waiters(wait);
    let several = if wait.ranks.len() > 1 { "up to " } else { "" };
    let verb = if wait.ranks.len() > 1 { "" } else { "s" };
    if wait.is_transfer {
        let exchange = "messages move data, or wait for somebody whose call is not known";
        return Some(format!(
            "{who} need{verb} {several}{time} for messages, mostly {place}: {exchange}."
        ));
    }
    let parts = parts(&wait.parts, run_s, has_no_core);
    Some(match wait.cause_rank {
        Some(rank) if parts.is_empty() => {
            format!("{who} wait{verb} {several}{time} for rank {rank}, mostly {place}.")
        }
        Some(rank) => format!(
            "{who} wait{verb} {several}{time} for rank {rank}, mostly {place}: meanwhile rank {rank} {parts}."
        ),
        None if parts.is_empty() => {
            format!("{who} wait{verb} {several}{time} for other ranks, mostly {place}.")
        }
        None => format!(
            "{who} wait{verb} {several}{time} for other ranks, mostly {place}: meanwhile one of them {parts}."
        ),
    })
}

fn place(function: &str, source: Option<&str>) -> String {
    match source {
        Some(source) => format!("in {function}, called by {}", short(source)),
        None => format!("in {function}"),
    }
}

/// Of ranks that wait for each other so long that mostly one of them works: `Ranks take turns ...`
fn in_turns(wait: &RankWait, run_s: f64) -> Option<String> {
    let [first, back] = wait.turns.as_slice() else { return None };
    // All but one of them wait.
    let most_s = (wait.of_ranks - 1) as f64 * run_s;
    if wait.sum_s < TURNS_SHARE * most_s {
        return None;
    }
    let of = |turn: &RankTurn, time: &str| {
        let place = place(&turn.function, turn.source.as_deref());
        format!("rank {} waits {time} for rank {}, mostly {place}", turn.rank, turn.cause_rank)
    };
    let share = percent_text(first.wait_s / run_s);
    let time =
        format!("{} of the {} run ({share})", part_s(first.wait_s, run_s), part_s(run_s, run_s));
    Some(format!(
        "Ranks take turns, mostly one of the {} works at a time: {}; {}.",
        wait.of_ranks,
        of(first, &time),
        of(back, &part_s(back.wait_s, run_s))
    ))
}

/// Messages that wait for nobody, as a part of the run time, where they are worth a word.
pub(super) fn part(report: &Report) -> Option<f64> {
    let (run_s, time_s) = (report.verdict.run_s?, report.verdict.messages_s?);
    Some(time_s).filter(|time_s| *time_s >= NAMED_PART * run_s)
}

/// `main (solve.c:42)` of `main (/home/me/solve.c:42)`
fn short(source: &str) -> String {
    match source.rsplit_once('(') {
        Some((function, place)) => {
            format!("{function}({}", place.rsplit('/').next().unwrap_or(place))
        }
        None => source.to_owned(),
    }
}

fn waiters(wait: &RankWait) -> String {
    let names: Vec<String> = wait.ranks.iter().map(i64::to_string).collect();
    let all_others = wait.cause_rank.is_some()
        && i64::try_from(names.len()).is_ok_and(|waiting| waiting + 1 == wait.of_ranks);
    match names.as_slice() {
        [one] => format!("Rank {one}"),
        _ if all_others => format!("The other {} ranks", names.len()),
        [some @ .., last] if names.len() <= NAMED_RANKS => {
            format!("Ranks {} and {last}", some.join(", "))
        }
        _ => format!("{} ranks", names.len()),
    }
}

/// `reads config.nc (0.60 s) and computes (0.21 s)`
fn parts(parts: &[RankDoes], run_s: f64, has_no_core: bool) -> String {
    let named = parts.iter().take(NAMED);
    let words: Vec<String> = named
        .map(|part| {
            let does = does(part, has_no_core);
            format!("{does} ({})", part_s(part.time_s, run_s))
        })
        .collect();
    match words.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [some @ .., last] => format!("{} and {last}", some.join(", ")),
    }
}

fn does(part: &RankDoes, has_no_core: bool) -> String {
    let file = part.file.as_deref().unwrap_or("files");
    match part.activity.as_str() {
        "read" => format!("reads {file}"),
        "write" => format!("writes {file}"),
        "sync" => format!("waits until {file} is on the device"),
        "lock" => format!("waits for the lock of {file}"),
        "metadata" => format!("opens, closes or looks at {file}"),
        "map" => format!("maps {file}"),
        "completion" => format!("waits for I/O on {file}"),
        "child" => "waits for a program that it started".to_owned(),
        "message" => "moves data in messages".to_owned(),
        "idle" if has_no_core => "is on no core: asleep, or others have it".to_owned(),
        "idle" => "sleeps, or waits outside of recorded calls".to_owned(),
        _ if part.is_sampled => "computes".to_owned(),
        _ => "computes, or waits outside of recorded calls".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use diya_report::Verdict;

    fn said(wait: RankWait) -> Option<String> {
        let verdict = Verdict { run_s: Some(1.2), rank_wait: Some(wait), ..Verdict::default() };
        sentence(&Report { verdict, ..Report::default() }, false)
    }

    fn does(activity: &str, file: Option<&str>, time_s: f64) -> RankDoes {
        let file = file.map(str::to_owned);
        RankDoes { activity: activity.to_owned(), file, time_s, is_sampled: true }
    }

    fn reads() -> RankWait {
        RankWait {
            ranks: vec![2, 1],
            wait_s: 0.81,
            of_ranks: 4,
            cause_rank: Some(0),
            function: "MPI_Bcast".to_owned(),
            source: Some("main (/home/me/solve.c:42)".to_owned()),
            parts: vec![does("read", Some("config.nc"), 0.6), does("computing", None, 0.21)],
            ..RankWait::default()
        }
    }

    #[test]
    fn who_waits_for_whom_and_why() {
        assert_eq!(
            said(reads()).as_deref(),
            Some(
                "Ranks 2 and 1 wait up to 0.81 s of the 1.20 s run (68 %) for rank 0, mostly in \
                 MPI_Bcast, called by main (solve.c:42): meanwhile rank 0 reads config.nc (0.60 s) \
                 and computes (0.21 s)."
            )
        );
        let all = said(RankWait { of_ranks: 3, ..reads() });
        assert!(all.is_some_and(|text| text.starts_with("The other 2 ranks wait up to 0.81 s")));
    }

    #[test]
    fn ranks_that_wait_for_each_other_take_turns() {
        let turn = |rank, cause_rank, wait_s| RankTurn {
            rank,
            cause_rank,
            wait_s,
            function: "MPI_Recv".to_owned(),
            source: Some(format!("step{rank} (/home/me/solve.c:{rank}0)")),
        };
        let turns = vec![turn(1, 2, 0.6), turn(2, 1, 0.4)];
        let both = RankWait { cause_rank: None, of_ranks: 2, turns, sum_s: 1.0, ..reads() };
        assert_eq!(
            said(both.clone()).as_deref(),
            Some(
                "Ranks take turns, mostly one of the 2 works at a time: rank 1 waits 0.60 s of the 1.20 s run \
                 (50 %) for rank 2, mostly in MPI_Recv, called by step1 (solve.c:10); rank 2 waits \
                 0.40 s for rank 1, mostly in MPI_Recv, called by step2 (solve.c:20)."
            )
        );
        let less = said(RankWait { of_ranks: 4, ..both }).unwrap_or_default();
        assert!(less.contains("for other ranks"), "{less}");
    }

    #[test]
    fn moving_data_is_no_wait_and_little_is_not_said() {
        let moving = RankWait { is_transfer: true, cause_rank: None, ranks: vec![1], ..reads() };
        assert!(said(moving.clone()).is_some_and(|text| text.starts_with("Rank 1 needs 0.81 s")));
        assert_eq!(said(RankWait { wait_s: 0.3, ..moving }), None);
        assert_eq!(said(RankWait { wait_s: 0.09, ..reads() }), None);
    }
}
