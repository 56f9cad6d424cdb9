//! Periods of single calls: one signal per log, layer and direction.

use super::calls::Calls;
use super::period::{Period, Signal};
use diya_tables::{Layer, Op, TableBuilder};
use std::collections::BTreeMap;

type Key = (i32, Layer, Option<Op>);

/// Rows of table `period`.
pub(super) fn compute(calls: &Calls, table: &mut TableBuilder) {
    let mut spans: BTreeMap<Key, (f64, f64)> = BTreeMap::new();
    let mut of_stream = vec![(f64::INFINITY, f64::NEG_INFINITY); calls.streams.len()];
    for call in calls.rows.iter().filter(|call| call.size_bytes > 0) {
        let span = &mut of_stream[call.stream as usize];
        *span = (span.0.min(call.start_s), span.1.max(call.end_s));
    }
    let asked = |at: &usize| calls.streams[*at].is_transfer() && of_stream[*at].0.is_finite();
    for at in (0..calls.streams.len()).filter(asked) {
        let stream = &calls.streams[at];
        for op in [None, Some(stream.op)] {
            let span = spans.entry((stream.log, stream.layer, op)).or_insert(of_stream[at]);
            *span = (span.0.min(of_stream[at].0), span.1.max(of_stream[at].1));
        }
    }
    let numbers: BTreeMap<Key, usize> = spans.keys().copied().zip(0..).collect();
    let mut signals: Vec<Signal> =
        spans.values().map(|(from, to)| Signal::over(*from, *to)).collect();
    let places: Vec<[usize; 2]> = calls
        .streams
        .iter()
        .map(|s| {
            let number = |op| numbers.get(&(s.log, s.layer, op)).copied().unwrap_or(usize::MAX);
            [number(None), number(Some(s.op))]
        })
        .collect();
    for call in calls.rows.iter().filter(|call| call.size_bytes > 0) {
        for number in places[call.stream as usize] {
            if let Some(signal) = signals.get_mut(number) {
                signal.add(call.start_s, call.end_s, call.size_bytes as f64);
            }
        }
    }
    for (((log, layer, op), (from, to)), signal) in spans.iter().zip(&signals) {
        let op = op.map_or("all", Op::name);
        push_period(table, *log, layer.name(), op, to - from, signal.period());
        table.end_row();
    }
}

/// The first columns of a row of `period` or `heatmap_period`.
pub(super) fn push_period(
    table: &mut TableBuilder,
    log: i32,
    layer: &str,
    op: &str,
    length_s: f64,
    period: Option<Period>,
) {
    table.push_i32(0, Some(log));
    table.push_str(1, Some(layer));
    table.push_str(2, Some(op));
    table.push_f64(3, period.map(|p| p.period_s));
    table.push_f64(4, period.map(|p| p.confidence));
    table.push_f64(5, period.map(|p| length_s / p.period_s));
    table.push_f64(6, period.map(|p| p.autocorrelation));
    table.push_f64(7, period.map(|p| p.spectral));
    table.push_f64(8, period.map(|p| p.outlier));
    table.push_f64(9, period.map(|p| p.agreement));
    table.push_f64(10, Some(length_s));
}
