//! What recording takes of the run.

use crate::support::{JOB, rows};
use diya_tables::TableId;

const PROCESSES: &str = "log process rank parent recorder_s
                         0   0       0    -      0.1
                         0   1       1    -      0.3
                         0   2       2    -      -";

const COLUMNS: &str = "recorder_s process_s all_s at_work";

#[test]
fn processes_side_by_side_delay_the_run_as_much_as_the_one_that_is_delayed_most() {
    let tables = [JOB, (TableId::Process, PROCESSES)];
    assert_eq!(rows("recording_time", COLUMNS, &tables), ["0.3 0.3 0.4 2.0"]);
}

#[test]
fn delays_of_processes_that_wait_for_a_lock_add_up() {
    // Each waits for three quarters of the run of 100 s: half a process of the two works at a time,
    // and that it is never less than one.
    let calls = "log rank thread layer op   file_id start_s end_s busy_s calls
                 0   0    1      posix lock 7       0.0     75.0  75.0   1
                 0   1    1      posix lock 7       25.0    100.0 75.0   1";
    let tables = [JOB, (TableId::Process, PROCESSES), (TableId::Call, calls)];
    assert_eq!(rows("recording_time", COLUMNS, &tables), ["0.4 0.3 0.4 1.0"]);
}

#[test]
fn locks_that_nobody_waits_for_are_work_side_by_side() {
    // A microsecond each.
    let calls = "log rank thread layer op   file_id start_s end_s busy_s calls
                 0   0    1      posix lock 7       0.0     75.0  75.0   75000000
                 0   1    1      posix lock 7       25.0    100.0 75.0   75000000";
    let tables = [JOB, (TableId::Process, PROCESSES), (TableId::Call, calls)];
    assert_eq!(rows("recording_time", COLUMNS, &tables), ["0.3 0.3 0.4 2.0"]);
}

#[test]
fn what_was_not_measured_is_not_known() {
    let processes = "log process rank parent recorder_s
                     0   0       0    -      -";
    let tables = [JOB, (TableId::Process, processes)];
    assert!(rows("recording_time", COLUMNS, &tables).is_empty());
}

#[test]
fn each_process_that_another_one_starts_costs_its_start() {
    let processes = "log process rank parent recorder_s
                     0   0       0    -      -
                     0   1       1    0      -
                     0   2       2    0      -";
    let tables = [JOB, (TableId::Process, processes)];
    assert_eq!(rows("recording_time", COLUMNS, &tables), ["0.001 0.0 0.0 1.0"]);
}
