//! Any bytes as a trace of TMIO: in an object, as lines, and in MessagePack.
#![no_main]

use diya_read::{Request, Selection, Serial, read};
use diya_tables::{TableBuilder, TableId, Tables};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let packed = b"\x9e\xaaread_async";
    for first in [&b"{\"write_sync\":{"[..], b"{\"read_async_t\":{\"bandwidth\":{}}}\n", packed] {
        let mut source = first.to_vec();
        source.extend_from_slice(bytes);
        let mut tables = Tables::new();
        let request = Request {
            source: &source,
            log: 0,
            log_name: "fuzz.jsonl",
            outer_compression: None,
            selection: &Selection::all(),
            workers: &Serial,
        };
        read(&request, &mut tables).expect("any text after this is one of TMIO");
        for id in TableId::ALL {
            tables.take(id).map(TableBuilder::into_batch);
        }
    }
});
