//! `diya fleet ingest` where files, folders and disks are not as they should be: the exit code
//! says so, and the next run ends with the dataset of a run without trouble.

use diya_fleet_logs::{Plan, Sample, write};
use diya_testkit::root;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

const DIYA: &str = env!("CARGO_BIN_EXE_diya");

fn text(path: &Path) -> &str {
    path.to_str().expect("a plain name")
}

/// Logs, and the dataset of an ingest without trouble.
fn fleet(jobs: u32) -> (TempDir, PathBuf, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let logs = folder.path().join("logs");
    let samples = Sample::corpus(&root().join("corpus/logs")).expect("the corpus");
    write(&logs, &samples, &Plan { jobs, seed: 3, has_faults: true }).expect("written");
    let whole = folder.path().join("whole");
    assert!(ended(ingest(&logs, &whole)).0 == 0);
    let hash = hash(&whole);
    (folder, logs, hash)
}

fn ingest(logs: &Path, dataset: &Path) -> Command {
    let mut command = Command::new(DIYA);
    command.args(["fleet", "ingest", text(logs), "-o", text(dataset)]);
    command.args(["--system", "test", "--no-findings", "--logs-per-commit", "5"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Exit code and standard error.
fn ended(mut command: Command) -> (i32, String) {
    of(&command.output().expect("it runs"))
}

fn of(output: &Output) -> (i32, String) {
    let code = output.status.code().expect("no signal ended it");
    (code, String::from_utf8_lossy(&output.stderr).into_owned())
}

fn hash(dataset: &Path) -> String {
    let output = Command::new(DIYA).args(["fleet", "hash", text(dataset)]).output();
    let output = output.expect("it runs");
    assert!(output.status.success());
    String::from_utf8(output.stdout).expect("text")
}

/// Files that cannot grow stand for a disk that is full: both end a write in the middle.
#[test]
fn a_full_disk_names_the_file_and_leaves_a_dataset_that_the_next_run_completes() {
    let (folder, logs, whole) = fleet(60);
    let dataset = folder.path().join("data");
    for kib in [4, 12] {
        let plain = ingest(&logs, &dataset);
        let mut limited = Command::new("bash");
        let script = format!("trap '' XFSZ; ulimit -f {kib}; exec \"$@\"");
        limited.args(["-c", script.as_str(), "bash"]).arg(DIYA).args(plain.get_args());
        let (code, said) = ended(limited);
        assert_eq!(code, 4, "{said}");
        assert!(said.contains(text(&dataset)) && said.contains("run the command again"), "{said}");
    }
    assert_eq!(ended(ingest(&logs, &dataset)).0, 0);
    assert_eq!(hash(&dataset), whole);
}

#[test]
fn a_disk_that_is_full_during_a_compaction_loses_no_row() {
    let (folder, logs, whole) = fleet(60);
    let dataset = folder.path().join("data");
    assert_eq!(ended(ingest(&logs, &dataset)).0, 0);
    let compact = |limit: &str| {
        let mut command = Command::new("bash");
        let script = format!("trap '' XFSZ; {limit}; exec \"$@\"");
        command.args(["-c", script.as_str(), "bash", DIYA, "fleet", "compact", text(&dataset)]);
        ended(command)
    };
    assert_eq!(compact("ulimit -f 8").0, 4);
    assert_eq!(hash(&dataset), whole);
    assert_eq!(compact("true").0, 0);
    assert_eq!(hash(&dataset), whole);
}

#[test]
fn two_workers_on_one_shard_end_with_its_rows_once() {
    let (folder, logs, whole) = fleet(60);
    let dataset = folder.path().join("data");
    for _ in 0..4 {
        let start = || ingest(&logs, &dataset).spawn().expect("it starts");
        let (first, second) = (start(), start());
        let ends = [first, second].map(|child| of(&child.wait_with_output().expect("it ended")));
        assert!(ends.iter().any(|(code, _)| *code == 0), "{ends:?}");
        for (code, said) in ends {
            let is_told = said.contains("another process writes into the dataset");
            assert!(code == 0 || (code == 2 && is_told), "{code}: {said}");
        }
        assert_eq!(hash(&dataset), whole);
    }
}

/// The mode of a folder stops every user but root; root runs diya as user `nobody`.
#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_read_is_named_and_the_rest_is_read() {
    use std::os::unix::fs::PermissionsExt as _;
    let (folder, logs, whole) = fleet(30);
    let mode = |path: &Path, mode| {
        let mode = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(path, mode).expect("its mode");
    };
    let closed = logs.join("closed");
    std::fs::create_dir(&closed).expect("a folder");
    mode(&closed, 0o000);
    let work = folder.path().join("work");
    std::fs::create_dir(&work).expect("a folder");
    let dataset = work.join("data");
    let is_root = std::fs::read_dir(&closed).is_ok();
    let run = || {
        let mut command = ingest(&logs, &dataset);
        if is_root {
            // The program may lie where only root comes.
            let program = work.join("diya");
            if !program.exists() {
                std::fs::copy(DIYA, &program).expect("a copy");
                mode(&program, 0o755);
                mode(&work, 0o777);
                mode(folder.path(), 0o755);
            }
            let plain = std::mem::replace(&mut command, Command::new("setpriv"));
            command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]);
            command.arg(&program).args(plain.get_args());
        }
        ended(command)
    };
    assert_eq!(run(), (1, String::new()));
    let said = Command::new(DIYA)
        .args(["fleet", "sql", text(&dataset), "--format", "csv"])
        .arg("select error from manifest where path like '%closed' and status = 'unreadable'")
        .output()
        .expect("it runs");
    assert!(String::from_utf8_lossy(&said.stdout).contains("ermission denied"), "{said:?}");
    // Every run looks at it again.
    mode(&closed, 0o755);
    assert_eq!(run().0, 0);
    let jobs = |hash: &str| hash.lines().find(|line| line.starts_with("job ")).map(str::to_owned);
    assert_eq!(jobs(&hash(&dataset)), jobs(&whole));
}

#[test]
fn a_log_that_grows_while_it_is_read_is_read_whole_by_a_later_run() {
    let (folder, logs, whole) = fleet(30);
    let dataset = folder.path().join("data");
    let log = std::fs::read_dir(logs.join("2026/3/1")).expect("a day").flatten().next();
    let log = log.expect("a log").path();
    let bytes = std::fs::read(&log).expect("it can be read");
    let is_over = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(std::sync::atomic::Ordering::Relaxed) {
                for part in [0, bytes.len() / 2, bytes.len()] {
                    std::fs::write(&log, &bytes[..part]).expect("written");
                }
            }
        });
        for _ in 0..3 {
            let (code, said) = ended(ingest(&logs, &dataset));
            assert!(code <= 1, "{said}");
        }
        is_over.store(true, std::sync::atomic::Ordering::Relaxed);
    });
    std::fs::write(&log, &bytes).expect("written");
    assert_eq!(ended(ingest(&logs, &dataset)).0, 0);
    assert_eq!(hash(&dataset), whole);
}
