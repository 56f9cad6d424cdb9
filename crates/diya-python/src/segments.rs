//! Single calls and heat maps of a log, in the shape of Darshan's records.

use arrow::array::{Array, ArrayRef, AsArray as _, RecordBatch};
use arrow::datatypes::{Float64Type, Int32Type, Int64Type, UInt64Type};
use diya::{BatchSource, TableDef};
use pyo3::prelude::*;
use pyo3::types::PyByteArray;
use std::collections::HashMap;
use std::sync::Arc;

/// A record: file, rank, node, and how many writes and reads it has.
type Head = (u64, i32, String, usize, usize);

/// Records, and of their segments, writes before reads: offsets, lengths, starts, ends.
pub type Segments<'py> = (Vec<Head>, [Bound<'py, PyByteArray>; 4]);

/// Layer, rank, seconds of a bin, bytes written and read per bin.
pub type Heatmap<'py> = (String, i32, f64, Bound<'py, PyByteArray>, Bound<'py, PyByteArray>);

/// What names the runs of rows of a record.
const NAMES: [&str; 5] = ["layer", "op", "file_id", "rank", "host"];
const NUMBERS: [&str; 4] = ["offset_bytes", "size_bytes", "start_s", "end_s"];

/// Offsets, lengths, starts and ends.
type Columns = [Vec<[u8; 8]>; 4];

#[derive(Default)]
struct Record {
    head: (u64, i32, String),
    writes: Columns,
    reads: Columns,
}

/// Reads and writes of a layer by file, rank and node, in the order in which these come first.
pub fn segments<'py>(
    py: Python<'py>,
    calls: &Arc<dyn BatchSource>,
    layer: &str,
) -> PyResult<Segments<'py>> {
    let (heads, columns) = py.detach(|| {
        let mut records: Vec<Record> = Vec::new();
        let mut places: HashMap<(u64, i32, String), usize> = HashMap::new();
        for number in 0..calls.batches() {
            collect(calls, number, layer, &mut records, &mut places);
        }
        joined(records)
    });
    Ok((heads, columns.map(|column| array(py, column))))
}

fn collect(
    calls: &Arc<dyn BatchSource>,
    number: usize,
    layer: &str,
    records: &mut Vec<Record>,
    places: &mut HashMap<(u64, i32, String), usize>,
) {
    let (lengths, runs) = calls.runs(number, &NAMES.map(|name| place(calls.def(), name)));
    let [layers, ops, ids, ranks, hosts] = columns(&runs);
    let layers = layers.as_string_view();
    if !(0..runs.num_rows()).any(|run| layers.value(run) == layer) {
        return;
    }
    let batch = calls.batch(number, &NUMBERS.map(|name| place(calls.def(), name)));
    let (ops, hosts) = (ops.as_string_view(), hosts.as_string_view());
    let (ids, ranks) = (ids.as_primitive::<UInt64Type>(), ranks.as_primitive::<Int32Type>());
    let mut first = 0;
    for (run, length) in lengths.into_iter().enumerate() {
        let rows = first..first + length;
        first = rows.end;
        let op = ops.value(run);
        if layers.value(run) != layer || !matches!(op, "read" | "write") {
            continue;
        }
        let host = if hosts.is_valid(run) { hosts.value(run) } else { "" };
        let head = (ids.value(run), ranks.value(run), host.to_owned());
        let at = *places.entry(head).or_insert_with_key(|head| {
            records.push(Record { head: head.clone(), ..Record::default() });
            records.len() - 1
        });
        let Record { writes, reads, .. } = &mut records[at];
        append(if op == "write" { writes } else { reads }, &batch, rows);
    }
}

fn append(record: &mut Columns, batch: &RecordBatch, rows: std::ops::Range<usize>) {
    let ([offset, size, start, end], [offsets, sizes, starts, ends]) = (columns(batch), record);
    // -1 is what PyDarshan gives for the offsets that DXT_MPIIO v1 does not have.
    for (column, cells, null) in [(offset, offsets, -1_i64), (size, sizes, 0)] {
        let values = column.as_primitive::<Int64Type>().slice(rows.start, rows.len());
        cells.extend(values.iter().map(|value| value.unwrap_or(null).to_ne_bytes()));
    }
    for (column, cells) in [(start, starts), (end, ends)] {
        let values = column.as_primitive::<Float64Type>().slice(rows.start, rows.len());
        cells.extend(values.iter().map(|value| value.unwrap_or(f64::NAN).to_ne_bytes()));
    }
}

fn joined(records: Vec<Record>) -> (Vec<Head>, Columns) {
    let mut all = Columns::default();
    let mut heads = Vec::with_capacity(records.len());
    for Record { head: (id, rank, host), writes, reads } in records {
        heads.push((id, rank, host, writes[0].len(), reads[0].len()));
        for columns in [writes, reads] {
            all.iter_mut().zip(columns).for_each(|(all, column)| all.extend(column));
        }
    }
    (heads, all)
}

/// Bytes per bin by layer and rank, in the order of the log.
pub fn heatmaps<'py>(py: Python<'py>, table: &Arc<dyn BatchSource>) -> PyResult<Vec<Heatmap<'py>>> {
    /// Layer, rank, seconds of a bin, written, read.
    type Bins = (String, i32, f64, Vec<[u8; 8]>, Vec<[u8; 8]>);
    let mut maps: Vec<Bins> = Vec::new();
    let mut places: HashMap<(String, i32), usize> = HashMap::new();
    for number in 0..table.batches() {
        let of = ["layer", "rank", "op", "bin_width_s"].map(|name| place(table.def(), name));
        let (lengths, runs) = table.runs(number, &of);
        let batch = table.batch(number, &[place(table.def(), "bytes")]);
        let ([bytes], [layers, ranks, ops, widths]) = (columns(&batch), columns(&runs));
        let bytes = bytes.as_primitive::<Int64Type>().values();
        let (layers, ops) = (layers.as_string_view(), ops.as_string_view());
        let ranks = ranks.as_primitive::<Int32Type>();
        let widths = widths.as_primitive::<Float64Type>();
        let mut first = 0;
        for (run, length) in lengths.into_iter().enumerate() {
            let key = (layers.value(run).to_owned(), ranks.value(run));
            let at = *places.entry(key).or_insert_with_key(|(layer, rank)| {
                maps.push((layer.clone(), *rank, widths.value(run), Vec::new(), Vec::new()));
                maps.len() - 1
            });
            let (_, _, _, written, read) = &mut maps[at];
            let bins = if ops.value(run) == "write" { written } else { read };
            let values = &bytes[first..first + length];
            bins.extend(values.iter().map(|bytes| bytes.to_ne_bytes()));
            first += length;
        }
    }
    let map = |(layer, rank, width, written, read): Bins| {
        (layer, rank, width, array(py, written), array(py, read))
    };
    Ok(maps.into_iter().map(map).collect())
}

/// Where a column stands that every such table has.
pub fn place(def: &'static TableDef, name: &str) -> usize {
    def.column(name).unwrap_or_default()
}

/// The columns of a batch, in the order in which they were asked for.
pub fn columns<const COUNT: usize>(batch: &RecordBatch) -> &[ArrayRef; COUNT] {
    batch.columns().first_chunk().expect("a batch has the columns that were asked for")
}

/// Numbers as an array that Python may change.
pub fn array<'py>(py: Python<'py>, cells: Vec<[u8; 8]>) -> Bound<'py, PyByteArray> {
    PyByteArray::new(py, cells.as_flattened())
}
