//! Syncs distinguished from writes: counters hold the sum of both times, single writes that of
//! one of them.

use super::load::{Load, NO_PHASE};
use super::range::Range;
use crate::from_calls::Calls;
use crate::hash::{HashMap, HashSet};
use diya_tables::{Layer, Op};

/// Rank and record; rank -1: all ranks.
type Key = (i32, Layer, u64, i32);

/// Share of the writes of a record that must have been recorded one by one: the rest are taken
/// to be as long as these on average.
const MOSTLY: f64 = 0.9;

/// Sets the time of the syncs of each record whose writes are known one by one.
pub(super) fn settle(calls: &Calls, loads: &mut HashMap<i32, Vec<Load>>) {
    let is_open = |load: &Load| {
        load.phase == NO_PHASE && load.syncs > 0 && load.sync_s.low < load.sync_s.high
    };
    let open: HashSet<(i32, Layer, u64)> = loads
        .iter()
        .flat_map(|(log, loads)| loads.iter().map(move |load| (*log, load)))
        .filter(|(_, load)| is_open(load))
        .map(|(log, load)| (log, load.layer, load.file_id))
        .collect();
    if open.is_empty() {
        return;
    }
    let mut written: HashMap<Key, (i64, f64)> = HashMap::default();
    let mut synced: HashSet<(i32, Layer, u64)> = HashSet::default();
    for of in &calls.streams {
        if matches!(of.op, Op::Sync | Op::Datasync) {
            synced.insert((of.log, of.layer, of.file_id));
        }
    }
    let is_selected = |stream: usize| {
        let of = &calls.streams[stream];
        of.op == Op::Write && open.contains(&(of.log, of.layer, of.file_id))
    };
    calls.each_of(is_selected, |call| {
        let of = calls.stream(call);
        for rank in [of.rank, -1] {
            let sum = written.entry((of.log, of.layer, of.file_id, rank)).or_default();
            *sum = (sum.0.saturating_add(call.calls), sum.1 + call.busy_s);
            if of.rank < 0 {
                break; // it is the record of all ranks
            }
        }
    });
    for (log, loads) in loads {
        for load in loads.iter_mut().filter(|load| is_open(load)) {
            if synced.contains(&(*log, load.layer, load.file_id)) {
                continue; // the syncs themselves were recorded
            }
            let key = (*log, load.layer, load.file_id, load.rank);
            if let Some((calls, time_s)) = written.get(&key) {
                split(load, *calls, *time_s);
            }
        }
    }
}

/// `calls` writes took `time_s`: what the record has beyond them are the syncs.
fn split(load: &mut Load, calls: i64, time_s: f64) {
    if calls <= 0 || (calls as f64) < MOSTLY * load.write.calls as f64 {
        return;
    }
    let both_s = load.write.time_s + load.sync_s.low;
    let write_s = (time_s * load.write.calls as f64 / calls as f64).min(both_s);
    load.write.time_s = write_s;
    load.sync_s = Range::exactly(both_s - write_s);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_single_writes_leave_of_the_time_of_both_are_syncs() {
        let mut load = Load::new(Layer::Posix, 1, 0, NO_PHASE);
        (load.write.calls, load.syncs) = (100, 10);
        (load.write.time_s, load.sync_s) = (0.9, Range::new(0.1, 1.0));
        split(&mut load, 50, 0.1); // half of the writes say nothing of the others
        assert_eq!(load.sync_s, Range::new(0.1, 1.0));
        split(&mut load, 100, 0.25);
        assert_eq!((load.write.time_s, load.sync_s), (0.25, Range::exactly(0.75)));
    }
}
