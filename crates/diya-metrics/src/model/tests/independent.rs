//! Independent MPI-IO requests in a file that has collective ones, too.

use super::{JOB, rows};
use diya_tables::TableId;

/// Each of two ranks writes a hundred times alone, 10 us each, then ten times with the other one,
/// which takes 1 s: one waits for the other.
const MPIIO: &str = "
    log file_id rank indep_writes coll_writes bytes_written f_write_time
    0   7       0    100          10          225280        10.001
    0   7       1    100          10          225280        0.002";

fn calls() -> String {
    let of = |rank: u32, at: u32, start_s: f64, end_s: f64, mode: &str| {
        let offset = at * 4096 + rank * 2048;
        format!("{rank} mpiio write 7 2048 {start_s} {end_s} {rank} {offset} 0 {mode}\n")
    };
    let mut text = String::new();
    for rank in [0, 1] {
        for i in 0..100 {
            let start_s = f64::from(i) * 10e-6;
            text += &of(rank, i, start_s, start_s + 10e-6, "independent");
        }
        for i in 0..10 {
            let start_s = 1.0 + f64::from(i) + f64::from(rank) * 0.9999;
            text += &of(rank, 100 + i, start_s, 2.0 + f64::from(i), "collective");
        }
        text += &format!("{rank} mpiio close 7 0 20 20 {rank}\n");
    }
    text
}

fn high_s(posix: &str, traced: &str) -> f64 {
    let tables = [JOB, (TableId::Mpiio, MPIIO), (TableId::Posix, posix)];
    let tables = if posix.is_empty() { &tables[..2] } else { &tables[..] };
    let found = rows("lost_independent_requests", "independent_calls lost_high_s", tables, traced);
    let [row] = found.as_slice() else { panic!("{found:?}") };
    let (calls, high_s) = row.split_once(' ').expect("two columns");
    assert_eq!(calls, "200");
    high_s.parse().expect("a number")
}

#[test]
fn they_cost_their_own_time_and_not_a_share_of_all() {
    assert!(high_s("", &calls()) <= 0.001);
}

#[test]
fn of_counters_they_cost_at_most_what_the_file_system_took() {
    let posix = "log file_id rank writes bytes_written f_write_time
                 0   7       0    120    225280        0.004
                 0   7       1    100    225280        0.001";
    // A hundred calls of MPI-IO itself take 2 ms at most.
    assert!(high_s(posix, "") <= 0.006);
    // Nothing below was recorded, so nothing is known.
    assert!(high_s("", "") > 9.0);
}

#[test]
fn independent_requests_are_no_wait_for_the_other_ranks() {
    let account = rows("time_account", "layer class calls", &[JOB], &calls());
    let of = |class: &str| account.iter().any(|row| row.starts_with(&format!("mpiio {class}")));
    // Nothing below was recorded: both are the I/O itself.
    assert!(of("write") && !of("wait"), "{account:?}");
    let below = format!("{}0 posix write 7 2048 0 5e-6 0 0 9\n", calls());
    let account = rows("time_account", "layer class calls", &[JOB], &below);
    assert!(account.contains(&"mpiio library 100".to_owned()), "{account:?}");
}
