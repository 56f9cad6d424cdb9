//! What each rank was seen doing: messages, calls on files, samples of the processor.

use super::super::processor_samples::Samples;
use super::super::{Calls, no_files};
use crate::hash::HashMap;
use crate::installed::Installed;
use diya_model::{Class, MessageKind};
use diya_tables::{BatchSource, communicator, message, process};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Log and rank.
pub(super) type RankKey = (i32, i32);

/// Key of `MPI_COMM_WORLD` in its step.
const WORLD: u64 = 1;

/// More calls than this are not looked at.
const MAX_CALLS: usize = 5_000_000;

/// Communicator of a step: its key there. No key: one process's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Group {
    pub log: i32,
    pub step: i32,
    pub key: u64,
}

/// Who is in a communicator.
#[derive(Debug, Default)]
pub(super) struct Members {
    /// Ranks of the log, by rank in the communicator; those that were recorded.
    pub ranks: BTreeMap<i32, i32>,
    pub size: i32,
}

impl Members {
    pub fn are_complete(&self) -> bool {
        i32::try_from(self.ranks.len()).is_ok_and(|known| known >= self.size)
    }
}

/// One row of table `message`.
#[derive(Debug, Clone)]
pub(super) struct Message {
    pub start_s: f64,
    pub end_s: f64,
    pub kind: MessageKind,
    /// Position in [`Lanes::functions`].
    pub function: u32,
    pub group: Option<Group>,
    /// Ranks of the log.
    pub peers: Vec<i32>,
    pub sequence: Option<i64>,
    pub waits_for: WaitsFor,
    /// What it moves; 0 where that is not known.
    pub bytes: i64,
    pub stack_id: Option<u64>,
}

/// What the requests of a wait are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WaitsFor {
    Unknown,
    Sends,
    Receives,
    Collective,
}

/// A call on files, not inside another one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Item {
    pub start_s: f64,
    pub end_s: f64,
    pub class: Class,
    pub file_id: u64,
}

/// One rank: its thread with the most time in messages.
#[derive(Debug, Default)]
pub(super) struct Lane {
    /// In the order of their starts; they do not overlap.
    pub messages: Vec<Message>,
    /// The same.
    pub items: Vec<Item>,
    /// Time of the processor that ends at each sample; `None`: it was not sampled.
    pub samples: Option<Vec<(f64, f64)>>,
    /// When programs that the rank started were there: spans in order that do not overlap.
    pub children: Vec<(f64, f64)>,
    pub thread: u64,
    pub start_s: f64,
    pub end_s: f64,
}

#[derive(Debug, Default)]
pub(super) struct Lanes {
    pub ranks: BTreeMap<RankKey, Lane>,
    pub groups: HashMap<Group, Members>,
    pub functions: Vec<String>,
    /// All ranks that were started together with a rank.
    pub worlds: BTreeMap<RankKey, Group>,
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
        peers: str,
        waits_for: str,
        sequence: i64,
        bytes: i64,
        stack_id: u64,
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
        rank: i32,
        mpi_rank: i32,
        mpi_size: i32,
        step: i32,
        parent: i32,
        start_s: f64,
        end_s: f64,
    }
}

impl Lanes {
    pub fn read(tables: &[Arc<dyn BatchSource>], calls: &Calls) -> Self {
        let mut lanes = Self::default();
        let mut steps: HashMap<(i32, i32), i32> = HashMap::default();
        // By log and number of process.
        let mut ranks: HashMap<(i32, i32), RankKey> = HashMap::default();
        let mut started = Vec::new();
        for of in ProcessColumns::all(tables) {
            for row in 0..of.rows() {
                let (log, process) = (of.log.value(row), of.process.value(row));
                steps.insert((log, process), of.step.get(row).unwrap_or(-1));
                if of.mpi_rank.get(row).is_some() {
                    let key = (log, of.rank.value(row));
                    ranks.insert((log, process), key);
                    let lane = lanes.ranks.entry(key).or_default();
                    lane.start_s = of.start_s.value(row);
                    lane.end_s = of.end_s.get(row).unwrap_or(lane.start_s);
                    let step = of.step.get(row).unwrap_or(-1);
                    let world = Group { log, step, key: WORLD };
                    lanes.worlds.insert(key, world);
                    let members = lanes.groups.entry(world).or_default();
                    members.size = members.size.max(of.mpi_size.get(row).unwrap_or(0));
                    members.ranks.extend(of.mpi_rank.get(row).map(|rank| (rank, key.1)));
                } else if let Some((parent, end_s)) = of.parent.get(row).zip(of.end_s.get(row)) {
                    started.push(((log, parent), (of.start_s.value(row), end_s)));
                }
            }
        }
        lanes.add_children(&ranks, started);
        let groups = lanes.read_groups(tables, &steps);
        lanes.read_messages(tables, &groups);
        lanes.add_calls(tables, calls);
        lanes.add_samples(tables);
        lanes
    }

    fn add_children(
        &mut self,
        ranks: &HashMap<(i32, i32), RankKey>,
        mut started: Vec<((i32, i32), (f64, f64))>,
    ) {
        started.sort_by(|a, b| a.1.0.total_cmp(&b.1.0));
        for (parent, (from_s, to_s)) in started {
            let lane = ranks.get(&parent).and_then(|key| self.ranks.get_mut(key));
            let Some(lane) = lane else { continue };
            match lane.children.last_mut() {
                Some(last) if from_s <= last.1 => last.1 = last.1.max(to_s),
                _ => lane.children.push((from_s, to_s)),
            }
        }
    }

    /// The communicators; gives the group of each process's number for one.
    fn read_groups(
        &mut self,
        tables: &[Arc<dyn BatchSource>],
        steps: &HashMap<(i32, i32), i32>,
    ) -> HashMap<(i32, i32, i64), Group> {
        let mut groups = HashMap::default();
        for of in CommunicatorColumns::all(tables) {
            for row in 0..of.rows() {
                let (log, process) = (of.log.value(row), of.process.value(row));
                let Some(key) = of.key.get(row).filter(|_| !of.is_inter.value(row)) else {
                    continue;
                };
                let step = steps.get(&(log, process)).copied().unwrap_or(-1);
                let group = Group { log, step, key };
                groups.insert((log, process, of.communicator.value(row)), group);
                let members = self.groups.entry(group).or_default();
                members.size = members.size.max(of.size.value(row));
                members.ranks.insert(of.member.value(row), of.rank.value(row));
            }
        }
        groups
    }

    fn read_messages(
        &mut self,
        tables: &[Arc<dyn BatchSource>],
        groups: &HashMap<(i32, i32, i64), Group>,
    ) {
        let mut names: HashMap<String, u32> = HashMap::default();
        let mut threads: BTreeMap<RankKey, BTreeMap<u64, Vec<Message>>> = BTreeMap::new();
        for of in MessageColumns::all(tables) {
            for row in 0..of.rows() {
                let (log, process) = (of.log.value(row), of.process.value(row));
                let Some(kind) = MessageKind::from_name(of.kind.value(row)) else { continue };
                let number = of.communicator.get(row);
                let group = number.and_then(|number| groups.get(&(log, process, number)).copied());
                let members = group.and_then(|group| self.groups.get(&group));
                let words = of.peers.value(row).split_whitespace();
                let peers = words.filter_map(|word| word.parse().ok()).chain(of.peer.get(row));
                let rank_of = |peer| members.and_then(|of| of.ranks.get(&peer).copied());
                let name = of.function.value(row);
                let function = match names.get(name) {
                    Some(known) => *known,
                    None => {
                        let number = u32::try_from(self.functions.len()).unwrap_or(u32::MAX);
                        self.functions.push(name.to_owned());
                        names.insert(name.to_owned(), number);
                        number
                    }
                };
                let message = Message {
                    start_s: of.start_s.value(row),
                    end_s: of.end_s.value(row),
                    kind,
                    function,
                    group,
                    peers: peers.filter_map(rank_of).collect(),
                    sequence: of.sequence.get(row),
                    waits_for: match of.waits_for.value(row) {
                        "sends" => WaitsFor::Sends,
                        "receives" => WaitsFor::Receives,
                        "collective" => WaitsFor::Collective,
                        _ => WaitsFor::Unknown,
                    },
                    bytes: of.bytes.get(row).unwrap_or(0),
                    stack_id: of.stack_id.get(row),
                };
                let of_rank = threads.entry((log, of.rank.value(row))).or_default();
                of_rank.entry(of.thread.value(row)).or_default().push(message);
            }
        }
        for (key, of_rank) in threads {
            let spent_s = |of: &[Message]| of.iter().map(|m| m.end_s - m.start_s).sum::<f64>();
            let most = of_rank.into_iter().max_by(|a, b| spent_s(&a.1).total_cmp(&spent_s(&b.1)));
            let Some((thread, mut messages)) = most else { continue };
            messages.sort_by(|a, b| a.start_s.total_cmp(&b.start_s));
            let lane = self.ranks.entry(key).or_default();
            lane.end_s = messages.iter().fold(lane.end_s, |end_s, of| end_s.max(of.end_s));
            (lane.thread, lane.messages) = (thread, messages);
        }
    }

    fn add_calls(&mut self, tables: &[Arc<dyn BatchSource>], calls: &Calls) {
        let keys: Vec<RankKey> = self.ranks.keys().copied().collect();
        let (rank_of, counts) = calls.by_rank(&keys);
        if counts.iter().sum::<usize>() > MAX_CALLS {
            return;
        }
        let others = no_files(tables);
        calls.each_of(
            |stream| rank_of[stream].is_some(),
            |call| {
                let stream = calls.stream(call);
                let Some(lane) = self.ranks.get_mut(&(stream.log, stream.rank)) else { return };
                let thread = calls.threads.get(call.thread as usize);
                let is_own = lane.thread == 0 || thread.is_none_or(|of| *of == lane.thread);
                let is_file = !others.contains(&(stream.log, stream.file_id));
                if call.parent == 0 && is_own && is_file && call.end_s > call.start_s {
                    lane.items.push(Item {
                        start_s: call.start_s,
                        end_s: call.end_s,
                        class: Class::of(stream.op),
                        file_id: stream.file_id,
                    });
                }
            },
        );
        for lane in self.ranks.values_mut() {
            lane.items.sort_by(|a, b| a.start_s.total_cmp(&b.start_s));
        }
    }

    fn add_samples(&mut self, tables: &[Arc<dyn BatchSource>]) {
        let samples = Samples::read(tables, &Installed::default());
        for ((log, rank, thread), taken) in &samples.threads {
            if let Some(lane) = self.ranks.get_mut(&(*log, *rank))
                && (lane.thread == *thread || lane.thread == 0)
            {
                let mut all: Vec<(f64, f64)> =
                    taken.iter().map(|sample| (sample.time_s, sample.weight_s)).collect();
                all.sort_by(|a, b| a.0.total_cmp(&b.0));
                lane.samples = Some(all);
            }
        }
    }
}

impl Lane {
    /// Messages that overlap this span.
    pub fn messages_in(&self, from_s: f64, to_s: f64) -> &[Message] {
        let first = self.messages.partition_point(|of| of.end_s <= from_s);
        let last = self.messages.partition_point(|of| of.start_s < to_s);
        self.messages.get(first..last.max(first)).unwrap_or_default()
    }

    /// Time in messages in this span.
    pub fn message_s(&self, from_s: f64, to_s: f64) -> f64 {
        let within = |of: &Message| of.end_s.min(to_s) - of.start_s.max(from_s);
        self.messages_in(from_s, to_s).iter().map(within).sum()
    }

    /// How long programs that it started were there in this span.
    pub fn child_s(&self, from_s: f64, to_s: f64) -> f64 {
        let first = self.children.partition_point(|of| of.1 <= from_s);
        let within = self.children[first..].iter().take_while(|of| of.0 < to_s);
        within.map(|of| of.1.min(to_s) - of.0.max(from_s)).sum()
    }

    /// Time of the processor in this span; `None`: not sampled.
    pub fn processor_s(&self, from_s: f64, to_s: f64) -> Option<f64> {
        let samples = self.samples.as_ref()?;
        let from = samples.partition_point(|(time_s, _)| *time_s <= from_s);
        let within =
            samples[from..].iter().take_while(|(time_s, weight_s)| time_s - weight_s < to_s);
        let sum = within.map(|(time_s, weight_s)| {
            (time_s.min(to_s) - (time_s - weight_s).max(from_s)).max(0.0)
        });
        Some(sum.sum())
    }
}
