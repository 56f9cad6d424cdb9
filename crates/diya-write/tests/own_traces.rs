//! A trace that diya recorded itself is written as a Darshan log: the log contains
//! only what its format can store, and the rest is reported as lost.

use diya_read::{Request, Selection, Serial, read};
use diya_tables::{
    Call, CallRun, HeatmapRecord, JobRow, Layer, MappingRow, Op, PageFaultRow, TableBuilder,
    TableId, Tables, UnrecordedProcessRow, file, job, posix,
};
use diya_write::Loss;
use diya_write::darshan::{DarshanOptions, write};

const FILE: u64 = 7;

fn job_row() -> JobRow<'static> {
    JobRow {
        log: 0,
        log_name: "run.diya",
        format: "diya",
        job_id: Some(4711),
        exe: Some("./app"),
        command_line: Some("./app -x"),
        nprocs: Some(2),
        start_time: Some(1_700_000_000_123_456_789),
        end_time: Some(1_700_000_001_000_000_001),
        library_version: Some("diya 0.1.0"),
        is_big_endian: false,
        compression: "none",
        ..JobRow::UNKNOWN
    }
}

fn trace() -> Tables {
    let mut tables = Tables::new();
    tables.push_job(job_row());
    tables
}

fn call(tables: &mut Tables, op: Op, error: Option<&str>, call: Call) {
    let error = error.map(|name| tables.calls.name_id(name));
    let run = CallRun::new(0, Layer::Posix, op, FILE, 0);
    tables.calls.push(CallRun { error, ..run }, call);
}

fn through_a_log(tables: &Tables) -> (Tables, Vec<Loss>) {
    let written = write(tables, 0, &DarshanOptions::default()).expect("a job to write");
    let mut back = Tables::new();
    let request = Request {
        source: &written.bytes,
        log: 0,
        log_name: "log",
        outer_compression: None,
        selection: &Selection::all(),
        workers: &Serial,
    };
    read(&request, &mut back).expect("a log that diya wrote");
    assert_eq!(back.rows(TableId::ReadIssue), 0);
    (back, written.losses)
}

fn at(offset_bytes: i64, size_bytes: i64) -> Call {
    Call { offset_bytes, size_bytes, start_s: 0.25, end_s: 0.5, ..Call::default() }
}

#[test]
fn only_reads_and_writes_become_segments() {
    let mut tables = trace();
    call(&mut tables, Op::Open, None, at(0, 0));
    call(&mut tables, Op::Read, None, at(0, 10));
    call(&mut tables, Op::Write, None, at(10, 20));
    call(&mut tables, Op::Sync, None, at(0, 0));
    let (back, losses) = through_a_log(&tables);
    let sizes: Vec<i64> = back.calls.chunks().flat_map(|c| c.size_bytes.clone()).collect();
    assert_eq!(sizes, [20, 10], "writes stand before reads");
    assert_eq!(losses.iter().map(|l| (l.part, l.count)).collect::<Vec<_>>(), [("DXT_POSIX", 2)]);
}

#[test]
fn a_call_that_failed_is_no_segment() {
    let mut tables = trace();
    call(&mut tables, Op::Write, Some("ENOSPC"), at(0, 0));
    call(&mut tables, Op::Write, None, at(0, 5));
    let (back, losses) = through_a_log(&tables);
    assert_eq!(back.calls.rows(), 1);
    assert!(losses[0].effect.contains("failed"));
}

#[test]
fn several_calls_recorded_as_one_are_one_segment() {
    let mut tables = trace();
    call(&mut tables, Op::Write, None, Call { calls: Some(1000), ..at(0, 64_000) });
    let (back, losses) = through_a_log(&tables);
    assert_eq!((back.calls.rows(), back.calls.chunk(0).size_bytes[0]), (1, 64_000));
    assert!(losses[0].effect.contains("several"));
}

#[test]
fn calls_in_order_of_time_are_sorted_into_records() {
    let mut tables = trace();
    for file_id in [1, 2, 1, 2] {
        let run = CallRun::new(0, Layer::Posix, Op::Write, file_id, 0);
        tables.calls.push(run, at(0, 8));
    }
    let (back, losses) = through_a_log(&tables);
    let runs = &back.calls.chunk(0).runs;
    assert_eq!(runs.iter().map(|r| (r.file_id, r.len)).collect::<Vec<_>>(), [(1, 2), (2, 2)]);
    assert_eq!(losses, []);
}

#[test]
fn calls_of_layers_without_a_dxt_module_are_told() {
    let mut tables = trace();
    tables.calls.push(CallRun::new(0, Layer::Stdio, Op::Write, FILE, 0), at(0, 8));
    let (back, losses) = through_a_log(&tables);
    assert_eq!(back.calls.rows(), 0);
    assert_eq!((losses[0].part, losses[0].count), ("call", 1));
}

#[test]
fn what_was_not_measured_gets_the_marks_of_darshan() {
    let mut tables = trace();
    let t = tables.builder(TableId::Posix);
    t.push_i32(posix::LOG, Some(0));
    t.push_u64(posix::FILE_ID, Some(FILE));
    t.push_i32(posix::RANK, Some(1));
    t.push_i64(posix::WRITES, Some(0));
    t.push_f64(posix::F_WRITE_TIME, Some(0.5));
    t.end_row();
    let (back, _) = through_a_log(&tables);
    let t = back.table(TableId::Posix).expect("a record");
    assert_eq!((t.i64(posix::WRITES, 0), t.i64(posix::READS, 0)), (Some(0), None));
    assert_eq!(t.f64(posix::F_READ_START_TIMESTAMP, 0), None);
    assert_eq!(t.f64(posix::F_WRITE_TIME, 0), Some(0.5));
}

#[test]
fn the_job_keeps_its_nanoseconds_and_says_what_recorded_it() {
    let (back, _) = through_a_log(&trace());
    let t: &TableBuilder = back.table(TableId::Job).expect("a job");
    assert_eq!(t.i64(job::START_TIME, 0), Some(1_700_000_000_123_456_789));
    assert_eq!(t.i64(job::END_TIME, 0), Some(1_700_000_001_000_000_001));
    assert_eq!(t.str(job::LIBRARY_VERSION, 0), Some("diya 0.1.0"));
    assert_eq!(t.str(job::COMMAND_LINE, 0), Some("./app -x"));
}

#[test]
fn heat_maps_get_their_names() {
    let mut tables = trace();
    tables.heatmap.push(HeatmapRecord {
        log: 0,
        layer: Some(Layer::Stdio),
        file_id: 0,
        rank: 0,
        bin_width_s: 0.1,
        write: vec![1, 2],
        read: vec![3],
    });
    let (back, _) = through_a_log(&tables);
    let record = &back.heatmap.records()[0];
    assert_eq!((record.layer, &record.read), (Some(Layer::Stdio), &vec![3, 0]));
    let files = back.table(TableId::File).expect("a name");
    assert_eq!(files.str(file::PATH, 0), Some("heatmap:STDIO"));
}

#[test]
fn a_command_line_that_is_too_long_is_cut_and_told() {
    let mut tables = Tables::new();
    let long = "x".repeat(5000);
    tables.push_job(JobRow { command_line: Some(&long), ..job_row() });
    let (back, losses) = through_a_log(&tables);
    let line = back.table(TableId::Job).and_then(|t| t.str(job::COMMAND_LINE, 0));
    assert!(line.is_some_and(|line| line.ends_with("<TRUNCATED>") && line.len() == 3015));
    assert_eq!(losses[0].part, "job");
}

#[test]
fn mapped_files_and_unrecorded_programs_have_no_place_and_are_told() {
    let mut tables = trace();
    tables.push_mapping(MappingRow {
        log: 0,
        process: 0,
        rank: 0,
        mapping: 1,
        file_id: FILE,
        start_s: 0.1,
        offset_bytes: 0,
        size_bytes: 4096,
        is_writable: false,
        is_shared: true,
        faults_recorded: Some(2),
        ..MappingRow::UNKNOWN
    });
    for time_s in [0.2, 0.3] {
        tables.push_page_fault(PageFaultRow {
            log: 0,
            process: 0,
            rank: 0,
            mapping: 1,
            file_id: FILE,
            time_s,
            offset_bytes: 0,
        });
    }
    tables.push_unrecorded_process(UnrecordedProcessRow {
        log: 0,
        process: 0,
        rank: 0,
        program: Some("/bin/helper"),
        reason: "static",
        ..UnrecordedProcessRow::UNKNOWN
    });
    let (_, losses) = through_a_log(&tables);
    assert_eq!(
        losses.iter().map(|l| (l.part, l.count)).collect::<Vec<_>>(),
        [("mapping", 1), ("page_fault", 2), ("unrecorded_process", 1)]
    );
}
