//! Counters of a trace, and heat maps as counters.

use super::chrome_events::{Events, pid};
use super::whole::whole;
use arrow::array::{Array, AsArray};
use arrow::datatypes::{Float64Type, Int32Type, Int64Type, UInt64Type};
use diya::Trace;
use diya_tables::{TableId, counter_sample, heatmap};
use serde_json::json;
use std::io;

/// Writes the values of counters. A thread becomes an id: without it, the series of a process
/// would be one. Units have no place in the format.
pub(super) fn write_counters(events: &mut Events<'_>, trace: &Trace) -> io::Result<()> {
    for batch in whole(trace, TableId::CounterSample) {
        let whole = |column: usize| batch.column(column).as_primitive::<Int32Type>();
        let real = |column: usize| batch.column(column).as_primitive::<Float64Type>();
        let text = |column: usize| batch.column(column).as_string_view();
        let (logs, ranks) = (whole(counter_sample::LOG), whole(counter_sample::RANK));
        let (times, values) = (real(counter_sample::TIME_S), real(counter_sample::VALUE));
        let (names, parts) = (text(counter_sample::NAME), text(counter_sample::PART));
        let hosts = text(counter_sample::HOST);
        let threads = batch.column(counter_sample::THREAD).as_primitive::<UInt64Type>();
        for row in (0..batch.num_rows()).filter(|row| values.value(*row).is_finite()) {
            let part = if parts.is_valid(row) { parts.value(row) } else { "value" };
            let rank = if ranks.is_valid(row) { ranks.value(row) } else { 0 };
            let is_of_node = ranks.is_null(row) && hosts.is_valid(row);
            let name = match names.value(row) {
                name if is_of_node => format!("{name} of {}", hosts.value(row)),
                name => name.to_owned(),
            };
            let mut event = json!({
                "ph": "C",
                "name": name,
                "ts": times.value(row) * 1e6,
                "pid": pid(logs.value(row), rank),
                "args": {part: values.value(row)},
            });
            if threads.is_valid(row) {
                event["id"] = format!("thread {}", threads.value(row)).into();
            }
            events.push(&event)?;
        }
    }
    Ok(())
}

/// Heat maps as counters: the only picture of logs without a trace.
pub(super) fn write_heatmap(events: &mut Events<'_>, trace: &Trace) -> io::Result<()> {
    for batch in whole(trace, TableId::Heatmap) {
        let logs = batch.column(heatmap::LOG).as_primitive::<Int32Type>();
        let ranks = batch.column(heatmap::RANK).as_primitive::<Int32Type>();
        let layers = batch.column(heatmap::LAYER).as_string_view();
        let ops = batch.column(heatmap::OP).as_string_view();
        let starts = batch.column(heatmap::BIN_START_S).as_primitive::<Float64Type>();
        let widths = batch.column(heatmap::BIN_WIDTH_S).as_primitive::<Float64Type>();
        let bytes = batch.column(heatmap::BYTES).as_primitive::<Int64Type>();
        for row in 0..batch.num_rows() {
            let rate = bytes.value(row) as f64 / widths.value(row).max(f64::MIN_POSITIVE);
            events.push(&json!({
                "ph": "C",
                "name": format!("{} {} bytes/s", layers.value(row), ops.value(row)),
                "ts": starts.value(row) * 1e6,
                "pid": pid(logs.value(row), ranks.value(row)),
                "args": {"bytes_per_s": rate},
            }))?;
        }
    }
    Ok(())
}
