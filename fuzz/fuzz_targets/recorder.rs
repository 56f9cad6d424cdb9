//! Any bytes as files of a trace of Recorder, of each version.
#![no_main]

use diya_read::{Request, Selection, Serial, read};
use diya_tables::{TableBuilder, TableId, Tables};
use libfuzzer_sys::fuzz_target;

/// Bytes of `recorder.mt` before the names of functions: two ranks, ticks of 100 ns.
fn metadata(version: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut tick = 1e-7f64.to_le_bytes().to_vec();
    if version == "2.2" {
        bytes.append(&mut tick);
        bytes.extend([2, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0]);
    } else {
        bytes.extend([2, 0, 0, 0]);
        bytes.resize(if version == "3.0" { 16 } else { 8 }, 1);
        bytes.extend(1e9f64.to_le_bytes());
        bytes.append(&mut tick);
        // Version 3: packed times, merged signatures.
        bytes.extend([0, 0, 0, 0, 1, 1, 0, 0]);
        bytes.resize(if version == "3.0" { 1024 } else { 40 }, 0);
    }
    bytes.extend(b"open\nclose\nread\nwrite\nlseek\nMPI_File_open\nMPI_File_write_at\numask\n");
    bytes
}

fn tar(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for (name, bytes) in files {
        let mut header = tar::Header::new_ustar();
        header.set_size(bytes.len() as u64);
        archive.append_data(&mut header, name, *bytes).expect("memory");
    }
    archive.into_inner().expect("memory")
}

fn try_read(source: Vec<u8>) {
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
    // A whole trace, damaged.
    try_read(bytes.to_vec());
    // Files that are made of the bytes.
    let part = bytes.len() / 3;
    let (first, rest) = bytes.split_at(part);
    let (second, third) = rest.split_at(part);
    for version in ["2.2", "2.3", "2.4", "3.0"] {
        let metadata = metadata(version);
        let files: [(&str, &[u8]); 11] = [
            ("VERSION", version.as_bytes()),
            ("recorder.mt", &metadata),
            ("0.itf", bytes),
            ("0.cst", first),
            ("0.cfg", second),
            ("0.ts", third),
            ("recorder.cst", first),
            ("ug.cfg", second),
            ("ug.mt", &[0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0]),
            ("recorder.ts", third),
            ("0.mt", first),
        ];
        try_read(tar(&files));
    }
});
