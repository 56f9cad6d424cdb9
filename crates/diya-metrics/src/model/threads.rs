//! Calls of several threads of one rank: what passes is the time in which any
//! of them was in a call, not the sum over threads.

use super::load::{Load, NO_PHASE};
use crate::from_calls::{Call, Calls, Phases, batches};
use crate::hash::{HashMap, HashSet};
use diya_tables::Layer;
use std::ops::Range;

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
pub(crate) struct Lanes {
    lanes: Vec<Lane>,
    /// By number of the stream.
    pub of_stream: Vec<u32>,
    /// Logs with a rank of several threads.
    logs: HashSet<i32>,
}

impl Lanes {
    /// Lanes whose calls are looked at together, at most so many.
    pub fn batches(&self, calls: &Calls, most: usize) -> Vec<Range<usize>> {
        let mut counts = vec![0; self.lanes.len()];
        for (lane, count) in self.of_stream.iter().zip(calls.counts()) {
            counts[*lane as usize] += count;
        }
        batches(&counts, most)
    }

    /// Calls `follow` with the places of every two calls of one lane, the second
    /// of which starts next after the first. A log lists calls file by file, or
    /// by kind: what comes next in it is not what the rank did next.
    pub fn in_turn(&self, of_log: &[Call], mut follow: impl FnMut(usize, usize)) {
        let lane = |call: &Call| self.of_stream[call.stream as usize] as usize;
        let (least, most) = of_log
            .iter()
            .map(lane)
            .fold((usize::MAX, 0), |(least, most), lane| (least.min(lane), most.max(lane)));
        if least > most {
            return;
        }
        let mut ends = vec![0usize; most - least + 2];
        of_log.iter().for_each(|call| ends[lane(call) - least + 1] += 1);
        (1..ends.len()).for_each(|at| ends[at] += ends[at - 1]);
        let (starts, mut next) = (ends.clone(), ends);
        let mut order = vec![0u32; of_log.len()];
        for (place, call) in of_log.iter().enumerate() {
            let at = &mut next[lane(call) - least];
            order[*at] = place as u32;
            *at += 1;
        }
        let start_s = |place: &u32| of_log[*place as usize].start_s;
        for of_lane in starts.windows(2).map(|ends| ends[0]..ends[1]) {
            let turns = &mut order[of_lane];
            if !turns.is_sorted_by(|a, b| start_s(a) <= start_s(b)) {
                turns.sort_by(|a, b| start_s(a).total_cmp(&start_s(b)));
            }
            turns.windows(2).for_each(|two| follow(two[0] as usize, two[1] as usize));
        }
    }

    /// Of each stream the part of its time that its rank could not spend in
    /// another thread's call; `None`: its rank has one thread only.
    pub fn parts(&self, calls: &Calls) -> Vec<Option<f64>> {
        let mut spans: HashMap<u32, Vec<(f64, f64, f64)>> = HashMap::default();
        let is_shared = |stream: usize| {
            self.lanes[self.of_stream[stream] as usize].has_threads
                && calls.streams[stream].is_data()
        };
        calls.each_of(is_shared, |call| {
            let lane = self.of_stream[call.stream as usize];
            spans.entry(lane).or_default().push((call.start_s, call.end_s, call.busy_s));
        });
        let parts: HashMap<u32, f64> = spans
            .into_iter()
            .map(|(lane, spans)| {
                let sums = passed(spans).fold((0.0, 0.0), |sums, (_, passed_s, busy_s)| {
                    (sums.0 + passed_s, sums.1 + busy_s)
                });
                (lane, part(sums))
            })
            .collect();
        self.of_stream.iter().map(|lane| parts.get(lane).copied()).collect()
    }
}

/// Calls of a lane in order of their starts: when each starts, how much of it no
/// call before it covers, and how long it is.
///
/// A row of several calls is in calls for a part of its span only.
fn passed(mut spans: Vec<(f64, f64, f64)>) -> impl Iterator<Item = (f64, f64, f64)> {
    spans.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let mut reach_s = f64::NEG_INFINITY;
    spans.into_iter().map(move |(start_s, end_s, busy_s)| {
        let passed_s = (end_s - start_s.max(reach_s)).clamp(0.0, busy_s);
        reach_s = reach_s.max(end_s);
        (start_s, passed_s, busy_s)
    })
}

fn part((passed_s, busy_s): (f64, f64)) -> f64 {
    if busy_s > 0.0 { (passed_s / busy_s).min(1.0) } else { 1.0 }
}

/// Numbers the lanes of all streams.
pub(super) fn lanes(calls: &Calls) -> Lanes {
    let mut numbers: HashMap<(i32, i32, Layer), u32> = HashMap::default();
    let mut lanes: Vec<Lane> = Vec::new();
    let of_stream = calls.streams.iter().map(|s| {
        *numbers.entry((s.log, s.rank, s.layer)).or_insert_with(|| {
            let (log, rank, layer) = (s.log, s.rank, s.layer);
            lanes.push(Lane { log, rank, layer, thread: None, has_threads: false });
            (lanes.len() - 1) as u32
        })
    });
    let of_stream: Vec<u32> = of_stream.collect();
    // Of what was recorded without threads no lane has several.
    calls.each_of(
        |_| !calls.threads.is_empty(),
        |call| {
            let lane = &mut lanes[of_stream[call.stream as usize] as usize];
            lane.has_threads |= *lane.thread.get_or_insert(call.thread) != call.thread;
        },
    );
    let logs = lanes.iter().filter(|lane| lane.has_threads).map(|lane| lane.log).collect();
    Lanes { lanes, of_stream, logs }
}

/// Shares the time of threads that were in calls at once among these calls:
/// each takes the part of its time that the rank could not spend in another.
pub(super) fn share(calls: &Calls, lanes: &Lanes, log: i32, phases: &Phases, loads: &mut [Load]) {
    if !lanes.logs.contains(&log) {
        return;
    }
    let mut spans: HashMap<u32, Vec<(f64, f64, f64)>> = HashMap::default();
    let is_shared = |stream: usize| {
        let lane = lanes.lanes[lanes.of_stream[stream] as usize];
        lane.log == log && lane.has_threads && calls.streams[stream].is_data()
    };
    calls.each_of(is_shared, |call| {
        let lane = lanes.of_stream[call.stream as usize];
        spans.entry(lane).or_default().push((call.start_s, call.end_s, call.busy_s));
    });
    for (lane, spans) in spans {
        let lane = lanes.lanes[lane as usize];
        let starts: Vec<f64> = phases
            .starts()
            .filter(|(log, layer, _)| (*log, *layer) == (lane.log, lane.layer))
            .map(|(.., start_s)| start_s)
            .collect();
        let mut of_phases: HashMap<i32, (f64, f64)> = HashMap::default();
        let mut whole = (0.0, 0.0);
        for (start_s, passed_s, busy_s) in passed(spans) {
            let after = starts.partition_point(|start| *start <= start_s);
            let phase = i32::try_from(after).unwrap_or(i32::MAX).saturating_sub(1).max(0);
            let sums = of_phases.entry(phase).or_default();
            for sum in [sums, &mut whole] {
                *sum = (sum.0 + passed_s, sum.1 + busy_s);
            }
        }
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
