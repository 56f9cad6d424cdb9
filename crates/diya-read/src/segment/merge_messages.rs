//! Rows of messages, of their counts, and of communicators.

use super::clock::seconds;
use super::merge::Merged;
use super::messages::Counted;
use super::process::Outcome;
use diya_model::MessageFunction;
use diya_model::segment::{COMMUNICATOR_INTER, ROLE_COLLECTIVE, ROLE_RECEIVE, ROLE_SEND};
use diya_tables::{CommunicatorRow, MessageCountRow, MessageRow, Tables};
use std::collections::BTreeMap;

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn index(number: u32) -> Option<i64> {
    Some(i64::from(number)).filter(|number| *number > 0)
}

fn not_negative(number: i64) -> Option<i32> {
    i32::try_from(number).ok().filter(|number| *number >= 0)
}

fn waits_for(role: u8) -> Option<&'static str> {
    match role {
        ROLE_SEND => Some("sends"),
        ROLE_RECEIVE => Some("receives"),
        ROLE_COLLECTIVE => Some("collective"),
        _ => None,
    }
}

impl Merged<'_> {
    pub(super) fn message_rows(&self, outcome: &Outcome, tables: &mut Tables) {
        let (log, process, rank) = (self.facts.log, outcome.process, outcome.numbers.rank);
        let messages = &outcome.definitions.messages;
        for one in &messages.communicators {
            tables.push_communicator(CommunicatorRow {
                log,
                process,
                rank,
                communicator: i64::from(one.number),
                key: Some(one.key).filter(|key| *key != 0),
                size: not_negative(i64::from(one.size)).unwrap_or(i32::MAX),
                member: not_negative(i64::from(one.member)).unwrap_or(i32::MAX),
                is_inter: one.kind == COMMUNICATOR_INTER,
            });
        }
        for ((thread, of), (start_ns, end_ns)) in messages.calls.iter().zip(&outcome.message_spans)
        {
            let Some(function) = MessageFunction::of(of.function) else { continue };
            let peers: Vec<String> = of.peers.iter().map(u32::to_string).collect();
            let peers = peers.join(" ");
            tables.push_message(MessageRow {
                log,
                process,
                rank,
                thread: u64::from(*thread),
                function: function.name,
                kind: function.kind.name(),
                communicator: index(of.communicator),
                peer: not_negative(of.peer),
                peers: Some(peers.as_str()).filter(|peers| !peers.is_empty()),
                waits_for: waits_for(of.role),
                tag: not_negative(of.tag),
                sequence: Some(signed(of.sequence)).filter(|number| *number > 0),
                bytes: signed(of.bytes),
                depth: i32::try_from(of.depth).unwrap_or(i32::MAX),
                stack_id: outcome.stack_ids.get(&of.stack).copied(),
                start_s: seconds(*start_ns),
                end_s: seconds(*end_ns),
            });
        }
        for ((function, communicator), (calls, ticks, bytes)) in sums(&messages.counted) {
            let Some(function) = MessageFunction::of(function) else { continue };
            tables.push_message_count(MessageCountRow {
                log,
                process,
                rank,
                function: function.name,
                kind: function.kind.name(),
                communicator: index(communicator),
                calls: signed(calls),
                time_s: ticks as f64 / outcome.hz,
                bytes: signed(bytes),
            });
        }
    }
}

/// By function and communicator: calls, ticks, bytes.
fn sums(counted: &[Counted]) -> BTreeMap<(u16, u32), (u64, u64, u64)> {
    let mut sums: BTreeMap<(u16, u32), (u64, u64, u64)> = BTreeMap::new();
    for one in counted {
        let sum = sums.entry((one.function, one.communicator)).or_default();
        sum.0 = sum.0.saturating_add(one.calls);
        sum.1 = sum.1.saturating_add(one.ticks);
        sum.2 = sum.2.saturating_add(one.bytes);
    }
    sums
}
