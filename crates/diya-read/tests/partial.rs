//! A reader touches only what the tables asked for need.

use diya_read::{Request, Selection, Serial, Source, SourceError, TableSet, read};
use diya_tables::{TableId, Tables};
use diya_testkit::corpus_logs;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Mutex;

/// Remembers which bytes were asked for.
struct Watched {
    log: Vec<u8>,
    asked: Mutex<Vec<Range<u64>>>,
}

impl Source for Watched {
    fn len(&self) -> u64 {
        Source::len(&self.log)
    }

    fn bytes(&self, range: Range<u64>) -> Result<Cow<'_, [u8]>, SourceError> {
        self.asked.lock().expect("no thread has failed").push(range.clone());
        Source::bytes(&self.log, range)
    }
}

fn watch(selection: &Selection) -> (Tables, Vec<Range<u64>>) {
    let path = corpus_logs().into_iter().find(|p| p.ends_with("ior_mpiio_coll_hints.darshan"));
    let log = std::fs::read(path.expect("a log of the corpus")).expect("it can be read");
    let source = Watched { log, asked: Mutex::new(Vec::new()) };
    let mut tables = Tables::new();
    let request = Request {
        source: &source,
        log: 0,
        log_name: "log",
        outer_compression: None,
        selection,
        workers: &Serial,
    };
    read(&request, &mut tables).expect("a log of the corpus");
    let asked = source.asked.into_inner().expect("no thread has failed");
    (tables, asked)
}

/// Where a module lies in the log.
fn region(tables: &Tables, name: &str) -> Range<u64> {
    let t = tables.table(TableId::Module).expect("module rows always come");
    let row = (0..t.rows()).find(|row| t.str(1, *row) == Some(name)).expect("the module is there");
    let start = t.u64(4, row).expect("an offset");
    start..start + t.u64(5, row).expect("a size")
}

#[test]
fn counters_are_read_without_the_trace_and_the_names() {
    let (tables, asked) = watch(&Selection::tables(TableSet::NONE.with(TableId::Posix)));
    assert_eq!(tables.rows(TableId::Posix), 1);
    assert_eq!(tables.rows(TableId::Call), 0);
    for untouched in ["DXT_POSIX", "DXT_MPIIO", "HEATMAP", "MPI-IO", "names"] {
        let region = region(&tables, untouched);
        let is_touched = asked.iter().any(|r| r.start < region.end && region.start < r.end);
        assert!(!is_touched || region.start < 1328, "{untouched} was read");
    }
}

#[test]
fn the_trace_is_read_without_the_counters() {
    let (tables, asked) = watch(&Selection::tables(TableSet::NONE.with(TableId::Call)));
    assert_eq!(tables.rows(TableId::Call), 1152);
    assert_eq!(tables.rows(TableId::Posix), 0);
    let region = region(&tables, "STDIO");
    assert!(!asked.iter().any(|r| r.start < region.end && region.start < r.end));
}

#[test]
fn ranks_and_files_that_are_not_wanted_leave_no_rows() {
    let all = watch(&Selection::all()).0;
    let two = Selection { ranks: Some(2..=3), ..Selection::all() };
    let (tables, _) = watch(&two);
    let ranks = |t: &Tables| {
        let mut ranks: Vec<i32> = t.calls.runs().map(|run| run.rank).collect();
        ranks.sort_unstable();
        ranks.dedup();
        ranks
    };
    assert_eq!(ranks(&tables), [2, 3]);
    assert_eq!(ranks(&all), [0, 1, 2, 3, 4, 5, 6, 7]);
    // Records of all ranks concern every rank.
    assert_eq!(tables.rows(TableId::Mpiio), 1);
    let none = Selection { file_ids: Some([1].into_iter().collect()), ..Selection::all() };
    let (tables, _) = watch(&none);
    assert_eq!((tables.rows(TableId::Call), tables.rows(TableId::Posix)), (0, 0));
}

#[test]
fn a_cut_log_is_said_to_be_cut_whatever_is_asked_of_it() {
    let path = corpus_logs().into_iter().find(|p| p.ends_with("fsync_many.darshan"));
    let log = std::fs::read(path.expect("a log of the corpus")).expect("it can be read");
    let cut = log[..9000].to_vec();
    let selection = Selection::tables(TableSet::NONE.with(TableId::Posix));
    let mut tables = Tables::new();
    let request = Request {
        source: &cut,
        log: 0,
        log_name: "cut",
        outer_compression: None,
        selection: &selection,
        workers: &Serial,
    };
    read(&request, &mut tables).expect("the header is whole");
    let issues = tables.table(TableId::ReadIssue).expect("the cut is said");
    assert_eq!(issues.str(1, 0), Some("truncated"));
    assert_eq!(issues.str(2, 0), Some("DXT_POSIX"));
}
