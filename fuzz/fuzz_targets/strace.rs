//! Any bytes as lines of strace, behind a line that is in order.
#![no_main]

use diya_read::{Request, Selection, Serial, read};
use diya_tables::{TableBuilder, TableId, Tables};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut source = b"7 1700000000.1 openat(AT_FDCWD</d>, \"a\", O_RDWR) = 3</d/a> <0.1>\n".to_vec();
    source.extend_from_slice(bytes);
    let mut tables = Tables::new();
    let request = Request {
        source: &source,
        log: 0,
        log_name: "fuzz.7",
        outer_compression: None,
        selection: &Selection::all(),
        workers: &Serial,
    };
    read(&request, &mut tables).expect("the first line is in order");
    for id in TableId::ALL {
        tables.take(id).map(TableBuilder::into_batch);
    }
});
