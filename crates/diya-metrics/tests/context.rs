//! Metrics over tables that come from outside the log.

use crate::support::{JOB, rows};
use diya_tables::TableId;

/// Bytes that two targets took, sampled every 50 s around a run of 100 s.
const SERVER: (TableId, &str) = (
    TableId::ServerMetric,
    "log series name          unit  kind    op    target ost_id time_s value
     0   0      written_total bytes counter write OST5   5      -50    1000
     0   0      written_total bytes counter write OST5   5      50     5000
     0   0      written_total bytes counter write OST5   5      150    0
     0   1      written_total bytes counter write OST6   6      0      0
     0   1      written_total bytes counter write OST6   6      100    500
     0   2      busy          ratio gauge   -     OST5   5      0      0.5
     0   2      busy          ratio gauge   -     OST5   5      100    1.0",
);

const OWN: (TableId, &str) =
    (TableId::Posix, "log file_id rank writes bytes_written\n 0 1 0 1 600\n 0 2 0 1 400");

const TARGETS: (TableId, &str) =
    (TableId::LustreTarget, "log file_id stripe ost_id\n 0 1 0 5\n 0 2 0 6");

#[test]
fn a_counter_that_began_anew_has_grown_by_its_value() {
    assert_eq!(
        rows("server_interval", "series start_s end_s amount per_s level", &[SERVER]),
        [
            "0 -50.0 50.0 4000.0 40.0 -",
            "0 50.0 150.0 0.0 0.0 -",
            "1 0.0 100.0 500.0 5.0 -",
            "2 0.0 100.0 - - 0.75",
        ]
    );
}

#[test]
fn only_the_part_inside_the_run_counts() {
    assert_eq!(
        rows("server_load", "series covered_s amount per_s mean_level", &[JOB, SERVER]),
        ["0 100.0 2000.0 20.0 -", "1 100.0 500.0 5.0 -", "2 100.0 - - 0.75"]
    );
}

#[test]
fn what_the_job_did_not_move_is_of_others() {
    assert_eq!(
        rows(
            "server_contention",
            "op series server_bytes own_bytes outside_bytes own_ratio",
            &[JOB, SERVER, OWN]
        ),
        ["write 2 2500.0 1000 1500.0 0.4"]
    );
    assert_eq!(
        rows(
            "target_contention",
            "ost_id server_bytes own_bytes outside_bytes own_ratio load_ratio",
            &[JOB, SERVER, OWN, TARGETS]
        ),
        ["5 2000.0 600.0 1400.0 0.3 1.6", "6 500.0 400.0 100.0 0.8 0.4"]
    );
}

#[test]
fn the_servers_are_seen_during_each_phase() {
    let calls = "log layer op    file_id rank size_bytes start_s end_s busy_s calls
                 0   posix write 1       0    600        10      20    10     1
                 0   posix write 2       0    400        80      90    10     1";
    assert_eq!(
        rows(
            "server_phase",
            "phase op server_bytes own_bytes outside_bytes",
            &[SERVER, (TableId::Call, calls)]
        ),
        ["0 write 450.0 600 0.0", "1 write 50.0 400 0.0"]
    );
}

#[test]
fn switches_are_compared_by_their_nodes() {
    let call = |rank: usize, at: usize| {
        let host = ["a", "b", "c", "d"][rank];
        let time = if rank < 2 { 1.0 } else { 3.0 };
        format!("0 posix write 1 {rank} {host} 100 {at} {} {time} 1\n", at as f64 + time)
    };
    let calls: String = (0..4).flat_map(|rank| (0..6).map(move |at| call(rank, at))).collect();
    let calls =
        format!("log layer op file_id rank host size_bytes start_s end_s busy_s calls\n{calls}");
    let topology = "log host switch\n 0 a s1\n 0 b s1\n 0 c s2\n 0 d s2";
    let tables = [(TableId::Call, calls.as_str()), (TableId::Topology, topology)];
    assert_eq!(
        rows("group_latency", "kind name hosts ranks calls", &tables),
        ["switch s1 2 2 12", "switch s2 2 2 12"]
    );
    assert_eq!(
        rows("latency_test", "kind groups members slowest slowest_ratio", &tables),
        ["host 4 4 c 2.08", "switch 2 4 s2 3.0"]
    );
}
