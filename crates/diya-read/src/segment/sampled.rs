//! The samples of all processes, with what each stands for.

use super::definitions::Definitions;
use super::process::Outcome;
use super::stacks::{StackFrame, place_of};
use diya_tables::FastHashMap;
use std::collections::BTreeMap;

/// Samples that found no room stand behind at most so many that did: the ring of a
/// thread holds some thousand.
const RING_SAMPLES: usize = 4096;

/// A millisecond, doubled twenty times; more is damage.
const LONGEST_PERIOD_NS: u64 = 1 << 40;

/// One sample on its way to the table.
#[derive(Debug, Clone)]
pub(super) struct Sample {
    pub process: i32,
    pub rank: i32,
    pub thread: u64,
    pub time_ns: i64,
    pub weight_ns: f64,
    /// Position in [`Samples::places`].
    pub place: usize,
}

/// The samples of all processes.
#[derive(Debug, Default)]
pub(super) struct Samples {
    pub rows: Vec<Sample>,
    /// Module, build id and address.
    pub places: Vec<(Option<String>, Option<String>, u64)>,
    numbers: FastHashMap<(Option<String>, u64), usize>,
    /// Processes that the system permitted none.
    pub refused: u64,
}

impl Samples {
    /// Takes in those of one process.
    pub fn add(&mut self, outcome: &Outcome) {
        let definitions = &outcome.definitions;
        if definitions.samples.iter().any(|batch| batch.period_ns == 0) {
            self.refused += 1;
        }
        for (tid, samples) in of_threads(definitions) {
            for (mono_ns, address, weight_ns) in samples {
                let since_ns = i64::try_from(mono_ns.saturating_sub(outcome.header.first.mono_ns));
                let place = self.number(address, definitions);
                self.rows.push(Sample {
                    process: outcome.process,
                    rank: outcome.numbers.rank,
                    thread: u64::from(tid),
                    time_ns: outcome.start_ns.saturating_add(since_ns.unwrap_or(i64::MAX)),
                    weight_ns,
                    place,
                });
            }
        }
    }

    fn number(&mut self, address: u64, definitions: &Definitions) -> usize {
        let (module, build_id, address) = match place_of(address, definitions) {
            StackFrame::Native { module, build_id, address } => (Some(module), build_id, address),
            _ => (None, None, address),
        };
        let next = self.places.len();
        let number = *self.numbers.entry((module.clone(), address)).or_insert(next);
        if number == next {
            self.places.push((module, build_id, address));
        }
        number
    }
}

/// The samples of each thread in the order of time, with what each stands for.
fn of_threads(definitions: &Definitions) -> BTreeMap<u32, Vec<(u64, u64, f64)>> {
    let mut threads: BTreeMap<u32, Vec<(u64, u64, f64)>> = BTreeMap::new();
    for batch in definitions.samples.iter().filter(|batch| batch.period_ns > 0) {
        let samples = threads.entry(batch.tid).or_default();
        let before = samples.len().saturating_sub(RING_SAMPLES);
        let last = samples.get_mut(before..).unwrap_or_default();
        let lost_ns = batch.lost as f64 * batch.period_ns.min(LONGEST_PERIOD_NS) as f64;
        let more_ns = lost_ns / last.len().max(1) as f64;
        last.iter_mut().for_each(|(.., weight_ns)| *weight_ns += more_ns);
        let each = batch.samples.iter();
        let period_ns = batch.period_ns.min(LONGEST_PERIOD_NS) as f64;
        samples.extend(each.map(|(mono, address)| (*mono, *address, period_ns)));
    }
    threads.values_mut().for_each(|samples| samples.sort_by_key(|(mono_ns, ..)| *mono_ns));
    threads
}
