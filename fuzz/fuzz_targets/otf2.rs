//! Any bytes as files of an archive of OTF2.
#![no_main]

use diya_read::{Request, Selection, Serial, read};
use diya_tables::{TableBuilder, TableId, Tables};
use libfuzzer_sys::fuzz_target;

/// The header of a piece.
const PIECE: &[u8] = b"\x03\x42\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";

/// An anchor: pieces of 64 bytes, a file for each location, no compression.
fn anchor() -> Vec<u8> {
    let mut bytes = b"\x03\x42OTF2\0\x03\x02\x03\x02\0".to_vec();
    bytes.extend(64u64.to_le_bytes());
    bytes.extend(4096u64.to_le_bytes());
    bytes.extend([1, 1]);
    bytes.extend([0; 16]);
    bytes.extend(b"\0\0\0");
    bytes
}

/// Global definitions: regions "open", "write", "MPI_Wait", "main", handles of two paradigms, an
/// attribute "Offset", two locations of a process.
fn definitions() -> Vec<u8> {
    let mut bytes = PIECE.to_vec();
    let mut record = |kind: u8, payload: &[u8]| {
        bytes.extend([kind, payload.len() as u8]);
        bytes.extend(payload);
    };
    record(5, &[1, 10, 0, 0]);
    let texts = ["", "open", "write", "MPI_Wait", "main", "POSIX", "MPI-IO", "Offset", "/tmp/a"];
    for (id, text) in (0u8..).zip(texts) {
        record(10, &[&[1, id], text.as_bytes(), &[0]].concat());
    }
    record(11, &[0, 1, 7, 4]);
    record(13, &[0, 0, 1, 0xff]);
    record(14, &[0, 0, 1, 0, 0]);
    record(14, &[1, 1, 0, 1, 0, 0]);
    for region in 0u8..4 {
        record(15, &[1, region, 1, region + 1, 0, 0, 0, 0, 0, 0, 1, 0, 0]);
    }
    record(8, &[0, 1, 5, 0, 0, 0, 0]);
    record(8, &[1, 1, 6, 0, 0, 0, 0]);
    record(38, &[0, 1, 8, 0]);
    for handle in 0u8..3 {
        record(40, &[1, handle, 0, 0, handle % 2, 0, 0xff, 0xff]);
    }
    bytes.push(2);
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
    // A whole archive, damaged.
    try_read(bytes.to_vec());
    let part = bytes.len() / 3;
    let (first, rest) = bytes.split_at(part);
    let (second, third) = rest.split_at(part);
    // Definitions that are made of the bytes, and events behind definitions that make sense.
    let piece = |rest: &[u8]| [PIECE, rest].concat();
    for global in [piece(first), definitions()] {
        let files: [(&str, &[u8]); 5] = [
            ("t.otf2", &anchor()),
            ("t.def", &global),
            ("t/0.evt", &piece(second)),
            ("t/1.evt", &piece(third)),
            ("t/1.def", &piece(first)),
        ];
        try_read(tar(&files));
    }
});
