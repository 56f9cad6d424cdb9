//! What decoding takes, such as that of pictures: no I/O, but what stands between a file and its data.

use super::cells::Cells;
use std::collections::{BTreeMap, BTreeSet};

/// Seconds in the process with the most that none of the log started: what workers decode, others
/// do meanwhile.
pub(super) fn longest_s(work: &Cells, processes: &Cells, log: i32) -> Option<f64> {
    let numbers: BTreeSet<i64> =
        processes.rows(log).filter_map(|row| row.integer("process")).collect();
    let is_worker = |row: &super::cells::Row<'_>| {
        row.integer("parent").is_some_and(|parent| numbers.contains(&parent))
    };
    let workers: BTreeSet<i64> =
        processes.rows(log).filter(is_worker).filter_map(|row| row.integer("rank")).collect();
    let mut sums: BTreeMap<i64, f64> = BTreeMap::new();
    for row in work.rows(log).filter(|row| row.text("kind").as_deref() == Some("decoding")) {
        let rank = row.integer("rank").unwrap_or(0);
        if !workers.contains(&rank) {
            *sums.entry(rank).or_default() += row.number("passed_s").unwrap_or(0.0);
        }
    }
    sums.into_values().max_by(f64::total_cmp)
}
