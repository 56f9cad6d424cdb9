//! Calls of several threads of one rank: what passes is the time in which any
//! of them was in a call, not the sum over threads.

use super::load::{Load, NO_PHASE};
use crate::trace::{Call, Calls, Phases};
use diya_tables::Layer;
use std::collections::{HashMap, HashSet};

/// Calls of one rank in one layer.
#[derive(Debug, Clone, Copy)]
struct Lane {
    log: i32,
    rank: i32,
    layer: Layer,
    /// Thread of its first call.
    thread: Option<u32>,
    has_threads: bool,
}

/// The lanes of all calls.
#[derive(Debug)]
pub(super) struct Lanes {
    lanes: Vec<Lane>,
    /// By number of the stream.
    pub of_stream: Vec<u32>,
    /// Logs with a rank of several threads.
    logs: HashSet<i32>,
}

impl Lanes {
    pub fn count(&self) -> usize {
        self.lanes.len()
    }
}

/// Numbers the lanes of all streams.
pub(super) fn lanes(calls: &Calls) -> Lanes {
    let mut numbers: HashMap<(i32, i32, Layer), u32> = HashMap::new();
    let mut lanes: Vec<Lane> = Vec::new();
    let of_stream = calls.streams.iter().map(|s| {
        *numbers.entry((s.log, s.rank, s.layer)).or_insert_with(|| {
            let (log, rank, layer) = (s.log, s.rank, s.layer);
            lanes.push(Lane { log, rank, layer, thread: None, has_threads: false });
            (lanes.len() - 1) as u32
        })
    });
    let of_stream: Vec<u32> = of_stream.collect();
    for call in &calls.rows {
        let lane = &mut lanes[of_stream[call.stream as usize] as usize];
        lane.has_threads |= *lane.thread.get_or_insert(call.thread) != call.thread;
    }
    let logs = lanes.iter().filter(|lane| lane.has_threads).map(|lane| lane.log).collect();
    Lanes { lanes, of_stream, logs }
}

/// Shares the time of threads that were in calls at once among these calls:
/// each takes the part of its time that the rank could not spend in another.
pub(super) fn share(
    calls: &Calls,
    lanes: &Lanes,
    of_log: &[Call],
    phases: &Phases,
    loads: &mut [Load],
) {
    let log = of_log.first().map(|call| calls.stream(call).log);
    if !log.is_some_and(|log| lanes.logs.contains(&log)) {
        return;
    }
    let mut spans: HashMap<u32, Vec<(f64, f64, f64)>> = HashMap::new();
    for call in of_log.iter().filter(|call| calls.stream(call).is_data()) {
        let lane = lanes.of_stream[call.stream as usize];
        if lanes.lanes[lane as usize].has_threads {
            spans.entry(lane).or_default().push((call.start_s, call.end_s, call.busy_s));
        }
    }
    for (lane, mut spans) in spans {
        let lane = lanes.lanes[lane as usize];
        spans.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let starts: Vec<f64> = phases
            .starts()
            .filter(|(log, layer, _)| (*log, *layer) == (lane.log, lane.layer))
            .map(|(.., start_s)| start_s)
            .collect();
        let mut of_phases: HashMap<i32, (f64, f64)> = HashMap::new();
        let (mut reach_s, mut whole) = (f64::NEG_INFINITY, (0.0, 0.0));
        for (start_s, end_s, busy_s) in spans {
            let after = starts.partition_point(|start| *start <= start_s);
            let phase = i32::try_from(after).unwrap_or(i32::MAX).saturating_sub(1).max(0);
            // A row of several calls is in calls for a part of its span only.
            let passed_s = (end_s - start_s.max(reach_s)).clamp(0.0, busy_s);
            reach_s = reach_s.max(end_s);
            let sums = of_phases.entry(phase).or_default();
            for sum in [sums, &mut whole] {
                *sum = (sum.0 + passed_s, sum.1 + busy_s);
            }
        }
        let part = |(passed_s, busy_s): (f64, f64)| {
            if busy_s > 0.0 { (passed_s / busy_s).min(1.0) } else { 1.0 }
        };
        let is_own = |load: &&mut Load| load.layer == lane.layer && load.rank == lane.rank;
        for load in loads.iter_mut().filter(is_own) {
            match of_phases.get(&load.phase) {
                Some(sums) => load.share_time(part(*sums)),
                None if load.phase == NO_PHASE => load.record_s *= part(whole),
                None => {}
            }
        }
    }
}
