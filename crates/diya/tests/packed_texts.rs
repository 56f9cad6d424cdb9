//! Compressed traces that are texts: memory follows from what is asked for, not from the text.

use diya::input::logs;
use diya::{OpenOptions, Selection, TableId, TableSet, Trace};
use diya_testkit::{PeakAllocator, peak_bytes_of};
use std::io::Write as _;

#[global_allocator]
static ALLOCATOR: PeakAllocator = PeakAllocator;

const EVENTS: usize = 400_000;

/// A trace of Chrome with so many events of 80 bytes.
fn text() -> Vec<u8> {
    let mut text = b"[\n".to_vec();
    for number in 0..EVENTS {
        let event = r#"{"ph":"X","cat":"cpu_op","name":"multiply","pid":1,"tid":1,"dur":1,"ts":"#;
        writeln!(text, "{event}{}}},", number + 100_000).expect("memory takes all bytes");
    }
    text.extend(br#"{"ph":"X","cat":"posix","name":"pread","pid":1,"tid":1,"ts":9,"dur":2,"#);
    text.extend(b"\"args\":{\"file\":\"/a\",\"ret\":4096}}]\n");
    text
}

fn saved(bytes: &[u8]) -> tempfile::NamedTempFile {
    let mut file = tempfile::NamedTempFile::new().expect("a folder for temporary files");
    file.write_all(bytes).expect("it has room");
    file
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut file = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    file.write_all(text).expect("memory takes all bytes");
    file.finish().expect("memory takes all bytes")
}

/// Number of calls, and what the read issues say.
fn read(file: &[u8]) -> (usize, String) {
    let file = saved(file);
    let inputs = logs(&[file.path()]).expect("a file");
    let selection = Selection::tables(TableSet::NONE.with(TableId::Call).with(TableId::ReadIssue));
    let options = OpenOptions { selection, ..OpenOptions::default() };
    let trace = Trace::open(&inputs, &options).expect("a trace");
    let issues = trace.table(TableId::ReadIssue);
    let all: Vec<usize> = (0..issues.def().columns.len()).collect();
    let said = (0..issues.batches()).map(|number| format!("{:?}", issues.batch(number, &all)));
    (trace.table(TableId::Call).rows(), said.collect())
}

#[test]
fn a_compressed_text_is_never_in_memory_as_a_whole() {
    let text = text();
    let plain = read(&text);
    assert_eq!(plain.0, 1);
    let packed = gzip(&text);
    let (peak, compressed) = peak_bytes_of(|| read(&packed));
    assert_eq!(compressed, plain);
    // What regions take, which are in no table that is asked for, and a few chunks.
    assert!(peak < text.len() / 4, "{peak} bytes for a text of {}", text.len());
}

#[test]
fn a_compressed_text_that_is_cut_or_damaged_says_so() {
    let packed = gzip(&text());
    let (calls, said) = read(&packed[..packed.len() / 2]);
    assert_eq!(calls, 0);
    assert!(said.contains("the gzip file is truncated"), "{said}");
    let mut damaged = packed.clone();
    damaged[packed.len() / 2..packed.len() / 2 + 9].fill(0xff);
    assert!(read(&damaged).1.contains("the gzip file is damaged"), "{}", read(&damaged).1);
}
