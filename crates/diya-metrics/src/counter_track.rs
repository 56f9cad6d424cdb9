//! Values over time that are no calls, in bins of time.

use crate::hash::HashMap;
use crate::rows;
use diya_tables::{BatchSource, TableBuilder, counter_sample, job};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Bins of time: a lane of usual width shows little more.
const BINS: usize = 256;

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
    kind: Kind,
    holds: Holds,
    last: (f64, f64),
    bins: Bins,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
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
        .flat_map(|of| (0..of.rows()).map(|row| (of.log.value(row), of.run_time_s.get(row))).collect::<Vec<_>>())
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
        let (count, bins) = tracks.entry(series.key).or_insert_with(|| (0, vec![None; BINS]));
        *count += 1;
        for (sum, (value_s, seconds)) in bins.iter_mut().zip(series.bins.iter()) {
            if *seconds > 0.0 {
                *sum = Some(sum.unwrap_or(0.0) + value_s / seconds);
            }
        }
    }
    for ((log, name, part, unit), (series, bins)) in &tracks {
        let width_s = lengths.get(log).copied().unwrap_or_default() / BINS as f64;
        for (at, value) in bins.iter().enumerate() {
            let Some(value) = *value else { continue };
            let start_s = at as f64 * width_s;
            let (part, unit) = (part.as_deref(), unit.as_deref());
            let row = rows::CounterTrack {
                log: *log,
                name,
                part,
                unit,
                series: *series,
                start_s,
                end_s: start_s + width_s,
                value,
            };
            row.push(table);
        }
    }
}

impl Series {
    fn of(log: i32, of: &Samples, row: usize) -> Self {
        let kind = match of.kind.value(row) {
            "counter" => Kind::Counter,
            "change" => Kind::Change,
            _ => Kind::Gauge,
        };
        let holds = match of.holds.value(row) {
            "next" => Holds::Next,
            "last" => Holds::Last,
            _ => Holds::Point,
        };
        let unit = of.unit.get(row);
        let unit = match (unit, kind) {
            (Some(unit), Kind::Counter | Kind::Change) => Some(format!("{unit}/s")),
            (unit, _) => unit.map(str::to_owned),
        };
        let name = of.name.value(row).to_owned();
        let key = (log, name, of.part.get(row).map(str::to_owned), unit);
        let bins = Box::new([(0.0, 0.0); BINS]);
        Self { key, kind, holds, last: (f64::NAN, f64::NAN), bins }
    }

    /// The time between the last sample and this one.
    fn next(&mut self, sample: (f64, f64), run_s: f64) {
        let (from_s, before) = std::mem::replace(&mut self.last, sample);
        let (to_s, value) = sample;
        let seconds = to_s - from_s;
        // Also false for the first sample.
        if !(seconds > 0.0) {
            return;
        }
        let level = match (self.kind, self.holds) {
            // A counter that began anew has grown by what it shows.
            (Kind::Counter, _) => (if value >= before { value - before } else { value }) / seconds,
            (Kind::Change, Holds::Next) => before / seconds,
            (Kind::Change, _) => value / seconds,
            (Kind::Gauge, Holds::Next) => before,
            (Kind::Gauge, Holds::Last) => value,
            (Kind::Gauge, Holds::Point) => f64::midpoint(before, value),
        };
        self.add((from_s, to_s), level, run_s);
    }

    /// A level that holds until the next sample holds to the end when there is none.
    fn end(&mut self, run_s: f64) {
        let (from_s, value) = self.last;
        if self.kind == Kind::Gauge && self.holds == Holds::Next {
            self.add((from_s, run_s), value, run_s);
        }
    }

    fn add(&mut self, (from_s, to_s): (f64, f64), level: f64, run_s: f64) {
        let width_s = run_s / BINS as f64;
        let place = |s: f64| (s / width_s).clamp(0.0, BINS as f64);
        let (first, end) = (place(from_s), place(to_s));
        for at in first as usize..(end.ceil() as usize).min(BINS) {
            let inside = end.min(at as f64 + 1.0) - first.max(at as f64);
            if let Some(bin) = self.bins.get_mut(at)
                && inside > 0.0
            {
                bin.0 += level * inside;
                bin.1 += inside;
            }
        }
    }
}
