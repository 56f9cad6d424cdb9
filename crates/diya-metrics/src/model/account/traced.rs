//! The account from single calls: each moment of the slowest rank of each phase
//! belongs to the call that runs innermost.

use super::super::facts::Facts;
use super::late::Arrivals;
use super::requests::Requests;
use super::windows::{Placed, Windows};
use super::{Class, Shares};
use crate::from_calls::{Call, Calls, Stream, Union, batches, pause_limit_s, seconds};
use crate::hash::{HashMap, HashSet};
use diya_tables::Layer;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Calls that are looked at rank by rank at a time: 0.2 GB.
const MAX_ROWS: usize = 5_000_000;

/// Ranks take turns where hardly any of their time overlaps, and somebody is in a
/// call for most of the phase.
const APART_RATIO: f64 = 1.1;
const BUSY_RATIO: f64 = 0.5;

/// A call on the way to its own time.
#[derive(Debug, Clone, Copy)]
struct Item {
    start_s: f64,
    end_s: f64,
    own_s: f64,
    cell: u32,
    thread: u32,
}

/// What one stream did in one phase.
#[derive(Debug, Clone, Copy)]
struct Cell {
    stream: u32,
    phase: u32,
    time_s: f64,
    calls: i64,
    bytes: i64,
}

/// When something ran in one phase of one log.
#[derive(Debug)]
struct Phase {
    start_s: f64,
    end_s: f64,
    busy_s: f64,
}

/// The I/O of all logs whose calls were all recorded. A DXT trace holds only reads and
/// writes; its log is accounted by its counters.
pub(super) fn of_calls(
    calls: &Calls,
    facts: &HashMap<i32, Facts>,
    is_collective: impl Fn(i32, u64) -> bool,
    requests: &Requests,
) -> HashMap<i32, (Shares, Placed)> {
    let logs: BTreeSet<i32> =
        calls.streams.iter().filter(|s| !s.is_transfer()).map(|s| s.log).collect();
    let phases = phases(calls, &logs);
    let moving = calls.streams.iter().filter(|s| s.is_transfer()).map(|s| (s.log, s.layer));
    let moving: HashSet<(i32, Layer)> = moving.collect();
    let own_class = |stream: &Stream| {
        let is_job = facts.get(&stream.log).is_some_and(|facts| facts.nprocs.unwrap_or(1) > 1);
        // MPI-IO opens, closes and syncs are made by all ranks together.
        let of_file = || !stream.is_transfer() || is_collective(stream.log, stream.file_id);
        let is_together = is_job && stream.is_collective.unwrap_or_else(of_file);
        class(stream, &moving, is_together)
    };
    let classes: Vec<Class> = calls.streams.iter().map(own_class).collect();
    let arrivals = Arrivals::of(calls, |stream| classes.get(stream) == Some(&Class::Wait));
    let Cells { cells, waits } = cells(calls, &logs, &phases, &arrivals);
    let mut sums: HashMap<i32, BTreeMap<u32, BTreeMap<i32, f64>>> = HashMap::default();
    for cell in &cells {
        let stream = &calls.streams[cell.stream as usize];
        let of_log = sums.entry(stream.log).or_default().entry(cell.phase).or_default();
        *of_log.entry(stream.rank).or_default() += cell.time_s;
    }
    // By log and phase: the ranks that count, and the share of their time.
    let mut counted: HashMap<(i32, u32), (Option<i32>, f64)> = HashMap::default();
    for (log, of_phases) in &sums {
        for (phase, ranks) in of_phases {
            let sum_s: f64 = ranks.values().sum();
            let is_chain = phases.get(log).and_then(|all| all.get(*phase as usize));
            let is_chain = is_chain.filter(|phase| {
                let is_apart = ranks.len() > 1 && sum_s <= APART_RATIO * phase.busy_s;
                is_apart && phase.busy_s >= BUSY_RATIO * (phase.end_s - phase.start_s)
            });
            let slowest = ranks.iter().max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(a.0)));
            let of_phase = match (is_chain, slowest) {
                (Some(phase), _) => (None, (phase.busy_s / sum_s).min(1.0)),
                (None, slowest) => (slowest.map(|(rank, _)| *rank), 1.0),
            };
            counted.insert((*log, *phase), of_phase);
        }
    }
    let mut of_logs: HashMap<i32, Shares> = logs.iter().map(|log| (*log, Shares::new())).collect();
    let mut most: HashMap<(i32, super::Key), (f64, u32)> = HashMap::default();
    for (number, cell) in cells.iter().enumerate() {
        let stream = &calls.streams[cell.stream as usize];
        let Some((rank, part)) = counted.get(&(stream.log, cell.phase)) else { continue };
        if rank.is_some_and(|rank| rank != stream.rank) {
            continue;
        }
        let Some(shares) = of_logs.get_mut(&stream.log) else { continue };
        for (class, ratio) in requests.classes(stream, classes[cell.stream as usize]) {
            let key = (stream.layer, class, Some(stream.op));
            let time_s = cell.time_s * part * ratio;
            let calls = (cell.calls as f64 * ratio).round() as i64;
            let share = shares.entry(key).or_default();
            share.add(stream.file_id, stream.rank, time_s, calls, cell.bytes);
            if let Some(waits) = u32::try_from(number).ok().and_then(|cell| waits.get(&cell)) {
                share.add_waits(waits, cell.time_s, part * ratio);
            }
            let most = most.entry((stream.log, key)).or_insert((time_s, cell.stream));
            if time_s > most.0 {
                *most = (time_s, cell.stream);
            }
        }
    }
    for ((log, key), (_, stream)) in most {
        if let Some(share) = of_logs.get_mut(&log).and_then(|shares| shares.get_mut(&key)) {
            share.function = calls.function(stream);
        }
    }
    let mut placed: HashMap<i32, Placed> = HashMap::default();
    for cell in &cells {
        let stream = &calls.streams[cell.stream as usize];
        let of_log = placed.entry(stream.log).or_default();
        for (class, ratio) in requests.classes(stream, classes[cell.stream as usize]) {
            of_log.add_rank(stream.rank, (stream.layer, class), cell.time_s * ratio);
        }
    }
    for (log, windows) in in_windows(calls, facts, &logs, &phases, &counted, |stream| {
        requests.classes(&calls.streams[stream as usize], classes[stream as usize])
    }) {
        placed.entry(log).or_default().windows = windows;
    }
    let with_places = |(log, shares)| (log, (shares, placed.remove(&log).unwrap_or_default()));
    of_logs.into_iter().map(with_places).collect()
}

/// When the time that counts passes: that of the ranks that count in each phase.
fn in_windows(
    calls: &Calls,
    facts: &HashMap<i32, Facts>,
    logs: &BTreeSet<i32>,
    phases: &HashMap<i32, Vec<Phase>>,
    counted: &HashMap<(i32, u32), (Option<i32>, f64)>,
    classes: impl Fn(u32) -> Vec<(Class, f64)>,
) -> HashMap<i32, Windows> {
    let ranks: HashSet<(i32, Option<i32>)> =
        counted.iter().map(|((log, _), (rank, _))| (*log, *rank)).collect();
    let is_counted = |stream: &Stream| {
        ranks.contains(&(stream.log, Some(stream.rank))) || ranks.contains(&(stream.log, None))
    };
    let mut of_logs: HashMap<i32, Windows> = HashMap::default();
    let place = |call: &Call, _phase: u32| call.stream;
    each_own(calls, logs, phases, is_counted, place, |item, passed| {
        let stream = &calls.streams[item.cell as usize];
        let phase = phase_at(phases, stream.log, item.start_s);
        let Some((rank, part)) = counted.get(&(stream.log, phase)) else { return };
        if rank.is_some_and(|rank| rank != stream.rank) {
            return;
        }
        let run_s = facts.get(&stream.log).and_then(|facts| facts.run_s);
        let windows = of_logs.entry(stream.log).or_insert_with(|| Windows::of(run_s));
        for (class, ratio) in classes(item.cell) {
            let time_s = item.own_s * passed * part * ratio;
            windows.add((stream.layer, class), (item.start_s, item.end_s), time_s);
        }
    });
    of_logs
}

/// The phase that a call belongs to.
fn phase_at(phases: &HashMap<i32, Vec<Phase>>, log: i32, start_s: f64) -> u32 {
    let of_log = phases.get(&log).map_or(&[][..], Vec::as_slice);
    let after = of_log.partition_point(|phase| phase.start_s <= start_s);
    u32::try_from(after.saturating_sub(1)).unwrap_or(u32::MAX)
}

/// Phases of the logs of several ranks, over all layers: the times in which some
/// rank was in a call, cut at the long pauses of all.
fn phases(calls: &Calls, logs: &BTreeSet<i32>) -> HashMap<i32, Vec<Phase>> {
    let mut ranks: HashMap<i32, HashSet<i32>> = HashMap::default();
    for stream in calls.streams.iter().filter(|stream| logs.contains(&stream.log)) {
        ranks.entry(stream.log).or_default().insert(stream.rank);
    }
    let is_selected: Vec<bool> = calls
        .streams
        .iter()
        .map(|s| ranks.get(&s.log).is_some_and(|ranks| ranks.len() > 1))
        .collect();
    let mut unions: HashMap<i32, (Union, f64, i64)> = HashMap::default();
    calls.each_of(
        |stream| is_selected[stream],
        |call| {
            let (union, sum_s, number) = unions.entry(calls.stream(call).log).or_default();
            union.add(call.start_s, call.end_s);
            (*sum_s, *number) = (*sum_s + call.busy_s, number.saturating_add(call.calls));
        },
    );
    let split = |(union, sum_s, number): (Union, f64, i64)| {
        let spans = union.finish();
        let pause = |at: usize| spans[at].0 - spans[at - 1].1;
        let mut pauses_s: Vec<f64> = (1..spans.len()).map(pause).collect();
        let span_s = spans.last().map_or(0.0, |last| last.1) - spans.first().map_or(0.0, |s| s.0);
        let limit = pause_limit_s(&mut pauses_s, span_s, sum_s / number.max(1) as f64);
        let breaks =
            (1..spans.len()).filter(|at| limit.is_some_and(|limit_s| pause(*at) >= limit_s));
        let breaks: Vec<usize> = breaks.collect();
        let starts = std::iter::once(0).chain(breaks.iter().copied());
        let ends = breaks.iter().copied().chain([spans.len()]);
        let phase = |(from, to): (usize, usize)| Phase {
            start_s: spans[from].0,
            end_s: spans[to - 1].1,
            busy_s: seconds(&spans[from..to]),
        };
        starts.zip(ends).filter(|(from, to)| from < to).map(phase).collect()
    };
    unions.into_iter().map(|(log, of_log)| (log, split(of_log))).collect()
}

/// What every stream did in every phase.
struct Cells {
    cells: Vec<Cell>,
    /// Of a cell of collective calls, seconds until the last rank enters, by that rank.
    waits: HashMap<u32, BTreeMap<i32, f64>>,
}

/// What every stream did in every phase, each moment of a rank counted once.
fn cells(
    calls: &Calls,
    logs: &BTreeSet<i32>,
    phases: &HashMap<i32, Vec<Phase>>,
    arrivals: &Arrivals,
) -> Cells {
    let mut cells: Vec<Cell> = Vec::new();
    let mut waits: HashMap<u32, BTreeMap<i32, f64>> = HashMap::default();
    let mut places: HashMap<(u32, u32), u32> = HashMap::default();
    let mut last: Vec<Option<u32>> = vec![None; calls.streams.len()];
    let mut times_s: Vec<f64> = Vec::new();
    let place = |call: &Call, phase: u32| {
        let known = &mut last[call.stream as usize];
        let cell = match *known {
            Some(cell) if cells[cell as usize].phase == phase => cell,
            _ => *places.entry((call.stream, phase)).or_insert_with(|| {
                cells.push(Cell { stream: call.stream, phase, time_s: 0.0, calls: 0, bytes: 0 });
                (cells.len() - 1) as u32
            }),
        };
        *known = Some(cell);
        if let Some((wait_s, late)) = arrivals.wait(calls.stream(call), call) {
            *waits.entry(cell).or_default().entry(late).or_default() += wait_s;
        }
        let sum = &mut cells[cell as usize];
        sum.calls = sum.calls.saturating_add(call.calls);
        sum.bytes = sum.bytes.saturating_add(call.size_bytes);
        cell
    };
    each_own(
        calls,
        logs,
        phases,
        |_| true,
        place,
        |item, part| {
            let cell = item.cell as usize;
            if times_s.len() <= cell {
                times_s.resize(cell + 1, 0.0);
            }
            times_s[cell] += item.own_s * part;
        },
    );
    cells.iter_mut().zip(times_s).for_each(|(cell, time_s)| cell.time_s = time_s);
    Cells { cells, waits }
}

/// Each call of the streams that are selected with the time that it has to itself, rank by
/// rank. `place`: the cell of a call in a phase; `take`: what is done with it, and with the
/// share of its own time that passed for its process.
fn each_own(
    calls: &Calls,
    logs: &BTreeSet<i32>,
    phases: &HashMap<i32, Vec<Phase>>,
    is_selected: impl Fn(&Stream) -> bool,
    mut place: impl FnMut(&Call, u32) -> u32,
    mut take: impl FnMut(&Item, f64),
) {
    let of_logs =
        || calls.streams.iter().map(|s| (logs.contains(&s.log) && is_selected(s)).then_some(s));
    let ranks: BTreeSet<(i32, i32)> = of_logs().flatten().map(|s| (s.log, s.rank)).collect();
    let ranks: Vec<(i32, i32)> = ranks.into_iter().collect();
    let rank_of: Vec<Option<usize>> =
        of_logs().map(|s| s.and_then(|s| ranks.binary_search(&(s.log, s.rank)).ok())).collect();
    let mut counts = vec![0; ranks.len()];
    for (rank, count) in rank_of.iter().zip(calls.counts()) {
        rank.iter().for_each(|rank| counts[*rank] += count);
    }
    for batch in batches(&counts, MAX_ROWS) {
        let mut items: Vec<Vec<Item>> =
            batch.clone().map(|rank| Vec::with_capacity(counts[rank])).collect();
        let rank_in = |stream: usize, batch: &Range<usize>| {
            rank_of[stream].filter(|rank| batch.contains(rank)).map(|rank| rank - batch.start)
        };
        calls.each_of(
            |stream| rank_in(stream, &batch).is_some(),
            |call| {
                let Some(rank) = rank_in(call.stream as usize, &batch) else { return };
                let phase = phase_at(phases, calls.stream(call).log, call.start_s);
                items[rank].push(Item::of(call, place(call, phase)));
            },
        );
        for mut of_rank in items {
            let part = own_times(&mut of_rank);
            of_rank.iter().for_each(|item| take(item, part));
        }
    }
}

impl Item {
    fn of(call: &Call, cell: u32) -> Self {
        let Call { start_s, end_s, busy_s: own_s, thread, .. } = *call;
        Self { start_s, end_s, own_s, cell, thread }
    }
}

/// Leaves to the calls of one rank what they have to themselves. Threads that are in calls at
/// the same time share that time: the share of each.
fn own_times(items: &mut [Item]) -> f64 {
    let order = |a: &Item, b: &Item| {
        let by_start = a.thread.cmp(&b.thread).then(a.start_s.total_cmp(&b.start_s));
        by_start.then(b.end_s.total_cmp(&a.end_s))
    };
    items.sort_by(order);
    let mut open: Vec<usize> = Vec::new();
    for at in 0..items.len() {
        let item = items[at];
        let is_over = |open: &[usize]| {
            let last = open.last().map(|last| items[*last]);
            last.is_some_and(|last| last.thread != item.thread || last.end_s <= item.start_s)
        };
        while is_over(&open) {
            open.pop();
        }
        let span_s = item.end_s - item.start_s;
        let busy = if span_s > 0.0 { item.own_s / span_s } else { 0.0 };
        // A call can outlast the one it began in where threads were not recorded.
        let mut from_s = item.start_s;
        for above in open.iter().rev() {
            let above = &mut items[*above];
            let to_s = item.end_s.min(above.end_s);
            if to_s > from_s {
                above.own_s = (above.own_s - (to_s - from_s) * busy).max(0.0);
                from_s = to_s;
            }
            if item.end_s <= above.end_s {
                break;
            }
        }
        open.push(at);
    }
    let is_threaded = items.first().zip(items.last()).is_some_and(|(a, b)| a.thread != b.thread);
    if is_threaded { passed_ratio(items) } else { 1.0 }
}

/// Time in which any thread was in a call, over the sum of their times.
fn passed_ratio(items: &[Item]) -> f64 {
    let mut union = Union::default();
    items.iter().for_each(|item| union.add(item.start_s, item.end_s));
    let sum_s: f64 = items.iter().map(|item| item.own_s).sum();
    if sum_s > 0.0 { (seconds(&union.finish()) / sum_s).min(1.0) } else { 1.0 }
}

/// What a stream's own time is spent on. `layers`: logs and layers that move data.
fn class(stream: &Stream, layers: &HashSet<(i32, Layer)>, is_collective: bool) -> Class {
    let has = |layer| layers.contains(&(stream.log, layer));
    let has_lowest = [Layer::Posix, Layer::Stdio, Layer::Dfs, Layer::Daos].into_iter().any(has);
    match stream.layer {
        Layer::Posix | Layer::Stdio | Layer::Dfs | Layer::Daos => Class::of(stream.op),
        // Nothing below was recorded: the time is that of the I/O itself.
        Layer::Mpiio if !has_lowest => Class::of(stream.op),
        _ if !has_lowest && !has(Layer::Mpiio) => Class::of(stream.op),
        Layer::Mpiio if is_collective => Class::Wait,
        _ => Class::Library,
    }
}
