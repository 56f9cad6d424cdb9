//! What a process waits for the pages of mapped files, by what the kernel counted: for pages
//! that come from the storage, and for those that it only finds or makes.

use super::between_calls::{Activity, BetweenCalls};
use crate::from_calls::{Call, Calls};
use crate::hash::HashMap;
use crate::relay::Relays;
use diya_model::recorded_time;
use diya_tables::{BatchSource, Column, Layer, Op, mapping, page_fault, process};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A process: log, rank.
pub(super) type Rank = (i32, i32);

/// Of what passes outside of calls at most so, at least this share is waiting for pages.
const WAITED_RATIO: f64 = 0.5;

/// Fewer page faults than a program's own start makes say nothing.
const LEAST_FAULTS: i64 = 100;

/// Share of the accesses that go back in the file: of those in order hardly any, of those
/// at random half.
const BACK_RATIO: f64 = 0.25;

/// Less idle time is not worth a look at every call.
const LEAST_IDLE_S: f64 = 0.05;

/// What the kernel says of a process, or of those that follow one another.
#[derive(Default)]
pub(super) struct Usage {
    wall_s: f64,
    processor_s: f64,
    system_s: f64,
    major_faults: i64,
    minor_faults: i64,
    switches: i64,
    device_bytes: i64,
    mapped: Mapped,
    /// What its threads neither computed nor spent in calls.
    pub idle_s: f64,
}

diya_tables::columns! {
    struct ProcessUsage of process {
        log: i32,
        rank: i32,
        start_s: f64,
        end_s: f64,
        user_s: f64,
        system_s: f64,
        major_faults: i64,
        minor_faults: i64,
        voluntary_switches: i64,
        threads: i64,
        device_read_bytes: i64,
        recorded_s: f64,
    }
}

/// Processes that wait for pages, or for something else than their calls.
pub(super) fn usages(tables: &[Arc<dyn BatchSource>], relays: &Relays) -> HashMap<Rank, Usage> {
    let mut usages: HashMap<Rank, Usage> = HashMap::default();
    for ((log, rank), of) in random_mappings(tables) {
        usages.entry((log, relays.of(log, rank))).or_default().mapped.add(of);
    }
    for of in ProcessUsage::all(tables) {
        for row in 0..of.rows() {
            let seconds = |times: &Column<f64>| times.get(row).and_then(recorded_time);
            let count = |counts: &Column<i64>| counts.get(row).unwrap_or(0).max(0);
            let (start_s, end_s) = (seconds(&of.start_s), seconds(&of.end_s));
            let (user_s, system_s) = (seconds(&of.user_s), seconds(&of.system_s));
            let (Some(start_s), Some(end_s)) = (start_s, end_s) else { continue };
            let (Some(user_s), Some(system_s)) = (user_s, system_s) else { continue };
            let threads = count(&of.threads).max(1);
            let log = of.log.value(row);
            let usage = usages.entry((log, relays.of(log, of.rank.value(row)))).or_default();
            let (wall_s, processor_s) = (end_s - start_s, user_s + system_s);
            let busy_s = processor_s + seconds(&of.recorded_s).unwrap_or(0.0);
            usage.idle_s += (wall_s * threads as f64 - busy_s).max(0.0);
            // A process of one thread waits alone.
            if threads == 1 {
                usage.wall_s += wall_s;
                usage.processor_s += processor_s;
                usage.system_s += system_s;
                usage.major_faults += count(&of.major_faults);
                usage.minor_faults += count(&of.minor_faults);
                usage.switches += count(&of.voluntary_switches);
                usage.device_bytes += count(&of.device_read_bytes);
            }
        }
    }
    usages.retain(|_, usage| usage.major_faults >= LEAST_FAULTS || usage.idle_s >= LEAST_IDLE_S);
    usages
}

/// What a process waits for pages of mapped files: at most what it waits outside of calls,
/// the share of its waits that page faults are; and what the kernel takes to provide the
/// pages of files that are accessed in no order, the share of its page faults that come
/// meanwhile.
pub(super) fn page_faults(
    rank: Rank,
    usage: &Usage,
    of_rank: &[Call],
    calls: &Calls,
) -> Option<BetweenCalls> {
    if usage.major_faults < LEAST_FAULTS {
        return None;
    }
    let in_calls_s: f64 = of_rank.iter().filter(|call| call.parent == 0).map(|c| c.busy_s).sum();
    let longest = mapped_longest(of_rank, calls, usage.wall_s)?;
    let waits = usage.switches.max(usage.major_faults);
    let ratio = usage.major_faults as f64 / waits as f64;
    let waited_s = (usage.wall_s - usage.processor_s - in_calls_s).max(0.0) * ratio;
    let provided_s = usage.provided_s(in_calls_s);
    // What passes while others have the processor is in both.
    let high_s = waited_s.max(provided_s);
    let faults = if provided_s > 0.0 { usage.mapped.faults } else { 0 };
    Some(BetweenCalls {
        rank: rank.1,
        activity: Activity::PageFaults,
        layer: Layer::Posix,
        op: Op::Map,
        file_id: usage.mapped.file_id.filter(|_| faults > 0).unwrap_or(longest),
        calls: usage.major_faults.saturating_add(faults),
        bytes: usage.device_bytes,
        low_s: high_s * WAITED_RATIO,
        high_s,
    })
}

impl Usage {
    /// What passes while the kernel provides pages of files that are accessed in no order.
    fn provided_s(&self, in_calls_s: f64) -> f64 {
        let kernel_s = (self.system_s - in_calls_s).max(0.0);
        let faults = self.mapped.faults as f64 / self.minor_faults.max(1) as f64;
        let outside_s = (self.wall_s - in_calls_s).max(0.0);
        let own_s = (self.processor_s - in_calls_s).max(f64::MIN_POSITIVE);
        // A process that gives up the processor itself may wait for anything.
        let is_busy = self.switches < LEAST_FAULTS;
        let passed_ratio = if is_busy { (outside_s / own_s).max(1.0) } else { 1.0 };
        (kernel_s * faults.min(1.0) * passed_ratio).min(outside_s)
    }
}

/// Mappings of files that a process accesses in no order.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
struct Mapped {
    /// Accesses of the process meanwhile that stopped for a page in memory.
    faults: i64,
    /// The file with the most of them.
    file_id: Option<u64>,
    most: i64,
}

impl Mapped {
    fn add(&mut self, of: Self) {
        self.faults = self.faults.saturating_add(of.faults);
        if of.most > self.most {
            (self.most, self.file_id) = (of.most, of.file_id);
        }
    }
}

diya_tables::columns! {
    struct Mappings of mapping {
        log: i32,
        rank: i32,
        mapping: i32,
        file_id: u64,
        minor_faults: i64,
    }
}

diya_tables::columns! {
    struct Faults of page_fault {
        log: i32,
        rank: i32,
        mapping: i32,
        time_s: f64,
        offset_bytes: i64,
    }
}

/// Mappings whose recorded faults go back as often as forth.
fn random_mappings(tables: &[Arc<dyn BatchSource>]) -> Vec<(Rank, Mapped)> {
    let mut faults: HashMap<(i32, i32, i32), Vec<(f64, i64)>> = HashMap::default();
    for of in Faults::all(tables) {
        for row in 0..of.rows() {
            let key = (of.log.value(row), of.rank.value(row), of.mapping.value(row));
            let fault = (of.time_s.value(row), of.offset_bytes.value(row));
            faults.entry(key).or_default().push(fault);
        }
    }
    faults.retain(|_, of_mapping| is_random(of_mapping));
    let mut found = Vec::new();
    for of in Mappings::all(tables) {
        for row in 0..of.rows() {
            let (log, rank) = (of.log.value(row), of.rank.value(row));
            if !faults.contains_key(&(log, rank, of.mapping.value(row))) {
                continue;
            }
            let most = of.minor_faults.get(row).unwrap_or(0).max(0);
            let file_id = Some(of.file_id.value(row));
            found.push(((log, rank), Mapped { faults: most, file_id, most }));
        }
    }
    found
}

/// Times and places of faults: whether many of them lie before the one before.
fn is_random(faults: &mut [(f64, i64)]) -> bool {
    faults.sort_by(|a, b| a.0.total_cmp(&b.0));
    let back = faults.windows(2).filter(|two| two[1].1 < two[0].1).count();
    faults.len() as i64 >= LEAST_FAULTS && back as f64 >= BACK_RATIO * faults.len() as f64
}

/// The file that was mapped for the longest time, until the end unless unmapped.
fn mapped_longest(of_rank: &[Call], calls: &Calls, wall_s: f64) -> Option<u64> {
    let mut mapped_s: BTreeMap<u64, f64> = BTreeMap::new();
    for call in of_rank {
        let stream = calls.stream(call);
        let sign = match stream.op {
            Op::Map => 1.0,
            Op::Unmap => -1.0,
            _ => continue,
        };
        *mapped_s.entry(stream.file_id).or_default() += sign * (wall_s - call.end_s);
    }
    mapped_s.into_iter().max_by(|a, b| a.1.total_cmp(&b.1)).map(|(file, _)| file)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usage() -> Usage {
        let mapped = Mapped { faults: 90_000, file_id: Some(7), most: 90_000 };
        let (wall_s, processor_s, system_s) = (4.0, 2.0, 1.5);
        let (major_faults, minor_faults, switches) = (200, 100_000, 1);
        let usage = Usage { wall_s, processor_s, system_s, mapped, ..Usage::default() };
        Usage { major_faults, minor_faults, switches, ..usage }
    }

    #[test]
    fn pages_that_the_kernel_provides_take_its_time_outside_of_calls() {
        // 1.0 s in the kernel, 9 in 10 faults; the processor was shared with another process.
        let provided_s = usage().provided_s(0.5);
        assert!((provided_s - 0.9 * 3.5 / 1.5).abs() < 1e-9, "{provided_s}");
        // A process that waits for something else, too, says no more than what the kernel took.
        let waiting = Usage { switches: 500, ..usage() };
        assert!((waiting.provided_s(0.5) - 0.9).abs() < 1e-9);
    }

    #[test]
    fn accesses_that_go_back_as_often_as_forth_are_in_no_order() {
        let faults = |place: fn(i64) -> i64| -> Vec<(f64, i64)> {
            (0..200).map(|at| (at as f64, place(at))).collect()
        };
        assert!(is_random(&mut faults(|at| at * 7_919 % 1_000)));
        assert!(!is_random(&mut faults(|at| at)));
        assert!(!is_random(&mut faults(|at| at * 7_919 % 1_000)[..50]));
    }
}
