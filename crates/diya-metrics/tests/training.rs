//! Trainings: steps, loaders, and what the consuming thread waits for.

use crate::support::{JOB, rows};
use diya_tables::TableId;

/// A program of Python and a worker that it forked.
const PROCESSES: (TableId, &str) = (
    TableId::Process,
    "log process rank parent exe             command_line
     0   0       0    -      /usr/bin/python train.py
     0   1       1    0      /usr/bin/python train.py",
);

const FILES: (TableId, &str) = (
    TableId::File,
    "log file_id path               kind
     0   1       /data/shard.tar    file
     0   2       pipe:[7]           pipe
     0   3       /v/lib/python3.11/site-packages/webdataset/__pycache__/tar.pyc file
     0   4       /data/labels       file",
);

/// The worker reads a shard in sixteen small reads of 0.3 s each, one every second; the
/// program waits in a pipe for half a second of each.
///
/// `reader`: process, rank, thread.
fn calls(reader: &str) -> String {
    let mut text =
        "log layer op file_id process rank thread start_s end_s busy_s size_bytes offset_bytes \
         calls parent_id\n\
         0 posix read 3 0 0 10 0.1 0.2 0.1 900 0 1 -\n\
         0 posix read 4 0 0 10 0.2 0.3 0.1 9 0 1 -\n"
            .to_owned();
    for n in 0..16 {
        text += &format!("0 posix read 1 {reader} {n}.5 {n}.8 0.3 512 {n} 1 -\n");
        text += &format!("0 posix read 2 0 0 10 {n}.4 {n}.9 0.5 64 - 1 -\n");
    }
    text
}

const STEP: &str = "step number epoch source wait_s wait_source io_s hidden_s calls bytes opens";

#[test]
fn a_worker_that_reads_one_packed_file_is_a_loader_and_pipes_are_waits() {
    let text = calls("1 1 11");
    let tables = [JOB, PROCESSES, FILES, (TableId::Call, text.as_str())];
    assert_eq!(
        rows(
            "data_loader",
            "consumer process kind library evidence threads files calls bytes io_s",
            &tables
        ),
        ["0 1 process webdataset module 1 1 16 8192 4.8"]
    );
    let steps = rows("training_step", STEP, &tables);
    assert_eq!(steps.len(), 16, "{steps:?}");
    assert_eq!(steps[1], "1 - 0 period 0.5 calls 0.3 0.0 1 512 0");
    let summary =
        "process source steps epochs wait_source library loader_processes loader_threads loading_s";
    assert_eq!(rows("training", summary, &tables), ["0 period 16 1 calls webdataset 1 1 4.8"]);
}

#[test]
fn steps_that_the_program_names_have_the_waits_that_it_names() {
    let regions = "log name            category process rank thread start_s end_s number
                   0   step            step     0       0    10     1.0     5.0   7
                   0   step            step     0       0    10     5.0     9.0   8
                   0   epoch           epoch    0       0    10     1.0     9.0   3
                   0   enumerate(DataLoader)#next region 0 0 10     2.0     3.0   -
                   0   IteratorGetNext region   0       0    10     4.6     5.5   -";
    let text = calls("1 1 11");
    let tables =
        [JOB, PROCESSES, FILES, (TableId::Call, text.as_str()), (TableId::Region, regions)];
    assert_eq!(
        rows("training_step", STEP, &tables),
        [
            // With what the worker reads ahead of the first step.
            "0 7 3 annotation 1.4 annotation 1.2 0.7 5 2560 0",
            "1 8 3 annotation 0.5 annotation 1.2 1.2 4 2048 0",
        ]
    );
    // Eight seconds with 1.9 s of waits.
    assert_eq!(
        rows("training", "steps span_s wait_s step_rate lost_step_rate samples", &tables),
        ["2 8.0 1.9 0.25 0.078 -"]
    );
}

#[test]
fn a_trace_of_a_profiler_has_waits_and_no_calls() {
    let processes = (TableId::Process, "log process rank exe\n0 0 0 train");
    let regions = "log name                       category process rank thread start_s end_s number
                   0   enumerate(DataLoader)#next -        0       0    1      0.0     0.5   -
                   0   enumerate(DataLoader)#next -        0       0    1      2.0     2.1   -
                   0   forward                    -        0       0    1      2.2     2.9   -
                   0   enumerate(DataLoader)#next -        0       0    1      3.0     3.1   -";
    let tables = [JOB, processes, (TableId::Region, regions)];
    assert_eq!(
        rows("training_step", "step source start_s end_s wait_s wait_source epoch", &tables),
        ["0 annotation 0.0 2.0 0.5 annotation -", "1 annotation 2.0 3.0 0.1 annotation -"]
    );
    assert_eq!(rows("training", "steps wait_s loader_processes library", &tables), ["2 0.6 0 -"]);
}

#[test]
fn who_sends_batches_to_a_program_with_a_known_library_is_a_loader_without_reads() {
    // The worker maps its data, and sends a batch each second; the program polls before it reads.
    let mut text =
        "log layer op file_id process rank thread start_s end_s busy_s size_bytes offset_bytes \
         calls parent_id\n\
         0 posix read 3 0 0 10 0.1 0.2 0.1 900 0 1 -\n"
            .to_owned();
    for n in 1..13 {
        text += &format!("0 posix write 2 1 1 11 {n}.40 {n}.41 0.01 356 - 1 -\n");
        text += &format!("0 posix read 2 0 0 10 {n}.5000 {n}.5001 0.0001 4 - 1 -\n");
        text += &format!("0 posix read 2 0 0 10 {n}.5002 {n}.5003 0.0001 352 - 1 -\n");
    }
    let tables = [JOB, PROCESSES, FILES, (TableId::Call, text.as_str())];
    let loader = "process kind library evidence threads calls bytes";
    assert_eq!(rows("data_loader", loader, &tables), ["1 process webdataset module 0 0 0"]);
    let summary = "source steps epochs wait_s wait_source loader_processes lost_step_rate";
    assert_eq!(rows("training", summary, &tables), ["period 12 - - - 1 -"]);
    // Another program that sends messages is no training.
    let files = FILES.1.replace("site-packages/webdataset", "site-packages/other");
    let tables = [JOB, PROCESSES, (TableId::File, files.as_str()), tables[3]];
    assert!(rows("training", "steps", &tables).is_empty());
}

#[test]
fn who_reads_for_itself_waits_for_its_own_calls() {
    let text = calls("0 0 10");
    let tables = [JOB, PROCESSES, FILES, (TableId::Call, text.as_str())];
    assert_eq!(rows("data_loader", "process kind calls", &tables), ["0 itself 17"]);
    let steps = rows("training_step", STEP, &tables);
    assert_eq!((steps.len(), steps[1].as_str()), (17, "1 - 0 period 0.3 calls 0.3 0.0 1 512 0"));
}

#[test]
fn steps_without_names_and_loaders_are_those_of_so_many_samples() {
    // Each sample is a file and a stream of it, and takes 4 to 9 s to decode; a step computes
    // for 8 s after each four samples.
    let mut files = "log file_id path kind\n".to_owned();
    let mut calls =
        "log layer op function file_id process rank thread start_s end_s busy_s size_bytes \
         offset_bytes calls parent_id\n"
            .to_owned();
    let mut now_s = 1;
    for sample in 0..120 {
        files += &format!("0 {sample} /data/{sample} file\n");
        for (op, function, bytes) in
            [("open", "open", "-"), ("open", "fdopen", "-"), ("read", "fread", "512")]
        {
            calls += &format!(
                "0 posix {op} {function} {sample} 0 0 10 {now_s}.0 {now_s}.1 0.1 {bytes} 0 1 -\n"
            );
        }
        now_s += 4 + sample * 7 % 6 + if sample % 4 == 3 { 8 } else { 0 };
    }
    let job = (TableId::Job, "log run_time_s\n0 2000");
    let processes = (
        TableId::Process,
        "log process rank parent exe command_line\n0 0 0 - /usr/bin/python train.py",
    );
    let tables = [job, processes, (TableId::File, files.as_str()), (TableId::Call, calls.as_str())];
    let found = rows("training", "source steps samples wait_source loader_processes", &tables);
    assert_eq!(found, ["period 30 120 calls 0"]);
}

#[test]
fn without_steps_there_are_no_rows() {
    let text = "log layer op file_id process rank thread start_s end_s busy_s size_bytes offset_bytes calls parent_id
                0   posix read 1     1       1    11     0.5     0.8   0.3    512        0            40    -
                0   posix read 2     0       0    10     0.4     0.9   0.5    64         -            1     -";
    let tables = [JOB, PROCESSES, FILES, (TableId::Call, text)];
    for metric in ["training_step", "data_loader", "training"] {
        assert!(rows(metric, "log", &tables).is_empty(), "{metric}");
    }
}
