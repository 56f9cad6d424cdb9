//! A log that is read, written and read again gives the same tables.

use arrow_array::RecordBatch;
use arrow_select::concat::concat_batches;
use diya_read::{Request, Selection, Serial, read};
use diya_tables::{BatchSource, TableId, Tables};
use diya_testkit::{corpus_logs, damages, shared_logs};
use diya_write::darshan::{Compression, DarshanOptions, write};
use std::path::{Path, PathBuf};

/// Larger logs would hold the test up and show nothing new.
const MAX_BYTES: usize = 4 << 20;

fn tables(log: &Vec<u8>) -> Option<Tables> {
    let mut tables = Tables::new();
    let request = Request {
        source: log,
        log: 0,
        log_name: "log",
        outer_compression: None,
        selection: &Selection::all(),
        workers: &Serial,
    };
    read(&request, &mut tables).ok().map(|()| tables)
}

/// Cells of each table but those that describe the bytes or the way they were read.
fn content(mut tables: Tables) -> Vec<(&'static str, RecordBatch)> {
    let calls = std::mem::take(&mut tables.calls).finish();
    let heatmap = std::mem::take(&mut tables.heatmap).finish();
    let mut out = Vec::new();
    for id in TableId::ALL {
        let def = id.def();
        let columns: Vec<usize> = (0..def.columns.len()).collect();
        let whole = |source: &dyn BatchSource| {
            let batches: Vec<_> =
                (0..source.batches()).map(|p| source.batch(p, &columns)).collect();
            concat_batches(&def.arrow_schema(), &batches).expect("one schema")
        };
        match id {
            TableId::Module | TableId::Job | TableId::ReadIssue => {}
            TableId::Call => out.push((def.name, whole(&calls))),
            TableId::Heatmap => out.push((def.name, whole(&heatmap))),
            _ => out.extend(tables.take(id).map(|t| (def.name, t.into_batch()))),
        }
    }
    out
}

fn written(tables: &Tables, compression: Compression) -> Vec<u8> {
    let options = DarshanOptions { compression, has_threads: true };
    write(tables, 0, &options).expect("tables of a log").bytes
}

fn logs_of_341(paths: Vec<PathBuf>) -> impl Iterator<Item = (PathBuf, Vec<u8>)> {
    let logs = paths.into_iter().filter_map(|path| std::fs::read(&path).ok().map(|b| (path, b)));
    logs.filter(|(_, log)| log.starts_with(b"3.41\0") && log.len() < MAX_BYTES)
}

fn assert_same(path: &Path, before: Tables, after: Tables) {
    let (before, after) = (content(before), content(after));
    let names = |all: &[(&'static str, RecordBatch)]| all.iter().map(|t| t.0).collect::<Vec<_>>();
    assert_eq!(names(&before), names(&after), "{}", path.display());
    for ((name, before), (_, after)) in before.iter().zip(&after) {
        assert!(before == after, "{}: table {name} differs", path.display());
    }
}

#[test]
fn every_log_of_this_version_comes_back_whole() {
    for (path, log) in logs_of_341(corpus_logs().into_iter().chain(shared_logs()).collect()) {
        let before = tables(&log).expect("a log");
        let after = tables(&written(&before, Compression::Zlib)).expect("a log that diya wrote");
        let issues = |t: &Tables, kind: &str| {
            let issues = t.table(TableId::ReadIssue);
            issues.map_or(0, |t| (0..t.rows()).filter(|&r| t.str(1, r) == Some(kind)).count())
        };
        assert_eq!(issues(&before, "partial_module"), issues(&after, "partial_module"));
        if issues(&before, "known_defect") == 0 {
            assert_same(&path, before, after);
        }
    }
}

#[test]
fn every_compression_gives_the_same_tables() {
    for (path, log) in logs_of_341(corpus_logs()) {
        let before = tables(&log).expect("a log");
        for compression in [Compression::Bzip2, Compression::Stored] {
            let after = tables(&written(&before, compression)).expect("a log that diya wrote");
            assert_same(&path, tables(&log).expect("a log"), after);
        }
    }
}

#[test]
fn the_job_comes_back_whole() {
    for (path, log) in logs_of_341(corpus_logs()) {
        let before = tables(&log).expect("a log");
        let after = tables(&written(&before, Compression::Zlib)).expect("a log that diya wrote");
        let job = |t: &Tables| t.table(TableId::Job).cloned();
        let (before, after) = (job(&before).expect("a job"), job(&after).expect("a job"));
        let (before, after) = (before.into_batch(), after.into_batch());
        for column in 0..before.num_columns() {
            let name = before.schema().field(column).name().clone();
            if name != "compression" && name != "is_big_endian" {
                assert_eq!(before.column(column), after.column(column), "{}", path.display());
            }
        }
    }
}

#[test]
fn names_have_the_ids_that_darshan_gives_them() {
    let mut names = 0;
    for (path, log) in logs_of_341(corpus_logs()) {
        let tables = tables(&log).expect("a log");
        let Some(files) = tables.table(TableId::File) else { continue };
        for row in 0..files.rows() {
            let path_of_file = files.str(diya_tables::file::PATH, row).unwrap_or_default();
            let id = diya_tables::record_id(path_of_file.as_bytes());
            assert_eq!(files.u64(diya_tables::file::FILE_ID, row), Some(id), "{}", path.display());
            names += 1;
        }
    }
    assert!(names > 1000, "the corpus has thousands of names");
}

#[test]
fn what_is_left_of_a_damaged_log_can_be_written() {
    for (path, log) in logs_of_341(corpus_logs()).filter(|(_, log)| log.len() < 100_000) {
        for (seed, damage) in (1..).zip(damages(log.len(), 4, 16, 8, log.len() as u64)) {
            let Some(before) = tables(&damage.apply(&log)) else { continue };
            let after = tables(&written(&before, Compression::Stored)).expect("a whole log");
            let records = |t: Tables| -> Vec<_> {
                // Names of heat maps that were lost are known, and come back; the
                // host of a record goes with the last of its segments.
                let is_kept = |name: &str| !["file", "rank_host"].contains(&name);
                content(t).into_iter().filter(|(name, _)| is_kept(name)).collect()
            };
            let (before, after) = (records(before), records(after));
            let differing = before.iter().zip(&after).find(|(before, after)| before != after);
            let differing = differing.map(|((table, _), _)| *table);
            let place = format!("{}: {seed}: {damage:?}", path.display());
            assert_eq!((differing, before.len()), (None, after.len()), "{place}");
        }
    }
}
