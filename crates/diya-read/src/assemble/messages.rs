//! Calls about messages of a trace: rows, counts, and communicators.

use super::Assembly;
use diya_model::MessageFunction;
use diya_tables::{CommunicatorRow, MessageCountRow, MessageRow, TableId, Tables};
use std::collections::BTreeMap;

/// Shorter calls are counted only, as those of the recorder.
const LEAST_NS: i64 = 10_000;

/// A call about messages.
#[derive(Debug, Clone)]
pub(crate) struct TracedMessage {
    pub process: usize,
    pub thread: u64,
    pub function: &'static MessageFunction,
    /// Number of the communicator in all processes, from 1.
    pub communicator: Option<i64>,
    /// Ranks in it: who sends or receives, or the root; several of a wait.
    pub peers: Vec<i32>,
    /// As in table `message`.
    pub waits_for: Option<&'static str>,
    pub tag: Option<i32>,
    pub sequence: Option<i64>,
    pub bytes: i64,
    pub start_ns: i64,
    pub end_ns: i64,
}

/// A communicator of a process.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TracedCommunicator {
    pub process: usize,
    pub communicator: i64,
    pub key: Option<u64>,
    pub size: i32,
    pub member: i32,
}

/// Calls, nanoseconds, bytes.
type Sum = (i64, i64, i64);

/// Those of all processes.
#[derive(Debug, Default)]
pub(super) struct Messages {
    rows: Vec<TracedMessage>,
    /// By process, function and communicator.
    counts: BTreeMap<(usize, &'static str, Option<i64>), Sum>,
    communicators: Vec<TracedCommunicator>,
}

impl Assembly<'_> {
    /// Adds a call about messages.
    pub fn message(&mut self, of: TracedMessage) {
        if !self.request.selection.tables.has(TableId::Message)
            && !self.request.selection.tables.has(TableId::MessageCount)
        {
            return;
        }
        let took_ns = of.end_ns.saturating_sub(of.start_ns);
        let key = (of.process, of.function.name, of.communicator);
        let sum = self.messages.counts.entry(key).or_default();
        sum.0 = sum.0.saturating_add(1);
        sum.1 = sum.1.saturating_add(took_ns);
        sum.2 = sum.2.saturating_add(of.bytes);
        if took_ns >= LEAST_NS {
            self.messages.rows.push(of);
        }
    }

    /// Adds a communicator of a process.
    pub fn communicator(&mut self, of: TracedCommunicator) {
        self.messages.communicators.push(of);
    }

    pub(super) fn message_rows(&self, tables: &mut Tables) {
        let log = self.request.log;
        let selected = self.request.selection.ranks.as_ref();
        let place = |process: usize| {
            let rank = self.processes.get(process)?.rank;
            let is_wanted = selected.is_none_or(|ranks| ranks.contains(&rank));
            is_wanted.then(|| (i32::try_from(process).unwrap_or(i32::MAX), rank))
        };
        for of in &self.messages.communicators {
            let Some((process, rank)) = place(of.process) else { continue };
            tables.push_communicator(CommunicatorRow {
                log,
                process,
                rank,
                communicator: of.communicator,
                key: of.key,
                size: of.size,
                member: of.member,
                is_inter: false,
            });
        }
        let mut rows: Vec<&TracedMessage> = self.messages.rows.iter().collect();
        rows.sort_by_key(|of| (of.process, of.thread, of.start_ns));
        for of in rows {
            let Some((process, rank)) = place(of.process) else { continue };
            let several: Vec<String> = of.peers.iter().map(i32::to_string).collect();
            let several = Some(several.join(" ")).filter(|_| of.peers.len() > 1);
            tables.push_message(MessageRow {
                log,
                process,
                rank,
                thread: of.thread,
                function: of.function.name,
                kind: of.function.kind.name(),
                communicator: of.communicator,
                peer: of.peers.first().copied().filter(|_| of.peers.len() == 1),
                peers: several.as_deref(),
                waits_for: of.waits_for,
                tag: of.tag,
                sequence: of.sequence,
                bytes: of.bytes,
                depth: 0,
                stack_id: None,
                start_s: self.since(of.start_ns),
                end_s: self.since(of.end_ns.max(of.start_ns)),
            });
        }
        for ((process, name, communicator), (calls, ns, bytes)) in &self.messages.counts {
            let Some((process, rank)) = place(*process) else { continue };
            let Some(function) = MessageFunction::named(name) else { continue };
            tables.push_message_count(MessageCountRow {
                log,
                process,
                rank,
                function: function.name,
                kind: function.kind.name(),
                communicator: *communicator,
                calls: *calls,
                time_s: *ns as f64 * 1e-9,
                bytes: *bytes,
            });
        }
    }
}
