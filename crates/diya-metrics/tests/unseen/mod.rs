//! Calls and bytes without a record.

use crate::support::{JOB, rows};
use diya_tables::TableId;

#[test]
fn a_good_part_of_calls_without_a_record_is_large() {
    let process =
        "log process rank ended calls_recorded calls_counted calls_dropped stream_refills \
                   kernel_read_bytes kernel_written_bytes recorded_read_bytes recorded_written_bytes
                   0  0  0  exited  2000  0  2048  0  0  0  0  0
                   0  1  1  exited  200000  0  2048  0  0  0  0  0";
    let unrecorded = "log process rank pid program     reason
                      0   1       1    77  /opt/helper static";
    let tables = [JOB, (TableId::Process, process), (TableId::UnrecordedProcess, unrecorded)];
    assert_eq!(
        rows("unseen_io", "rank unseen_calls is_large unrecorded unrecorded_program", &tables),
        ["0 2048 true 0 -", "1 2048 false 1 helper (static)"]
    );
}

#[test]
fn what_is_not_recorded_went_by_a_program_a_system_call_or_a_ring() {
    let process =
        "log process rank parent ended calls_recorded calls_counted calls_dropped stream_refills \
                   kernel_read_bytes kernel_written_bytes recorded_read_bytes recorded_written_bytes
                   0  0  0  -  exited  9  0  0  0  5000  0  1000  0
                   0  1  1  -  exited  9  0  0  0  5000  0  1000  0
                   0  2  2  -  exited  9  0  7  0  1000  0  1000  0
                   0  3  3  -  exited  9  0  0  0  1000  0  1000  0";
    let unrecorded = "log process rank pid program     reason
                      0   1       1    77  /opt/helper static";
    let tables = [JOB, (TableId::Process, process), (TableId::UnrecordedProcess, unrecorded)];
    assert_eq!(
        rows("unseen_io", "rank unseen_read_bytes way", &tables),
        ["0 4000 system call", "1 4000 program", "2 0 request", "3 0 -"]
    );
}

#[test]
fn what_a_launcher_started_is_not_missing_from_the_shell_in_front() {
    // Process 1 lived as long as the launcher, process 2 on another node, 3 before the launcher.
    let process = "log process rank parent host ended start_s end_s calls_dropped stream_refills kernel_read_bytes \
                   kernel_written_bytes recorded_read_bytes recorded_written_bytes
                   0  0  0  -  a  exited  0.0  9.0  0  0  700  9000  700  1000
                   0  1  1  -  a  exited  2.0  3.0  0  0  0  5000  0  5000
                   0  2  2  -  b  exited  2.0  3.0  0  0  0  200  0  200
                   0  3  3  -  a  exited  0.5  0.6  0  0  0  100  0  100";
    let unrecorded = "log process rank pid program reason  start_s end_s
                      0   0       0    77  mpirun  skipped 1.0     4.0";
    let tables = [JOB, (TableId::Process, process), (TableId::UnrecordedProcess, unrecorded)];
    assert_eq!(
        rows("unseen_io", "rank children kernel_written_bytes unseen_written_bytes", &tables),
        ["0 1 4000 3000", "1 0 5000 0", "2 0 200 0", "3 0 100 0"]
    );
}
