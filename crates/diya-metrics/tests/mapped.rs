//! Mapped files and requests in flight: small tables as text, and rows of metrics over them.

use crate::support::{JOB, POSIX, rows};
use diya_tables::TableId;

const MAPPING: (TableId, &str) = (
    TableId::Mapping,
    "log process rank file_id start_s end_s size_bytes touched_bytes resident_bytes faults_recorded
     0   0       0    7       1       2     8192       4096          8192           1
     0   1       1    7       1.5     -     8192       8192          8192           -
     0   1       1    9       3       4     4096       -             -              -",
);

#[test]
fn pages_of_mapped_files_add_up_and_what_is_not_known_is_none() {
    let columns = "file_id mappings processes mapped_bytes touched_bytes resident_bytes waits";
    assert_eq!(
        rows("mapped_file", columns, &[MAPPING]),
        ["7 2 2 16384 12288 16384 1", "9 1 1 4096 - - -"]
    );
    // JOB runs for 100 s.
    assert_eq!(
        rows("mapped_span", "rank file_id start_s end_s", &[JOB, MAPPING]),
        ["0 7 1.0 2.0", "1 7 1.5 100.0", "1 9 3.0 4.0"]
    );
}

#[test]
fn page_faults_are_counted_in_bins_of_the_run() {
    let job = (TableId::Job, "log nprocs run_time_s\n 0 1 512");
    let faults = "log file_id time_s\n 0 7 1.5\n 0 9 1.9\n 0 7 512";
    assert_eq!(
        rows("fault_time", "start_s end_s faults files", &[job, (TableId::PageFault, faults)]),
        ["1.0 2.0 2 2", "511.0 512.0 1 1"]
    );
}

#[test]
fn without_mappings_there_is_nothing_to_compute() {
    for metric in ["mapped_file", "mapped_span", "fault_time", "in_flight"] {
        assert_eq!(rows(metric, "log", &[JOB, POSIX]), [] as [String; 0], "{metric}");
    }
}

#[test]
fn samples_of_the_processor_add_up_in_bins_of_the_run() {
    let job = (TableId::Job, "log nprocs run_time_s\n 0 2 256");
    let samples =
        "log rank time_s weight_s\n 0 0 1.5 0.5\n 0 1 1.75 1.0\n 0 0 255.5 0.25\n 0 0 300 9";
    assert_eq!(
        rows(
            "processor_time",
            "start_s end_s processors",
            &[job, (TableId::ProcessorSample, samples)]
        ),
        ["1.0 2.0 1.5", "255.0 256.0 0.25"]
    );
}
