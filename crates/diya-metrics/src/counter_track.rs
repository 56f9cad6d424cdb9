//! Values over time that are no calls, in bins of time.

use crate::hash::HashMap;
use crate::rows;
use diya_tables::{BatchSource, TableBuilder, counter_sample, job};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Bins of time: a lane of usual width shows little more.
const BINS: usize = 256;

/// A sum begins anew now and then. One that falls more often, so many times and in such a share
/// of its samples, is a level: Score-P calls all components of PAPI sums, also temperatures.
const FALLS: u64 = 3;
const FALLS_IN: u64 = 200;

/// Log, name, part, unit: what is one row in each bin.
type Key = (i32, String, Option<String>, Option<String>);

/// Value times seconds, and the seconds, of each bin.
type Bins = Box<[(f64, f64); BINS]>;

diya_tables::columns! {
    struct Samples of counter_sample {
        log: i32,
        series: i32,
        name: str,
        part: str,
        unit: str,
        kind: str,
        holds: str,
        time_s: f64,
        value: f64,
    }
}

diya_tables::columns! {
    struct RunTimes of job { log: i32, run_time_s: f64 }
}

/// A series while its samples are read.
struct Series {
    key: Key,
    kind: SeriesType,
    holds: Holds,
    last: (f64, f64),
    samples: u64,
    /// How often a value is less than the one before.
    falls: u64,
    levels: Bins,
    /// Of what grows, and of changes.
    rates: Bins,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum SeriesType {
    Counter,
    Change,
    Gauge,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Holds {
    Next,
    Last,
    Point,
}

/// Fills the table.
pub(crate) fn compute(tables: &[Arc<dyn BatchSource>], table: &mut TableBuilder) {
    let lengths: BTreeMap<i32, f64> = RunTimes::all(tables)
        .flat_map(|of| {
            (0..of.rows())
                .map(|row| (of.log.value(row), of.run_time_s.get(row)))
                .collect::<Vec<_>>()
        })
        .filter_map(|(log, run_s)| Some((log, run_s.filter(|run_s| *run_s > 0.0)?)))
        .collect();
    let mut all: HashMap<(i32, i32), Series> = HashMap::default();
    for of in Samples::all(tables) {
        for row in 0..of.rows() {
            let log = of.log.value(row);
            let (time_s, value) = (of.time_s.value(row), of.value.value(row));
            let Some(run_s) = lengths.get(&log).filter(|_| value.is_finite()) else { continue };
            let series = all.entry((log, of.series.value(row)));
            let series = series.or_insert_with(|| Series::of(log, &of, row));
            series.next((time_s, value), *run_s);
        }
    }
    let mut tracks: BTreeMap<Key, (i64, Vec<Option<f64>>)> = BTreeMap::new();
    for (_, mut series) in all {
        let Some(run_s) = lengths.get(&series.key.0) else { continue };
        series.end(*run_s);
        let (key, of) = series.track();
        let (count, bins) = tracks.entry(key).or_insert_with(|| (0, vec![None; BINS]));
        *count += 1;
        for (sum, (value_s, seconds)) in bins.iter_mut().zip(of.iter()) {
            if *seconds > 0.0 {
                *sum = Some(sum.unwrap_or(0.0) + value_s / seconds);
            }
        }
    }
    for ((log, name, part, unit), (series, bins)) in &tracks {
        let width_s = lengths.get(log).copied().unwrap_or_default() / BINS as f64;
        for (at, value) in bins.iter().enumerate() {
            let Some(value) = *value else { continue };
            // The end of a bin is the start of the next one, to the last bit.
            let [start_s, end_s] = [at, at + 1].map(|at| at as f64 * width_s);
            let (part, unit) = (part.as_deref(), unit.as_deref());
            let row = rows::CounterTrack {
                log: *log,
                name,
                part,
                unit,
                series: *series,
                start_s,
                end_s,
                value,
            };
            row.push(table);
        }
    }
}

impl Series {
    fn of(log: i32, of: &Samples, row: usize) -> Self {
        let kind = match of.kind.value(row) {
            "counter" => SeriesType::Counter,
            "change" => SeriesType::Change,
            _ => SeriesType::Gauge,
        };
        let holds = match of.holds.value(row) {
            "next" => Holds::Next,
            "last" => Holds::Last,
            _ => Holds::Point,
        };
        let name = of.name.value(row).to_owned();
        let [part, unit] = [of.part.get(row), of.unit.get(row)].map(|text| text.map(str::to_owned));
        let bins = || Box::new([(0.0, 0.0); BINS]);
        Self {
            key: (log, name, part, unit),
            kind,
            holds,
            last: (f64::NAN, f64::NAN),
            samples: 0,
            falls: 0,
            levels: bins(),
            rates: bins(),
        }
    }

    /// The time between the last sample and this one.
    fn next(&mut self, sample: (f64, f64), run_s: f64) {
        let (from_s, before) = std::mem::replace(&mut self.last, sample);
        let (to_s, value) = sample;
        self.samples += 1;
        self.falls += u64::from(value < before);
        let (span, seconds) = ((from_s, to_s), to_s - from_s);
        // The first sample has no number of seconds.
        if seconds.is_nan() || seconds <= 0.0 {
            return;
        }
        let level = match self.holds {
            Holds::Next => before,
            Holds::Last => value,
            Holds::Point => f64::midpoint(before, value),
        };
        // A sum that began anew has grown by what it shows.
        let grown = if value >= before { value - before } else { value };
        let amount = match (self.kind, self.holds) {
            (SeriesType::Change, Holds::Next) => before,
            (SeriesType::Change, _) => value,
            _ => grown,
        };
        add(&mut self.levels, span, level, run_s);
        add(&mut self.rates, span, amount / seconds, run_s);
    }

    /// What is shown of it.
    fn track(self) -> (Key, Bins) {
        let is_level = self.falls >= FALLS && self.falls * FALLS_IN > self.samples;
        if self.kind == SeriesType::Gauge || (self.kind == SeriesType::Counter && is_level) {
            return (self.key, self.levels);
        }
        let (log, name, part, unit) = self.key;
        ((log, name, part, unit.map(|unit| format!("{unit}/s"))), self.rates)
    }

    /// A level that holds until the next sample holds to the end when there is none.
    fn end(&mut self, run_s: f64) {
        let (from_s, value) = self.last;
        if self.kind == SeriesType::Gauge && self.holds == Holds::Next {
            add(&mut self.levels, (from_s, run_s), value, run_s);
        }
    }
}

/// Adds a value that holds for some time.
fn add(bins: &mut Bins, (from_s, to_s): (f64, f64), value: f64, run_s: f64) {
    let width_s = run_s / BINS as f64;
    let place = |s: f64| (s / width_s).clamp(0.0, BINS as f64);
    let (first, end) = (place(from_s), place(to_s));
    for at in first as usize..(end.ceil() as usize).min(BINS) {
        let inside = end.min(at as f64 + 1.0) - first.max(at as f64);
        if let Some(bin) = bins.get_mut(at)
            && inside > 0.0
        {
            bin.0 += value * inside;
            bin.1 += inside;
        }
    }
}
