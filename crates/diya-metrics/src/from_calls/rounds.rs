//! Rounds: the ranks of a step do their I/O one after another in the order of their
//! numbers, again and again.
//!
//! Messages and barriers are not recorded. Their evidence is the order: ranks that work
//! at the same time, or whenever they are ready, do not follow each other in the order of
//! their numbers round after round. What passes from the end of one turn to the start of
//! the next is waiting where nothing else explains the order: the turns are no shorter
//! than the time between them, or all ranks use one file. A single round is an order, too,
//! where each turn begins as soon as the one before ends. Ranks that share a core take turns on it:
//! [`waits`] distinguishes the two.

mod waits;

use super::calls::{Calls, Stream};
use super::count;
use super::no_files;
use super::opened_spans::{self, OpenedSpan};
use crate::hash::{HashMap, HashSet};
use crate::peers::Peers;
use crate::rows;
use diya_tables::{BatchSource, Layer, Op, TableBuilder};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Rounds that make an order.
const LEAST_ROUNDS: usize = 3;

/// Ranks whose order is no chance.
const MANY_RANKS: usize = 4;

/// Rounds of two or three ranks: they follow each other by chance now and then, not so often.
const LEAST_ROUNDS_OF_FEW: usize = 10;

/// Time between the turns of two or three ranks over that of the turns, at most: ranks that
/// are busy four fifths of the time do not miss each other ten times by chance.
const PAUSES_OF_FEW_RATIO: f64 = 0.25;

/// The same of fewer rounds, but no fewer than [`LEAST_ROUNDS`]: three times in a row a turn does
/// not begin by chance where the one before has just ended.
const HANDED_ON_OF_FEW_RATIO: f64 = 0.05;

/// From so many rounds on the time between the turns may be so many times that of the turns:
/// handing on takes longer where ranks share processors.
const MANY_ROUNDS: usize = 10;
const MANY_ROUNDS_RATIO: f64 = 2.0;

/// Time between the turns of a single round over that of the turns, at most.
const HANDED_ON_RATIO: f64 = 0.1;

/// Share of the calls that are in rounds, at least.
const IN_ORDER_RATIO: f64 = 0.9;

/// More calls than this are not sorted: they take too long to look at.
const MAX_CALLS: usize = 500_000;

/// Clocks of two ranks agree to this.
const CLOCK_S: f64 = 1e-4;

/// Share of the shorter of two turns that may lie within the other one all the same: turns
/// that are no longer than clocks differ show no order.
const OVERLAP_RATIO: f64 = 0.1;

/// Log, layer, direction and group of ranks.
type Key = (i32, Layer, Op, i32);

/// One call.
#[derive(Debug, Clone, Copy)]
struct Item {
    start_s: f64,
    end_s: f64,
    rank: i32,
}

/// Calls of one rank that follow each other without a call of another.
#[derive(Debug, Clone, Copy)]
struct Turn {
    rank: i32,
    start_s: f64,
    end_s: f64,
    /// Time in its calls.
    busy_s: f64,
    calls: usize,
}

/// What the ranks of one step do in turn.
#[derive(Debug)]
pub(crate) struct Rounds {
    key: Key,
    ranks: usize,
    /// The numbers of these ranks.
    members: Vec<i32>,
    /// Most of them are not seen to wait for each other: they take turns on the cores.
    is_for_cores: bool,
    files: usize,
    rounds: usize,
    in_order_ratio: f64,
    start_s: f64,
    end_s: f64,
    /// Time of all turns, and of the longest of each round.
    turns_s: f64,
    longest_s: f64,
    /// From the end of a turn to the start of the next in the same round.
    between_s: f64,
    /// Outside calls within all turns but the longest of each round: what the other ranks
    /// wait for, too.
    beside_s: f64,
}

impl Rounds {
    /// Of all logs, of the layers that move data themselves.
    pub fn of(calls: &Calls, tables: &[Arc<dyn BatchSource>]) -> Vec<Self> {
        let (peers, others) = (Peers::read(tables), no_files(tables));
        let mut all = Self::in_files(calls, &peers, &others);
        // Traces of reads and writes hold no syncs, opens and closes, which turns consist of, too.
        for rounds in Self::in_records(opened_spans::of(tables, calls), &peers, &others) {
            if rounds.is_chain() {
                all.retain(|of| of.key != rounds.key);
                all.push(rounds);
            }
        }
        all.sort_by_key(|of| of.key);
        waits::mark(&mut all, tables);
        all
    }

    /// From what lies between the open and the close of files of single ranks.
    fn in_records(
        spans: Vec<OpenedSpan>,
        peers: &Peers,
        others: &HashSet<(i32, u64)>,
    ) -> Vec<Self> {
        let mut groups: BTreeMap<Key, Vec<OpenedSpan>> = BTreeMap::new();
        for span in spans.into_iter().filter(|of| !others.contains(&(of.log, of.file_id))) {
            let group = peers.of(span.log, span.rank).filter(|group| group.is_rank);
            if let Some(group) = group {
                groups.entry((span.log, span.layer, span.op, group.number)).or_default().push(span);
            }
        }
        let of_group = |(key, spans): (Key, Vec<OpenedSpan>)| {
            let ranks: BTreeSet<i32> = spans.iter().map(|span| span.rank).collect();
            let ranks: Vec<i32> = ranks.into_iter().collect();
            let files: HashSet<u64> = spans.iter().map(|span| span.file_id).collect();
            let item =
                |of: &OpenedSpan| Item { start_s: of.start_s, end_s: of.end_s, rank: of.rank };
            let items = spans.iter().map(item).collect();
            Self::within(key, &ranks, files.len(), items).filter(|of| of.ranks > 1)
        };
        groups.into_iter().filter_map(of_group).collect()
    }

    /// Without these files.
    fn in_files(calls: &Calls, peers: &Peers, others: &HashSet<(i32, u64)>) -> Vec<Self> {
        let is_lowest = |stream: &&Stream| {
            let is_file = !others.contains(&(stream.log, stream.file_id));
            matches!(stream.layer, Layer::Posix | Layer::Stdio) && is_file
        };
        // Opens and closes of a file belong to the turn in which it is written.
        let mut moved: HashMap<(i32, Layer, u64), BTreeSet<u8>> = HashMap::default();
        for stream in calls.streams.iter().filter(is_lowest).filter(|s| s.is_transfer()) {
            let files = moved.entry((stream.log, stream.layer, stream.file_id)).or_default();
            files.insert(u8::from(stream.op == Op::Write));
        }
        let mut numbers: BTreeMap<Key, usize> = BTreeMap::new();
        let mut keys_of: Vec<Vec<usize>> = vec![Vec::new(); calls.streams.len()];
        let mut members: Vec<(BTreeSet<i32>, HashSet<u64>, usize)> = Vec::new();
        for ((stream, keys), calls) in calls.streams.iter().zip(&mut keys_of).zip(calls.counts()) {
            let group = peers.of(stream.log, stream.rank).filter(|group| group.is_rank);
            let sides = moved.get(&(stream.log, stream.layer, stream.file_id));
            let Some((group, sides)) = group.zip(sides) else { continue };
            for side in sides {
                let op = if *side == 1 { Op::Write } else { Op::Read };
                let key = (stream.log, stream.layer, op, group.number);
                let next = numbers.len();
                let number = *numbers.entry(key).or_insert(next);
                if number == members.len() {
                    members.push(Default::default());
                }
                let of_key = &mut members[number];
                of_key.0.insert(stream.rank);
                of_key.1.insert(stream.file_id);
                of_key.2 += calls;
                keys.push(number);
            }
        }
        let is_asked = |number: &usize| {
            let (ranks, _, calls) = &members[*number];
            ranks.len() > 1 && *calls <= MAX_CALLS
        };
        keys_of.iter_mut().for_each(|keys| keys.retain(is_asked));
        let room = |number| if is_asked(&number) { members[number].2 } else { 0 };
        let mut items: Vec<Vec<Item>> =
            (0..members.len()).map(|number| Vec::with_capacity(room(number))).collect();
        calls.each_of(
            |stream| !keys_of[stream].is_empty(),
            |call| {
                let rank = calls.stream(call).rank;
                for key in &keys_of[call.stream as usize] {
                    items[*key].push(Item { start_s: call.start_s, end_s: call.end_s, rank });
                }
            },
        );
        let found = numbers.into_iter().filter_map(|(key, number)| {
            let (ranks, files, _) = &members[number];
            let ranks: Vec<i32> = ranks.iter().copied().collect();
            Self::within(key, &ranks, files.len(), std::mem::take(&mut items[number]))
        });
        found.collect()
    }

    /// The rounds in these calls; `None`: there is none.
    fn within(key: Key, ranks: &[i32], files: usize, mut items: Vec<Item>) -> Option<Self> {
        // Stable: the calls of a rank in a file come in order, and runs are merged.
        items.sort_by_key(|item| in_order(item.start_s));
        let calls = items.len();
        let turns: Vec<Turn> = items.chunk_by(|a, b| a.rank == b.rank).map(Turn::of).collect();
        let mut of_key = Self {
            key,
            ranks: ranks.len(),
            members: ranks.to_vec(),
            is_for_cores: false,
            files,
            rounds: 0,
            in_order_ratio: 0.0,
            start_s: f64::INFINITY,
            end_s: 0.0,
            turns_s: 0.0,
            longest_s: 0.0,
            between_s: 0.0,
            beside_s: 0.0,
        };
        let (mut at, mut in_order) = (0, 0);
        while let Some(round) = turns.get(at..at + ranks.len()) {
            let is_ordered = round.iter().zip(ranks).all(|(turn, rank)| turn.rank == *rank);
            let is_apart = round.windows(2).all(|two| {
                let shorter_s = two[0].length_s().min(two[1].length_s());
                let allowed_s = CLOCK_S.min(OVERLAP_RATIO * shorter_s);
                two[0].end_s <= two[1].start_s + allowed_s
            });
            if !is_ordered || !is_apart {
                at += 1;
                continue;
            }
            at += ranks.len();
            in_order += round.iter().map(|turn| turn.calls).sum::<usize>();
            of_key.add(round);
        }
        of_key.in_order_ratio = in_order as f64 / calls.max(1) as f64;
        (of_key.rounds > 0).then_some(of_key)
    }

    fn add(&mut self, round: &[Turn]) {
        let length_s = Turn::length_s;
        self.rounds += 1;
        self.start_s = self.start_s.min(round[0].start_s);
        self.end_s = self.end_s.max(round[round.len() - 1].end_s);
        self.turns_s += round.iter().map(length_s).sum::<f64>();
        self.longest_s += round.iter().map(length_s).fold(0.0, f64::max);
        let beside_s = |turn: &Turn| (length_s(turn) - turn.busy_s).max(0.0);
        let longest = round.iter().max_by(|a, b| length_s(a).total_cmp(&length_s(b)));
        self.beside_s += round.iter().map(beside_s).sum::<f64>() - longest.map_or(0.0, beside_s);
        let between_s = |two: &[Turn]| (two[1].start_s - two[0].end_s).max(0.0);
        self.between_s += round.windows(2).map(between_s).sum::<f64>();
    }

    /// Whether the ranks wait for each other's turns.
    fn is_chain(&self) -> bool {
        let is_handed_on = self.between_s <= HANDED_ON_RATIO * self.turns_s;
        let is_order = if self.ranks < MANY_RANKS {
            let ratio = match self.rounds {
                LEAST_ROUNDS_OF_FEW.. => PAUSES_OF_FEW_RATIO,
                LEAST_ROUNDS.. => HANDED_ON_OF_FEW_RATIO,
                _ => return false,
            };
            self.between_s <= ratio * self.turns_s
        } else if self.rounds >= LEAST_ROUNDS {
            // In files of their own ranks can be in order by their work, not so often.
            let ratio = if self.rounds >= MANY_ROUNDS { MANY_ROUNDS_RATIO } else { 1.0 };
            self.files == 1 || self.between_s <= ratio * self.turns_s
        } else {
            is_handed_on
        };
        is_order && self.in_order_ratio >= IN_ORDER_RATIO && !self.is_for_cores
    }

    /// Log, layer and what ranks wait for each other's turns beyond the time of calls.
    pub fn waits(all: &[Self]) -> impl Iterator<Item = (i32, Layer, f64)> {
        let chains = all.iter().filter(|rounds| rounds.is_chain());
        chains.map(|rounds| (rounds.key.0, rounds.key.1, rounds.between_s + rounds.beside_s))
    }
}

/// Rows of table `turn_round`.
pub(crate) fn write(all: &[Rounds], table: &mut TableBuilder) {
    for rounds in all {
        let (log, layer, op, _) = rounds.key;
        rows::TurnRound {
            log,
            layer: layer.name(),
            op: op.name(),
            ranks: count(rounds.ranks),
            files: count(rounds.files),
            rounds: count(rounds.rounds),
            in_order_ratio: rounds.in_order_ratio,
            start_s: rounds.start_s,
            end_s: rounds.end_s,
            turns_s: rounds.turns_s,
            longest_s: rounds.longest_s,
            between_s: rounds.between_s,
            beside_s: rounds.beside_s,
            is_chain: rounds.is_chain(),
        }
        .push(table);
    }
}

/// A number that sorts as the time does: comparing it is what most of the sorting takes.
fn in_order(start_s: f64) -> i64 {
    let bits = start_s.to_bits().cast_signed();
    bits ^ ((bits >> 63).cast_unsigned() >> 1).cast_signed()
}

impl Turn {
    fn of(items: &[Item]) -> Self {
        Self {
            rank: items[0].rank,
            start_s: items[0].start_s,
            end_s: items.iter().map(|item| item.end_s).fold(0.0, f64::max),
            busy_s: items.iter().map(|item| item.end_s - item.start_s).sum(),
            calls: items.len(),
        }
    }

    fn length_s(&self) -> f64 {
        self.end_s - self.start_s
    }
}

#[cfg(test)]
mod tests;
