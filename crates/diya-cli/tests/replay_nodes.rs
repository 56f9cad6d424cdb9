//! The batch file of `diya replay --script slurm`, run with namespaces as nodes.

use crate::support::{corpus, diya};
use std::io::Read as _;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Stands for `srun`: each task has its own host name, mounts and processes, as on a node.
const SRUN: &str = r#"#!/bin/bash
for option; do
    case "$option" in
        --ntasks=*) tasks=${option#*=}; shift ;;
        --*) shift ;;
        *) break ;;
    esac
done
for ((task = 0; task < tasks; task++)); do
    SLURM_PROCID=$task unshare --map-root-user --uts --mount --pid --fork --kill-child \
        --mount-proc sh -c 'echo "node$SLURM_PROCID" > /proc/sys/kernel/hostname; exec "$@"' \
        sh "$@" &
    pids="$pids $!"
done
code=0
for pid in $pids; do wait "$pid" || code=$?; done
exit $code
"#;

/// Why namespaces cannot be nodes here.
fn obstacle() -> Option<String> {
    let tried = Command::new("unshare")
        .args(["--map-root-user", "--uts", "--mount", "--pid", "--fork", "--mount-proc"])
        .args(["sh", "-c", "echo node > /proc/sys/kernel/hostname"])
        .output();
    match tried {
        Ok(done) if done.status.success() => None,
        Ok(done) => Some(String::from_utf8_lossy(&done.stderr).trim().to_owned()),
        Err(error) => Some(format!("unshare: {error}")),
    }
}

fn submitted(script: &str, folder: &Path) -> Output {
    let srun = folder.join("srun");
    std::fs::write(&srun, SRUN).expect("a file");
    std::fs::set_permissions(&srun, PermissionsExt::from_mode(0o755)).expect("a program");
    let batch = folder.join("replay.sh");
    std::fs::write(&batch, script).expect("a file");
    let path = std::env::var("PATH").expect("a path");
    Command::new("bash")
        .arg(&batch)
        .env("PATH", format!("{}:{path}", folder.display()))
        .env("SLURM_JOB_ID", "4711")
        .stdin(Stdio::null())
        .output()
        .expect("bash")
}

#[test]
fn the_batch_file_replays_on_two_namespaces_as_on_two_nodes() {
    if let Some(reason) = obstacle() {
        eprintln!("skipped: no namespaces here: {reason}");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    // A name that a shell would read as more than one word.
    let files = folder.path().join("it's here");
    std::fs::create_dir(&files).expect("a folder");
    let to = files.to_str().expect("a plain path");
    for log in ["ior_mpiio_indep_strided.darshan", "ior_posix_random.darshan"] {
        let record = folder.path().join("replay.diya");
        let record = record.to_str().expect("a plain path");
        let (code, script, errors) = diya(&[
            "replay",
            &corpus(log),
            to,
            "--script",
            "slurm",
            "--nodes",
            "2",
            "--address",
            "127.0.0.1",
            "--gaps",
            "drop",
            "--record",
            record,
        ]);
        assert_eq!((code, errors.as_str()), (0, ""), "{log}");
        assert!(script.contains("#SBATCH --nodes=2\n"), "{script}");
        let done = submitted(&script, folder.path());
        let said = String::from_utf8_lossy(&done.stdout);
        let errors = String::from_utf8_lossy(&done.stderr);
        assert!(done.status.success(), "{log}: {said}{errors}");
        assert!(said.contains("Calls and bytes equal those of the recording."), "{said}{errors}");
        let sql = "select count(distinct rank) as ranks from call";
        let (code, ranks, _) = diya(&["sql", record, sql, "--format", "csv"]);
        assert!(code == 0 && !ranks.trim().ends_with("\n1"), "{ranks}");
        assert_eq!(std::fs::read_dir(&files).expect("a folder").count(), 0, "files are left");
    }
}

/// Two nodes of a replay that takes seconds, once both are in it.
/// Of a job whose ranks all write until its end: a node that has done its part may go.
fn started(folder: &Path) -> [Child; 2] {
    let node = |number: &str| {
        Command::new(env!("CARGO_BIN_EXE_diya"))
            .args(["replay", &corpus("phases_ckpt.darshan"), "--yes", "--gaps", "10"])
            .args(["--nodes", "2", "--node", number, "--address", "127.0.0.1"])
            .arg(folder)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("diya starts")
    };
    let children = [node("0"), node("1")];
    let files = folder.join("diya-replay-nodes-0/files");
    let has_written = || walk(&files) > 0;
    let until = Instant::now() + Duration::from_secs(60);
    while !has_written() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(20));
    }
    children
}

/// Bytes of all files below.
fn walk(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let bytes = |entry: std::fs::DirEntry| match entry.file_type() {
        Ok(kind) if kind.is_dir() => walk(&entry.path()),
        _ => entry.metadata().map_or(0, |about| about.len()),
    };
    entries.map(bytes).sum()
}

fn send(child: &Child, signal: &str) {
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status();
    assert!(sent.expect("kill").success());
}

#[test]
fn a_signal_to_one_node_ends_all_and_leaves_no_files() {
    for (node, other) in [(0, 1), (1, 0)] {
        let folder = tempfile::tempdir().expect("a folder");
        let mut children = started(folder.path());
        send(&children[node], "-TERM");
        assert_eq!(children[node].wait().expect("an end").code(), Some(130), "node {node}");
        assert_eq!(children[other].wait().expect("an end").code(), Some(4), "node {other}");
        let mut said = String::new();
        let errors = children[other].stderr.as_mut().expect("errors");
        errors.read_to_string(&mut said).expect("a text");
        let expected = format!("node {node} of the replay: ended before the replay did");
        assert!(said.contains(&expected), "{said}");
        assert_eq!(
            std::fs::read_dir(folder.path()).expect("a folder").count(),
            0,
            "files are left"
        );
    }
}

#[test]
fn clean_removes_what_a_killed_node_left() {
    let folder = tempfile::tempdir().expect("a folder");
    let to = folder.path().to_str().expect("a plain path");
    let [mut first, mut other] = started(folder.path());
    let (_, said, _) = diya(&["replay", "--clean", to]);
    assert!(said.starts_with("in use"), "{said}");
    send(&first, "-KILL");
    first.wait().expect("an end");
    assert_eq!(other.wait().expect("an end").code(), Some(4));
    let (code, said, _) = diya(&["replay", "--clean", to]);
    assert!(code == 0 && said.starts_with("removed"), "{said}");
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0, "files are left");
}

#[test]
fn a_script_needs_no_number_of_nodes() {
    let folder = tempfile::tempdir().expect("a folder");
    let to = folder.path().to_str().expect("a plain path");
    let log = corpus("ior_posix_random.darshan");
    let (code, script, _) =
        diya(&["replay", &log, to, "--script", "slurm", "--keep", "--transform", "align=8K"]);
    assert_eq!(code, 0);
    assert!(script.contains("#SBATCH --nodes=1\n"), "{script}");
    assert!(script.contains("'--transform' 'align=8K' '--keep'"), "{script}");
    assert!(!script.contains("--gaps"), "only what was given: {script}");
    assert!(!script.contains("--clean"), "kept files are not removed: {script}");
}

#[test]
fn options_for_nodes_that_do_not_fit_name_the_way_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let to = folder.path().to_str().expect("a plain path");
    let log = corpus("ior_posix_random.darshan");
    for (options, expected) in [
        (vec!["--nodes", "2"], "--script slurm"),
        (vec!["--nodes", "2", "--node", "2", "--yes"], "expected 0 to 1"),
        (vec!["--nodes", "2", "--node", "1"], "add --yes on each"),
        (vec!["--nodes", "0"], "0 is not in 1..=10000"),
        (vec!["--node", "1"], "--nodes"),
    ] {
        let arguments = [vec!["replay", &log, to], options].concat();
        let (code, _, errors) = diya(&arguments);
        assert!(code == 2 && errors.contains(expected), "{arguments:?}: {code} {errors}");
    }
}
