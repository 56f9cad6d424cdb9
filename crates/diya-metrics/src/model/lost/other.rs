//! Another way in: POSIX instead of streams, writing while computing.

use super::super::Model;
use super::super::range::Range;
use super::{COPY_BYTE_S, MERGED_BYTES, total};
use crate::hash::HashMap;
use crate::rows;
use diya_tables::{BatchSource, Layer, TableBuilder};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The buffer of a C stream: from this size on requests are handed on as they are.
const BUFFER_BYTES: f64 = 4096.0;

/// From this bandwidth on a stream waits for no storage: it copies into memory.
const MEMORY_BYTES_PER_S: f64 = 5e8;

/// What a system call takes that serves from memory, at most.
const CALL_S: f64 = 1e-6;

/// What a recording adds to the time of each call: it reads the clock before and after it. A read of
/// 24 bytes from the buffer of a stream lasts 24 ns in a recording, and a third of that without one.
const CLOCK_S: f64 = 2e-8;

/// What a stream costs at most beside its bytes when memory serves it: two system calls
/// for a request that is larger than the buffer; else one for each buffer, and a copy.
fn own_s(calls: f64, bytes: f64) -> f64 {
    match bytes >= calls * BUFFER_BYTES {
        true => 2.0 * calls * CALL_S,
        false => bytes / BUFFER_BYTES * CALL_S + bytes * COPY_BYTE_S,
    }
}

/// Rows of table `lost_streams`.
pub(crate) fn streams(model: &Model, table: &mut TableBuilder) {
    for job in &model.jobs {
        let log = job.facts.log;
        let loads: Vec<_> = job.of_layer(Layer::Stdio).collect();
        let bytes = total(&loads, |load| load.bytes());
        let calls = total(&loads, |load| load.read.calls.saturating_add(load.write.calls));
        if bytes == 0 {
            continue;
        }
        let saved = loads.iter().map(|load| {
            let mount = model.mounts.of(log, load.file_id);
            let saved = [false, true].map(|is_write| {
                let side = load.side(is_write);
                let bytes = side.bytes as f64;
                let time_s = (side.time_s - side.calls as f64 * CLOCK_S).max(0.0);
                let cost = model.costs.get(log, mount, is_write);
                // Only a line fitted to the requests gives the time of other sizes.
                let cost = cost.filter(|cost| cost.byte_s.is_some());
                let after = cost.map(|cost| cost.time_s((bytes / MERGED_BYTES).ceil(), bytes));
                let after = after.unwrap_or(Range::at_most(f64::INFINITY));
                let at_least_s = after.low.max(bytes * COPY_BYTE_S);
                let saved = Range::new(time_s - after.high, time_s - at_least_s);
                let is_memory = bytes >= time_s * MEMORY_BYTES_PER_S;
                let most_s = if is_memory { own_s(side.calls as f64, bytes) } else { time_s };
                saved.within(most_s.min(time_s)) + Range::at_most(side.pause_s)
            });
            (*load, saved.into_iter().sum())
        });
        let gain = job.gain(Layer::Stdio, saved);
        rows::LostStreams {
            log,
            stream_calls: calls,
            stream_bytes: bytes,
            lost_low_s: gain.low,
            lost_high_s: gain.high,
        }
        .push(table);
    }
}

/// One row of table `phase`.
struct Phase {
    start_s: f64,
    end_s: f64,
    is_write: bool,
    whose: Whose,
}

/// Who does the I/O of a phase: a group of comparable processes, or the process with
/// most of it. Job steps and programs that follow each other share no computing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Whose {
    Group(i32),
    Process(i32),
}

diya_tables::columns! {
    struct PhaseRanks of metric phase_rank {
        log: i32,
        layer: str,
        phase: i32,
        rank: i32,
        io_s: f64,
    }
}

diya_tables::columns! {
    struct WorkColumns of metric processor_work {
        log: i32,
        rank: i32,
        place: str,
        kind: str,
        passed_s: f64,
    }
}

diya_tables::columns! {
    struct PhaseColumns of metric phase {
        log: i32,
        layer: str,
        start_s: f64,
        end_s: f64,
        bytes_read: i64,
        bytes_written: i64,
        phase: i32,
        peer_group: i32,
    }
}

/// The process with the most I/O of each phase: by log, layer, phase.
fn busiest(tables: &[Arc<dyn BatchSource>]) -> HashMap<(i32, String, i32), i32> {
    let mut most: HashMap<(i32, String, i32), (i32, f64)> = HashMap::default();
    for of in PhaseRanks::all(tables) {
        for row in 0..of.rows() {
            let layer = of.layer.value(row).to_owned();
            let (rank, io_s) = (of.rank.value(row), of.io_s.value(row));
            let key = (of.log.value(row), layer, of.phase.value(row));
            let most = most.entry(key).or_insert((rank, io_s));
            if io_s > most.1 {
                *most = (rank, io_s);
            }
        }
    }
    most.into_iter().map(|(phase, (rank, _))| (phase, rank)).collect()
}

/// Seconds that the rank which computes most computes between its calls, of each log with
/// samples of the processor. Waiting in MPI takes processor time, too: it is left out.
fn computing(tables: &[Arc<dyn BatchSource>]) -> BTreeMap<i32, f64> {
    let mut of_rank: BTreeMap<(i32, i32), f64> = BTreeMap::new();
    for of in WorkColumns::all(tables) {
        for row in 0..of.rows() {
            let is_own = of.place.value(row) == "between" && of.kind.value(row) != "mpi";
            let passed_s = if is_own { of.passed_s.value(row) } else { 0.0 };
            *of_rank.entry((of.log.value(row), of.rank.value(row))).or_default() += passed_s;
        }
    }
    let mut most: BTreeMap<i32, f64> = BTreeMap::new();
    for ((log, _), computed_s) in of_rank {
        let of_log = most.entry(log).or_default();
        *of_log = of_log.max(computed_s);
    }
    most
}

/// Rows of table `lost_overlap`.
pub(crate) fn overlap(model: &Model, tables: &[Arc<dyn BatchSource>], table: &mut TableBuilder) {
    let busiest = busiest(tables);
    let computing = computing(tables);
    let mut groups: BTreeMap<(i32, String), Vec<Phase>> = BTreeMap::new();
    for of in PhaseColumns::all(tables) {
        for row in 0..of.rows() {
            let log = of.log.value(row);
            let layer = of.layer.value(row).to_owned();
            let group = of.peer_group.get(row).map(Whose::Group);
            let rank = || busiest.get(&(log, layer.clone(), of.phase.value(row))).copied();
            let phase = Phase {
                start_s: of.start_s.value(row),
                end_s: of.end_s.value(row),
                is_write: of.bytes_written.value(row) > of.bytes_read.value(row),
                whose: group.unwrap_or_else(|| Whose::Process(rank().unwrap_or(-1))),
            };
            groups.entry((log, layer)).or_default().push(phase);
        }
    }
    for ((log, layer), phases) in groups {
        let job = model.jobs.iter().find(|job| job.facts.log == log);
        let run_s = job.and_then(|job| job.facts.run_s);
        let (mut hidden, mut write_s, mut all_s) = (0i64, 0.0, 0.0);
        let mut left_s = phases.first().map_or(0.0, |phase| phase.start_s);
        for (place, phase) in phases.iter().enumerate() {
            // Writes go on into the pause behind them, reads begin in what is
            // left of the one before.
            let next = phases.get(place + 1);
            let next_s = match next {
                Some(next) => (next.whose == phase.whose).then_some(next.start_s),
                None => run_s,
            };
            let after_s = next_s.map_or(0.0, |next| (next - phase.end_s).max(0.0));
            if place > 0 && phases[place - 1].whose != phase.whose {
                left_s = 0.0;
            }
            let took_s = (phase.end_s - phase.start_s).max(0.0);
            let won_s = took_s.min(if phase.is_write { after_s } else { left_s });
            left_s = if phase.is_write { after_s - won_s } else { after_s };
            if won_s > 0.0 {
                hidden += 1;
                all_s += won_s;
                write_s += if phase.is_write { won_s } else { 0.0 };
            }
        }
        // What ranks do in the pauses, where that was sampled.
        let computed_s = computing.get(&log).copied().unwrap_or(f64::INFINITY);
        let share = if all_s > computed_s { computed_s / all_s } else { 1.0 };
        (write_s, all_s) = (write_s * share, all_s * share);
        if hidden > 0 {
            let gain = Range::at_most(all_s);
            rows::LostOverlap {
                log,
                layer: &layer,
                phases: hidden,
                write_s,
                lost_low_s: gain.low,
                lost_high_s: gain.high,
            }
            .push(table);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::own_s;

    #[test]
    fn a_stream_that_memory_serves_costs_its_system_calls_and_a_copy() {
        assert_eq!(own_s(1000.0, 14_336_000.0), 0.002);
        assert_eq!(own_s(100_000.0, 4_096_000.0), 0.001 + 4_096_000.0 * 1e-10);
    }
}
