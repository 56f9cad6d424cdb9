//! A library's own time between the calls that it makes: of two calls of one thread,
//! one after the other, both made inside the same library below the same line of the
//! user's.
//!
//! Loading a module of Python is a dozen short calls with unpacking and running between
//! them; the calls themselves take the smaller part. The stacks show that both calls
//! belong to the library, not that nothing else ran between them: long pauses are
//! computing, and the sum is an upper bound.

use super::{batches, user_frame};
use crate::hash::{HashMap, HashSet};
use crate::model::pipes;
use crate::rows;
use crate::work_kinds::{Work, of_library};
use arrow::array::Array;
use diya_tables::{BatchSource, Op, TableBuilder, call};
use std::collections::BTreeMap;
use std::sync::Arc;

diya_tables::columns! {
    struct ItemColumns of call {
        log: i32,
        rank: i32,
        thread: u64,
        parent_id: u64,
        stack_id: u64,
        start_s: f64,
        end_s: f64,
        busy_s: f64,
        calls: i64,
        file_id: u64,
        op: str,
        size_bytes: i64,
    }
}

diya_tables::columns! {
    struct ProcessColumns of call { log: i32, rank: i32 }
}

/// Longer pauses are computing: unpacking and running a module takes less.
pub(super) const LONGEST_S: f64 = 1e-3;

/// But a compiled module takes up to so long to set itself up, and on a busy machine the
/// processor is given to others for some milliseconds at a time: between two calls of the
/// loader below one line of the user's nothing but modules runs.
const LONGEST_LOADING_S: f64 = 20e-3;

/// And packing before a write and unpacking after a read take up to so long for each
/// byte: `gzip` at its usual level 30 ns.
const PACKING_S_PER_BYTE: f64 = 1e-7;

/// What one process does inside one library.
#[derive(Debug, Default)]
struct Sum {
    calls: i64,
    bytes: i64,
    read_bytes: i64,
    busy_s: f64,
    pause_s: f64,
}

/// One row of table `call`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Item {
    pub thread: u64,
    pub file_id: u64,
    pub is_open: bool,
    pub is_close: bool,
    /// Made by the loader of modules.
    pub is_loading: bool,
    pub start_s: f64,
    pub end_s: f64,
    pub busy_s: f64,
    pub calls: i64,
    pub read_bytes: i64,
    pub written_bytes: i64,
    /// Numbers of line and library.
    pub place: Option<(u32, u32)>,
    /// Which calls led to it.
    pub stack: Option<u64>,
}

/// A process: log, rank.
pub(super) type Process = (i32, i32);

/// Calls that are looked at together: 0.3 GB.
const MAX_ROWS: usize = 5_000_000;

/// Rows of table `library_pause`.
pub(crate) fn compute(tables: &[Arc<dyn BatchSource>], table: &mut TableBuilder) {
    let mut sums: BTreeMap<(i32, i32, u32), Sum> = BTreeMap::new();
    let names = each_process(tables, &mut |process, items| add(items, &mut sums, process));
    let name = |library: u32| names.get(&library).map(String::as_str).unwrap_or_default();
    let mut rows: Vec<_> = sums.into_iter().collect();
    rows.sort_by_key(|((log, rank, library), _)| (*log, *rank, name(*library)));
    for ((log, rank, library), sum) in rows {
        rows::LibraryPause {
            log,
            rank,
            library: name(library),
            calls: sum.calls,
            busy_s: sum.busy_s,
            pause_s: sum.pause_s,
            bytes: sum.bytes,
            read_bytes: sum.read_bytes,
            kind: of_library(name(library)).name(),
        }
        .push(table);
    }
}

/// Shows the calls of each process that no other call contains, in the order of threads
/// and time. Returns the libraries by the number in [`Item::place`].
pub(super) fn each_process(
    tables: &[Arc<dyn BatchSource>],
    visit: &mut impl FnMut(Process, &[Item]),
) -> HashMap<u32, String> {
    let stacks = user_frame::libraries(tables);
    if stacks.is_empty() {
        return HashMap::default();
    }
    let mut numbers: HashMap<&str, u32> = HashMap::default();
    for text in stacks.values().flat_map(|(line, library)| [line, library]) {
        let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
        numbers.entry(text).or_insert(next);
    }
    let number = |text: &String| numbers.get(text.as_str()).copied().unwrap_or(u32::MAX);
    let places: HashMap<(i32, u64), (u32, u32)> = stacks
        .iter()
        .map(|(key, (line, library))| (*key, (number(line), number(library))))
        .collect();
    let loading = numbers.iter().filter(|(name, _)| of_library(name) == Work::Import);
    let loading: HashSet<u32> = loading.map(|(_, number)| *number).collect();
    let pipes = pipes(tables);
    let mut counts: BTreeMap<Process, usize> = BTreeMap::new();
    for of in ProcessColumns::all(tables) {
        let processes = of.log.values().iter().copied().zip(of.rank.values().iter().copied());
        processes.for_each(|process| *counts.entry(process).or_default() += 1);
    }
    let (all, counts): (Vec<Process>, Vec<usize>) = counts.into_iter().unzip();
    for range in batches(&counts, MAX_ROWS) {
        let mut items: HashMap<Process, Vec<Item>> =
            all[range].iter().map(|of| (*of, Vec::new())).collect();
        for of in ItemColumns::all(tables) {
            gather(&of, &mut items, |stack, file| {
                let place = places.get(&stack).copied().filter(|_| !pipes.contains(&file));
                (place, place.is_some_and(|(_, library)| loading.contains(&library)))
            });
        }
        for (process, mut of_process) in items {
            let order =
                |a: &Item, b: &Item| a.thread.cmp(&b.thread).then(a.start_s.total_cmp(&b.start_s));
            of_process.sort_unstable_by(order);
            visit(process, &of_process);
        }
    }
    numbers.into_iter().map(|(name, number)| (number, name.to_owned())).collect()
}

/// Collects the calls of some processes. What a library calls inside a call of its own
/// is part of that call.
fn gather(
    of: &ItemColumns,
    items: &mut HashMap<Process, Vec<Item>>,
    place_of: impl Fn((i32, u64), (i32, u64)) -> (Option<(u32, u32)>, bool),
) {
    for row in (0..of.rows()).filter(|row| of.parent_id.is_null(*row)) {
        let (log, file_id) = (of.log.value(row), of.file_id.value(row));
        let Some(items) = items.get_mut(&(log, of.rank.value(row))) else { continue };
        let stack = of.stack_id.get(row);
        let (place, is_loading) =
            stack.map_or((None, false), |stack| place_of((log, stack), (log, file_id)));
        let bytes = of.size_bytes.get(row).unwrap_or(0).max(0);
        let moved = |op: &str| if of.op.value(row) == op { bytes } else { 0 };
        items.push(Item {
            thread: of.thread.get(row).unwrap_or_default(),
            file_id,
            is_open: of.op.value(row) == Op::Open.name(),
            is_close: of.op.value(row) == Op::Close.name(),
            is_loading,
            start_s: of.start_s.value(row),
            end_s: of.end_s.value(row),
            busy_s: of.busy_s.value(row),
            calls: of.calls.value(row).max(1),
            read_bytes: moved("read"),
            written_bytes: moved("write"),
            place,
            stack,
        });
    }
}

/// Seconds between two calls, one after the other, of one library below one line of the user's;
/// `None`: other calls, or so long that it is computing.
pub(super) fn pause_s(before: &Item, item: &Item) -> Option<f64> {
    let is_same =
        item.place.is_some() && (before.thread, before.place) == (item.thread, item.place);
    let pause_s = item.start_s - before.end_s;
    let bytes = before.read_bytes.max(item.written_bytes);
    let longest_s = if item.is_loading { LONGEST_LOADING_S } else { LONGEST_S };
    let is_short = pause_s <= longest_s.max(bytes as f64 * PACKING_S_PER_BYTE);
    Some(pause_s).filter(|pause_s| is_same && *pause_s > 0.0 && is_short)
}

/// Adds the calls of one process, in the order of threads and time.
fn add(items: &[Item], sums: &mut BTreeMap<(i32, i32, u32), Sum>, (log, rank): Process) {
    let mut last: Option<&Item> = None;
    for item in items {
        if let Some((_, library)) = item.place {
            let sum = sums.entry((log, rank, library)).or_default();
            sum.calls = sum.calls.saturating_add(item.calls);
            sum.busy_s += item.busy_s;
            let moved = item.read_bytes.saturating_add(item.written_bytes);
            sum.bytes = sum.bytes.saturating_add(moved);
            sum.read_bytes = sum.read_bytes.saturating_add(item.read_bytes);
            // A row of several calls has pauses inside.
            let inside_s = (item.end_s - item.start_s - item.busy_s).max(0.0);
            if inside_s <= LONGEST_S * item.calls as f64 {
                sum.pause_s += inside_s;
            }
            sum.pause_s += last.and_then(|of| pause_s(of, item)).unwrap_or(0.0);
        }
        last = Some(item);
    }
}

#[cfg(test)]
impl Item {
    /// A call of thread 1 that moves nothing.
    pub fn at(start_s: f64, busy_s: f64, place: Option<(u32, u32)>) -> Self {
        Self {
            thread: 1,
            file_id: 9,
            is_open: false,
            is_close: false,
            is_loading: false,
            start_s,
            end_s: start_s + busy_s,
            busy_s,
            calls: 1,
            read_bytes: 0,
            written_bytes: 0,
            place,
            stack: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_between_calls_of_one_library_and_line_count() {
        let item = |start_s: f64, place| Item::at(start_s, 1e-5, place);
        let (load, other) = (Some((1, 7)), Some((2, 7)));
        let items = [
            item(0.0, load),
            item(0.0001, load),  // 90 us after it
            item(0.0002, other), // another line
            item(0.0003, None),  // the program's own call
            item(0.0004, load),
            item(0.1, load), // computing between them
        ];
        let mut sums = BTreeMap::new();
        add(&items, &mut sums, (0, 0));
        let sum = &sums[&(0, 0, 7)];
        assert_eq!((sum.calls, (sum.pause_s * 1e6).round()), (5, 90.0));
        // A module sets itself up for longer than a program's line is trusted.
        let mut loading = [items[0], items[0], items[0]];
        for (at, item) in loading.iter_mut().enumerate() {
            (item.start_s, item.end_s) = (0.01 * at as f64, 0.01 * at as f64);
            item.is_loading = true;
        }
        let mut sums = BTreeMap::new();
        add(&loading, &mut sums, (0, 0));
        assert_eq!((sums[&(0, 0, 7)].pause_s * 1e6).round(), 20_000.0);
        // What is packed before a write of 500 kB can take 50 ms.
        let mut packed = [items[0], items[0]];
        (packed[1].start_s, packed[1].end_s, packed[1].written_bytes) = (0.02, 0.02001, 500_000);
        let mut sums = BTreeMap::new();
        add(&packed, &mut sums, (0, 0));
        assert_eq!((sums[&(0, 0, 7)].pause_s * 1e6).round(), 19_990.0);
    }
}
