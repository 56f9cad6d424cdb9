//! What samples of the processor say of time between calls.

use crate::support::{JOB, rows};
use diya_tables::TableId;

const CALLS: &str = "log rank thread layer op    file_id start_s end_s busy_s calls size_bytes
                     0   0    1      posix open  7       0.0     0.1   0.1    1     -
                     0   0    1      posix read  7       0.1     0.2   0.1    1     100000
                     0   0    1      posix write 8       1.0     1.1   0.1    1     100000
                     0   0    1      posix close 8       2.0     2.1   0.1    1     -";

const SAMPLES: &str =
    "log process rank thread time_s weight_s module          address function    is_inside
     0   0       0    1      0.3    0.25     /lib/libc.so.6  1       strtod      true
     0   0       0    1      0.8    0.25     /home/me/app    1       compute     true
     0   0       0    1      0.9    0.5      /lib/libz.so.1  1       deflate     true
     0   0       0    1      1.05   0.125    /home/me/app    1       compute     true
     0   0       0    1      1.5    0.25     /lib/libdiya_capture.so 1 x         true";

#[test]
fn work_has_a_place_a_file_and_a_kind() {
    let tables = [JOB, (TableId::Call, CALLS), (TableId::ProcessorSample, SAMPLES)];
    assert_eq!(
        rows("processor_work", "place op file_id kind library samples passed_s", &tables),
        [
            // The recorder's own work: of no file, and no cost of the program.
            "between - - recorder diya 1 0.25",
            "between write 8 compression libz.so 1 0.5",
            "between write 8 own app 1 0.25",
            "between write 8 text libc.so 1 0.25",
            "call write 8 own app 1 0.125",
        ]
    );
}

#[test]
fn packing_that_no_file_can_need_is_the_programs_own_work() {
    let of_write = |size_bytes: &str| {
        let calls = CALLS.replace(
            "1     100000\n                     0   0    1      posix close",
            &format!("1     {size_bytes}\n                     0   0    1      posix close"),
        );
        let tables = [JOB, (TableId::Call, calls.as_str()), (TableId::ProcessorSample, SAMPLES)];
        rows("processor_work", "place kind library", &tables)
    };
    assert!(of_write("30000").contains(&"between compression libz.so".to_owned()));
    // Half a second for 20 KB that are written.
    assert!(of_write("20000").contains(&"between own libz.so".to_owned()));
}

#[test]
fn work_takes_the_time_that_passes_where_the_processor_is_shared() {
    let samples =
        "log process rank thread time_s weight_s module          address function is_inside
                   0   0       0    1      0.3    0.1      /lib/libc.so.6  1       strtod   true
                   0   0       0    1      0.8    0.1      /lib/libc.so.6  1       strtod   true
                   0   0       0    1      1.4    0.1      /lib/libz.so.1  1       deflate  true";
    let passed = |process: &str| {
        let tables = [
            JOB,
            (TableId::Call, CALLS),
            (TableId::ProcessorSample, samples),
            (TableId::Process, process),
        ];
        rows("processor_work", "kind time_s passed_s", &tables)
    };
    let never = "log process rank voluntary_switches\n0 0 0 0";
    assert_eq!(passed(never), ["compression 0.1 0.5", "text 0.2 0.6"]);
    // It gave the processor up once: the longest time may be a wait.
    let once = "log process rank voluntary_switches\n0 0 0 1";
    assert_eq!(passed(once), ["compression 0.1 0.5", "text 0.2 0.2"]);
}

#[test]
fn the_account_has_what_samples_show() {
    let tables = [JOB, (TableId::Call, CALLS), (TableId::ProcessorSample, SAMPLES)];
    let account = rows("time_account", "layer class op function time_s", &tables);
    let has = |row: &str| account.iter().any(|of| of == row);
    assert!(has("posix library write compression 0.5"), "{account:?}");
    assert!(account.iter().any(|of| of.starts_with("posix text -")), "{account:?}");
}
