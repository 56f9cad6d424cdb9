//! Archives that somebody made on purpose: an error or the rest of the logs, within bounded memory.

use diya::input::{InputError, logs};
use diya_testkit::{PeakAllocator, corpus_logs, peak_bytes_of};
use std::io::Write as _;

#[global_allocator]
static ALLOCATOR: PeakAllocator = PeakAllocator;

/// A log of the corpus.
fn log() -> Vec<u8> {
    let path = corpus_logs().into_iter().find(|path| path.ends_with("nonmpi_cp.darshan"));
    std::fs::read(path.expect("a log of the corpus")).expect("it can be read")
}

/// Writes a member of a tar file: 512 bytes of head, the data, zeros up to the next head.
fn member(out: &mut impl std::io::Write, kind: u8, name: &str, bytes: u64, data: &[u8]) {
    let mut head = tar::Header::new_gnu();
    head.set_path(name).expect("a short name");
    head.set_size(bytes);
    head.set_entry_type(tar::EntryType::new(kind));
    head.set_cksum();
    out.write_all(head.as_bytes()).expect("memory takes all bytes");
    out.write_all(data).expect("memory takes all bytes");
    out.write_all(&vec![0; data.len().next_multiple_of(512) - data.len()]).expect("memory");
}

fn saved(bytes: &[u8]) -> tempfile::NamedTempFile {
    let mut file = tempfile::NamedTempFile::new().expect("a folder for temporary files");
    file.write_all(bytes).expect("it has room");
    file
}

#[test]
fn a_name_without_end_is_an_error_and_the_members_before_it_are_read() {
    for kind in [b'L', b'x'] {
        let mut tar = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        member(&mut tar, b'0', "first.darshan", log().len() as u64, &log());
        member(&mut tar, kind, "long", 1 << 30, &[]);
        let zeros = vec![b'a'; 1 << 20];
        (0..1024).for_each(|_| tar.write_all(&zeros).expect("memory takes all bytes"));
        let file = saved(&tar.finish().expect("memory takes all bytes"));
        let (peak, read) = peak_bytes_of(|| logs(&[file.path()]));
        assert_eq!(read.expect("the first log is whole").len(), 1);
        assert!(peak < 32 << 20, "{peak} bytes");
    }
}

#[test]
fn only_a_name_without_end_is_an_error() {
    let mut tar = Vec::new();
    member(&mut tar, b'L', "long", 4 << 20, &vec![b'a'; 4 << 20]);
    let file = saved(&tar);
    let read = logs(&[file.path()]);
    let error = read.err().map(|error: InputError| error.to_string()).unwrap_or_default();
    assert!(error.contains("longer than 1 MiB"), "{error}");
}

#[test]
fn a_hundred_thousand_members_take_memory_by_their_size() {
    let mut tar = Vec::new();
    for number in 0..100_000 {
        member(&mut tar, b'0', &format!("{number}.darshan"), 0, &[]);
    }
    let file = saved(&tar);
    let (peak, read) = peak_bytes_of(|| logs(&[file.path()]));
    assert_eq!(read.expect("members").len(), 100_000);
    assert!(peak < tar.len(), "{peak} bytes for {}", tar.len());
}
