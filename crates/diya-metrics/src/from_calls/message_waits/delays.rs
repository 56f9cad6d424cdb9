//! Whom a call about messages waits for, and until when: until the other one enters the
//! call that belongs to it.
//!
//! A call without a row took less than 10 us. Of the ranks of a collective call those
//! without a row therefore entered it last; a sender without a row sent when the receive
//! ended.

use super::lanes::{Group, Lanes, Message, RankKey, WaitsFor};
use crate::hash::HashMap;
use diya_model::MessageKind;

/// Whom a call waits for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Delay {
    pub rank: i32,
    /// When that one entered.
    pub until_s: f64,
}

/// Of the messages of each rank, in their order.
pub(super) type Delays = HashMap<RankKey, Vec<Option<Delay>>>;

/// Ranks that are looked at for who is last, at most.
const MAX_CANDIDATES: usize = 256;

/// Who is in messages itself for more of a wait is not the one that is waited for.
const MOST_IN_MESSAGES: f64 = 0.5;

/// A wait shorter than this is none: clocks of ranks differ.
const LEAST_S: f64 = 5e-6;

/// No send of so many bytes takes longer than this, but to wait.
const COPY_S: f64 = 1e-4;
const COPY_BYTES_PER_S: f64 = 2e8;

/// The calls of one collective operation: rank, start and end.
type Instances = HashMap<(Group, i64), Vec<(i32, f64, f64)>>;

pub(super) fn delays(lanes: &Lanes) -> Delays {
    let mut instances = Instances::default();
    for ((_, rank), lane) in &lanes.ranks {
        for message in lane.messages.iter().filter(|of| of.kind.is_collective()) {
            if let (Some(group), Some(sequence)) = (message.group, message.sequence) {
                let calls = instances.entry((group, sequence)).or_default();
                calls.push((*rank, message.start_s, message.end_s));
            }
        }
    }
    let of_lane = |key: &RankKey| {
        let messages = lanes.ranks.get(key).map_or(&[][..], |lane| &lane.messages);
        let delay = |of: &Message| {
            let delay = delay(lanes, &instances, *key, of)?;
            let until_s = delay.until_s.min(of.end_s);
            (delay.rank != key.1 && until_s - of.start_s >= LEAST_S)
                .then_some(Delay { until_s, ..delay })
        };
        messages.iter().map(delay).collect()
    };
    lanes.ranks.keys().map(|key| (*key, of_lane(key))).collect()
}

fn delay(lanes: &Lanes, instances: &Instances, key: RankKey, of: &Message) -> Option<Delay> {
    match of.kind {
        MessageKind::Receive | MessageKind::Probe | MessageKind::Exchange => sender(lanes, key, of),
        MessageKind::Send => receiver(lanes, key, of),
        MessageKind::Wait => match of.waits_for {
            WaitsFor::Receives => sender(lanes, key, of),
            WaitsFor::Sends => receiver(lanes, key, of),
            WaitsFor::Collective => {
                let members = lanes.groups.get(&of.group?)?;
                busiest(lanes, key, of, &mut members.ranks.values().copied())
            }
            WaitsFor::Unknown => None,
        },
        MessageKind::FromRoot => root(lanes, instances, key, of),
        MessageKind::ToRoot => match of.peers.first() {
            Some(root) if *root == key.1 => last(lanes, instances, key, of, |_| true),
            _ => root(lanes, instances, key, of),
        },
        MessageKind::Prefix => {
            let member = member_of(lanes, key, of)?;
            last(lanes, instances, key, of, |other| other < member)
        }
        kind if kind.is_collective() && kind != MessageKind::Neighbours => {
            last(lanes, instances, key, of, |_| true)
        }
        _ => None,
    }
}

fn member_of(lanes: &Lanes, key: RankKey, of: &Message) -> Option<i32> {
    let members = lanes.groups.get(&of.group?)?;
    members.ranks.iter().find(|(_, rank)| **rank == key.1).map(|(member, _)| *member)
}

/// Of these members the one that enters last.
fn last(
    lanes: &Lanes,
    instances: &Instances,
    key: RankKey,
    of: &Message,
    is_awaited: impl Fn(i32) -> bool,
) -> Option<Delay> {
    let group = of.group?;
    let members = lanes.groups.get(&group)?;
    let calls = instances.get(&(group, of.sequence?))?;
    let here = |rank: i32| calls.iter().find(|(of, ..)| *of == rank);
    let awaited = || members.ranks.iter().filter(|(member, _)| is_awaited(**member));
    let seen = awaited().filter_map(|(_, rank)| here(*rank));
    let latest = seen.max_by(|a, b| a.1.total_cmp(&b.1));
    // Who has no row entered when the others' calls ended.
    let mut unseen = awaited().map(|(_, rank)| *rank).filter(|rank| here(*rank).is_none());
    if let Some(late) = busiest(lanes, key, of, &mut unseen) {
        let end_s = calls.iter().map(|(_, _, end_s)| *end_s).fold(of.end_s, f64::min);
        return Some(Delay { until_s: end_s.max(latest.map_or(end_s, |of| of.1)), ..late });
    }
    let (rank, start_s, _) = latest.copied()?;
    // Ranks that were not recorded may be later still.
    let is_sure = members.are_complete() || start_s > f64::midpoint(of.start_s, of.end_s);
    is_sure.then_some(Delay { rank, until_s: start_s })
}

fn root(lanes: &Lanes, instances: &Instances, key: RankKey, of: &Message) -> Option<Delay> {
    let rank = *of.peers.first().filter(|root| **root != key.1)?;
    let calls = instances.get(&(of.group?, of.sequence?))?;
    let until_s = match calls.iter().find(|(other, ..)| *other == rank) {
        Some((_, start_s, _)) => *start_s,
        // A root that has left before the others came keeps nobody waiting.
        None => busiest(lanes, key, of, &mut [rank].into_iter())?.until_s,
    };
    Some(Delay { rank, until_s })
}

/// Of these ranks the one that is least in messages meanwhile.
fn busiest(
    lanes: &Lanes,
    (log, own): RankKey,
    of: &Message,
    ranks: &mut dyn Iterator<Item = i32>,
) -> Option<Delay> {
    let others = ranks.filter(|rank| *rank != own).take(MAX_CANDIDATES);
    let in_messages = others.filter_map(|rank| {
        let lane = lanes.ranks.get(&(log, rank))?;
        Some((rank, lane.message_s(of.start_s, of.end_s)))
    });
    let (rank, in_s) = in_messages.min_by(|a, b| a.1.total_cmp(&b.1))?;
    let is_busy = in_s <= MOST_IN_MESSAGES * (of.end_s - of.start_s);
    is_busy.then_some(Delay { rank, until_s: of.end_s })
}

fn is_towards(of: &Message, rank: i32) -> bool {
    of.peers.is_empty() || of.peers.contains(&rank)
}

/// A receive waits until the message is sent.
fn sender(lanes: &Lanes, key: RankKey, of: &Message) -> Option<Delay> {
    let found = busiest(lanes, key, of, &mut of.peers.iter().copied())
        .or_else(|| Some(Delay { rank: *of.peers.first()?, until_s: of.end_s }))?;
    let lane = lanes.ranks.get(&(key.0, found.rank))?;
    let sends = |other: &&Message| {
        let is_send = match other.kind {
            MessageKind::Send | MessageKind::SendBegin | MessageKind::Exchange => true,
            MessageKind::Wait => other.waits_for == WaitsFor::Sends,
            _ => false,
        };
        is_send && is_towards(other, key.1)
    };
    // The last one: earlier ones are of earlier messages.
    let last = lane.messages_in(of.start_s, of.end_s).iter().rfind(sends);
    Some(Delay { rank: found.rank, until_s: last.map_or(of.end_s, |other| other.start_s) })
}

/// A send of much waits until it is received; one that is buffered waits for nobody.
fn receiver(lanes: &Lanes, key: RankKey, of: &Message) -> Option<Delay> {
    let rank = *of.peers.first()?;
    let lane = lanes.ranks.get(&(key.0, rank))?;
    let receives = |other: &&Message| {
        let is_receive = match other.kind {
            MessageKind::Receive | MessageKind::Probe | MessageKind::Exchange => true,
            MessageKind::Wait => other.waits_for == WaitsFor::Receives,
            _ => false,
        };
        is_receive && is_towards(other, key.1)
    };
    let last = lane.messages_in(of.start_s, of.end_s).iter().rfind(receives);
    if let Some(last) = last {
        return Some(Delay { rank, until_s: last.start_s });
    }
    // A receive for which the message waits is short and has no row; a buffered send is short itself.
    let is_wait = of.end_s - of.start_s >= COPY_S + of.bytes.max(0) as f64 / COPY_BYTES_PER_S;
    is_wait.then(|| busiest(lanes, key, of, &mut [rank].into_iter()))?
}
