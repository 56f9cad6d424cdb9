//! Table `call`, as far as these computations need it: grouped into streams.
//!
//! A stream is what one rank does to one file in one layer and direction, in MPI-IO
//! collective calls apart from independent ones, which nobody waits in. What
//! its calls share is kept once, and sums per file, rank or size need no
//! hashing per call: they add up by the number of the stream.
//!
//! The numbers of the calls stay in the table, and are read again, a batch at a
//! time, by whoever goes over the calls: a second copy of a hundred million of
//! them would take 5 GB, and reading a batch costs less than working with it.

use super::call::{Call, NO_THREAD};
use super::call_batch::{CallBatch, LEFT_OUT, Numbers, StreamRun};
use crate::hash::HashMap;
use arrow::array::{Array, StringViewArray};
use diya_tables::{BatchSource, Layer, Op, TableId, call};
use std::sync::Arc;

/// What the calls of a stream have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Stream {
    pub log: i32,
    pub rank: i32,
    pub layer: Layer,
    pub op: Op,
    pub file_id: u64,
    /// Position in [`Calls::hosts`].
    pub host: Option<u32>,
    /// Of MPI-IO: all ranks of a communicator make these calls together. `None`: not recorded.
    pub is_collective: Option<bool>,
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

/// All calls, in the order of the table.
#[derive(Debug, Default)]
pub(crate) struct Calls {
    pub streams: Vec<Stream>,
    /// Names of nodes.
    pub hosts: Vec<String>,
    /// Thread ids as recorded, by the number in a call.
    pub threads: Vec<u64>,
    table: Option<Arc<dyn BatchSource>>,
    /// By number of the batch of the table.
    batches: Vec<CallBatch>,
    stream_of: HashMap<Stream, u32>,
    host_of: HashMap<String, u32>,
    thread_of: HashMap<u64, u32>,
}

diya_tables::columns! {
    /// What distinguishes streams and threads, and shows which rows are calls.
    struct StreamColumns of call {
        log: i32,
        rank: i32,
        layer: str,
        op: str,
        file_id: u64,
        start_s: f64,
        end_s: f64,
        busy_s: f64,
        calls: i64,
        host: str,
        thread: u64,
        parent_id: u64,
        is_collective: bool,
        error: str,
    }
}

diya_tables::columns! {
    struct FunctionNames of call { function: str }
}

impl Calls {
    /// All calls with a known layer and operation and with times that are in
    /// order; the reader says in `read_issue` what is wrong with the others.
    pub fn load(tables: &[Arc<dyn BatchSource>]) -> Self {
        let name = TableId::Call.def().name;
        let mut calls = Self::default();
        if let Some(table) = tables.iter().find(|table| table.def().name == name) {
            for number in 0..table.batches() {
                let batch = calls.batch(&StreamColumns::read(table.as_ref(), number));
                calls.batches.push(batch);
            }
            calls.table = Some(Arc::clone(table));
        }
        calls
    }

    /// The same calls, made by other ranks: `of` gives the rank of each stream.
    pub fn made_by(&self, of: impl Fn(&Stream) -> i32) -> Self {
        let streams = self.streams.iter().map(|s| Stream { rank: of(s), ..*s }).collect();
        Self {
            streams,
            hosts: self.hosts.clone(),
            threads: self.threads.clone(),
            table: self.table.clone(),
            batches: self.batches.clone(),
            ..Self::default()
        }
    }

    /// The stream of a call.
    pub fn stream(&self, call: &Call) -> &Stream {
        &self.streams[call.stream as usize]
    }

    /// Calls of each stream.
    pub fn counts(&self) -> Vec<usize> {
        let mut counts = vec![0; self.streams.len()];
        for run in self.batches.iter().flat_map(|batch| &batch.runs) {
            if let Some(count) = counts.get_mut(run.stream as usize) {
                *count += run.rows as usize;
            }
        }
        counts
    }

    /// Of each stream the place of its rank (log and rank) in `ranks`, which are sorted;
    /// and the calls of each of these ranks.
    pub fn by_rank(&self, ranks: &[(i32, i32)]) -> (Vec<Option<usize>>, Vec<usize>) {
        let places: Vec<Option<usize>> =
            self.streams.iter().map(|s| ranks.binary_search(&(s.log, s.rank)).ok()).collect();
        let mut counts = vec![0; ranks.len()];
        for (place, count) in places.iter().zip(self.counts()) {
            place.iter().for_each(|place| counts[*place] += count);
        }
        (places, counts)
    }

    /// Shows the calls of the streams that are wanted, by their number, in the order
    /// of the table. Batches without any of them are not read.
    pub fn each_of(&self, is_selected: impl Fn(usize) -> bool, mut visit: impl FnMut(&Call)) {
        self.each_in(|_| true, is_selected, |_, call| visit(call));
    }

    /// The same of some batches of the table, by their number, which comes with each call.
    pub fn each_in(
        &self,
        is_wanted: impl Fn(usize) -> bool,
        is_selected: impl Fn(usize) -> bool,
        mut visit: impl FnMut(usize, &Call),
    ) {
        let Some(table) = &self.table else { return };
        let is_shown = |run: &StreamRun| run.stream != LEFT_OUT && is_selected(run.stream as usize);
        for (number, batch) in self.batches.iter().enumerate() {
            if !is_wanted(number) || !batch.runs.iter().any(is_shown) {
                continue;
            }
            let numbers = Numbers::read(&**table, number, batch);
            let mut end = 0;
            for run in &batch.runs {
                let rows = end..end + run.rows as usize;
                end = rows.end;
                if is_shown(run) {
                    rows.for_each(|row| visit(number, &numbers.call(row, run)));
                }
            }
        }
    }

    /// The function that a stream's first call names; `None`: not recorded.
    pub fn function(&self, stream: u32) -> Option<String> {
        let table = self.table.as_ref()?;
        let is_in = |batch: &CallBatch| batch.runs.iter().any(|of| of.stream == stream);
        let number = self.batches.iter().position(is_in)?;
        let runs = self.batches.get(number)?.runs.iter();
        let before = runs.take_while(|of| of.stream != stream);
        let row: usize = before.map(|of| of.rows as usize).sum();
        let names = FunctionNames::read(table.as_ref(), number);
        if row < names.rows() { names.function.get(row).map(str::to_owned) } else { None }
    }

    fn number(&mut self, stream: Stream) -> u32 {
        let next = u32::try_from(self.streams.len()).unwrap_or(LEFT_OUT);
        let number = *self.stream_of.entry(stream).or_insert(next);
        if number == next {
            self.streams.push(stream);
        }
        number
    }

    /// Finds out what the rows of a batch share.
    fn batch(&mut self, of: &StreamColumns) -> CallBatch {
        let (logs, ranks, files) = (of.log.values(), of.rank.values(), of.file_id.values());
        let (starts, ends, busy) = (of.start_s.values(), of.end_s.values(), of.busy_s.values());
        let (counts, threads) = (of.calls.values(), &of.thread);
        let has_threads = threads.null_count() < threads.len();
        let (mut layer, mut op, mut host) = (Word::default(), Word::default(), Word::default());
        let mut thread = (None, NO_THREAD);
        let mut before: Option<(Stream, u32)> = None;
        let has_parents = of.parent_id.null_count() < of.parent_id.len();
        let mut batch = CallBatch { runs: Vec::new(), is_plain: true, has_parents };
        for row in 0..of.rows() {
            let (start_s, end_s) = (starts[row], ends[row]);
            let layer = layer.at(&of.layer, row, Layer::from_name);
            let op = op.at(&of.op, row, Op::from_name);
            // MPI_Init and MPI_Finalize, which own traces hold, too, are no I/O.
            let named = layer.zip(op).filter(|named| *named != (Layer::Mpiio, Op::Other));
            let is_timed = start_s.is_finite() && end_s.is_finite() && start_s <= end_s;
            let Some((layer, op)) = named.filter(|_| is_timed) else {
                batch.add(LEFT_OUT, NO_THREAD, false);
                continue;
            };
            let host = host.at(&of.host, row, |name| {
                Some(number_of(name, &mut self.host_of, &mut self.hosts))
            });
            if has_threads {
                let id = threads.get(row);
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
            let is_collective =
                if layer == Layer::Mpiio { of.is_collective.get(row) } else { None };
            let (log, rank, file_id) = (logs[row], ranks[row], files[row]);
            let stream = Stream { log, rank, layer, op, file_id, host, is_collective };
            let number = match before {
                Some((same, number)) if same == stream => number,
                _ => self.number(stream),
            };
            before = Some((stream, number));
            batch.is_plain &= counts[row] == 1 && busy[row] == end_s - start_s;
            batch.add(number, thread.1, !of.error.is_null(row));
        }
        batch.runs.shrink_to_fit();
        batch
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
    /// `rank layer op offset size start end [file [thread [host [parent [mode [error]]]]]]`, one
    /// call per line; `-`: no place, or no host. The file is 7 by default; mode:
    /// `collective` or `independent`.
    pub fn from_text(text: &str) -> Self {
        let mut table = diya_tables::CallTable::default();
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let w: Vec<&str> = line.split_whitespace().collect();
            let layer = Layer::from_name(w[1]).expect("layer");
            let op = Op::from_name(w[2]).expect("op");
            let file_id = w.get(7).map_or(7, |file| file.parse().expect("file"));
            let run = diya_tables::CallRun::new(0, layer, op, file_id, w[0].parse().expect("rank"));
            let host = w.get(9).filter(|host| **host != "-").map(|host| table.name_id(host));
            let is_collective = w.get(11).map(|mode| *mode == "collective");
            let error = w.get(12).map(|name| table.name_id(name));
            let has_offset = w[3] != "-";
            let run = diya_tables::CallRun { host, has_offset, is_collective, error, ..run };
            let call = diya_tables::Call {
                offset_bytes: w[3].parse().unwrap_or(0),
                size_bytes: w[4].parse().expect("size"),
                start_s: w[5].parse().expect("start"),
                end_s: w[6].parse().expect("end"),
                thread: w.get(8).map(|id| id.parse().expect("thread")),
                parent_id: w.get(10).map(|id| id.parse().expect("parent")),
                ..diya_tables::Call::default()
            };
            table.push(run, call);
        }
        Self::load(&[Arc::new(table.finish())])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_come_with_their_streams_and_those_that_are_no_io_are_left_out() {
        let calls = Calls::from_text(
            "0 posix write 0 100 1.0 1.5
             0 mpiio other -   0 1.0 9.0
             0 posix write 100 0 2.0 2.5 7 5
             1 posix read  -  50 3.0 2.0
             1 posix read  -  50 3.0 3.5 8 5 n1",
        );
        let mut seen = Vec::new();
        calls.each_of(
            |_| true,
            |c| seen.push((calls.stream(c).rank, c.extent(), c.busy_s, c.thread)),
        );
        let none = NO_THREAD;
        assert_eq!(seen, [(0, Some((0, 100)), 0.5, none), (0, None, 0.5, 0), (1, None, 0.5, 0)]);
        assert_eq!((calls.counts(), calls.threads.as_slice()), (vec![2, 1], &[5][..]));
        let mut of_second = 0;
        calls.each_of(|stream| stream == 1, |_| of_second += 1);
        assert_eq!(of_second, 1);
    }
}
