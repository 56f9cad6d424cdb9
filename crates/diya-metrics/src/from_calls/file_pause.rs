//! What packages of Python do with a file that is opened for a few calls: between two calls
//! on it, one after the other, both made inside one package below one line of the user's,
//! such as `numpy.save`.
//!
//! With the file that work goes, too: making its header, parsing it, finding out what the
//! file is. A file that stays open, such as a log, is none of these: a loop of the program
//! may lie between its calls.

use super::library_pause::{Item, LONGEST_S, Process, each_process};
use crate::rows;
use crate::work_kinds::{Work, of_library};
use diya_tables::{BatchSource, TableBuilder};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A file with more calls from its open to its close stays open for a loop.
const MOST_CALLS: usize = 32;

/// By process, file and number of the package.
type Sums = BTreeMap<(Process, u64, u32), f64>;

/// Rows of table `file_pause`.
pub(crate) fn compute(tables: &[Arc<dyn BatchSource>], table: &mut TableBuilder) {
    let mut sums = Sums::new();
    let names = each_process(tables, &mut |process, items| add(items, process, &mut sums));
    for (((log, rank), file_id, library), pause_s) in sums {
        let Some(library) = names.get(&library) else { continue };
        // Code that was compiled is the program's own, too; modules are loaded once.
        if library.contains(".so") || of_library(library) == Work::Import {
            continue;
        }
        rows::FilePause { log, rank, file_id, library, pause_s }.push(table);
    }
}

/// The calls on a file from its open to its close, where they are few and none on another file
/// lies between them. Calls in the order of threads and time.
pub(super) fn whole_sessions(items: &[Item]) -> impl Iterator<Item = &[Item]> {
    // A stream can be opened on an open file, and closed before it. What is asked before the open,
    // and done with the name after the close, is no part.
    let is_next = |a: &Item, b: &Item| {
        (a.thread, a.file_id) == (b.thread, b.file_id) && (b.is_close || !a.is_close)
    };
    let of_files = items.chunk_by(is_next).map(|of_file| {
        let first = of_file.iter().position(|item| item.is_open).unwrap_or(of_file.len());
        of_file.get(first..).unwrap_or_default()
    });
    let is_whole = |of_file: &&[Item]| of_file.last().is_some_and(|last| last.is_close);
    of_files.filter(move |of_file| is_whole(of_file) && of_file.len() <= MOST_CALLS)
}

/// Adds the calls of one process, in the order of threads and time.
fn add(items: &[Item], process: Process, sums: &mut Sums) {
    for of_file in whole_sessions(items) {
        for two in of_file.windows(2) {
            let Some((_, library)) = two[1].place.filter(|_| two[0].place == two[1].place) else {
                continue;
            };
            let pause_s = (two[1].start_s - two[0].end_s).max(0.0);
            *sums.entry((process, two[1].file_id, library)).or_default() += pause_s.min(LONGEST_S);
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A call of a microsecond; what it does is `o`pen, `c`lose or anything else.
    pub(in super::super) fn item(
        start_us: f64,
        what: char,
        file_id: u64,
        place: Option<(u32, u32)>,
    ) -> Item {
        Item {
            thread: 1,
            file_id,
            is_open: what == 'o',
            is_close: what == 'c',
            is_loading: false,
            start_s: start_us * 1e-6,
            end_s: (start_us + 1.0) * 1e-6,
            busy_s: 1e-6,
            calls: 1,
            read_bytes: 0,
            written_bytes: 0,
            place,
            stack: None,
        }
    }

    fn paused_us(items: &[Item]) -> Vec<(u64, i64)> {
        let mut sums = Sums::new();
        add(items, (0, 0), &mut sums);
        let row = |((_, file, _), pause_s): (&(Process, u64, u32), &f64)| {
            (*file, (pause_s * 1e6).round() as i64)
        };
        sums.iter().map(row).collect()
    }

    const SAVE: Option<(u32, u32)> = Some((1, 7));

    #[test]
    fn what_a_package_does_between_its_calls_on_a_file_counts() {
        let items = [
            item(0.0, 'o', 3, SAVE),
            item(11.0, 'w', 3, SAVE),
            item(32.0, 'c', 3, SAVE),
            item(900.0, 'o', 4, None), // the program's own open
            item(906.0, 'o', 4, SAVE), // a stream on it
            item(914.0, 'c', 4, SAVE),
            item(950.0, 'c', 4, None),
        ];
        assert_eq!(paused_us(&items), [(3, 30), (4, 7)]);
    }

    #[test]
    fn a_file_that_stays_open_or_is_used_beside_others_says_nothing() {
        let beside = [item(0.0, 'o', 3, SAVE), item(10.0, 'w', 4, SAVE), item(20.0, 'c', 3, SAVE)];
        assert_eq!(paused_us(&beside), []);
        let mut log: Vec<Item> =
            (1..40).map(|at| item(f64::from(at) * 10.0, 'w', 3, SAVE)).collect();
        log.insert(0, item(0.0, 'o', 3, SAVE));
        log.push(item(500.0, 'c', 3, SAVE));
        assert_eq!(paused_us(&log), []);
    }
}
