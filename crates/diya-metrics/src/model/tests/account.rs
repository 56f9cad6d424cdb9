//! Where the run time goes, from calls and from counters.

use super::{JOB, OWN, rows};
use diya_tables::TableId;

const COLUMNS: &str = "layer class op time_s calls";

fn account(tables: &[(TableId, &str)], traced: &str) -> Vec<String> {
    rows("time_account", COLUMNS, tables, traced)
}

#[test]
fn a_serial_program_has_each_moment_once_and_a_library_its_own_time() {
    // HDF5 writes for 10 s, in which POSIX writes for 7 s and truncates for 1 s.
    let calls = "0 posix open     1 0   0  1
                 0 posix truncate 1 0   3  4
                 0 posix write    1 900 4  11
                 0 hdf5_dataset write 2 900 2 12
                 0 posix sync     1 0   20 25";
    assert_eq!(
        account(&[JOB], calls),
        [
            "posix write write 7 1",
            "posix metadata open 1 1",
            "posix metadata truncate 1 1",
            "posix sync sync 5 1",
            "hdf5_dataset library write 2 1",
            "program computing - 84 -",
        ]
    );
}

#[test]
fn two_ranks_that_wait_in_a_collective_call() {
    // Rank 1 writes for both: rank 0 has the longer call, and waits in all of it.
    let calls = "0 mpiio open  1 0   0 0
                 0 mpiio write 1 500 0 9
                 1 mpiio write 1 500 2 9
                 1 posix write 1 999 5 8";
    assert_eq!(
        account(&[JOB], calls),
        ["mpiio wait open 0 1", "mpiio wait write 9 1", "program computing - 91 -"]
    );
}

#[test]
fn waiting_ends_when_the_last_rank_enters() {
    // Two rounds; rank 1 is late in both, and in the second the data takes 2 s to exchange.
    let calls = "0 mpiio open  1 0   0  0
                 1 mpiio open  1 0   0  0
                 0 mpiio write 1 500 1  5
                 1 mpiio write 1 500 4  5
                 0 mpiio write 1 500 6  10
                 1 mpiio write 1 500 8  10
                 1 posix write 1 999 4.5 4.6";
    let late = |calls: &str| {
        let all = rows("time_account", "class op time_s late_s late_rank", &[JOB], calls);
        all.into_iter().find(|row| row.starts_with("wait write")).unwrap_or_default()
    };
    assert_eq!(late(calls), "wait write 8 5 1");
    // One more call of one rank: which calls belong together is not known.
    let odd = format!("{calls}\n1 mpiio write 1 500 11 12");
    assert_eq!(late(&odd), "wait write 8 - -");
}

#[test]
fn the_slowest_rank_of_each_phase_counts() {
    let calls = "0 posix open  1 0   0    0.1
                 0 posix write 1 500 0.1  3.1
                 1 posix write 2 500 0    1
                 0 posix write 1 500 50   51
                 1 posix write 2 500 50   54";
    assert_eq!(
        account(&[JOB], calls),
        ["posix write write 7 2", "posix metadata open 0.1 1", "program computing - 92.9 -"]
    );
}

#[test]
fn ranks_that_take_turns_form_a_chain() {
    let calls = "0 posix open  1 0   0 0
                 0 posix write 1 500 0 2
                 1 posix write 1 500 2 4
                 2 posix write 1 500 4 6";
    assert_eq!(account(&[JOB], calls)[0], "posix write write 6 3");
}

#[test]
fn threads_that_write_at_once_share_the_time() {
    let calls = "0 posix open  1 0   0 0 1
                 0 posix write 1 500 0 4 1
                 0 posix write 1 500 2 6 2";
    assert_eq!(account(&[JOB], calls)[0], "posix write write 6 2");
}

#[test]
fn counters_give_the_slowest_rank() {
    // Rank 1 takes 1 + 8 + 1 s.
    assert_eq!(
        account(&[JOB, OWN], ""),
        [
            "posix read - 1 1",
            "posix write - 8 1",
            "posix metadata - 1 0",
            "program computing - 90 -"
        ]
    );
}

#[test]
fn counters_of_mpiio_leave_the_waiting_beyond_posix() {
    let mpiio = "log file_id rank coll_writes f_write_time f_slowest_rank_time slowest_rank
                 0   9       -1   8           80           24                  3";
    let posix = "log file_id rank writes f_write_time\n 0 9 3 4 6";
    assert_eq!(
        account(&[JOB, (TableId::Mpiio, mpiio), (TableId::Posix, posix)], ""),
        ["posix write - 6 4", "mpiio wait write 18 2", "program computing - 76 -"]
    );
}

#[test]
fn counters_of_mpiio_keep_opening_apart_and_do_not_divide_calls_of_both_modes() {
    let mpiio = "log file_id rank coll_opens coll_writes indep_writes f_write_time f_meta_time
                 0   9       3    2          4           4            20           40";
    let posix = "log file_id rank writes reads f_write_time f_read_time\n 0 9 3 8 8 5 1";
    let rows = account(&[JOB, (TableId::Mpiio, mpiio), (TableId::Posix, posix)], "");
    // Reads of POSIX stand in no read of MPI-IO: they ran in its writes.
    let of_mpiio: Vec<&String> = rows.iter().filter(|row| row.starts_with("mpiio")).collect();
    assert_eq!(of_mpiio, ["mpiio library open 40 2", "mpiio library write 14 8"]);
}

#[test]
fn nothing_recorded_is_unknown_and_not_zero() {
    assert_eq!(account(&[JOB], ""), ["program unknown - 100 -"]);
}

#[test]
fn more_time_in_calls_than_the_run_took_is_the_run() {
    let posix = "log file_id rank writes f_write_time\n 0 1 0 2 300";
    assert_eq!(
        account(&[JOB, (TableId::Posix, posix)], ""),
        ["posix write - 100 2", "program computing - 0 -"]
    );
}

/// Reads and writes of an asynchronous program, as the recorder stores them.
const REQUESTS: (TableId, &str) = (
    TableId::Call,
    "log layer op    function  file_id rank
     0   posix read  io_submit 1       0
     0   posix read  io_submit 1       0
     0   posix read  io_submit 1       0
     0   posix write io_submit 2       0
     0   posix write pwrite    1       0",
);

#[test]
fn time_of_submitting_and_waiting_is_that_of_the_requests() {
    // Three reads of file 1, one write of file 2; the wait names no file.
    let calls = "0 posix submit 1 0   0  6
                 0 posix submit 2 0   6  8
                 0 posix wait   9 0   10 14
                 0 posix read   1 300 14 14
                 0 posix write  2 100 14 14";
    assert_eq!(
        account(&[JOB, REQUESTS], calls),
        [
            "posix read read 0 1",
            "posix read submit 6 1",
            "posix read wait 3 1",
            "posix write write 0 1",
            "posix write submit 2 1",
            "posix write wait 1 0",
            "program computing - 88 -",
        ]
    );
}

#[test]
fn requests_that_nobody_saw_complete_have_no_class_of_their_own() {
    let calls = "0 posix submit 1 0 0 6";
    assert_eq!(account(&[JOB], calls), ["posix metadata submit 6 1", "program computing - 94 -"]);
}
