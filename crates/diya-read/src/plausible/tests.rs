//! Records by hand: what is left out, and what is said.

use super::*;
use diya_tables::{Call, JobRow, Layer, Op, posix, read_issue};

/// A job of so many processes that ran for ten seconds.
fn job(nprocs: i64) -> Tables {
    let mut tables = Tables::new();
    tables.push_job(JobRow {
        log: 0,
        log_name: "test",
        format: "darshan",
        nprocs: Some(nprocs),
        run_time_s: Some(10.0),
        is_big_endian: false,
        compression: "zlib",
        ..JobRow::UNKNOWN
    });
    tables
}

fn record(tables: &mut Tables, file_id: u64, rank: i32, bytes: i64, write_s: f64) {
    let table = tables.builder(TableId::Posix);
    table.push_i32(posix::LOG, Some(0));
    table.push_u64(posix::FILE_ID, Some(file_id));
    table.push_i32(posix::RANK, Some(rank));
    table.push_i64(posix::BYTES_WRITTEN, Some(bytes));
    table.push_f64(posix::F_WRITE_TIME, Some(write_s));
    table.end_row();
}

/// Kind, table and effect of what was found.
fn said(tables: &Tables) -> Vec<(String, String, String)> {
    let Some(rows) = tables.table(TableId::ReadIssue) else { return Vec::new() };
    let text = |column, row| rows.str(column, row).unwrap_or_default().to_owned();
    let columns = [read_issue::KIND, read_issue::MODULE, read_issue::EFFECT];
    let row = |row| <(String, String, String)>::from(columns.map(|column| text(column, row)));
    (0..rows.rows()).map(row).collect()
}

fn files(tables: &Tables) -> Vec<u64> {
    let Some(rows) = tables.table(TableId::Posix) else { return Vec::new() };
    (0..rows.rows()).filter_map(|row| rows.u64(posix::FILE_ID, row)).collect()
}

#[test]
fn what_can_be_stays() {
    let mut tables = job(4);
    record(&mut tables, 1, 0, 1 << 40, 2560.0);
    record(&mut tables, 1, 3, 0, 0.0);
    record(&mut tables, 2, -1, 1 << 42, 40.0);
    remove_impossible(&mut tables);
    assert_eq!(files(&tables), [1, 1, 2]);
    assert_eq!(said(&tables), []);
}

#[test]
fn impossible_times_bytes_and_ranks_are_left_out_and_said() {
    let mut tables = job(4);
    record(&mut tables, 1, 0, 10, 1e18);
    record(&mut tables, 2, 0, 1 << 62, 1.0);
    record(&mut tables, 3, 0, -5, 1.0);
    record(&mut tables, 4, 5000, 10, 1.0);
    record(&mut tables, 5, 0, 10, f64::NAN);
    record(&mut tables, 6, 0, 10, 1.0);
    remove_impossible(&mut tables);
    assert_eq!(files(&tables), [6]);
    let said: Vec<String> = said(&tables).into_iter().map(|(.., effect)| effect).collect();
    assert_eq!(
        said,
        [
            "1 record is ignored: it belongs to rank 5000, but the job has 4 ranks",
            "4 records are ignored: the first has f_write_time = 1e18 s",
        ]
    );
}

#[test]
fn the_second_record_of_a_file_and_rank_is_left_out() {
    let mut tables = job(4);
    for bytes in [10, 20] {
        record(&mut tables, 1, 0, bytes, 1.0);
    }
    remove_impossible(&mut tables);
    let rows = tables.table(TableId::Posix).expect("the first is there");
    assert_eq!((rows.rows(), rows.i64(posix::BYTES_WRITTEN, 0)), (1, Some(10)));
    assert_eq!(said(&tables)[0].0, "duplicate_record");
}

#[test]
fn an_impossible_job_is_not_known() {
    let mut tables = job(1 << 40);
    record(&mut tables, 1, 0, 10, 1.0);
    remove_impossible(&mut tables);
    let jobs = tables.table(TableId::Job).expect("has a row");
    assert_eq!(jobs.i64(job::NPROCS, 0), None);
    assert_eq!(files(&tables), [1]);
    assert_eq!(said(&tables)[0].2, "a job of 1099511627776 processes is impossible and is ignored");
}

#[test]
fn impossible_calls_are_left_out() {
    let mut tables = job(4);
    let run = |rank| CallRun::new(0, Layer::Posix, Op::Write, 1, rank);
    let call = |size_bytes, end_s| Call { size_bytes, start_s: 1.0, end_s, ..Call::default() };
    tables.calls.push(run(0), call(10, 2.0));
    tables.calls.push(run(0), call(1 << 62, 2.0));
    tables.calls.push(run(0), call(10, f64::INFINITY));
    tables.calls.push(run(9), call(10, 2.0));
    tables.calls.push(run(1), call(20, 2.0));
    remove_impossible(&mut tables);
    let sizes: Vec<i64> = tables.calls.chunks().flat_map(|c| c.size_bytes.clone()).collect();
    assert_eq!(sizes, [10, 20]);
    let kinds: Vec<String> = said(&tables).into_iter().map(|(kind, ..)| kind).collect();
    assert_eq!(kinds, ["implausible_rank", "implausible_value"]);
}
