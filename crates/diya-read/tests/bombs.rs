//! A small file that inflates to very much is stopped, and said to be.

use diya_read::{Request, Selection, Serial, read};
use diya_tables::{TableId, Tables, read_issue};
use diya_testkit::{PeakAllocator, corpus_logs, peak_bytes_of};
use std::io::Write as _;

#[global_allocator]
static ALLOCATOR: PeakAllocator = PeakAllocator;

/// What the bomb would inflate to.
const BOMB_BYTES: usize = 1 << 29;

/// What reading it may hold at a time: far less.
const MAX_BYTES: usize = 512 << 20;

/// A log whose region of this module is made of these bytes.
fn bomb(slot: usize, version: u32, packed: &[u8]) -> Vec<u8> {
    let path = corpus_logs().into_iter().find(|p| p.ends_with("nodxt_strided.darshan"));
    let mut log = std::fs::read(path.expect("a log of the corpus")).expect("it can be read");
    let (offset, size) = (log.len() as u64, packed.len() as u64);
    let map = 48 + slot * 16;
    log[map..map + 8].copy_from_slice(&offset.to_le_bytes());
    log[map + 8..map + 16].copy_from_slice(&size.to_le_bytes());
    let versions = 1072 + slot * 4;
    log[versions..versions + 4].copy_from_slice(&version.to_le_bytes());
    log.extend(packed);
    log
}

/// Zeros, which zlib makes a thousandth of.
fn packed_zeros() -> Vec<u8> {
    let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    let zeros = vec![0; 1 << 20];
    for _ in 0..BOMB_BYTES / zeros.len() {
        zlib.write_all(&zeros).expect("a vector takes all bytes");
    }
    zlib.finish().expect("a vector takes all bytes")
}

#[test]
fn what_inflates_to_far_more_than_any_log_is_cut_off() {
    let packed = packed_zeros();
    // POSIX, HEATMAP and DXT_POSIX: fixed, varying and streamed records.
    for (slot, version) in [(1, 4), (15, 1), (10, 1)] {
        let log = bomb(slot, version, &packed);
        let (peak, tables) = peak_bytes_of(|| {
            let mut tables = Tables::new();
            let request = Request {
                source: &log,
                log: 0,
                log_name: "bomb",
                outer_compression: None,
                selection: &Selection::all(),
                workers: &Serial,
            };
            read(&request, &mut tables).expect("the rest of the log is intact");
            tables
        });
        let issues = tables.table(TableId::ReadIssue).expect("the cut is said");
        let kinds: Vec<_> =
            (0..issues.rows()).filter_map(|row| issues.str(read_issue::KIND, row)).collect();
        assert!(kinds.contains(&"limit"), "module {slot}: {kinds:?}");
        assert!(peak < MAX_BYTES, "module {slot}: {peak} bytes");
    }
}
