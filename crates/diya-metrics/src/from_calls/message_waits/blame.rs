//! What the one that is waited for did meanwhile: calls on files, other waits and whom these
//! are for, or none of it.

use super::delays::{Delay, Delays};
use super::lanes::{Lane, Lanes, Message, RankKey};
use diya_model::Class;

/// What a rank does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Activity {
    /// In a call on a file.
    Io(Class),
    /// Moving data between ranks.
    Message,
    /// On a processor, outside of all recorded calls; where nothing was sampled, also asleep.
    Computing,
    /// Outside of recorded calls and on no processor: asleep, or without a core.
    Idle,
}

impl Activity {
    pub fn name(self) -> &'static str {
        match self {
            Self::Io(class) => class.name(),
            Self::Message => "message",
            Self::Computing => "computing",
            Self::Idle => "idle",
        }
    }
}

/// What one rank does for some time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Cause {
    pub rank: i32,
    pub activity: Activity,
    pub file_id: Option<u64>,
}

/// Waits that follow from each other are followed so far.
const DEEPEST: usize = 24;

pub(super) struct Blame<'a> {
    pub lanes: &'a Lanes,
    pub delays: &'a Delays,
}

impl Blame<'_> {
    /// Hands on what this rank did from one time to another; where it waited, what those did for
    /// whom it waited.
    pub fn of(&self, key: RankKey, span: (f64, f64), each: &mut dyn FnMut(Cause, f64)) {
        self.follow(key, span, 0, each);
    }

    fn follow(
        &self,
        key: RankKey,
        (from_s, to_s): (f64, f64),
        depth: usize,
        each: &mut dyn FnMut(Cause, f64),
    ) {
        let Some(lane) = self.lanes.ranks.get(&key) else { return };
        let delays = self.delays.get(&key).map_or(&[][..], Vec::as_slice);
        let first = lane.messages.partition_point(|of| of.end_s <= from_s);
        let mut at_s = from_s;
        for (message, delay) in lane.messages.iter().zip(delays).skip(first) {
            if message.start_s >= to_s {
                break;
            }
            own(lane, key.1, (at_s, message.start_s.min(to_s)), each);
            let span = (message.start_s.max(at_s), message.end_s.min(to_s));
            self.in_message(key, message, *delay, span, depth, each);
            at_s = at_s.max(span.1);
        }
        own(lane, key.1, (at_s, to_s), each);
    }

    /// A part of a message: the wait in it, then moving data.
    fn in_message(
        &self,
        key: RankKey,
        message: &Message,
        delay: Option<Delay>,
        (from_s, to_s): (f64, f64),
        depth: usize,
        each: &mut dyn FnMut(Cause, f64),
    ) {
        let until_s =
            delay.map_or(message.start_s, |delay| delay.until_s).clamp(from_s, to_s.max(from_s));
        match delay.filter(|_| depth < DEEPEST && until_s > from_s) {
            Some(delay) => {
                self.follow((key.0, delay.rank), (from_s, until_s), depth + 1, each);
                moving(key.1, until_s, to_s, each);
            }
            None => moving(key.1, from_s, to_s, each),
        }
    }
}

fn moving(rank: i32, from_s: f64, to_s: f64, each: &mut dyn FnMut(Cause, f64)) {
    if to_s > from_s {
        each(Cause { rank, activity: Activity::Message, file_id: None }, to_s - from_s);
    }
}

/// What a rank does outside of messages.
pub(super) fn own(
    lane: &Lane,
    rank: i32,
    (from_s, to_s): (f64, f64),
    each: &mut dyn FnMut(Cause, f64),
) {
    let mut at_s = from_s;
    // Calls of one thread do not overlap, but a row of several calls may.
    let first = lane.items.partition_point(|item| item.end_s <= from_s);
    for item in lane.items[first..].iter().take_while(|item| item.start_s < to_s) {
        beside(lane, rank, (at_s, item.start_s.min(to_s)), each);
        let (start_s, end_s) = (item.start_s.max(at_s), item.end_s.min(to_s));
        if end_s > start_s {
            let activity = Activity::Io(item.class);
            each(Cause { rank, activity, file_id: Some(item.file_id) }, end_s - start_s);
        }
        at_s = at_s.max(end_s);
    }
    beside(lane, rank, (at_s, to_s), each);
}

fn beside(lane: &Lane, rank: i32, (from_s, to_s): (f64, f64), each: &mut dyn FnMut(Cause, f64)) {
    let span_s = to_s - from_s;
    if span_s <= 0.0 {
        return;
    }
    let computing_s = lane.processor_s(from_s, to_s).map_or(span_s, |own_s| own_s.min(span_s));
    each(Cause { rank, activity: Activity::Computing, file_id: None }, computing_s);
    // Who is on no core while a program lives that it started waits for that one.
    let child_s = lane.child_s(from_s, to_s).min(span_s - computing_s);
    let beside =
        [(Activity::Io(Class::Child), child_s), (Activity::Idle, span_s - computing_s - child_s)];
    for (activity, time_s) in beside.into_iter().filter(|(_, time_s)| *time_s > 0.0) {
        each(Cause { rank, activity, file_id: None }, time_s);
    }
}
