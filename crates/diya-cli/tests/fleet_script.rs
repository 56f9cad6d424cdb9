//! `diya fleet script`: its files, run by a small array simulator, fill the dataset that one
//! ingest fills.

use diya_fleet_logs::{Plan, Sample, write};
use diya_testkit::root;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn fleet(arguments: &[&OsStr]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_diya"));
    command.arg("fleet").args(arguments).output().expect("it runs")
}

fn hash(dataset: &Path) -> String {
    let said = fleet(&["hash".as_ref(), dataset.as_os_str()]);
    assert!(said.status.success());
    String::from_utf8(said.stdout).expect("text")
}

/// Submits to the simulator; what the last step said.
fn submit(folder: &Path, lost: &str) -> String {
    let simulator = root().join("tests/fleet/array");
    let path = std::env::var("PATH").expect("there is one");
    let done = Command::new(folder.join("submit.sh"))
        .env("PATH", format!("{}:{path}", simulator.display()))
        .env("ARRAY_LOSES", lost)
        .output()
        .expect("it starts");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    std::fs::read_to_string(folder.join("log/last.txt")).expect("the last step ran")
}

/// Logs below a folder with such a name, ingested as a whole.
fn ingested(folder: &Path, name: &[u8]) -> (PathBuf, PathBuf) {
    let logs = folder.join(OsStr::from_bytes(name));
    let samples = Sample::corpus(&root().join("corpus/logs")).expect("the corpus");
    write(&logs, &samples, &Plan { jobs: 60, seed: 3, has_faults: true }).expect("written");
    let whole = folder.join("whole");
    let plain = ["ingest", "--no-findings", "--system", "test", "-o"].map(OsStr::new);
    let said = fleet(&[&plain[..], &[whole.as_os_str(), logs.as_os_str()]].concat());
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    (logs, whole)
}

fn script(batch: &str, shards: &str, output: &Path, logs: &Path, dataset: &Path) -> Output {
    let fixed = ["--cpus", "1", "--no-findings", "--system", "test"].map(OsStr::new);
    let named = [OsStr::new("script"), batch.as_ref(), "--shards".as_ref(), shards.as_ref()];
    let paths = [OsStr::new("-o"), output.as_os_str(), logs.as_os_str(), dataset.as_os_str()];
    fleet(&[&named[..], &fixed[..], &paths[..]].concat())
}

#[test]
fn an_array_fills_the_dataset_that_one_ingest_fills() {
    let folder = tempfile::tempdir().expect("a folder");
    let name = b"it's $(touch broken) `touch broken` \"x\"\n\xff; touch broken";
    let (logs, whole) = ingested(folder.path(), name);
    for batch in ["slurm", "pbs"] {
        let (jobs, dataset) = (logs.with_extension(batch), folder.path().join(batch));
        let said = script(batch, "5", &jobs, &logs, &dataset);
        assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
        assert_eq!(
            submit(&jobs, "").lines().skip(1).collect::<Vec<_>>().join("\n") + "\n",
            hash(&whole)
        );
        assert_eq!(hash(&dataset), hash(&whole), "{batch}");
    }
    let broken = Path::new("broken");
    assert!(!broken.exists() && !logs.join(broken).exists());
}

#[test]
fn a_shard_that_was_lost_is_named_and_submitting_again_completes_the_dataset() {
    let folder = tempfile::tempdir().expect("a folder");
    let (logs, whole) = ingested(folder.path(), b"logs");
    let (jobs, dataset) = (folder.path().join("jobs"), folder.path().join("data"));
    assert!(script("slurm", "3", &jobs, &logs, &dataset).status.success());
    let said = submit(&jobs, "2");
    assert!(said.contains("not finished: shards 2 of 3"), "{said}");
    submit(&jobs, "");
    assert_eq!(hash(&dataset), hash(&whole));
}

#[test]
fn batch_files_do_not_lie_in_the_dataset_and_hold_no_key() {
    let folder = tempfile::tempdir().expect("a folder");
    let (logs, data, key) =
        (folder.path().join("logs"), folder.path().join("data"), folder.path().join("key"));
    let inside = script("pbs", "1", &data.join("jobs"), &logs, &data);
    assert_eq!(inside.status.code(), Some(2));
    std::fs::write(&key, "secret words\n").expect("written");
    let jobs = folder.path().join("jobs");
    let named = ["script", "pbs", "--shards", "1", "-o"].map(OsStr::new);
    let paths = [jobs.as_os_str(), OsStr::new("--key-file"), key.as_os_str()];
    let said = fleet(&[&named[..], &paths[..], &[logs.as_os_str(), data.as_os_str()]].concat());
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    let shard = std::fs::read_to_string(jobs.join("shard.sh")).expect("written");
    assert!(shard.contains("--key-file") && !shard.contains("secret"));
}
