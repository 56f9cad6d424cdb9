//! `diya fleet ...` from outside: what a killed process leaves.

use diya_fleet_logs::{Plan, Sample, write};
use diya_testkit::root;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

fn diya(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_diya"));
    command.args(["fleet"]).args(args).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

fn hash(dataset: &str) -> String {
    let output =
        diya(&["hash", dataset, "--json"]).stdout(Stdio::piped()).output().expect("it runs");
    assert!(output.status.success());
    String::from_utf8(output.stdout).expect("text")
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a plain name")
}

#[test]
fn a_killed_ingest_is_completed_by_the_next() {
    let folder = tempfile::tempdir().expect("a folder");
    let (logs, whole, killed) =
        (folder.path().join("logs"), folder.path().join("whole"), folder.path().join("killed"));
    std::fs::create_dir(&logs).expect("a folder");
    let samples = Sample::corpus(&root().join("corpus/logs")).expect("the corpus");
    write(&logs, &samples, &Plan { jobs: 60, seed: 3, has_faults: true }).expect("written");
    let ingest = |dataset: &Path| {
        let fixed = ["--system", "test", "--no-findings", "--logs-per-commit", "3"];
        diya(&[&["ingest", text(&logs), "-o", text(dataset)][..], &fixed[..]].concat())
    };
    assert!(ingest(&whole).status().expect("it runs").success());
    for wait_ms in [2, 5, 9, 14, 20, 27, 35, 50] {
        let mut child = ingest(&killed).spawn().expect("it starts");
        std::thread::sleep(Duration::from_millis(wait_ms));
        let _ = child.kill();
        child.wait().expect("it ended");
    }
    assert!(ingest(&killed).status().expect("it runs").success());
    assert_eq!(hash(text(&killed)), hash(text(&whole)));
    let mut child = diya(&["compact", text(&killed)]).spawn().expect("it starts");
    std::thread::sleep(Duration::from_millis(15));
    let _ = child.kill();
    child.wait().expect("it ended");
    assert!(diya(&["compact", text(&killed)]).status().expect("it runs").success());
    assert_eq!(hash(text(&killed)), hash(text(&whole)));
}
