//! Waiting for a file: asking again and again whether something has come, with naps
//! in between.
//!
//! A call that finds nothing is followed by the same call of the same thread, and the
//! thread makes no other call meanwhile. Computing looks alike, so the naps are never
//! longer than what the process did not use its processors. How long the other side
//! takes to write is not known; each wait ends half a nap too late on average, and by
//! a whole nap at most.

use super::between_calls::{Activity, BetweenCalls};
use crate::from_calls::{Call, Calls};
use diya_tables::Op;
use std::collections::BTreeMap;

/// Who polls sleeps about as long each time: what takes so many times longer than most naps
/// of a process was something else, such as starting another thread.
const LONGEST: f64 = 4.0;

/// A sleep takes at least as long: the timers of the system are no finer. Shorter pauses compute.
const LEAST_NAP_S: f64 = 5e-5;

/// A question asked twice is not yet polling: programs look before they open.
const FEWEST: i64 = 2;

/// The same of reads, unless data come in the end: at the end of a file the layers of a library
/// (gzip on buffers on the file) each read nothing before they believe it.
const FEWEST_IN_VAIN: i64 = 5;

/// Other files that are asked for in each round of polls.
const MOST_BESIDE: usize = 3;

/// Half a nap on average.
const LATE_RATIO: f64 = 0.5;

/// Naps of one process for one file.
#[derive(Debug, Clone, Copy, Default)]
struct Naps {
    waits: i64,
    polls: i64,
    time_s: f64,
}

/// The wait that the loop over the calls is in.
#[derive(Debug, Clone, Copy, Default)]
struct Wait {
    polls: i64,
    time_s: f64,
    /// What was asked for was not there.
    is_failed: bool,
}

/// Of one process; `of_rank` is in the order of threads and time, `idle_s` what its
/// threads neither computed nor spent in calls, at most.
pub(super) fn of(rank: i32, of_rank: &[Call], calls: &Calls, idle_s: f64) -> Vec<BetweenCalls> {
    let mut files: BTreeMap<(u64, u32), Naps> = BTreeMap::new();
    let longest_s = LONGEST * usual_s(of_rank, calls);
    let mut wait = Wait::default();
    let mut at = 0;
    while let Some(call) = of_rank.get(at) {
        let next = next_poll(of_rank, at, calls);
        at = next.unwrap_or(at + 1);
        if let Some(next) = next.and_then(|next| of_rank.get(next)) {
            let polls = call.calls.max(1);
            wait.polls = wait.polls.saturating_add(polls);
            wait.time_s += each_s(call, next).min(longest_s) * polls as f64;
            wait.is_failed = call.is_failed;
            continue;
        }
        // Of what was not there, and is there now, one nap shows that it was awaited.
        let has_come = wait.is_failed && !call.is_failed;
        if has_come || wait.polls >= fewest(call, calls) {
            let naps = files.entry((calls.stream(call).file_id, call.stream)).or_default();
            naps.waits += 1;
            naps.polls = naps.polls.saturating_add(wait.polls);
            naps.time_s += wait.time_s;
        }
        wait = Wait::default();
    }
    let all_s: f64 = files.values().map(|naps| naps.time_s).sum();
    let part = if all_s > idle_s { idle_s.max(0.0) / all_s } else { 1.0 };
    let row = |((file_id, stream), naps): ((u64, u32), Naps)| {
        let late_s = naps.time_s * part * naps.waits as f64 / naps.polls.max(1) as f64;
        let stream = &calls.streams[stream as usize];
        BetweenCalls {
            rank,
            activity: Activity::Naps,
            layer: stream.layer,
            op: stream.op,
            file_id,
            calls: naps.polls,
            bytes: 0,
            low_s: late_s * LATE_RATIO,
            high_s: late_s,
        }
    };
    files.into_iter().map(row).filter(|row| row.high_s > 0.0).collect()
}

/// Naps that make a wait which ends with this call.
fn fewest(last: &Call, calls: &Calls) -> i64 {
    let is_in_vain = calls.stream(last).op == Op::Read && last.is_empty;
    if is_in_vain { FEWEST_IN_VAIN } else { FEWEST }
}

/// Half of the time in naps is in naps shorter than this. Weighted by time, because
/// between quick polls, such as those of a program's start, no rank naps.
fn usual_s(of_rank: &[Call], calls: &Calls) -> f64 {
    let naps = of_rank
        .iter()
        .enumerate()
        .filter_map(|(at, call)| Some((call, of_rank.get(next_poll(of_rank, at, calls)?)?)));
    let mut times: Vec<(f64, f64)> = naps
        .map(|(call, next)| (each_s(call, next), call.calls.max(1) as f64))
        .map(|(each_s, polls)| (each_s, each_s * polls))
        .collect();
    times.sort_by(|a, b| a.0.total_cmp(&b.0));
    let half_s = times.iter().map(|(_, all_s)| all_s).sum::<f64>() / 2.0;
    let mut sum_s = 0.0;
    let is_half = |(_, all_s): &&(f64, f64)| {
        sum_s += all_s;
        sum_s >= half_s
    };
    times.iter().find(is_half).map_or(0.0, |(each_s, _)| *each_s)
}

/// Position of the poll that follows one after a nap; `None`: it is none. Who waits for one of several
/// files asks for the others in between.
fn next_poll(of_rank: &[Call], at: usize, calls: &Calls) -> Option<usize> {
    let call = of_rank.get(at)?;
    for next in at + 1..=at + 1 + MOST_BESIDE {
        let other = of_rank.get(next)?;
        if is_nap(call, other, calls) {
            return Some(next);
        }
        let is_beside = other.is_failed && call.is_failed && call.thread == other.thread;
        if !is_beside || !asks(other, calls) || call.stream == other.stream {
            return None;
        }
    }
    None
}

/// Whether a call is followed by the same one of the same thread.
fn is_nap(call: &Call, next: &Call, calls: &Calls) -> bool {
    asks(call, calls)
        && (call.thread, call.stream) == (next.thread, next.stream)
        && call.offset() == next.offset()
        && each_s(call, next) >= LEAST_NAP_S
}

/// A row may hold several calls with naps between them.
fn each_s(call: &Call, next: &Call) -> f64 {
    let inside_s = (call.end_s - call.start_s - call.busy_s).max(0.0);
    (inside_s + (next.start_s - call.end_s).max(0.0)) / call.calls.max(1) as f64
}

/// Whether a call asks for what may not be there yet: it reads nothing, asks for a
/// size, or opens what the same call is asked to open again.
fn asks(call: &Call, calls: &Calls) -> bool {
    match calls.stream(call).op {
        Op::Read => call.is_empty,
        Op::Stat | Op::Open => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two waits of two naps each, and a read with computing after it.
    const WAITS: &str = "0 posix stat - 0 0.0 0.0 7 1
         0 posix stat  - 0  0.1 0.1 7 1
         0 posix stat  - 0  0.2 0.2 7 1
         0 posix read  0 10 0.2 0.2 7 1
         0 posix read 10 10 0.9 0.9 7 1
         0 posix stat  - 0  1.0 1.0 7 1
         0 posix stat  - 0  1.1 1.1 7 1
         0 posix stat  - 0  1.2 1.2 7 1";

    fn rows(idle_s: f64) -> Vec<(i64, i64, i64)> {
        let calls = Calls::from_text(WAITS);
        let mut of_rank = Vec::new();
        calls.each_of(|_| true, |call| of_rank.push(*call));
        let ms = |s: f64| (s * 1e3).round() as i64;
        let rows = of(0, &of_rank, &calls, idle_s);
        rows.iter().map(|row| (row.calls, ms(row.low_s), ms(row.high_s))).collect()
    }

    #[test]
    fn each_wait_ends_half_a_nap_too_late() {
        assert_eq!(rows(9.0), [(4, 100, 200)]);
    }

    #[test]
    fn one_nap_is_a_wait_where_the_file_has_come_meanwhile() {
        let rows = |first: &str, last: &str| {
            let text = format!(
                "0 posix stat - 0 0.0 0.0 7 1 - 0 independent {first}
                 0 posix stat - 0 0.2 0.2 7 1 - 0 independent {last}
                 0 posix open - 0 0.2 0.2 7 1"
            );
            let calls = Calls::from_text(&text);
            let mut of_rank = Vec::new();
            calls.each_of(|_| true, |call| of_rank.push(*call));
            of(0, &of_rank, &calls, 9.0).len()
        };
        assert_eq!(rows("ENOENT", ""), 1);
        assert_eq!(rows("ENOENT", "ENOENT") + rows("", ""), 0);
    }

    #[test]
    fn a_pause_far_longer_than_the_naps_counts_as_four_of_them() {
        // Nine naps of a tenth of a second, and once a second of something else.
        let starts = [3.0, 3.1, 3.2, 3.3, 3.4, 3.5, 3.6, 3.7, 3.8, 3.9, 4.9];
        let stats = starts.map(|s| format!("\n0 posix stat - 0 {s} {s} 8 1"));
        let text = format!("{WAITS}{}", stats.concat());
        let calls = Calls::from_text(&text);
        let mut of_rank = Vec::new();
        calls.each_of(|_| true, |call| of_rank.push(*call));
        let late_s: f64 = of(0, &of_rank, &calls, 90.0).iter().map(|row| row.high_s).sum();
        // 0.2 s of the other file; 0.9 s and four naps of 0.1 s in ten polls of one wait.
        assert!((late_s - 0.33).abs() < 1e-9, "{late_s}");
    }

    #[test]
    fn a_file_looked_at_twice_is_not_polled() {
        let text = "0 posix stat - 0 0.0 0.0 7 1
         0 posix stat - 0 0.2 0.2 7 1
         0 posix open - 0 0.2 0.2 7 1";
        let calls = Calls::from_text(text);
        let mut of_rank = Vec::new();
        calls.each_of(|_| true, |call| of_rank.push(*call));
        assert!(of(0, &of_rank, &calls, 9.0).is_empty());
    }

    #[test]
    fn who_finds_the_end_of_each_file_does_not_wait_for_it() {
        // Each file: a read of data and three of nothing, with work of another thread between.
        let read = |n: usize, bytes: u32, s: f64| format!("0 posix read {n} {bytes} {s} {s} {n} 1");
        let rows_of = |empty: usize, last: u32| {
            let at = |n: usize, k: usize| n as f64 + 0.1 * k as f64;
            let lines = (0..4).flat_map(|n| (0..=empty).map(move |k| (n, k)));
            let mut lines: Vec<String> = lines.map(|(n, k)| read(n, 0, at(n, k))).collect();
            lines.push(read(3, last, 9.0));
            let calls = Calls::from_text(&lines.join("\n"));
            let mut of_rank = Vec::new();
            calls.each_of(|_| true, |call| of_rank.push(*call));
            of(0, &of_rank, &calls, 9.0).len()
        };
        assert_eq!(rows_of(2, 0), 0);
        // Data come to the last file in the end.
        assert_eq!(rows_of(2, 10), 1);
        assert_eq!(rows_of(6, 0), 4);
    }

    #[test]
    fn polls_for_one_of_two_files_are_naps_once() {
        let stat = |file: u32, s: f64, error: &str| {
            format!("0 posix stat - 0 {s} {s} {file} 1 - 0 independent {error}\n")
        };
        let mut text = String::new();
        for round in 0..3 {
            let s = f64::from(round) * 0.4;
            text += &stat(7, s, "ENOENT");
            text += &stat(8, s + 0.001, "ENOENT");
        }
        text += &stat(7, 1.2, "");
        let calls = Calls::from_text(&text);
        let mut of_rank = Vec::new();
        calls.each_of(|_| true, |call| of_rank.push(*call));
        let rows = of(0, &of_rank, &calls, 9.0);
        let polls: Vec<i64> = rows.iter().map(|row| row.calls).collect();
        assert_eq!(polls, [3], "{rows:?}");
    }

    #[test]
    fn a_process_that_computes_does_not_nap() {
        assert_eq!(rows(0.1), [(4, 25, 50)]);
        assert_eq!(rows(0.0), []);
    }
}
