//! Loads from single calls: one per rank, file and I/O phase, and what they
//! leave over of the records.

use super::counters::{SMALL_BYTES, TINY_BYTES, split_syncs};
use super::load::{Load, MetadataTime, NO_PHASE, Part, Side};
use super::pause;
use super::range::Range;
use super::threads::{self, Lanes};
use crate::from_calls::{Call, Calls, Phases, Stream};
use crate::hash::{HashMap, HashSet};
use diya_tables::{Layer, Op};
use std::collections::BTreeSet;

/// Start of each phase of a log and layer, in order.
type Starts = HashMap<(i32, Layer), Vec<f64>>;

/// Layer, file, rank and phase.
type Key = (Layer, u64, i32, i32);

/// Calls that are looked at in the order of their ranks at a time: 0.4 GB.
const MAX_ROWS: usize = 5_000_000;

/// Adds the loads of single calls, and takes their time out of the records.
pub(super) fn load(
    calls: &Calls,
    lanes: &Lanes,
    (phases, libraries): (&Phases, &HashSet<(i32, u64)>),
    loads: &mut HashMap<i32, Vec<Load>>,
) {
    let mut starts: Starts = HashMap::default();
    for (log, layer, start_s) in phases.starts() {
        starts.entry((log, layer)).or_default().push(start_s);
    }
    // What a stream needs to know of each call is looked up once.
    let of_stream: Vec<Option<&[f64]>> = calls
        .streams
        .iter()
        .map(|s| {
            let starts = starts.get(&(s.log, s.layer)).map_or(&[][..], Vec::as_slice);
            is_counted(s.layer).then_some(starts)
        })
        .collect();
    let mut last = vec![None; calls.streams.len()];
    let logs: BTreeSet<i32> = calls.streams.iter().map(|s| s.log).collect();
    let logs: Vec<i32> = logs.into_iter().collect();
    let mut of_logs: Vec<Traced> = Vec::new();
    of_logs.resize_with(logs.len(), Traced::default);
    for batch in lanes.batches(calls, MAX_ROWS) {
        let mut rows = Vec::new();
        let is_selected = |stream: usize| batch.contains(&(lanes.of_stream[stream] as usize));
        calls.each_of(is_selected, |call| rows.push(*call));
        for of_log in rows.chunk_by(|a, b| calls.stream(a).log == calls.stream(b).log) {
            let Some(first) = of_log.first() else { continue };
            let log = calls.stream(first).log;
            let traced = &mut of_logs[logs.partition_point(|known| *known < log)];
            let added = of_log.iter().map(|call| {
                let at = call.stream as usize;
                let starts = of_stream[at]?;
                Some(traced.add(&calls.streams[at], call, starts, &mut last[at]))
            });
            let added: Vec<Option<AddedTo>> = added.collect();
            lanes.in_turn(of_log, |before, next| {
                if let (Some(added_to), Some(_)) = (added[before], added[next]) {
                    let (call, next) = (&of_log[before], &of_log[next]);
                    let of = calls.stream(call);
                    let is_one_file = of.file_id == calls.stream(next).file_id;
                    let is_library = libraries.contains(&(of.log, of.file_id));
                    traced.pause(&Before::of(call, added_to), next, (is_one_file, is_library));
                }
            });
        }
    }
    for (log, traced) in logs.into_iter().zip(of_logs) {
        let loads = loads.entry(log).or_default();
        let mut traced = traced;
        leave_to_counters(&mut traced, loads);
        subtract(&traced, loads);
        for load in &mut traced.loads {
            load.is_of_library = libraries.contains(&(log, load.file_id));
        }
        loads.extend(traced.loads);
        threads::share(calls, lanes, log, phases, loads);
        loads.iter_mut().for_each(pause::limit);
    }
}

/// What single calls of one log say.
#[derive(Default)]
struct Traced {
    loads: Vec<Load>,
    places: HashMap<Key, usize>,
    /// Time in metadata calls.
    metadata: Vec<MetadataTime>,
    /// Where it stands, by layer, file and rank.
    metadata_places: HashMap<(Layer, u64, i32), usize>,
}

impl Traced {
    /// Adds a call and says where. `last` is the phase and place of the
    /// stream's call before.
    fn add(
        &mut self,
        stream: &Stream,
        call: &Call,
        starts: &[f64],
        last: &mut Option<(i32, usize)>,
    ) -> AddedTo {
        if !stream.is_data() {
            return AddedTo::Metadata(self.add_metadata(stream, call));
        }
        let after = starts.partition_point(|start| *start <= call.start_s);
        let phase = i32::try_from(after).unwrap_or(i32::MAX).saturating_sub(1).max(0);
        let place = match *last {
            Some((of, place)) if of == phase => place,
            _ => self.place((stream.layer, stream.file_id, stream.rank, phase)),
        };
        *last = Some((phase, place));
        add(&mut self.loads[place], stream, call);
        match stream.op {
            Op::Read => AddedTo::Read(place),
            Op::Write => AddedTo::Write(place),
            _ => AddedTo::Other,
        }
    }

    /// The time between two calls that a library makes inside one call of its own
    /// belongs to the first one, unless it is long enough for computing.
    ///
    /// Requests of different files cannot be merged: what lies between them
    /// stays, or is that of metadata calls which the log does not show.
    fn pause(&mut self, before: &Before, next: &Call, (is_one_file, is_library): (bool, bool)) {
        // A row of several calls has pauses inside.
        let inside_s = before.inside_s;
        let mut pause_s = next.start_s - before.end_s;
        let is_near = is_one_file || matches!(before.added_to, AddedTo::Metadata(_));
        // Inside one call of a library it is the library that works.
        let is_inside = is_library || before.parent != 0 && before.parent == next.parent;
        let is_turn = is_near && is_inside && before.thread == next.thread && pause_s > 0.0;
        if !is_turn || pause_s > pause::longest_s(before.each_bytes.max(next.size_bytes)) {
            pause_s = 0.0;
        }
        pause_s += inside_s;
        if pause_s <= 0.0 {
            return;
        }
        let side = match before.added_to {
            AddedTo::Read(place) => &mut self.loads[place].read,
            AddedTo::Write(place) => &mut self.loads[place].write,
            AddedTo::Metadata(place) => {
                self.metadata[place].pause_s += pause_s;
                return;
            }
            AddedTo::Other => return,
        };
        side.pause_s += pause_s;
        if before.each_bytes == 0 {
            return;
        }
        if before.each_bytes <= SMALL_BYTES {
            side.small.pause_s += pause_s;
        }
        if before.each_bytes <= TINY_BYTES {
            side.tiny.pause_s += pause_s;
        }
    }

    fn place(&mut self, key: Key) -> usize {
        let loads = &mut self.loads;
        *self.places.entry(key).or_insert_with(|| {
            loads.push(Load::new(key.0, key.1, key.2, key.3));
            loads.len() - 1
        })
    }

    fn add_metadata(&mut self, stream: &Stream, call: &Call) -> usize {
        let next = self.metadata.len();
        let key = (stream.layer, stream.file_id, stream.rank);
        let place = *self.metadata_places.entry(key).or_insert(next);
        if place == next {
            self.metadata.push(MetadataTime::default());
        }
        let time = &mut self.metadata[place];
        match stream.op {
            Op::Open => time.open_s += call.busy_s,
            Op::Close => time.close_s += call.busy_s,
            Op::Stat => time.stat_s += call.busy_s,
            Op::Seek => time.seek_s += call.busy_s,
            _ => {}
        }
        place
    }

    /// What single metadata calls of a rank in a file took.
    fn metadata_of(&self, key: (Layer, u64, i32)) -> Option<MetadataTime> {
        self.metadata_places.get(&key).and_then(|place| self.metadata.get(*place)).copied()
    }
}

/// Where a call was added.
#[derive(Debug, Clone, Copy)]
enum AddedTo {
    Read(usize),
    Write(usize),
    Metadata(usize),
    Other,
}

/// The call before, of the same rank and layer.
#[derive(Debug, Clone, Copy)]
struct Before {
    end_s: f64,
    thread: u32,
    each_bytes: i64,
    parent: u64,
    /// Between the calls of its row.
    inside_s: f64,
    added_to: AddedTo,
}

impl Before {
    fn of(call: &Call, added_to: AddedTo) -> Self {
        let each_bytes = call.size_bytes / call.calls.max(1);
        let inside_s = (call.end_s - call.start_s - call.busy_s).max(0.0);
        let is_short = inside_s <= pause::longest_s(each_bytes) * call.calls as f64;
        let is_inside = call.calls > 1 && call.parent != 0;
        let inside_s = if is_inside && is_short { inside_s } else { 0.0 };
        let (thread, parent) = (call.thread, call.parent);
        Self { end_s: call.end_s, thread, each_bytes, parent, inside_s, added_to }
    }
}

/// Layers whose records are loads: the others call these.
fn is_counted(layer: Layer) -> bool {
    matches!(layer, Layer::Posix | Layer::Mpiio | Layer::Stdio | Layer::Dfs | Layer::Daos)
}

fn add(load: &mut Load, stream: &Stream, call: &Call) {
    load.total_s += call.busy_s;
    if let Some(is_collective) = stream.is_collective.filter(|_| stream.is_transfer()) {
        let alone = load.alone.get_or_insert_default();
        if !is_collective {
            add_part(&mut alone[usize::from(stream.op == Op::Write)], call);
        }
    }
    let side = match stream.op {
        Op::Read => &mut load.read,
        Op::Write => &mut load.write,
        _ => {
            load.syncs = load.syncs.saturating_add(call.calls);
            load.sync_s = load.sync_s + Range::exactly(call.busy_s);
            return;
        }
    };
    if let Some((from, to)) = call.extent() {
        let (first, last) = side.extent.unwrap_or((from, to));
        side.extent = Some((first.min(from), last.max(to)));
    }
    let Side { calls, bytes, time_s, tiny, small, .. } = side;
    *calls = calls.saturating_add(call.calls);
    *bytes = bytes.saturating_add(call.size_bytes);
    *time_s += call.busy_s;
    // A request that moved nothing has nothing to merge.
    if call.size_bytes == 0 {
        side.empty_calls = side.empty_calls.saturating_add(call.calls);
        return;
    }
    // The row can stand for several calls: then size_bytes is their sum.
    let up_to = |limit: i64| call.size_bytes <= limit.saturating_mul(call.calls.max(1));
    if up_to(SMALL_BYTES) {
        add_part(small, call);
        if up_to(TINY_BYTES) {
            add_part(tiny, call);
        }
    }
}

fn add_part(part: &mut Part, call: &Call) {
    part.calls = part.calls.saturating_add(call.calls);
    part.bytes = part.bytes + Range::exactly(call.size_bytes as f64);
    *part.time_s.get_or_insert(0.0) += call.busy_s;
}

/// Share of the calls of a record that must have been recorded one by one to speak
/// for it.
const MOSTLY: f64 = 0.9;

/// Takes out what a trace holds of files whose calls it has in part only: DXT keeps
/// the first ones of each file and process. Their counters hold all of them.
fn leave_to_counters(traced: &mut Traced, records: &[Load]) {
    let key = |load: &Load| (load.layer, load.file_id, load.rank);
    let mut calls: HashMap<(Layer, u64, i32), [i64; 2]> = HashMap::default();
    for load in &traced.loads {
        let shared = (load.layer, load.file_id, -1);
        let own = key(load);
        for key in [Some(own), (own != shared).then_some(shared)].into_iter().flatten() {
            let sums = calls.entry(key).or_default();
            sums[0] = sums[0].saturating_add(load.read.calls);
            sums[1] = sums[1].saturating_add(load.write.calls);
        }
    }
    let is_partial = |record: &&Load| {
        let seen = calls.get(&key(record)).copied().unwrap_or_default();
        let of = [(record.read.calls, seen[0]), (record.write.calls, seen[1])];
        of.iter().any(|(all, seen)| *seen > 0 && (*seen as f64) < MOSTLY * *all as f64)
    };
    let records = records.iter().filter(|load| load.phase == NO_PHASE);
    let partial: HashSet<(Layer, u64, i32)> = records.filter(is_partial).map(key).collect();
    for load in &mut traced.loads {
        let shared = (load.layer, load.file_id, -1);
        if partial.contains(&key(load)) || partial.contains(&shared) {
            *load = Load::new(load.layer, load.file_id, load.rank, load.phase);
        }
    }
}

/// Time in single calls: reads, writes, syncs.
#[derive(Default, Clone, Copy)]
struct Explained {
    read_s: f64,
    write_s: f64,
    sync_s: f64,
    syncs: i64,
}

/// Leaves in each record what its single calls do not explain.
fn subtract(traced: &Traced, records: &mut [Load]) {
    let mut explained: HashMap<(Layer, u64, i32), Explained> = HashMap::default();
    let mut of_all: HashMap<(Layer, u64), Explained> = HashMap::default();
    for load in &traced.loads {
        let own = explained.entry((load.layer, load.file_id, load.rank)).or_default();
        let all = of_all.entry((load.layer, load.file_id)).or_default();
        for sum in [own, all] {
            sum.read_s += load.read.time_s;
            sum.write_s += load.write.time_s;
            sum.sync_s += load.sync_s.high;
            sum.syncs += load.syncs;
        }
    }
    for record in records.iter_mut().filter(|load| load.phase == NO_PHASE) {
        let key = (record.layer, record.file_id);
        let part = match record.is_shared() {
            true => of_all.get(&key),
            false => explained.get(&(key.0, key.1, record.rank)),
        };
        if let Some(part) = part {
            leave(record, *part);
        }
        record.exact = match record.is_shared() {
            true => None,
            false => traced.metadata_of((key.0, key.1, record.rank)),
        };
    }
}

fn leave(record: &mut Load, part: Explained) {
    let write_s = record.write.time_s + record.sync_s.low;
    let had_writes = part.write_s > 0.0;
    record.read.time_s = rest_s(record.read.time_s, part.read_s);
    let rest_s = rest_s(write_s, part.write_s + part.sync_s);
    if part.syncs > 0 || record.syncs == 0 {
        (record.write.time_s, record.sync_s) = (rest_s, Range::ZERO);
    } else if had_writes {
        // The writes are known one by one: what is left are the syncs.
        (record.write.time_s, record.sync_s) = (0.0, Range::exactly(rest_s));
    } else {
        split_syncs(record, rest_s);
    }
    // The requests themselves are in the phases.
    for (side, is_traced) in
        [(&mut record.read, part.read_s > 0.0), (&mut record.write, had_writes)]
    {
        if is_traced {
            (side.tiny, side.small, side.pause_s) = (Part::default(), Part::default(), 0.0);
        }
    }
    record.total_s =
        record.read.time_s + record.write.time_s + record.sync_s.high + record.metadata_s;
}

/// What is left; less than a hundredth is rounding and clocks.
fn rest_s(all_s: f64, part_s: f64) -> f64 {
    let rest_s = all_s - part_s;
    if rest_s > 0.01 * all_s { rest_s } else { 0.0 }
}
