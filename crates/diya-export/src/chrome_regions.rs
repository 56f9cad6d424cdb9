//! Regions, steps, epochs and notes in a Chrome trace, and messages of MPI: lanes of their own above
//! the calls.

use super::chrome_events::{Events, MAX_LANES, free_lane, pid};
use super::whole::whole;
use arrow::array::{Array, AsArray};
use arrow::datatypes::{Float64Type, Int32Type, Int64Type, UInt64Type};
use diya::Trace;
use diya_tables::{TableId, message, region};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io;

/// Behind the lanes of all layers.
const FIRST_LANE: usize = 1_000_000;

/// Where regions lie inside each other: log, rank, category, thread.
type LaneKey = (i32, i32, String, Option<u64>);

/// One region.
struct Region {
    start_s: f64,
    end_s: f64,
    name: String,
    number: Option<i64>,
    /// Of a message: whom it is with.
    args: Value,
}

/// Category of messages.
const MESSAGE: &str = "message";

/// Writes all regions; a note is an instant.
pub(super) fn write_regions(events: &mut Events<'_>, trace: &Trace) -> io::Result<()> {
    let mut first_lane = FIRST_LANE;
    for ((log, rank, category, thread), mut regions) in places(trace) {
        regions.sort_by(|a, b| a.start_s.total_cmp(&b.start_s).then(b.end_s.total_cmp(&a.end_s)));
        let (pid, mut ends) = (pid(log, rank), Vec::new());
        for region in &regions {
            let (lane, is_new) = free_lane(&mut ends, region.start_s, region.end_s);
            let tid = first_lane + lane;
            if is_new {
                let name = lane_name(&category, thread, lane);
                let args = json!({ "name": name });
                events.push(&json!({"ph": "M", "name": "thread_name", "pid": pid, "tid": tid, "args": args}))?;
                let args = json!({ "sort_index": -1 });
                events.push(&json!({"ph": "M", "name": "thread_sort_index", "pid": pid, "tid": tid, "args": args}))?;
            }
            events.push(&event(region, &category, thread, pid, tid))?;
        }
        first_lane += MAX_LANES;
    }
    Ok(())
}

fn lane_name(category: &str, thread: Option<u64>, lane: usize) -> String {
    let of = match thread {
        Some(thread) => format!("{category} of thread {thread}"),
        None => category.to_owned(),
    };
    if lane == 0 { of } else { format!("{of} ({})", lane + 1) }
}

fn event(region: &Region, category: &str, thread: Option<u64>, pid: i64, tid: usize) -> Value {
    let mut args = region.args.clone();
    if let Some(thread) = thread {
        args["thread"] = thread.into();
    }
    let name = match region.number {
        Some(number) => {
            args["number"] = number.into();
            format!("{} {number}", region.name)
        }
        None => region.name.clone(),
    };
    let (ts, dur) = (region.start_s * 1e6, (region.end_s - region.start_s) * 1e6);
    if category == "note" {
        return json!({
            "ph": "i", "s": "t", "name": name, "cat": category,
            "ts": ts, "pid": pid, "tid": tid, "args": args
        });
    }
    json!({
        "ph": "X", "name": name, "cat": category,
        "ts": ts, "dur": dur.max(0.0), "pid": pid, "tid": tid, "args": args
    })
}

fn places(trace: &Trace) -> BTreeMap<LaneKey, Vec<Region>> {
    let mut places: BTreeMap<LaneKey, Vec<Region>> = BTreeMap::new();
    for batch in whole(trace, TableId::Region) {
        let whole = |column: usize| batch.column(column).as_primitive::<Int32Type>();
        let real = |column: usize| batch.column(column).as_primitive::<Float64Type>();
        let (logs, ranks) = (whole(region::LOG), whole(region::RANK));
        let (starts, ends) = (real(region::START_S), real(region::END_S));
        let names = batch.column(region::NAME).as_string_view();
        let categories = batch.column(region::CATEGORY).as_string_view();
        let threads = batch.column(region::THREAD).as_primitive::<UInt64Type>();
        let numbers = batch.column(region::NUMBER).as_primitive::<Int64Type>();
        for row in 0..batch.num_rows() {
            let category = if categories.is_valid(row) { categories.value(row) } else { "region" };
            let thread = threads.is_valid(row).then(|| threads.value(row));
            let place = (logs.value(row), ranks.value(row), category.to_owned(), thread);
            places.entry(place).or_default().push(Region {
                start_s: starts.value(row),
                end_s: ends.value(row),
                name: names.value(row).to_owned(),
                number: numbers.is_valid(row).then(|| numbers.value(row)),
                args: json!({}),
            });
        }
    }
    add_messages(trace, &mut places);
    places
}

diya_tables::columns! {
    struct MessageColumns of message {
        log: i32,
        rank: i32,
        thread: u64,
        function: str,
        communicator: i64,
        peer: i32,
        peers: str,
        tag: i32,
        bytes: i64,
        start_s: f64,
        end_s: f64,
    }
}

fn add_messages(trace: &Trace, places: &mut BTreeMap<LaneKey, Vec<Region>>) {
    let tables = [trace.table(TableId::Message).clone()];
    for of in MessageColumns::all(&tables) {
        for row in 0..of.rows() {
            let mut args = json!({ "bytes": of.bytes.value(row) });
            if let Some(communicator) = of.communicator.get(row) {
                args["communicator"] = communicator.into();
            }
            if let Some(peer) = of.peer.get(row) {
                args["peer"] = peer.into();
            }
            if let Some(peers) = of.peers.get(row) {
                args["peers"] = peers.into();
            }
            if let Some(tag) = of.tag.get(row) {
                args["tag"] = tag.into();
            }
            let thread = Some(of.thread.value(row));
            let place = (of.log.value(row), of.rank.value(row), MESSAGE.to_owned(), thread);
            places.entry(place).or_default().push(Region {
                start_s: of.start_s.value(row),
                end_s: of.end_s.value(row),
                name: of.function.value(row).to_owned(),
                number: None,
                args,
            });
        }
    }
}
