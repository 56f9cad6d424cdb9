//! Periods of single calls: one signal per log, layer and direction.

use super::calls::Calls;
use super::period::Signal;
use crate::rows;
use diya_tables::{Layer, Op, TableBuilder};
use std::collections::BTreeMap;

type Key = (i32, Layer, Option<Op>);

/// From when to when calls ran, and how many.
#[derive(Debug, Clone, Copy)]
struct Span {
    from_s: f64,
    to_s: f64,
    calls: usize,
}

impl Span {
    const NONE: Self = Self { from_s: f64::INFINITY, to_s: f64::NEG_INFINITY, calls: 0 };

    fn join(&mut self, other: Self) {
        self.from_s = self.from_s.min(other.from_s);
        self.to_s = self.to_s.max(other.to_s);
        self.calls += other.calls;
    }
}

/// Rows of table `period`.
pub(crate) fn compute(calls: &Calls, table: &mut TableBuilder) {
    let mut spans: BTreeMap<Key, Span> = BTreeMap::new();
    let mut of_stream = vec![Span::NONE; calls.streams.len()];
    let is_transfer = |stream: usize| calls.streams[stream].is_transfer();
    calls.each_of(is_transfer, |call| {
        if call.size_bytes > 0 {
            let span = Span { from_s: call.start_s, to_s: call.end_s, calls: 1 };
            of_stream[call.stream as usize].join(span);
        }
    });
    for (stream, span) in calls.streams.iter().zip(of_stream) {
        if span.calls > 0 {
            for op in [None, Some(stream.op)] {
                spans.entry((stream.log, stream.layer, op)).or_insert(Span::NONE).join(span);
            }
        }
    }
    let numbers: BTreeMap<Key, usize> = spans.keys().copied().zip(0..).collect();
    let mut signals: Vec<Signal> =
        spans.values().map(|span| Signal::over(span.from_s, span.to_s, span.calls)).collect();
    let places: Vec<[usize; 2]> = calls
        .streams
        .iter()
        .map(|s| {
            let number = |op| numbers.get(&(s.log, s.layer, op)).copied().unwrap_or(usize::MAX);
            [number(None), number(Some(s.op))]
        })
        .collect();
    calls.each_of(is_transfer, |call| {
        if call.size_bytes <= 0 {
            return;
        }
        for number in places[call.stream as usize] {
            if let Some(signal) = signals.get_mut(number) {
                signal.add(call.start_s, call.end_s, call.size_bytes as f64);
            }
        }
    });
    for (((log, layer, op), span), signal) in spans.iter().zip(&signals) {
        let op = op.map_or("all", Op::name);
        let (length_s, period) = (span.to_s - span.from_s, signal.period());
        rows::Period {
            log: *log,
            layer: layer.name(),
            op,
            period_s: period.map(|p| p.period_s),
            confidence_ratio: period.map(|p| p.confidence),
            periods: period.map(|p| length_s / p.period_s),
            autocorrelation_ratio: period.map(|p| p.autocorrelation),
            spectral_ratio: period.map(|p| p.spectral),
            outlier: period.map(|p| p.outlier),
            agreement_ratio: period.map(|p| p.agreement),
            length_s,
        }
        .push(table);
    }
}
