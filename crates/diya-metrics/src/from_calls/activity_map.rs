//! Ranks over time for logs without single calls: from Darshan's heat maps, or
//! spread from the first and last timestamps of each counter record.

use crate::rows;
use diya_model::recorded_time;
use diya_tables::{BatchSource, Column, Layer, TableBuilder, call, heatmap, job};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Rows of ranks: a picture of usual height cannot show more.
const MAX_ROWS: i32 = 256;
/// Bins of time, likewise.
const MAX_BINS: usize = 256;
/// Bins that estimates are spread over: the shape of a run, no finer than it is known.
const ESTIMATED_BINS: usize = 128;

const OPS: [&str; 2] = ["read", "write"];

/// Bytes of one layer.
#[derive(Debug, Default)]
struct Map {
    bin_s: f64,
    is_estimate: bool,
    /// By rank and direction: bytes of each bin.
    rows: BTreeMap<(i32, usize), Vec<f64>>,
}

/// One direction of a counter record.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Span {
    pub rank: i32,
    /// Position in `OPS`.
    pub op: usize,
    pub bytes: f64,
    pub start_s: f64,
    pub end_s: f64,
}

/// Rows of table `activity_map`.
pub(crate) fn compute(tables: &[Arc<dyn BatchSource>], table: &mut TableBuilder) {
    let traced = traced(tables);
    let mut maps: BTreeMap<(i32, String), Map> = BTreeMap::new();
    from_heat_maps(tables, &traced, &mut maps);
    let jobs = jobs(tables);
    for layer in LAYERS {
        for (log, spans) in spans(tables, layer, &traced) {
            let run_s = jobs.get(&log).and_then(|job| job.0);
            maps.entry((log, layer.name().to_owned())).or_insert_with(|| spread(&spans, run_s));
        }
    }
    for ((log, layer), map) in &maps {
        let nprocs = jobs.get(log).and_then(|job| job.1).unwrap_or(1);
        write(*log, layer, map, nprocs, table);
    }
}

diya_tables::columns! {
    /// Counters of a file; the columns have one name in all layers.
    struct Records by name {
        log: i32,
        rank: i32,
        bytes_read: i64,
        f_read_start_timestamp: f64,
        f_read_end_timestamp: f64,
        bytes_written: i64,
        f_write_start_timestamp: f64,
        f_write_end_timestamp: f64,
    }
}

/// Layers with counters for the first and last read and write of a file.
const LAYERS: [Layer; 4] = [Layer::Posix, Layer::Mpiio, Layer::Stdio, Layer::Dfs];

diya_tables::columns! {
    struct CallLogs of call { log: i32 }
}

diya_tables::columns! {
    struct Jobs of job { log: i32, run_time_s: f64, nprocs: i64 }
}

diya_tables::columns! {
    struct HeatMaps of heatmap {
        log: i32,
        layer: str,
        rank: i32,
        op: str,
        bin: i32,
        bin_width_s: f64,
        bytes: i64,
    }
}

/// Logs with single calls.
fn traced(tables: &[Arc<dyn BatchSource>]) -> BTreeSet<i32> {
    let mut logs = BTreeSet::new();
    for calls in CallLogs::all(tables) {
        logs.extend(calls.log.values().chunk_by(|a, b| a == b).filter_map(|run| run.first()));
    }
    logs
}

/// Run time and processes of each log.
fn jobs(tables: &[Arc<dyn BatchSource>]) -> BTreeMap<i32, (Option<f64>, Option<i64>)> {
    let mut jobs = BTreeMap::new();
    for of in Jobs::all(tables) {
        for row in 0..of.rows() {
            let run = of.run_time_s.get(row).filter(|run| *run > 0.0);
            jobs.insert(of.log.value(row), (run, of.nprocs.get(row)));
        }
    }
    jobs
}

fn from_heat_maps(
    tables: &[Arc<dyn BatchSource>],
    traced: &BTreeSet<i32>,
    maps: &mut BTreeMap<(i32, String), Map>,
) {
    for of in HeatMaps::all(tables) {
        let (logs, ranks, bins) = (of.log.values(), of.rank.values(), of.bin.values());
        let (widths, bytes) = (of.bin_width_s.values(), of.bytes.values());
        for row in 0..of.rows() {
            if bytes[row] <= 0 || traced.contains(&logs[row]) {
                continue;
            }
            let Ok(bin) = usize::try_from(bins[row]) else { continue };
            let map = maps.entry((logs[row], of.layer.value(row).to_owned())).or_default();
            map.bin_s = map.bin_s.max(widths[row]);
            let op = usize::from(of.op.value(row) != OPS[0]);
            add(map.rows.entry((ranks[row], op)).or_default(), bin, bytes[row] as f64);
        }
    }
}

fn add(bins: &mut Vec<f64>, bin: usize, bytes: f64) {
    bins.resize(bins.len().max(bin + 1), 0.0);
    bins[bin] += bytes;
}

/// What the counters of one layer say of each log without calls.
fn spans(
    tables: &[Arc<dyn BatchSource>],
    layer: Layer,
    traced: &BTreeSet<i32>,
) -> BTreeMap<i32, Vec<Span>> {
    let mut found: BTreeMap<i32, Vec<Span>> = BTreeMap::new();
    let Some(table) = tables.iter().find(|table| table.def().name == layer.name()) else {
        return found;
    };
    for of in Records::batches(table.as_ref()) {
        let directions = [
            (&of.bytes_read, &of.f_read_start_timestamp, &of.f_read_end_timestamp),
            (&of.bytes_written, &of.f_write_start_timestamp, &of.f_write_end_timestamp),
        ];
        for row in (0..of.rows()).filter(|row| !traced.contains(&of.log.value(*row))) {
            for (op, (bytes, starts, ends)) in directions.into_iter().enumerate() {
                let time = |times: &Column<f64>| times.get(row).and_then(recorded_time);
                let (Some(start_s), Some(end_s)) = (time(starts), time(ends)) else { continue };
                let Some(bytes) = bytes.get(row).filter(|bytes| *bytes > 0) else { continue };
                found.entry(of.log.value(row)).or_default().push(Span {
                    rank: of.rank.value(row),
                    op,
                    bytes: bytes as f64,
                    start_s,
                    end_s: end_s.max(start_s),
                });
            }
        }
    }
    found
}

/// The bytes of each record, evenly over its time.
fn spread(spans: &[Span], run_s: Option<f64>) -> Map {
    let end_s = spans.iter().map(|span| span.end_s).fold(run_s.unwrap_or(0.0), f64::max);
    let bin_s = (end_s / ESTIMATED_BINS as f64).max(1e-9);
    let mut map = Map { bin_s, is_estimate: true, ..Map::default() };
    let last = ESTIMATED_BINS - 1;
    let bin_of = |time_s: f64| ((time_s / bin_s) as usize).min(last);
    for span in spans {
        let bins = map.rows.entry((span.rank, span.op)).or_default();
        let (from, to) = (bin_of(span.start_s), bin_of(span.end_s));
        let length_s = span.end_s - span.start_s;
        for bin in from..=to {
            let start_s = span.start_s.max(bin as f64 * bin_s);
            let end_s = if bin == to { span.end_s } else { (bin + 1) as f64 * bin_s };
            let share = if from == to { 1.0 } else { (end_s - start_s).max(0.0) / length_s };
            add(bins, bin, span.bytes * share);
        }
    }
    map
}

fn write(log: i32, layer: &str, map: &Map, nprocs: i64, table: &mut TableBuilder) {
    let highest = map.rows.keys().map(|(rank, _)| *rank).max().unwrap_or(0);
    let per_row = highest / MAX_ROWS + 1;
    let bins = map.rows.values().map(Vec::len).max().unwrap_or(0);
    let per_bin = bins.div_ceil(MAX_BINS).max(1);
    // Ranks that share a row, bins that share one.
    let mut rows: BTreeMap<(i32, usize, usize), f64> = BTreeMap::new();
    for ((rank, op), bytes) in &map.rows {
        let first = if *rank < 0 { -1 } else { rank / per_row * per_row };
        for (bin, bytes) in bytes.iter().enumerate().filter(|(_, bytes)| **bytes > 0.0) {
            *rows.entry((first, bin / per_bin, *op)).or_default() += bytes;
        }
    }
    let width_s = map.bin_s * per_bin as f64;
    for ((rank, bin, op), bytes) in rows {
        let ranks = if rank < 0 { nprocs } else { i64::from(per_row.min(highest - rank + 1)) };
        rows::ActivityMap {
            log,
            layer,
            rank,
            ranks,
            op: OPS[op],
            start_s: bin as f64 * width_s,
            end_s: (bin + 1) as f64 * width_s,
            bytes,
            is_estimate: map.is_estimate,
        }
        .push(table);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Catalog;

    fn rows_of(map: &Map) -> Vec<(i32, f64, f64, f64)> {
        let def = Catalog::built_in().get("activity_map").expect("is there").def;
        let mut table = TableBuilder::new(def);
        write(0, "posix", map, 4, &mut table);
        let number = |column: usize, row: usize| table.f64(column, row).unwrap_or(f64::NAN);
        (0..table.rows())
            .map(|row| {
                let rank = table.i32(2, row).unwrap_or(-9);
                (rank, number(5, row), number(6, row), number(7, row))
            })
            .collect()
    }

    #[test]
    fn a_record_is_spread_evenly_between_its_first_and_last_byte() {
        // Bins of 1 s: half of the time in the first, all of the second, half of the third.
        let span = Span { rank: 3, op: 1, bytes: 400.0, start_s: 0.5, end_s: 2.5 };
        let map = spread(&[span], Some(128.0));
        assert_eq!(
            rows_of(&map),
            [(3, 0.0, 1.0, 100.0), (3, 1.0, 2.0, 200.0), (3, 2.0, 3.0, 100.0)]
        );
    }

    #[test]
    fn a_record_of_no_length_is_in_one_bin_and_the_end_of_the_run_in_the_last() {
        let span = Span { rank: -1, op: 0, bytes: 7.0, start_s: 128.0, end_s: 128.0 };
        assert_eq!(rows_of(&spread(&[span], Some(128.0))), [(-1, 127.0, 128.0, 7.0)]);
    }

    #[test]
    fn a_thousand_ranks_share_rows_and_no_byte_is_lost() {
        let spans: Vec<Span> = (0..1000)
            .map(|rank| Span { rank, op: 0, bytes: 1.0, start_s: 1.0, end_s: 1.0 })
            .collect();
        let rows = rows_of(&spread(&spans, Some(10.0)));
        assert_eq!(rows.len(), 250);
        assert_eq!(rows.iter().map(|row| row.3).sum::<f64>(), 1000.0);
    }
}
