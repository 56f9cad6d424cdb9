//! Cut, damaged and foreign images: rows of `read_issue`, never a panic.

use super::builder::{Log, Record};
use super::{has_issue, table, tables_of, try_read};
use crate::ReadError;
use crate::darshan_legacy::counters::*;
use crate::darshan_legacy::is_legacy;
use diya_tables::{TableId, job, read_issue};

fn two_records() -> Log {
    let record = Record::shared("a").int(POSIX_READS, 1);
    Log::new("2.02").with(record.clone()).with(record)
}

#[test]
fn a_cut_image_gives_the_records_that_are_whole() {
    let image = two_records().image();
    let cut = &image[..image.len() - 1];
    let tables = try_read(cut).expect("the header is whole");
    assert_eq!(tables.rows(TableId::Posix), 1);
    let issues = table(&tables, TableId::ReadIssue);
    let truncated =
        (0..issues.rows()).find(|i| issues.str(read_issue::KIND, *i) == Some("truncated"));
    let row = truncated.expect("a row for the cut");
    assert_eq!(issues.u64(read_issue::BYTE_OFFSET, row), Some(1024 + 2 * 1328 - 1));
    assert_eq!(issues.u64(read_issue::COUNT, row), Some(1327));
}

#[test]
fn a_cut_header_gives_the_fields_that_are_whole() {
    let image = two_records().image();
    let tables = try_read(&image[..30]).expect("version and magic are whole");
    let t = table(&tables, TableId::Job);
    assert_eq!(t.i64(job::UID, 0), Some(1000));
    assert_eq!(t.i64(job::END_TIME, 0), None);
    assert!(has_issue(&tables, "truncated", "all records"));
}

#[test]
fn no_cut_of_any_version_panics() {
    for version in ["1.21", "1.24", "2.00", "2.06"] {
        let image = Log { version, ..two_records() }.image();
        for len in 0..image.len() {
            let result = try_read(&image[..len]);
            let is_readable = result.is_ok();
            assert_eq!(is_readable, len >= if version.starts_with('2') { 16 } else { 4 }, "{len}");
        }
    }
}

#[test]
fn no_damaged_byte_panics() {
    let image = two_records().image();
    let mut random = 1_u32;
    for at in 0..image.len() {
        let mut damaged = image.clone();
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        damaged[at] = random.to_le_bytes()[3];
        damaged[at / 2] ^= 0x80;
        let _ = try_read(&damaged);
    }
}

#[test]
fn a_version_without_its_magic_number_is_refused() {
    let mut image = two_records().image();
    image[8] = 1;
    let refused = try_read(&image);
    assert!(matches!(refused, Err(ReadError::NotALog { byte_offset: 8, .. })), "{refused:?}");
}

#[test]
fn a_later_2_x_version_gives_the_job() {
    let tables = tables_of(&Log { version: "2.07", ..two_records() });
    assert_eq!(table(&tables, TableId::Job).i64(job::NPROCS, 0), Some(4));
    assert_eq!(tables.rows(TableId::Posix), 0);
    assert!(has_issue(&tables, "unknown_version", "only table job"));
}

#[test]
fn an_unknown_1_x_version_is_refused_because_nothing_else_speaks_for_it() {
    let refused = try_read(&Log { version: "1.20", ..two_records() }.image());
    assert!(matches!(refused, Err(ReadError::UnknownVersion { .. })), "{refused:?}");
}

#[test]
fn a_log_of_today_is_not_legacy() {
    assert!(is_legacy(&two_records().image()));
    assert!(!is_legacy(b"3.41\0\0\0\0"));
    assert!(!is_legacy(b""));
}

#[test]
fn a_rank_that_is_none_is_left_out_and_counted() {
    let bad = Record { rank: i64::from(i32::MAX) + 1, ..Record::shared("a").int(POSIX_READS, 1) };
    let tables = tables_of(&two_records().with(bad));
    assert_eq!(tables.rows(TableId::Posix), 2);
    assert!(has_issue(&tables, "corrupt", "rank"));
}

#[test]
fn a_time_that_is_no_number_is_null() {
    let record = Record::shared("a").int(POSIX_READS, 1).real(F_POSIX_READ_TIME, f64::NAN);
    let tables = tables_of(&Log::new("2.06").with(record));
    let t = table(&tables, TableId::Posix);
    assert_eq!(t.f64(diya_tables::posix::F_READ_TIME, 0), None);
}
