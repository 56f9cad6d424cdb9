//! The end of MPI: in `MPI_Finalize` ranks wait for the one that comes last, as at a barrier.
//!
//! It is recorded among the calls. What passes after the last rank has come is the library's own
//! end, no wait.

use super::lanes::{Group, Lane, Lanes, Message, RankKey, WaitsFor};
use diya_model::MessageKind;
use diya_tables::{BatchSource, call};
use std::collections::BTreeMap;
use std::sync::Arc;

const FINALIZE: &str = "MPI_Finalize";

/// After all numbered calls of a communicator.
const LAST: i64 = i64::MAX;

/// Shorter waits have no rows, as those of messages.
const LEAST_S: f64 = 1e-5;

diya_tables::columns! {
    struct CallColumns of call {
        log: i32,
        rank: i32,
        thread: u64,
        function: str,
        stack_id: u64,
        start_s: f64,
        end_s: f64,
    }
}

/// One rank at the end.
#[derive(Debug, Clone, Copy)]
struct End {
    thread: u64,
    start_s: f64,
    end_s: f64,
    stack_id: Option<u64>,
}

/// Adds these waits to the messages.
pub(super) fn add(lanes: &mut Lanes, tables: &[Arc<dyn BatchSource>]) {
    let mut ends: BTreeMap<Group, BTreeMap<RankKey, End>> = BTreeMap::new();
    for of in CallColumns::all(tables) {
        for row in (0..of.rows()).filter(|row| of.function.get(*row) == Some(FINALIZE)) {
            let key = (of.log.value(row), of.rank.value(row));
            let Some(world) = lanes.worlds.get(&key) else { continue };
            let end = End {
                thread: of.thread.get(row).unwrap_or(0),
                start_s: of.start_s.value(row),
                end_s: of.end_s.value(row),
                stack_id: of.stack_id.get(row),
            };
            ends.entry(*world).or_default().insert(key, end);
        }
    }
    let number = u32::try_from(lanes.functions.len()).unwrap_or(u32::MAX);
    lanes.functions.push(FINALIZE.to_owned());
    for (world, of_world) in ends {
        let last_s = of_world.values().map(|end| end.start_s).fold(0.0, f64::max);
        for (key, end) in of_world {
            let until_s = end.end_s.min(last_s);
            let lane = lanes.ranks.get_mut(&key);
            let Some(lane) = lane.filter(|_| until_s - end.start_s >= LEAST_S) else { continue };
            wait(lane, end, until_s, number, world);
        }
    }
}

fn wait(lane: &mut Lane, end: End, until_s: f64, function: u32, world: Group) {
    let is_own = lane.messages.is_empty() || lane.thread == end.thread;
    let is_after = lane.messages.last().is_none_or(|last| last.end_s <= end.start_s);
    if !is_own || !is_after {
        return;
    }
    lane.thread = end.thread;
    lane.messages.push(Message {
        start_s: end.start_s,
        end_s: until_s,
        kind: MessageKind::Barrier,
        function,
        group: Some(world),
        peers: Vec::new(),
        sequence: Some(LAST),
        waits_for: WaitsFor::Unknown,
        bytes: 0,
        stack_id: end.stack_id,
    });
}

#[cfg(test)]
mod tests {
    use super::super::delays::{Delay, delays};
    use super::*;

    #[test]
    fn ranks_wait_at_the_end_for_the_last_one() {
        let world = Group { log: 0, step: 0, key: 1 };
        let mut lanes = Lanes { functions: vec![FINALIZE.to_owned()], ..Lanes::default() };
        let members = lanes.groups.entry(world).or_default();
        (members.ranks, members.size) = ((0..3).map(|rank| (rank, rank)).collect(), 3);
        for (rank, start_s) in [(0, 1.0), (1, 4.0), (2, 2.0)] {
            let end = End { thread: 1, start_s, end_s: 4.2, stack_id: None };
            let lane = lanes.ranks.entry((0, rank)).or_default();
            lane.end_s = 4.3;
            if rank != 1 {
                wait(lane, end, 4.0, 0, world);
            }
        }
        let all = delays(&lanes);
        let late = vec![Some(Delay { rank: 1, until_s: 4.0 })];
        assert_eq!((all[&(0, 0)].clone(), all[&(0, 2)].clone()), (late.clone(), late));
    }
}
