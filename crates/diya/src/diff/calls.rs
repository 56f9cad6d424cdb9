//! Timed calls: how many per layer, file and rank, and the first that differs.
//!
//! All differing calls would be millions of lines; one line per file and rank
//! says where to look.

use super::{Difference, push};
use diya_tables::{CallTable, Layer, Op, Tables};
use std::collections::BTreeMap;

/// Calls that belong together, in the order recorded.
type Key = (Layer, u64, i32, Op);

/// A call: its chunk and its place there.
type CallPosition = (usize, usize);

pub(super) fn compare(a: &Tables, b: &Tables, found: &mut Vec<Difference>) {
    let (of_a, of_b) = (by_key(&a.calls), by_key(&b.calls));
    let none = Vec::new();
    let only_b = of_b.keys().filter(|key| !of_a.contains_key(key));
    for key in of_a.keys().chain(only_b) {
        let (layer, file_id, rank, op) = *key;
        let place = (module(layer), Some(rank), Some(file_id));
        let (in_a, in_b) = (of_a.get(key).unwrap_or(&none), of_b.get(key).unwrap_or(&none));
        let counts = [in_a.len(), in_b.len()].map(|n| Some(n.to_string()));
        let [count_a, count_b] = counts;
        push(found, place, format!("{}_calls", op.name()), count_a, count_b);
        let mut pairs = in_a.iter().zip(in_b).enumerate();
        let first = pairs.find(|(_, (x, y))| numbers(&a.calls, **x) != numbers(&b.calls, **y));
        if let Some((n, (x, y))) = first {
            let (x, y) = (describe(&a.calls, *x), describe(&b.calls, *y));
            push(found, place, format!("{}_call_{n}", op.name()), Some(x), Some(y));
        }
    }
}

/// Name of the module, where Darshan has one for the calls of a layer.
fn module(layer: Layer) -> &'static str {
    match layer {
        Layer::Posix => "DXT_POSIX",
        Layer::Mpiio => "DXT_MPIIO",
        other => other.name(),
    }
}

fn by_key(calls: &CallTable) -> BTreeMap<Key, Vec<CallPosition>> {
    let mut out: BTreeMap<Key, Vec<CallPosition>> = BTreeMap::new();
    for (number, chunk) in calls.chunks().enumerate() {
        let mut from = 0;
        for run in &chunk.runs {
            let of_key = out.entry((run.layer, run.file_id, run.rank, run.op)).or_default();
            of_key.extend((from..from + run.len).map(|call| (number, call)));
            from += run.len;
        }
    }
    out
}

/// Offset, size, and the bits of start and end.
fn numbers(calls: &CallTable, (chunk, call): CallPosition) -> (i64, i64, u64, u64) {
    let chunk = calls.chunk(chunk);
    let times = (chunk.start_s[call].to_bits(), chunk.end_s[call].to_bits());
    (chunk.offset_bytes[call], chunk.size_bytes[call], times.0, times.1)
}

fn describe(calls: &CallTable, (chunk, call): CallPosition) -> String {
    let chunk = calls.chunk(chunk);
    let (offset, size) = (chunk.offset_bytes[call], chunk.size_bytes[call]);
    format!(
        "offset {offset}, size {size}, start {} s, end {} s",
        chunk.start_s[call], chunk.end_s[call]
    )
}
