//! Loads from counters: one per record of a layer.

use super::facts::{Facts, batches};
use super::load::{Load, NO_PHASE, Named, Part};
use super::range::Range;
use crate::hash::HashMap;
use arrow::array::{Array, AsArray, RecordBatch};
use arrow::datatypes::{Float64Type, Int64Type};
use diya_model::{Role, recorded_time};
use diya_tables::{BatchSource, Column, Layer, TableId, mpiio, posix, size_histogram, stdio};
use std::sync::Arc;

/// Layers whose calls reach the storage or the layer above them, with times.
const LAYERS: [(TableId, Layer); 5] = [
    (TableId::Posix, Layer::Posix),
    (TableId::Mpiio, Layer::Mpiio),
    (TableId::Stdio, Layer::Stdio),
    (TableId::Dfs, Layer::Dfs),
    (TableId::Daos, Layer::Daos),
];

diya_tables::columns! {
    /// Whose counters a row has.
    pub(super) struct Keys by name { log: i32, file_id: u64, rank: i32 }
}

diya_tables::columns! {
    struct Bins of size_histogram {
        log: i32,
        file_id: u64,
        rank: i32,
        layer: str,
        op: str,
        size_lo_bytes: i64,
        size_hi_bytes: i64,
        calls: i64,
    }
}

/// The counters of a layer by their roles; several of one role are added up.
pub(super) struct Counters {
    pub layer: Layer,
    pub reads: Vec<usize>,
    pub writes: Vec<usize>,
    bytes_read: Vec<usize>,
    bytes_written: Vec<usize>,
    /// Reads, writes, metadata.
    pub times: [Option<usize>; 3],
    /// Start of the first and end of the last one: of reads, of writes.
    spans: [[Option<usize>; 2]; 2],
    /// Time, rank and bytes of the slowest, then of the fastest.
    pub named: [[Option<usize>; 3]; 2],
    opens: Vec<usize>,
    counted_as_opens: Vec<usize>,
    stats: Vec<usize>,
    seeks: Vec<usize>,
    /// Without flushes: they pass on what a write has buffered.
    syncs: Vec<usize>,
    switches: Vec<usize>,
}

impl Counters {
    pub fn of(table: TableId, layer: Layer) -> Self {
        let all = |role| table.def().with_role(role).collect();
        let one = |role| table.def().with_role(role).next();
        Self {
            layer,
            reads: all(Role::Read),
            writes: all(Role::Write),
            bytes_read: all(Role::BytesRead),
            bytes_written: all(Role::BytesWritten),
            times: Role::TIMES.map(one),
            spans: [[Role::ReadStart, Role::ReadEnd], [Role::WriteStart, Role::WriteEnd]]
                .map(|span| span.map(one)),
            named: [
                [Role::SlowestTime, Role::SlowestRank, Role::SlowestBytes],
                [Role::FastestTime, Role::FastestRank, Role::FastestBytes],
            ]
            .map(|named| named.map(one)),
            opens: all(Role::Open),
            counted_as_opens: all(Role::CountedAsOpen),
            stats: all(Role::Stat),
            seeks: all(Role::Seek),
            syncs: all(Role::Sync),
            switches: all(Role::Switch),
        }
    }
}

/// Appends the loads of all records with times, by log.
pub(super) fn load(
    tables: &[Arc<dyn BatchSource>],
    facts: &[Facts],
    loads: &mut HashMap<i32, Vec<Load>>,
) {
    for (table, layer) in LAYERS {
        let counters = Counters::of(table, layer);
        let columns: Vec<usize> = (0..table.def().columns.len()).collect();
        for batch in batches(tables, table, &columns) {
            let Some(keys) = Keys::named(&batch) else { continue };
            for row in 0..keys.rows() {
                let log = keys.log.value(row);
                let of_log = facts.iter().find(|facts| facts.log == log);
                let ranks = of_log.and_then(|facts| facts.nprocs);
                if let Some(mut load) = record(&counters, &batch, (&keys, row), ranks) {
                    if of_log.is_some_and(|facts| facts.is_darshan) {
                        let others = sum(&batch, &counters.counted_as_opens, row);
                        load.opens = (load.opens - others).max(0);
                    }
                    loads.entry(log).or_default().push(load);
                }
            }
        }
    }
    bins(tables, loads);
}

/// A count of a row; 0 where it was not recorded.
pub(super) fn whole(batch: &RecordBatch, column: usize, row: usize) -> i64 {
    let values = batch.column(column).as_primitive::<Int64Type>();
    if values.is_null(row) { 0 } else { values.value(row).max(0) }
}

/// The sum of these counts of a row.
pub(super) fn sum(batch: &RecordBatch, columns: &[usize], row: usize) -> i64 {
    columns.iter().fold(0i64, |sum, column| sum.saturating_add(whole(batch, *column, row)))
}

fn known(batch: &RecordBatch, column: usize, row: usize) -> bool {
    !batch.column(column).as_primitive::<Int64Type>().is_null(row)
}

pub(super) fn real(batch: &RecordBatch, column: usize, row: usize) -> Option<f64> {
    let values = batch.column(column).as_primitive::<Float64Type>();
    (!values.is_null(row)).then(|| values.value(row)).and_then(recorded_time)
}

/// One record; `None` when it has no times.
fn record(
    counters: &Counters,
    batch: &RecordBatch,
    (keys, row): (&Keys, usize),
    ranks: Option<i64>,
) -> Option<Load> {
    let sum = |columns: &[usize]| sum(batch, columns, row);
    let real = |column: Option<usize>| real(batch, column?, row);
    let times = counters.times.map(real);
    if times.iter().all(Option::is_none) {
        return None;
    }
    let [read_s, write_s, metadata_s] = times.map(|time| time.unwrap_or(0.0));
    let (file_id, rank) = (keys.file_id.value(row), keys.rank.value(row));
    let mut load = Load::new(counters.layer, file_id, rank, NO_PHASE);
    (load.read.calls, load.write.calls) = (sum(&counters.reads), sum(&counters.writes));
    (load.read.bytes, load.write.bytes) = (sum(&counters.bytes_read), sum(&counters.bytes_written));
    // A request that moved bytes moved one at least.
    let columns = [&counters.bytes_read, &counters.bytes_written];
    for (side, columns) in [&mut load.read, &mut load.write].into_iter().zip(columns) {
        let is_known = columns.iter().all(|column| known(batch, *column, row));
        side.empty_calls = if is_known { (side.calls - side.bytes).max(0) } else { 0 };
    }
    (load.opens, load.stats) = (sum(&counters.opens), sum(&counters.stats));
    (load.seeks, load.syncs) = (sum(&counters.seeks), sum(&counters.syncs));
    load.switches = sum(&counters.switches);
    (load.read.time_s, load.metadata_s) = (read_s, metadata_s);
    split_syncs(&mut load, write_s);
    load.total_s = read_s + write_s + metadata_s;
    load.record_s = load.total_s;
    if rank < 0 {
        let mean_s = load.total_s / ranks.unwrap_or(1).max(1) as f64;
        load.named = counters.named.map(|[time, rank, bytes]| {
            let time_s = real(time)?;
            let rank = i32::try_from(whole(batch, rank?, row)).ok()?;
            Some(Named { rank, bytes: whole(batch, bytes?, row), time_s })
        });
        let slowest_s = load.named[0].map(|named| named.time_s).filter(|s| *s > 0.0);
        // A sum over ranks cannot be less than the time of one of them.
        let slowest_s = slowest_s.unwrap_or(mean_s).min(load.total_s);
        load.slowest_ratio = if load.total_s > 0.0 { slowest_s / load.total_s } else { 1.0 };
    }
    let starts = if rank < 0 { ranks.unwrap_or(1).max(1) } else { 1 };
    for (calls, [start, end]) in [load.read.calls, load.write.calls].into_iter().zip(counters.spans)
    {
        let span = real(start).zip(real(end)).filter(|_| calls > 0);
        if let Some((start_s, end_s)) = span {
            let (first_s, last_s) = load.span_s.unwrap_or((start_s, end_s));
            load.span_s = Some((first_s.min(start_s), last_s.max(end_s)));
        }
    }
    match counters.layer {
        Layer::Posix => {
            load.unaligned = whole(batch, posix::FILE_NOT_ALIGNED, row);
            load.read_extent_bytes = match load.read.bytes {
                0 => 0,
                _ => whole(batch, posix::MAX_BYTE_READ, row).saturating_add(1),
            };
            // The first request of a rank follows none.
            for (side, sequential, consecutive) in [
                (&mut load.read, posix::SEQ_READS, posix::CONSEC_READS),
                (&mut load.write, posix::SEQ_WRITES, posix::CONSEC_WRITES),
            ] {
                let apart = |of| (side.calls - whole(batch, of, row) - starts).max(0);
                (side.backward_calls, side.apart_calls) =
                    (apart(sequential), known(batch, consecutive, row).then(|| apart(consecutive)));
            }
        }
        // What a stream reads, it reads from the file, but for the little in its buffer.
        Layer::Stdio => {
            load.read_extent_bytes = match load.read.bytes {
                0 => 0,
                _ => whole(batch, stdio::MAX_BYTE_READ, row).saturating_add(1),
            };
        }
        Layer::Mpiio => {
            load.independent =
                [whole(batch, mpiio::INDEP_READS, row), whole(batch, mpiio::INDEP_WRITES, row)];
        }
        _ => {}
    }
    Some(load)
}

/// Darshan keeps the time of syncs in that of writes. A sync waits for the
/// storage, a write mostly for memory: it takes at least as long as a write.
pub(super) fn split_syncs(load: &mut Load, write_s: f64) {
    let (syncs, writes) = (load.syncs as f64, load.write.calls as f64);
    load.sync_s = match load.syncs {
        0 => Range::ZERO,
        _ => Range::new(write_s * syncs / (syncs + writes), write_s),
    };
    load.write.time_s = write_s - load.sync_s.low;
}

/// Largest sizes of the bins that count as tiny and as small: edges of
/// Darshan's histograms.
pub(super) const TINY_BYTES: i64 = 1024;
pub(super) const SMALL_BYTES: i64 = 102_400;

/// Puts the histograms beside the counters.
fn bins(tables: &[Arc<dyn BatchSource>], loads: &mut HashMap<i32, Vec<Load>>) {
    let mut places: HashMap<(i32, u64, i32, Layer), usize> = HashMap::default();
    for (log, loads) in &*loads {
        for (place, load) in loads.iter().enumerate() {
            places.insert((*log, load.file_id, load.rank, load.layer), place);
        }
    }
    // Of each load, reads and writes that may have moved nothing.
    let mut lowest: HashMap<(i32, usize), [i64; 2]> = HashMap::default();
    for of in Bins::all(tables) {
        let count = |counts: &Column<i64>, row| counts.get(row).unwrap_or(0).max(0);
        for row in 0..of.rows() {
            let low_bytes = count(&of.size_lo_bytes, row);
            let Some(layer) =
                Layer::from_name(of.layer.value(row)).filter(|_| low_bytes <= SMALL_BYTES)
            else {
                continue;
            };
            let (log, file_id, rank) =
                (of.log.value(row), of.file_id.value(row), of.rank.value(row));
            let place = places.get(&(log, file_id, rank, layer));
            let Some((at, load)) =
                place.and_then(|at| Some((*at, loads.get_mut(&log)?.get_mut(*at)?)))
            else {
                continue;
            };
            let is_read = of.op.value(row) == "read";
            if low_bytes == 0 {
                let calls_of = lowest.entry((log, at)).or_default();
                let calls = &mut calls_of[usize::from(!is_read)];
                *calls = calls.saturating_add(count(&of.calls, row));
            }
            let side = if is_read { &mut load.read } else { &mut load.write };
            let calls = count(&of.calls, row);
            let high_bytes = match count(&of.size_hi_bytes, row) {
                0 => SMALL_BYTES,
                high => high.clamp(low_bytes, SMALL_BYTES),
            };
            let bytes = Range::new(low_bytes as f64, high_bytes as f64).times(calls as f64);
            let add = |part: &mut Part| {
                part.calls = part.calls.saturating_add(calls);
                part.bytes = part.bytes + bytes;
            };
            if low_bytes < TINY_BYTES {
                add(&mut side.tiny);
            }
            if low_bytes < SMALL_BYTES {
                add(&mut side.small);
            }
            side.calls = side.calls.max(side.small.calls);
        }
    }
    let all = loads
        .iter_mut()
        .flat_map(|(log, loads)| loads.iter_mut().enumerate().map(|(at, load)| ((*log, at), load)));
    for (key, load) in all {
        let lowest = lowest.get(&key).copied().unwrap_or_default();
        for (side, lowest) in [&mut load.read, &mut load.write].into_iter().zip(lowest) {
            side.empty_calls = side.empty_calls.min(lowest);
            for part in [&mut side.tiny, &mut side.small] {
                part.calls = (part.calls - side.empty_calls).max(0);
            }
            let all = side.bytes as f64;
            if all > 0.0 {
                side.tiny.bytes = side.tiny.bytes.within(all);
                side.small.bytes = side.small.bytes.within(all);
            }
        }
    }
}
