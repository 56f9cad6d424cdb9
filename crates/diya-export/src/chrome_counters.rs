//! Counters of a trace, and heat maps as counters.

use super::chrome_events::{Events, pid};
use super::counter_columns::CounterColumns;
use super::whole::whole;
use arrow::array::AsArray;
use arrow::datatypes::{Float64Type, Int32Type, Int64Type};
use diya::Trace;
use diya_tables::{TableId, heatmap};
use serde_json::json;
use std::io;

/// Writes the values of counters. A thread becomes an id: without it, the series of a process
/// would be one. Units have no place in the format.
pub(super) fn write_counters(events: &mut Events<'_>, trace: &Trace) -> io::Result<()> {
    for of in CounterColumns::batches(trace.table(TableId::CounterSample).as_ref()) {
        for row in (0..of.rows()).filter(|row| of.value.value(*row).is_finite()) {
            let (part, rank) = (of.part.get(row).unwrap_or("value"), of.rank.get(row));
            let name = match (of.name.value(row), of.host.get(row)) {
                (name, Some(host)) if rank.is_none() => format!("{name} of {host}"),
                (name, _) => name.to_owned(),
            };
            let mut event = json!({
                "ph": "C",
                "name": name,
                "ts": of.time_s.value(row) * 1e6,
                "pid": pid(of.log.value(row), rank.unwrap_or(0)),
                "args": {part: of.value.value(row)},
            });
            if let Some(thread) = of.thread.get(row) {
                event["id"] = format!("thread {thread}").into();
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
