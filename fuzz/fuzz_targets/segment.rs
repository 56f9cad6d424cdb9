//! Any bytes as the segment of a process, behind a header that is in order.
#![no_main]

use diya_read::Serial;
use diya_read::segment::{CallSink, Facts, NoResolver, Segments, collect};
use diya_tables::{CallTable, TableBuilder, TableId};
use libfuzzer_sys::fuzz_target;

struct One(Vec<u8>);

impl Segments for One {
    fn count(&self) -> usize {
        1
    }

    fn name(&self, _: usize) -> &str {
        "fuzz.seg"
    }

    fn bytes(&self, _: usize) -> usize {
        self.0.len()
    }

    fn head(&self, _: usize) -> Result<Vec<u8>, String> {
        Ok(self.0.clone())
    }

    fn load(&self, _: usize) -> Result<Vec<u8>, String> {
        Ok(self.0.clone())
    }
}

struct Count;

impl CallSink<usize> for Count {
    fn encode(&self, calls: &CallTable) -> Vec<usize> {
        vec![calls.rows()]
    }
}

fuzz_target!(|bytes: &[u8]| {
    let mut segment = bytes.to_vec();
    // Most mutations of these fields only lead to "this is no segment".
    for (at, field) in [(0, &b"DIYASEG1"[..]), (8, &[2, 0, 0, 0]), (12, &[4, 3, 2, 1]), (16, &[0, 32, 0, 0])] {
        if let Some(place) = segment.get_mut(at..at + field.len()) {
            place.copy_from_slice(field);
        }
    }
    let facts = Facts::default();
    let mut calls = 0;
    let take = &mut |rows| calls += rows;
    let mut tables = collect(&One(segment), &facts, &NoResolver, &Serial, &Count, take);
    for id in TableId::ALL {
        tables.take(id).map(TableBuilder::into_batch);
    }
});
