//! Any bytes as the text of darshan-parser or darshan-dxt-parser, behind its first line.
#![no_main]

use diya_read::{Request, Selection, Serial, read};
use diya_tables::{TableBuilder, TableId, Tables};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut source = b"# darshan log version: 3.41\n".to_vec();
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
    read(&request, &mut tables).expect("the first line is in order");
    for id in TableId::ALL {
        tables.take(id).map(TableBuilder::into_batch);
    }
});
