//! Which processes can be compared with each other.
//!
//! Ranks of one job step do the same work by design. Elsewhere a process is a
//! process: it is compared with those of the same program that the same parent
//! started, that ran side by side with it and made about as many calls, such as
//! the workers of a pool. Shells, helpers, and steps that follow each other are
//! not compared.

use crate::rows;
use diya_tables::{BatchSource, TableBuilder, process};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A process that makes less than this part of the calls of the middle one is
/// a helper: the tracker of a pool, a shell.
const LEAST_CALLS_RATIO: f64 = 0.1;

/// Programs that run scripts: two of them are the same program if their script is.
const INTERPRETERS: [&str; 9] =
    ["python", "bash", "dash", "sh", "perl", "ruby", "julia", "Rscript", "node"];

/// One process, or one rank with the programs it started.
#[derive(Debug, Clone)]
struct Peer {
    /// `None`: not compared.
    group: Option<i32>,
    /// Processes of the group, those without a recording included.
    peers: Option<i64>,
    step: Option<i32>,
    /// Rank in its step, else the process id.
    number: i64,
    program: String,
    origin: Origin,
    start_s: f64,
    end_s: f64,
    /// `None`: not counted; compared with all.
    calls: Option<i64>,
    is_of_mpi: bool,
    size: Option<i64>,
}

/// Where a process comes from: workers of a pool have all of it in common.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Origin {
    host: String,
    parent_pid: i64,
    exe: String,
    program: String,
}

/// The groups of all logs that know their processes.
#[derive(Debug, Default)]
pub(crate) struct Peers(BTreeMap<i32, BTreeMap<i32, Peer>>);

/// Processes that can be compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Group {
    pub number: i32,
    /// How many there are; `None`: all ranks of the job.
    pub peers: Option<i64>,
    /// They are ranks.
    pub is_rank: bool,
}

impl Peers {
    /// From table `process`.
    pub fn read(tables: &[Arc<dyn BatchSource>]) -> Self {
        let mut all = Self::default();
        ProcessColumns::all(tables).for_each(|of| all.add(&of));
        for lanes in all.0.values_mut() {
            let steps = group_ranks(lanes);
            group_processes(lanes, steps);
        }
        all
    }

    /// The group with which a process is compared. A log without a list of processes
    /// is of one job of ranks.
    pub fn of(&self, log: i32, rank: i32) -> Option<Group> {
        let Some(lanes) = self.0.get(&log) else {
            return Some(Group { number: 0, peers: None, is_rank: true });
        };
        let peer = lanes.get(&rank)?;
        let is_rank = peer.step.is_some();
        Some(Group { number: peer.group?, peers: peer.peers, is_rank })
    }

    /// Rows of table `peer_group`.
    pub fn write(&self, table: &mut TableBuilder) {
        for (log, lanes) in &self.0 {
            for (rank, peer) in lanes {
                let is_rank = peer.step.is_some() && peer.group.is_some();
                rows::PeerGroup {
                    log: *log,
                    rank: *rank,
                    peer_group: peer.group,
                    peers: peer.peers.filter(|_| peer.group.is_some()),
                    kind: if is_rank { "rank" } else { "process" },
                    step: peer.step,
                    number: peer.number,
                    program: &peer.program,
                }
                .push(table);
            }
        }
    }

    fn add(&mut self, of: &ProcessColumns) {
        let add = |(recorded, counted): (i64, i64)| recorded.saturating_add(counted);
        for row in 0..of.rows() {
            let (Some(log), Some(rank)) = (of.log.get(row), of.rank.get(row)) else { continue };
            let mpi_rank = of.mpi_rank.get(row);
            let of_step = of.step_rank.get(row).or(mpi_rank);
            let (exe, command) = (of.exe.value(row), of.command_line.value(row));
            let program = program(exe, command);
            // Darshan records no process id: then the number of the process.
            let pid = of.pid.get(row).unwrap_or(i64::from(rank));
            let peer = Peer {
                group: None,
                peers: None,
                step: of.step.get(row),
                number: of_step.map_or(pid, i64::from),
                origin: Origin {
                    host: of.host.value(row).to_owned(),
                    parent_pid: of.parent_pid.get(row).unwrap_or(0),
                    exe: exe.to_owned(),
                    program: program.clone(),
                },
                program,
                start_s: of.start_s.get(row).unwrap_or(0.0),
                end_s: of.end_s.get(row).unwrap_or(f64::INFINITY),
                calls: of.calls_recorded.get(row).zip(of.calls_counted.get(row)).map(add),
                is_of_mpi: mpi_rank.is_some(),
                size: of.mpi_size.get(row).map(i64::from),
            };
            let lanes = self.0.entry(log).or_default();
            match lanes.get_mut(&rank) {
                Some(known) => known.join(peer),
                None => drop(lanes.insert(rank, peer)),
            }
        }
    }
}

diya_tables::columns! {
    struct ProcessColumns of process {
        log: i32,
        rank: i32,
        mpi_rank: i32,
        mpi_size: i32,
        step: i32,
        step_rank: i32,
        pid: i64,
        parent_pid: i64,
        exe: str,
        command_line: str,
        start_s: f64,
        end_s: f64,
        host: str,
        calls_recorded: i64,
        calls_counted: i64,
    }
}

impl Peer {
    /// Takes in another process of the same number: the program of a rank is the
    /// one that speaks MPI, else the last one.
    fn join(&mut self, other: Self) {
        let (start_s, end_s) = (self.start_s.min(other.start_s), self.end_s.max(other.end_s));
        let calls = self.calls.zip(other.calls).map(|(a, b)| a.saturating_add(b));
        if other.is_of_mpi || !self.is_of_mpi {
            *self = other;
        }
        (self.start_s, self.end_s, self.calls) = (start_s, end_s, calls);
    }
}

/// Groups the ranks of each step; gives the number of the next group.
fn group_ranks(lanes: &mut BTreeMap<i32, Peer>) -> i32 {
    let mut steps: BTreeMap<i32, (i64, Option<i64>)> = BTreeMap::new();
    for peer in lanes.values() {
        let Some(step) = peer.step else { continue };
        let of_step = steps.entry(step).or_default();
        *of_step = (of_step.0 + 1, of_step.1.max(peer.size));
    }
    for peer in lanes.values_mut() {
        let Some((step, (seen, size))) = peer.step.and_then(|s| Some((s, *steps.get(&s)?))) else {
            continue;
        };
        let ranks = size.unwrap_or(seen).max(seen);
        // A single rank is a process like any other.
        (peer.group, peer.peers) = ((ranks > 1).then_some(step), Some(ranks));
    }
    steps.keys().max().map_or(0, |last| last.saturating_add(1))
}

/// Groups the other processes, with numbers from this one on.
fn group_processes(lanes: &mut BTreeMap<i32, Peer>, mut next: i32) {
    let mut places: BTreeMap<Origin, Vec<(i32, Peer)>> = BTreeMap::new();
    for (rank, peer) in lanes.iter().filter(|(_, peer)| peer.step.is_none()) {
        places.entry(peer.origin.clone()).or_default().push((*rank, peer.clone()));
    }
    for mut alike in places.into_values() {
        alike.sort_by(|a, b| a.1.start_s.total_cmp(&b.1.start_s));
        let mut beside: Vec<Vec<(i32, Option<i64>)>> = Vec::new();
        let mut until_s = f64::NEG_INFINITY;
        for (rank, peer) in alike {
            match beside.last_mut().filter(|_| peer.start_s < until_s) {
                Some(group) => group.push((rank, peer.calls)),
                None => beside.push(vec![(rank, peer.calls)]),
            }
            until_s = until_s.max(peer.end_s);
        }
        for group in beside {
            let ranks = comparable(group);
            if ranks.len() < 2 {
                continue;
            }
            for rank in &ranks {
                if let Some(peer) = lanes.get_mut(rank) {
                    (peer.group, peer.peers) = (Some(next), i64::try_from(ranks.len()).ok());
                }
            }
            next = next.saturating_add(1);
        }
    }
}

/// Those that make about as many calls as the middle one.
fn comparable(group: Vec<(i32, Option<i64>)>) -> Vec<i32> {
    let mut calls: Vec<i64> = group.iter().filter_map(|(_, calls)| *calls).collect();
    calls.sort_unstable();
    // Of an even number the higher one: with one helper and one worker, the worker.
    let middle = calls.get(calls.len() / 2).copied().unwrap_or_default() as f64;
    let does_as_much = |calls: Option<i64>| {
        calls.is_none_or(|calls| calls > 0 && calls as f64 >= LEAST_CALLS_RATIO * middle)
    };
    group.into_iter().filter(|(_, calls)| does_as_much(*calls)).map(|(rank, _)| rank).collect()
}

/// Name of what runs: of an interpreter that of the script or module.
fn program(exe: &str, command_line: &str) -> String {
    let base = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    let name = base(exe);
    let plain = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    if !INTERPRETERS.contains(&plain) {
        return name;
    }
    let mut words = command_line.split_whitespace().skip(1);
    let script = words.find_map(|word| match word {
        "-c" => Some(None),
        _ if word.starts_with('-') => None,
        _ => Some(Some(base(word))),
    });
    script.flatten().unwrap_or(name)
}

#[cfg(test)]
mod tests;
