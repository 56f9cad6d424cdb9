//! Aggregates in the text format of Prometheus: a series for each system, question or status,
//! never for a job, a user or a program.

use super::markdown::KINDS;
use super::{Digest, Row, plain};
use std::fmt::Write as _;

/// Columns of the table of systems: name of the series, column, meaning.
const OF_SYSTEM: [(&str, &str, &str); 6] = [
    ("jobs", "jobs", "Jobs of the dataset"),
    ("core_hours", "core_hours", "Processes times run time of these jobs, in hours"),
    ("io_core_hours", "io_core_hours", "Core-hours of these jobs in I/O"),
    ("recoverable_core_hours", "recoverable_core_hours", "Estimated saving of all fixes"),
    ("read_bytes", "bytes_read", "Bytes that these jobs read"),
    ("written_bytes", "bytes_written", "Bytes that these jobs wrote"),
];

impl Digest {
    /// The file for the textfile collector of the node exporter.
    pub fn prometheus(&self, now_s: f64) -> String {
        let mut out = String::new();
        let number = |row: &Row, name: &str| row.get(name).and_then(serde_json::Value::as_f64);
        for (name, column, help) in OF_SYSTEM {
            let of = |row: &Row| (plain(row.get("system")), number(row, column).unwrap_or(0.0));
            series(&mut out, name, help, Some("system"), self.systems.iter().map(of));
        }
        let of = |row: &Row| (plain(row.get("status")), number(row, "files").unwrap_or(0.0));
        let help = "Files that were looked at, by what became of them";
        series(&mut out, "files", help, Some("status"), self.files.iter().map(of));
        let open = self.open.iter().map(|(name, open)| (name.clone(), *open as f64));
        series(&mut out, "open_problems", "Problems that are open", Some("question"), open);
        for (kind, heading) in KINDS {
            let name = format!("{}_problems", heading.to_lowercase());
            let count = |question: &str| {
                let of = self.of(kind).filter(|section| section.question == question);
                of.map(|section| section.changes.len()).sum::<usize>() as f64
            };
            let all = self.open.iter().map(|(question, _)| (question.clone(), count(question)));
            let help = format!("Problems of the last digest that are {}", heading.to_lowercase());
            series(&mut out, &name, &help, Some("question"), all);
        }
        let single = [
            ("users_to_call", "Users to call in the last digest", self.calls.len() as f64),
            ("digest_timestamp_seconds", "When the last digest was written", now_s),
        ];
        for (name, help, value) in single {
            series(&mut out, name, help, None, [(String::new(), value)].into_iter());
        }
        out
    }
}

fn series(
    out: &mut String,
    name: &str,
    help: &str,
    label: Option<&str>,
    values: impl Iterator<Item = (String, f64)>,
) {
    // Writing to a String does not fail.
    let _ = writeln!(out, "# HELP diya_fleet_{name} {help}\n# TYPE diya_fleet_{name} gauge");
    for (of, value) in values {
        let label = label.map(|label| format!("{{{label}=\"{}\"}}", escaped(&of)));
        let _ = writeln!(out, "diya_fleet_{name}{} {value}", label.unwrap_or_default());
    }
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
