//! How long ranks are in MPI besides calls on files, from samples of the processor: messages, and
//! waiting for each other.

use super::cells::{Cells, Row};
use diya_report::Messages;
use std::collections::BTreeMap;

/// Of the rank with the most and the one with the least; `None`: no ranks, or not all were sampled.
pub(super) fn of(work: &Cells, processes: &Cells, log: i32) -> Option<Messages> {
    let rank = |row: &Row<'_>| row.integer("rank");
    let is_rank = |row: &Row<'_>| row.integer("mpi_rank").is_some();
    // Whether it was sampled, in MPI, in all code.
    let mut sums: BTreeMap<i64, (bool, f64, f64)> = processes
        .rows(log)
        .filter(is_rank)
        .filter_map(|row| Some((rank(&row)?, (false, 0.0, 0.0))))
        .collect();
    for row in work.rows(log) {
        let Some(sum) = rank(&row).and_then(|rank| sums.get_mut(&rank)) else { continue };
        sum.0 = true;
        let passed_s = row.number("passed_s").unwrap_or(0.0);
        sum.2 += passed_s;
        let is = |column, name: &str| row.text(column).as_deref() == Some(name);
        if is("kind", "mpi") && is("place", "between") {
            sum.1 += passed_s;
        }
    }
    if sums.len() < 2 || sums.values().any(|(is_sampled, ..)| !is_sampled) {
        return None;
    }
    type Of<'a> = (&'a i64, &'a (bool, f64, f64));
    let by_time = |a: &Of<'_>, b: &Of<'_>| a.1.1.total_cmp(&b.1.1);
    let (most_rank, (_, most_s, _)) = sums.iter().max_by(by_time)?;
    let (least_rank, (_, least_s, least_busy_s)) = sums.iter().min_by(by_time)?;
    Some(Messages {
        most_rank: *most_rank,
        most_s: *most_s,
        least_rank: *least_rank,
        least_s: *least_s,
        least_busy_s: *least_busy_s,
    })
}
