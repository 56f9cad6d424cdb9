//! Processes by hand, and which of them are compared with each other.

use super::*;
use diya_tables::{Batches, ProcessRow, Tables};

/// A process: number, step and rank, parent, command line, from second to second, calls.
struct Ran(i32, Option<(i32, i32, i32)>, i64, &'static str, f64, f64, i64);

/// A process, and the number and the size of its group, if it has one.
type Grouped = (i32, Option<(i32, Option<i64>)>);

/// By number: the group, and how many are in it.
fn groups(all: &[Ran]) -> Vec<Grouped> {
    let mut tables = Tables::new();
    for Ran(rank, of_step, parent_pid, command_line, start_s, end_s, calls) in all {
        let exe = command_line.split(' ').next().unwrap_or_default();
        tables.push_process(ProcessRow {
            log: 0,
            process: *rank,
            rank: *rank,
            mpi_rank: of_step.map(|(_, rank, _)| rank),
            mpi_size: of_step.map(|(.., size)| size),
            step: of_step.map(|(step, ..)| step),
            step_rank: of_step.map(|(_, rank, _)| rank),
            host: Some("node1"),
            pid: Some(100 + i64::from(*rank)),
            parent_pid: Some(*parent_pid),
            uid: Some(0),
            exe,
            command_line,
            start_s: *start_s,
            end_s: Some(*end_s),
            start_time: Some(0),
            ended: Some("exited"),
            mode: Some("trace"),
            clock: Some("tsc"),
            clock_hz: Some(1e9),
            threads: Some(1),
            calls_recorded: Some(*calls),
            calls_counted: Some(0),
            calls_dropped: Some(0),
            segment_bytes: Some(0),
            ..ProcessRow::UNKNOWN
        });
    }
    let rows = tables.take(diya_tables::TableId::Process).expect("has rows").into_batch();
    let table: Arc<dyn BatchSource> =
        Arc::new(Batches::new(diya_tables::TableId::Process.def(), vec![rows]));
    let peers = Peers::read(&[table]);
    let group = |rank: i32| peers.of(0, rank).map(|group| (group.number, group.peers));
    all.iter().map(|ran| (ran.0, group(ran.0))).collect()
}

#[test]
fn ranks_are_compared_within_their_step() {
    let rank = |number, step, rank| Ran(number, Some((step, rank, 2)), 5, "/bin/app", 0.0, 9.0, 10);
    let all = [rank(0, 0, 0), rank(1, 0, 1), rank(2, 1, 0), rank(3, 1, 1)];
    let (first, second) = (Some((0, Some(2))), Some((1, Some(2))));
    assert_eq!(groups(&all), [(0, first), (1, first), (2, second), (3, second)]);
}

#[test]
fn workers_of_a_pool_are_compared_and_their_helper_is_not() {
    let all = [
        Ran(0, None, 1, "/bin/python3 train.py", 0.0, 9.0, 5000),
        Ran(1, None, 100, "/bin/python3 train.py", 1.0, 8.0, 400),
        Ran(2, None, 100, "/bin/python3 train.py", 1.0, 8.0, 500),
        Ran(3, None, 100, "/bin/python3 train.py", 1.0, 8.0, 4000),
        Ran(4, None, 100, "/bin/python3 train.py", 1.0, 8.0, 3),
        Ran(5, None, 100, "/bin/uname -p", 1.0, 1.1, 2),
    ];
    let pool = Some((0, Some(3)));
    assert_eq!(groups(&all), [(0, None), (1, pool), (2, pool), (3, pool), (4, None), (5, None)]);
}

#[test]
fn programs_that_follow_each_other_are_not_compared() {
    let all = [
        Ran(0, None, 1, "/bin/sh -c a;b", 0.0, 9.0, 50),
        Ran(1, None, 100, "/bin/app a", 1.0, 4.0, 400),
        Ran(2, None, 100, "/bin/app b", 4.0, 8.0, 500),
    ];
    assert_eq!(groups(&all), [(0, None), (1, None), (2, None)]);
}

#[test]
fn scripts_of_one_interpreter_are_different_programs() {
    assert_eq!(program("/usr/bin/python3.11", "python3 -u /home/me/train.py --fast"), "train.py");
    assert_eq!(program("/usr/bin/python3.11", "python3 -c print(1)"), "python3.11");
    assert_eq!(program("/bin/app", "app -x y"), "app");
    let all = [
        Ran(0, None, 1, "/bin/python3 a.py", 0.0, 9.0, 50),
        Ran(1, None, 1, "/bin/python3 b.py", 0.0, 9.0, 50),
    ];
    assert_eq!(groups(&all), [(0, None), (1, None)]);
}
