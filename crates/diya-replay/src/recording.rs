//! The recorded calls of a log, in the order of each process and thread.

use crate::error::ReplayError;
use crate::library::Libraries;
use crate::meeting::{Collectives, Meeting, meetings};
use crate::operation::{LOCK, OF_LIBRARIES, Operation, operation_of};
use crate::path::below;
use crate::step::Step;
use diya::input::Input;
use diya::model::Function;
use diya::{OpenOptions, TableId, TableSet, read_one};
use diya_tables::{Call, CallRun, Layer, NameId, Tables, file, job};
use std::collections::{BTreeMap, HashMap};

/// What a log has for a replay.
#[derive(Debug, Default)]
pub struct Recording {
    /// Name of the log.
    pub name: String,
    /// Command line of the program, where it is recorded.
    pub command_line: Option<String>,
    /// Calls that are issued again, in the order of time.
    pub steps: Vec<Step>,
    /// Who made them: a thread of a process, or a rank.
    pub streams: Vec<Stream>,
    /// Files, by the numbers in the steps.
    pub files: Vec<ReplayFile>,
    /// Names of functions, by the numbers in the steps.
    pub functions: Vec<String>,
    /// Collective calls: each with the streams that made it.
    pub meetings: Vec<Meeting>,
    /// Calls of libraries and locks.
    pub libraries: Libraries,
    /// Calls that are not issued again.
    pub left_out: Vec<LeftOut>,
    /// What was changed.
    pub transforms: Vec<String>,
    /// Transforms that found nothing to change.
    pub idle_transforms: Vec<String>,
}

/// A thread of a process, or a rank where threads were not recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Stream {
    /// Number of the process in the log; its rank where processes were not recorded.
    pub process: i32,
    /// Rank.
    pub rank: i32,
    /// Thread; 0: not recorded.
    pub thread: u64,
    /// Node that it ran on, where that is recorded.
    pub host: Option<NameId>,
}

/// A file of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplayFile {
    /// Path in the log.
    pub path: String,
    /// Path below the folder of the replay.
    pub below: String,
    /// It is a directory.
    pub is_directory: bool,
}

/// Calls of one function that are not issued again.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct LeftOut {
    /// Function.
    pub function: String,
    /// Why.
    pub reason: String,
    /// Calls.
    pub calls: u64,
    /// Their time, s.
    pub busy_s: f64,
}

/// Reads the calls of one log.
///
/// # Errors
///
/// If it cannot be read, has no single calls, or none that can be issued again.
pub fn read(input: &Input, options: &OpenOptions<'_>) -> Result<Recording, ReplayError> {
    let wanted = [TableId::Call, TableId::File, TableId::Process, TableId::Job];
    let mut options = OpenOptions { skips_system: true, ..options.clone() };
    options.selection.tables = wanted.into_iter().collect::<TableSet>();
    let tables = read_one(input, &options)?;
    if tables.calls.rows() == 0 {
        return Err(ReplayError::NoCalls(input.name.clone()));
    }
    let recording = Reader::new(&tables, &input.name).read();
    if recording.steps.is_empty() {
        let calls = recording.left_out.iter().map(|out| out.calls).sum();
        return Err(ReplayError::NothingToIssue { log: input.name.clone(), calls });
    }
    Ok(recording)
}

/// Paths of the table `file`, and which are files.
struct Names<'t> {
    paths: HashMap<u64, (&'t str, Option<&'t str>)>,
}

impl<'t> Names<'t> {
    fn of(tables: &'t Tables) -> Self {
        let mut paths = HashMap::new();
        if let Some(table) = tables.table(TableId::File) {
            for row in 0..table.rows() {
                let (id, path) = (table.u64(file::FILE_ID, row), table.str(file::PATH, row));
                if let Some((id, path)) = id.zip(path) {
                    paths.insert(id, (path, table.str(file::KIND, row)));
                }
            }
        }
        Self { paths }
    }
}

struct Reader<'t> {
    tables: &'t Tables,
    names: Names<'t>,
    recording: Recording,
    streams: HashMap<Stream, u32>,
    files: HashMap<String, u32>,
    file_ids: HashMap<u64, u32>,
    functions: HashMap<String, u32>,
    left_out: BTreeMap<(String, String), (u64, f64)>,
    collectives: Collectives,
}

impl<'t> Reader<'t> {
    fn new(tables: &'t Tables, name: &str) -> Self {
        let command_line = tables.table(TableId::Job).and_then(|t| t.str(job::COMMAND_LINE, 0));
        let command_line = command_line.map(str::to_owned);
        Self {
            tables,
            names: Names::of(tables),
            recording: Recording { name: name.to_owned(), command_line, ..Recording::default() },
            streams: HashMap::new(),
            files: HashMap::new(),
            file_ids: HashMap::new(),
            functions: HashMap::new(),
            left_out: BTreeMap::new(),
            collectives: BTreeMap::new(),
        }
    }

    fn read(mut self) -> Recording {
        let tables = self.tables;
        for chunk in tables.calls.chunks() {
            let mut at = 0;
            for run in &chunk.runs {
                for call in at..at + run.len {
                    self.call(run, &chunk.call(call));
                }
                at += run.len;
            }
        }
        self.recording.meetings = meetings(&self.collectives);
        let mut recording = self.recording;
        recording.libraries.bind(&mut recording.steps);
        // Stable: calls at the same moment keep the order of the log.
        recording.steps.sort_by(|a, b| a.at_s().total_cmp(&b.at_s()));
        recording.left_out = self
            .left_out
            .into_iter()
            .map(|((function, reason), (calls, busy_s))| LeftOut {
                function,
                reason,
                calls,
                busy_s,
            })
            .collect();
        recording.left_out.sort_by_key(|out| std::cmp::Reverse(out.calls));
        recording
    }

    fn call(&mut self, run: &CallRun, call: &Call) {
        let name = run.function.map_or("", |id| self.tables.calls.name(id));
        let calls = call.calls.map_or(1, |calls| u64::try_from(calls).unwrap_or(1).max(1));
        // Asynchronous requests: the time in flight.
        let flight_s = Function::ALL
            .iter()
            .find(|function| function.is_completion && function.name == name)
            .and(call.aux)
            .map(|ns| ns as f64 / 1e9);
        let length_s = (call.end_s - call.start_s).max(0.0);
        let busy_s = flight_s.or(call.busy_s).unwrap_or(length_s).max(0.0);
        if run.layer == Layer::Mpiio && run.is_collective == Some(true) {
            let (stream, function) = (self.stream(run, call), self.function(name));
            let group = self.collectives.entry((run.file_id, function)).or_default();
            group.entry(stream).or_default().push((call.start_s, call.end_s));
        }
        let step = operation_of(run.layer, run.op, name, call.aux)
            .map_err(str::to_owned)
            .and_then(|operation| self.step(operation, run, call, name));
        match step {
            Ok(step) => self.recording.steps.push(Step { calls, busy_s, ..step }),
            // The calls of libraries are many, and are issued as POSIX calls.
            Err(reason) if reason == OF_LIBRARIES => {
                let stream = self.stream(run, call);
                let file = self.file(run.file_id);
                self.recording.libraries.add_call(stream, (call.start_s, call.end_s), file);
            }
            Err(reason) => {
                if reason == LOCK {
                    let stream = self.stream(run, call);
                    self.recording.libraries.add_lock(stream, (call.start_s, call.end_s));
                }
                let shown = if name.is_empty() { run.op.name() } else { name };
                let out = self.left_out.entry((shown.to_owned(), reason)).or_default();
                *out = (out.0 + calls, out.1 + busy_s);
            }
        }
    }

    fn step(
        &mut self,
        operation: Operation,
        run: &CallRun,
        call: &Call,
        name: &str,
    ) -> Result<Step, String> {
        let error = run.error.map(|id| self.tables.calls.name(id));
        let has_failed = match error {
            None => false,
            Some("ENOENT" | "EEXIST" | "ENOTDIR") if !operation.is_transfer() => true,
            Some(error) => return Err(format!("failed in the recording: {error}")),
        };
        if !call.start_s.is_finite() || !call.end_s.is_finite() {
            return Err("without a time".to_owned());
        }
        let number = |value: i64, is_known: bool| is_known.then(|| u64::try_from(value).ok());
        let offset = number(call.offset_bytes, run.has_offset).flatten();
        let bytes = number(call.size_bytes, run.has_size).flatten().unwrap_or(0);
        if operation.is_transfer()
            && offset.unwrap_or(0).checked_add(bytes).is_none_or(|end| end > MAX_BYTES)
        {
            return Err("an impossible offset or size".to_owned());
        }
        let requested = call.requested_bytes.and_then(|bytes| u64::try_from(bytes).ok());
        let file = self.file(run.file_id).ok_or("a pipe, or a file without a name")?;
        if let Some(file) = self.recording.files.get_mut(file as usize) {
            file.is_directory |= matches!(
                operation,
                Operation::OpenDir | Operation::List | Operation::Mkdir | Operation::Rmdir
            );
        }
        Ok(Step {
            operation,
            op: run.op,
            stream: self.stream(run, call),
            file,
            function: self.function(if name.is_empty() { run.op.name() } else { name }),
            offset,
            bytes,
            // A damaged log may ask for more than there can be.
            requested: requested.unwrap_or(bytes).clamp(bytes, MAX_BYTES),
            aux: call.aux,
            calls: 1,
            start_s: call.start_s,
            end_s: call.end_s.max(call.start_s),
            busy_s: 0.0,
            has_failed,
            library: None,
            is_dropped: false,
            is_changed: false,
        })
    }

    fn stream(&mut self, run: &CallRun, call: &Call) -> u32 {
        let stream = Stream {
            process: run.process.unwrap_or(run.rank),
            rank: run.rank,
            thread: call.thread.unwrap_or(0),
            host: run.host,
        };
        let streams = &mut self.recording.streams;
        *self.streams.entry(stream).or_insert_with(|| {
            streams.push(stream);
            (streams.len() - 1) as u32
        })
    }

    fn function(&mut self, name: &str) -> u32 {
        if let Some(number) = self.functions.get(name) {
            return *number;
        }
        let number = self.recording.functions.len() as u32;
        self.recording.functions.push(name.to_owned());
        self.functions.insert(name.to_owned(), number);
        number
    }

    fn file(&mut self, id: u64) -> Option<u32> {
        if let Some(number) = self.file_ids.get(&id) {
            return Some(*number);
        }
        let (path, kind) = *self.names.paths.get(&id)?;
        if kind.is_some_and(|kind| !["file", "directory"].contains(&kind)) || path == "<unknown>" {
            return None;
        }
        let below = below(path);
        let files = &mut self.recording.files;
        let number = *self.files.entry(below.clone()).or_insert_with(|| {
            files.push(ReplayFile { path: path.to_owned(), below, is_directory: false });
            (files.len() - 1) as u32
        });
        if let Some(file) = self.recording.files.get_mut(number as usize) {
            file.is_directory |= kind == Some("directory");
        }
        self.file_ids.insert(id, number);
        Some(number)
    }
}

/// The largest size of a file that is taken for possible: 8 EiB are the limit of Linux.
const MAX_BYTES: u64 = 1 << 60;
