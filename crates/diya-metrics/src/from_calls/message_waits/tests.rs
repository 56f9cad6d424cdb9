//! Textbook patterns of waiting, with the answers that follow from their times.

use super::blame::{Activity, Blame, Cause};
use super::delays::{Delay, delays};
use super::lanes::{Group, Item, Lane, Lanes, Members, Message, WaitsFor};
use super::way_back;
use diya_model::{Class, MessageKind as Kind};
use std::collections::BTreeMap;

const WORLD: Group = Group { log: 0, step: 0, key: 1 };

fn message(kind: Kind, start_s: f64, end_s: f64) -> Message {
    Message {
        start_s,
        end_s,
        kind,
        function: 0,
        group: Some(WORLD),
        peers: Vec::new(),
        sequence: kind.is_collective().then_some(1),
        waits_for: WaitsFor::Unknown,
        bytes: 0,
        stack_id: None,
    }
}

fn to(peer: i32, of: Message) -> Message {
    Message { peers: vec![peer], ..of }
}

/// Ranks from 0 on, with their messages, in a run of 10 s.
fn lanes(ranks: Vec<Vec<Message>>) -> Lanes {
    let count = ranks.len() as i32;
    let mut lanes = Lanes { functions: vec!["f".to_owned()], ..Lanes::default() };
    let members = (0..count).map(|rank| (rank, rank)).collect();
    lanes.groups.insert(WORLD, Members { ranks: members, size: count });
    for (rank, messages) in (0..).zip(ranks) {
        let lane = Lane { messages, end_s: 10.0, thread: 1, ..Lane::default() };
        lanes.ranks.insert((0, rank), lane);
    }
    lanes
}

fn of(lanes: &Lanes, rank: i32) -> Vec<Option<Delay>> {
    delays(lanes).remove(&(0, rank)).unwrap_or_default()
}

fn late(rank: i32, until_s: f64) -> Vec<Option<Delay>> {
    vec![Some(Delay { rank, until_s })]
}

#[test]
fn all_wait_for_the_last_at_a_barrier() {
    let all = lanes(vec![
        vec![message(Kind::Barrier, 1.0, 4.0)],
        vec![message(Kind::Barrier, 2.0, 4.0)],
        vec![message(Kind::Barrier, 3.0, 4.0)],
    ]);
    assert_eq!((of(&all, 0), of(&all, 1)), (late(2, 3.0), late(2, 3.0)));
    assert_eq!(of(&all, 2), [None]);
}

#[test]
fn who_has_no_row_came_last() {
    let all = lanes(vec![vec![message(Kind::AllToAll, 1.0, 4.0)], vec![]]);
    assert_eq!(of(&all, 0), late(1, 4.0));
}

#[test]
fn a_rank_that_was_not_recorded_may_be_the_late_one() {
    let mut all =
        lanes(vec![vec![message(Kind::Barrier, 1.0, 4.0)], vec![message(Kind::Barrier, 1.1, 4.0)]]);
    all.groups.entry(WORLD).or_default().size = 3;
    assert_eq!(of(&all, 0), [None]);
}

#[test]
fn a_broadcast_waits_for_its_root_alone() {
    let all = lanes(vec![
        vec![to(0, message(Kind::FromRoot, 3.0, 3.2))],
        vec![to(0, message(Kind::FromRoot, 1.0, 3.2))],
        vec![to(0, message(Kind::FromRoot, 5.0, 5.1))],
    ]);
    assert_eq!(of(&all, 1), late(0, 3.0));
    assert_eq!((of(&all, 0), of(&all, 2)), (vec![None], vec![None]));
}

#[test]
fn the_root_of_a_reduction_waits_for_the_last() {
    let all = lanes(vec![
        vec![to(0, message(Kind::ToRoot, 1.0, 3.5))],
        vec![to(0, message(Kind::ToRoot, 3.0, 3.4))],
        vec![],
    ]);
    // Rank 2 took less than 10 us: before, or as the last.
    assert_eq!(of(&all, 0).first().copied().flatten().map(|delay| delay.rank), Some(2));
    assert_eq!(of(&all, 1), [None]);
}

#[test]
fn a_receive_waits_until_the_message_is_sent() {
    let receive = to(1, message(Kind::Receive, 1.0, 4.0));
    let small = lanes(vec![vec![receive.clone()], vec![]]);
    assert_eq!(of(&small, 0), late(1, 4.0));
    let send = to(0, message(Kind::Send, 3.0, 4.0));
    let large = lanes(vec![vec![receive.clone()], vec![send.clone()]]);
    assert_eq!(of(&large, 0), late(1, 3.0));
    let early = lanes(vec![vec![receive], vec![Message { start_s: 0.5, ..send }]]);
    assert_eq!(of(&early, 0), [None]);
}

#[test]
fn a_send_waits_where_the_other_receives_later() {
    let send = || vec![to(1, message(Kind::Send, 1.0, 4.0))];
    let late_receiver = lanes(vec![send(), vec![to(0, message(Kind::Receive, 3.0, 4.0))]]);
    assert_eq!(of(&late_receiver, 0), late(1, 3.0));
    // The other one is elsewhere: what was sent so quickly lies in a buffer.
    let buffered = lanes(vec![vec![to(1, message(Kind::Send, 1.0, 1.00005))], vec![]]);
    assert_eq!(of(&buffered, 0), [None]);
}

#[test]
fn of_several_senders_the_one_that_is_not_in_messages_is_late() {
    let wait = Message {
        peers: vec![1, 2],
        waits_for: WaitsFor::Receives,
        ..message(Kind::Wait, 1.0, 4.0)
    };
    let busy = to(0, message(Kind::Receive, 0.5, 4.5));
    let all = lanes(vec![vec![wait], vec![busy], vec![]]);
    assert_eq!(of(&all, 0), late(2, 4.0));
}

#[test]
fn a_scan_waits_for_lower_ranks_only() {
    let all = lanes(vec![
        vec![message(Kind::Prefix, 2.0, 2.1)],
        vec![message(Kind::Prefix, 1.0, 2.2)],
        vec![message(Kind::Prefix, 5.0, 5.1)],
    ]);
    assert_eq!(of(&all, 1), late(0, 2.0));
}

#[test]
fn the_cause_lies_at_the_end_of_the_chain() {
    // Rank 2 waits for 1, which waits for 0, which reads for 2 s and computes.
    let mut all = lanes(vec![
        vec![],
        vec![to(0, message(Kind::Receive, 1.0, 4.0))],
        vec![to(1, message(Kind::Receive, 1.0, 5.0))],
    ]);
    let read = Item { start_s: 1.5, end_s: 3.5, class: Class::Read, file_id: 7 };
    all.ranks.entry((0, 0)).or_default().items.push(read);
    let waits = delays(&all);
    let blame = Blame { lanes: &all, delays: &waits };
    let mut parts: BTreeMap<Cause, f64> = BTreeMap::new();
    blame.of((0, 1), (1.0, 5.0), &mut |cause, time_s| *parts.entry(cause).or_default() += time_s);
    let (computing, io) = (Activity::Computing, Activity::Io(Class::Read));
    let expected = [
        (Cause { rank: 0, activity: io, file_id: Some(7) }, 2.0),
        (Cause { rank: 0, activity: computing, file_id: None }, 1.0),
        (Cause { rank: 1, activity: computing, file_id: None }, 1.0),
    ];
    assert_eq!(parts, expected.into_iter().collect());

    // The way through the ranks adds up to the run, without any waiting.
    let mut path: BTreeMap<i32, f64> = BTreeMap::new();
    way_back(&all, &waits, 0, &mut |cause, time_s| *path.entry(cause.rank).or_default() += time_s);
    assert!((path.values().sum::<f64>() - 10.0).abs() < 1e-9, "{path:?}");
}

#[test]
fn who_is_on_no_core_while_its_child_lives_waits_for_that() {
    let mut all = lanes(vec![vec![], vec![to(0, message(Kind::Receive, 1.0, 5.0))]]);
    let late = all.ranks.entry((0, 0)).or_default();
    // On a processor until 2, its child from 2.5 to 4.
    late.samples = Some(vec![(2.0, 2.0)]);
    late.children = vec![(2.5, 4.0)];
    let waits = delays(&all);
    let blame = Blame { lanes: &all, delays: &waits };
    let mut parts: BTreeMap<&str, f64> = BTreeMap::new();
    blame.of((0, 0), (1.0, 5.0), &mut |cause, time_s| {
        *parts.entry(cause.activity.name()).or_default() += time_s;
    });
    assert_eq!(parts, BTreeMap::from([("computing", 1.0), ("child", 1.5), ("idle", 1.5)]));
}

#[test]
fn a_send_waits_for_a_receive_that_is_too_short_for_a_row() {
    let send = |kind, end_s, bytes| Message { bytes, ..to(0, message(kind, 1.0, end_s)) };
    let all = |send| lanes(vec![vec![], vec![send]]);
    assert_eq!(of(&all(send(Kind::Send, 3.0, 1000)), 1), late(0, 3.0));
    // Half a gigabyte takes that long.
    assert_eq!(of(&all(send(Kind::Send, 3.0, 500_000_000)), 1), [None]);
    // Who is in messages meanwhile receives.
    let busy = lanes(vec![vec![message(Kind::Barrier, 0.5, 3.0)], vec![send(Kind::Send, 3.0, 0)]]);
    assert_eq!(of(&busy, 1), [None]);
}

#[test]
fn ranks_that_wait_for_each_other_in_turn_end() {
    let of_rank = |other| {
        let pair = |at: f64| to(other, message(Kind::Receive, at, at + 0.5));
        (0..20).map(|n| pair(f64::from(n) * 0.5)).collect::<Vec<_>>()
    };
    let all = lanes(vec![of_rank(1), of_rank(0)]);
    let waits = delays(&all);
    let blame = Blame { lanes: &all, delays: &waits };
    let mut sum_s = 0.0;
    blame.of((0, 0), (0.0, 10.0), &mut |_, time_s| sum_s += time_s);
    assert!((sum_s - 10.0).abs() < 1e-9, "{sum_s}");
}
