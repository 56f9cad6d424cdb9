//! What the counters of a Darshan log prove: small tables in, rows of metrics out.

use crate::support::{JOB, rows};
use diya_tables::TableId;

/// Files 1 to 20, each written, closed, opened again and read; `in_turn`: before the next
/// one is written.
fn handed_on(in_turn: bool) -> String {
    let mut text =
        "log file_id rank opens bytes_written bytes_read max_byte_written max_byte_read \
                    f_open_start_timestamp f_write_start_timestamp f_read_start_timestamp \
                    f_close_end_timestamp f_meta_time"
            .to_owned();
    for file in 1..=20 {
        let start_s = f64::from(file);
        let read_s = if in_turn { start_s + 0.4 } else { start_s + 30.0 };
        let end_s = read_s + 0.1;
        let starts = format!("{start_s} {start_s} {read_s} {end_s}");
        text += &format!("\n0 {file} 0 2 400 400 399 399 {starts} 0.1");
    }
    text
}

#[test]
fn files_that_are_read_before_the_next_one_is_written_hand_data_on() {
    let files = |in_turn| {
        let posix = handed_on(in_turn);
        let tables = [JOB, (TableId::Posix, posix.as_str())];
        rows("scratch_file", "files written_bytes metadata_s", &tables)
    };
    assert_eq!(files(true), ["20 8000 2.0"]);
    assert!(files(false).is_empty());
}

#[test]
fn loading_modules_is_the_time_from_one_to_the_next_but_for_long_ones() {
    let posix = "log file_id rank opens f_open_start_timestamp f_read_time f_meta_time
                 0   1       0    1     1.0                    0.25        0.0
                 0   2       0    1     1.03                   0.25        0.0
                 0   3       0    1     1.05                   0.25        0.0
                 0   4       0    1     3.0                    0.25        0.0
                 0   5       0    1     3.03125                0.25        0.0";
    let files = "log file_id path
                 0   1       /lib/a.pyc
                 0   2       /lib/b.pyc
                 0   3       /lib/c.pyc
                 0   4       /lib/d.pyc
                 0   5       /data/x.npy";
    let tables = [JOB, (TableId::Posix, posix), (TableId::File, files)];
    assert_eq!(rows("module_load", "rank modules busy_s loading_s", &tables), ["0 4 1.0 0.05"]);
}

#[test]
fn seeks_of_streams_stand_in_the_time_of_metadata() {
    let stdio = "log file_id rank opens seeks reads bytes_read f_meta_time
                 0   1       0    1     900   900   9000       1.0
                 0   2       0    1     0     900   9000       1.0";
    assert_eq!(
        rows("stream_seek", "file_id seek_calls least_s seek_s", &[JOB, (TableId::Stdio, stdio)]),
        ["1 900 0.9 1.0"]
    );
}

#[test]
fn more_reads_than_bytes_are_reads_of_nothing() {
    let posix = "log file_id rank reads bytes_read size_read_0_100 f_read_time
                 0   1       0    1000  400        1000            1.0
                 0   2       0    1000  4000       1000            1.0";
    assert_eq!(
        rows("empty_read", "read_calls empty_calls empty_s", &[JOB, (TableId::Posix, posix)]),
        ["2000 600 0.6"]
    );
}

#[test]
fn a_file_that_was_opened_once_shows_what_its_flushes_take() {
    let hdf5 = "log file_id rank opens flushes f_open_start_timestamp f_open_end_timestamp \
                f_close_start_timestamp f_close_end_timestamp f_meta_time
                0 1 0 1 600 1.0 1.5 9.0 9.5 7.0
                0 2 0 2 600 1.0 1.5 9.0 9.5 7.0";
    assert_eq!(
        rows("flush_load", "file_id flush_s is_exact", &[JOB, (TableId::Hdf5File, hdf5)]),
        ["1 6.0 true", "2 7.0 false"]
    );
}
