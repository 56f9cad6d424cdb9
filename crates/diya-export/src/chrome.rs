//! Chrome trace JSON, which Perfetto opens: ranks are processes, layers are
//! threads.
//!
//! The format wants the slices of one thread to nest. Calls of a rank that
//! overlap (several threads, non-blocking transfers) are laid on further lanes
//! of their layer. Format: the "Trace Event Format" document of the Chromium
//! project; times are microseconds.

use super::chrome_counters::{write_counters, write_heatmap};
use super::chrome_events::{Events, MAX_LANES, free_lane, pid};
use super::chrome_regions::write_regions;
use super::rows::sum_of;
use super::whole::{paths, whole};
use arrow::array::{Array, AsArray, RecordBatch};
use arrow::datatypes::{Float64Type, Int32Type, Int64Type, UInt64Type};
use diya::Trace;
use diya_tables::{TableId, call, rank_host};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};

/// Where a call is.
#[derive(Clone, Copy)]
struct CallPosition {
    start_s: f64,
    end_s: f64,
    batch_number: u32,
    row: u32,
}

/// Writes all calls, regions and counters, and the heat maps as counters.
pub fn write_chrome(out: &mut dyn Write, trace: &Trace) -> io::Result<()> {
    let mut events = Events::begin(out)?;
    let paths = paths(trace);
    name_processes(&mut events, trace)?;
    write_regions(&mut events, trace)?;
    write_calls(&mut events, trace, &paths)?;
    write_counters(&mut events, trace)?;
    write_heatmap(&mut events, trace)?;
    events.end()
}

fn name_processes(events: &mut Events<'_>, trace: &Trace) -> io::Result<()> {
    let mut hosts: BTreeMap<(i32, i32), String> = BTreeMap::new();
    for batch in whole(trace, TableId::RankHost) {
        let logs = batch.column(rank_host::LOG).as_primitive::<Int32Type>();
        let ranks = batch.column(rank_host::RANK).as_primitive::<Int32Type>();
        let names = batch.column(rank_host::HOST).as_string_view();
        for row in 0..batch.num_rows() {
            hosts
                .entry((logs.value(row), ranks.value(row)))
                .or_insert_with(|| names.value(row).into());
        }
    }
    let is_one = trace.log_names().len() == 1;
    for ((log, rank), host) in hosts {
        let name = if is_one {
            format!("rank {rank} on {host}")
        } else {
            format!("log {log} rank {rank} on {host}")
        };
        let pid = pid(log, rank);
        events.push(
            &json!({"ph": "M", "name": "process_name", "pid": pid, "args": {"name": name}}),
        )?;
        events.push(&json!({"ph": "M", "name": "process_sort_index", "pid": pid, "args": {"sort_index": pid}}))?;
    }
    Ok(())
}

fn write_calls(
    events: &mut Events<'_>,
    trace: &Trace,
    paths: &HashMap<(i32, u64), String>,
) -> io::Result<()> {
    let batches: Vec<RecordBatch> = whole(trace, TableId::Call).collect();
    let mut tracks: BTreeMap<(i32, i32, &str), Vec<CallPosition>> = BTreeMap::new();
    for (batch_number, batch) in (0..).zip(&batches) {
        let logs = batch.column(call::LOG).as_primitive::<Int32Type>();
        let ranks = batch.column(call::RANK).as_primitive::<Int32Type>();
        let layers = batch.column(call::LAYER).as_string_view();
        let starts = batch.column(call::START_S).as_primitive::<Float64Type>();
        let ends = batch.column(call::END_S).as_primitive::<Float64Type>();
        for row in 0..batch.num_rows() {
            let (start_s, end_s) = (starts.value(row), ends.value(row));
            let row_number = u32::try_from(row).unwrap_or(u32::MAX);
            let place = CallPosition { start_s, end_s, batch_number, row: row_number };
            tracks
                .entry((logs.value(row), ranks.value(row), layers.value(row)))
                .or_default()
                .push(place);
        }
    }
    let mut first_tid = BTreeMap::new();
    for ((log, rank, layer), mut places) in tracks {
        let layers = first_tid.len();
        let base = *first_tid.entry(layer).or_insert(layers * MAX_LANES + 1);
        places.sort_by(|a, b| a.start_s.total_cmp(&b.start_s).then(b.end_s.total_cmp(&a.end_s)));
        let mut lane_ends: Vec<f64> = Vec::new();
        for place in places {
            let (lane, is_new) = free_lane(&mut lane_ends, place.start_s, place.end_s);
            if is_new {
                let name =
                    if lane == 0 { layer.to_string() } else { format!("{layer} ({})", lane + 1) };
                let (pid, tid) = (pid(log, rank), base + lane);
                events.push(&json!({
                    "ph": "M", "name": "thread_name",
                    "pid": pid, "tid": tid, "args": {"name": name}
                }))?;
            }
            let batch = &batches[place.batch_number as usize];
            events.push(&slice(batch, place, pid(log, rank), base + lane, paths))?;
        }
    }
    Ok(())
}

fn slice(
    batch: &RecordBatch,
    place: CallPosition,
    pid: i64,
    tid: usize,
    paths: &HashMap<(i32, u64), String>,
) -> Value {
    let row = place.row as usize;
    let file_id = batch.column(call::FILE_ID).as_primitive::<UInt64Type>().value(row);
    let log = batch.column(call::LOG).as_primitive::<Int32Type>().value(row);
    let offsets = batch.column(call::OFFSET_BYTES).as_primitive::<Int64Type>();
    let threads = batch.column(call::THREAD).as_primitive::<UInt64Type>();
    let sizes = batch.column(call::SIZE_BYTES).as_primitive::<Int64Type>();
    let functions = batch.column(call::FUNCTION).as_string_view();
    let errors = batch.column(call::ERROR).as_string_view();
    let op = batch.column(call::OP).as_string_view().value(row);
    let name = if functions.is_valid(row) { functions.value(row) } else { op };
    let mut args = json!({
        "file": paths.get(&(log, file_id)).cloned().unwrap_or_else(|| file_id.to_string()),
    });
    if sizes.is_valid(row) {
        args["size_bytes"] = sizes.value(row).into();
    }
    if errors.is_valid(row) {
        args["error"] = errors.value(row).into();
    }
    if offsets.is_valid(row) {
        args["offset_bytes"] = offsets.value(row).into();
    }
    if threads.is_valid(row) {
        args["thread"] = threads.value(row).into();
    }
    if let Some((calls, busy_s)) = sum_of(batch, row) {
        args["calls"] = calls.into();
        args["busy_us"] = (busy_s * 1e6).into();
    }
    json!({
        "ph": "X",
        "name": name,
        "cat": batch.column(call::LAYER).as_string_view().value(row),
        "ts": place.start_s * 1e6,
        "dur": (place.end_s - place.start_s).max(0.0) * 1e6,
        "pid": pid,
        "tid": tid,
        "args": args,
    })
}
