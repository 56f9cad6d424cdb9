//! Any bytes as a mapping, and as rows of a mapping.
#![no_main]

use diya_read::{Request, Selection, Serial, read};
use diya_tables::{TableBuilder, TableId, Tables};
use libfuzzer_sys::fuzz_target;

const MAPPING: &[u8] = b"format = \"diya-mapping-1\"\nfile = \"a\"\nlayer = \"posix\"\n[columns]\n\
    start = { column = \"t\", unit = \"s\", since = \"1970\" }\n\
    duration = { column = \"d\", unit = \"us\" }\nfunction = \"f\"\npath = \"p\"\nrank = \"r\"\n\
    thread = \"x\"\nsize = { column = \"s\", unit = \"KiB\" }\noffset = { column = \"o\", unit = \"B\" }\n";

fn try_read(mapping: &[u8], rows: &[u8]) {
    let mut archive = tar::Builder::new(Vec::new());
    for (name, bytes) in [("diya-mapping.toml", mapping), ("data", rows)] {
        let mut header = tar::Header::new_ustar();
        header.set_size(bytes.len() as u64);
        archive.append_data(&mut header, name, bytes).expect("memory");
    }
    let source = archive.into_inner().expect("memory");
    let mut tables = Tables::new();
    let request = Request {
        source: &source,
        log: 0,
        log_name: "fuzz",
        outer_compression: None,
        selection: &Selection::all(),
        workers: &Serial,
    };
    if read(&request, &mut tables).is_ok() {
        for id in TableId::ALL {
            tables.take(id).map(TableBuilder::into_batch);
        }
    }
}

fuzz_target!(|bytes: &[u8]| {
    try_read(bytes, b"t,d\n1,2\n");
    let mut rows = b"t,d,f,p,r,x,s,o\n".to_vec();
    rows.extend_from_slice(bytes);
    try_read(MAPPING, &rows);
});
