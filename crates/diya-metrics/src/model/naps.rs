//! Waiting for a file: asking again and again whether something has come, with naps
//! in between.
//!
//! A call that finds nothing is followed by the same call of the same thread, and the
//! thread makes no other call meanwhile. Computing looks alike, so the naps are never
//! longer than what the process did not use its processors. How long the other side
//! takes to write is not known; each wait ends half a nap too late on average, and by
//! a whole nap at most.

use super::outside_calls::{Beside, Kind};
use crate::trace::{Call, Calls};
use diya_tables::Op;
use std::collections::BTreeMap;

/// Half a nap on average.
const LATE_RATIO: f64 = 0.5;

/// Naps of one process for one file.
#[derive(Debug, Clone, Copy, Default)]
struct Naps {
    waits: i64,
    polls: i64,
    time_s: f64,
}

/// Of one process; `of_rank` is in the order of threads and time, `idle_s` what its
/// threads neither computed nor spent in calls, at most.
pub(super) fn of(rank: i32, of_rank: &[Call], calls: &Calls, idle_s: f64) -> Vec<Beside> {
    let mut files: BTreeMap<(u64, u32), Naps> = BTreeMap::new();
    let mut is_waiting = false;
    for two in of_rank.windows(2) {
        let (call, next) = (&two[0], &two[1]);
        let inside_s = (call.end_s - call.start_s - call.busy_s).max(0.0);
        let is_nap = asks(call, calls)
            && (call.thread, call.stream) == (next.thread, next.stream)
            && call.offset() == next.offset();
        if is_nap {
            let naps = files.entry((calls.stream(call).file_id, call.stream)).or_default();
            naps.waits += i64::from(!is_waiting);
            naps.polls = naps.polls.saturating_add(call.calls);
            naps.time_s += inside_s + (next.start_s - call.end_s).max(0.0);
        }
        is_waiting = is_nap;
    }
    let all_s: f64 = files.values().map(|naps| naps.time_s).sum();
    let part = if all_s > idle_s { idle_s.max(0.0) / all_s } else { 1.0 };
    let row = |((file_id, stream), naps): ((u64, u32), Naps)| {
        let late_s = naps.time_s * part * naps.waits as f64 / naps.polls.max(1) as f64;
        let stream = &calls.streams[stream as usize];
        Beside {
            rank,
            kind: Kind::Naps,
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
    fn a_process_that_computes_does_not_nap() {
        assert_eq!(rows(0.1), [(4, 25, 50)]);
        assert_eq!(rows(0.0), []);
    }
}
