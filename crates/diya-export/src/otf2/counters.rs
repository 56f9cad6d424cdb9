//! Values of counters: metrics in a location of their own for each process.

use super::definitions::{Definitions, Metric, Scope};
use super::records::Record;
use crate::counter_columns::CounterColumns;
use crate::rows::{Process, hosts};
use diya::Trace;
use diya_tables::TableId;
use std::collections::{BTreeMap, HashMap};

/// The kind of the event, and the type of its values.
const METRIC: u8 = 31;
const DOUBLE: u8 = 10;

/// A value of a counter.
#[derive(Debug)]
pub(super) struct Sample {
    pub ns: i64,
    metric: u64,
    of: SampledOn,
    value: f64,
}

/// What it is of.
#[derive(Debug)]
enum SampledOn {
    Thread(u64),
    Process,
    Host(String),
}

/// All values by the process that has them; a node's are with its first process.
pub(super) fn samples(
    trace: &Trace,
    later: &dyn Fn(i32) -> i64,
    definitions: &mut Definitions,
) -> BTreeMap<Process, Vec<Sample>> {
    let mut first_on: HashMap<(i32, String), Process> = HashMap::new();
    for (process, host) in hosts(trace) {
        let first = first_on.entry((process.0, host)).or_insert(process);
        *first = process.min(*first);
    }
    let mut all: BTreeMap<Process, Vec<Sample>> = BTreeMap::new();
    for columns in CounterColumns::batches(trace.table(TableId::CounterSample).as_ref()) {
        for row in (0..columns.rows()).filter(|row| columns.value.value(*row).is_finite()) {
            let name = columns.name.value(row);
            let name = match columns.part.get(row) {
                Some(part) => format!("{name}: {part}"),
                None => name.to_owned(),
            };
            let mode = mode(columns.kind.value(row), columns.holds.value(row));
            let unit = columns.unit.get(row).unwrap_or_default().to_owned();
            let metric = definitions.metric(Metric { name, unit, mode });
            let (log, rank) = (columns.log.value(row), columns.rank.get(row));
            let (process, of) = match (rank, columns.thread.get(row), columns.host.get(row)) {
                (Some(rank), Some(thread), _) => ((log, rank), SampledOn::Thread(thread)),
                (Some(rank), None, _) => ((log, rank), SampledOn::Process),
                (None, _, Some(host)) => {
                    let first = first_on.get(&(log, host.to_owned())).copied();
                    (first.unwrap_or((log, 0)), SampledOn::Host(host.to_owned()))
                }
                (None, _, None) => ((log, 0), SampledOn::Process),
            };
            let ns = (columns.time_s.value(row) * 1e9).round() as i64;
            let ns = later(log).saturating_add(ns).max(0);
            let value = columns.value.value(row);
            all.entry(process).or_default().push(Sample { ns, metric, of, value });
        }
    }
    all.values_mut().for_each(|samples| samples.sort_by_key(|sample| sample.ns));
    all
}

/// The mode of a metric: what the value is, and in the upper half which time it is of.
fn mode(kind: &str, holds: &str) -> u8 {
    let is_of_start = kind == "counter" && holds == "point";
    let value = match kind {
        "counter" => 0,
        "change" => 2,
        _ => 1,
    };
    let time = match holds {
        _ if is_of_start => 0,
        "last" => 2,
        "next" => 3,
        _ => 1,
    };
    time << 4 | value
}

/// The event of a value, in a location of this process.
pub(super) fn event(
    sample: &Sample,
    (recorder, group): (u64, u64),
    locations: &HashMap<Option<u64>, u64>,
    definitions: &mut Definitions,
) -> Vec<u8> {
    let scope = match &sample.of {
        SampledOn::Thread(thread) => match locations.get(&Some(*thread)) {
            Some(location) => Scope::Location(*location),
            None => Scope::Group(group),
        },
        SampledOn::Process => Scope::Group(group),
        SampledOn::Host(host) => Scope::Host(host.clone()),
    };
    let metric = definitions.metric_of(sample.metric, recorder, scope);
    let mut bytes = Vec::new();
    let record = Record::new(METRIC).int(metric).byte(1).byte(DOUBLE);
    record.int(sample.value.to_bits()).write(&mut bytes);
    bytes
}
