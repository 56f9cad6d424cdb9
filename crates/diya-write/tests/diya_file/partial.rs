//! A reader touches only the blocks that hold what is asked for, and no more
//! memory than a real file of the size would need.

use crate::common::{alone, batches, own_trace, read_as};
use diya_read::{Request, Selection, Serial, Source, SourceError, TableSet, read};
use diya_tables::{Call, CallRun, CallTable, Layer, Op, TableId, Tables, read_issue};
use diya_testkit::{corpus_logs, peak_bytes_of};
use diya_write::diya_file::{Effort, Writer, encode_calls, to_bytes};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Mutex;

/// Counts the bytes asked for.
struct Watched {
    file: Vec<u8>,
    asked: Mutex<u64>,
}

impl Source for Watched {
    fn len(&self) -> u64 {
        Source::len(&self.file)
    }

    fn bytes(&self, range: Range<u64>) -> Result<Cow<'_, [u8]>, SourceError> {
        *self.asked.lock().expect("no thread has failed") += range.end - range.start;
        Source::bytes(&self.file, range)
    }
}

fn watch(file: Vec<u8>, selection: &Selection) -> (Tables, u64) {
    let source = Watched { file, asked: Mutex::new(0) };
    let mut tables = Tables::new();
    let request = Request {
        source: &source,
        log: 0,
        log_name: "file",
        outer_compression: None,
        selection,
        workers: &Serial,
    };
    read(&request, &mut tables).expect("a diya file");
    (tables, source.asked.into_inner().expect("no thread has failed"))
}

/// A file per rank, a chunk for each of four ranks.
fn four_ranks() -> Vec<u8> {
    let mut tables = Tables::new();
    for rank in 0..4 {
        let mut calls = CallTable::default();
        for call in 0..10_000_u64 {
            let run = CallRun::new(0, Layer::Posix, Op::Write, 100 + rank as u64, rank);
            let start_s = (call * 1_000 + call * call % 97) as f64 / 1e9;
            calls.push(run, Call { start_s, end_s: start_s + 1e-7, ..Call::default() });
        }
        tables.calls.append(calls);
    }
    to_bytes(&tables, "test")
}

#[test]
fn blocks_of_other_ranks_and_files_are_not_read() {
    let _alone = alone();
    let file = four_ranks();
    let all = watch(file.clone(), &Selection::all());
    let one_rank = Selection { ranks: Some(2..=2), ..Selection::all() };
    let one_file = Selection { file_ids: Some([102].into_iter().collect()), ..Selection::all() };
    for selection in [one_rank, one_file] {
        let (tables, asked) = watch(file.clone(), &selection);
        assert_eq!(tables.calls.rows(), 10_000);
        assert!(tables.calls.chunk(0).runs.iter().all(|run| run.rank == 2));
        assert!(asked < all.1 / 3, "{asked} of {} bytes", all.1);
    }
}

#[test]
fn calls_inside_a_block_are_chosen_one_by_one() {
    let _alone = alone();
    let file = to_bytes(&own_trace(1000), "test");
    let wanted = Selection { ranks: Some(1..=1), ..Selection::all() };
    let (tables, _) = watch(file, &wanted);
    let runs = tables.calls.runs();
    let mut ranks: Vec<i32> = runs.map(|run| run.rank).collect();
    ranks.sort_unstable();
    ranks.dedup();
    // Calls of all ranks concern every rank.
    assert_eq!(ranks, [-1, 1]);
    let same = own_trace(1000).calls.chunk(0).call_id.values().to_vec();
    let kept = tables.calls.chunk(0).call_id.values().to_vec();
    assert!(kept.len() < same.len() && kept.iter().all(|id| same.contains(id)));
}

#[test]
fn what_a_log_gives_for_a_selection_its_diya_file_gives_too() {
    let _alone = alone();
    let path = corpus_logs().into_iter().find(|p| p.ends_with("ior_mpiio_coll_hints.darshan"));
    let log = std::fs::read(path.expect("a log of the corpus")).expect("it can be read");
    let whole = read_as(&log, 0, "file", &Selection::all()).expect("a log");
    let file = to_bytes(&whole, "test");
    let posix = Selection::tables(TableSet::NONE.with(TableId::Posix));
    let ranks = Selection { ranks: Some(2..=3), ..Selection::all() };
    let none = Selection { file_ids: Some([1].into_iter().collect()), ..Selection::all() };
    for selection in [posix, ranks, none] {
        let of_log = read_as(&log, 0, "file", &selection).expect("a log");
        let of_file = watch(file.clone(), &selection).0;
        for id in [TableId::Job, TableId::Posix, TableId::Mpiio, TableId::Heatmap, TableId::Call] {
            assert_eq!(of_file.rows(id), of_log.rows(id), "{}", id.def().name);
        }
    }
}

#[test]
fn a_file_that_unfolds_to_very_much_is_cut_off() {
    let _alone = alone();
    let mut calls = CallTable::default();
    for _ in 0..65_536 {
        let run = CallRun::new(0, Layer::Posix, Op::Write, 1, 0);
        calls.push(run, Call { start_s: 1.0, end_s: 2.0, ..Call::default() });
    }
    let block = encode_calls(&calls, &calls.chunk(0), Effort::Small);
    assert!(block.stored_bytes() < 500);
    let mut writer = Writer::new(Vec::new(), "test").expect("a vector takes all bytes");
    for _ in 0..2000 {
        writer.push(&block).expect("a vector takes all bytes");
    }
    let file = writer.finish().expect("a vector takes all bytes");
    let (peak, (tables, _)) = peak_bytes_of(|| watch(file, &Selection::all()));
    assert!(peak < 512 << 20, "{peak} bytes");
    let mut tables = tables;
    let kinds = tables.take(TableId::ReadIssue).expect("the cut is said");
    assert_eq!(kinds.str(read_issue::KIND, 0), Some("limit"));
    assert!(!batches(tables).is_empty());
}
