//! DFTracer's `.pfw`: one event per line, as version 2 writes them with metadata.
//!
//! Each rank begins with what DFTracer says at the start of a process: host, unit of times,
//! file names behind their hashes. Calls follow in the order of the table, which is not that
//! of time over several ranks; readers sort. docs/formats/dftracer.md describes the events.

use super::rows::{Process, Rows, hosts, sum_of};
use super::whole::{paths, whole};
use arrow::array::{Array, AsArray, RecordBatch};
use arrow::datatypes::{Float64Type, Int32Type, TimestampNanosecondType};
use diya::Trace;
use diya_tables::{TableId, call, job};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::{self, Write};

/// Numbers of `ph`.
const COMPLETE: u8 = 1;
const METADATA: u8 = 4;

/// Version whose events these are: 2.2.0.
const VERSION: u32 = 20200;

/// Writes all calls. Times are whole microseconds, since 1970 where the start of the log is
/// known: DFTracer's own tools pass over fractions, and take other units for microseconds.
pub fn write_dftracer(out: &mut dyn Write, trace: &Trace) -> io::Result<()> {
    let batches: Vec<RecordBatch> = whole(trace, TableId::Call).collect();
    let mut lines = Lines { out, events: BTreeMap::new() };
    let paths = paths(trace);
    let begins = begins(trace);
    let hosts = hosts(trace);
    let mut ends: BTreeMap<Process, i64> = BTreeMap::new();
    let mut named: BTreeSet<(Process, u64)> = BTreeSet::new();
    for batch in &batches {
        let rows = Rows::of(batch);
        for row in 0..batch.num_rows() {
            let process = rows.process(row);
            let begin_us = begins.get(&process.0).copied().unwrap_or(0);
            let host = hosts.get(&process).map_or("unknown", String::as_str);
            let (start_us, end_us) = rows.times_us(row, begin_us);
            let last = ends.entry(process).or_insert_with(|| i64::MIN);
            if *last == i64::MIN {
                lines.begin(process, host, begin_us)?;
            }
            *last = end_us.max(*last);
            let file = rows.files.value(row);
            if named.insert((process, file)) {
                let path = paths.get(&(process.0, file)).cloned();
                let path = path.unwrap_or_else(|| file.to_string());
                lines.name(process, "FH", &path, &hash_of(file))?;
            }
            let event = (rows.name(row), rows.layers.value(row), rows.args(row, host));
            lines.call(process, event, start_us, end_us - start_us, rows.thread(row))?;
        }
    }
    for (process, end_us) in ends {
        lines.event(process, "end", "dftracer", &json!({"ts": end_us, "dur": 0}), None)?;
    }
    Ok(())
}

impl Rows<'_> {
    fn times_us(&self, row: usize, begin_us: i64) -> (i64, i64) {
        let at = |column: usize| {
            let s = self.batch.column(column).as_primitive::<Float64Type>().value(row);
            begin_us.saturating_add((s * 1e6).round() as i64)
        };
        let start_us = at(call::START_S);
        (start_us, at(call::END_S).max(start_us))
    }

    /// A failed call returns -1, as it does in C.
    fn args(&self, row: usize, host: &str) -> Map<String, Value> {
        let mut args = Map::new();
        let file = hash_of(self.files.value(row));
        args.insert("hhash".to_owned(), hash_of_text(host).into());
        args.insert("fhash".to_owned(), file.into());
        let failed = self.text(call::ERROR, row).map(|_| -1);
        let members = [
            ("ret", failed.or_else(|| self.number(call::SIZE_BYTES, row))),
            ("count", self.number(call::REQUESTED_BYTES, row)),
            ("offset", self.number(call::OFFSET_BYTES, row)),
        ];
        for (name, value) in members {
            if let Some(value) = value {
                args.insert(name.to_owned(), value.into());
            }
        }
        if let Some((calls, busy_s)) = sum_of(self.batch, row) {
            args.insert("calls".to_owned(), calls.into());
            args.insert("busy_us".to_owned(), (busy_s * 1e6).into());
        }
        args
    }
}

struct Lines<'a> {
    out: &'a mut dyn Write,
    /// Number of the last event of each process.
    events: BTreeMap<Process, u64>,
}

impl Lines<'_> {
    fn line(&mut self, event: &Value) -> io::Result<()> {
        serde_json::to_writer(&mut self.out, event).map_err(io::Error::from)?;
        self.out.write_all(b"\n")
    }

    fn begin(&mut self, process: Process, host: &str, begin_us: i64) -> io::Result<()> {
        self.name(process, "HH", host, &hash_of_text(host))?;
        self.name(process, "CM", "time_metric", "US")?;
        let args = json!({"hhash": hash_of_text(host), "version": VERSION, "rank": process.1});
        let times = json!({"ts": begin_us, "dur": 0});
        self.event(process, "start", "dftracer", &times, args.as_object().cloned())
    }

    fn name(&mut self, process: Process, kind: &str, name: &str, value: &str) -> io::Result<()> {
        let pid = pid(process);
        let args = json!({"name": name, "value": value});
        self.line(&json!({
            "name": kind, "cat": "dftracer", "type": 1, "pid": pid, "tid": pid, "ph": METADATA,
            "args": args,
        }))
    }

    fn call(
        &mut self,
        process: Process,
        (name, layer, args): (&str, &str, Map<String, Value>),
        start_us: i64,
        duration_us: i64,
        thread: Option<u64>,
    ) -> io::Result<()> {
        let mut times = json!({"ts": start_us, "dur": duration_us});
        if let Some(thread) = thread {
            times["tid"] = thread.into();
        }
        self.event(process, name, &layer.to_uppercase(), &times, Some(args))
    }

    fn event(
        &mut self,
        process: Process,
        name: &str,
        category: &str,
        times: &Value,
        args: Option<Map<String, Value>>,
    ) -> io::Result<()> {
        let id = self.events.entry(process).or_default();
        *id += 1;
        let pid = pid(process);
        let kind = if category == "dftracer" { 1 } else { 3 };
        let mut event = json!({
            "id": *id, "name": name, "cat": category, "type": kind, "pid": pid,
            "tid": times.get("tid").cloned().unwrap_or_else(|| pid.into()),
            "ts": times["ts"], "dur": times["dur"], "ph": COMPLETE,
        });
        if let Some(args) = args {
            event["args"] = args.into();
        }
        self.line(&event)
    }
}

/// Ranks of further logs follow; the number of a process is not 0.
fn pid((log, rank): Process) -> i64 {
    super::chrome_events::pid(log, rank) + 1
}

fn hash_of(file_id: u64) -> String {
    format!("{file_id:016x}")
}

fn hash_of_text(text: &str) -> String {
    hash_of(diya_tables::record_id(text.as_bytes()))
}

/// Start of each log that has one, in us since 1970.
fn begins(trace: &Trace) -> HashMap<i32, i64> {
    let mut begins = HashMap::new();
    for batch in whole(trace, TableId::Job) {
        let logs = batch.column(job::LOG).as_primitive::<Int32Type>();
        let starts = batch.column(job::START_TIME).as_primitive::<TimestampNanosecondType>();
        for row in (0..batch.num_rows()).filter(|row| starts.is_valid(*row)) {
            begins.insert(logs.value(row), starts.value(row) / 1_000);
        }
    }
    begins
}
