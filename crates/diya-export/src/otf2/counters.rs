//! Values of counters: metrics in a location of their own for each process.

use super::definitions::{Definitions, Metric, Scope};
use super::records::Record;
use crate::rows::{Process, hosts};
use crate::whole::whole;
use arrow::array::{Array, AsArray};
use arrow::datatypes::{Float64Type, Int32Type, UInt64Type};
use diya::Trace;
use diya_tables::{TableId, counter_sample};
use std::collections::{BTreeMap, HashMap};

/// The kind of the event, and the type of its values.
const METRIC: u8 = 31;
const DOUBLE: u8 = 10;

/// A value of a counter.
#[derive(Debug)]
pub(super) struct Sample {
    pub ns: i64,
    metric: u64,
    of: Of,
    value: f64,
}

/// What it is of.
#[derive(Debug)]
enum Of {
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
    for batch in whole(trace, TableId::CounterSample) {
        let whole = |column: usize| batch.column(column).as_primitive::<Int32Type>();
        let real = |column: usize| batch.column(column).as_primitive::<Float64Type>();
        let text = |column: usize| batch.column(column).as_string_view();
        let (logs, ranks) = (whole(counter_sample::LOG), whole(counter_sample::RANK));
        let (times, values) = (real(counter_sample::TIME_S), real(counter_sample::VALUE));
        let texts = [
            text(counter_sample::NAME),
            text(counter_sample::PART),
            text(counter_sample::UNIT),
            text(counter_sample::KIND),
            text(counter_sample::HOLDS),
            text(counter_sample::HOST),
        ];
        let threads = batch.column(counter_sample::THREAD).as_primitive::<UInt64Type>();
        for row in (0..batch.num_rows()).filter(|row| values.value(*row).is_finite()) {
            let word =
                |of: usize| texts.get(of).filter(|of| of.is_valid(row)).map(|of| of.value(row));
            let [name, part, unit, kind, holds, host] = [0, 1, 2, 3, 4, 5].map(word);
            let name = name.unwrap_or_default();
            let name = part.map_or_else(|| name.to_owned(), |part| format!("{name}: {part}"));
            let mode = mode(kind.unwrap_or_default(), holds.unwrap_or_default());
            let unit = unit.unwrap_or_default().to_owned();
            let metric = definitions.metric(Metric { name, unit, mode });
            let log = logs.value(row);
            let rank = ranks.is_valid(row).then(|| ranks.value(row));
            let host = host.filter(|_| rank.is_none()).map(str::to_owned);
            let (process, of) = match (rank, host) {
                (Some(rank), _) if threads.is_valid(row) => {
                    ((log, rank), Of::Thread(threads.value(row)))
                }
                (Some(rank), _) => ((log, rank), Of::Process),
                (None, Some(host)) => {
                    let first = first_on.get(&(log, host.clone())).copied();
                    (first.unwrap_or((log, 0)), Of::Host(host))
                }
                (None, None) => ((log, 0), Of::Process),
            };
            let s = times.value(row);
            let ns = later(log).saturating_add((s * 1e9).round() as i64).max(0);
            all.entry(process).or_default().push(Sample {
                ns,
                metric,
                of,
                value: values.value(row),
            });
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
        Of::Thread(thread) => match locations.get(&Some(*thread)) {
            Some(location) => Scope::Location(*location),
            None => Scope::Group(group),
        },
        Of::Process => Scope::Group(group),
        Of::Host(host) => Scope::Host(host.clone()),
    };
    let metric = definitions.metric_of(sample.metric, recorder, scope);
    let mut bytes = Vec::new();
    let record = Record::new(METRIC).int(metric).byte(1).byte(DOUBLE);
    record.int(sample.value.to_bits()).write(&mut bytes);
    bytes
}
