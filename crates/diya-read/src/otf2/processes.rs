//! Which locations are threads of which process, and which rank that is.

use super::definitions::{COMM_LOCATIONS, Definitions, MPI};
use std::collections::BTreeMap;

/// Nodes above each other are not more than that.
const MAX_LEVELS: usize = 32;

/// A process of the archive.
#[derive(Debug)]
pub(super) struct Member {
    pub rank: i32,
    pub mpi_rank: Option<i32>,
    pub host: Option<String>,
    /// Its locations, the first of which is the main thread.
    pub locations: Vec<u64>,
}

/// All processes in the order of their ranks, and the number of ranks of MPI.
pub(super) fn processes(definitions: &Definitions<'_>) -> (Vec<Member>, Option<i32>) {
    let ranks = definitions.groups.iter().find(|group| {
        (group.kind, group.paradigm) == (COMM_LOCATIONS, MPI) && !group.members.is_empty()
    });
    let mut rank_of: BTreeMap<u64, i32> = BTreeMap::new();
    let mut size = None;
    if let Some(group) = ranks {
        for (rank, location) in (0..i32::MAX).zip(&group.members) {
            rank_of.entry(*location).or_insert(rank);
        }
        size = i32::try_from(group.members.len()).ok();
    }
    let mut locations: BTreeMap<u32, Vec<u64>> = BTreeMap::new();
    for (id, location) in definitions.locations.iter() {
        let group = definitions.location_groups.get(location.group.into());
        let creator = group.filter(|group| group.is_accelerator).and_then(|group| group.creator);
        locations.entry(creator.unwrap_or(location.group)).or_default().push(id);
    }
    let mut all: Vec<Member> = Vec::new();
    for (group, locations) in locations {
        let mpi_rank = locations.iter().find_map(|location| rank_of.get(location)).copied();
        let host = host(group, definitions);
        all.push(Member { rank: 0, mpi_rank, host, locations });
    }
    // Those that are no ranks come behind them.
    all.sort_by_key(|process| process.mpi_rank.unwrap_or(i32::MAX));
    let mut next = size.unwrap_or(0);
    for process in &mut all {
        process.rank = process.mpi_rank.unwrap_or(next);
        next = next.saturating_add(i32::from(process.mpi_rank.is_none()));
    }
    (all, size)
}

/// The node of a process: the nearest part of the machine whose processes share memory.
fn host(group: u32, definitions: &Definitions<'_>) -> Option<String> {
    let mut at = definitions.location_groups.get(group.into())?.node;
    for _ in 0..MAX_LEVELS {
        let node = definitions.nodes.get(at.into())?;
        let is_node = definitions.shared_memory.get(at.into()).is_some()
            || definitions.text(node.class).eq_ignore_ascii_case("node");
        if is_node {
            return Some(definitions.text(node.name).into_owned()).filter(|name| !name.is_empty());
        }
        at = node.parent;
    }
    None
}
