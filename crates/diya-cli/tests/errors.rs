//! Messages that say what to do next.

use crate::support::{corpus, diya};
use std::path::PathBuf;

/// A folder of this test's own.
fn scratch(name: &str) -> PathBuf {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    folder
}

#[test]
fn a_missing_log_names_similar_files() {
    let log = corpus("ior_mpiio_coll_hints.darshan");
    let wrong = log.replace("hints.darshan", "hint.darshan");
    for command in ["info", "report", "files", "sql", "tables", "dump", "open"] {
        let (code, _, told) = diya(&[command, &wrong]);
        assert_eq!(code, 2, "{command}: {told}");
        assert!(told.contains("no such file; similar names: "), "{command}: {told}");
        assert!(told.contains("ior_mpiio_coll_hints.darshan"), "{command}: {told}");
    }
}

#[test]
fn a_folder_is_accepted_wherever_logs_are() {
    let folder = scratch("folder-of-logs");
    let below = folder.join("2026");
    std::fs::create_dir_all(&below).expect("a folder");
    for log in ["stdio_text.darshan", "fsync_many.darshan"] {
        std::fs::copy(corpus(log), below.join(log)).expect("a copy");
    }
    let path = folder.to_str().expect("a plain path");
    for command in [
        &["report", path][..],
        &["info", path],
        &["files", path],
        &["tables", path, "job"],
        &["sql", path, "select * from job"],
        &["export", path, "-o", path],
    ] {
        let (code, shown, told) = diya(command);
        assert_eq!(code, 0, "{command:?}: {told}");
        assert!(!shown.is_empty(), "{command:?}");
    }
    let (_, rows, _) = diya(&["sql", path, "select count(*) as n from job", "--format", "csv"]);
    assert_eq!(rows, "n\n2\n");
}

#[test]
fn a_folder_without_logs_says_what_was_looked_for() {
    let folder = scratch("folder-without-logs");
    std::fs::write(folder.join("notes.txt"), "no log").expect("a file");
    for command in ["report", "info", "serve", "compare"] {
        let (code, _, told) = diya(&[command, folder.to_str().expect("a plain path")]);
        assert_eq!(code, 2, "{command}: {told}");
        assert!(told.contains("*.darshan or *.diya"), "{command}: {told}");
    }
}

#[test]
fn a_command_that_is_not_in_path_asks_for_its_module() {
    let (code, _, told) = diya(&["run", "--", "mpirunx", "-n", "4", "./app"]);
    assert_eq!(code, 127, "{told}");
    assert!(told.contains("mpirunx: not found in PATH; is its module loaded"), "{told}");
}

#[test]
fn ranks_and_paths_narrow_the_views() {
    let log = corpus("ior_mpiio_coll_hints.darshan");
    let calls = |rest: &[&str]| {
        let all = ["calls", &log, "--view", "slowest", "--limit", "0", "--format", "csv"];
        let (code, shown, told) = diya(&[&all[..], rest].concat());
        assert_eq!(code, 0, "{told}");
        shown.lines().count()
    };
    assert!(calls(&["--ranks", "0-1"]) < calls(&[]));
    let (_, shown, told) = diya(&["files", &log, "--path", "no such path"]);
    assert!(
        told.contains("meets --where, --ranks, --path, --region or --steps")
            && shown.lines().count() <= 1,
        "{shown}{told}"
    );
}

#[test]
fn an_empty_view_says_why() {
    let told = |log: &str| diya(&["targets", &corpus(log)]).2;
    let of_calls = told("ior_mpiio_coll_hints.darshan");
    assert!(of_calls.contains("the log has single calls, but no such data"), "{of_calls}");
    let of_counters = told("nodxt_strided.darshan");
    assert!(of_counters.contains("recorded by `diya run`"), "{of_counters}");
}

#[test]
fn a_place_that_cannot_be_written_is_known_before_the_job() {
    let folder = scratch("no-output");
    let ran = folder.join("ran");
    let command = ["run", "-o", "/proc/x.diya", "--", "touch", ran.to_str().expect("plain")];
    let (code, _, told) = diya(&command);
    assert_eq!(code, 4, "{told}");
    assert!(told.contains("/proc/x.diya") && !ran.exists(), "{told}");
    let log = corpus("stdio_text.darshan");
    let missing = folder.join("deep/report.txt");
    let (code, _, told) = diya(&["report", &log, "-o", missing.to_str().expect("plain")]);
    assert_eq!(code, 4, "{told}");
    assert!(told.contains("make it with `mkdir -p"), "{told}");
}

#[test]
fn a_word_that_is_no_table_is_told_the_nearest_one() {
    let log = corpus("stdio_text.darshan");
    for command in [&["tables", "posx"][..], &["tables", &log, "posx"]] {
        let (code, _, told) = diya(command);
        assert_eq!(code, 2, "{told}");
        assert!(told.contains("nearest: posix"), "{told}");
    }
}
