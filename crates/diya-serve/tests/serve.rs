//! The server as a browser sees it, and as somebody else's page would.

use diya::context::Context;
use diya::diagnose::CheckSet;
use diya::{OpenOptions, Threads};
use diya_serve::{Jobs, Judging, Server};
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/logs")
}

fn a_log() -> PathBuf {
    let logs = std::fs::read_dir(corpus()).unwrap().map(|entry| entry.unwrap().path());
    let mut logs: Vec<PathBuf> =
        logs.filter(|path| path.extension().is_some_and(|e| e == "darshan")).collect();
    logs.sort();
    logs.remove(0)
}

/// Port and token of a server that runs until the test ends.
fn served(jobs: Jobs) -> (u16, String) {
    let server = Server::bind(0, jobs).unwrap();
    let (port, url) = (server.port(), server.url());
    std::thread::spawn(move || server.run());
    (port, url.split_once("token=").unwrap().1.to_owned())
}

fn one_log() -> (u16, String) {
    let inputs = diya::input::logs(&[a_log()]).unwrap();
    served(Jobs::of_logs(inputs, judging()).unwrap())
}

fn judging() -> Judging {
    let options = OpenOptions { threads: Threads::new(1), ..OpenOptions::default() };
    Judging {
        options,
        checks: CheckSet::builtin().unwrap().into(),
        context: Context::default().into(),
    }
}

/// Status, head and body of the answer.
fn ask(port: u16, request: &str) -> (u16, String, Vec<u8>) {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n").unwrap_or(answer.len());
    let head = String::from_utf8_lossy(&answer[..end]).into_owned();
    let status = head.split(' ').nth(1).and_then(|s| s.parse().ok()).unwrap_or(0);
    (status, head, answer.split_off((end + 4).min(answer.len())))
}

fn get(port: u16, target: &str, host: &str) -> (u16, String, Vec<u8>) {
    ask(port, &format!("GET {target} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"))
}

fn post(port: u16, target: &str, token: &str, body: &str) -> (u16, String, Vec<u8>) {
    let length = body.len();
    ask(
        port,
        &format!(
            "POST {target} HTTP/1.1\r\nHost: localhost:{port}\r\nX-Diya-Token: {token}\r\n\
             Connection: close\r\nContent-Length: {length}\r\n\r\n{body}"
        ),
    )
}

fn head_of(answer: &[u8]) -> serde_json::Value {
    assert_eq!(&answer[..4], b"DYA1");
    let length = u32::from_le_bytes(answer[4..8].try_into().unwrap()) as usize;
    serde_json::from_slice(&answer[8..8 + length]).unwrap()
}

#[test]
fn a_page_and_its_data_come_with_the_token_only() {
    let (port, token) = one_log();
    let host = format!("127.0.0.1:{port}");
    let (status, head, _) = get(port, &format!("/?token={token}"), &host);
    assert!(status == 302 && head.contains(&format!("Location: /r/0/?token={token}")), "{head}");
    let (status, head, page) = get(port, &format!("/r/0/?token={token}"), &host);
    assert_eq!(status, 200);
    assert!(head.contains("Content-Security-Policy: default-src 'none'"), "{head}");
    assert!(head.contains("frame-ancestors 'none'") && head.contains("nosniff"));
    assert!(String::from_utf8_lossy(&page).starts_with("<!doctype html>"));
    for (target, host, wrong) in [
        ("/", host.as_str(), 401),
        ("/r/0/", &host, 401),
        ("/?token=0123", &host, 401),
        (&format!("/?token={token}"), "evil.example", 403),
        (&format!("/r/7/?token={token}"), &host, 404),
        (&format!("/r/../../etc/passwd?token={token}"), &host, 404),
        (&format!("/etc/passwd?token={token}"), &host, 404),
    ] {
        assert_eq!(get(port, target, host).0, wrong, "{target} of {host}");
    }
    assert_eq!(post(port, "/r/0/api", "wrong", r#"{"method":"describe"}"#).0, 401);
}

#[test]
fn questions_are_answered_with_tables_and_sql() {
    let (port, token) = one_log();
    let asked = |body: &str| {
        let (status, _, answer) = post(port, "/r/0/api", &token, body);
        assert_eq!(status, 200, "{body}");
        head_of(&answer)
    };
    let described = asked(r#"{"method":"describe"}"#);
    assert_eq!(described["source"], "server");
    assert_eq!(described["has_sql"], true);
    assert!(described["tables"].as_array().unwrap().iter().any(|t| t["name"] == "posix"));
    assert_eq!(asked(r#"{"method":"report"}"#)["schema_version"], 1);
    let rows = asked(r#"{"method":"sql","text":"select 1 + 1 as two;","limit":10}"#);
    assert_eq!((&rows["rows"][0][0], &rows["columns"][0]["name"]), (&2.into(), &"two".into()));
    assert!(asked(r#"{"method":"sql","text":"drop table job"}"#)["error"].is_string());
    let table = r#"{"method":"table","name":"job","first":0,"count":5,
        "sort":{"column":"log","is_descending":true},"search":"DARSHAN"}"#;
    let table = asked(table);
    assert_eq!((&table["rows_in_all"], table["rows"].as_array().unwrap().len()), (&1.into(), 1));
    assert_eq!(table["columns"][0]["type"], "i32");
    let hostile = r#"{"method":"table","name":"job; drop","first":0,"count":5}"#;
    assert!(asked(hostile)["error"].as_str().unwrap().contains("no table"));
    let none = r#"{"method":"table","name":"job","first":0,"count":5,"search":"' or 1=1 --"}"#;
    assert_eq!(asked(none)["rows_in_all"], 0);
    assert!(asked("no json")["error"].is_string());
}

#[test]
fn requests_that_could_be_read_in_two_ways_are_turned_away() {
    let (port, token) = one_log();
    let with = |headers: &str| {
        let head =
            format!("POST /r/0/api HTTP/1.1\r\nHost: localhost\r\nX-Diya-Token: {token}\r\n");
        ask(port, &format!("{head}Connection: close\r\n{headers}\r\n{{}}")).0
    };
    assert_eq!(with("Transfer-Encoding: chunked\r\n"), 411);
    assert_eq!(with("Content-Length: 2\r\nContent-Length: 3\r\n"), 400);
    assert_eq!(with("Content-Length: many\r\n"), 400);
    assert_eq!(with("Content-Length: 99999999999\r\n"), 413);
    assert_eq!(with("Host: evil.example\r\nContent-Length: 2\r\n"), 403);
    assert_eq!(ask(port, "nonsense\r\n\r\n").0, 400);
}

#[test]
fn a_folder_shows_its_logs_and_nothing_outside() {
    let folder = std::env::temp_dir().join(format!("diya-serve-{}", std::process::id()));
    let inside = folder.join("inside");
    std::fs::create_dir_all(&inside).unwrap();
    std::fs::copy(a_log(), inside.join("<b>one.darshan")).unwrap();
    std::fs::write(folder.join("other.txt"), "no log").unwrap();
    std::os::unix::fs::symlink(a_log(), folder.join("outside.darshan")).unwrap();
    let jobs = Jobs::of_folder(&folder, judging()).unwrap();
    assert_eq!(jobs.len(), 1, "the link leads out of the folder");
    let (port, token) = served(jobs);
    let (status, head, page) = get(port, &format!("/?token={token}"), "localhost");
    let page = String::from_utf8_lossy(&page).into_owned();
    assert_eq!(status, 200);
    assert!(head.contains("Content-Security-Policy: default-src 'none'"), "{head}");
    assert!(!page.contains("one.darshan"), "the page asks for its jobs");
    let listed = listed(port, &token, "null");
    assert_eq!(listed["head"]["kind"], "folder");
    let words = listed["packed"]["words"].to_string();
    assert!(words.contains("inside/<b>one.darshan") && !words.contains("other.txt"), "{words}");
    std::fs::remove_dir_all(&folder).unwrap();
}

/// What the page of a folder gets; `known`: as many are judged as it has seen.
fn listed(port: u16, token: &str, known: &str) -> serde_json::Value {
    let body = format!(r#"{{"method":"jobs","known":{known}}}"#);
    let (status, _, answer) = post(port, "/fleet", token, &body);
    assert_eq!(status, 200);
    head_of(&answer)
}

/// A page asks again while jobs are judged; rows come only when there are more of them.
#[test]
fn the_jobs_of_a_folder_are_listed_and_can_be_compared() {
    let folder = std::env::temp_dir().join(format!("diya-serve-two-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::copy(a_log(), folder.join("a.darshan")).unwrap();
    std::fs::copy(a_log(), folder.join("b.darshan")).unwrap();
    let (port, token) = served(Jobs::of_folder(&folder, judging()).unwrap());
    let mut judged = 0;
    for _ in 0..600 {
        judged = listed(port, &token, "0")["head"]["judged"].as_u64().unwrap();
        if judged == 2 {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    assert_eq!(judged, 2);
    assert!(listed(port, &token, "2")["packed"]["tables"].as_object().unwrap().is_empty());
    let table = &listed(port, &token, "1")["packed"]["tables"]["jobs"];
    assert_eq!(table["count"], 2);
    assert!(table["columns"].as_array().unwrap().iter().any(|of| of["name"] == "first_finding"));
    let (status, _, answer) = post(port, "/api", &token, r#"{"method":"jobs"}"#);
    let jobs = &head_of(&answer)["jobs"];
    assert!(status == 200 && jobs[1]["number"] == 1, "{jobs}");
    assert_eq!(jobs[0]["name"], "a.darshan", "as it is called below the folder");
    assert_eq!(post(port, "/api", "wrong", "{}").0, 401);
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Without a token nothing is read beyond the head: the answer comes at once, though
/// the announced body never does.
#[test]
fn a_body_is_not_waited_for_without_the_token() {
    let (port, token) = one_log();
    let announced = |token: &str| {
        let head =
            format!("POST /r/0/api HTTP/1.1\r\nHost: localhost\r\nX-Diya-Token: {token}\r\n");
        ask(port, &format!("{head}Content-Length: 30000000\r\n\r\n")).0
    };
    assert_eq!(announced("wrong"), 401);
    assert_eq!(announced(&token.replace(|c: char| c.is_ascii_digit(), "x")), 401);
}

/// Every place of the server is taken by somebody who says nothing: they lose it
/// after seconds, and the page is served again.
#[test]
fn silent_connections_do_not_shut_others_out() {
    let (port, token) = one_log();
    let silent: Vec<TcpStream> =
        (0..64).map(|_| TcpStream::connect(("127.0.0.1", port)).unwrap()).collect();
    let target = format!("/?token={token}");
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(30);
    let mut status = 0;
    while status != 302 && std::time::Instant::now() < deadline {
        std::thread::sleep(std::time::Duration::from_millis(250));
        let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        let request =
            format!("GET {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        let mut answer = String::new();
        // A refused connection is dropped: writing or reading may fail.
        if stream.write_all(request.as_bytes()).is_ok() {
            let _dropped = stream.read_to_string(&mut answer);
        }
        status = answer.split(' ').nth(1).and_then(|s| s.parse().ok()).unwrap_or(0);
    }
    assert_eq!(status, 302);
    drop(silent);
}
