//! Processes that follow one another: each starts when the one before has ended.
//!
//! A shell that runs a tool for every file, or a pool that starts a worker for every
//! task, spends its time in many short processes. None of them is slow; what they
//! take adds up, along the chain that they form. Ranks of a job step run side by
//! side and are left as they are.

use crate::hash::HashMap;
use crate::rows;
use arrow::array::Array;
use diya_tables::{BatchSource, TableBuilder, call, process};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Shells that start each other.
const MOST_WRAPPERS: usize = 8;

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
        let wrappers = wrappers(tables);
        for of in ProcessColumns::all(tables) {
            for row in 0..of.rows() {
                if of.mpi_rank.is_valid(row) || of.step_rank.is_valid(row) {
                    continue; // a rank
                }
                let (log, rank) = (of.log.value(row), of.rank.value(row));
                let mut parent = of.parent_pid.value(row);
                let mut above = of.parent.get(row);
                for _ in 0..MOST_WRAPPERS {
                    let wrapper = above.and_then(|number| wrappers.get(&(log, number)));
                    let Some((pid, number)) = wrapper else { break };
                    (parent, above) = (*pid, *number);
                }
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
        end_killed(&mut families, tables);
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

/// Shells that run one command (`sh -c`), by log and number of process: the process that started
/// them, by id and number.
fn wrappers(tables: &[Arc<dyn BatchSource>]) -> HashMap<(i32, i32), (i64, Option<i32>)> {
    const SHELLS: [&str; 5] = ["sh", "dash", "bash", "zsh", "ksh"];
    let mut wrappers = HashMap::default();
    for of in ProcessColumns::all(tables) {
        for row in 0..of.rows() {
            let shell = of.exe.value(row).rsplit('/').next().unwrap_or_default();
            let is_command = of.command_line.value(row).split_whitespace().nth(1) == Some("-c");
            if SHELLS.contains(&shell) && is_command {
                let above = (of.parent_pid.value(row), of.parent.get(row));
                wrappers.insert((of.log.value(row), of.process.value(row)), above);
            }
        }
    }
    wrappers
}

/// A pool ends its workers by a signal: their last calls say how long they were there.
fn end_killed(
    families: &mut BTreeMap<(i32, String, i64), Vec<Span>>,
    tables: &[Arc<dyn BatchSource>],
) {
    let mut ends: HashMap<(i32, i32), f64> = HashMap::default();
    for ((log, ..), spans) in families.iter() {
        let killed = spans.iter().filter(|span| span.end_s.is_infinite());
        ends.extend(killed.map(|span| ((*log, span.rank), span.start_s)));
    }
    if ends.is_empty() {
        return;
    }
    for of in CallColumns::all(tables) {
        for row in 0..of.rows() {
            if let Some(end_s) = ends.get_mut(&(of.log.value(row), of.rank.value(row))) {
                *end_s = end_s.max(of.end_s.value(row));
            }
        }
    }
    for ((log, ..), spans) in families.iter_mut() {
        for span in spans.iter_mut().filter(|span| span.end_s.is_infinite()) {
            // Without a call nothing is known.
            let end_s = ends.get(&(*log, span.rank)).filter(|end_s| **end_s > span.start_s);
            span.end_s = end_s.copied().unwrap_or(f64::INFINITY);
        }
    }
}

diya_tables::columns! {
    struct CallColumns of call {
        log: i32,
        rank: i32,
        end_s: f64,
    }
}

diya_tables::columns! {
    struct ProcessColumns of process {
        log: i32,
        process: i32,
        rank: i32,
        mpi_rank: i32,
        parent: i32,
        exe: str,
        command_line: str,
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
    use diya_tables::{Batches, ProcessRow, TableId, Tables};

    #[test]
    fn tools_behind_a_shell_of_one_command_follow_one_another() {
        let mut tables = Tables::new();
        let mut push = |process: i32, parent: Option<i32>, command_line: &str, start_s, end_s| {
            tables.push_process(ProcessRow {
                log: 0,
                process,
                rank: process,
                parent,
                parent_pid: parent.map(|parent| 100 + i64::from(parent)),
                host: Some("node1"),
                exe: command_line.split(' ').next().unwrap_or_default(),
                command_line,
                start_s,
                end_s,
                ..ProcessRow::UNKNOWN
            });
        };
        push(0, None, "/bin/perl qc.pl", 0.0, Some(9.0));
        push(1, Some(0), "/bin/sh -c 'tool a'", 1.0, Some(2.0));
        push(2, Some(1), "/bin/tool a", 1.1, Some(1.9));
        push(3, Some(0), "/bin/sh -c 'tool b'", 3.0, Some(4.0));
        push(4, Some(3), "/bin/tool b", 3.1, Some(3.9));
        push(5, Some(0), "/bin/sh loop.sh", 5.0, Some(6.0));
        push(6, Some(5), "/bin/tool c", 5.1, Some(5.9));
        let rows = tables.take(TableId::Process).expect("has rows").into_batch();
        let table: Arc<dyn BatchSource> =
            Arc::new(Batches::new(TableId::Process.def(), vec![rows]));
        let relays = Relays::read(&[table]);
        let firsts: Vec<i32> = (0..7).map(|rank| relays.of(0, rank)).collect();
        assert_eq!(firsts, [0, 1, 2, 1, 2, 1, 6], "the script is no shell of one command");
    }

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
