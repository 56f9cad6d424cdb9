//! Two ranks, one file: what each kind of counter becomes.

use super::reduce;
use diya_tables::{TableBuilder, TableId, Tables, posix};

fn rank(tables: &mut Tables, rank: i32, counters: &[(usize, i64)], times: &[(usize, f64)]) {
    let t = tables.builder(TableId::Posix);
    t.push_i32(posix::LOG, Some(0));
    t.push_u64(posix::FILE_ID, Some(7));
    t.push_i32(posix::RANK, Some(rank));
    counters.iter().for_each(|&(column, value)| t.push_i64(column, Some(value)));
    times.iter().for_each(|&(column, value)| t.push_f64(column, Some(value)));
    t.end_row();
}

fn reduced(mut tables: Tables, nprocs: u64) -> TableBuilder {
    reduce(&mut tables, 0, nprocs);
    tables.take(TableId::Posix).expect("records of the file")
}

#[test]
fn counts_are_added_and_extents_are_not() {
    let mut tables = Tables::new();
    rank(&mut tables, 0, &[(posix::WRITES, 3), (posix::MAX_BYTE_WRITTEN, 99)], &[]);
    rank(&mut tables, 1, &[(posix::WRITES, 4), (posix::MAX_BYTE_WRITTEN, 50)], &[]);
    let t = reduced(tables, 2);
    assert_eq!((t.rows(), t.i32(posix::RANK, 0)), (1, Some(-1)));
    assert_eq!(t.i64(posix::WRITES, 0), Some(7));
    assert_eq!(t.i64(posix::MAX_BYTE_WRITTEN, 0), Some(99));
}

#[test]
fn what_no_rank_recorded_stays_unknown() {
    let mut tables = Tables::new();
    rank(&mut tables, 0, &[(posix::WRITES, 3)], &[]);
    rank(&mut tables, 1, &[(posix::WRITES, 4)], &[]);
    let t = reduced(tables, 2);
    assert_eq!(t.i64(posix::MMAPS, 0), None);
    assert_eq!(t.i64(posix::ACCESS1_COUNT, 0), None);
    assert_eq!(t.f64(posix::F_READ_START_TIMESTAMP, 0), None);
}

#[test]
fn a_file_that_a_rank_did_not_open_is_not_shared() {
    let mut tables = Tables::new();
    rank(&mut tables, 0, &[(posix::WRITES, 3)], &[]);
    rank(&mut tables, 1, &[(posix::WRITES, 4)], &[]);
    let t = reduced(tables, 3);
    assert_eq!((t.rows(), t.i32(posix::RANK, 1)), (2, Some(1)));
}

#[test]
fn a_serial_job_has_no_shared_files() {
    let mut tables = Tables::new();
    rank(&mut tables, 0, &[(posix::WRITES, 3)], &[]);
    assert_eq!(reduced(tables, 1).i32(posix::RANK, 0), Some(0));
}

#[test]
fn the_slowest_call_keeps_its_size() {
    let mut tables = Tables::new();
    let sizes = |size| [(posix::MAX_WRITE_TIME_SIZE, size)];
    rank(&mut tables, 0, &sizes(4096), &[(posix::F_MAX_WRITE_TIME, 0.5)]);
    rank(&mut tables, 1, &sizes(8), &[(posix::F_MAX_WRITE_TIME, 2.0)]);
    let t = reduced(tables, 2);
    assert_eq!(t.f64(posix::F_MAX_WRITE_TIME, 0), Some(2.0));
    assert_eq!(t.i64(posix::MAX_WRITE_TIME_SIZE, 0), Some(8));
}

#[test]
fn ranks_are_compared_by_their_time_in_calls() {
    let mut tables = Tables::new();
    let bytes = |bytes| [(posix::BYTES_WRITTEN, bytes)];
    rank(&mut tables, 0, &bytes(10), &[(posix::F_WRITE_TIME, 1.0), (posix::F_META_TIME, 2.0)]);
    rank(&mut tables, 1, &bytes(30), &[(posix::F_WRITE_TIME, 1.0), (posix::F_META_TIME, 0.0)]);
    let t = reduced(tables, 2);
    assert_eq!(t.i64(posix::FASTEST_RANK, 0), Some(1));
    assert_eq!(t.i64(posix::FASTEST_RANK_BYTES, 0), Some(30));
    assert_eq!(t.i64(posix::SLOWEST_RANK, 0), Some(0));
    assert_eq!(t.f64(posix::F_SLOWEST_RANK_TIME, 0), Some(3.0));
    assert_eq!(t.f64(posix::F_VARIANCE_RANK_TIME, 0), Some(1.0));
    assert_eq!(t.f64(posix::F_VARIANCE_RANK_BYTES, 0), Some(100.0));
}

#[test]
fn equal_sizes_of_two_ranks_are_counted_together() {
    let mut tables = Tables::new();
    let sizes = |a, count_a, b, count_b| {
        [
            (posix::ACCESS1_ACCESS, a),
            (posix::ACCESS1_COUNT, count_a),
            (posix::ACCESS2_ACCESS, b),
            (posix::ACCESS2_COUNT, count_b),
        ]
    };
    rank(&mut tables, 0, &sizes(64, 5, 8, 4), &[]);
    rank(&mut tables, 1, &sizes(8, 4, 512, 1), &[]);
    let t = reduced(tables, 2);
    let kept = [
        (posix::ACCESS1_ACCESS, posix::ACCESS1_COUNT),
        (posix::ACCESS2_ACCESS, posix::ACCESS2_COUNT),
        (posix::ACCESS3_ACCESS, posix::ACCESS3_COUNT),
        (posix::ACCESS4_ACCESS, posix::ACCESS4_COUNT),
    ];
    let pairs = kept.map(|(size, count)| (t.i64(size, 0), t.i64(count, 0)));
    let expected = [(8, 8), (64, 5), (512, 1), (0, 0)];
    assert_eq!(pairs, expected.map(|(size, count)| (Some(size), Some(count))));
}
