//! Calls inside the regions that a program named.

use crate::support::{JOB, rows};
use diya_tables::TableId;

/// One thread checkpoints in its first epoch; another one reads for both.
const REGIONS: (TableId, &str) = (
    TableId::Region,
    "log name       category process rank thread start_s end_s number
     0   epoch      epoch    0       0    7      0       50    0
     0   epoch      epoch    0       0    7      50      100   1
     0   checkpoint region   0       0    7      10      20    -
     0   header     region   0       0    7      11      12    -
     0   checkpoint region   0       0    7      60      61    -
     0   idle       region   0       1    9      0       100   -",
);

const CALLS: (TableId, &str) = (
    TableId::Call,
    "log layer op    file_id rank thread start_s end_s busy_s size_bytes calls
     0   posix write 1       0    7      11.5    11.6  0.1    100        1
     0   posix write 1       0    7      15      17    2      900        1
     0   posix read  1       0    8      16      18    2      5000       1
     0   posix write 1       0    7      70      71    1      50         1
     0   posix write 1       0    7      100     101   1      7          1",
);

const COLUMNS: &str =
    "category name number regions region_s layer calls read_bytes written_bytes io_s";

#[test]
fn a_region_has_the_calls_of_its_thread_and_a_step_those_of_its_process() {
    assert_eq!(
        rows("region_io", COLUMNS, &[JOB, REGIONS, CALLS]),
        [
            "epoch epoch 0 1 50.0 posix 3 5000 1000 4.1",
            "epoch epoch 1 1 50.0 posix 1 0 50 1.0",
            "region checkpoint - 2 11.0 posix 2 0 1000 2.1",
            "region header - 1 1.0 posix 1 0 100 0.1",
            "region idle - 1 100.0 - 0 0 0 0.0",
        ]
    );
}

#[test]
fn notes_are_counted_by_their_text() {
    let regions = (
        TableId::Region,
        "log name      category process rank thread start_s end_s number
         0   converged note     0       0    7      40      40    -
         0   refined   note     0       0    7      20      20    -
         0   refined   note     1       1    9      10      10    -
         0   refined   region   0       0    7      1       2     -",
    );
    let notes = rows("program_note", "note times first_s", &[JOB, regions]);
    assert_eq!(notes, ["converged 1 40.0", "refined 2 10.0"]);
}

#[test]
fn without_regions_there_are_no_rows() {
    assert!(rows("region_io", COLUMNS, &[JOB, CALLS]).is_empty());
}

#[test]
fn a_call_has_its_innermost_region_and_the_epoch_of_its_process() {
    let calls = (
        TableId::Call,
        "log layer op    file_id rank thread start_s end_s busy_s size_bytes calls call_id
         0   posix write 1       0    7      11.5    11.6  0.1    100        1     1
         0   posix write 1       0    8      15      17    2      900        1     2
         0   posix write 1       0    7      100     101   1      7          1     3
         0   posix write 1       0    7      60.5    61    1      7          1     -",
    );
    assert_eq!(
        rows("call_region", "call_id region step epoch", &[JOB, REGIONS, calls]),
        ["1 header - 0", "2 - - 0"]
    );
}

#[test]
fn steps_reach_over_all_processes_and_regions_are_those_of_the_lowest_rank() {
    let of_two = "log name       category process rank thread start_s end_s number
                  0   epoch      epoch    0       0    7      0       50    0
                  0   epoch      epoch    1       1    9      2       51    0
                  0   epoch      epoch    0       0    7      50      99    1
                  0   checkpoint region   0       0    7      10      20    -
                  0   idle       region   1       1    9      0       100   -";
    assert_eq!(
        rows(
            "region_span",
            "category name number start_s end_s ranks",
            &[JOB, (TableId::Region, of_two)]
        ),
        [
            "epoch epoch 0 0.0 51.0 2",
            "epoch epoch 1 50.0 99.0 1",
            "region checkpoint - 10.0 20.0 1",
        ]
    );
}
