//! Samples of the processor: record `DIYA_SAMPLES`.

use super::bytes::Bytes;
use super::collect::Resolver;
use super::definitions::Definitions;
use super::merge::{Merged, seconds};
use super::process::Outcome;
use super::stacks::{StackFrame, place_of};
use diya_tables::{Issue, IssueKind, ProcessorSampleRow, Tables};
use std::collections::{BTreeMap, HashMap};

/// Samples that found no room stand behind at most so many that did: the ring of a
/// thread holds some thousand.
const RING_SAMPLES: usize = 4096;

/// A millisecond, doubled twenty times; more is damage.
const LONGEST_PERIOD_NS: u64 = 1 << 40;

/// Samples of one thread, as one record has them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Batch {
    pub tid: u32,
    /// Nanoseconds that each stands for; 0: the system does not permit samples.
    pub period_ns: u64,
    /// Taken before these, and lost.
    pub lost: u64,
    /// Monotonic time and address.
    pub samples: Vec<(u64, u64)>,
}

impl Batch {
    pub fn read(b: &mut Bytes<'_>, end: usize) -> Option<Self> {
        let (tid, period_ns, lost) = (b.varint_u32()?, b.varint()?, b.varint()?);
        let mut samples = Vec::new();
        let (mut mono_ns, mut address) = (0u64, 0u64);
        while b.position() < end {
            mono_ns = mono_ns.wrapping_add(b.varint()?);
            address = address.wrapping_add(b.zigzag()?.cast_unsigned());
            samples.push((mono_ns, address));
        }
        Some(Self { tid, period_ns, lost, samples })
    }
}

/// One sample on its way to the table.
#[derive(Debug, Clone)]
pub(super) struct Sample {
    process: i32,
    rank: i32,
    thread: u64,
    time_ns: i64,
    weight_ns: f64,
    /// Position in [`Samples::places`].
    place: usize,
}

/// The samples of all processes.
#[derive(Debug, Default)]
pub(super) struct Samples {
    rows: Vec<Sample>,
    /// Module, build id and address.
    places: Vec<(Option<String>, Option<String>, u64)>,
    numbers: HashMap<(Option<String>, u64), usize>,
    /// Processes that the system permitted none.
    refused: u64,
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

impl Merged<'_> {
    pub(super) fn sample_rows(&mut self, resolver: &dyn Resolver, tables: &mut Tables) {
        let log = self.facts.log;
        let Samples { rows, places, refused, .. } = std::mem::take(&mut self.samples);
        let symbols: Vec<_> = places
            .iter()
            .map(|(module, build_id, address)| {
                resolver.symbol(module.as_deref()?, build_id.as_deref(), *address)
            })
            .collect();
        for row in &rows {
            let Some((module, _, address)) = places.get(row.place) else { continue };
            let symbol = symbols.get(row.place).and_then(Option::as_ref);
            tables.push_processor_sample(ProcessorSampleRow {
                log,
                process: row.process,
                rank: row.rank,
                thread: row.thread,
                time_s: seconds(row.time_ns),
                weight_s: row.weight_ns / 1e9,
                module: module.as_deref(),
                address: *address,
                function: symbol.map(|symbol| symbol.name.as_str()),
                is_inside: symbol.is_some_and(|symbol| symbol.is_inside),
            });
        }
        if refused > 0 {
            let effect = format!(
                "{refused} processes: the system does not permit samples of the processor (perf_event_paranoid, or the filter of a container); what libraries do between calls is estimated"
            );
            let issue = Issue::of_log(IssueKind::NotSampled, &effect);
            tables.push_issue(log, Issue { count: Some(refused), ..issue });
        }
    }
}
