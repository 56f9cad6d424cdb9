//! Processes that follow one another: each starts when the one before has ended.
//!
//! A shell that runs a tool for every file, or a pool that starts a worker for every
//! task, spends its time in many short processes. None of them is slow; what they
//! take adds up, along the chain that they form. Ranks of a job step run side by
//! side and are left as they are.

use crate::hash::HashMap;
use crate::rows;
use arrow::array::Array;
use diya_tables::{BatchSource, TableBuilder, process};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Start and end of one process; the end is infinite where it was not recorded.
#[derive(Debug, Clone, Copy)]
struct Span {
    rank: i32,
    start_s: f64,
    end_s: f64,
}

/// A process of a chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ChainPosition {
    /// Rank of the first process of the chain.
    pub relay: i32,
    /// How many came before it.
    pub before: i64,
}

/// The chains of all logs, by log and rank.
#[derive(Debug, Default)]
pub(crate) struct Relays(BTreeMap<i32, BTreeMap<i32, ChainPosition>>);

impl Relays {
    /// From table `process`.
    pub fn read(tables: &[Arc<dyn BatchSource>]) -> Self {
        let mut families: BTreeMap<(i32, String, i64), Vec<Span>> = BTreeMap::new();
        let mut seen: HashMap<(i32, i32), (i32, String, i64)> = HashMap::default();
        for of in ProcessColumns::all(tables) {
            for row in 0..of.rows() {
                if of.mpi_rank.is_valid(row) || of.step_rank.is_valid(row) {
                    continue; // a rank
                }
                let (log, rank) = (of.log.value(row), of.rank.value(row));
                let parent = of.parent_pid.value(row);
                let host = of.host.value(row).to_owned();
                // A process that executes another program goes on.
                let family = seen.entry((log, rank)).or_insert((log, host, parent));
                let spans = families.entry(family.clone()).or_default();
                let start_s = of.start_s.get(row).unwrap_or(0.0);
                let end_s = of.end_s.get(row).unwrap_or(f64::INFINITY);
                match spans.iter_mut().find(|span| span.rank == rank) {
                    Some(span) => {
                        span.start_s = span.start_s.min(start_s);
                        span.end_s = span.end_s.max(end_s);
                    }
                    None => spans.push(Span { rank, start_s, end_s }),
                }
            }
        }
        let mut all = Self::default();
        for ((log, ..), spans) in families {
            all.0.entry(log).or_default().extend(chains(spans));
        }
        all
    }

    /// The process that stands for this one: the first of its chain.
    pub fn of(&self, log: i32, rank: i32) -> i32 {
        let place = self.0.get(&log).and_then(|of_log| of_log.get(&rank));
        place.map_or(rank, |place| place.relay)
    }

    /// Whether every process is a chain of its own.
    pub fn is_empty(&self) -> bool {
        self.0.values().flat_map(BTreeMap::values).all(|place| place.before == 0)
    }

    /// Rows of table `relay`.
    pub fn write(&self, table: &mut TableBuilder) {
        for (log, of_log) in &self.0 {
            for (rank, place) in of_log {
                rows::Relay { log: *log, rank: *rank, relay: place.relay, before: place.before }
                    .push(table);
            }
        }
    }
}

diya_tables::columns! {
    struct ProcessColumns of process {
        log: i32,
        rank: i32,
        mpi_rank: i32,
        step_rank: i32,
        host: str,
        parent_pid: i64,
        start_s: f64,
        end_s: f64,
    }
}

/// Cuts the children of one parent into as few chains as they need: each process
/// follows the one that ended last before it.
fn chains(mut spans: Vec<Span>) -> Vec<(i32, ChainPosition)> {
    spans.sort_by(|a, b| a.start_s.total_cmp(&b.start_s).then(a.rank.cmp(&b.rank)));
    let mut chains: Vec<(f64, ChainPosition)> = Vec::new(); // end of the last, place of the next
    let mut places = Vec::with_capacity(spans.len());
    for span in spans {
        let ended = chains.iter_mut().filter(|(end_s, _)| *end_s <= span.start_s);
        let place = match ended.max_by(|a, b| a.0.total_cmp(&b.0)) {
            Some((end_s, next)) => {
                *end_s = span.end_s;
                next.before += 1;
                *next
            }
            None => {
                let first = ChainPosition { relay: span.rank, before: 0 };
                chains.push((span.end_s, first));
                first
            }
        };
        places.push((span.rank, place));
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_workers_at_a_time_are_two_chains() {
        let span = |rank, start_s, end_s| Span { rank, start_s, end_s };
        let spans = vec![
            span(1, 0.0, 1.0),
            span(2, 0.1, 1.2),
            span(3, 1.0, 2.0),
            span(4, 1.3, f64::INFINITY), // killed: its end is not known
            span(5, 2.1, 3.0),
        ];
        let places: Vec<(i32, i32, i64)> =
            chains(spans).iter().map(|(rank, of)| (*rank, of.relay, of.before)).collect();
        assert_eq!(places, [(1, 1, 0), (2, 2, 0), (3, 1, 1), (4, 2, 1), (5, 1, 2)]);
    }
}
