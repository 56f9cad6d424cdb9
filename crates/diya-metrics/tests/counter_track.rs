//! Values over time, in bins of time.

use crate::support::rows;
use diya_tables::TableId;

/// A bin is a second.
const JOB: (TableId, &str) = (TableId::Job, "log run_time_s\n0 256");

fn track(samples: &str) -> Vec<String> {
    let heads = "log series name part unit kind holds time_s value";
    let text = format!("{heads}\n{samples}");
    rows(
        "counter_track",
        "name part unit series start_s value",
        &[JOB, (TableId::CounterSample, &text)],
    )
}

#[test]
fn a_level_holds_until_the_next_sample_and_to_the_end() {
    let found =
        track("0 0 memory used bytes gauge next 252 8\n0 0 memory used bytes gauge next 253.5 4");
    assert_eq!(
        found,
        [
            "memory used bytes 1 252.0 8.0",
            "memory used bytes 1 253.0 6.0",
            "memory used bytes 1 254.0 4.0",
            "memory used bytes 1 255.0 4.0",
        ]
    );
}

#[test]
fn what_grows_is_a_rate_and_series_are_added_up() {
    let found = track(
        "0 0 sent - bytes counter point 0 100
         0 0 sent - bytes counter point 2 140
         0 0 sent - bytes counter point 3 5
         0 1 sent - bytes change last 0 7
         0 1 sent - bytes change last 2 6",
    );
    assert_eq!(
        found,
        ["sent - bytes/s 2 0.0 23.0", "sent - bytes/s 2 1.0 23.0", "sent - bytes/s 2 2.0 5.0"]
    );
}

#[test]
fn a_level_since_the_last_sample_is_that_of_the_later_one() {
    let last = track("0 0 load - - gauge last 1 9\n0 0 load - - gauge last 2 3");
    assert_eq!(last, ["load - - 1 1.0 3.0"]);
    let point = track("0 0 load - - gauge point 1 9\n0 0 load - - gauge point 2 3");
    assert_eq!(point, ["load - - 1 1.0 6.0"]);
    assert!(track("0 0 load - - gauge point 1 9").is_empty());
}

#[test]
fn what_is_called_a_sum_and_falls_again_and_again_is_a_level() {
    let heat = [40, 42, 41, 43, 42, 44, 43, 45];
    let sample = |(at, value): (usize, &i32)| format!("0 0 heat - C counter point {at} {value}\n");
    let samples: String = heat.iter().enumerate().map(sample).collect();
    let found = track(&samples);
    assert_eq!((found.len(), found[0].as_str()), (7, "heat - C 1 0.0 41.0"));
}
