//! Archives that somebody made on purpose: an error or the rest of the logs, within bounded memory.

use diya::input::{InputError, logs};
use diya::{OpenOptions, TableId, Trace};
use diya_testkit::{PeakAllocator, corpus_logs, peak_bytes_of};
use std::io::Write as _;
use std::sync::{Mutex, MutexGuard, PoisonError};

#[global_allocator]
static ALLOCATOR: PeakAllocator = PeakAllocator;

/// Memory is that of all threads: one test at a time.
static ALONE: Mutex<()> = Mutex::new(());

fn alone() -> MutexGuard<'static, ()> {
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

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
    let _alone = alone();
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
    let _alone = alone();
    let mut tar = Vec::new();
    member(&mut tar, b'L', "long", 4 << 20, &vec![b'a'; 4 << 20]);
    let file = saved(&tar);
    let read = logs(&[file.path()]);
    let error = read.err().map(|error: InputError| error.to_string()).unwrap_or_default();
    assert!(error.contains("longer than 1 MiB"), "{error}");
}

#[test]
fn a_hundred_thousand_members_take_memory_by_their_size() {
    let _alone = alone();
    let mut tar = Vec::new();
    for number in 0..100_000 {
        member(&mut tar, b'0', &format!("{number}.darshan"), 0, &[]);
    }
    let file = saved(&tar);
    let (peak, read) = peak_bytes_of(|| logs(&[file.path()]));
    assert_eq!(read.expect("members").len(), 100_000);
    assert!(peak < tar.len(), "{peak} bytes for {}", tar.len());
}

/// A tar file of so many copies of the log.
fn tar_of(logs: usize) -> Vec<u8> {
    let mut tar = Vec::new();
    for number in 0..logs {
        member(&mut tar, b'0', &format!("day/{number}.darshan"), log().len() as u64, &log());
    }
    tar
}

/// Bytes that each further log takes until it is read.
fn bytes_of_a_log(saved_tar: impl Fn(usize) -> tempfile::NamedTempFile) -> usize {
    let peak = |number: usize| {
        let file = saved_tar(number);
        let (peak, read) = peak_bytes_of(|| logs(&[file.path()]));
        assert_eq!(read.expect("logs").len(), number);
        peak
    };
    // Lists of logs grow by doubling: both are as full.
    (peak(4000) - peak(2000)) / 2000
}

#[test]
fn a_log_in_a_tar_file_stays_there_until_it_is_read() {
    let _alone = alone();
    let each = bytes_of_a_log(|number| saved(&tar_of(number)));
    assert!(each < 200, "{each} bytes");
}

#[test]
fn a_log_of_a_compressed_archive_takes_its_bytes_and_no_more() {
    let _alone = alone();
    let each = bytes_of_a_log(|number| {
        let mut tar = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        tar.write_all(&tar_of(number)).expect("memory takes all bytes");
        saved(&tar.finish().expect("memory takes all bytes"))
    });
    assert!(each < log().len() + 250, "{each} bytes for a log of {}", log().len());
}

/// Number of jobs, and why logs are refused.
fn read(tar: &[u8]) -> (usize, Vec<String>) {
    let file = saved(tar);
    let inputs = logs(&[file.path()]).expect("logs");
    let trace = Trace::open(&inputs, &OpenOptions::default()).expect("a log");
    let reasons = trace.refused().iter().map(|refused| refused.reason.clone()).collect();
    (trace.table(TableId::Job).rows(), reasons)
}

#[test]
fn a_tar_file_that_ends_inside_of_a_log_has_the_logs_before_and_says_where_that_one_ends() {
    let _alone = alone();
    let mut tar = tar_of(2);
    assert_eq!(read(&tar), (2, Vec::new()));
    tar.truncate(tar.len() - 1024);
    let (jobs, reasons) = read(&tar);
    assert_eq!(jobs, 1);
    assert!(reasons.concat().contains("ends at byte 1024"), "{reasons:?}");
}

#[test]
fn a_compressed_log_in_a_tar_file_is_read() {
    let _alone = alone();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(&log()).expect("memory takes all bytes");
    let packed = packed.finish().expect("memory takes all bytes");
    let mut tar = Vec::new();
    member(&mut tar, b'0', "a.darshan.gz", packed.len() as u64, &packed);
    member(&mut tar, b'0', "b.darshan", log().len() as u64, &log());
    assert_eq!(read(&tar).0, 2);
}
