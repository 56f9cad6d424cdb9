//! Any bytes as a log of the 3.x family, read by one worker and by two.
#![no_main]

use diya_read::{Request, Selection, Serial, Workers, read};
use diya_tables::Tables;
use libfuzzer_sys::fuzz_target;

/// Reads in chunks, without the cost of threads.
struct Two;

impl Workers for Two {
    fn width(&self) -> usize {
        2
    }

    fn run(&self, tasks: usize, work: &(dyn Fn(usize) + Sync)) {
        (0..tasks).for_each(work);
    }
}

fuzz_target!(|bytes: &[u8]| {
    let source = bytes.to_vec();
    let selection = Selection::all();
    let workers: [&dyn Workers; 2] = [&Serial, &Two];
    for workers in workers {
        let request = Request {
            source: &source,
            log: 0,
            log_name: "fuzz",
            outer_compression: None,
            selection: &selection,
            workers,
        };
        let _ = read(&request, &mut Tables::new());
    }
});
