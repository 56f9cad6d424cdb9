//! The text of a log gives the tables of the log.

use crate::{Request, Selection, Serial, read};
use diya_tables::{TableId, Tables, file, job, posix, read_issue};
use diya_testkit::{corpus_log, root};

fn of(bytes: &[u8]) -> Tables {
    let source = bytes.to_vec();
    let mut tables = Tables::new();
    let request = Request {
        source: &source,
        log: 0,
        log_name: "made",
        outer_compression: None,
        selection: &Selection::all(),
        workers: &Serial,
    };
    read(&request, &mut tables).expect("a log");
    tables
}

fn sample(name: &str) -> Vec<u8> {
    std::fs::read(root().join("corpus/parser-output").join(name)).expect("a sample")
}

/// The log that a sample is the text of.
fn log_of(name: &str) -> Vec<u8> {
    let beside = root().join(format!("corpus/parser-output/{name}.darshan"));
    let path = if beside.exists() { beside } else { corpus_log(&format!("{name}.darshan")) };
    std::fs::read(path).expect("a log")
}

fn issues(tables: &Tables) -> Vec<String> {
    let Some(rows) = tables.table(TableId::ReadIssue) else { return Vec::new() };
    (0..rows.rows()).filter_map(|row| Some(rows.str(read_issue::KIND, row)?.into())).collect()
}

/// Cells of a table as text, real numbers with the digits that are printed.
fn cells(tables: &Tables, id: TableId) -> Vec<Vec<String>> {
    let Some(table) = tables.table(id) else { return Vec::new() };
    let cell = |row, column| {
        let integer = table.i64(column, row).map(|n| n.to_string());
        let real = table.f64(column, row).map(|n| format!("{n:.4}"));
        let id = table.u64(column, row).map(|n| n.to_string());
        let rank = table.i32(column, row).map(|n| n.to_string());
        let text = table.str(column, row).map(str::to_string);
        integer.or(real).or(id).or(rank).or(text).unwrap_or_else(|| "null".into())
    };
    (0..table.rows())
        .map(|row| (0..id.def().columns.len()).map(|column| cell(row, column)).collect())
        .collect()
}

#[test]
fn counters_of_the_text_are_those_of_the_log() {
    for name in ["rank0_writer", "ior_mpiio_coll_hints"] {
        let text = of(&sample(&format!("{name}.base.txt")));
        let log = of(&log_of(name));
        for id in [TableId::Posix, TableId::Mpiio, TableId::Stdio, TableId::SizeHistogram] {
            assert_eq!(cells(&text, id), cells(&log, id), "{name} {}", id.def().name);
        }
        // The other sample ends inside of its heat map.
        if name == "rank0_writer" {
            let bins = |tables: &Tables| -> Vec<(i32, Vec<i64>, Vec<i64>)> {
                let records = tables.heatmap.records().iter();
                records.map(|r| (r.rank, r.read.clone(), r.write.clone())).collect()
            };
            assert_eq!(bins(&text), bins(&log));
        }
        let is_cut = name == "ior_mpiio_coll_hints";
        assert_eq!(issues(&text).is_empty(), !is_cut, "{name}: {:?}", issues(&text));
        let (text, log) = (cells(&text, TableId::File), cells(&log, TableId::File));
        let path = |cells: &Vec<Vec<String>>| {
            cells.iter().map(|row| row[file::PATH].clone()).collect::<Vec<_>>()
        };
        assert!(path(&text).iter().all(|one| path(&log).contains(one)), "{name}");
    }
}

#[test]
fn calls_of_the_text_are_those_of_the_log() {
    let text = of(&sample("rank0_writer.dxt.txt"));
    let log = of(&log_of("rank0_writer"));
    let calls = |tables: &Tables| -> Vec<(i64, i64, String)> {
        let chunks = tables.calls.chunks();
        let all = chunks.flat_map(|chunk| (0..chunk.len()).map(move |at| chunk.call(at)));
        all.map(|c| (c.offset_bytes, c.size_bytes, format!("{:.4}", c.start_s))).collect()
    };
    assert_eq!(calls(&text), calls(&log));
    assert!(calls(&text).len() > 10);
    // Counters are in the other text.
    assert_eq!(issues(&text), ["not_recorded", "not_recorded"]);
}

#[test]
fn the_head_is_the_job() {
    let text = of(&sample("rank0_writer.base.txt"));
    let rows = text.table(TableId::Job).expect("a job");
    assert_eq!((rows.i64(job::NPROCS, 0), rows.f64(job::RUN_TIME_S, 0)), (Some(8), Some(9.0999)));
    assert_eq!(rows.str(job::EXE, 0), Some("/opt/bench/bin/cases"));
    assert_eq!(
        (rows.str(job::LIBRARY_VERSION, 0), rows.str(job::COMPRESSION, 0)),
        (Some("3.5.0"), Some("text"))
    );
}

#[test]
fn a_cut_or_damaged_text_says_so() {
    for name in ["rank0_writer.base.txt", "rank0_writer.dxt.txt"] {
        let whole = sample(name);
        let quiet = issues(&of(&whole));
        for at in (1200..whole.len() - 40).step_by(97) {
            let found = issues(&of(&whole[..at]));
            let is_between_lines = whole[at - 1] == b'\n';
            assert!(found != quiet || is_between_lines, "{name} cut at {at}: {found:?}");
        }
    }
    let text = String::from_utf8(sample("rank0_writer.base.txt")).expect("text");
    let odd = text.replacen("POSIX_WRITES\t32", "POSIX_WRITES\t3x2", 1);
    let tables = of(odd.as_bytes());
    assert_eq!(issues(&tables), ["corrupt"]);
    assert_eq!(tables.table(TableId::Posix).and_then(|rows| rows.i64(posix::WRITES, 0)), None);
}
