//! The numbers of a job summary, who moves the data, and what lies between the
//! layers: small tables as text in, rows of metrics out.

use crate::support::{JOB, POSIX, rows};
use diya_tables::TableId;

#[test]
fn calls_of_each_kind_are_counted_and_unknown_kinds_are_left_out() {
    let posix = "log file_id rank opens reads writes seeks stats mmaps fsyncs fdsyncs
                 0   1       0    2     10    5      3     0     -     1      0
                 0   2       1    1     0     5      0     0     -     0      0";
    let mpiio = "log file_id rank indep_opens coll_opens coll_writes\n 0 1 0 0 4 8";
    let tables = [JOB, (TableId::Posix, posix), (TableId::Mpiio, mpiio)];
    let found = rows("call_count", "layer kind calls", &tables);
    assert!(found.contains(&"posix write 10".to_owned()), "{found:?}");
    assert!(found.contains(&"posix stat 0".to_owned()), "{found:?}");
    assert!(found.contains(&"mpiio collective_write 8".to_owned()), "{found:?}");
    assert!(!found.iter().any(|row| row.starts_with("posix mmap")), "{found:?}");
}

#[test]
fn averages_per_process_tell_shared_files_apart() {
    assert_eq!(
        rows("process_mean", "layer sharing op process_s process_bytes", &[JOB, POSIX]),
        [
            "posix independent metadata 0.25 -",
            "posix independent read 0.25 25.0",
            "posix independent write 0.75 12.5",
            "posix shared metadata 0.5 -",
            "posix shared write 2.0 1000.0",
        ]
    );
}

#[test]
fn spans_of_time_are_those_of_reads_and_writes() {
    let posix = "log file_id rank f_read_start_timestamp f_read_end_timestamp f_write_start_timestamp \
                 f_write_end_timestamp
                 0   1       0    1                      2                    -                       -
                 0   2       0    5                      9                    3                       4
                 0   3       -1   -                      -                    2                       8";
    assert_eq!(
        rows("access_span", "op rank files first_s last_s span_s", &[(TableId::Posix, posix)]),
        ["read 0 2 1.0 9.0 8.0", "write -1 1 2.0 8.0 6.0", "write 0 1 3.0 4.0 1.0"]
    );
}

#[test]
fn files_of_some_ranks_have_their_variance_too() {
    let posix = "log file_id rank writes bytes_written f_write_time
                 0   5       0    1      100           1
                 0   5       3    1      300           3
                 0   6       2    1      100           9";
    let columns = "file_id ranks fastest_rank fastest_bytes slowest_rank slowest_s spread_s \
                   spread_bytes";
    assert_eq!(
        rows("file_variance", columns, &[JOB, (TableId::Posix, posix)]),
        ["5 2 0 100 3 3.0 1.0 100.0"]
    );
}

#[test]
fn time_by_size_lies_between_bounds() {
    // File 1 has one size only: its 4 s are certain. File 2 has two.
    let bins = "log file_id rank layer op    size_lo_bytes size_hi_bytes calls
                0   1       0    posix write 0             100           30
                0   2       0    posix write 0             100           10
                0   2       0    posix write 101           1024          30";
    let posix = "log file_id rank writes f_write_time\n 0 1 0 30 4\n 0 2 0 40 5";
    let tables = [JOB, (TableId::SizeHistogram, bins), (TableId::Posix, posix)];
    assert_eq!(
        rows(
            "file_request_size",
            "file_id size_lo_bytes calls_ratio time_low_s time_high_s",
            &tables
        ),
        ["1 0 1.0 4.0 4.0", "2 0 0.25 0.0 5.0", "2 101 0.75 0.0 5.0"]
    );
    assert_eq!(
        rows("size_bound", "size_lo_bytes calls files time_low_s time_high_s", &tables),
        ["0 40 2 4.0 9.0", "101 30 1 0.0 5.0"]
    );
}

#[test]
fn strides_other_than_nothing_are_strided() {
    let posix = "log file_id rank reads stride1_stride stride1_count stride2_stride stride2_count
                 0   1       0    100   0              60            4096           20
                 0   1       1    100   4096           30            -512           10
                 0   2       0    10    0              9             0              0";
    assert_eq!(
        rows(
            "stride",
            "file_id strided_calls strided_ratio stride_bytes stride_calls",
            &[(TableId::Posix, posix)]
        ),
        ["1 60 0.3 4096 50", "2 0 0.0 - -"]
    );
}

#[test]
fn requests_of_each_rank_are_sequential_or_not() {
    assert_eq!(
        rows("rank_pattern", "rank op calls sequential_calls random_low_calls", &[JOB, POSIX]),
        ["-1 write 40 36 0", "0 read 10 0 9", "1 write 1 0 0"]
    );
}

#[test]
fn a_dataset_becomes_requests_of_mpi_io_and_these_become_requests_of_posix() {
    let datasets =
        "log file_id file_rec_id rank writes bytes_written\n 0 9 1 -1 4 4000\n 0 8 1 -1 4 4000";
    let mpiio = "log file_id rank coll_writes bytes_written\n 0 1 -1 8 8000";
    let posix = "log file_id rank reads writes bytes_read bytes_written\n 0 1 -1 3 2 300 16000";
    let tables =
        [JOB, (TableId::Hdf5Dataset, datasets), (TableId::Mpiio, mpiio), (TableId::Posix, posix)];
    assert_eq!(
        rows(
            "layer_chain",
            "file_id op upper lower upper_calls lower_calls calls_ratio amplification_ratio unrequested_bytes",
            &tables
        ),
        ["1 write hdf5_dataset mpiio 8 8 1.0 1.0 0", "1 write mpiio posix 8 2 0.25 2.0 300",]
    );
}

#[test]
fn the_variance_over_ranks_tells_how_many_move_the_bytes() {
    // 4 ranks. File 1: one rank moves all 400: variance (400^2 * 3) / 16.
    // File 2: all alike. File 3: rank 2's own.
    let posix = "log file_id rank writes bytes_written slowest_rank slowest_rank_bytes f_variance_rank_bytes
                 0   1       -1   4      400           0            400                30000
                 0   2       -1   4      400           1            100                0
                 0   3       2    1      50            -            -                  -";
    assert_eq!(
        rows(
            "file_role",
            "file_id op role effective_ranks top_rank top_ratio source",
            &[JOB, (TableId::Posix, posix)]
        ),
        [
            "1 write rank 0 1.0 0 1.0 variance",
            "2 write every rank 4.0 - - variance",
            "3 write own 1.0 2 1.0 record",
        ]
    );
}

#[test]
fn ranks_that_move_the_bytes_of_collective_requests_are_aggregators() {
    let mpiio = "log file_id rank coll_writes bytes_written f_variance_rank_bytes\n 0 1 -1 4 400 0";
    let posix = "log file_id rank writes bytes_written f_variance_rank_bytes\n 0 1 -1 1 400 30000";
    let calls = "log layer op    file_id rank offset_bytes size_bytes start_s end_s busy_s calls
                 0   posix write 1       3    0            400        1       3     2      1";
    let tables = [JOB, (TableId::Mpiio, mpiio), (TableId::Posix, posix), (TableId::Call, calls)];
    assert_eq!(
        rows("file_role", "layer role opened_ranks moving_ranks top_rank source", &tables),
        ["mpiio every rank 4 - - variance", "posix aggregators 4 1 3 call"]
    );
}

#[test]
fn a_job_whose_rank_0_writes_says_so() {
    let posix = "log file_id rank reads bytes_read writes bytes_written
                 0   1       0    0     0          9      900
                 0   2       1    5     50         1      100
                 0   3       2    5     50         0      0
                 0   4       3    5     50         0      0";
    assert_eq!(
        rows(
            "job_role",
            "op role moving_ranks top_rank top_ratio unknown_bytes",
            &[JOB, (TableId::Posix, posix)]
        ),
        ["read every rank 3 1 0.333 0", "write rank 0 2 0 0.9 0"]
    );
}

#[test]
fn bytes_of_all_ranks_have_no_role_without_single_calls() {
    let found = rows("job_role", "op role bytes unknown_bytes", &[JOB, POSIX]);
    assert_eq!(
        found,
        ["read every rank 100 0", "write - 50 4000"].map(|row| {
            // 100 bytes of one rank of four: not every rank.
            row.replace("read every rank", "read rank 0")
        })
    );
}

#[test]
fn bytes_of_a_file_are_spread_over_its_targets() {
    let targets = "log file_id stripe ost_id\n 0 1 0 5\n 0 1 1 6\n 0 2 0 6";
    assert_eq!(
        rows(
            "target_estimate",
            "ost_id op files low_bytes estimate_bytes high_bytes",
            &[JOB, POSIX, (TableId::LustreTarget, targets)]
        ),
        ["5 write 1 0 2000.0 4000", "6 read 1 100 100.0 100", "6 write 1 0 2000.0 4000"]
    );
}

const BURSTS: (TableId, &str) = (
    TableId::Call,
    "log layer op    file_id rank offset_bytes size_bytes start_s end_s busy_s calls
     0   posix write 1       0    0            100        0       1     1      1
     0   posix write 1       1    100          100        0       3     3      1
     0   posix write 1       0    200          100        20      21    1      1
     0   posix write 1       1    300          100        20      24    4      1",
);

#[test]
fn a_rank_that_is_last_in_every_phase_has_a_reason() {
    let columns = "rank phases last_phases expected_phases excess_ratio waited_s";
    assert_eq!(
        rows("straggler_rank", columns, &[BURSTS]),
        ["0 2 0 1.0 0.0 0.0", "1 2 2 1.0 2.0 2.5"]
    );
    let hosts = "log rank host\n 0 0 a\n 0 1 b";
    assert_eq!(
        rows(
            "straggler_host",
            "host ranks last_phases excess_ratio",
            &[BURSTS, (TableId::RankHost, hosts)]
        ),
        ["a 1 0 0.0", "b 1 2 2.0"]
    );
}

#[test]
fn targets_are_followed_over_time_and_phases() {
    let layout =
        "log file_id component stripe_size stripe_count ext_start ext_end\n 0 1 0 100 2 0 -";
    let targets = "log file_id component stripe ost_id\n 0 1 0 0 14\n 0 1 0 1 15";
    let tables = [BURSTS, (TableId::LustreComponent, layout), (TableId::LustreTarget, targets)];
    assert_eq!(
        rows("phase_target", "phase ost_id calls bytes time_s", &tables),
        ["0 14 1 100 1.0", "0 15 1 100 3.0", "1 14 1 100 1.0", "1 15 1 100 4.0"]
    );
    assert_eq!(
        rows("straggler_target", "ost_id phases slowest_phases excess_ratio", &tables),
        ["14 2 0 0.0", "15 2 2 2.0"]
    );
    assert_eq!(
        rows("stripe_crossing", "calls unaligned_calls crossing_calls targets most_ranks", &tables),
        ["4 0 0 2 1"]
    );
    // A hundred bins of 0.24 s: 100 bytes in 3 s are 8 in a bin, none is lost.
    let bins = rows("target_time", "ost_id bin bytes", &tables);
    let sum = |ost: &str| -> i64 {
        let of = bins.iter().filter(|row| row.starts_with(ost));
        of.filter_map(|row| row.split(' ').nth(2)?.parse::<i64>().ok()).sum()
    };
    assert_eq!((sum("14"), sum("15")), (200, 200));
    assert!(bins.contains(&"15 1 8".to_owned()), "{bins:?}");
}

#[test]
fn heat_maps_have_phases_and_a_period() {
    let bin = |bin: i64| {
        let bytes = if bin % 10 < 2 { 100 } else { 0 };
        format!("0 posix 0 write {bin} {} 0.5 {bytes}\n", bin as f64 * 0.5)
    };
    let text: String = (0..60).map(bin).collect();
    let text = format!("log layer rank op bin bin_start_s bin_width_s bytes\n{text}");
    let tables = [JOB, (TableId::Heatmap, text.as_str())];
    assert_eq!(
        rows("heatmap_phase", "phase start_s end_s bytes_written", &tables)[..2],
        ["0 0.0 1.0 200", "1 5.0 6.0 200"]
    );
    assert_eq!(rows("heatmap_summary", "phases period_s duty_ratio", &tables), ["6 5.0 0.06"]);
    let period = rows("heatmap_period", "op period_s", &tables);
    // To a tenth of a bin.
    assert!(period[0].starts_with("all 5.0"), "{period:?}");
    assert!(period[1].starts_with("write 5.0"), "{period:?}");
}
