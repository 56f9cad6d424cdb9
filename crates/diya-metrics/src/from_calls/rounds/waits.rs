//! Whether ranks that take turns wait for each other, or for a core.
//!
//! Ranks that share a core take turns on it, and so their calls look like turns, too. A rank that
//! waits for another one sleeps, and then gives its core up at least once a round, or polls in MPI,
//! and then samples of the processor find it there.

use super::Rounds;
use crate::from_calls::passed_time;
use crate::hash::{HashMap, HashSet};
use crate::work_kinds::{Work, WorkKinds};
use diya_tables::{BatchSource, processor_sample};
use std::sync::Arc;

/// Share of the turns of the others in which samples find a rank polling, at least: where ranks
/// share cores, polling gets a share of a core only.
const POLLING_RATIO: f64 = 0.1;

diya_tables::columns! {
    struct SampleColumns of processor_sample {
        log: i32,
        rank: i32,
        time_s: f64,
        weight_s: f64,
        module: str,
        function: str,
        is_inside: bool,
    }
}

/// Marks the rounds of which at least half of the ranks are not seen to wait.
pub(super) fn mark(all: &mut [Rounds], tables: &[Arc<dyn BatchSource>]) {
    let slept = passed_time::waits(tables);
    if !all.iter().any(Rounds::is_chain) {
        return;
    }
    let (polled, sampled) = polls(all, tables);
    for (number, rounds) in all.iter_mut().enumerate() {
        let log = rounds.key.0;
        let turns = rounds.members.len().max(1) as f64;
        let others_s = rounds.turns_s * (turns - 1.0) / turns;
        let waits = |rank: &i32| {
            // Without samples polling is not seen, and without the count neither is sleeping.
            let naps = slept.get(&(log, *rank)).copied().unwrap_or(usize::MAX);
            let polled_s = polled.get(&(number, *rank)).copied().unwrap_or(0.0);
            !sampled.contains(&log) || naps >= rounds.rounds || polled_s >= POLLING_RATIO * others_s
        };
        let waiting = rounds.members.iter().filter(|rank| waits(rank)).count();
        rounds.is_for_cores = 2 * waiting < rounds.members.len();
    }
}

/// Processor time in MPI of each rank within each of the rounds, and the logs that have samples.
fn polls(
    all: &[Rounds],
    tables: &[Arc<dyn BatchSource>],
) -> (HashMap<(usize, i32), f64>, HashSet<i32>) {
    let (mut polled, mut sampled) = (HashMap::default(), HashSet::default());
    let mut kinds = WorkKinds::default();
    for of in SampleColumns::all(tables) {
        for row in 0..of.rows() {
            let (log, rank, time_s) = (of.log.value(row), of.rank.value(row), of.time_s.value(row));
            sampled.insert(log);
            let [module, function] =
                [&of.module, &of.function].map(|text| text.get(row).unwrap_or_default());
            if kinds.of_code(module, function, of.is_inside.value(row)) != Work::Mpi {
                continue;
            }
            for (number, rounds) in all.iter().enumerate() {
                let is_within = (rounds.start_s..=rounds.end_s).contains(&time_s);
                if rounds.key.0 == log && is_within {
                    *polled.entry((number, rank)).or_insert(0.0) += of.weight_s.value(row);
                }
            }
        }
    }
    (polled, sampled)
}
