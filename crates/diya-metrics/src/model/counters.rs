//! Loads from counters: one per record of a layer.

use super::job::Facts;
use super::load::{Load, NO_PHASE, Named, Part};
use super::range::Range;
use arrow::array::{Array, AsArray, RecordBatch};
use arrow::datatypes::{Float64Type, Int32Type, Int64Type, UInt64Type};
use diya_tables::{BatchSource, Layer, TableId, daos, dfs, mpiio, posix, size_histogram, stdio};
use std::collections::HashMap;
use std::sync::Arc;

/// Where the counters of a layer stand; several are added up.
struct Places {
    table: TableId,
    layer: Layer,
    reads: &'static [usize],
    writes: &'static [usize],
    bytes: [usize; 2],
    /// Reads, writes, metadata.
    times: [usize; 3],
    /// Start of the first and end of the last one: of reads, of writes.
    spans: [[usize; 2]; 2],
    /// Time, rank and bytes of the slowest, then of the fastest.
    named: [[usize; 3]; 2],
    opens: &'static [usize],
    stats: &'static [usize],
    seeks: &'static [usize],
    syncs: &'static [usize],
    switches: &'static [usize],
}

const LAYERS: [Places; 5] = [
    Places {
        table: TableId::Posix,
        layer: Layer::Posix,
        reads: &[posix::READS],
        writes: &[posix::WRITES],
        bytes: [posix::BYTES_READ, posix::BYTES_WRITTEN],
        times: [posix::F_READ_TIME, posix::F_WRITE_TIME, posix::F_META_TIME],
        spans: [
            [posix::F_READ_START_TIMESTAMP, posix::F_READ_END_TIMESTAMP],
            [posix::F_WRITE_START_TIMESTAMP, posix::F_WRITE_END_TIMESTAMP],
        ],
        named: [
            [posix::F_SLOWEST_RANK_TIME, posix::SLOWEST_RANK, posix::SLOWEST_RANK_BYTES],
            [posix::F_FASTEST_RANK_TIME, posix::FASTEST_RANK, posix::FASTEST_RANK_BYTES],
        ],
        opens: &[posix::OPENS],
        stats: &[posix::STATS],
        seeks: &[posix::SEEKS],
        syncs: &[posix::FSYNCS, posix::FDSYNCS],
        switches: &[posix::RW_SWITCHES],
    },
    Places {
        table: TableId::Mpiio,
        layer: Layer::Mpiio,
        reads: &[mpiio::INDEP_READS, mpiio::COLL_READS, mpiio::SPLIT_READS, mpiio::NB_READS],
        writes: &[mpiio::INDEP_WRITES, mpiio::COLL_WRITES, mpiio::SPLIT_WRITES, mpiio::NB_WRITES],
        bytes: [mpiio::BYTES_READ, mpiio::BYTES_WRITTEN],
        times: [mpiio::F_READ_TIME, mpiio::F_WRITE_TIME, mpiio::F_META_TIME],
        spans: [
            [mpiio::F_READ_START_TIMESTAMP, mpiio::F_READ_END_TIMESTAMP],
            [mpiio::F_WRITE_START_TIMESTAMP, mpiio::F_WRITE_END_TIMESTAMP],
        ],
        named: [
            [mpiio::F_SLOWEST_RANK_TIME, mpiio::SLOWEST_RANK, mpiio::SLOWEST_RANK_BYTES],
            [mpiio::F_FASTEST_RANK_TIME, mpiio::FASTEST_RANK, mpiio::FASTEST_RANK_BYTES],
        ],
        opens: &[mpiio::INDEP_OPENS, mpiio::COLL_OPENS],
        stats: &[],
        seeks: &[],
        syncs: &[mpiio::SYNCS],
        switches: &[mpiio::RW_SWITCHES],
    },
    Places {
        table: TableId::Stdio,
        layer: Layer::Stdio,
        reads: &[stdio::READS],
        writes: &[stdio::WRITES],
        bytes: [stdio::BYTES_READ, stdio::BYTES_WRITTEN],
        times: [stdio::F_READ_TIME, stdio::F_WRITE_TIME, stdio::F_META_TIME],
        spans: [
            [stdio::F_READ_START_TIMESTAMP, stdio::F_READ_END_TIMESTAMP],
            [stdio::F_WRITE_START_TIMESTAMP, stdio::F_WRITE_END_TIMESTAMP],
        ],
        named: [
            [stdio::F_SLOWEST_RANK_TIME, stdio::SLOWEST_RANK, stdio::SLOWEST_RANK_BYTES],
            [stdio::F_FASTEST_RANK_TIME, stdio::FASTEST_RANK, stdio::FASTEST_RANK_BYTES],
        ],
        opens: &[stdio::OPENS],
        stats: &[],
        seeks: &[stdio::SEEKS],
        // A flush hands on what a write has buffered: it is no sync.
        syncs: &[],
        switches: &[],
    },
    Places {
        table: TableId::Dfs,
        layer: Layer::Dfs,
        reads: &[dfs::READS, dfs::READXS],
        writes: &[dfs::WRITES, dfs::WRITEXS],
        bytes: [dfs::BYTES_READ, dfs::BYTES_WRITTEN],
        times: [dfs::F_READ_TIME, dfs::F_WRITE_TIME, dfs::F_META_TIME],
        spans: [
            [dfs::F_READ_START_TIMESTAMP, dfs::F_READ_END_TIMESTAMP],
            [dfs::F_WRITE_START_TIMESTAMP, dfs::F_WRITE_END_TIMESTAMP],
        ],
        named: [
            [dfs::F_SLOWEST_RANK_TIME, dfs::SLOWEST_RANK, dfs::SLOWEST_RANK_BYTES],
            [dfs::F_FASTEST_RANK_TIME, dfs::FASTEST_RANK, dfs::FASTEST_RANK_BYTES],
        ],
        opens: &[dfs::OPENS, dfs::GLOBAL_OPENS, dfs::LOOKUPS],
        stats: &[dfs::STATS],
        seeks: &[],
        syncs: &[],
        switches: &[dfs::RW_SWITCHES],
    },
    Places {
        table: TableId::Daos,
        layer: Layer::Daos,
        reads: &[daos::OBJ_FETCHES, daos::ARRAY_READS, daos::KV_GETS],
        writes: &[daos::OBJ_UPDATES, daos::ARRAY_WRITES, daos::KV_PUTS],
        bytes: [daos::BYTES_READ, daos::BYTES_WRITTEN],
        times: [daos::F_READ_TIME, daos::F_WRITE_TIME, daos::F_META_TIME],
        spans: [
            [daos::F_READ_START_TIMESTAMP, daos::F_READ_END_TIMESTAMP],
            [daos::F_WRITE_START_TIMESTAMP, daos::F_WRITE_END_TIMESTAMP],
        ],
        named: [
            [daos::F_SLOWEST_RANK_TIME, daos::SLOWEST_RANK, daos::SLOWEST_RANK_BYTES],
            [daos::F_FASTEST_RANK_TIME, daos::FASTEST_RANK, daos::FASTEST_RANK_BYTES],
        ],
        opens: &[daos::OBJ_OPENS, daos::ARRAY_OPENS, daos::KV_OPENS],
        stats: &[daos::ARRAY_STATS],
        seeks: &[],
        syncs: &[],
        switches: &[daos::RW_SWITCHES],
    },
];

/// A table's rows in pieces, with only these columns.
pub(crate) fn pieces(
    tables: &[Arc<dyn BatchSource>],
    id: TableId,
    columns: &[usize],
) -> Vec<RecordBatch> {
    let table = tables.iter().find(|table| table.def().name == id.def().name);
    let count = table.map_or(0, |table| table.pieces());
    (0..count).filter_map(|piece| table.map(|table| table.piece(piece, columns))).collect()
}

/// Appends the loads of all records with times, by log.
pub(super) fn load(
    tables: &[Arc<dyn BatchSource>],
    facts: &[Facts],
    loads: &mut HashMap<i32, Vec<Load>>,
) {
    for places in &LAYERS {
        let columns: Vec<usize> = (0..places.table.def().columns.len()).collect();
        for batch in pieces(tables, places.table, &columns) {
            for row in 0..batch.num_rows() {
                let log = batch.column(0).as_primitive::<Int32Type>().value(row);
                let of_log = facts.iter().find(|facts| facts.log == log);
                let ranks = of_log.and_then(|facts| facts.nprocs);
                if let Some(mut load) = record(places, &batch, row, ranks) {
                    if places.layer == Layer::Posix && of_log.is_some_and(|f| f.is_darshan) {
                        // Darshan counts fileno and dup among opens: they open nothing.
                        let others = sum(&batch, &[posix::FILENOS, posix::DUPS], row);
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
fn sum(batch: &RecordBatch, columns: &[usize], row: usize) -> i64 {
    columns.iter().fold(0i64, |sum, column| sum.saturating_add(whole(batch, *column, row)))
}

fn known(batch: &RecordBatch, column: usize, row: usize) -> bool {
    !batch.column(column).as_primitive::<Int64Type>().is_null(row)
}

pub(super) fn real(batch: &RecordBatch, column: usize, row: usize) -> Option<f64> {
    let values = batch.column(column).as_primitive::<Float64Type>();
    (!values.is_null(row)).then(|| values.value(row)).filter(|s| s.is_finite() && *s >= 0.0)
}

/// One record; `None` when it has no times.
fn record(places: &Places, batch: &RecordBatch, row: usize, ranks: Option<i64>) -> Option<Load> {
    let sum = |columns: &[usize]| sum(batch, columns, row);
    let times = places.times.map(|column| real(batch, column, row));
    if times.iter().all(Option::is_none) {
        return None;
    }
    let [read_s, write_s, metadata_s] = times.map(|time| time.unwrap_or(0.0));
    let file_id = batch.column(1).as_primitive::<UInt64Type>().value(row);
    let rank = batch.column(2).as_primitive::<Int32Type>().value(row);
    let mut load = Load::new(places.layer, file_id, rank, NO_PHASE);
    (load.read.calls, load.write.calls) = (sum(places.reads), sum(places.writes));
    (load.read.bytes, load.write.bytes) = (sum(&places.bytes[..1]), sum(&places.bytes[1..]));
    // A request that moved bytes moved one at least.
    for (side, column) in [&mut load.read, &mut load.write].into_iter().zip(places.bytes) {
        let is_known = known(batch, column, row);
        side.empty_calls = if is_known { (side.calls - side.bytes).max(0) } else { 0 };
    }
    (load.opens, load.stats) = (sum(places.opens), sum(places.stats));
    (load.seeks, load.syncs) = (sum(places.seeks), sum(places.syncs));
    load.switches = sum(places.switches);
    (load.read.time_s, load.metadata_s) = (read_s, metadata_s);
    split_syncs(&mut load, write_s);
    load.total_s = read_s + write_s + metadata_s;
    load.record_s = load.total_s;
    if rank < 0 {
        let mean_s = load.total_s / ranks.unwrap_or(1).max(1) as f64;
        load.named = places.named.map(|[time, rank, bytes]| {
            let time_s = real(batch, time, row)?;
            let rank = i32::try_from(whole(batch, rank, row)).ok()?;
            Some(Named { rank, bytes: whole(batch, bytes, row), time_s })
        });
        let slowest_s = load.named[0].map(|named| named.time_s).filter(|s| *s > 0.0);
        // A sum over ranks cannot be less than the time of one of them.
        let slowest_s = slowest_s.unwrap_or(mean_s).min(load.total_s);
        load.slowest_ratio = if load.total_s > 0.0 { slowest_s / load.total_s } else { 1.0 };
    }
    let starts = if rank < 0 { ranks.unwrap_or(1).max(1) } else { 1 };
    for (calls, [start, end]) in [load.read.calls, load.write.calls].into_iter().zip(places.spans) {
        let span = real(batch, start, row).zip(real(batch, end, row)).filter(|_| calls > 0);
        if let Some((start_s, end_s)) = span {
            let (first_s, last_s) = load.span_s.unwrap_or((start_s, end_s));
            load.span_s = Some((first_s.min(start_s), last_s.max(end_s)));
        }
    }
    match places.layer {
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
    let mut places: HashMap<(i32, u64, i32, Layer), usize> = HashMap::new();
    for (log, loads) in &*loads {
        for (place, load) in loads.iter().enumerate() {
            places.insert((*log, load.file_id, load.rank, load.layer), place);
        }
    }
    // Of each load, reads and writes that may have moved nothing.
    let mut lowest: HashMap<(i32, usize), [i64; 2]> = HashMap::new();
    use size_histogram::{CALLS, FILE_ID, LAYER, LOG, OP, RANK, SIZE_HI_BYTES, SIZE_LO_BYTES};
    let columns = [LOG, FILE_ID, RANK, LAYER, OP, SIZE_LO_BYTES, SIZE_HI_BYTES, CALLS];
    for batch in pieces(tables, TableId::SizeHistogram, &columns) {
        let layers = batch.column(3).as_string_view();
        let ops = batch.column(4).as_string_view();
        for row in 0..batch.num_rows() {
            let low_bytes = whole(&batch, 5, row);
            let Some(layer) =
                Layer::from_name(layers.value(row)).filter(|_| low_bytes <= SMALL_BYTES)
            else {
                continue;
            };
            let log = batch.column(0).as_primitive::<Int32Type>().value(row);
            let file_id = batch.column(1).as_primitive::<UInt64Type>().value(row);
            let rank = batch.column(2).as_primitive::<Int32Type>().value(row);
            let place = places.get(&(log, file_id, rank, layer));
            let Some((at, load)) =
                place.and_then(|at| Some((*at, loads.get_mut(&log)?.get_mut(*at)?)))
            else {
                continue;
            };
            if low_bytes == 0 {
                let calls_of = lowest.entry((log, at)).or_default();
                let calls = &mut calls_of[usize::from(ops.value(row) != "read")];
                *calls = calls.saturating_add(whole(&batch, 7, row));
            }
            let side = if ops.value(row) == "read" { &mut load.read } else { &mut load.write };
            let calls = whole(&batch, 7, row);
            let high_bytes = match whole(&batch, 6, row) {
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
