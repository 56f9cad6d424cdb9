//! Every view answers on every kind of log, with rows or without, and counts the same seconds.

use diya::diagnose::{CheckSet, MetricRows, diagnose};
use diya::input::Input;
use diya::report::Report;
use diya::views::VIEWS;
use diya::{OpenOptions, Session};
use std::collections::BTreeMap;

#[test]
fn every_view_is_a_query_that_runs() {
    let wanted = ["hdf5_coll_cols.darshan", "phases_ckpt.darshan", "nonmpi_cp.darshan"];
    let paths = diya_testkit::corpus_logs().into_iter();
    let paths = paths.filter(|path| wanted.iter().any(|name| path.ends_with(name)));
    let read = |path: std::path::PathBuf| {
        let bytes = std::fs::read(&path).expect("it can be read");
        Input::from_bytes(path.display().to_string(), bytes)
    };
    let logs: Vec<Input> = paths.map(read).collect();
    assert_eq!(logs.len(), wanted.len());
    let mut session = Session::new(logs, OpenOptions::default());
    for view in VIEWS {
        let name = format!("{} {}", view.subject, view.name);
        assert!(!view.title().is_empty() && view.title().is_ascii(), "{name}: {}", view.title());
        let answers = session.ask(&view.sql(None)).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(answers.len(), 1, "{name}");
    }
}

#[test]
fn every_file_of_a_subject_is_a_view() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/views");
    for entry in
        std::fs::read_dir(folder).expect("the views").flatten().filter(|e| e.path().is_dir())
    {
        let subject = entry.file_name().to_string_lossy().into_owned();
        for file in std::fs::read_dir(entry.path()).expect("a subject").flatten() {
            let name = file.file_name().to_string_lossy().into_owned();
            let is_view =
                |v: &diya::views::View| v.subject == subject && name == format!("{}.sql", v.name);
            assert!(VIEWS.iter().any(is_view), "{subject}/{name} is not in views/mod.rs");
        }
    }
}

/// Seconds of a metric table by some of its columns.
fn sums(report: &Report, table: &str, by: &[&str]) -> BTreeMap<String, f64> {
    let mut sums = BTreeMap::new();
    let Some(table) = report.metrics.get(table) else { return sums };
    let at = |name: &str| table.columns.iter().position(|column| column.name == name);
    for row in &table.rows {
        let key: Vec<String> =
            by.iter().filter_map(|name| at(name)).map(|at| format!("{:?}", row[at])).collect();
        let time_s = at("time_s").and_then(|at| row[at].number()).expect("seconds");
        *sums.entry(key.join(" ")).or_default() += time_s;
    }
    sums
}

/// Verdict, bar, strip of the timeline and view of the ranks: the same seconds under the same
/// names, in all logs of the repository and those of `DIYA_ROUND` (a folder of recordings).
#[test]
fn every_view_counts_the_seconds_of_the_account() {
    let mut paths = diya_testkit::corpus_logs();
    paths.extend(diya_testkit::corpus_traces());
    if let Some(folder) = std::env::var_os("DIYA_ROUND") {
        let files = std::fs::read_dir(folder).expect("the folder of a round").flatten();
        paths.extend(
            files
                .map(|file| file.path())
                .filter(|path| path.extension().is_some_and(|of| of == "diya")),
        );
    }
    let set = CheckSet::builtin().expect("the built-in checks are valid");
    let mut placed = 0;
    for path in paths {
        let name = path.display().to_string();
        let Ok(inputs) = diya::input::logs(std::slice::from_ref(&path)) else { continue };
        let mut session = Session::new(inputs, OpenOptions::default());
        let reports = diagnose(&mut session, &set, &MetricRows::All(1_000_000));
        for report in reports.unwrap_or_else(|error| panic!("{name}: {error}")) {
            let close = |a: f64, b: f64| (a - b).abs() <= 1e-6 + 1e-6 * a.abs().max(b.abs());
            let account: f64 = report.time_account.iter().map(|row| row.time_s).sum();
            let bar: f64 = report.time_parts.iter().map(|part| part.time_s).sum();
            assert!(close(account, bar), "{name}: bar {bar}, account {account}");
            let io: f64 = report.time_parts.iter().filter(|p| p.is_io()).map(|p| p.time_s).sum();
            let said = report.verdict.io_s.unwrap_or(0.0);
            assert!(close(io, said), "{name}: verdict {said}, bar {io}");
            let of_account = sums(&report, "time_account", &["layer", "class"]);
            let strip = sums(&report, "account_window", &["layer", "class"]);
            let ranks = sums(&report, "account_rank", &["layer", "class"]);
            for (kind, time_s) in &strip {
                let all = of_account.get(kind).copied().unwrap_or(0.0);
                // Seconds between calls have no place in time.
                assert!(*time_s <= all + 1e-6, "{name}: {kind} {time_s} in time, {all} in all");
                let is_between =
                    ["library", "text", "wait", "map"].iter().any(|c| kind.contains(c));
                assert!(is_between || close(*time_s, all), "{name}: {kind} {time_s} of {all}");
                let of_ranks = ranks.get(kind).copied().unwrap_or(0.0);
                assert!(*time_s <= of_ranks + 1e-6, "{name}: {kind} {time_s}, ranks {of_ranks}");
                let is_one = sums(&report, "account_rank", &["rank"]).len() == 1;
                assert!(!is_one || of_ranks >= all - 1e-6 || is_between, "{name}: {kind}");
                placed += 1;
            }
        }
    }
    assert!(placed > 30, "{placed} classes have a place in time");
}
