//! `diya replay` as a user runs it: questions, interrupts, kills.

use crate::support::{corpus, diya};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// 4 ranks write 256 MiB each in 32 requests, with pauses: it takes seconds.
const SLOW: &str = "rank0_writer.darshan";
const QUICK: &str = "ior_posix_random.darshan";
const COUNTERS: &str = "nodxt_strided.darshan";

fn entries(folder: &Path) -> usize {
    std::fs::read_dir(folder).expect("a folder").count()
}

#[test]
fn the_replay_is_compared_with_the_recording_and_leaves_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let to = folder.path().to_str().expect("a plain path");
    let (code, said, errors) = diya(&["replay", &corpus(QUICK), to, "--yes", "--gaps", "drop"]);
    assert_eq!((code, errors.as_str()), (0, ""), "{said}");
    assert!(said.contains("Calls and bytes equal those of the recording."), "{said}");
    assert_eq!(entries(folder.path()), 0);
}

#[test]
fn nothing_begins_without_an_answer() {
    let folder = tempfile::tempdir().expect("a folder");
    let to = folder.path().to_str().expect("a plain path");
    let (code, said, errors) = diya(&["replay", &corpus(QUICK), to]);
    assert_eq!((code, said.as_str()), (2, ""));
    assert!(
        errors.contains("space       at most 16.0 MiB") && errors.contains("--yes"),
        "{errors}"
    );
    assert_eq!(entries(folder.path()), 0);
}

#[test]
fn errors_name_the_way_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let to = folder.path().to_str().expect("a plain path");
    for (arguments, expected) in [
        (vec!["replay", &corpus(COUNTERS), to, "--yes"], "Darshan log with DXT"),
        (vec!["replay", &corpus(QUICK), "--yes"], "diya replay LOG DIR"),
        (vec!["replay", &corpus(QUICK), &corpus(QUICK), "--yes"], "is no folder"),
        (vec!["replay", "--clean", &corpus(QUICK), to], "--clean takes only a folder"),
        (vec!["replay", &corpus(QUICK), to, "--transform", "faster"], "there are no-fsync"),
        (vec!["replay", &corpus(QUICK), to, "--gaps", "slow"], "keep, drop"),
    ] {
        let (code, _, errors) = diya(&arguments);
        assert!(code != 0 && errors.contains(expected), "{arguments:?}: {code} {errors}");
    }
    assert_eq!(entries(folder.path()), 0);
}

#[test]
fn a_prediction_needs_no_folder() {
    let (code, said, errors) =
        diya(&["replay", &corpus(QUICK), "--model", "--transform", "larger-requests"]);
    assert_eq!((code, errors.as_str()), (0, ""), "{said}");
    assert!(said.contains("is estimated to take") && said.contains("planned"), "{said}");
}

#[test]
fn the_log_of_a_replay_can_be_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let to = folder.path().to_str().expect("a plain path");
    let log = folder.path().join("replay.diya");
    let log = log.to_str().expect("a plain path");
    let record = ["replay", &corpus(QUICK), to, "--yes", "--gaps", "drop", "--record", log];
    assert_eq!(diya(&record).0, 0);
    let sql = "select op, sum(calls) as n, sum(size_bytes) as b from call group by op order by op";
    let (code, said, _) = diya(&["sql", log, sql, "--format", "csv"]);
    assert_eq!(code, 0);
    assert_eq!(said.trim(), "op,n,b\nread,4096,16777216\nwrite,4096,16777216");
}

/// Starts a replay that takes seconds, and waits until its files are there.
fn started(folder: &Path) -> Child {
    let child = Command::new(env!("CARGO_BIN_EXE_diya"))
        .args(["replay", &corpus(SLOW), "--yes", "--gaps", "10"])
        .arg(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("diya starts");
    let until = Instant::now() + Duration::from_secs(60);
    let has_files = || {
        let entries = std::fs::read_dir(folder).expect("a folder").flatten();
        entries.map(|entry| entry.path().join("files")).any(|files| files.exists())
    };
    while !has_files() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(20));
    }
    child
}

fn send(child: &Child, signal: &str) {
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status();
    assert!(sent.expect("kill").success());
}

/// Ctrl-C, and what a batch system sends at the time limit.
#[test]
fn an_interrupt_removes_the_files() {
    for signal in ["-INT", "-TERM"] {
        let folder = tempfile::tempdir().expect("a folder");
        let mut child = started(folder.path());
        send(&child, signal);
        let ended = child.wait().expect("an exit code");
        assert_eq!(ended.code(), Some(130), "{signal}");
        assert_eq!(entries(folder.path()), 0, "{signal}");
    }
}

#[test]
fn clean_removes_what_a_kill_left() {
    let folder = tempfile::tempdir().expect("a folder");
    let to = folder.path().to_str().expect("a plain path");
    let mut child = started(folder.path());
    let (_, said, _) = diya(&["replay", "--clean", to]);
    assert!(said.starts_with("in use"), "{said}");
    send(&child, "-KILL");
    child.wait().expect("an exit code");
    assert_eq!(entries(folder.path()), 1);
    let (code, said, _) = diya(&["replay", "--clean", to]);
    assert!(code == 0 && said.starts_with("removed"), "{said}");
    assert_eq!(entries(folder.path()), 0);
}
