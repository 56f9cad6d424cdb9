//! Any bytes as events of Chrome, and of DFTracer.
#![no_main]

use diya_read::{Request, Selection, Serial, read};
use diya_tables::{TableBuilder, TableId, Tables};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for first in ["[{\"ph\":\"C\"},", "{\"ph\":4,\"cat\":\"dftracer\"}\n", "{\"traceEvents\":["] {
        let mut source = first.as_bytes().to_vec();
        source.extend_from_slice(bytes);
        let mut tables = Tables::new();
        let request = Request {
            source: &source,
            log: 0,
            log_name: "fuzz",
            outer_compression: None,
            selection: &Selection::all(),
            workers: &Serial,
        };
        read(&request, &mut tables).expect("the first object is in order");
        for id in TableId::ALL {
            tables.take(id).map(TableBuilder::into_batch);
        }
    }
});
