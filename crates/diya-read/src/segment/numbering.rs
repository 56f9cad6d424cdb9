//! Which process is which rank.
//!
//! A rank of MPI keeps its number, and so do the programs it starts. Processes
//! outside MPI follow after the last rank, in the order they began, so that
//! each has a row of its own in pictures by rank.

use super::header::{Ended, Header};
use std::collections::HashMap;

/// Numbers of one process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Numbers {
    pub rank: i32,
    /// Which MPI job of the run, for ranks.
    pub step: Option<i32>,
}

/// Numbers the processes, which come in the order they began.
pub(super) fn number(headers: &[&Header]) -> Vec<Numbers> {
    let known = |h: &Header| h.mpi_rank.or(h.launcher_rank);
    let mut next =
        headers.iter().filter_map(|h| known(h)).max().map_or(0, |last| last.saturating_add(1));
    let mut execed: HashMap<(&str, u32), i32> = HashMap::new();
    let mut steps: HashMap<i32, i32> = HashMap::new();
    let mut all = Vec::with_capacity(headers.len());
    for header in headers {
        let here = (header.host.as_str(), header.pid);
        let rank = known(header).or_else(|| execed.get(&here).copied()).unwrap_or_else(|| {
            let rank = next;
            next = next.saturating_add(1);
            rank
        });
        if header.ended == Ended::Execed {
            execed.insert(here, rank);
        }
        let step = header.mpi_rank.map(|rank| {
            let step = steps.entry(rank).or_default();
            *step += 1;
            *step - 1
        });
        all.push(Numbers { rank, step });
    }
    all
}
