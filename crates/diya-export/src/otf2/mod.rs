//! OTF2, which Vampir opens: an anchor, definitions, and events of each thread.
//!
//! A rank is a process, a thread a location; calls that overlap in a thread are laid on further
//! locations. docs/formats/otf2.md describes the files.

mod calls;
mod counters;
mod definitions;
mod lanes;
mod messages;
mod records;

use super::rows::{Process, Rows, hosts};
use super::tables::ExportError;
use super::whole::{paths, whole};
use arrow::array::{Array, AsArray, RecordBatch};
use arrow::datatypes::{Float64Type, Int32Type, TimestampNanosecondType, UInt64Type};
use calls::{Both, call_events};
use counters::{Sample, samples};
use definitions::{Definitions, EVENT_CHUNK_BYTES, Group, Location, RegionRole};
use diya::Trace;
use diya_tables::{Layer, TableId, call, job, region};
use lanes::{Item, Of, lanes};
use messages::Messages;
use records::Chunks;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

/// Calls and regions by process and thread.
type Threads = BTreeMap<(Process, Option<u64>), Vec<Item>>;

/// Writes all calls, regions, messages and counters as an archive into a folder, which is made if needed. Returns
/// the anchor. An archive that is there already is not written over.
pub fn write_otf2(folder: &Path, trace: &Trace) -> Result<PathBuf, ExportError> {
    let anchor = folder.join("traces.otf2");
    let fail = |path: &Path, reason: String| ExportError { path: path.into(), reason };
    if anchor.exists() || folder.join("traces").exists() {
        let reason = "there is an archive already; name another folder, or remove it";
        return Err(fail(&anchor, reason.into()));
    }
    let written = std::fs::create_dir_all(folder.join("traces"))
        .and_then(|()| write_files(folder, &anchor, trace));
    written.map_err(|e| fail(folder, e.to_string()))?;
    Ok(anchor)
}

fn write_files(folder: &Path, anchor: &Path, trace: &Trace) -> io::Result<()> {
    let calls: Vec<RecordBatch> = whole(trace, TableId::Call).collect();
    let regions: Vec<RecordBatch> = whole(trace, TableId::Region).collect();
    let starts = starts(trace);
    let first_ns = starts.values().min().copied();
    // Logs of one archive begin at their own times.
    let later = |log: i32| starts.get(&log).zip(first_ns).map_or(0, |(start, first)| start - first);
    let mut threads = Threads::new();
    of_calls(&calls, &later, &mut threads);
    of_regions(&regions, &later, &mut threads);
    let messages =
        Messages::read(trace, &|log, s| later(log).saturating_add((s * 1e9).round() as i64).max(0));
    for (row, of) in (0..).zip(&messages.rows) {
        let (start_ns, end_ns) = (of.start_ns, of.end_ns);
        let item = Item { start_ns, end_ns, depth: 0, of: Of::Message, batch_number: 0, row };
        threads.entry((of.process, Some(of.thread))).or_default().push(item);
    }
    let mut definitions = Definitions::default();
    let mut counters = samples(trace, &later, &mut definitions);
    // A process that has counters only is one, too.
    for process in counters.keys() {
        if threads.range((*process, None)..).next().is_none_or(|((next, _), _)| next != process) {
            threads.insert((*process, None), Vec::new());
        }
    }
    let of_calls = threads.values().flatten().map(|item| item.end_ns).max();
    let of_counters = counters.values().flatten().map(|sample| sample.ns).max();
    let length_ns = of_calls.max(of_counters).unwrap_or(0);
    let mut archive = Archive {
        folder,
        calls: &calls,
        regions: &regions,
        messages: &messages,
        paths: paths(trace),
        definitions,
        locations: 0,
        threads: HashMap::new(),
    };
    let hosts = hosts(trace);
    let is_one = trace.log_names().len() == 1;
    let mut firsts: BTreeMap<Process, u64> = BTreeMap::new();
    let mut threads = threads.into_iter().peekable();
    while let Some(((process, thread), items)) = threads.next() {
        if let Entry::Vacant(place) = firsts.entry(process) {
            place.insert(archive.locations);
            let (log, rank) = process;
            let name = if is_one { String::new() } else { format!("log {log} ") };
            let host = hosts.get(&process).cloned();
            let name = format!("{name}MPI Rank {rank}");
            archive.definitions.groups.push(Group { name, host, locations: Vec::new() });
        }
        archive.thread(thread, items)?;
        if threads.peek().is_none_or(|((next, _), _)| *next != process) {
            archive.counters(&counters.remove(&process).unwrap_or_default())?;
        }
    }
    // Ranks are numbered without gaps, or not at all.
    let is_complete = is_one && firsts.len() > 1;
    let has_no_gap = firsts.keys().zip(0..).all(|((_, rank), number)| *rank == number);
    let ranks = (is_complete && has_no_gap).then(|| firsts.values().copied().collect());
    archive.definitions.ranks = ranks;
    let locations = archive.locations;
    let file = BufWriter::new(File::create(folder.join("traces.def"))?);
    let length_ns = u64::try_from(length_ns).unwrap_or(0);
    let definitions = archive.definitions.write(file, length_ns, first_ns)?;
    std::fs::write(anchor, Definitions::anchor(locations, definitions))
}

/// Start of each log that has one, in ns since 1970.
fn starts(trace: &Trace) -> HashMap<i32, i64> {
    let mut starts = HashMap::new();
    for batch in whole(trace, TableId::Job) {
        let logs = batch.column(job::LOG).as_primitive::<Int32Type>();
        let times = batch.column(job::START_TIME).as_primitive::<TimestampNanosecondType>();
        for row in (0..batch.num_rows()).filter(|row| times.is_valid(*row)) {
            starts.insert(logs.value(row), times.value(row));
        }
    }
    starts
}

/// The times of a row, which are not before the beginning.
fn times(batch: &RecordBatch, columns: (usize, usize), row: usize, later_ns: i64) -> (i64, i64) {
    let at = |column: usize| {
        let s = batch.column(column).as_primitive::<Float64Type>().value(row);
        later_ns.saturating_add((s * 1e9).round() as i64).max(0)
    };
    let start_ns = at(columns.0);
    (start_ns, at(columns.1).max(start_ns))
}

fn of_calls(batches: &[RecordBatch], later: &dyn Fn(i32) -> i64, threads: &mut Threads) {
    for (batch_number, batch) in (0..).zip(batches) {
        let rows = Rows::of(batch);
        for (row, number) in (0..batch.num_rows()).zip(0..) {
            let process = rows.process(row);
            let columns = (call::START_S, call::END_S);
            let (start_ns, end_ns) = times(batch, columns, row, later(process.0));
            let layer = Layer::from_name(rows.layers.value(row));
            let depth = layer.map_or(u8::MAX, Layer::depth);
            let item = Item { start_ns, end_ns, depth, of: Of::Call, batch_number, row: number };
            threads.entry((process, rows.thread(row))).or_default().push(item);
        }
    }
}

fn of_regions(batches: &[RecordBatch], later: &dyn Fn(i32) -> i64, threads: &mut Threads) {
    for (batch_number, batch) in (0..).zip(batches) {
        let logs = batch.column(region::LOG).as_primitive::<Int32Type>();
        let ranks = batch.column(region::RANK).as_primitive::<Int32Type>();
        let of_threads = batch.column(region::THREAD).as_primitive::<UInt64Type>();
        for (row, number) in (0..batch.num_rows()).zip(0..) {
            let process = (logs.value(row), ranks.value(row));
            let thread = of_threads.is_valid(row).then(|| of_threads.value(row));
            let columns = (region::START_S, region::END_S);
            let (start_ns, end_ns) = times(batch, columns, row, later(process.0));
            let item =
                Item { start_ns, end_ns, depth: 0, of: Of::Region, batch_number, row: number };
            threads.entry((process, thread)).or_default().push(item);
        }
    }
}

/// An archive while it is written.
struct Archive<'a> {
    folder: &'a Path,
    calls: &'a [RecordBatch],
    regions: &'a [RecordBatch],
    messages: &'a Messages,
    paths: HashMap<(i32, u64), String>,
    definitions: Definitions,
    locations: u64,
    /// The first location of each thread of the last process.
    threads: HashMap<Option<u64>, u64>,
}

impl Archive<'_> {
    /// The file of a location: the next one.
    fn file(&self, ending: &str) -> io::Result<BufWriter<File>> {
        let path = self.folder.join("traces").join(format!("{}.{ending}", self.locations));
        File::create(path).map(BufWriter::new)
    }

    /// The files of the next location; that of its definitions has none.
    fn events_file(&self) -> io::Result<Chunks<BufWriter<File>>> {
        Chunks::new(self.file("def")?, EVENT_CHUNK_BYTES).finish()?;
        Ok(Chunks::new(self.file("evt")?, EVENT_CHUNK_BYTES))
    }

    /// Counts the location whose events were written, as one of the last process.
    fn located(&mut self, name: String, is_thread: bool, events: u64) {
        if let Some(group) = self.definitions.groups.last_mut() {
            group.locations.push(Location { name, is_thread, events });
        }
        self.locations += 1;
    }

    /// Writes the values of counters of the last process.
    fn counters(&mut self, samples: &[Sample]) -> io::Result<()> {
        let threads = std::mem::take(&mut self.threads);
        if samples.is_empty() {
            return Ok(());
        }
        let group = self.definitions.groups.len().saturating_sub(1) as u64;
        let place = (self.locations, group);
        let mut batches = self.events_file()?;
        for sample in samples {
            let event = counters::event(sample, place, &threads, &mut self.definitions);
            put(&mut batches, sample.ns, &[event])?;
        }
        let events = batches.finish()?;
        self.located("counters".into(), false, events);
        Ok(())
    }

    /// Writes the locations of a thread of the last process.
    fn thread(&mut self, thread: Option<u64>, items: Vec<Item>) -> io::Result<()> {
        self.threads.insert(thread, self.locations);
        for (at, lane) in lanes(items).into_iter().enumerate() {
            let name =
                thread.map_or_else(|| "calls".to_string(), |number| format!("thread {number}"));
            let name = if at == 0 { name } else { format!("{name} ({})", at + 1) };
            let mut batches = self.events_file()?;
            let mut open: Vec<(i64, Vec<Vec<u8>>)> = Vec::new();
            for (id, item) in (0..).zip(lane) {
                while let Some((end_ns, events)) = open.pop_if(|(end, _)| *end <= item.start_ns) {
                    put(&mut batches, end_ns, &events)?;
                }
                let both = self.events(&item, id);
                put(&mut batches, item.start_ns, &both.start)?;
                open.push((item.end_ns, both.end));
            }
            while let Some((end_ns, events)) = open.pop() {
                put(&mut batches, end_ns, &events)?;
            }
            let events = batches.finish()?;
            self.located(name, true, events);
        }
        Ok(())
    }

    fn events(&mut self, item: &Item, id: u64) -> Both {
        if item.of == Of::Message {
            return self.messages.events(item.row as usize, &mut self.definitions);
        }
        let is_region = item.of == Of::Region;
        let batches = if is_region { self.regions } else { self.calls };
        let (batch_number, row) = (item.batch_number as usize, item.row as usize);
        let Some(batch) = batches.get(batch_number) else { return Both::default() };
        if is_region {
            let names = batch.column(region::NAME).as_string_view();
            let number = self.definitions.region(names.value(row), RegionRole::Part);
            return Both::default().inside(number);
        }
        let rows = Rows::of(batch);
        let file = rows.files.value(row);
        let path = self.paths.get(&(rows.process(row).0, file)).cloned();
        let path = path.unwrap_or_else(|| file.to_string());
        let process = self.definitions.groups.len();
        call_events(&rows, row, (process, &path, id), &mut self.definitions)
    }
}

fn put(batches: &mut Chunks<BufWriter<File>>, ns: i64, events: &[Vec<u8>]) -> io::Result<()> {
    let tick = u64::try_from(ns).unwrap_or(0);
    events.iter().try_for_each(|event| batches.event(tick, event))
}
