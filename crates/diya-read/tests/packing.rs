//! The same log in another packing gives the same tables.

use arrow_array::RecordBatch;
use arrow_select::concat::concat_batches;
use diya_read::{Request, Selection, Serial, Workers, read};
use diya_tables::{BatchSource, TableId, Tables};
use diya_testkit::{Packing, corpus_logs, repack, shared_logs};

/// Two workers in name: the chunks of a split region, one after the other.
struct Two;

impl Workers for Two {
    fn width(&self) -> usize {
        2
    }

    fn run(&self, tasks: usize, work: &(dyn Fn(usize) + Sync)) {
        (0..tasks).rev().for_each(work);
    }
}

fn tables(log: &Vec<u8>, workers: &dyn Workers) -> Tables {
    let mut tables = Tables::new();
    let request = Request {
        source: log,
        log: 0,
        log_name: "log",
        outer_compression: None,
        selection: &Selection::all(),
        workers,
    };
    read(&request, &mut tables).expect("a log of the corpus");
    tables
}

/// All cells of the tables that do not describe the packing itself.
fn content(mut tables: Tables) -> Vec<RecordBatch> {
    let calls = std::mem::take(&mut tables.calls).finish();
    let heatmap = std::mem::take(&mut tables.heatmap).finish();
    let mut out = Vec::new();
    for id in TableId::ALL {
        let columns: Vec<usize> = (0..id.def().columns.len()).collect();
        match id {
            TableId::Module | TableId::Job => {}
            TableId::Call => out.extend((0..calls.batches()).map(|p| calls.batch(p, &columns))),
            TableId::Heatmap => {
                out.extend((0..heatmap.batches()).map(|p| heatmap.batch(p, &columns)));
            }
            _ => out.extend(tables.take(id).map(|t| t.into_batch())),
        }
    }
    out
}

fn zlib_logs() -> Vec<Vec<u8>> {
    let logs = corpus_logs().into_iter().filter_map(|path| std::fs::read(path).ok());
    logs.filter(|log| log.starts_with(b"3.41\0") && log[16] == 0).collect()
}

#[test]
fn every_compression_gives_the_same_tables() {
    for log in zlib_logs() {
        let expected = content(tables(&log, &Serial));
        for packing in [Packing::Zlib, Packing::Bzip2, Packing::Stored] {
            assert!(content(tables(&repack(&log, packing), &Serial)) == expected, "{packing:?}");
        }
    }
}

#[test]
fn records_may_lie_across_streams() {
    for log in zlib_logs() {
        let expected = content(tables(&log, &Serial));
        for chunks in [2, 7] {
            let packed = repack(&log, Packing::ZlibChunks(chunks));
            assert!(content(tables(&packed, &Serial)) == expected, "{chunks} streams");
            assert!(content(tables(&packed, &Two)) == expected, "{chunks} streams, two workers");
        }
    }
}

#[test]
fn a_region_read_in_chunks_gives_the_same_calls() {
    // Only logs of a megabyte and more are split; the corpus has none.
    for path in shared_logs() {
        let size = std::fs::metadata(&path).map_or(0, |about| about.len());
        if !(1 << 20..16 << 20).contains(&size) {
            continue;
        }
        let log = std::fs::read(&path).expect("a log that is there");
        assert!(calls(&log, &Serial) == calls(&log, &Two), "{}", path.display());
    }
}

/// Table `call` as one batch: chunks and chunks end in different places.
fn calls(log: &Vec<u8>, workers: &dyn Workers) -> RecordBatch {
    let calls = std::mem::take(&mut tables(log, workers).calls).finish();
    let columns: Vec<usize> = (0..TableId::Call.def().columns.len()).collect();
    let batches: Vec<RecordBatch> =
        (0..calls.batches()).map(|p| calls.batch(p, &columns)).collect();
    concat_batches(&TableId::Call.def().arrow_schema(), &batches).expect("one schema")
}
