//! What the threads of a training were seen doing: their calls, and samples of the
//! processor.

use super::family::Key;
use super::libraries::Library;
use crate::from_calls::intervals::join;
use crate::from_calls::lane::Span;
use arrow::array::Array;
use diya_tables::{BatchSource, Op, call, file, processor_sample};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

/// More calls of a log than this are not looked at: 0.2 GB.
pub(super) const MAX_CALLS: usize = 2_000_000;

/// Calls that are one row cover its span where they fill so much of it.
const FILLED_RATIO: f64 = 0.2;

/// Makes a stream of a file that is open already: no further sample.
const STREAM_OF_OPEN: &str = "fdopen";

/// What a path of a file contains that holds no data: modules and libraries.
const NO_DATA: [&str; 6] =
    ["/site-packages/", "/dist-packages/", "/lib/python", "/lib64/python", "/__pycache__/", ".so"];

/// How such a path begins: files of the system.
const OF_SYSTEM: [&str; 5] = ["/proc/", "/sys/", "/dev/", "/etc/", "/usr/"];

/// But data may be staged to memory.
const SHARED_MEMORY: &str = "/dev/shm/";

/// What a call is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum About {
    /// A data file.
    Data,
    /// A pipe or socket.
    Pipe,
    Other,
}

/// One call that no other contains, or calls that are one row.
#[derive(Debug, Clone, Copy)]
pub(super) struct Item {
    pub span: Span,
    pub about: About,
    pub is_read: bool,
    pub is_open: bool,
    pub calls: i64,
    pub bytes: i64,
    pub busy_s: f64,
    pub file_id: u64,
    pub offset: i64,
    pub stack_id: Option<u64>,
}

/// What was seen of one thread.
#[derive(Debug, Default, Clone)]
pub(super) struct Thread {
    /// In the order of their starts.
    pub items: Vec<Item>,
    pub samples: Vec<Span>,
}

impl Thread {
    pub fn data(&self) -> impl Iterator<Item = &Item> {
        self.items.iter().filter(|item| item.about == About::Data)
    }

    /// Reads of data files.
    pub fn reads(&self) -> impl Iterator<Item = &Item> {
        self.data().filter(|item| item.is_read)
    }

    /// Reads of data, where one row can be several.
    pub fn read_calls(&self) -> i64 {
        self.reads().map(|item| item.calls).sum()
    }

    pub fn first_s(&self) -> f64 {
        let call_s = self.items.first().map_or(f64::INFINITY, |item| item.span.0);
        self.samples.first().map_or(call_s, |of| of.0.min(call_s))
    }

    pub fn last_s(&self) -> f64 {
        let called_s = self.items.iter().map(|item| item.span.1).fold(0.0, f64::max);
        self.samples.last().map_or(called_s, |of| of.1.max(called_s))
    }
}

/// Threads by process and number.
pub(super) type Threads = BTreeMap<(i32, u64), Thread>;

diya_tables::columns! {
    struct LogColumns of call { log: i32 }
}

diya_tables::columns! {
    struct ItemColumns of call {
        log: i32,
        process: i32,
        thread: u64,
        parent_id: u64,
        stack_id: u64,
        op: str,
        function: str,
        file_id: u64,
        start_s: f64,
        end_s: f64,
        busy_s: f64,
        calls: i64,
        size_bytes: i64,
        offset_bytes: i64,
    }
}

diya_tables::columns! {
    struct SampleColumns of processor_sample {
        log: i32,
        process: i32,
        thread: u64,
        time_s: f64,
        weight_s: f64,
    }
}

diya_tables::columns! {
    struct FileColumns of file { log: i32, file_id: u64, path: str, kind: str }
}

/// What was seen of some processes.
#[derive(Debug, Default)]
pub(super) struct Observations {
    /// By log.
    pub threads: HashMap<i32, Threads>,
    /// Files of a log that hold code of a known library.
    pub code: HashMap<(i32, u64), Library>,
}

/// Calls and samples of these processes.
pub(super) fn observe(
    tables: &[Arc<dyn BatchSource>],
    is_wanted: impl Fn(Key) -> bool,
) -> Observations {
    let mut counts: HashMap<i32, usize> = HashMap::new();
    for of in LogColumns::all(tables) {
        of.log.values().iter().for_each(|log| *counts.entry(*log).or_default() += 1);
    }
    counts.retain(|_, count| *count <= MAX_CALLS);
    let files = Files::read(tables);
    let mut all: HashMap<i32, Threads> = HashMap::new();
    for of in ItemColumns::all(tables) {
        for row in (0..of.rows()).filter(|row| of.parent_id.is_null(*row)) {
            let (log, Some(process)) = (of.log.value(row), of.process.get(row)) else { continue };
            let (start_s, end_s) = (of.start_s.value(row), of.end_s.value(row));
            let is_timed = start_s.is_finite() && end_s.is_finite() && start_s <= end_s;
            if !is_timed || !counts.contains_key(&log) || !is_wanted((log, process)) {
                continue;
            }
            let (busy_s, op) = (of.busy_s.value(row), of.op.value(row));
            let is_filled = busy_s >= FILLED_RATIO * (end_s - start_s);
            let file_id = of.file_id.value(row);
            let item = Item {
                span: (start_s, if is_filled { end_s } else { start_s + busy_s }),
                about: files.about((log, file_id)),
                is_read: op == Op::Read.name(),
                is_open: op == Op::Open.name() && of.function.get(row) != Some(STREAM_OF_OPEN),
                calls: of.calls.value(row).max(1),
                bytes: of.size_bytes.get(row).unwrap_or(0).max(0),
                busy_s,
                file_id,
                offset: of.offset_bytes.get(row).unwrap_or(-1),
                stack_id: of.stack_id.get(row),
            };
            let thread = (process, of.thread.get(row).unwrap_or_default());
            all.entry(log).or_default().entry(thread).or_default().items.push(item);
        }
    }
    for of in SampleColumns::all(tables) {
        for row in 0..of.rows() {
            let (log, process) = (of.log.value(row), of.process.value(row));
            let (time_s, weight_s) = (of.time_s.value(row), of.weight_s.value(row));
            let is_number = time_s.is_finite() && weight_s.is_finite() && weight_s > 0.0;
            if is_number && counts.contains_key(&log) && is_wanted((log, process)) {
                let thread = (process, of.thread.value(row));
                let thread = all.entry(log).or_default().entry(thread).or_default();
                thread.samples.push((time_s - weight_s, time_s));
            }
        }
    }
    for thread in all.values_mut().flat_map(BTreeMap::values_mut) {
        thread.items.sort_by(|a, b| a.span.0.total_cmp(&b.span.0));
        join(&mut thread.samples);
    }
    all.values_mut().for_each(keep_read);
    Observations { threads: all, code: files.code }
}

/// Files of which nothing is read hold no data: folders, memory that processes share.
fn keep_read(threads: &mut Threads) {
    let read: HashSet<u64> = threads
        .values()
        .flat_map(|thread| thread.reads().filter(|item| item.bytes > 0))
        .map(|item| item.file_id)
        .collect();
    let items = threads.values_mut().flat_map(|thread| &mut thread.items);
    items
        .filter(|item| item.about == About::Data && !read.contains(&item.file_id))
        .for_each(|item| item.about = About::Other);
}

/// What files are no data.
#[derive(Default)]
struct Files {
    pipes: HashSet<(i32, u64)>,
    others: HashSet<(i32, u64)>,
    code: HashMap<(i32, u64), Library>,
}

impl Files {
    fn read(tables: &[Arc<dyn BatchSource>]) -> Self {
        let mut all = Self::default();
        for of in FileColumns::all(tables) {
            for row in 0..of.rows() {
                let file = (of.log.value(row), of.file_id.value(row));
                let path = of.path.get(row).unwrap_or_default();
                let is_named = path.starts_with("pipe:") || path.starts_with("socket:");
                if is_named || of.kind.get(row) == Some("pipe") {
                    all.pipes.insert(file);
                } else if !is_data(path) {
                    all.others.insert(file);
                    all.code.extend(Library::of_code(path).map(|library| (file, library)));
                }
            }
        }
        all
    }

    fn about(&self, file: (i32, u64)) -> About {
        match file {
            file if self.pipes.contains(&file) => About::Pipe,
            file if self.others.contains(&file) => About::Other,
            _ => About::Data,
        }
    }
}

fn is_data(path: &str) -> bool {
    let is_module = path.ends_with(".py") || NO_DATA.iter().any(|part| path.contains(part));
    let is_system = OF_SYSTEM.iter().any(|start| path.starts_with(start));
    !is_module && (!is_system || path.starts_with(SHARED_MEMORY))
}

#[cfg(test)]
mod tests {
    use super::is_data;

    #[test]
    fn modules_and_files_of_the_system_are_no_data() {
        assert!(is_data("/scratch/samples/1.npy") && is_data("/dev/shm/staged/shard.tar"));
        assert!(!is_data("/v/lib/python3.11/json/decoder.py") && !is_data("/proc/meminfo"));
        assert!(!is_data("/dev/urandom") && !is_data("/lib/libz.so.1") && !is_data("train.py"));
    }
}
