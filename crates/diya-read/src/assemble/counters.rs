//! Values over time that a trace has beside its calls: memory in use, hardware counters.

use super::Assembly;
use diya_tables::{CounterSampleRow, FastHashMap, TableId, Tables};

/// What the values of a series are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum SeriesType {
    /// A sum that grows: what counts is its increase.
    Counter,
    /// Amounts of their own.
    Change,
    /// A level.
    Gauge,
}

impl SeriesType {
    const fn name(self) -> &'static str {
        match self {
            Self::Counter => "counter",
            Self::Change => "change",
            Self::Gauge => "gauge",
        }
    }
}

/// Which time a value is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Holds {
    Next,
    Last,
    Point,
}

impl Holds {
    const fn name(self) -> &'static str {
        match self {
            Self::Next => "next",
            Self::Last => "last",
            Self::Point => "point",
        }
    }
}

/// One value of one counter in one place.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // as the columns of table `counter_sample`
pub(crate) struct Series {
    pub name: String,
    pub part: Option<String>,
    pub unit: Option<String>,
    pub kind: SeriesType,
    pub holds: Holds,
    pub process: Option<usize>,
    pub thread: Option<u64>,
    pub host: Option<String>,
}

/// All series of a trace and their samples, each with its time in nanoseconds.
#[derive(Debug, Default)]
pub(super) struct Counters {
    numbers: FastHashMap<Series, usize>,
    samples: Vec<Vec<(i64, f64)>>,
}

impl Assembly<'_> {
    /// Number of a series.
    pub fn series(&mut self, series: Series) -> usize {
        let Counters { numbers, samples } = &mut self.counters;
        *numbers.entry(series).or_insert_with(|| {
            samples.push(Vec::new());
            samples.len() - 1
        })
    }

    /// Adds a value.
    pub fn sample(&mut self, series: usize, ns: i64, value: f64) {
        self.note(ns);
        if !self.request.selection.tables.has(TableId::CounterSample) {
            return;
        }
        if let Some(samples) = self.counters.samples.get_mut(series) {
            samples.push((ns, value));
        }
    }

    /// Writes the rows of `counter_sample`.
    pub(super) fn counter_rows(&mut self, has_threads: bool, tables: &mut Tables) {
        let Counters { numbers, mut samples } = std::mem::take(&mut self.counters);
        let mut series: Vec<(Series, usize)> = numbers.into_iter().collect();
        series.sort_by_key(|(_, number)| *number);
        let ranks = self.request.selection.ranks.as_ref();
        for (series, at) in series {
            let Some(samples) = samples.get_mut(at) else { continue };
            let process = series.process.and_then(|at| self.processes.get(at));
            let rank = process.map(|process| process.rank);
            if rank.is_some_and(|rank| ranks.is_some_and(|ranks| !ranks.contains(&rank))) {
                continue;
            }
            let host = process.and_then(|process| process.host.as_deref());
            let of_process = series.process.and_then(|at| i32::try_from(at).ok());
            samples.sort_by_key(|(ns, _)| *ns);
            for (ns, value) in std::mem::take(samples) {
                tables.push_counter_sample(CounterSampleRow {
                    log: self.request.log,
                    series: i32::try_from(at).unwrap_or(i32::MAX),
                    name: &series.name,
                    part: series.part.as_deref(),
                    unit: series.unit.as_deref(),
                    kind: series.kind.name(),
                    holds: series.holds.name(),
                    process: of_process,
                    rank,
                    thread: series.thread.filter(|_| has_threads),
                    host: series.host.as_deref().or(host),
                    time_s: self.since(ns),
                    value,
                });
            }
        }
    }
}
