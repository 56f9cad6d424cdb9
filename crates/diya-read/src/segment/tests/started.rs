//! Programs that were started, and whether they left a recording.

use super::builder::{Builder, definition, varint};
use super::{issues, tables, write};
use diya_tables::TableId::UnrecordedProcess;
use diya_tables::{Tables, unrecorded_process};

const RECORDABLE: u8 = 0;
const STATIC: u8 = 1;
const SKIPPED: u8 = 5;
const FAILED: u8 = 7;
const UNREACHABLE: u8 = 8;

fn started(pid: u32, reason: u8, program: &str) -> Vec<u8> {
    let payload = [&varint(u64::from(pid))[..], &[reason], program.as_bytes()].concat();
    definition(0x14, &payload)
}

fn process(pid: u32, records: &[Vec<u8>]) -> Vec<u8> {
    Builder::new(pid).window(pid, 0, records).bytes()
}

/// Nanoseconds after second 100, at which a process begins.
fn at(pid: u32, is_end: bool, ns: u64) -> Vec<u8> {
    let ticks = varint(100_000_000_000 + ns);
    definition(0x1a, &[&varint(u64::from(pid))[..], &[u8::from(is_end)], &ticks].concat())
}

/// The same of an end with its status, as of `waitpid`.
fn ended(pid: u32, ns: u64, status: u64) -> Vec<u8> {
    let ticks = varint(100_000_000_000 + ns);
    definition(0x1a, &[&varint(u64::from(pid))[..], &[1], &ticks, &varint(status)].concat())
}

/// End, exit code and signal of the first row.
fn how_it_ended(tables: &Tables) -> (Option<f64>, Option<i32>, Option<i32>) {
    let rows = tables.table(UnrecordedProcess).expect("has a row");
    let number = |column| rows.i32(column, 0);
    let end_s = rows.f64(unrecorded_process::END_S, 0);
    (end_s, number(unrecorded_process::EXIT_CODE), number(unrecorded_process::SIGNAL))
}

/// The numbers of shells of `system` and `popen`.
const SHELL: u32 = 0x8000_0000;

/// One that became another program.
fn became(pid: u32, records: &[Vec<u8>]) -> Vec<u8> {
    let mut builder = Builder::new(pid);
    builder.set_u32(20, 3);
    builder.window(pid, 0, records).bytes()
}

fn unrecorded(tables: &Tables) -> Vec<(Option<i64>, String, String)> {
    let Some(rows) = tables.table(UnrecordedProcess) else { return Vec::new() };
    let text = |column, row| rows.str(column, row).unwrap_or_default().to_string();
    (0..rows.rows())
        .map(|row| {
            let pid = rows.i64(unrecorded_process::PID, row);
            (pid, text(unrecorded_process::PROGRAM, row), text(unrecorded_process::REASON, row))
        })
        .collect()
}

fn row(pid: i64, program: &str, reason: &str) -> (Option<i64>, String, String) {
    (Some(pid), program.to_string(), reason.to_string())
}

#[test]
fn a_started_program_without_a_segment_is_named() {
    let (tables, _) = tables(vec![process(5, &[started(6, STATIC, "/opt/bin/helper")])]);
    assert_eq!(unrecorded(&tables), [row(6, "/opt/bin/helper", "static")]);
    let found = issues(&tables);
    assert_eq!(found[0].0, "missing_process");
    assert!(found[0].1.starts_with("1 program left no recording: helper (statically linked)"));
}

#[test]
fn a_program_that_cannot_reach_the_recorder_is_named() {
    let (tables, _) = tables(vec![process(5, &[started(6, UNREACHABLE, "/bin/cat")])]);
    assert_eq!(unrecorded(&tables), [row(6, "/bin/cat", "unreachable")]);
    let words = "1 program left no recording: cat (other root folder or other user)";
    assert!(issues(&tables)[0].1.starts_with(words));
}

#[test]
fn a_started_program_with_a_segment_was_recorded() {
    let parent = process(5, &[started(6, RECORDABLE, "/bin/cat")]);
    let (tables, _) = tables(vec![parent, process(6, &[write(0, 0)])]);
    assert_eq!(unrecorded(&tables), []);
    assert_eq!(issues(&tables), []);
}

#[test]
fn what_could_be_recorded_and_made_no_call_is_no_loss() {
    let (tables, _) = tables(vec![process(5, &[started(6, RECORDABLE, "/bin/true")])]);
    assert_eq!(unrecorded(&tables), [row(6, "/bin/true", "none")]);
    assert_eq!(issues(&tables), []);
}

#[test]
fn a_process_whose_segment_was_removed_is_a_loss_and_not_one_without_calls() {
    let parent = process(5, &[started(6, RECORDABLE, "/bin/cat")]);
    let mut child = Builder::new(6);
    child.set_u64(7328, 1); // was_removed
    child.set_u64(7336, 70_000); // removed_calls
    child.set_u64(144, 60_000); // of them, without room in what came after
    let (tables, _) = tables(vec![parent, child.bytes()]);
    assert_eq!(unrecorded(&tables), []);
    let effect = "process 6 (sim): at least 70000 calls are missing: the file of its recording \
        was removed while it ran";
    assert_eq!(issues(&tables), [("not_recorded".to_string(), effect.to_string())]);
}

#[test]
fn what_was_skipped_on_purpose_is_no_loss() {
    let (tables, _) = tables(vec![process(5, &[started(6, SKIPPED, "/usr/bin/mpirun")])]);
    assert_eq!(unrecorded(&tables), [row(6, "/usr/bin/mpirun", "skipped")]);
    assert_eq!(issues(&tables), []);
}

#[test]
fn of_a_chain_of_programs_the_last_counts() {
    let parent = process(5, &[started(6, RECORDABLE, "/usr/bin/env")]);
    let env = became(6, &[started(6, STATIC, "/opt/bin/helper")]);
    let (tables, _) = tables(vec![parent, env]);
    assert_eq!(unrecorded(&tables), [row(6, "/opt/bin/helper", "static")]);
}

#[test]
fn an_exec_that_came_back_started_nothing() {
    let tried = [started(6, STATIC, "/opt/bin/helper"), started(6, FAILED, "")];
    assert_eq!(unrecorded(&tables(vec![process(5, &tried)]).0), []);
}

#[test]
fn of_shells_no_process_id_is_known() {
    let shells = [started(0, 2, "/bin/sh"), started(0, 2, "/bin/sh")];
    let (tables, _) = tables(vec![process(5, &shells)]);
    let shell = (None, "/bin/sh".to_string(), "environment".to_string());
    assert_eq!(unrecorded(&tables), [shell.clone(), shell]);
    assert!(issues(&tables)[0].1.contains("2 times sh (the recorder is not in its environment"));
}

#[test]
fn a_reason_of_a_newer_recorder_is_unknown() {
    let (tables, _) = tables(vec![process(5, &[started(6, 200, "/opt/bin/helper")])]);
    assert_eq!(unrecorded(&tables), [row(6, "/opt/bin/helper", "unknown")]);
}

#[test]
fn a_program_that_ran_for_a_twentieth_of_the_run_is_no_loss_and_is_said() {
    let helper = started(6, STATIC, "/opt/bin/helper");
    let records = [helper.clone(), at(6, false, 1000), at(6, true, 50_001_000)];
    let found = issues(&tables(vec![process(5, &records)]).0);
    assert_eq!(found[0].0, "brief_process");
    assert!(found[0].1.contains("; its I/O takes at most 50.0 ms;"), "{}", found[0].1);
    // A nanosecond more than a twentieth of one second.
    let records = [helper, at(6, false, 1000), at(6, true, 50_001_001)];
    assert_eq!(issues(&tables(vec![process(5, &records)]).0)[0].0, "missing_process");
}

#[test]
fn a_program_that_nobody_waited_for_may_have_run_to_the_end() {
    let records = [started(6, STATIC, "/opt/bin/helper"), at(6, false, 1000)];
    let (tables, _) = tables(vec![process(5, &records)]);
    assert_eq!(issues(&tables)[0].0, "missing_process");
    let rows = tables.table(UnrecordedProcess).expect("has a row");
    assert_eq!(rows.f64(unrecorded_process::START_S, 0), Some(1e-6));
    assert_eq!(rows.f64(unrecorded_process::END_S, 0), None);
}

#[test]
fn the_parent_says_when_a_program_ended_that_its_child_became() {
    let parent = process(5, &[at(6, true, 400), at(6, true, 3_000_000)]);
    let child = became(6, &[started(6, STATIC, "/opt/bin/helper"), at(6, false, 1_000_000)]);
    let (tables, _) = tables(vec![parent, child]);
    assert_eq!(issues(&tables)[0].0, "brief_process");
    let rows = tables.table(UnrecordedProcess).expect("has a row");
    assert_eq!(rows.f64(unrecorded_process::END_S, 0), Some(3e-3));
}

#[test]
fn a_program_has_the_status_of_its_end() {
    for (status, code, signal) in
        [(3 << 8, Some(3), None), (9, None, Some(9)), (0x80 | 6, None, Some(6))]
    {
        let records =
            [started(6, STATIC, "/opt/bin/helper"), at(6, false, 0), ended(6, 1000, status)];
        let (tables, _) = tables(vec![process(5, &records)]);
        assert_eq!(how_it_ended(&tables), (Some(1e-6), code, signal), "status {status:#x}");
    }
}

#[test]
fn a_program_that_could_be_recorded_and_made_no_call_has_a_span() {
    let records = [at(6, false, 1000), started(6, RECORDABLE, "/bin/true"), ended(6, 3000, 0)];
    let (tables, _) = tables(vec![process(5, &records)]);
    assert_eq!(unrecorded(&tables), [row(6, "/bin/true", "none")]);
    assert_eq!(how_it_ended(&tables), (Some(3e-6), Some(0), None));
    assert_eq!(issues(&tables), []);
}

#[test]
fn a_shell_that_cannot_be_recorded_has_a_span_and_no_process_id() {
    let records = [at(SHELL, false, 0), started(SHELL, 2, "/bin/sh"), ended(SHELL, 2000, 256)];
    let (tables, _) = tables(vec![process(5, &records)]);
    assert_eq!(unrecorded(&tables), [(None, "/bin/sh".to_string(), "environment".to_string())]);
    assert_eq!(how_it_ended(&tables), (Some(2e-6), Some(1), None));
}

/// What the shell of `system`, process 6 of parent 5, became.
fn of_shell(shells: &[Vec<u8>]) -> Tables {
    let mut shell = Builder::new(6);
    shell.set_u32(20, 3);
    shell.set_u32(92, 5);
    let shell = shell.window(6, 0, &[started(6, STATIC, "/opt/bin/helper"), at(6, false, 2000)]);
    tables(vec![process(5, shells), shell.bytes()]).0
}

#[test]
fn what_the_shell_of_system_became_ends_when_system_returns() {
    let shells = [at(SHELL, false, 1000), ended(SHELL, 9000, 512)];
    assert_eq!(how_it_ended(&of_shell(&shells)), (Some(9e-6), Some(2), None));
}

#[test]
fn of_two_shells_at_once_the_last_end_is_the_bound() {
    let first = [at(SHELL, false, 1000), ended(SHELL, 9000, 512)];
    let second = [at(SHELL + 1, false, 1500), ended(SHELL + 1, 8000, 0)];
    assert_eq!(how_it_ended(&of_shell(&[first, second].concat())), (Some(9e-6), None, None));
    // One that ended before, and one that began later, are none of these.
    let before = [at(SHELL, false, 100), ended(SHELL, 1900, 512)];
    let after = [at(SHELL + 1, false, 2100), ended(SHELL + 1, 8000, 0)];
    assert_eq!(how_it_ended(&of_shell(&[before, after].concat())), (None, None, None));
    // Of one whose stream was never closed no end is known.
    let open = [at(SHELL, false, 1000)];
    assert_eq!(how_it_ended(&of_shell(&open)), (None, None, None));
}

#[test]
fn children_that_could_not_make_a_segment_are_named_by_their_parent() {
    let mut parent = Builder::new(5);
    parent.set_u64(7056, 18);
    for (at, pid) in [(7064, 6), (7080, 7)] {
        parent.set_u32(at, pid);
        parent.set_u64(at + 8, 100_000_001_000);
    }
    let parent = parent.window(5, 0, &[ended(6, 3000, 0)]);
    let (tables, _) = tables(vec![parent.bytes()]);
    let found = unrecorded(&tables);
    assert_eq!(found.len(), 18);
    let pids: Vec<_> = found.iter().filter_map(|(pid, ..)| *pid).collect();
    assert_eq!(pids, [6, 7]);
    assert!(found.iter().all(|(_, _, reason)| reason == "unreachable"));
    let rows = tables.table(UnrecordedProcess).expect("has rows");
    let row =
        (0..18).find(|row| rows.i64(unrecorded_process::PID, *row) == Some(6)).expect("is there");
    assert_eq!(rows.f64(unrecorded_process::START_S, row), Some(1e-6));
    assert_eq!(rows.f64(unrecorded_process::END_S, row), Some(3e-6));
    assert_eq!(issues(&tables)[0].0, "missing_process");
}

#[test]
fn any_number_of_children_in_a_damaged_header_is_harmless() {
    let mut parent = Builder::new(5);
    parent.set_u64(7056, u64::MAX);
    assert_eq!(unrecorded(&tables(vec![parent.window(5, 0, &[]).bytes()]).0).len(), 1000);
}
