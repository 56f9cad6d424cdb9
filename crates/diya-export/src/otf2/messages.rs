//! Messages of MPI as events: a region for each call, and lines between sender and receiver.
//!
//! Calls of less than 10 us have no rows, unless all were asked for. A send without its receive, or a
//! collective call without those of all ranks, would make readers wait for the other end: these are
//! regions only.

use super::calls::Both;
use super::definitions::{CommId, Definitions, RegionRole};
use super::records::{NOTHING, Record};
use crate::rows::Process;
use diya::Trace;
use diya_model::MessageKind;
use diya_tables::{TableId, communicator, message, process};
use std::collections::{BTreeMap, HashMap};

/// Kinds of events.
const SEND: u8 = 14;
const RECEIVE: u8 = 18;
const COLLECTIVE_BEGIN: u8 = 22;
const COLLECTIVE_END: u8 = 23;

/// Roles of regions.
const BARRIER: u8 = 15;
const ONE_TO_ALL: u8 = 23;
const ALL_TO_ONE: u8 = 24;
const ALL_TO_ALL: u8 = 25;
const COLLECTIVE: u8 = 26;
const POINT_TO_POINT: u8 = 28;
const ONE_SIDED: u8 = 29;

/// Operations of collective events, by the function without `MPI_`.
const OPERATIONS: [(&str, u8); 17] = [
    ("Barrier", 0),
    ("Bcast", 1),
    ("Gather", 2),
    ("Gatherv", 3),
    ("Scatter", 4),
    ("Scatterv", 5),
    ("Allgather", 6),
    ("Allgatherv", 7),
    ("Alltoall", 8),
    ("Alltoallv", 9),
    ("Alltoallw", 10),
    ("Allreduce", 11),
    ("Reduce", 12),
    ("Reduce_scatter", 13),
    ("Scan", 14),
    ("Exscan", 15),
    ("Reduce_scatter_block", 16),
];

/// The same of communicators that are made and given up.
const CREATE_HANDLE: u8 = 17;
const DESTROY_HANDLE: u8 = 18;

/// A communicator of a step: all ranks have the same key.
type Key = (i32, i32, u64);

/// Rows of sends from one rank to another, and of receives.
type Ends = (Vec<usize>, Vec<usize>);

/// One row.
#[derive(Debug, Clone)]
pub(super) struct Message {
    pub process: Process,
    pub thread: u64,
    pub start_ns: i64,
    pub end_ns: i64,
    function: String,
    kind: MessageKind,
    comm: Option<Key>,
    member: i32,
    peer: Option<i32>,
    is_wait_for_one: bool,
    tag: Option<i32>,
    sequence: Option<i64>,
    bytes: i64,
    /// What its other end is known to be.
    other: Option<Other>,
}

#[derive(Debug, Clone, Copy)]
enum Other {
    /// Rank in the communicator, tag, bytes.
    To(i32, i32, i64),
    From(i32, i32, i64),
    All,
}

diya_tables::columns! {
    struct MessageColumns of message {
        log: i32,
        process: i32,
        rank: i32,
        thread: u64,
        function: str,
        kind: str,
        communicator: i64,
        peer: i32,
        waits_for: str,
        tag: i32,
        sequence: i64,
        bytes: i64,
        start_s: f64,
        end_s: f64,
    }
}

diya_tables::columns! {
    struct CommunicatorColumns of communicator {
        log: i32,
        process: i32,
        rank: i32,
        communicator: i64,
        key: u64,
        size: i32,
        member: i32,
        is_inter: bool,
    }
}

diya_tables::columns! {
    struct ProcessColumns of process {
        log: i32,
        process: i32,
        step: i32,
    }
}

/// All messages, and the ranks of the communicators that are known whole.
#[derive(Debug, Default)]
pub(super) struct Messages {
    pub rows: Vec<Message>,
    comms: BTreeMap<Key, Vec<i32>>,
}

impl Messages {
    /// `ns`: the time of a log in an archive, of seconds since its start.
    pub fn read(trace: &Trace, ns: &dyn Fn(i32, f64) -> i64) -> Self {
        let table = |id: TableId| [trace.table(id).clone()];
        let mut steps: HashMap<(i32, i32), i32> = HashMap::new();
        for of in ProcessColumns::all(&table(TableId::Process)) {
            for row in 0..of.rows() {
                let step = of.step.get(row).unwrap_or(-1);
                steps.insert((of.log.value(row), of.process.value(row)), step);
            }
        }
        let mut places: HashMap<(i32, i32, i64), (Key, i32)> = HashMap::new();
        let mut members: BTreeMap<Key, (i32, BTreeMap<i32, i32>)> = BTreeMap::new();
        for of in CommunicatorColumns::all(&table(TableId::Communicator)) {
            for row in (0..of.rows()).filter(|row| !of.is_inter.value(*row)) {
                let (log, process) = (of.log.value(row), of.process.value(row));
                let Some(key) = of.key.get(row) else { continue };
                let step = steps.get(&(log, process)).copied().unwrap_or(-1);
                let (key, member) = ((log, step, key), of.member.value(row));
                places.insert((log, process, of.communicator.value(row)), (key, member));
                let known = members.entry(key).or_default();
                known.0 = known.0.max(of.size.value(row));
                known.1.insert(member, of.rank.value(row));
            }
        }
        let is_whole = |size: i32, known: &BTreeMap<i32, i32>| {
            usize::try_from(size).is_ok_and(|size| size == known.len())
        };
        let whole = members.into_iter().filter(|(_, (size, known))| is_whole(*size, known));
        let comms = whole.map(|(key, (_, known))| (key, known.into_values().collect())).collect();
        let mut all = Self { rows: Vec::new(), comms };
        for of in MessageColumns::all(&table(TableId::Message)) {
            for row in 0..of.rows() {
                let log = of.log.value(row);
                let number = of.communicator.get(row);
                let place =
                    number.and_then(|at| places.get(&(log, of.process.value(row), at)).copied());
                let place = place.filter(|(key, _)| all.comms.contains_key(key));
                let Some(kind) = MessageKind::from_name(of.kind.value(row)) else { continue };
                let start_ns = ns(log, of.start_s.value(row));
                all.rows.push(Message {
                    process: (log, of.rank.value(row)),
                    thread: of.thread.value(row),
                    start_ns,
                    end_ns: ns(log, of.end_s.value(row)).max(start_ns),
                    function: of.function.value(row).to_owned(),
                    kind,
                    comm: place.map(|of| of.0),
                    member: place.map_or(-1, |of| of.1),
                    peer: of.peer.get(row),
                    is_wait_for_one: of.waits_for.get(row) == Some("receives"),
                    tag: of.tag.get(row),
                    sequence: of.sequence.get(row),
                    bytes: of.bytes.value(row).max(0),
                    other: None,
                });
            }
        }
        all.pair();
        all.gather();
        all
    }

    /// Sends and the receives of their messages: of those between two ranks the last send before the
    /// receive ends, and none is passed by a later one.
    fn pair(&mut self) {
        let mut lines: BTreeMap<(Key, i32, i32), Ends> = BTreeMap::new();
        for (at, of) in self.rows.iter().enumerate() {
            let Some((key, peer)) = of.comm.zip(of.peer) else { continue };
            let is_receive = of.kind == MessageKind::Receive
                || (of.kind == MessageKind::Wait && of.is_wait_for_one);
            if matches!(of.kind, MessageKind::Send | MessageKind::SendBegin) {
                lines.entry((key, of.member, peer)).or_default().0.push(at);
            } else if is_receive {
                lines.entry((key, peer, of.member)).or_default().1.push(at);
            }
        }
        for ((_, from, to), (mut sends, mut receives)) in lines {
            sends.sort_by_key(|at| self.rows[*at].start_ns);
            receives.sort_by_key(|at| self.rows[*at].end_ns);
            let mut next = 0;
            for receive in receives {
                let (end_ns, tag) = (self.rows[receive].end_ns, self.rows[receive].tag);
                let is_its = |at: &usize| {
                    let send = &self.rows[*at];
                    send.start_ns <= end_ns && (tag.is_none() || send.tag == tag)
                };
                let found = (next..sends.len()).rev().find(|at| is_its(&sends[*at]));
                let Some(found) = found else { continue };
                next = found + 1;
                let (tag, bytes) = (self.rows[sends[found]].tag, self.rows[sends[found]].bytes);
                self.rows[sends[found]].other = Some(Other::To(to, tag.unwrap_or(0), bytes));
                self.rows[receive].other = Some(Other::From(from, tag.unwrap_or(0), bytes));
            }
        }
    }

    /// Collective calls of which all ranks have a row.
    fn gather(&mut self) {
        let mut calls: BTreeMap<(Key, i64), Vec<usize>> = BTreeMap::new();
        for (at, of) in self.rows.iter().enumerate() {
            if let Some(call) = of.comm.zip(of.sequence).filter(|_| of.operation().is_some()) {
                calls.entry(call).or_default().push(at);
            }
        }
        for ((key, _), rows) in calls {
            if self.comms.get(&key).is_some_and(|members| members.len() == rows.len()) {
                rows.into_iter().for_each(|at| self.rows[at].other = Some(Other::All));
            }
        }
    }

    /// The events of one.
    pub fn events(&self, at: usize, definitions: &mut Definitions) -> Both {
        let Some(of) = self.rows.get(at) else { return Both::default() };
        let mut both = Both::default();
        let members = of.comm.and_then(|key| Some((key, self.comms.get(&key)?)));
        if let Some(((key, members), other)) = members.zip(of.other) {
            let comm = definitions.comm(CommId { key: key.2, step: key.1 }, members);
            let line = |kind, rank: i32, tag: i32, bytes: i64| {
                Record::new(kind).ints([whole(rank), comm, whole(tag), bytes as u64])
            };
            match other {
                Other::To(rank, tag, bytes) => both.at_start(&line(SEND, rank, tag, bytes)),
                Other::From(rank, tag, bytes) => both.at_end(&line(RECEIVE, rank, tag, bytes)),
                Other::All => {
                    let root = of.peer.map_or(NOTHING, whole);
                    let (sent, received) = of.moved();
                    let end = Record::new(COLLECTIVE_END).byte(of.operation().unwrap_or(0));
                    both.at_start(&Record::new(COLLECTIVE_BEGIN));
                    both.at_end(&end.ints([comm, root, sent, received]));
                }
            }
        }
        both.inside(definitions.region(&of.function, RegionRole::Message(of.role())))
    }
}

impl Message {
    /// What a collective event calls it; `None`: it has none.
    fn operation(&self) -> Option<u8> {
        let is_free = || ["_free", "_disconnect"].iter().any(|end| self.function.ends_with(end));
        match self.kind {
            MessageKind::Communicator if is_free() => Some(DESTROY_HANDLE),
            MessageKind::Communicator => Some(CREATE_HANDLE),
            _ => operation(&self.function),
        }
    }

    /// Bytes that a collective call sends and receives here.
    fn moved(&self) -> (u64, u64) {
        let bytes = self.bytes as u64;
        let is_root = self.peer == Some(self.member);
        match self.kind {
            MessageKind::FromRoot if is_root => (bytes, 0),
            MessageKind::FromRoot => (0, bytes),
            MessageKind::ToRoot if is_root => (0, bytes),
            MessageKind::ToRoot => (bytes, 0),
            _ => (bytes, bytes),
        }
    }

    fn role(&self) -> u8 {
        match self.kind {
            MessageKind::Barrier => BARRIER,
            MessageKind::FromRoot => ONE_TO_ALL,
            MessageKind::ToRoot => ALL_TO_ONE,
            MessageKind::AllToAll => ALL_TO_ALL,
            MessageKind::Window | MessageKind::WindowFence | MessageKind::WindowWait => ONE_SIDED,
            kind if kind.is_collective() || kind == MessageKind::CollectiveBegin => COLLECTIVE,
            _ => POINT_TO_POINT,
        }
    }
}

fn operation(function: &str) -> Option<u8> {
    let name = function.strip_prefix("MPI_")?;
    let name = name.strip_suffix("_c").unwrap_or(name);
    OPERATIONS.iter().find(|of| of.0 == name).map(|of| of.1)
}

fn whole(number: i32) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORLD: Key = (0, 0, 1);

    fn message(
        function: &str,
        kind: MessageKind,
        member: i32,
        peer: Option<i32>,
        ns: (i64, i64),
    ) -> Message {
        Message {
            process: (0, member),
            thread: 1,
            start_ns: ns.0,
            end_ns: ns.1,
            function: function.to_owned(),
            kind,
            comm: Some(WORLD),
            member,
            peer,
            is_wait_for_one: kind == MessageKind::Wait,
            tag: None,
            sequence: kind.is_collective().then_some(3),
            bytes: 10 * i64::from(member + 1),
            other: None,
        }
    }

    fn others(rows: Vec<Message>) -> Vec<String> {
        let comms = BTreeMap::from([(WORLD, vec![0, 1])]);
        let mut all = Messages { rows, comms };
        all.pair();
        all.gather();
        all.rows
            .iter()
            .map(|of| of.other.map_or("-".into(), |other| format!("{other:?}")))
            .collect()
    }

    #[test]
    fn a_receive_has_the_last_send_before_its_end() {
        use MessageKind::{Receive, Send, Wait};
        let found = others(vec![
            message("MPI_Send", Send, 0, Some(1), (0, 10)),
            message("MPI_Send", Send, 0, Some(1), (20, 30)),
            message("MPI_Send", Send, 0, Some(1), (50, 60)),
            message("MPI_Recv", Receive, 1, Some(0), (5, 40)),
            message("MPI_Wait", Wait, 1, Some(0), (45, 55)),
            // Nobody sends to it.
            message("MPI_Recv", Receive, 0, Some(1), (0, 90)),
        ]);
        let (to, from) = ("To(1, 0, 10)", "From(0, 0, 10)");
        assert_eq!(found, ["-", to, to, from, from, "-"]);
    }

    #[test]
    fn a_collective_call_is_one_where_all_ranks_have_it() {
        let call = |member| message("MPI_Bcast", MessageKind::FromRoot, member, Some(0), (0, 10));
        assert_eq!(others(vec![call(0), call(1)]), ["All", "All"]);
        assert_eq!(others(vec![call(0)]), ["-"]);
        assert_eq!((call(0).moved(), call(1).moved()), ((10, 0), (0, 20)));
    }
}
