//! Small tables as text in, rows of metrics out.

use crate::support::{JOB, POSIX, rows};
use diya_metrics::Catalog;
use diya_tables::TableId;

#[test]
fn calls_of_each_kind_are_rows() {
    assert_eq!(
        rows("file_op", "file_id rank op calls bytes time_s", &[JOB, POSIX]),
        [
            "1 -1 metadata 44 - 2.0",
            "1 -1 write 40 4000 8.0",
            "2 0 metadata 6 - 1.0",
            "2 0 read 10 100 1.0",
            "3 1 metadata 2 - 0.0",
            "3 1 write 1 50 3.0",
        ]
    );
}

#[test]
fn sharing_follows_from_the_records() {
    let two = "log file_id rank reads\n 0 5 0 1\n 0 5 2 1";
    let layers = [JOB, POSIX, (TableId::Stdio, two)];
    assert_eq!(
        rows("file_layer", "file_id layer sharing ranks", &layers),
        ["1 posix all 4", "2 posix unique 1", "3 posix unique 1", "5 stdio some 2"]
    );
}

#[test]
fn a_time_below_zero_is_none_when_it_is_small_and_unknown_when_it_is_large() {
    let stdio = "log file_id rank f_read_time f_write_time f_meta_time
                 0   1       0    1.5         -0.001       0.5
                 0   2       0    1.5         -2662.0      0.5";
    assert_eq!(
        rows("file_use", "file_id read_s write_s metadata_s", &[(TableId::Stdio, stdio)]),
        ["1 1.5 0.0 0.5", "2 1.5 - 0.5"]
    );
}

#[test]
fn the_slowest_rank_of_a_job_is_a_range() {
    // Own files: rank 0 took 2 s, rank 1 took 3 s. The shared file: 10 s over
    // all ranks, 4 s on the slowest. At least (10 + 5) / 4, at most 3 + 4.
    assert_eq!(
        rows("job_io", "io_low_s io_high_s io_high_ratio own_slowest_s own_lost_s", &[JOB, POSIX]),
        ["3.75 7.0 0.07 3.0 1.75"]
    );
}

#[test]
fn a_job_without_io_spends_no_time_in_it() {
    assert_eq!(
        rows("job_io", "bytes io_high_s io_high_ratio imbalance_ratio", &[JOB]),
        ["0 0.0 0.0 -"]
    );
}

#[test]
fn time_of_mpiio_holds_that_of_posix_below() {
    let mpiio = "log file_id rank coll_writes bytes_written f_write_time f_slowest_rank_time\n 0 1 -1 4 4000 20 6";
    let tables = [JOB, POSIX, (TableId::Mpiio, mpiio)];
    assert_eq!(rows("job_io", "io_high_s bytes", &tables), ["9.0 4150"]);
    assert_eq!(
        rows(
            "layer_transformation",
            "op mpiio_calls posix_calls calls_ratio amplification_ratio",
            &tables
        ),
        ["write 4 40 10.0 1.0"]
    );
    assert_eq!(
        rows("collective_share", "op calls collective_ratio is_shared", &tables),
        ["write 4 1.0 true"]
    );
}

#[test]
fn the_performance_estimate_is_that_of_darshan() {
    // 4150 bytes in 3 s (own files of rank 1) and 4 s (the shared file).
    assert_eq!(
        rows(
            "layer_load",
            "layer slowest_rank slowest_s bandwidth_bytes_per_s process_s",
            &[JOB, POSIX]
        ),
        ["posix 1 7.0 592.857 3.75"]
    );
}

#[test]
fn the_first_request_of_a_rank_is_not_random() {
    assert_eq!(
        rows(
            "access_pattern",
            "file_id op sequential_calls random_low_calls random_high_calls",
            &[JOB, POSIX]
        ),
        ["1 write 36 0 4", "2 read 0 9 10", "3 write 0 0 1"]
    );
}

#[test]
fn habits_are_counted_per_transfer() {
    assert_eq!(
        rows(
            "file_metadata",
            "file_id opens_per_rank seeks_per_transfer syncs_per_write",
            &[JOB, POSIX]
        ),
        ["1 1.0 0.0 1.0", "2 1.0 0.5 -", "3 2.0 0.0 0.0"]
    );
}

#[test]
fn bins_add_up_to_one() {
    let bins = "log file_id rank layer op size_lo_bytes size_hi_bytes calls
                0 1 0 posix write 0 100 30
                0 2 0 posix write 0 100 30
                0 1 0 posix write 101 1024 40";
    assert_eq!(
        rows(
            "size_distribution",
            "size_lo_bytes calls calls_ratio cumulative_ratio",
            &[(TableId::SizeHistogram, bins)]
        ),
        ["0 60 0.6 0.6", "101 40 0.4 1.0"]
    );
}

#[test]
fn only_the_ten_most_frequent_sizes_are_common() {
    let sizes: String = (1..=12).map(|n| format!("0 1 0 posix {n} {}\n", n * 10)).collect();
    let text = format!("log file_id rank layer size_bytes calls\n{sizes}");
    let found = rows("common_size", "position size_bytes calls", &[(TableId::AccessSize, &text)]);
    assert_eq!(found.len(), 10);
    assert!(found.contains(&"1 12 120".to_owned()), "{found:?}");
}

#[test]
fn imbalance_has_no_number_of_ranks_in_it() {
    // 10 s over 4 ranks: 2.5 s each; the slowest took 4 s.
    assert_eq!(
        rows("shared_file", "file_id mean_s slowest_rank imbalance_ratio lost_s", &[JOB, POSIX]),
        ["1 2.5 3 1.6 1.5"]
    );
}

#[test]
fn files_without_a_mount_point_are_kept() {
    let files = "log file_id path mount fs_type\n 0 1 /s/a /s lustre\n 0 2 b - -";
    let tables = [JOB, POSIX, (TableId::File, files)];
    assert_eq!(
        rows("mount_load", "mount fs_type files bytes_written", &tables),
        ["- - 2 50", "/s lustre 1 4000"]
    );
}

#[test]
fn more_bytes_than_the_file_is_long_were_written_again() {
    let posix = "log file_id rank bytes_written max_byte_written\n 0 1 0 300 99\n 0 2 0 100 99";
    assert_eq!(
        rows("reread", "file_id again_low_bytes again_ratio", &[(TableId::Posix, posix)]),
        ["1 200 3.0", "2 0 1.0"]
    );
}

#[test]
fn every_metric_runs_and_keeps_its_promise() {
    let tables = [JOB, POSIX];
    for metric in Catalog::built_in().metrics() {
        rows(metric.def.name, "log", &tables);
        rows(metric.def.name, "log", &[]);
    }
}

#[test]
fn logs_are_told_apart() {
    let jobs = "log nprocs run_time_s\n 0 1 10\n 1 1 20";
    let posix = "log file_id rank writes bytes_written f_write_time\n 0 1 0 1 5 5\n 1 1 0 1 7 5";
    let tables = [(TableId::Job, jobs), (TableId::Posix, posix)];
    assert_eq!(rows("job_io", "log bytes io_high_ratio", &tables), ["0 5 0.5", "1 7 0.25"]);
    assert_eq!(rows("file_count", "log kind files mean_bytes", &tables).len(), 8);
}

const CALLS: (TableId, &str) = (
    TableId::Call,
    "log layer op    file_id rank offset_bytes size_bytes start_s end_s busy_s calls
     0   mpiio write 1       0    0            100        0       4     4      1
     0   mpiio write 1       1    100          100        0       4     4      1
     0   posix write 1       0    0            200        1       3     2      1
     0   posix read  2       0    0            50         5       6     1      1
     0   posix read  2       1    0            150        5       8     3      1
     0   posix open  2       1    -            -          4       5     1      1",
);

#[test]
fn ranks_of_a_shared_file_are_told_apart_by_their_calls() {
    let columns = "file_id layer op ranks top_rank top_ratio bytes_imbalance_ratio slowest_rank \
                   time_imbalance_ratio lost_s";
    assert_eq!(
        rows("rank_spread", columns, &[CALLS]),
        [
            "1 mpiio write 2 0 0.5 1.0 0 1.0 0.0",
            "1 posix write 1 0 1.0 1.0 0 1.0 0.0",
            "2 posix read 2 1 0.75 1.5 1 1.5 1.0",
        ]
    );
}

#[test]
fn an_aggregator_makes_the_calls_of_others() {
    let columns = "op mpiio_ranks posix_ranks is_aggregated mpiio_mean_bytes posix_mean_bytes";
    assert_eq!(rows("aggregation", columns, &[CALLS]), ["write 2 1 true 100.0 200.0"]);
}

#[test]
fn calls_that_moved_nothing_are_told_from_those_of_unknown_size() {
    let calls = "log layer op file_id rank size_bytes start_s end_s busy_s calls thread
                 0 posix read 1 0 4096 0 1 1 1 7
                 0 posix read 1 0 0 1 3 2 5 7
                 0 posix read 2 0 - 3 6 3 1 8
                 0 posix read 2 1 10 3 6 3 1 -";
    assert_eq!(
        rows(
            "rank_call",
            "rank calls empty_calls empty_s files threads",
            &[(TableId::Call, calls)]
        ),
        ["0 7 5 2.0 2 2", "1 1 0 0.0 1 -"]
    );
}

#[test]
fn a_run_of_tiny_calls_counts_with_the_size_of_one() {
    let run = "log layer op file_id rank size_bytes start_s end_s busy_s calls
               0 posix write 1 0 5000 0 3 2 100
               0 posix write 1 0 5000 3 5 2 1";
    assert_eq!(
        rows("size_time", "size_lo_bytes calls bytes time_ratio", &[(TableId::Call, run)]),
        ["0 100 5000 0.5", "1025 1 5000 0.5"]
    );
}

#[test]
fn phases_of_a_job_are_summed_up() {
    let bursts = "log layer op file_id rank size_bytes start_s end_s busy_s calls
                  0 posix write 1 0 10 0  1  1 1
                  0 posix write 1 0 10 10 11 1 1
                  0 posix write 1 0 10 20 21 1 1";
    assert_eq!(
        rows(
            "phase_summary",
            "phases duty_ratio period_s period_spread_ratio phase_bytes",
            &[JOB, (TableId::Call, bursts)]
        ),
        ["3 0.03 10.0 0.0 10.0"]
    );
}

#[test]
fn a_target_gets_only_its_stripes() {
    let layout = "log file_id component stripe_size stripe_count ext_start ext_end
                  0 1 0 100 2 0 -";
    let targets = "log file_id component stripe ost_id\n 0 1 0 0 14\n 0 1 0 1 15";
    let tables = [CALLS, (TableId::LustreComponent, layout), (TableId::LustreTarget, targets)];
    assert_eq!(
        rows("target_load", "ost_id op calls bytes time_s", &tables),
        ["14 write 1 100 1.0", "15 write 1 100 1.0"]
    );
}

#[test]
fn a_slow_target_is_named_by_the_files_on_it_alone() {
    let posix = "log file_id rank writes bytes_written f_write_time
                 0 1 0 1 1000 1
                 0 2 0 1 1000 1
                 0 3 0 1 1000 10
                 0 4 0 1 1000 99";
    // File 4 lies on two targets: neither can be blamed.
    let targets = "log file_id stripe ost_id\n 0 1 0 5\n 0 2 0 6\n 0 3 0 14\n 0 4 0 5\n 0 4 1 6";
    let tables = [JOB, (TableId::Posix, posix), (TableId::LustreTarget, targets)];
    assert_eq!(
        rows("target_speed", "ost_id files median_bytes_per_s targets slowdown_ratio", &tables),
        ["14 1 100.0 3 10.0", "5 1 1000.0 3 1.0", "6 1 1000.0 3 1.0"]
    );
}

const NAMES: (TableId, &str) = (
    TableId::File,
    "log file_id path
     0   1       /s/out
     0   2       /opt/lib/python3.12/site-packages/np/a.py
     0   3       /s/d/x",
);

#[test]
fn a_file_has_the_time_of_its_slowest_rank_by_kind_of_call() {
    assert_eq!(
        rows(
            "posix_file",
            "path is_shared ranks owner_rank read_s write_s metadata_s",
            &[JOB, POSIX, NAMES]
        ),
        [
            "/opt/lib/python3.12/site-packages/np/a.py false 1 0 1.0 0.0 1.0",
            "/s/d/x false 1 1 0.0 3.0 0.0",
            "/s/out true 4 -1 0.0 3.2 0.8",
        ]
    );
}

#[test]
fn files_are_counted_by_size_and_use() {
    assert_eq!(
        rows(
            "file_size_class",
            "used is_shared stripes size_lo_bytes files ranks write_s",
            &[JOB, POSIX, NAMES]
        ),
        [
            "python_module false - 1 1 1 0.0",
            "write_only false - 1 1 1 3.0",
            "write_only true - 1 1 1 3.2"
        ]
    );
}

#[test]
fn directories_tell_modules_of_python_apart() {
    assert_eq!(
        rows("directory_load", "directory kind files written_files opens", &[JOB, POSIX, NAMES]),
        [
            "/opt/lib/python3.12/site-packages/np python_module 1 0 1",
            "/s other 1 1 4",
            "/s/d other 1 1 2"
        ]
    );
}

#[test]
fn a_request_is_followed_from_mpi_io_to_posix() {
    let mpiio = "log file_id rank coll_writes bytes_written f_write_time f_slowest_rank_time
         0   1       -1   400         4000          16           8";
    assert_eq!(
        rows(
            "request_path",
            "op collective_calls mpiio_s posix_calls posix_s is_shared",
            &[JOB, POSIX, NAMES, (TableId::Mpiio, mpiio)]
        ),
        ["write 400 8.0 40 3.2 true"]
    );
}

#[test]
fn starting_and_ending_mpi_is_no_time_in_mpi_io() {
    let calls = "log layer op file_id rank start_s end_s busy_s calls
        0 mpiio other 0 0 0 1 1 1
        0 posix write 7 0 1 2 1 1
        0 mpiio other 0 0 2 3 1 1";
    assert_eq!(rows("layer_time", "layer calls", &[(TableId::Call, calls)]), ["posix 1"]);
}
