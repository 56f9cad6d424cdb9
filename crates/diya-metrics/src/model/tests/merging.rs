//! What merging requests wins: holes, exchange, memory, pauses, threads.

use super::{JOB, rows};
use diya_tables::TableId;

const ONE: (TableId, &str) = (TableId::Job, "log nprocs run_time_s\n 0 1 0.01");

/// `calls` requests of a rank, each `each_s` long, `pause_s` apart, `step`
/// bytes from start to start.
fn stream(rank: i32, op: &str, calls: u32, bytes: u32, step: u32, times: (f64, f64)) -> String {
    let (each_s, pause_s) = times;
    let line = |i: u32| {
        let start_s = f64::from(i) * (each_s + pause_s);
        let from = i * step + rank as u32 * bytes;
        format!("{rank} posix {op} 7 {bytes} {start_s} {} 0 {from}\n", start_s + each_s)
    };
    (0..calls).map(line).collect()
}

fn lost(columns: &str, job: (TableId, &str), traced: &str) -> Vec<String> {
    let posix = "log file_id rank\n 0 7 0";
    rows("lost_small_requests", columns, &[job, (TableId::Posix, posix)], traced)
}

fn real(cells: &[String]) -> f64 {
    cells.first().and_then(|cell| cell.parse().ok()).expect("one number")
}

#[test]
fn short_pauses_count_to_what_a_fix_wins_at_most() {
    // 1000 reads of 1 us, 3 us apart: 1 ms in calls, 3 ms between them.
    let close = stream(0, "read", 1000, 64, 64, (1e-6, 3e-6));
    assert!((real(&lost("lost_high_s", ONE, &close)) - 0.004).abs() < 5e-4);
    // 100 us apart is computing.
    let apart = stream(0, "read", 1000, 64, 64, (1e-6, 1e-4));
    assert!(real(&lost("lost_high_s", ONE, &apart)) <= 0.001);
}

#[test]
fn pauses_of_a_job_that_computes_are_no_matter_of_io() {
    let long = (TableId::Job, "log nprocs run_time_s\n 0 1 100");
    let close = stream(0, "read", 1000, 64, 64, (1e-6, 3e-6));
    assert!(real(&lost("lost_high_s", long, &close)) <= 0.001);
}

#[test]
fn interleaved_writes_are_not_merged_without_exchange() {
    let of = |ranks: &[i32]| {
        let all = ranks.iter().map(|rank| stream(*rank, "write", 100, 512, 1024, (1e-3, 0.0)));
        lost("lost_low_s", JOB, &all.collect::<String>())
    };
    assert_eq!(of(&[0, 1]), ["0"]);
    assert_eq!(of(&[0]), ["0"]);
}

#[test]
fn requests_that_memory_serves_win_no_more_than_their_system_calls() {
    // 64 KiB in 20 us: 3 GB/s.
    let traced = stream(0, "read", 100, 65_536, 65_536, (20e-6, 0.0));
    assert!(real(&lost("lost_high_s", ONE, &traced)) <= 0.000_2);
}

#[test]
fn threads_at_once_take_the_time_that_passes() {
    let posix = "log file_id rank writes bytes_written f_write_time\n 0 7 0 2 200 4";
    let path = |threads: &str| {
        let tables = [JOB, (TableId::Posix, posix)];
        let all = rows("critical_path", "layer class high_s", &tables, threads);
        all.into_iter().find(|row| row.starts_with("job all")).expect("is there")
    };
    assert_eq!(path("0 posix write 7 100 0 2 1\n0 posix write 7 100 0 2 2"), "job all 2");
    assert_eq!(path("0 posix write 7 100 0 2 1\n0 posix write 7 100 2 4 1"), "job all 4");
}
