//! What each fix leaves of the calls, and what the job saves by it.
//!
//! One table per problem. Each looks at the loads that the problem is about,
//! says of each how much less time its calls would take after the fix, as a
//! range, and asks the critical path what that is worth. Constants that are no
//! measurement of the log stand here, with their reason.

pub(crate) mod balance;
pub(crate) mod independent;
pub(crate) mod layout;
pub(crate) mod metadata;
pub(crate) mod other;
pub(crate) mod reads;
pub(crate) mod requests;
mod shape;

use super::load::Load;
use crate::hash::HashSet;
use diya_tables::Layer;

/// Layers that read and write files by themselves: the C library makes no recorded
/// calls for its streams.
const FILE_LAYERS: [Layer; 2] = [Layer::Posix, Layer::Stdio];

/// Requests after merging by the program: larger ones gain little anywhere.
const MERGED_BYTES: f64 = 4.0 * 1024.0 * 1024.0;

/// Requests of an aggregator: the default of `cb_buffer_size` in ROMIO.
const AGGREGATED_BYTES: f64 = 16.0 * 1024.0 * 1024.0;

/// Seconds per byte that a copy in memory, or a fast network, takes at least.
const COPY_BYTE_S: f64 = 1e-10;

/// Seconds per byte that handing data to another rank takes at most: a network
/// of 1 GB/s.
const SEND_BYTE_S: f64 = 1e-9;

/// Seconds that ranks need to agree on a call, at most.
const AGREE_S: f64 = 20e-6;

/// Sum over loads of records, which hold each call once.
fn total(loads: &[&Load], of: impl Fn(&Load) -> i64) -> i64 {
    let records = loads.iter().filter(|load| load.phase == super::load::NO_PHASE);
    records.fold(0i64, |sum, load| sum.saturating_add(of(load)))
}

/// Whether more than one rank used the file.
fn is_of_many(loads: &[&Load]) -> bool {
    let ranks: HashSet<i32> = loads.iter().map(|load| load.rank).collect();
    ranks.contains(&-1) || ranks.len() > 1
}

fn share(part: i64, all: i64) -> f64 {
    if all > 0 { (part as f64 / all as f64).min(1.0) } else { 0.0 }
}
