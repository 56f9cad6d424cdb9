//! Segments made by hand become tables.

mod applied;
mod builder;
mod few_lost;
mod hostile;
mod regions;
mod samples;
mod started;

use super::collect::{CallSink, collect};
use super::run_facts::{Facts, NoResolver, Resolver};
use crate::Serial;
use builder::{Builder, InMemory, Record, name};
use diya_model::Function;
use diya_tables::TableId::{self, OpCount, Posix, Process, ReadIssue};
use diya_tables::{
    Call, CallRun, CallTable, Tables, mapping, op_count, page_fault, posix, process, read_issue,
    record_id,
};

/// Gives calls on as they are, in pieces of one.
struct AsTheyAre;

impl CallSink<(CallRun, Call, Option<String>)> for AsTheyAre {
    fn encode(&self, calls: &CallTable) -> Vec<(CallRun, Call, Option<String>)> {
        let mut all = Vec::new();
        for chunk in calls.chunks() {
            let mut at = 0;
            for run in &chunk.runs {
                let error = run.error.map(|e| calls.name(e).to_string());
                all.extend((at..at + run.len).map(|c| (*run, chunk.call(c), error.clone())));
                at += run.len;
            }
        }
        all
    }
}

fn tables(segments: Vec<Vec<u8>>) -> (Tables, Vec<(CallRun, Call, Option<String>)>) {
    tables_of(segments, &NoResolver)
}

fn tables_of(
    segments: Vec<Vec<u8>>,
    resolver: &dyn Resolver,
) -> (Tables, Vec<(CallRun, Call, Option<String>)>) {
    let mut kept = Vec::new();
    let facts = Facts { log_name: "test".into(), ..Facts::default() };
    let mut take = |call| kept.push(call);
    let tables = collect(&InMemory(segments), &facts, resolver, &Serial, &AsTheyAre, &mut take);
    (tables, kept)
}

fn function(name: &str, op: u8) -> u16 {
    Function::ALL
        .iter()
        .find(|f| f.name == name && f.op.number() == op)
        .expect("is recorded")
        .number
}

fn write(offset: i64, start: i64) -> Vec<u8> {
    Record {
        slot: 3,
        function: function("write", super::ops::WRITE),
        file: 7,
        depth: 0,
        offset: Some(offset),
        size: 4096,
        result: None,
        start,
        duration: 500,
    }
    .bytes()
}

fn issues(tables: &Tables) -> Vec<(String, String)> {
    let Some(rows) = tables.table(ReadIssue) else { return Vec::new() };
    let text = |column, row| rows.str(column, row).unwrap_or_default().to_string();
    (0..rows.rows()).map(|r| (text(read_issue::KIND, r), text(read_issue::EFFECT, r))).collect()
}

#[test]
fn calls_have_their_file_time_and_size() {
    let records = [name(7, "/scratch/a"), write(0, 1000), write(4096, 2000)];
    let (tables, calls) = tables(vec![Builder::new(5).window(5, 0, &records).bytes()]);
    assert_eq!(calls.len(), 2);
    assert_eq!(calls[0].0.file_id, record_id(b"/scratch/a"));
    let second = calls[1].1;
    assert_eq!((second.offset_bytes, second.size_bytes), (4096, 4096));
    // The second call began 2000 ns after the first, which began at 1000 ns.
    assert!((second.start_s - 3e-6).abs() < 1e-12 && (second.end_s - 3.5e-6).abs() < 1e-12);
    let counters = tables.table(Posix).expect("has counters");
    assert_eq!(counters.i64(posix::WRITES, 0), Some(2));
    assert_eq!(counters.i64(posix::BYTES_WRITTEN, 0), Some(8192));
    assert_eq!(counters.i64(posix::CONSEC_WRITES, 0), Some(1));
    assert_eq!(counters.i64(posix::MEM_NOT_ALIGNED, 0), None);
}

#[test]
fn a_call_made_inside_another_names_it_and_its_time_is_taken_off() {
    let inner = Record {
        slot: 1,
        function: function("pwrite", super::ops::WRITE),
        file: 7,
        depth: 1,
        offset: Some(0),
        size: 100,
        result: None,
        start: 2000,
        duration: 300,
    };
    let outer = Record {
        slot: 2,
        function: function("MPI_File_write_all", super::ops::WRITE),
        file: 7,
        depth: 0,
        offset: Some(0),
        size: 100,
        result: None,
        start: -1000,
        duration: 5000,
    };
    let records = [name(7, "/scratch/a"), inner.bytes(), outer.bytes()];
    let segment = Builder::new(5).rank(0, 2).window(5, 0, &records).bytes();
    let (tables, calls) = tables(vec![segment]);
    let (inner, outer) = (calls[0].1, calls[1].1);
    assert_eq!(inner.parent_id, outer.call_id);
    assert_eq!(outer.parent_id, None);
    let counts = tables.table(OpCount).expect("has sums");
    let row = (0..counts.rows())
        .find(|&row| counts.str(op_count::LAYER, row) == Some("mpiio"))
        .expect("counts MPI-IO");
    let exclusive = counts.f64(op_count::EXCLUSIVE_S, row).expect("is known");
    assert!((exclusive - 4.7e-6).abs() < 1e-12, "{exclusive}");
}

#[test]
fn a_call_that_never_returned_adopts_nothing() {
    let inner = |depth, start| Record {
        slot: depth as u8,
        function: function("write", super::ops::WRITE),
        file: 7,
        depth,
        offset: None,
        size: 1,
        result: None,
        start,
        duration: 10,
    };
    // Left by longjmp: the next outer call began after the inner one.
    let records = [inner(1, 100).bytes(), inner(0, 500).bytes()];
    let (_, calls) = tables(vec![Builder::new(5).window(5, 0, &records).bytes()]);
    assert!(calls.iter().all(|(_, call, _)| call.parent_id.is_none()));
}

#[test]
fn a_failed_call_has_its_error_and_counts_no_bytes() {
    let failed = Record {
        slot: 0,
        function: function("write", super::ops::WRITE),
        file: 7,
        depth: 0,
        offset: Some(0),
        size: 10,
        result: Some(-28),
        start: 0,
        duration: 1,
    };
    let records = [name(7, "/scratch/a"), failed.bytes()];
    let (tables, calls) = tables(vec![Builder::new(5).window(5, 0, &records).bytes()]);
    assert_eq!(calls[0].2.as_deref(), Some("ENOSPC"));
    let counts = tables.table(OpCount).expect("has sums");
    assert_eq!(counts.i64(op_count::FAILED, 0), Some(1));
    assert_eq!(counts.i64(op_count::BYTES, 0), Some(0));
}

#[test]
fn processes_outside_mpi_follow_the_ranks() {
    let records = [name(7, "/scratch/a"), write(0, 1000)];
    let helper = Builder::new(4).window(4, 0, &records).bytes();
    let ranks = [0, 1].map(|r| Builder::new(10 + r).rank(r, 2).window(9, 0, &records).bytes());
    let (tables, _) = tables([vec![helper], ranks.to_vec()].concat());
    let rows = tables.table(Process).expect("has processes");
    let mut numbers: Vec<(i64, i32)> = (0..rows.rows())
        .map(|r| (rows.i64(process::PID, r).unwrap_or(0), rows.i32(process::RANK, r).unwrap_or(-9)))
        .collect();
    numbers.sort_unstable();
    assert_eq!(numbers, [(4, 2), (10, 0), (11, 1)]);
}

/// By process id: number, step and rank in the step.
fn numbers(segments: Vec<Vec<u8>>) -> Vec<(i64, i32, Option<i32>, Option<i32>)> {
    let (tables, _) = tables(segments);
    let rows = tables.table(Process).expect("has processes");
    let number = |r, column| rows.i32(column, r);
    let mut all: Vec<_> = (0..rows.rows())
        .map(|r| {
            let (pid, rank) = (rows.i64(process::PID, r), number(r, process::RANK));
            let (step, of_step) = (number(r, process::STEP), number(r, process::STEP_RANK));
            (pid.unwrap_or_default(), rank.unwrap_or(-9), step, of_step)
        })
        .collect();
    all.sort_unstable();
    all
}

/// A process of this number that ran from second to second, below this parent.
fn ran(pid: u32, parent: u32, from_s: u64, to_s: u64) -> Builder {
    let mut builder = Builder::new(pid);
    for (at, second) in [(40, from_s), (48, from_s), (64, to_s), (72, to_s)] {
        builder.set_u64(at, second * 1_000_000_000);
    }
    builder.set_u64(56, (1_000_000 + from_s) * 1_000_000_000);
    builder.set_u64(80, (1_000_000 + to_s) * 1_000_000_000);
    builder.set_u32(92, parent);
    builder
}

#[test]
fn each_mpirun_of_a_script_is_a_step_with_ranks_of_its_own() {
    let shell = ran(1, 0, 100, 130).bytes();
    let first = [0, 1].map(|r| ran(10 + r, 5, 101, 110).rank(r, 2).bytes());
    // The second one lost its rank 0, which the third must not fill.
    let second = ran(21, 6, 111, 115).rank(1, 2).bytes();
    let third = [0, 1].map(|r| ran(30 + r, 7, 116, 120).rank(r, 2).bytes());
    let all = [vec![shell, second], first.to_vec(), third.to_vec()].concat();
    let expected = [
        (1, 6, None, None),
        (10, 0, Some(0), Some(0)),
        (11, 1, Some(0), Some(1)),
        (21, 3, Some(1), Some(1)),
        (30, 4, Some(2), Some(0)),
        (31, 5, Some(2), Some(1)),
    ];
    assert_eq!(numbers(all), expected);
}

#[test]
fn steps_side_by_side_are_told_apart_by_their_launchers() {
    let ranks = |first: u32, parent| [0, 1].map(|r| ran(first + r, parent, 101, 110).rank(r, 2));
    let (one, other) = (ranks(10, 5), ranks(20, 6));
    // In order of time: rank 0 of one, rank 1 of the other.
    let [a, b] = one;
    let [c, d] = other;
    let found = numbers([a, d, b, c].map(Builder::bytes).to_vec());
    let steps: Vec<_> = found.iter().map(|(pid, _, step, rank)| (*pid, *step, *rank)).collect();
    assert_eq!(steps[0].1, steps[1].1);
    assert_eq!(steps[2].1, steps[3].1);
    assert_ne!(steps[0].1, steps[2].1);
}

#[test]
fn what_a_rank_starts_belongs_to_the_rank() {
    let rank = ran(10, 5, 101, 110).rank(0, 1).bytes();
    let mut helper = ran(11, 10, 102, 103);
    helper.set_u32(116, 0); // the launcher's number, which it inherits
    assert_eq!(
        numbers(vec![rank, helper.bytes()]),
        [(10, 0, Some(0), Some(0)), (11, 0, Some(0), Some(0))]
    );
}

#[test]
fn ranks_whose_recording_did_not_come_home_are_missed() {
    let records = [name(7, "/scratch/a"), write(0, 1000)];
    let segment = Builder::new(10).rank(1, 4).window(9, 0, &records).bytes();
    let (tables, _) = tables(vec![segment]);
    let found = issues(&tables);
    assert_eq!(found[0].0, "missing_rank");
    assert!(found[0].1.starts_with("3 of 4 MPI ranks are missing"), "{}", found[0].1);
}

#[test]
fn a_process_that_became_an_unrecorded_program_is_reported() {
    let mut builder = Builder::new(5);
    builder.set_u32(20, 3);
    let (tables, _) = tables(vec![builder.window(5, 0, &[write(0, 0)]).bytes()]);
    assert!(issues(&tables)[0].1.contains("left no recording"));
}

#[test]
fn a_process_that_became_a_launcher_lost_nothing() {
    let mut builder = Builder::new(5);
    builder.set_u32(20, 4);
    let (tables, _) = tables(vec![builder.window(5, 0, &[write(0, 0)]).bytes()]);
    assert_eq!(issues(&tables), []);
}

#[test]
fn a_killed_process_and_a_full_directory_are_reported() {
    let mut builder = Builder::new(5);
    builder.set_u32(20, 1);
    builder.set_u64(136 + 8, 12);
    let (tables, calls) = tables(vec![builder.window(5, 0, &[write(0, 0)]).bytes()]);
    assert_eq!(calls.len(), 1);
    let kinds: Vec<String> = issues(&tables).into_iter().map(|(kind, _)| kind).collect();
    assert_eq!(kinds, ["counted_only", "unfinished"]);
    assert!(tables.table(TableId::Job).is_some());
}

#[test]
fn a_mapping_has_what_was_touched_and_its_faults() {
    let record = |last: u64, touched: u64| {
        let head = [1u32, 7].map(u32::to_le_bytes).concat();
        let flags = [1u32, 1].map(u32::to_le_bytes).concat();
        let place = [40_960u64, 8192].map(u64::to_le_bytes).concat();
        let base = 100_000_000_000u64;
        let last = if last > 0 { base + last } else { 0 };
        let rest = [base + 1000, last, 4096, touched, u64::MAX, 3, 5, 1].map(u64::to_le_bytes);
        builder::definition(0x16, &[head, place, flags, rest.concat()].concat())
    };
    let fault = [100_000_002_000u64, 4096].map(u64::to_le_bytes).concat();
    let faults = builder::definition(0x18, &[&[1][..], &fault].concat());
    let records = [name(7, "/scratch/a"), record(0, u64::MAX), faults, record(5000, 2)];
    let (tables, _) = tables(vec![Builder::new(5).window(5, 0, &records).bytes()]);
    let rows = tables.table(TableId::Mapping).expect("has a mapping");
    assert_eq!(rows.rows(), 1);
    assert_eq!(rows.u64(mapping::FILE_ID, 0), Some(record_id(b"/scratch/a")));
    assert_eq!(rows.i64(mapping::TOUCHED_BYTES, 0), Some(8192));
    assert_eq!(rows.i64(mapping::RESIDENT_BYTES, 0), None);
    assert_eq!(rows.i64(mapping::FAULTS_RECORDED, 0), Some(1));
    let faults = tables.table(TableId::PageFault).expect("has a fault");
    assert_eq!(faults.i64(page_fault::OFFSET_BYTES, 0), Some(12_288));
    assert!((faults.f64(page_fault::TIME_S, 0).unwrap_or_default() - 2e-6).abs() < 1e-12);
}
