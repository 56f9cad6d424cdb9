//! Table `call`, as far as these computations need it: read once, grouped into
//! streams.
//!
//! A stream is what one rank does to one file in one layer and direction. What
//! its calls share is kept once, and sums per file, rank or size need no
//! hashing per call: they add up by the number of the stream.

use arrow::array::{Array, AsArray, RecordBatch, StringViewArray};
use arrow::datatypes::{Float64Type, Int32Type, Int64Type, UInt64Type};
use diya_tables::{BatchSource, Layer, Op, TableId, call};
use std::collections::HashMap;
use std::sync::Arc;

/// What the calls of a stream have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Stream {
    pub log: i32,
    pub rank: i32,
    pub layer: Layer,
    pub op: Op,
    pub file_id: u64,
    /// Place in [`Calls::hosts`].
    pub host: Option<u32>,
}

impl Stream {
    /// Whether it hands data, or the wish that it be safe, to the storage.
    pub fn is_data(&self) -> bool {
        matches!(self.op, Op::Read | Op::Write | Op::Sync | Op::Datasync | Op::SyncMap | Op::Flush)
    }

    /// Whether it reads or writes.
    pub fn is_transfer(&self) -> bool {
        matches!(self.op, Op::Read | Op::Write)
    }
}

/// The numbers of one row of table `call`. Times in seconds since the start of
/// the job. Small: there can be ten million.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Call {
    pub start_s: f64,
    pub end_s: f64,
    /// Time inside the calls of this row.
    pub busy_s: f64,
    /// First byte; -1 when the call has no place in the file.
    offset: i64,
    /// Bytes moved; 0 when the call moves none.
    pub size_bytes: i64,
    /// Calls of this row.
    pub calls: i64,
    /// Place in [`Calls::streams`].
    pub stream: u32,
    /// Number of the thread in this analysis; `NO_THREAD` when not recorded.
    pub thread: u32,
}

/// The thread was not recorded.
pub(super) const NO_THREAD: u32 = u32::MAX;

impl Call {
    /// First byte, when the call has a place in the file.
    pub fn offset(&self) -> Option<i64> {
        (self.offset >= 0).then_some(self.offset)
    }

    /// First byte and the one after the last, when bytes were moved there.
    pub fn extent(&self) -> Option<(i64, i64)> {
        let from = self.offset().filter(|_| self.size_bytes > 0)?;
        Some((from, from.saturating_add(self.size_bytes)))
    }
}

/// All calls, in the order of the table.
#[derive(Debug, Default)]
pub(crate) struct Calls {
    pub rows: Vec<Call>,
    pub streams: Vec<Stream>,
    /// Calls of each stream that moved no byte, and their time in s. Those whose
    /// bytes are not known are not among them.
    pub empty: Vec<(i64, f64)>,
    /// Names of nodes.
    pub hosts: Vec<String>,
    /// Thread ids as recorded, by the number in a call.
    pub threads: Vec<u64>,
    stream_of: HashMap<Stream, u32>,
    host_of: HashMap<String, u32>,
    thread_of: HashMap<u64, u32>,
}

const COLUMNS: [usize; 13] = [
    call::LOG,
    call::RANK,
    call::LAYER,
    call::OP,
    call::FILE_ID,
    call::OFFSET_BYTES,
    call::SIZE_BYTES,
    call::START_S,
    call::END_S,
    call::BUSY_S,
    call::CALLS,
    call::HOST,
    call::THREAD,
];

impl Calls {
    /// All calls with a known layer and operation and with times that are in
    /// order; the reader says in `read_issue` what is wrong with the others.
    pub fn load(tables: &[Arc<dyn BatchSource>]) -> Self {
        let name = TableId::Call.def().name;
        let mut calls = Self::default();
        if let Some(table) = tables.iter().find(|table| table.def().name == name) {
            calls.rows.reserve_exact(table.rows());
            for piece in 0..table.pieces() {
                calls.append(&table.piece(piece, &COLUMNS));
            }
        }
        calls
    }

    /// The stream of a call.
    pub fn stream(&self, call: &Call) -> &Stream {
        &self.streams[call.stream as usize]
    }

    /// Each call with its stream.
    pub fn iter(&self) -> impl Iterator<Item = (&Stream, &Call)> {
        self.rows.iter().map(|call| (self.stream(call), call))
    }

    /// Appends a call; the same stream in turn costs one comparison.
    pub fn push(&mut self, stream: Stream, call: Call) {
        let is_same = self.rows.last().is_some_and(|last| *self.stream(last) == stream);
        let number = match self.rows.last() {
            Some(last) if is_same => last.stream,
            _ => self.number(stream),
        };
        self.rows.push(Call { stream: number, ..call });
    }

    fn number(&mut self, stream: Stream) -> u32 {
        let next = u32::try_from(self.streams.len()).unwrap_or(u32::MAX);
        let number = *self.stream_of.entry(stream).or_insert(next);
        if number == next {
            self.streams.push(stream);
            self.empty.push((0, 0.0));
        }
        number
    }

    fn append(&mut self, batch: &RecordBatch) {
        let logs = batch.column(0).as_primitive::<Int32Type>().values();
        let ranks = batch.column(1).as_primitive::<Int32Type>().values();
        let layers = batch.column(2).as_string_view();
        let ops = batch.column(3).as_string_view();
        let files = batch.column(4).as_primitive::<UInt64Type>().values();
        let offsets = batch.column(5).as_primitive::<Int64Type>();
        let sizes = batch.column(6).as_primitive::<Int64Type>();
        let starts = batch.column(7).as_primitive::<Float64Type>().values();
        let ends = batch.column(8).as_primitive::<Float64Type>().values();
        let busy = batch.column(9).as_primitive::<Float64Type>().values();
        let counts = batch.column(10).as_primitive::<Int64Type>().values();
        let hosts = batch.column(11).as_string_view();
        let threads = batch.column(12).as_primitive::<UInt64Type>();
        let (has_offsets, has_sizes) = (offsets.null_count() > 0, sizes.null_count() > 0);
        let has_threads = threads.null_count() < threads.len();
        let (mut layer, mut op, mut host) = (Word::default(), Word::default(), Word::default());
        let mut thread = (None, NO_THREAD);
        for row in 0..batch.num_rows() {
            let layer = layer.at(layers, row, Layer::from_name);
            let op = op.at(ops, row, Op::from_name);
            let (Some(layer), Some(op)) = (layer, op) else { continue };
            // MPI_Init and MPI_Finalize, which own traces hold, too, are no I/O.
            if (layer, op) == (Layer::Mpiio, Op::Other) {
                continue;
            }
            let (start_s, end_s) = (starts[row], ends[row]);
            if !(start_s.is_finite() && end_s.is_finite() && start_s <= end_s) {
                continue;
            }
            let host = host
                .at(hosts, row, |name| Some(number_of(name, &mut self.host_of, &mut self.hosts)));
            if has_threads {
                let id = threads.is_valid(row).then(|| threads.value(row));
                if id != thread.0 {
                    let known = id.map(|id| {
                        let next = u32::try_from(self.threads.len()).unwrap_or(NO_THREAD);
                        let number = *self.thread_of.entry(id).or_insert(next);
                        if number == next {
                            self.threads.push(id);
                        }
                        number
                    });
                    thread = (id, known.unwrap_or(NO_THREAD));
                }
            }
            let has_offset = !has_offsets || offsets.is_valid(row);
            let has_size = !has_sizes || sizes.is_valid(row);
            let stream =
                Stream { log: logs[row], rank: ranks[row], layer, op, file_id: files[row], host };
            let call = Call {
                start_s,
                end_s,
                busy_s: busy[row],
                offset: if has_offset { offsets.value(row).max(-1) } else { -1 },
                size_bytes: if has_size { sizes.value(row).max(0) } else { 0 },
                calls: counts[row],
                stream: 0,
                thread: thread.1,
            };
            let is_empty = has_size && call.size_bytes == 0;
            self.push(stream, call);
            if let Some(last) = self.rows.last().filter(|_| is_empty) {
                let (calls, time_s) = &mut self.empty[last.stream as usize];
                *calls = calls.saturating_add(last.calls);
                *time_s += last.busy_s;
            }
        }
    }
}

fn number_of(name: &str, known: &mut HashMap<String, u32>, names: &mut Vec<String>) -> u32 {
    if let Some(number) = known.get(name) {
        return *number;
    }
    let number = u32::try_from(names.len()).unwrap_or(u32::MAX);
    names.push(name.to_owned());
    known.insert(name.to_owned(), number);
    number
}

/// The word of the row before: the same word comes thousands of times in turn.
struct Word<T> {
    view: Option<u128>,
    meaning: Option<T>,
}

impl<T> Default for Word<T> {
    fn default() -> Self {
        Self { view: None, meaning: None }
    }
}

impl<T: Copy> Word<T> {
    fn at(
        &mut self,
        words: &StringViewArray,
        row: usize,
        of: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        if words.is_null(row) {
            return None;
        }
        let view = words.views().get(row).copied();
        if view != self.view || view.is_none() {
            self.view = view;
            self.meaning = of(words.value(row));
        }
        self.meaning
    }
}

#[cfg(test)]
impl Calls {
    /// `rank layer op offset size start end [file [thread [host]]]`, one call
    /// per line; `-`: no place. The file is 7 unless told.
    pub fn from_text(text: &str) -> Self {
        let mut calls = Self::default();
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let w: Vec<&str> = line.split_whitespace().collect();
            let (start_s, end_s) = (w[5].parse().expect("start"), w[6].parse().expect("end"));
            let host = w.get(9).map(|host| number_of(host, &mut calls.host_of, &mut calls.hosts));
            let thread = w.get(8).map(|id| id.parse::<u32>().expect("thread"));
            while thread.is_some_and(|t| calls.threads.len() <= t as usize) {
                calls.threads.push(calls.threads.len() as u64);
            }
            let stream = Stream {
                log: 0,
                rank: w[0].parse().expect("rank"),
                layer: Layer::from_name(w[1]).expect("layer"),
                op: Op::from_name(w[2]).expect("op"),
                file_id: w.get(7).map_or(7, |file| file.parse().expect("file")),
                host,
            };
            let call = Call {
                start_s,
                end_s,
                busy_s: end_s - start_s,
                offset: w[3].parse().unwrap_or(-1),
                size_bytes: w[4].parse().expect("size"),
                calls: 1,
                stream: 0,
                thread: thread.unwrap_or(NO_THREAD),
            };
            calls.push(stream, call);
        }
        calls
    }
}
