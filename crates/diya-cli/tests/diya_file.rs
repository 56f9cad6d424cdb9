//! The commands on a diya file.

use std::path::{Path, PathBuf};
use std::process::Command;

fn trace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../diya-write/tests/diya_file/golden/v1.diya")
}

/// What the command prints; it has to succeed.
fn diya(command: &str, rest: &[&str]) -> String {
    let mut run = Command::new(env!("CARGO_BIN_EXE_diya"));
    let output = run.arg(command).arg(trace()).args(rest).output().expect("diya runs");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{command}: {errors}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn info_names_the_trace_and_what_it_recorded() {
    let text = diya("info", &[]);
    assert!(text.contains("diya trace 1"), "{text}");
    assert!(text.contains("12 calls of 1 process"), "{text}");
}

#[test]
fn sql_finds_functions_and_failures() {
    let sql = "select function, count(*) as calls, count(error) as failed, sum(calls) as all_calls
               from call group by function order by function";
    let csv = diya("sql", &[sql, "--format", "csv"]);
    let functions: Vec<&str> =
        csv.lines().skip(1).filter_map(|line| line.split(',').next()).collect();
    // Its fsyncs are of rank 2, which a job of two processes has not: they are left out.
    assert_eq!(functions, ["lseek", "pread64", "pwrite64"], "{csv}");
    let csv = diya("sql", &["select pid, ended from process", "--format", "csv"]);
    assert!(csv.contains("4242,killed or still running"), "{csv}");
}

#[test]
fn dump_and_export_take_it_as_any_log() {
    let text = diya("dump", &[]);
    assert!(text.contains("# exe: ./app --steps 3"), "{text}");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("diya_file_export");
    let _ = std::fs::remove_dir_all(&folder);
    diya("export", &["-o", folder.to_str().expect("a plain path")]);
    assert!(folder.join("call.parquet").is_file(), "{}", folder.display());
}
