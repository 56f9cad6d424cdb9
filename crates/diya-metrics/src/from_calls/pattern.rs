//! Where the requests of a rank go in a file: consecutive, forward, back, at a
//! fixed distance.
//!
//! Counters give the first two as counts and the last as four frequent
//! strides; single calls give all of them with their time.

use super::call::Call;
use super::calls::{Calls, Stream};
use crate::rows;
use diya_tables::TableBuilder;

/// Different distances that are counted to find the most frequent one. Only a program
/// that uses many strides at once in one file would need more.
const STRIDES: usize = 16;

/// Requests of one kind.
#[derive(Debug, Clone, Copy, Default)]
struct RequestTotal {
    calls: i64,
    time_s: f64,
}

impl RequestTotal {
    fn add(&mut self, calls: i64, time_s: f64) {
        self.calls = self.calls.saturating_add(calls);
        self.time_s += time_s;
    }
}

/// The requests of one stream, in order of time.
#[derive(Debug, Default)]
struct Pattern {
    all: RequestTotal,
    bytes: i64,
    consecutive: RequestTotal,
    /// Anywhere after the one before, consecutive ones left out.
    forward: RequestTotal,
    backward: RequestTotal,
    /// Backward ones that go back no further than one length of the request before its start:
    /// what was read last, or lies beside it, is in memory.
    near: RequestTotal,
    repeated: RequestTotal,
    strided: RequestTotal,
    /// Distances between starts that came twice in turn, and requests at them.
    strides: Vec<(i64, i64)>,
    last: Option<Last>,
}

/// The request before.
#[derive(Debug, Clone, Copy)]
struct Last {
    from: i64,
    to: i64,
    time_s: f64,
    /// Distance from the start of the one before it.
    distance: Option<i64>,
    /// Whether it was counted as strided, or is consecutive and never is.
    is_done: bool,
}

/// Rows of table `file_rank_pattern`.
pub(crate) fn compute(calls: &Calls, table: &mut TableBuilder) {
    let mut patterns: Vec<Pattern> = Vec::new();
    patterns.resize_with(calls.streams.len(), Pattern::default);
    let mut reach = vec![f64::NEG_INFINITY; calls.streams.len()];
    let mut is_mixed = vec![false; calls.streams.len()];
    // A stream of one thread lies in the table in order of time.
    let is_transfer = |stream: usize| calls.streams[stream].is_transfer();
    calls.each_of(is_transfer, |call| {
        let at = call.stream as usize;
        is_mixed[at] |= call.start_s < reach[at];
        reach[at] = call.start_s;
    });
    let mut later: Vec<Call> = Vec::new();
    calls.each_of(is_transfer, |call| {
        if is_mixed[call.stream as usize] {
            later.push(*call);
        } else {
            patterns[call.stream as usize].add(call);
        }
    });
    later.sort_by(|a, b| a.start_s.total_cmp(&b.start_s));
    for call in &later {
        patterns[call.stream as usize].add(call);
    }
    let mut order: Vec<(&Stream, &Pattern)> = calls.streams.iter().zip(&patterns).collect();
    order.retain(|(_, pattern)| pattern.all.calls > 0);
    order.sort_by_key(|(s, _)| (s.log, s.file_id, s.layer, s.op, s.rank, s.host));
    for (stream, pattern) in order {
        pattern.write(stream, table);
    }
}

impl Pattern {
    fn add(&mut self, call: &Call) {
        let Some((from, to)) = call.extent() else { return };
        self.all.add(call.calls, call.busy_s);
        self.bytes = self.bytes.saturating_add(call.size_bytes);
        // The calls of a run of tiny ones follow each other.
        let inside = call.calls - 1;
        let each_s = call.busy_s / call.calls.max(1) as f64;
        self.consecutive.add(inside, each_s * inside as f64);
        let Some(last) = self.last else {
            let (time_s, distance, is_done) = (each_s, None, false);
            self.last = Some(Last { from, to, time_s, distance, is_done });
            return;
        };
        let distance = from.saturating_sub(last.from);
        let is_consecutive = from == last.to;
        let mut is_done = is_consecutive;
        if is_consecutive {
            self.consecutive.add(1, each_s);
        } else if from > last.to {
            self.forward.add(1, each_s);
        } else {
            self.backward.add(1, each_s);
            if from.saturating_add(last.to.saturating_sub(last.from)) >= last.from {
                self.near.add(1, each_s);
            }
            if (from, to) == (last.from, last.to) {
                self.repeated.add(1, each_s);
            }
        }
        if !is_consecutive && distance != 0 && last.distance == Some(distance) {
            // The one before is the first at this distance: it belongs to it.
            let before = i64::from(!last.is_done);
            self.strided.add(1 + before, each_s + if last.is_done { 0.0 } else { last.time_s });
            self.count(distance, 1 + before);
            is_done = true;
        }
        self.last = Some(Last { from, to, time_s: each_s, distance: Some(distance), is_done });
    }

    fn count(&mut self, distance: i64, calls: i64) {
        if let Some((_, sum)) = self.strides.iter_mut().find(|(known, _)| *known == distance) {
            *sum = sum.saturating_add(calls);
        } else if self.strides.len() < STRIDES {
            self.strides.push((distance, calls));
        }
    }

    fn write(&self, stream: &Stream, table: &mut TableBuilder) {
        let stride = self.strides.iter().max_by_key(|(_, calls)| *calls);
        rows::FileRankPattern {
            log: stream.log,
            file_id: stream.file_id,
            layer: stream.layer.name(),
            op: stream.op.name(),
            rank: stream.rank,
            calls: self.all.calls,
            bytes: self.bytes,
            time_s: self.all.time_s,
            consecutive_calls: self.consecutive.calls,
            consecutive_s: self.consecutive.time_s,
            forward_calls: self.forward.calls,
            forward_s: self.forward.time_s,
            backward_calls: self.backward.calls,
            backward_s: self.backward.time_s,
            near_calls: self.near.calls,
            near_s: self.near.time_s,
            repeated_calls: self.repeated.calls,
            repeated_s: self.repeated.time_s,
            strided_calls: self.strided.calls,
            strided_s: self.strided.time_s,
            stride_bytes: stride.map(|(distance, _)| *distance),
            stride_calls: stride.map(|(_, calls)| *calls),
        }
        .push(table);
    }
}
