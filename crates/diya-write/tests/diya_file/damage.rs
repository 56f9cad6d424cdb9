//! Damaged diya files: the undamaged part and `read_issue` rows; never a
//! panic, never long, never much memory.

use crate::common::{Numbers, alone, assert_same, batches, own_trace, read_as};
use crate::forge::forge;
use diya_read::Selection;
use diya_tables::{TableId, Tables, read_issue};
use diya_testkit::{corpus_logs, damages, peak_bytes_of};
use diya_write::diya_file::to_bytes;
use std::time::{Duration, Instant};

/// Far above what reading takes, far below what a person would call a hang.
const MAX_TIME: Duration = Duration::from_secs(10);

fn read(bytes: &[u8]) -> Result<Tables, String> {
    read_as(bytes, 0, "damaged", &Selection::all())
}

/// Counters, names, heat map and calls of a real log, and an own trace.
fn files() -> Vec<Vec<u8>> {
    let logs = ["ior_mpiio_coll_hints.darshan", "fsync_many.darshan"];
    let mut files: Vec<Vec<u8>> = corpus_logs()
        .iter()
        .filter(|path| logs.iter().any(|log| path.ends_with(log)))
        .map(|path| read(&std::fs::read(path).expect("a log")).expect("a log"))
        .map(|tables| to_bytes(&tables, "test"))
        .collect();
    assert_eq!(files.len(), 2);
    files.push(to_bytes(&own_trace(3000), "test"));
    files
}

fn issues(tables: &Tables) -> Vec<(String, Option<String>, Option<u64>)> {
    let Some(t) = tables.table(TableId::ReadIssue) else { return Vec::new() };
    let text = |column, row| t.str(column, row).map(str::to_string);
    (0..t.rows())
        .map(|row| {
            let kind = text(read_issue::KIND, row).unwrap_or_default();
            (kind, text(read_issue::MODULE, row), t.u64(read_issue::COUNT, row))
        })
        .collect()
}

#[test]
fn damaged_files_give_tables_and_issues_or_one_error() {
    let _alone = alone();
    for (seed, file) in files().iter().enumerate() {
        let (intact, tables) = peak_bytes_of(|| read(file));
        let has_issues = tables.expect("a diya file").rows(TableId::ReadIssue) > 0;
        assert!(!has_issues);
        for damage in damages(file.len(), 64, 200, 50, seed as u64) {
            let damaged = damage.apply(file);
            let start = Instant::now();
            let (peak, outcome) = peak_bytes_of(|| read(&damaged));
            assert!(start.elapsed() < MAX_TIME, "{damage:?}: {:?}", start.elapsed());
            assert!(peak < 4 * intact + (4 << 20), "{damage:?}: {peak} bytes, intact {intact}");
            // Without a word only where nothing is lost: the index repeats what
            // the heads of the blocks say.
            let silent = outcome.ok().filter(|tables| tables.rows(TableId::ReadIssue) == 0);
            if let Some(tables) = silent {
                assert_same(&format!("{damage:?}"), read(file).expect("intact"), tables);
            }
        }
    }
}

#[test]
fn a_damaged_block_costs_its_own_rows_only() {
    let _alone = alone();
    let whole = own_trace(140_000);
    let mut file = to_bytes(&whole, "test");
    let blocks: Vec<usize> = memchr_all(&file, b"DIYABLK\n");
    // The manifest, three chunks of calls, and the index.
    assert_eq!(blocks.len(), 5);
    file[blocks[2] + 5000] ^= 1;
    let tables = read(&file).expect("a diya file");
    assert_eq!(tables.calls.rows(), 140_000 - 65_536);
    let missing = ("block_checksum".to_string(), Some("call".to_string()), Some(65_536));
    assert_eq!(issues(&tables), [missing]);
}

#[test]
fn a_file_without_its_end_gives_what_is_there() {
    let _alone = alone();
    let file = to_bytes(&own_trace(140_000), "test");
    let blocks = memchr_all(&file, b"DIYABLK\n");
    // As a killed writer leaves it: whole blocks, no index.
    let tables = read(&file[..blocks[4]]).expect("a diya file");
    assert_eq!(tables.calls.rows(), 140_000);
    assert_eq!(issues(&tables)[0].0, "truncated");
    // Cut inside the third chunk.
    let tables = read(&file[..blocks[4] - 10]).expect("a diya file");
    assert_eq!(tables.calls.rows(), 131_072);
    let missing = ("block_checksum".to_string(), Some("call".to_string()), Some(140_000 - 131_072));
    assert!(issues(&tables).contains(&missing), "{:?}", issues(&tables));
}

#[test]
fn a_damaged_first_byte_or_index_loses_nothing() {
    let _alone = alone();
    let whole = || own_trace(1000);
    let file = to_bytes(&whole(), "test");
    for place in [0, 3, 7, 9, file.len() - 1, file.len() - 20, file.len() - 40] {
        let mut damaged = file.clone();
        damaged[place] ^= 0x40;
        let mut tables = read(&damaged).unwrap_or_else(|e| panic!("byte {place}: {e}"));
        assert!(tables.take(TableId::ReadIssue).is_some(), "byte {place}: without a word");
        assert_same("calls", whole(), tables);
    }
}

#[test]
fn payloads_made_up_with_right_check_sums_do_no_harm() {
    let _alone = alone();
    let mut numbers = Numbers(42);
    for file in files() {
        let plain = forge(&file, |_| {});
        assert!(read(&plain).is_ok_and(|t| t.rows(TableId::ReadIssue) == 1), "only no index");
        for _ in 0..150 {
            let changes = 1 + numbers.below(4);
            let forged = forge(&file, |payload| {
                for _ in 0..changes {
                    let place = numbers.below(payload.len().max(1) as u64) as usize;
                    // Heads of lists and counts are in front.
                    let place = if numbers.below(2) == 0 { place } else { place % 64 };
                    match numbers.below(3) {
                        0 => payload.truncate(place),
                        1 => payload.insert(place.min(payload.len()), numbers.next() as u8),
                        _ => {
                            if let Some(byte) = payload.get_mut(place) {
                                *byte = numbers.next() as u8;
                            }
                        }
                    }
                }
            });
            let start = Instant::now();
            let (peak, outcome) = peak_bytes_of(|| read(&forged).map(batches));
            assert!(outcome.is_ok(), "{outcome:?}");
            assert!(start.elapsed() < MAX_TIME, "{:?}", start.elapsed());
            assert!(peak < 256 << 20, "{peak} bytes");
        }
    }
}

#[test]
fn a_cut_is_a_cut_and_other_files_are_no_diya_files() {
    let _alone = alone();
    assert!(read(b"DIYA\r\n\x1a\n").is_err_and(|e| e.contains("byte 8")));
    assert!(read(b"DIYAGNOSIS of a file").is_err_and(|e| e.contains("not a log that diya reads")));
    let mut newer = to_bytes(&Tables::new(), "test");
    newer[8] = 2;
    let mut crc = flate2::Crc::new();
    crc.update(&newer[..12]);
    newer[12..16].copy_from_slice(&crc.sum().to_le_bytes());
    assert!(read(&newer).is_err_and(|e| e.contains("newer diya")));
}

fn memchr_all(bytes: &[u8], what: &[u8]) -> Vec<usize> {
    (0..bytes.len()).filter(|at| bytes[*at..].starts_with(what)).collect()
}
