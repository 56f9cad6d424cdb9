//! What a program does while it has a file open for a few calls, between these calls.
//!
//! Who saves a file anew in each step, or reads it again in each, makes or takes apart what it
//! holds there. No call says so: the calls on the file lie around it.

use super::file_pause::whole_sessions;
use super::library_pause::{Item, Process, each_process};
use crate::rows;
use diya_tables::{BatchSource, TableBuilder};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A longer pause computes: making a megabyte of JSON takes Python so long.
const LONGEST_S: f64 = 20e-3;

/// By process, file, and whether it is written: sessions and seconds.
type Sums = BTreeMap<(Process, u64, bool), (i64, f64)>;

/// Rows of table `file_session`.
pub(crate) fn compute(tables: &[Arc<dyn BatchSource>], table: &mut TableBuilder) {
    let mut sums = Sums::new();
    each_process(tables, &mut |process, items| add(items, process, &mut sums));
    for (((log, rank), file_id, is_written), (sessions, pause_s)) in sums {
        let op = if is_written { "write" } else { "read" };
        rows::FileSession { log, rank, file_id, op, sessions, pause_s }.push(table);
    }
}

/// Adds the calls of one process, in the order of threads and time.
fn add(items: &[Item], process: Process, sums: &mut Sums) {
    for session in whole_sessions(items) {
        let Some(first) = session.first() else { continue };
        let is_written = session.iter().any(|item| item.written_bytes > 0);
        let (sessions, sum_s) = sums.entry((process, first.file_id, is_written)).or_default();
        *sessions += 1;
        for two in session.windows(2) {
            let [before, after] = two else { continue };
            *sum_s += (after.start_s - before.end_s).clamp(0.0, LONGEST_S);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::file_pause::tests::item;
    use super::*;

    #[test]
    fn what_passes_between_open_and_close_of_a_file_counts_by_its_direction() {
        let mut save = [
            item(-9.0, 's', 3, None), // asked before
            item(0.0, 'o', 3, None),
            item(501.0, 'w', 3, None), // half a millisecond to make it
            item(512.0, 'c', 3, None),
            item(600.0, 'r', 3, None), // renamed
            item(900.0, 'o', 4, None),
            item(901.0, 'c', 4, None),
        ];
        save[2].written_bytes = 9;
        let mut sums = Sums::new();
        add(&save, (0, 0), &mut sums);
        let us = |s: f64| (s * 1e6).round() as i64;
        let rows: Vec<_> = sums.iter().map(|(key, sum)| (key.1, key.2, sum.0, us(sum.1))).collect();
        assert_eq!(rows, [(3, true, 1, 510), (4, false, 1, 0)]);
    }
}
