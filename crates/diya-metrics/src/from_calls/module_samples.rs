//! What the interpreter does between two calls of a module of Python that packs or keeps
//! archives is that module's work.
//!
//! A sample of the processor names compiled code only: of a module that is written in Python it
//! sees the interpreter. Its calls have stacks: what passes between two of them
//! ([`super::library_pause`]) is known by time.

use super::library_pause::{Item, Process, each_process, pause_s};
use super::processor_samples::{Samples, Thread};
use crate::hash::HashMap;
use crate::work_kinds::{Work, of_library};
use diya_tables::BatchSource;
use std::ops::Range;
use std::sync::Arc;

/// A member of an archive has some 60 bytes in the list of members, and takes Python some 20 µs.
const LISTING_S_PER_BYTE: f64 = 1e-6;

/// Two calls of the same stack may be those of a loop of the user, who works between them: a module
/// takes no longer for the head of a member.
const LONGEST_AGAIN_S: f64 = 1e-4;

/// Samples of a thread between two calls of one module, by its number.
type Spans = Vec<(Thread, Range<usize>, u32)>;

/// Gives these samples to their modules.
pub(super) fn attribute(samples: &mut Samples, tables: &[Arc<dyn BatchSource>]) {
    let mut spans = Spans::new();
    let names = each_process(tables, &mut |process, items| {
        gather(samples, process, items, &mut spans);
    });
    let mut codes: HashMap<u32, Option<u32>> = HashMap::default();
    for (thread, range, library) in spans {
        let code = *codes.entry(library).or_insert_with(|| {
            let name = names.get(&library)?;
            let work = of_library(name);
            let is_its = matches!(work, Work::Compression | Work::Archive);
            is_its.then(|| samples.add_code(work, name))
        });
        if let Some(code) = code {
            samples.set_code(thread, range, code);
        }
    }
}

/// Finds them in one process.
fn gather(samples: &Samples, (log, rank): Process, items: &[Item], spans: &mut Spans) {
    // A buffer takes several reads in.
    let mut read_bytes = 0i64;
    for pair in items.windows(2) {
        let [before, item] = pair else { continue };
        let reads_on = before.read_bytes > 0;
        read_bytes = if reads_on { read_bytes.saturating_add(before.read_bytes) } else { 0 };
        let is_inside =
            pause_s(before, item).is_some() || is_of_what_was_read(before, item, read_bytes);
        let is_again = before.stack.is_some() && before.stack == item.stack;
        let is_long = is_again && item.start_s - before.end_s > LONGEST_AGAIN_S;
        let Some((_, library)) = item.place.filter(|_| is_inside && !is_long) else { continue };
        let thread = (log, rank, item.thread);
        let Some(taken) = samples.threads.get(&thread) else { continue };
        let from = taken.partition_point(|sample| sample.time_s < before.end_s);
        let inside = taken.get(from..).unwrap_or_default();
        let count = inside.partition_point(|sample| sample.time_s <= item.start_s);
        if count > 0 {
            spans.push((thread, from..from + count, library));
        }
    }
}

/// Whether a pause between two calls of one library is for the bytes that it has just read: that
/// can reach into the next line of the user's.
fn is_of_what_was_read(before: &Item, item: &Item, read_bytes: i64) -> bool {
    let library = |of: &Item| of.place.map(|(_, library)| library);
    let is_same = (before.thread, library(before)) == (item.thread, library(item));
    let pause_s = item.start_s - before.end_s;
    is_same && pause_s <= read_bytes as f64 * LISTING_S_PER_BYTE
}

#[cfg(test)]
mod tests {
    use super::super::processor_samples::{Helps, TakenSample, Toward};
    use super::*;

    #[test]
    fn what_a_loop_of_the_user_does_with_each_block_is_no_work_of_the_module() {
        let item = |start_s: f64, stack| Item {
            read_bytes: 100_000,
            stack: Some(stack),
            ..Item::at(start_s, 1e-4, Some((1, 7)))
        };
        let mut samples = Samples::default();
        let python = samples.add_code(Work::Python, "libpython");
        let (toward, helps) = (Toward::Unknown, Helps::Nobody);
        let taken = TakenSample { time_s: 0.003, weight_s: 0.001, code: python, toward, helps };
        samples.threads.insert((0, 0, 1), vec![taken]);
        let spans_of = |second| {
            let mut spans = Spans::new();
            gather(&samples, (0, 0), &[item(0.0, 5), item(0.005, second)], &mut spans);
            spans.len()
        };
        assert_eq!((spans_of(5), spans_of(6)), (0, 1));
    }

    #[test]
    fn the_interpreter_between_two_calls_of_a_module_works_for_it() {
        let item = |start_s: f64, place, read_bytes: i64| Item {
            read_bytes,
            ..Item::at(start_s, 1e-4, place)
        };
        let items = [
            item(0.0, Some((1, 7)), 10_000),
            item(0.005, Some((2, 7)), 0), // a list of 10 kB is taken apart, then the next line
            item(0.0055, Some((2, 7)), 0), // inside the module
            item(0.0075, Some((2, 7)), 0), // computing
            item(0.008, None, 0),         // the program's own call
        ];
        let mut samples = Samples::default();
        let python = samples.add_code(Work::Python, "libpython");
        let taken = [0.003, 0.0053, 0.0065, 0.0078];
        let taken = taken.map(|time_s| TakenSample {
            time_s,
            weight_s: 0.001,
            code: python,
            toward: Toward::Unknown,
            helps: Helps::Nobody,
        });
        samples.threads.insert((0, 0, 1), taken.to_vec());
        let mut spans = Spans::new();
        gather(&samples, (0, 0), &items, &mut spans);
        assert_eq!(spans, [((0, 0, 1), 0..1, 7), ((0, 0, 1), 1..2, 7)]);
        let archive = samples.add_code(Work::Archive, "zipfile");
        samples.set_code((0, 0, 1), 0..2, archive);
        let works: Vec<Work> =
            samples.threads[&(0, 0, 1)].iter().map(|sample| samples.code(sample).0).collect();
        assert_eq!(works, [Work::Archive, Work::Archive, Work::Python, Work::Python]);
    }
}
