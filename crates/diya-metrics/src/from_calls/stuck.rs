//! Calls that take many times as long as calls of their size do, and what a
//! phase waits for them.
//!
//! A lock, a slow target or a lost packet holds a rank in one call; sums of
//! time over many calls hide it. The usual time of a call comes from the other
//! calls of its size in the same log.

use super::call::Call;
use super::calls::{Calls, Stream};
use super::count;
use super::intervals::{Union, join, overlap_s, seconds};
use super::phases::{Phase, Phases};
use crate::rows;
use diya_model::{SizeBin, median_class};
use diya_tables::{Layer, Op, TableBuilder};
use std::collections::BTreeMap;

/// A call is stuck from this many times the median of its size class on. In
/// openPMD on 1024 ranks the four that hold up all others take six times as long
/// as the small writes beside them, which wait for locks, too.
const STUCK_FACTOR: f64 = 5.0;
/// Shorter calls are not worth a row; a page fault or a switch explains them.
const STUCK_MIN_S: f64 = 0.01;
/// Calls that a size class needs before its median is the usual time.
const CLASS_MIN_CALLS: u64 = 20;

/// Times by their exponent and three bits of the mantissa: steps of 12 %.
const STEP_BITS: u32 = 49;
/// Step of 2^-30 s, a nanosecond.
const FIRST_STEP: u64 = (1023 - 30) << 3;
/// Up to 2^17 s, a day and a half.
const STEPS: usize = 47 * 8;

/// Counts of calls by time, per size class; most programs have calls of few sizes.
struct Classes {
    steps: [Option<Box<[u64; STEPS]>>; SizeBin::COUNT],
}

impl Classes {
    fn new() -> Self {
        Self { steps: Default::default() }
    }

    /// Median time in s of each class; `None`: too few calls.
    fn expected_s(&self) -> Vec<Option<f64>> {
        self.steps.iter().map(|steps| median_s(steps.as_deref()?)).collect()
    }
}

fn median_s(steps: &[u64; STEPS]) -> Option<f64> {
    let calls: u64 = steps.iter().sum();
    let step = median_class((0_u64..).zip(steps.iter().copied()))?;
    let start = |step: u64| f64::from_bits((FIRST_STEP + step) << STEP_BITS);
    (calls >= CLASS_MIN_CALLS).then(|| f64::midpoint(start(step), start(step + 1)))
}

fn step_of(time_s: f64) -> usize {
    let step = (time_s.max(0.0).to_bits() >> STEP_BITS).saturating_sub(FIRST_STEP);
    usize::try_from(step).map_or(STEPS - 1, |step| step.min(STEPS - 1))
}

/// What is stuck of one rank in one phase.
struct Stuck<'c> {
    stream: &'c Stream,
    longest: Call,
    expected_s: f64,
    calls: i64,
    excess_s: f64,
    /// From start to end of each, in seconds since the start of the job.
    spans: Vec<(f64, f64)>,
}

type RequestClass = (i32, Layer, bool);

/// Rows of table `stuck_call`.
pub(crate) fn write(calls: &Calls, phases: &Phases, table: &mut TableBuilder) {
    let expected = expected(calls);
    let mut starts: BTreeMap<(i32, Layer), Vec<(f64, usize)>> = BTreeMap::new();
    for (at, phase) in phases.phases.iter().enumerate() {
        starts.entry((phase.log, phase.layer)).or_default().push((phase.start_s, at));
    }
    let mut stuck: BTreeMap<(usize, i32), Stuck<'_>> = BTreeMap::new();
    // What a stream needs to know of each call is looked up once.
    let of_stream: Vec<_> = calls
        .streams
        .iter()
        .map(|s| expected.get(&request_class(s)).zip(starts.get(&(s.log, s.layer))))
        .collect();
    let is_transfer = |stream: usize| calls.streams[stream].is_transfer();
    calls.each_of(is_transfer, |call| {
        let (stream, time_s) = (calls.stream(call), call.end_s - call.start_s);
        if time_s < STUCK_MIN_S || !is_single(stream, call) {
            return;
        }
        let Some((classes, of_layer)) = of_stream[call.stream as usize] else { return };
        let Some(usual_s) = classes.get(SizeBin::index_of(call.size_bytes)).copied().flatten()
        else {
            return;
        };
        if time_s < STUCK_FACTOR * usual_s {
            return;
        }
        let after = of_layer.partition_point(|(start_s, _)| *start_s <= call.start_s);
        let Some((_, phase)) = after.checked_sub(1).and_then(|at| of_layer.get(at)) else {
            return;
        };
        let fresh = Stuck {
            stream,
            longest: *call,
            expected_s: usual_s,
            calls: 0,
            excess_s: 0.0,
            spans: Vec::new(),
        };
        let of_rank = stuck.entry((*phase, stream.rank)).or_insert(fresh);
        of_rank.calls += 1;
        of_rank.excess_s += time_s - usual_s;
        of_rank.spans.push((call.start_s, call.end_s));
        if time_s > of_rank.longest.end_s - of_rank.longest.start_s {
            (of_rank.stream, of_rank.longest, of_rank.expected_s) = (stream, *call, usual_s);
        }
    });
    let mut spans: BTreeMap<usize, Vec<(f64, f64)>> = BTreeMap::new();
    for ((phase, _), stuck) in &stuck {
        spans.entry(*phase).or_default().extend(&stuck.spans);
    }
    spans.values_mut().for_each(join);
    let alone_s = alone_s(calls, phases, &stuck, spans);
    for (at, phase) in phases.phases.iter().enumerate() {
        let of_phase = stuck.range((at, i32::MIN)..=(at, i32::MAX));
        let of_phase: BTreeMap<i32, &Stuck<'_>> =
            of_phase.map(|((_, rank), stuck)| (*rank, stuck)).collect();
        if let Some(blocked_s) = alone_s.get(&at) {
            write_phase(phase, &of_phase, *blocked_s, table);
        }
    }
}

/// From, to, and the place of the phase it belongs to.
type Span = (f64, f64, usize);

/// Seconds of each phase in which stuck calls were running and no other call:
/// all other ranks were done, or waiting.
fn alone_s(
    calls: &Calls,
    phases: &Phases,
    stuck: &BTreeMap<(usize, i32), Stuck<'_>>,
    spans: BTreeMap<usize, Vec<(f64, f64)>>,
) -> BTreeMap<usize, f64> {
    // Phases of a layer follow each other, and so do their spans.
    let mut of_layer: BTreeMap<(i32, Layer), Vec<Span>> = BTreeMap::new();
    for (at, of_phase) in &spans {
        let Some(phase) = phases.phases.get(*at) else { continue };
        let all = of_layer.entry((phase.log, phase.layer)).or_default();
        all.extend(of_phase.iter().map(|(from, to)| (*from, *to, *at)));
    }
    of_layer.values_mut().for_each(|all| all.sort_unstable_by(|a, b| a.0.total_cmp(&b.0)));
    let of_stream: Vec<_> = calls
        .streams
        .iter()
        .map(|s| of_layer.get(&(s.log, s.layer)).filter(|_| s.is_data()))
        .collect();
    let is_stuck = |at: usize, rank: i32, call: &Call| {
        if call.end_s - call.start_s < STUCK_MIN_S {
            return false;
        }
        let of_rank = stuck.get(&(at, rank));
        of_rank.is_some_and(|s| s.spans.contains(&(call.start_s, call.end_s)))
    };
    let mut others: BTreeMap<usize, Union> = BTreeMap::new();
    calls.each_of(
        |stream| of_stream[stream].is_some(),
        |call| {
            let Some(all) = of_stream[call.stream as usize] else { return };
            let first = all.partition_point(|(_, to, _)| *to <= call.start_s);
            for (.., at) in all.iter().skip(first).take_while(|(from, ..)| *from < call.end_s) {
                if !is_stuck(*at, calls.stream(call).rank, call) {
                    others.entry(*at).or_default().add(call.start_s, call.end_s);
                }
            }
        },
    );
    let alone = |(at, of_phase): (usize, Vec<(f64, f64)>)| {
        let beside = others.remove(&at).unwrap_or_default().finish();
        let beside_s = overlap_s(&of_phase, &beside);
        (at, seconds(&of_phase) - beside_s)
    };
    spans.into_iter().map(alone).collect()
}

/// Single reads and writes: what a run of tiny calls took each is not known.
fn is_single(stream: &Stream, call: &Call) -> bool {
    stream.is_transfer() && call.calls == 1
}

fn request_class(stream: &Stream) -> RequestClass {
    (stream.log, stream.layer, stream.op == Op::Write)
}

fn expected(calls: &Calls) -> BTreeMap<RequestClass, Vec<Option<f64>>> {
    let mut places: BTreeMap<RequestClass, usize> = BTreeMap::new();
    for stream in calls.streams.iter().filter(|stream| stream.is_transfer()) {
        let next = places.len();
        places.entry(request_class(stream)).or_insert(next);
    }
    let mut counted: Vec<Classes> = places.iter().map(|_| Classes::new()).collect();
    let place_of: Vec<Option<usize>> =
        calls.streams.iter().map(|stream| places.get(&request_class(stream)).copied()).collect();
    calls.each_of(
        |stream| place_of[stream].is_some(),
        |call| {
            let Some(place) = place_of[call.stream as usize] else { return };
            if is_single(calls.stream(call), call) {
                let class = &mut counted[place].steps[SizeBin::index_of(call.size_bytes)];
                let class = class.get_or_insert_with(|| Box::new([0; STEPS]));
                class[step_of(call.end_s - call.start_s)] += 1;
            }
        },
    );
    places.into_iter().map(|(class, place)| (class, counted[place].expected_s())).collect()
}

fn write_phase(
    phase: &Phase,
    stuck: &BTreeMap<i32, &Stuck<'_>>,
    blocked_s: f64,
    table: &mut TableBuilder,
) {
    let stuck_ranks = stuck.len();
    for (rank, stuck) in stuck {
        let call = &stuck.longest;
        rows::StuckCall {
            log: phase.log,
            layer: phase.layer.name(),
            phase: phase.number,
            rank: *rank,
            file_id: stuck.stream.file_id,
            op: stuck.stream.op.name(),
            calls: stuck.calls,
            longest_s: call.end_s - call.start_s,
            longest_bytes: call.size_bytes,
            expected_s: stuck.expected_s,
            start_s: call.start_s,
            end_s: call.end_s,
            excess_s: stuck.excess_s,
            stuck_ranks: count(stuck_ranks),
            phase_ranks: count(phase.ranks.len()),
            blocked_s,
            held_s: blocked_s,
        }
        .push(table);
    }
}
