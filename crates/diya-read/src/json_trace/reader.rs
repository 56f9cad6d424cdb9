//! Event after event: calls where name and arguments say so, else regions.

use super::event::{Event, Phase, Value, event as read_event, id, nanoseconds, real};
use super::names::Names;
use crate::Request;
use crate::assemble::{
    Assembly, Holds, Known, NO_FILE, Process, Region, Series, SeriesType, TracedCall, called,
};
use diya_model::{Layer, Op};
use diya_tables::FastHashMap;
use diya_tables::{IssueKind, Tables};
use std::borrow::Cow;

/// Adds an issue: its kind, byte offset, count and effect.
type PushIssue<'p> = dyn Fn(&mut Tables, IssueKind, Option<u64>, u64, &str) + 'p;

/// Arguments that hold a path, by the names that tracers use.
const PATH: [&str; 8] =
    ["file", "fname", "filename", "path", "file_name", "pathname", "File Name", "Path"];
const OFFSET: [&str; 3] = ["offset_bytes", "offset", "off"];
const SIZE: [&str; 6] = ["size_bytes", "ret", "size", "bytes", "nbytes", "length"];
const REQUESTED: [&str; 4] = ["requested_bytes", "count", "size", "nbytes"];
const ERROR: [&str; 2] = ["error", "errno"];

/// Times after this (2001, in nanoseconds) count from 1970.
const REAL_TIME_NS: i64 = 1_000_000_000_000_000_000;

/// What a trace gives, event by event.
pub(super) struct Reader<'a> {
    assembly: Assembly<'a>,
    names: Names,
    /// Number of each process in the tables.
    processes: FastHashMap<u64, usize>,
    /// Events that have begun, by process and thread.
    open: FastHashMap<(u64, u64), Vec<Open>>,
    /// Asynchronous ones, by category, process and id.
    open_async: FastHashMap<(String, u64, String), Open>,
    /// By the layer that the category names, and by name.
    functions: FastHashMap<Option<Layer>, FastHashMap<String, Option<Known<'static>>>>,
    last_layer: (String, Option<Layer>),
    is_dftracer: bool,
    unit_ns: i64,
    pub version: Option<String>,
    last_ns: i64,
    /// Events whose end never came, or whose start never did.
    unpaired: u64,
    /// Complete events that do not say how long they took.
    without_length: u64,
    /// Moments and the like.
    other: u64,
}

/// An event that has begun.
struct Open {
    text: Vec<u8>,
    start_ns: i64,
}

impl<'a> Reader<'a> {
    pub fn new(request: &'a Request<'a>, is_dftracer: bool) -> Self {
        Self {
            assembly: Assembly::new(request),
            names: Names::default(),
            processes: FastHashMap::default(),
            open: FastHashMap::default(),
            open_async: FastHashMap::default(),
            functions: FastHashMap::default(),
            last_layer: (String::new(), None),
            is_dftracer,
            unit_ns: 1000,
            version: None,
            last_ns: 0,
            unpaired: 0,
            without_length: 0,
            other: 0,
        }
    }

    pub fn into_assembly(self) -> Assembly<'a> {
        self.assembly
    }

    pub fn is_real_time(&self) -> bool {
        self.last_ns > REAL_TIME_NS
    }

    /// Takes in an event and its text; false: it is damaged.
    pub fn event(&mut self, event: &Event<'_>, text: &[u8]) -> bool {
        // Members of the file that are no events.
        let Some(phase) = event.phase() else { return true };
        let pid = id(&event.pid);
        if phase == Phase::Metadata {
            self.metadata(event, pid);
            return true;
        }
        if phase == Phase::Other {
            self.other += 1;
            return true;
        }
        let Some(ns) = nanoseconds(&event.ts, self.unit_ns) else { return false };
        self.last_ns = self.last_ns.max(ns);
        let key = (pid.unwrap_or(0), id(&event.tid).unwrap_or(0));
        match phase {
            Phase::Complete => {
                let dur = nanoseconds(&event.dur, self.unit_ns);
                self.without_length += u64::from(dur.is_none());
                let end_ns = ns.saturating_add(dur.unwrap_or(0).max(0));
                self.complete(event, key, ns, end_ns, Some(key.1));
            }
            Phase::Begin => {
                let open = Open { text: text.to_vec(), start_ns: ns };
                self.open.entry(key).or_default().push(open);
            }
            Phase::End => match self.open.get_mut(&key).and_then(Vec::pop) {
                Some(open) => self.ended(&open, event, key, ns, Some(key.1)),
                None => self.unpaired += 1,
            },
            Phase::AsyncBegin => {
                let open = Open { text: text.to_vec(), start_ns: ns };
                let before = self.open_async.insert(async_key(event, key.0), open);
                self.unpaired += u64::from(before.is_some());
            }
            Phase::AsyncEnd => match self.open_async.remove(&async_key(event, key.0)) {
                Some(open) => self.ended(&open, event, key, ns, None),
                None => self.unpaired += 1,
            },
            Phase::Counter => self.counter(event, key.0, ns),
            Phase::Metadata | Phase::Other => {}
        }
        true
    }

    fn metadata(&mut self, event: &Event<'_>, pid: Option<u64>) {
        self.names.learn(event, pid);
        if event.name == "CM" && event.text(&["name"]) == Some("time_metric") {
            self.unit_ns = match event.text(&["value"]) {
                Some("NS") => 1,
                Some("MS") => 1_000_000,
                Some("S") => 1_000_000_000,
                _ => 1000,
            };
        }
        let name = pid.and_then(|pid| self.names.processes.get(&pid));
        if let (Some(name), Some(at)) = (name, pid.and_then(|pid| self.processes.get(&pid)))
            && let Some(process) = self.assembly.processes.get_mut(*at)
        {
            process.exe.clone_from(name);
        }
    }

    fn process(&mut self, pid: u64, ns: i64) -> usize {
        if let Some(at) = self.processes.get(&pid) {
            if let Some(process) = self.assembly.processes.get_mut(*at) {
                process.start_ns = process.start_ns.min(ns);
            }
            return *at;
        }
        let rank = i32::try_from(self.processes.len()).unwrap_or(i32::MAX);
        let exe = self.names.processes.get(&pid).cloned().unwrap_or_default();
        let at = self.assembly.process(Process {
            rank,
            pid: i64::try_from(pid).ok(),
            exe,
            start_ns: ns,
            ..Process::default()
        });
        self.processes.insert(pid, at);
        at
    }

    /// The end of an event gives arguments, too: results are known only then.
    fn ended(
        &mut self,
        open: &Open,
        end: &Event<'_>,
        key: (u64, u64),
        end_ns: i64,
        thread: Option<u64>,
    ) {
        let mut repaired = String::new();
        let Some(mut event) = read_event(&open.text, &mut repaired) else { return };
        if let Some(more) = &end.args {
            let args = event.args.get_or_insert_default();
            args.0.extend(more.0.iter().cloned());
        }
        self.complete(&event, key, open.start_ns, end_ns, thread);
    }

    fn complete(
        &mut self,
        event: &Event<'_>,
        (pid, tid): (u64, u64),
        start_ns: i64,
        end_ns: i64,
        thread: Option<u64>,
    ) {
        let process = self.process(pid, start_ns);
        self.assembly.note(start_ns);
        self.assembly.note(end_ns);
        if self.is_dftracer {
            self.dftracer(event, process, end_ns);
            if event.cat == "dftracer" {
                return;
            }
        }
        // DFTracer marks the end of a process; elsewhere its last event has to do.
        if let (false, Some(process)) = (self.is_dftracer, self.assembly.processes.get_mut(process))
        {
            process.end_ns = process.end_ns.max(Some(end_ns));
        }
        if let Some(function) = self.function(event) {
            self.call(event, function, process, tid, (start_ns, end_ns));
            return;
        }
        self.assembly.region(&Region {
            process,
            thread,
            name: &event.name,
            category: &event.cat,
            // Of TensorFlow's `Trace`.
            step: event.number(&["step_num"]),
            start_ns,
            end_ns,
        });
    }

    /// Values of a counter: each argument that is a number is a series, and holds until the
    /// next event of this counter.
    fn counter(&mut self, event: &Event<'_>, pid: u64, ns: i64) {
        let host = self.names.behind(event, "hhash").map(str::to_string);
        let process = self.process(pid, ns);
        if let (false, Some(process)) = (self.is_dftracer, self.assembly.processes.get_mut(process))
        {
            process.end_ns = process.end_ns.max(Some(ns));
        }
        let name = match &event.id {
            Value::Other => event.name.to_string(),
            id => format!("{}[{}]", event.name, id_text(id)),
        };
        let mut has_value = false;
        // Series have numbers: the same ones in whatever order the values are written.
        let mut values: Vec<_> = event.args.iter().flat_map(|args| &args.0).collect();
        values.sort_by_key(|(part, _)| part.as_ref());
        for (part, value) in values {
            // Texts of DFTracer are hashes, which can look like numbers.
            let is_hash = self.is_dftracer && value.as_str().is_some();
            let Some(value) = real(value).filter(|_| !is_hash) else { continue };
            has_value = true;
            // Writers of one value name it after nothing, or like the counter.
            let is_only = part == "value" || *part == name;
            let series = self.assembly.series(Series {
                name: name.clone(),
                part: (!is_only).then(|| part.to_string()),
                unit: None,
                kind: SeriesType::Gauge,
                holds: Holds::Next,
                process: Some(process),
                thread: None,
                host: host.clone(),
            });
            self.assembly.sample(series, ns, value);
        }
        self.other += u64::from(!has_value);
    }

    /// What DFTracer says of the process of an event.
    fn dftracer(&mut self, event: &Event<'_>, at: usize, end_ns: i64) {
        let Some(process) = self.assembly.processes.get_mut(at) else { return };
        if process.host.is_none() {
            process.host = self.names.behind(event, "hhash").map(str::to_string);
        }
        if event.cat == "dftracer" && event.name == "start" {
            let start = self.names.start(event);
            process.exe = start.exe.unwrap_or_default();
            process.command_line = start.command_line.unwrap_or_default();
            process.cwd = start.cwd;
            process.parent_pid = start.parent_pid;
            process.mpi_rank = start.rank;
            self.version = start.version.or(self.version.take());
        } else if event.cat == "dftracer" && event.name == "end" {
            (process.ended, process.end_ns) = (Some("exited"), Some(end_ns));
        }
    }

    /// The I/O function that an event is a call of.
    fn function(&mut self, event: &Event<'_>) -> Option<Known<'static>> {
        let layer = self.layer(&event.cat);
        let says_file = || {
            let args = event.args.as_ref();
            event.text(&PATH).is_some() || args.is_some_and(|args| args.get("fhash").is_some())
        };
        if layer.is_none() && !says_file() {
            return None;
        }
        let known = self.functions.entry(layer).or_default();
        let name = event.name.as_ref();
        if let Some(known) = known.get(name) {
            return *known;
        }
        let function = called(name, layer);
        known.insert(name.to_string(), function);
        function
    }

    /// Layer that a category names; events often have the category of the one before.
    fn layer(&mut self, category: &str) -> Option<Layer> {
        if self.last_layer.0 != category {
            self.last_layer = (category.to_string(), layer_of(category));
        }
        self.last_layer.1
    }

    fn call(
        &mut self,
        event: &Event<'_>,
        function: Known<'_>,
        process: usize,
        thread: u64,
        (start_ns, end_ns): (i64, i64),
    ) {
        let path = self.names.behind(event, "fhash").or_else(|| event.text(&PATH));
        let cwd = self.assembly.processes.get(process).and_then(|process| process.cwd.as_deref());
        let path = match (path, cwd) {
            (Some(path), Some(cwd)) if !path.starts_with('/') && self.is_dftracer => {
                Some(Cow::Owned(format!("{cwd}/{path}")))
            }
            (path, _) => path.map(Cow::Borrowed),
        };
        let file_id = match path {
            Some(path) => self.assembly.file(&path, "file"),
            None => self.assembly.file(NO_FILE, "path_suffix"),
        };
        let moves = matches!(function.op, Op::Read | Op::Write);
        let done = event.number(&SIZE);
        let is_failed = done.is_some_and(|done| done < 0);
        let error = event.text(&ERROR).or(is_failed.then_some("unknown"));
        let thread = event.number(&["thread"]).map_or(thread, i64::cast_unsigned);
        self.assembly.call(&TracedCall {
            process,
            thread,
            function,
            file_id,
            offset: event.number(&OFFSET).filter(|offset| *offset >= 0),
            size: if moves { done.map(|done| done.max(0)) } else { None },
            requested: if moves { event.number(&REQUESTED).filter(|n| *n >= 0) } else { None },
            start_ns,
            end_ns,
            error,
            aux: event.number(&["flags"]).filter(|_| function.op == Op::Open),
        });
    }

    /// Says what no table holds.
    pub fn finish_issues(&mut self, push: &PushIssue<'_>, tables: &mut Tables) {
        let open: usize = self.open.values().map(Vec::len).sum::<usize>() + self.open_async.len();
        let unpaired = self.unpaired.saturating_add(u64::try_from(open).unwrap_or(0));
        let effect = "events have a start without an end, or an end without a start: they are \
                      left out";
        push(tables, IssueKind::NotRecorded, None, unpaired, effect);
        let effect = "events have no length (`dur`): it is shown as 0 s";
        push(tables, IssueKind::Untimed, None, self.without_length, effect);
        let effect = "moments, flows and sums over many events: no table holds them";
        push(tables, IssueKind::Misfit, None, self.other, effect);
        let processes = self.assembly.processes.iter();
        let running = processes.filter(|process| process.ended.is_none()).count();
        if self.is_dftracer {
            let effect = "processes have no last event: they were killed, or the file is cut";
            let running = u64::try_from(running).unwrap_or(0);
            push(tables, IssueKind::Unfinished, None, running, effect);
        }
    }
}

fn async_key(event: &Event<'_>, pid: u64) -> (String, u64, String) {
    (event.cat.to_string(), pid, id_text(&event.id))
}

/// The id of an event, which is a text or a number.
fn id_text(id: &Value<'_>) -> String {
    match id {
        Value::Text(text) => text.to_string(),
        Value::Number(number) => number.to_string(),
        Value::Other => String::new(),
    }
}

/// Layer that a category names; `None`: it names none.
fn layer_of(category: &str) -> Option<Layer> {
    let name = category.to_ascii_lowercase();
    let name = name.split(',').next().unwrap_or_default().trim();
    Layer::from_name(name).or_else(|| Layer::of_software(name))
}
