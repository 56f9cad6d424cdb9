//! The page of a dataset as a browser sees it.

use diya::context::Context;
use diya::diagnose::CheckSet;
use diya::{OpenOptions, Threads};
use diya_fleet::{Anonymity, Dataset, IngestOptions, Question, ingest};
use diya_serve::{FleetSite, Jobs, Judging, Server};
use diya_testkit::corpus_log;
use serde_json::{Value, json};
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use tempfile::TempDir;

struct Served {
    folder: TempDir,
    port: u16,
    token: String,
}

/// Two logs of a folder of their own, served.
fn served(anonymity: Anonymity) -> Served {
    let folder = tempfile::tempdir().unwrap();
    for name in ["fsync_many.darshan", "ior_hdf5_shared.darshan"] {
        std::fs::copy(corpus_log(name), folder.path().join(name)).unwrap();
    }
    let data = folder.path().join("data");
    let paths = ["fsync_many.darshan", "ior_hdf5_shared.darshan"];
    let options = IngestOptions {
        paths: paths.iter().map(|name| folder.path().join(name)).collect(),
        system: "test".to_owned(),
        skips_findings: true,
        anonymity,
        ..IngestOptions::default()
    };
    ingest(&data, &options).unwrap();
    let judging = Judging {
        options: OpenOptions { threads: Threads::new(1), ..OpenOptions::default() },
        checks: CheckSet::builtin().unwrap().into(),
        context: Context::default().into(),
    };
    let dataset = Dataset::open(&data).unwrap();
    let questions = Question::built_in().unwrap();
    let site =
        FleetSite::new(dataset, "<b>fleet".to_owned(), questions, 1000, Threads::new(1)).unwrap();
    let server = Server::bind(0, Jobs::of_dataset(judging)).unwrap().with_fleet(site);
    let (port, url) = (server.port(), server.url());
    std::thread::spawn(move || server.run());
    Served { folder, port, token: url.split_once("token=").unwrap().1.to_owned() }
}

impl Served {
    /// Status, head and body of the answer.
    fn raw(&self, request: &str) -> (u16, String, Vec<u8>) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let end = answer.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
        let head = String::from_utf8_lossy(&answer[..end]).into_owned();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, head, answer.split_off(end + 4))
    }

    fn get(&self, target: &str) -> (u16, String, String) {
        let target = format!("{target}token={}", self.token);
        let (status, head, body) = self
            .raw(&format!("GET {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"));
        (status, head, String::from_utf8_lossy(&body).into_owned())
    }

    fn post(&self, token: &str, body: &str) -> (u16, Vec<u8>) {
        let length = body.len();
        let (status, _, answer) = self.raw(&format!(
            "POST /fleet HTTP/1.1\r\nHost: localhost\r\nX-Diya-Token: {token}\r\n\
             Connection: close\r\nContent-Length: {length}\r\n\r\n{body}"
        ));
        (status, answer)
    }

    fn ask(&self, request: &Value) -> Value {
        let (status, answer) = self.post(&self.token, &request.to_string());
        assert_eq!(status, 200, "{request}");
        let length = u32::from_le_bytes(answer[4..8].try_into().unwrap()) as usize;
        serde_json::from_slice(&answer[8..8 + length]).unwrap()
    }

    fn error(&self, request: &Value) -> String {
        self.ask(request)["error"].as_str().unwrap_or_else(|| panic!("{request}")).to_owned()
    }

    /// The page of the job of a log.
    fn log(&self, path: &Path) -> (u16, String, String) {
        let path = path.display().to_string().replace('_', "%5F");
        self.get(&format!("/log?path={path}&"))
    }
}

#[test]
fn the_page_asks_for_its_jobs_and_figures_which_follow_the_filter() {
    let served = served(Anonymity::default());
    let (status, head, page) = served.get("/?");
    assert_eq!(status, 200);
    assert!(head.contains("default-src 'none'") && head.contains("frame-ancestors 'none'"));
    assert!(page.contains("<title>&lt;b&gt;fleet</title>"));
    let all = served.ask(&json!({ "method": "head" }));
    assert_eq!(all["head"]["totals"]["jobs"], 2);
    assert_eq!(all["packed"]["tables"]["jobs"]["count"], 2);
    let questions = all["head"]["questions"].as_array().unwrap();
    assert!(questions.len() > 25 && questions.iter().all(|of| of["sql"].is_string()));
    let filter = json!({ "program": "ior" });
    let jobs = served.ask(&json!({ "method": "jobs", "filter": filter }));
    assert_eq!(
        (&jobs["head"]["totals"]["jobs"], &jobs["packed"]["words"][0]),
        (&1.into(), &"test".into())
    );
    for of in questions {
        let asked = json!({ "method": "answer", "question": of["name"], "filter": filter });
        let answer = served.ask(&asked);
        assert!(answer["packed"]["tables"]["answer"]["count"].is_u64(), "{}: {answer}", of["name"]);
    }
}

#[test]
fn what_a_visitor_asks_is_bounded_and_only_reads() {
    let served = served(Anonymity::default());
    let sql = |text: &str| json!({ "method": "sql", "text": text, "filter": {} });
    let rows = served.ask(&sql("select program from job"));
    assert_eq!(rows["packed"]["tables"]["answer"]["count"], 2);
    for wrong in ["drop table job", "create table a as select 1", "select 1; select 2", "nonsense"]
    {
        assert!(!served.error(&sql(wrong)).is_empty(), "{wrong}");
    }
    let file = served.folder.path().join("x.csv");
    served.error(&sql(&format!("copy (select 1) to '{}'", file.display())));
    served.error(&sql(&format!("select * from '{}'", corpus_log("fsync_many.darshan").display())));
    assert!(!file.exists());
    let deep = format!("select {}1{}", "(".repeat(5000), ")".repeat(5000));
    assert!(served.error(&sql(&deep)).contains("bracket"), "{}", served.error(&sql(&deep)));
    served.error(&json!({ "method": "answer", "question": "no", "filter": {} }));
    served.error(&json!({ "method": "jobs", "filter": { "users": "x" } }));
    served.error(&json!({ "method": "delete" }));
    assert_eq!(served.post("wrong", r#"{"method":"head"}"#).0, 401);
}

#[test]
fn a_row_leads_to_the_page_of_its_job() {
    let served = served(Anonymity::default());
    let path = served.folder.path().join("fsync_many.darshan");
    let (status, head, _) = served.log(&path);
    assert!(status == 302 && head.contains("Location: /r/0/?token="), "{head}");
    assert!(served.log(&path).1.contains("Location: /r/0/"), "the same job, not another one");
    assert_eq!(served.get("/r/0/?").0, 200);
    let other = served.folder.path().join("ior_hdf5_shared.darshan");
    assert!(served.log(&other).1.contains("Location: /r/1/"));
}

#[test]
fn a_log_that_cannot_be_shown_is_said_in_words() {
    let served = served(Anonymity::default());
    let path = served.folder.path().join("fsync_many.darshan");
    std::fs::write(&path, "another content").unwrap();
    let (status, head, page) = served.log(&path);
    assert!(status == 404 && page.contains("has changed") && page.contains("All jobs"), "{page}");
    assert!(head.contains("Content-Security-Policy"), "{head}");
    std::fs::remove_file(&path).unwrap();
    assert!(served.log(&path).2.contains("The log is gone"));
    // A file that the dataset does not name is not opened, wherever it lies.
    let (status, _, page) = served.get("/log?path=/etc/%3Cb%3Epasswd&");
    assert!(status == 404 && page.contains("/etc/&lt;b&gt;passwd") && !page.contains("root:"));
    assert_eq!(served.get("/log?path=%FF&").0, 404);
}

#[test]
fn an_anonymised_dataset_has_no_pages_of_jobs() {
    let key = Anonymity { key: Some("a key of sixteen bytes".to_owned()), ..Anonymity::default() };
    let served = served(key);
    let jobs = served.ask(&json!({ "method": "head" }));
    let words = jobs["packed"]["words"].as_array().unwrap();
    let path = words.last().unwrap().as_str().unwrap();
    let (status, _, page) = served.get(&format!("/log?path={path}&"));
    assert!(status == 404 && page.contains("anonymised"), "{page}");
}
