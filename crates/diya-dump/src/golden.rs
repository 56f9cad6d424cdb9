//! Texts of the real programs, compared line by line.
//!
//! The samples are in `corpus/parser-output`. Explanations are left out on both
//! sides: only what a script can look for has to be the same.

use super::{DumpOptions, DumpReport, dump, dump_dxt, tables_of_dump, tables_of_dxt};
use diya_read::{Request, Selection, Serial, TableSet};
use diya_tables::Tables;
use diya_testkit::corpus_log;

/// Beginnings of the comment lines that scripts look for.
const FOR_SCRIPTS: [&str; 33] = [
    "# darshan log version:",
    "# compression method:",
    "# exe:",
    "# uid:",
    "# jobid:",
    "# start_time",
    "# end_time",
    "# nprocs:",
    "# run time:",
    "# metadata:",
    "# log file regions",
    "# header:",
    "# job data:",
    "# record table:",
    "# mounted file systems",
    "# mount entry:",
    "# Total file counts",
    "# <file_type> <file_count>",
    "# total:",
    "# read_only:",
    "# write_only:",
    "# read_write:",
    "# unique:",
    "# shared:",
    "# performance",
    "# total_bytes:",
    "# I/O timing for",
    "# unique files:",
    "# shared files:",
    "# Aggregate performance",
    "# agg_",
    "# DXT",
    "# Module ",
];

fn is_for_scripts(line: &str) -> bool {
    let is_module = line.ends_with(" module data") || line.contains(" module: ");
    !line.starts_with('#') || is_module || FOR_SCRIPTS.iter().any(|start| line.starts_with(start))
}

fn lines_for_scripts(text: &str) -> Vec<&str> {
    text.lines().filter(|line| is_for_scripts(line)).collect()
}

fn bytes_of(log: &str) -> Vec<u8> {
    std::fs::read(corpus_log(&format!("{log}.darshan"))).expect("a log of the corpus")
}

fn tables_of(bytes: &[u8]) -> Option<Tables> {
    read(bytes, TableSet::ALL)
}

fn read(bytes: &[u8], wanted: TableSet) -> Option<Tables> {
    let mut tables = Tables::new();
    let request = Request {
        source: &bytes.to_vec(),
        log: 0,
        log_name: "log",
        outer_compression: None,
        selection: &Selection::tables(wanted),
        workers: &Serial,
    };
    diya_read::read(&request, &mut tables).ok().map(|()| tables)
}

fn printed(tables: &Tables, kind: &str) -> (String, DumpReport) {
    let mut out = Vec::new();
    let only = DumpOptions::default();
    let report = match kind {
        "base" => dump(&mut out, tables, &DumpOptions { base: true, ..only }),
        "total" => dump(&mut out, tables, &DumpOptions { total: true, ..only }),
        "perf" => dump(&mut out, tables, &DumpOptions { perf: true, ..only }),
        "file" => dump(&mut out, tables, &DumpOptions { file: true, ..only }),
        "file-list" => dump(&mut out, tables, &DumpOptions { file_list_detailed: true, ..only }),
        "all" => dump(&mut out, tables, &DumpOptions::all()),
        _ => dump_dxt(&mut out, tables, &only),
    };
    (String::from_utf8(out).expect("text"), report.expect("a vector takes everything"))
}

/// How much of the text of the original the sample holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sample {
    Whole,
    /// Its first lines.
    Start,
}

/// Compares with the texts of a log: that of the corpus, or one beside the texts.
fn compare(log: &str, kind: &str, extent: Sample) {
    let folder = diya_testkit::root().join("corpus/parser-output");
    let sample = folder.join(format!("{log}.{kind}.txt"));
    let beside = folder.join(format!("{log}.darshan"));
    let log = if beside.is_file() { beside } else { corpus_log(&format!("{log}.darshan")) };
    let expected = std::fs::read_to_string(&sample).expect("the sample is text");
    let bytes = std::fs::read(log).expect("the log can be read");
    let (text, report) = printed(&tables_of(&bytes).expect("a log"), kind);
    let (found, expected) = (lines_for_scripts(&text), lines_for_scripts(&expected));
    for (number, (found, expected)) in found.iter().zip(&expected).enumerate() {
        assert_eq!(found, expected, "line {number} of {}", sample.display());
    }
    assert!(found.len() >= expected.len(), "lines are missing");
    if extent == Sample::Whole {
        assert_eq!(found.len(), expected.len(), "lines of {}", sample.display());
    }
    assert_eq!(report, DumpReport::default());
}

#[test]
fn counters_are_those_of_darshan_parser() {
    compare("rank0_writer", "base", Sample::Whole);
    compare("ior_mpiio_coll_hints", "base", Sample::Start);
}

#[test]
fn totals_are_those_of_darshan_parser() {
    compare("rank0_writer", "total", Sample::Whole);
    compare("ior_mpiio_coll_hints", "total", Sample::Whole);
}

#[test]
fn bandwidth_is_that_of_darshan_parser() {
    compare("rank0_writer", "perf", Sample::Whole);
    compare("ior_mpiio_coll_hints", "perf", Sample::Whole);
}

#[test]
fn file_counts_are_those_of_darshan_parser() {
    compare("rank0_writer", "file", Sample::Whole);
    compare("ior_mpiio_coll_hints", "file", Sample::Whole);
}

#[test]
fn traces_are_those_of_darshan_dxt_parser() {
    compare("rank0_writer", "dxt", Sample::Whole);
    compare("ior_mpiio_coll_hints", "dxt", Sample::Start);
}

#[test]
fn the_tables_asked_for_are_enough() {
    for log in ["ior_mpiio_coll_hints", "hdf5_coll_cols", "stdio_text"] {
        let bytes = bytes_of(log);
        for (kind, wanted) in [("all", tables_of_dump()), ("dxt", tables_of_dxt())] {
            let some = read(&bytes, wanted).expect("a log");
            let all = tables_of(&bytes).expect("a log");
            assert_eq!(printed(&some, kind), printed(&all, kind), "{log} {kind}");
        }
    }
}

/// Input is hostile: tables of damaged logs print, whatever they hold.
#[test]
fn damaged_logs_print_without_a_panic() {
    for log in ["ior_mpiio_coll_hints", "hdf5_coll_cols", "pnetcdf_coll_cols", "stdio_text"] {
        let bytes = bytes_of(log);
        for damage in diya_testkit::damages(bytes.len(), 10, 60, 30, 7) {
            let Some(tables) = tables_of(&damage.apply(&bytes)) else { continue };
            for kind in ["all", "file-list", "dxt"] {
                let (text, _) = printed(&tables, kind);
                assert!(text.contains("# log file regions\n"), "{log} {damage:?} {kind}");
            }
        }
    }
}

#[test]
fn a_module_with_missing_records_ends_the_text() {
    let tables = tables_of(&bytes_of("limit_files_default")).expect("a log");
    let (text, report) = printed(&tables, "perf");
    assert_eq!(report.stopped_at.as_deref(), Some("POSIX"));
    assert!(!text.contains("# agg_perf_by_slowest:"));
    let (text, report) = printed(&tables, "all");
    assert_eq!(report, DumpReport::default());
    assert!(text.contains("# *WARNING*: The POSIX module contains incomplete data!\n"));
    assert!(text.contains("# agg_perf_by_slowest:"));
}
