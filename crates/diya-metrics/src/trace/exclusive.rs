//! Time that a rank spends in a layer itself, not in a layer below it.
//!
//! Taken from when calls were running, not from which call made which: a DXT
//! trace does not record that.

use super::calls::Call;
use super::intervals::{join, overlap_s, seconds};
use diya_tables::{Layer, TableBuilder};
use std::collections::BTreeMap;

/// How far down a layer stands: a call of a layer runs inside calls of smaller
/// numbers only.
fn depth(layer: Layer) -> u8 {
    match layer {
        Layer::Netcdf => 0,
        Layer::Hdf5File
        | Layer::Hdf5Dataset
        | Layer::Hdf5Other
        | Layer::PnetcdfFile
        | Layer::PnetcdfVar => 1,
        Layer::Mpiio => 2,
        Layer::Posix | Layer::Stdio | Layer::Dfs => 3,
        Layer::Daos => 4,
    }
}

/// Calls of one rank in one layer.
#[derive(Debug, Default)]
struct Part {
    spans: Vec<(f64, f64)>,
    calls: i64,
    time_s: f64,
    busy_s: f64,
    exclusive_s: f64,
}

/// Rows of table `exclusive_time`.
pub(super) fn compute(calls: &[Call], table: &mut TableBuilder) {
    let mut ranks: BTreeMap<(i32, i32), BTreeMap<(u8, Layer), Part>> = BTreeMap::new();
    for call in calls {
        let rank = ranks.entry((call.log, call.rank)).or_default();
        let part = rank.entry((depth(call.layer), call.layer)).or_default();
        part.spans.push((call.start_s, call.end_s));
        part.calls = part.calls.saturating_add(call.calls);
        part.time_s += call.busy_s;
    }
    for ((log, rank), mut parts) in ranks {
        subtract_lower(&mut parts);
        for ((_, layer), part) in parts {
            table.push_i32(0, Some(log));
            table.push_i32(1, Some(rank));
            table.push_str(2, Some(layer.name()));
            table.push_i64(3, Some(part.calls));
            table.push_f64(4, Some(part.time_s));
            table.push_f64(5, Some(part.busy_s));
            table.push_f64(6, Some(part.exclusive_s));
            table.end_row();
        }
    }
}

/// Goes from the bottom up: `below` is when a lower layer was running, `beside`
/// what of the depth at hand will lie below the next.
fn subtract_lower(parts: &mut BTreeMap<(u8, Layer), Part>) {
    let (mut below, mut beside, mut at_depth) = (Vec::new(), Vec::new(), u8::MAX);
    for ((depth, _), part) in parts.iter_mut().rev() {
        if *depth != at_depth {
            at_depth = *depth;
            below.append(&mut beside);
            join(&mut below);
        }
        join(&mut part.spans);
        part.busy_s = seconds(&part.spans);
        part.exclusive_s = (part.busy_s - overlap_s(&part.spans, &below)).max(0.0);
        beside.append(&mut part.spans);
    }
}
