//! The jobs of a folder as the table that the page shows, while they are being judged.

use crate::Jobs;
use crate::jobs::{Facts, Known};
use diya_page::timeline::Answer;
use diya_page::{FleetTable, Value, fleet_answer};
use serde_json::{Value as Json, json};

/// Names as `web/src/fleet/model/jobs.ts` reads them.
const COLUMNS: [&str; 17] = [
    "number",
    "path",
    "name",
    "size_bytes",
    "start_s",
    "user_name",
    "program",
    "nprocs",
    "run_time_s",
    "io_time_s",
    "bytes",
    "verdict",
    "findings_high",
    "findings_warn",
    "recoverable_s",
    "first_finding",
    "verdict_text",
];

/// The answer to `{"method": "jobs", "known": N}`: without rows while no more than `known`
/// jobs are judged, since the page asks again and again.
pub fn answer(jobs: &Jobs, body: &[u8]) -> Answer {
    let asked: Json = serde_json::from_slice(body).unwrap_or_default();
    let numbers = || 0..jobs.len();
    let waiting = numbers().filter(|at| matches!(jobs.known(*at), Known::Nothing)).count();
    let judged = jobs.len() - waiting;
    let is_news = asked["known"].as_u64().is_none_or(|known| known < judged as u64);
    let title = jobs.folder().and_then(std::path::Path::file_name).unwrap_or_default();
    let head = json!({
        "version": 1,
        "kind": "folder",
        "program": format!("diya {}", env!("CARGO_PKG_VERSION")),
        "title": title.to_string_lossy(),
        "dataset": jobs.folder().map(|folder| folder.display().to_string()),
        "totals": { "jobs": jobs.len() },
        "judged": judged,
        "questions": [],
    });
    if !is_news {
        return fleet_answer(head, &[]);
    }
    let rows = numbers().map(|number| row(jobs, number)).collect();
    fleet_answer(head, &[FleetTable::of_rows("jobs", &COLUMNS, rows)])
}

fn row(jobs: &Jobs, number: usize) -> Vec<Value> {
    let integer = |of: usize| Value::Integer(i64::try_from(of).unwrap_or(i64::MAX));
    let size = i64::try_from(jobs.size_bytes(number)).unwrap_or(i64::MAX);
    let path = jobs.path(number);
    let mut row = vec![
        integer(number),
        Value::Text(path.clone()),
        Value::Text(jobs.name_of(number)),
        Value::Integer(size),
    ];
    match jobs.known(number) {
        Known::Judged(facts) => row.extend(of_facts(&facts, &path)),
        Known::Refused(reason) => {
            row.resize(COLUMNS.len() - 2, Value::Null);
            row.push(Value::Text(format!("cannot be read: {reason}")));
            row.push(Value::Null);
        }
        Known::Nothing => row.resize(COLUMNS.len(), Value::Null),
    }
    row
}

/// The columns from `start_s` on.
fn of_facts(facts: &Facts, path: &str) -> [Value; 13] {
    let Facts { verdict, job, .. } = facts;
    let text = |of: Option<String>| of.map_or(Value::Null, Value::Text);
    let real = |of: Option<f64>| of.map_or(Value::Null, Value::Real);
    let integer = |of: Option<i64>| of.map_or(Value::Null, Value::Integer);
    let count = |of: usize| Value::Integer(i64::try_from(of).unwrap_or(i64::MAX));
    let start = job.start.as_deref().and_then(|at| at.parse::<jiff::Timestamp>().ok());
    let exe = job.command.as_deref().and_then(|command| command.split_whitespace().next());
    let kind = json!(verdict.kind).as_str().map(str::to_owned);
    [
        integer(start.map(jiff::Timestamp::as_second)),
        text(diya_fleet::user_of_path(path, exe)),
        text(exe.map(|exe| diya_fleet::program(exe, job.command.as_deref()))),
        integer(job.nprocs),
        real(verdict.run_s.or(job.run_s)),
        real(verdict.io_s),
        integer(verdict.bytes),
        text(kind),
        count(facts.high),
        count(facts.warn),
        real(facts.saved_s),
        text(facts.first.clone()),
        Value::Text(verdict.text.clone()),
    ]
}
