//! A query that the page gave up ends at the server: alone in its program, as the
//! processor time of the program is what is looked at.

use diya::context::Context;
use diya::diagnose::CheckSet;
use diya::{OpenOptions, Threads};
use diya_serve::{Jobs, Judging, Server};
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::time::{Duration, Instant};

/// Processor time of this program, in hundredths of a second.
fn ticks() -> u64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let after_name = stat.rsplit_once(')').unwrap().1;
    let fields: Vec<&str> = after_name.split_whitespace().collect();
    fields[11..13].iter().map(|field| field.parse::<u64>().unwrap()).sum()
}

/// Whether a second with at least, or at most, so much processor time comes within a minute.
fn comes(holds: impl Fn(u64) -> bool) -> bool {
    let latest = Instant::now() + Duration::from_secs(60);
    while Instant::now() < latest {
        let before = ticks();
        std::thread::sleep(Duration::from_secs(1));
        if holds(ticks() - before) {
            return true;
        }
    }
    false
}

fn asked(port: u16, token: &str, sql: &str) -> TcpStream {
    let body = serde_json::json!({ "method": "sql", "text": sql, "limit": 10 }).to_string();
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    let head = format!("POST /r/0/api HTTP/1.1\r\nHost: localhost\r\nX-Diya-Token: {token}\r\n");
    write!(stream, "{head}Content-Length: {}\r\n\r\n{body}", body.len()).unwrap();
    stream
}

#[test]
fn a_query_that_the_page_gave_up_ends() {
    let logs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/logs");
    let inputs = diya::input::logs(&[logs.join("ior_mpiio_coll_hints.darshan")]).unwrap();
    let options = OpenOptions { threads: Threads::new(1), ..OpenOptions::default() };
    let checks = CheckSet::builtin().unwrap().into();
    let judging = Judging { options, checks, context: Context::default().into() };
    let server = Server::bind(0, Jobs::of_logs(inputs, judging).unwrap()).unwrap();
    let (port, url) = (server.port(), server.url());
    let token = url.split_once("token=").unwrap().1.to_owned();
    std::thread::spawn(move || server.run());

    // Once this is answered, nothing but the next query is being worked on.
    let mut first = asked(port, &token, "select 1 as one");
    assert_ne!(first.read(&mut [0; 64]).unwrap(), 0);
    let tables = ["access_size"; 24].iter().enumerate();
    let from: Vec<String> = tables.map(|(place, name)| format!("{name} as t{place}")).collect();
    let endless =
        asked(port, &token, &format!("select count(*) from {}", from.join(" cross join ")));
    assert!(comes(|ticks| ticks >= 40), "the query does not run");
    drop(endless);
    assert!(comes(|ticks| ticks <= 5), "the query runs on");
}
