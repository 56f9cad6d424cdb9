//! Pages of single jobs beside the page of a fleet, the live page as a program, and a wrong file
//! of a join.

use diya_testkit::corpus_log;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

fn diya(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_diya"));
    command.current_dir(folder).args(args).output().expect("it runs")
}

/// A dataset `data` of two logs beside it.
fn dataset() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let logs = folder.path().join("logs");
    std::fs::create_dir(&logs).expect("a folder");
    for name in ["fsync_many.darshan", "ior_hdf5_shared.darshan"] {
        std::fs::copy(corpus_log(name), logs.join(name)).expect("copied");
    }
    let done = diya(folder.path(), &["fleet", "ingest", "logs", "-o", "data", "--system", "test"]);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    folder
}

#[test]
fn pages_of_jobs_stand_beside_the_page_and_a_log_that_is_gone_is_named() {
    let folder = dataset();
    let report = ["fleet", "report", "data", "-o", "all.html", "--job-pages", "2"];
    let done = diya(folder.path(), &report);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let page = std::fs::read_to_string(folder.path().join("all.html")).expect("the page");
    assert!(page.contains("\"pages\":\"all-jobs\""));
    for number in 1..=2 {
        let job = folder.path().join(format!("all-jobs/{number}.html"));
        let job = std::fs::read_to_string(job).expect("a page of a job");
        assert!(job.starts_with("<!doctype html>") && job.contains(".darshan"));
    }
    std::fs::write(folder.path().join("logs/fsync_many.darshan"), "changed").expect("written");
    let done = diya(folder.path(), &report);
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    assert_eq!(done.status.code(), Some(1), "{said}");
    assert!(said.contains("1 of 2") && said.contains("The log has changed"), "{said}");
}

#[test]
fn a_wrong_file_of_a_join_does_not_keep_the_others_out() {
    let folder = dataset();
    std::fs::write(folder.path().join("wrong.txt"), "hello\n").expect("written");
    std::fs::write(folder.path().join("topology.conf"), "SwitchName=s Nodes=n[1-4]\n")
        .expect("written");
    let join = ["fleet", "join", "data", "--system", "test", "--servers", "wrong.txt"];
    let done = diya(folder.path(), &[&join[..], &["--topology", "topology.conf"]].concat());
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    assert_eq!(done.status.code(), Some(1), "{said}");
    assert!(said.contains("4 new rows") && said.contains("wrong.txt: it is neither"), "{said}");
}

#[test]
fn the_live_page_is_served_with_a_token() {
    let folder = dataset();
    let mut server = Command::new(env!("CARGO_BIN_EXE_diya"))
        .current_dir(folder.path())
        .args(["fleet", "serve", "data", "--no-browser", "--quiet"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("it runs");
    let mut url = String::new();
    let out = server.stdout.take().expect("a pipe");
    BufReader::new(out).read_line(&mut url).expect("the address");
    let host = url.trim_start_matches("http://").split('/').next().expect("a host").to_owned();
    let status = |target: &str| {
        let mut stream = TcpStream::connect(&host).expect("it listens");
        let request = format!("GET {target} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).expect("it reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it answers");
        answer.split(' ').nth(1).unwrap_or_default().to_owned()
    };
    let token = url.trim().split_once("/?").expect("a token").1.to_owned();
    let answers = [status(&format!("/?{token}")), status("/"), status("/?token=0")];
    server.kill().expect("it ends");
    server.wait().expect("it ended");
    assert_eq!(answers, ["200", "401", "401"]);
}
