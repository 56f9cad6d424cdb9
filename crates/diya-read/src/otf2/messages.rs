//! Messages of MPI: what events inside a region say of the call, and its row at the end.

use super::definitions::{COMM_LOCATIONS, Definitions};
use crate::assemble::{TracedCommunicator, TracedMessage};
use diya_model::{MessageFunction, MessageKind};
use std::collections::{BTreeSet, HashMap};

/// The kind of a group of ranks; that of each rank alone has no members.
const COMM_GROUP: u8 = 5;

/// Senders of one wait that are named, as in recordings.
const MOST_PEERS: usize = 16;

/// One end of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Line {
    pub comm: u32,
    /// Rank in it.
    pub peer: u32,
    pub tag: u32,
    pub bytes: u64,
}

/// A collective call at its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Gathering {
    pub comm: u32,
    /// `None`: it has no root.
    pub root: Option<u32>,
    pub bytes: u64,
}

/// What is known of the call that a thread is in.
#[derive(Debug, Default)]
pub(super) struct Inside {
    sent: Vec<Line>,
    received: Vec<Line>,
    /// Sends that were begun before, and are over.
    completed: Vec<Line>,
    gathered: Option<(Gathering, i64)>,
}

/// Of one process.
#[derive(Debug, Default)]
pub(super) struct Messages {
    /// Sends that are under way, by request.
    sends: HashMap<u64, Line>,
    /// Collective calls so far, by communicator.
    sequences: HashMap<u32, i64>,
    used: BTreeSet<u32>,
}

/// More requests than these are under way in no program: their ends were not recorded.
const MOST_REQUESTS: usize = 1 << 20;

impl Messages {
    pub fn sent(&mut self, inside: &mut Inside, line: Line, request: Option<u64>) {
        self.used.insert(line.comm);
        inside.sent.push(line);
        if let Some(request) = request.filter(|_| self.sends.len() < MOST_REQUESTS) {
            self.sends.insert(request, line);
        }
    }

    pub fn send_completed(&mut self, inside: &mut Inside, request: u64) {
        inside.completed.extend(self.sends.remove(&request));
    }

    pub fn received(&mut self, inside: &mut Inside, line: Line) {
        self.used.insert(line.comm);
        inside.received.push(line);
    }

    pub fn gathered(&mut self, inside: &mut Inside, of: Gathering) {
        self.used.insert(of.comm);
        let sequence = self.sequences.entry(of.comm).or_default();
        *sequence += 1;
        inside.gathered = Some((of, *sequence));
    }

    /// The communicators that a process used, which is this rank.
    pub fn communicators(
        &self,
        process: usize,
        mpi_rank: Option<i32>,
        definitions: &Definitions<'_>,
    ) -> Vec<TracedCommunicator> {
        let Some(rank) = mpi_rank.and_then(|rank| u64::try_from(rank).ok()) else {
            return Vec::new();
        };
        // Keys of others begin behind that of the world.
        let key = |comm: u32| if definitions.world == Some(comm) { 1 } else { u64::from(comm) + 2 };
        let of = |comm: &u32| {
            let group = definitions.group_of(*comm)?;
            let is_of_ranks = group.kind == COMM_GROUP;
            let (size, member, key) = if is_of_ranks || group.kind == COMM_LOCATIONS {
                let found = group.members.iter().position(|member| *member == rank);
                let member = if is_of_ranks { found } else { usize::try_from(rank).ok() };
                (group.members.len(), member?, Some(key(*comm)))
            } else {
                (1, 0, None)
            };
            Some(TracedCommunicator {
                process,
                communicator: i64::from(*comm) + 1,
                key,
                size: i32::try_from(size).unwrap_or(i32::MAX),
                member: i32::try_from(member).unwrap_or(i32::MAX),
            })
        };
        self.used.iter().filter_map(of).collect()
    }
}

impl Inside {
    /// The row of the call, at its end.
    pub fn row(
        self,
        function: &'static MessageFunction,
        (process, thread): (usize, u64),
        (start_ns, end_ns): (i64, i64),
    ) -> TracedMessage {
        let inside = self;
        let number = |comm: u32| i64::from(comm) + 1;
        let row = TracedMessage {
            process,
            thread,
            function,
            communicator: None,
            peers: Vec::new(),
            waits_for: None,
            tag: None,
            sequence: None,
            bytes: 0,
            start_ns,
            end_ns,
        };
        let is_wait = matches!(function.kind, MessageKind::Wait | MessageKind::Test);
        if let Some((of, sequence)) = inside.gathered {
            let root = of.root.and_then(|root| i32::try_from(root).ok());
            TracedMessage {
                communicator: Some(number(of.comm)),
                peers: root.into_iter().collect(),
                sequence: Some(sequence),
                bytes: whole(of.bytes),
                ..row
            }
        } else {
            let (lines, waits_for) = match () {
                () if !inside.received.is_empty() => (inside.received, "receives"),
                () if !inside.completed.is_empty() => (inside.completed, "sends"),
                () => (inside.sent, "sends"),
            };
            let first = lines.first().copied();
            let mut peers: Vec<i32> =
                lines.iter().filter_map(|line| i32::try_from(line.peer).ok()).collect();
            peers.sort_unstable();
            peers.dedup();
            peers.truncate(MOST_PEERS);
            TracedMessage {
                communicator: first.map(|line| number(line.comm)),
                peers,
                waits_for: first.filter(|_| is_wait).map(|_| waits_for),
                tag: first.and_then(|line| i32::try_from(line.tag).ok()).filter(|_| !is_wait),
                // A wait moves what its requests were counted for.
                bytes: if is_wait { 0 } else { first.map_or(0, |line| whole(line.bytes)) },
                ..row
            }
        }
    }
}

fn whole(bytes: u64) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}
