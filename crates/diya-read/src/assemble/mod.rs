//! Calls of a foreign trace, one by one, become the tables that a recording has.
//!
//! A reader says which process made which call on which file; counters, sums and
//! heat maps follow from the calls, by the same code that counts those of a
//! recording. So checks and metrics need not know who recorded.

mod counters;
mod functions;
mod messages;
mod nesting;
mod rows;
mod summary;

#[cfg(test)]
mod tests;

pub(crate) use counters::{Holds, Series, SeriesType};
pub(crate) use functions::{Known, called, known_function};
pub(crate) use messages::{TracedCommunicator, TracedMessage};
pub(crate) use summary::Sums;

use crate::{Request, TableSet};
use counters::Counters;
use diya_tables::{Call, CallRun, CallTable, FastHashMap, IssueKind, Layer, TableId, record_id};
use messages::Messages;
use std::collections::HashSet;

/// Name under which calls go whose file is not known.
pub(crate) const NO_FILE: &str = "<unknown>";

/// One process of the trace.
#[derive(Debug, Clone, Default)]
#[allow(missing_docs)] // as the columns of table `process`
pub(crate) struct Process {
    /// Number in all tables; processes of one rank share it.
    pub rank: i32,
    pub mpi_rank: Option<i32>,
    pub mpi_size: Option<i32>,
    pub host: Option<String>,
    pub pid: Option<i64>,
    pub parent_pid: Option<i64>,
    pub parent: Option<i32>,
    pub exe: String,
    pub command_line: String,
    pub cwd: Option<String>,
    pub start_ns: i64,
    pub end_ns: Option<i64>,
    pub ended: Option<&'static str>,
    pub exit_code: Option<i32>,
}

/// One call, in nanoseconds of the trace's clock.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TracedCall<'c> {
    pub process: usize,
    pub thread: u64,
    pub function: Known<'c>,
    pub file_id: u64,
    pub offset: Option<i64>,
    /// Bytes moved; `None`: it moves none, or that was not recorded.
    pub size: Option<i64>,
    pub requested: Option<i64>,
    pub start_ns: i64,
    pub end_ns: i64,
    pub error: Option<&'c str>,
    pub aux: Option<i64>,
}

/// A period of a thread that has a name: no I/O.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Region<'r> {
    pub process: usize,
    pub thread: Option<u64>,
    pub name: &'r str,
    /// Empty: none.
    pub category: &'r str,
    /// Number of the step that it is.
    pub step: Option<i64>,
    pub start_ns: i64,
    pub end_ns: i64,
}

/// The same, its names as numbers: a trace has many regions and few names.
#[derive(Debug, Clone, Copy)]
struct KeptRegion {
    process: usize,
    thread: Option<u64>,
    name: u32,
    category: u32,
    number: Option<i64>,
    start_ns: i64,
    end_ns: i64,
}

/// Name and number of a step as PyTorch's profiler writes it: `ProfilerStep#12`.
fn numbered_step(name: &str) -> Option<(&str, i64)> {
    let (name, number) = name.split_once('#').filter(|(name, _)| *name == "ProfilerStep")?;
    Some((name, number.parse().ok()?))
}

/// Texts, each kept once.
#[derive(Debug, Default)]
struct Texts {
    ids: FastHashMap<String, u32>,
    texts: Vec<String>,
}

impl Texts {
    fn id(&mut self, text: &str) -> u32 {
        if let Some(id) = self.ids.get(text) {
            return *id;
        }
        let id = u32::try_from(self.texts.len()).unwrap_or(u32::MAX);
        self.texts.push(text.to_string());
        self.ids.insert(text.to_string(), id);
        id
    }

    fn get(&self, id: u32) -> &str {
        usize::try_from(id).ok().and_then(|at| self.texts.get(at)).map_or("", String::as_str)
    }
}

/// What the trace is, for table `job`.
#[derive(Debug, Clone, Default)]
pub(crate) struct About {
    pub format: &'static str,
    pub log_version: Option<String>,
    pub library_version: Option<String>,
    /// Its clock counts from 1970.
    pub is_real_time: bool,
    /// How long calls took was recorded.
    pub has_durations: bool,
    /// Calls may be inside others of their thread.
    pub has_nesting: bool,
    /// Calls say which thread made them.
    pub has_threads: bool,
    /// Number of processes that the trace itself gives.
    pub nprocs: Option<i64>,
}

#[derive(Debug)]
struct File {
    path: String,
    kind: &'static str,
    is_suffix: bool,
}

/// Bytes that all ranks together moved in a period, where no call is known.
#[derive(Debug, Clone, Copy)]
struct Transfer {
    layer: Layer,
    is_write: bool,
    start_ns: i64,
    end_ns: i64,
    bytes: u64,
}

/// Calls of one thread.
struct Stream {
    process: usize,
    thread: u64,
    calls: CallTable,
    /// How many there are, also of those that are not kept.
    count: u64,
}

/// Tables that have nothing of single calls: a question for no other needs none in memory.
const WITHOUT_CALLS: TableSet = TableSet::NONE
    .with(TableId::Job)
    .with(TableId::Process)
    .with(TableId::RankHost)
    .with(TableId::File)
    .with(TableId::Region)
    .with(TableId::CounterSample)
    .with(TableId::ReadIssue);

/// Tables that are sums over the calls.
fn wants_sums(tables: TableSet) -> bool {
    let sums = [TableId::OpCount, TableId::Heatmap, TableId::Module];
    // What is derived from the counters of a layer needs these, too.
    let derived = [TableId::SizeHistogram, TableId::AccessSize];
    TableId::of_layers().chain(sums).chain(derived).any(|table| tables.has(table))
}

/// A trace while it is read.
pub(crate) struct Assembly<'a> {
    request: &'a Request<'a>,
    keeps_calls: bool,
    wants_sums: bool,
    pub processes: Vec<Process>,
    regions: Vec<KeptRegion>,
    region_texts: Texts,
    counters: Counters,
    messages: Messages,
    files: FastHashMap<u64, File>,
    streams: Vec<Stream>,
    transfers: Vec<Transfer>,
    stream_of: FastHashMap<(usize, u64), usize>,
    last_stream: Option<((usize, u64), usize)>,
    threads: FastHashMap<usize, HashSet<u64>>,
    /// Time that the tables of calls count from while the trace is read.
    base_ns: Option<i64>,
    first_ns: i64,
    last_ns: i64,
    calls: u64,
}

impl<'a> Assembly<'a> {
    pub fn new(request: &'a Request<'a>) -> Self {
        Self {
            request,
            keeps_calls: request.selection.tables.minus(WITHOUT_CALLS) != TableSet::NONE,
            wants_sums: wants_sums(request.selection.tables),
            processes: Vec::new(),
            regions: Vec::new(),
            region_texts: Texts::default(),
            counters: Counters::default(),
            messages: Messages::default(),
            files: FastHashMap::default(),
            streams: Vec::new(),
            transfers: Vec::new(),
            stream_of: FastHashMap::default(),
            last_stream: None,
            threads: FastHashMap::default(),
            base_ns: None,
            first_ns: i64::MAX,
            last_ns: i64::MIN,
            calls: 0,
        }
    }

    /// Adds a process; returns its number.
    pub fn process(&mut self, process: Process) -> usize {
        self.note(process.start_ns);
        self.processes.push(process);
        self.processes.len() - 1
    }

    /// Id of a file; `kind` as in table `file`.
    pub fn file(&mut self, path: &str, kind: &'static str) -> u64 {
        let id = record_id(path.as_bytes());
        self.files.entry(id).or_insert_with(|| File {
            path: path.to_string(),
            kind,
            is_suffix: path == NO_FILE || (kind == "file" && !path.starts_with('/')),
        });
        id
    }

    /// Adds a region.
    pub fn region(&mut self, region: &Region<'_>) {
        self.note(region.start_ns);
        self.note(region.end_ns);
        if !self.request.selection.tables.has(TableId::Region) {
            return;
        }
        let step = region.step.map(|number| (region.name, number));
        let step = step.or_else(|| numbered_step(region.name));
        self.regions.push(KeptRegion {
            process: region.process,
            thread: region.thread,
            name: self.region_texts.id(step.map_or(region.name, |step| step.0)),
            category: self.region_texts.id(step.map_or(region.category, |_| "step")),
            number: step.map(|step| step.1),
            start_ns: region.start_ns,
            end_ns: region.end_ns,
        });
    }

    /// Adds bytes that all ranks together moved in a period: they are in the heat map only.
    pub fn transfer(
        &mut self,
        layer: Layer,
        is_write: bool,
        (start_ns, end_ns): (i64, i64),
        bytes: u64,
    ) {
        self.note(start_ns);
        self.note(end_ns);
        self.transfers.push(Transfer { layer, is_write, start_ns, end_ns, bytes });
    }

    /// Something happened at this time.
    pub fn note(&mut self, ns: i64) {
        self.base_ns.get_or_insert(ns);
        self.first_ns = self.first_ns.min(ns);
        self.last_ns = self.last_ns.max(ns);
    }

    /// Calls so far.
    pub fn calls(&self) -> u64 {
        self.calls
    }

    /// Adds a call.
    pub fn call(&mut self, call: &TracedCall<'_>) {
        self.note(call.start_ns);
        self.note(call.end_ns);
        let base_ns = self.base_ns.unwrap_or_default();
        let at = self.stream(call.process, call.thread);
        let Some(Stream { calls, count, .. }) = self.streams.get_mut(at) else { return };
        self.calls += 1;
        *count += 1;
        if !self.keeps_calls {
            return;
        }
        let since = |ns: i64| ns.saturating_sub(base_ns) as f64 / 1e9;
        let run = CallRun::new(
            self.request.log,
            call.function.layer,
            call.function.op,
            call.file_id,
            i32::try_from(call.process).unwrap_or(i32::MAX),
        );
        let run = CallRun {
            function: Some(calls.name_id(call.function.name)),
            process: i32::try_from(call.process).ok(),
            error: call.error.map(|error| calls.name_id(error)),
            is_collective: call.function.is_collective,
            has_offset: call.offset.is_some(),
            has_size: call.size.is_some(),
            ..run
        };
        let numbers = Call {
            offset_bytes: call.offset.unwrap_or_default(),
            size_bytes: call.size.unwrap_or_default(),
            start_s: since(call.start_ns),
            end_s: since(call.end_ns.max(call.start_ns)),
            requested_bytes: call.requested,
            aux: call.aux,
            ..Call::default()
        };
        calls.push(run, numbers);
    }

    fn stream(&mut self, process: usize, thread: u64) -> usize {
        let key = (process, thread);
        if let Some((last, at)) = self.last_stream
            && last == key
        {
            return at;
        }
        let streams = &mut self.streams;
        let at = *self.stream_of.entry(key).or_insert_with(|| {
            streams.push(Stream { process, thread, calls: CallTable::default(), count: 0 });
            streams.len() - 1
        });
        self.threads.entry(process).or_default().insert(thread);
        self.last_stream = Some((key, at));
        at
    }
}

/// Damage of a trace, of one kind: where it began and how much there is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Damage {
    pub kind: IssueKind,
    pub first_offset: u64,
    pub count: u64,
}

impl Damage {
    /// None so far.
    pub const fn none(kind: IssueKind) -> Self {
        Self { kind, first_offset: 0, count: 0 }
    }

    /// One more, here.
    pub fn add(&mut self, offset: u64) {
        if self.count == 0 {
            self.first_offset = offset;
        }
        self.count += 1;
    }
}
