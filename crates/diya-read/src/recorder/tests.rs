//! Files of a trace in, rows out, and what happens when they are damaged.

use super::*;
use crate::{Selection, Serial};
use diya_tables::{TableBuilder, TableId, file, posix, read_issue, region};

const NAMES: &str = "open\nwrite\nMPI_File_open\nMPI_File_write_at\nMPI_File_set_view\numask\n";
const OPEN: u8 = 0;
const WRITE: u8 = 1;
const VIEW: u8 = 4;
const UMASK: u8 = 5;

/// A trace of version 2.5 with one rank.
struct Made {
    files: Vec<(&'static str, Vec<u8>)>,
}

impl Made {
    /// Signatures (function, depth, arguments), rules and times.
    fn new(
        signatures: &[(u8, u8, &str)],
        rules: &[(i32, &[(i32, i32)])],
        times: &[(u32, u32)],
    ) -> Self {
        let mut metadata = Vec::new();
        metadata.extend(1i32.to_le_bytes());
        metadata.extend([0; 4]);
        metadata.extend(1_700_000_000f64.to_le_bytes());
        metadata.extend(1e-7f64.to_le_bytes());
        metadata.extend([0; 16]);
        metadata.extend(NAMES.as_bytes());
        let mut cst = i32::try_from(signatures.len()).expect("few").to_le_bytes().to_vec();
        for (id, (function, depth, args)) in (0i32..).zip(signatures) {
            let count = u8::try_from(args.matches(' ').count()).expect("few");
            let mut key = [0; 8].to_vec();
            key.extend([*function, *depth, count]);
            key.extend(i32::try_from(args.len()).expect("short").to_le_bytes());
            key.extend(args.as_bytes());
            cst.extend(id.to_le_bytes());
            cst.extend(0i32.to_le_bytes());
            cst.extend(i32::try_from(key.len()).expect("short").to_le_bytes());
            cst.extend(1u32.to_le_bytes());
            cst.extend(key);
        }
        let mut cfg = i32::try_from(rules.len()).expect("few").to_le_bytes().to_vec();
        for (id, symbols) in rules {
            cfg.extend(id.to_le_bytes());
            cfg.extend(i32::try_from(symbols.len()).expect("few").to_le_bytes());
            cfg.extend(
                symbols.iter().flat_map(|(symbol, n)| [symbol, n]).flat_map(|n| n.to_le_bytes()),
            );
        }
        let ts = times.iter().flat_map(|(a, b)| [a, b]).flat_map(|n| n.to_le_bytes()).collect();
        let version = b"2.5.0".to_vec();
        let files = [
            ("0.cfg", cfg),
            ("0.cst", cst),
            ("0.ts", ts),
            ("VERSION", version),
            (MAIN_MEMBER, metadata),
        ];
        Self { files: files.into() }
    }

    fn without(mut self, name: &str) -> Self {
        self.files.retain(|(of, _)| *of != name);
        self
    }

    fn with(mut self, name: &'static str, bytes: &[u8]) -> Self {
        self.files.push((name, bytes.to_vec()));
        self
    }

    fn tar(&self) -> Vec<u8> {
        let mut archive = tar::Builder::new(Vec::new());
        for (name, bytes) in &self.files {
            let mut header = tar::Header::new_ustar();
            header.set_size(bytes.len() as u64);
            archive
                .append_data(&mut header, format!("trace/{name}"), bytes.as_slice())
                .expect("memory");
        }
        archive.into_inner().expect("memory")
    }

    fn read(&self) -> Result<Tables, ReadError> {
        let source = self.tar();
        let request = Request {
            source: &source,
            log: 0,
            log_name: "made",
            outer_compression: None,
            selection: &Selection::all(),
            workers: &Serial,
        };
        let mut tables = Tables::new();
        crate::read(&request, &mut tables).map(|()| tables)
    }

    fn tables(&self) -> Tables {
        self.read().expect("a trace")
    }
}

/// Three writes of 10 bytes after an open.
fn writes(rules: &[(i32, &[(i32, i32)])], times: &[(u32, u32)]) -> Made {
    Made::new(&[(OPEN, 0, "/tmp/a 66 420 "), (WRITE, 0, "/tmp/a %p 10 ")], rules, times)
}

fn kinds(tables: &Tables) -> Vec<String> {
    let issues: Option<&TableBuilder> = tables.table(TableId::ReadIssue);
    let rows = issues.map_or(0, TableBuilder::rows);
    let kind =
        |row| issues.and_then(|issues| issues.str(read_issue::KIND, row)).map(str::to_string);
    (0..rows).filter_map(kind).filter(|kind| kind != "misfit").collect()
}

/// Function, offset, start and end in ticks of each call.
fn calls(tables: &Tables) -> Vec<(String, Option<i64>, i64, i64)> {
    let mut all = Vec::new();
    for chunk in tables.calls.chunks() {
        let mut at = 0;
        for run in &chunk.runs {
            for place in at..at + run.len {
                let call = chunk.call(place);
                let name = run.function.map_or("", |function| tables.calls.name(function));
                let ticks = |s: f64| (s * 1e7).round() as i64;
                let offset = run.has_offset.then_some(call.offset_bytes);
                all.push((name.to_string(), offset, ticks(call.start_s), ticks(call.end_s)));
            }
            at += run.len;
        }
    }
    all
}

const TIMES: [(u32, u32); 4] = [(0, 5), (10, 12), (10, 13), (10, 11)];

#[test]
fn rules_inside_rules_become_calls_with_offsets() {
    let tables =
        writes(&[(-1, &[(0, 1), (-2, 1)]), (-2, &[(-3, 3)]), (-3, &[(1, 1)])], &TIMES).tables();
    let call = |name: &str, offset, start, end| (name.to_string(), offset, start, end);
    let expected = [
        call("open", None, 0, 5),
        call("write", Some(0), 10, 12),
        call("write", Some(10), 20, 23),
        call("write", Some(20), 30, 31),
    ];
    assert_eq!(calls(&tables), expected);
    let counters = tables.table(TableId::Posix).expect("counters");
    assert_eq!(counters.i64(posix::BYTES_WRITTEN, 0), Some(30));
    let files = tables.table(TableId::File).expect("files");
    assert_eq!(files.str(file::PATH, 0), Some("/tmp/a"));
    assert!(kinds(&tables).is_empty());
}

#[test]
fn a_rule_that_holds_itself_ends() {
    let tables = writes(&[(-1, &[(0, 1), (-2, 7)]), (-2, &[(1, 1), (-2, 1)])], &TIMES).tables();
    assert!(calls(&tables).is_empty());
    assert_eq!(kinds(&tables), ["corrupt", "corrupt"]);
}

#[test]
fn rules_that_make_no_calls_do_not_take_time() {
    let most = i32::MAX;
    let rules: [(i32, &[(i32, i32)]); 3] =
        [(-1, &[(-2, most), (0, 1), (1, 3)]), (-2, &[(-3, most)]), (-3, &[])];
    assert_eq!(calls(&writes(&rules, &TIMES).tables()).len(), 4);
}

#[test]
fn calls_without_times_and_times_without_calls_are_issues() {
    let tables = writes(&[(-1, &[(0, 1), (1, i32::MAX)])], &TIMES).tables();
    assert_eq!((calls(&tables).len(), kinds(&tables)), (4, vec!["truncated".to_string()]));
    let tables = writes(&[(-1, &[(0, 1)])], &TIMES).tables();
    assert_eq!((calls(&tables).len(), kinds(&tables)), (1, vec!["corrupt".to_string()]));
}

#[test]
fn an_end_before_its_start_shows_that_32_bits_were_not_enough() {
    let long = writes(&[(-1, &[(0, 1), (1, 1)])], &[(10, 4), (20, 21)]).tables();
    assert_eq!(calls(&long)[0].3 - calls(&long)[0].2, (1 << 32) - 6);
    // The second call began before the first, in another thread.
    let earlier = writes(&[(-1, &[(0, 1), (1, 1)])], &[(100, 120), (u32::MAX - 49, 5)]).tables();
    let times: Vec<(i64, i64)> = calls(&earlier).iter().map(|call| (call.2, call.3)).collect();
    assert_eq!(times, [(100, 120), (50, 105)]);
}

#[test]
fn a_relative_path_of_a_new_file_is_that_of_the_calls_after_it() {
    let made = Made::new(
        &[(OPEN, 0, "a 66 420 "), (WRITE, 0, "/tmp/a %p 10 ")],
        &[(-1, &[(0, 1), (1, 2)])],
        &[(0, 5), (10, 12), (10, 12)],
    );
    let tables = made.tables();
    assert_eq!(calls(&tables)[2].1, Some(10));
    let files = tables.table(TableId::File).expect("files");
    assert_eq!((files.rows(), files.str(file::PATH, 0)), (1, Some("/tmp/a")));
}

#[test]
fn a_position_is_unknown_after_opening_for_appending() {
    let made = Made::new(
        &[(OPEN, 0, "/tmp/a 1025 "), (WRITE, 0, "/tmp/a %p 10 ")],
        &[(-1, &[(0, 1), (1, 1)])],
        &[(0, 5), (10, 12)],
    );
    assert_eq!(calls(&made.tables())[1].1, None);
}

#[test]
fn elements_of_a_view_are_bytes_where_the_type_has_a_size() {
    let open = (2, 0, "MPI_COMM_WORLD /tmp/m 9 %p 0-0 ");
    let write = (3, 0, "0-0 3 %p 2 MPI_DOUBLE MPI_STATUS_IGNORE ");
    let read = |view: &str| {
        let rules: [(i32, &[(i32, i32)]); 1] = [(-1, &[(0, 1), (1, 1), (2, 1)])];
        let made = Made::new(&[open, (VIEW, 0, view), write], &rules, &[(0, 1), (2, 3), (4, 5)]);
        calls(&made.tables())[2].clone()
    };
    assert_eq!(read("0-0 100 MPI_DOUBLE MPI_DOUBLE %p %p ").1, Some(124));
    assert_eq!(read("0-0 100 MPI_DOUBLE MPI_TYPE_UNKNOWN %p %p ").1, None);
}

#[test]
fn functions_that_are_no_io_are_regions() {
    let tables = Made::new(&[(UMASK, 0, "18 ")], &[(-1, &[(0, 2)])], &[(0, 1), (2, 3)]).tables();
    let regions = tables.table(TableId::Region).expect("regions");
    assert_eq!((regions.rows(), regions.str(region::NAME, 0)), (2, Some("umask")));
}

#[test]
fn a_rank_without_its_files_is_missing() {
    let made = || writes(&[(-1, &[(0, 1), (1, 3)])], &TIMES);
    assert_eq!(kinds(&made().without("0.ts").tables()), ["missing_rank"]);
    let other = made().without("0.cfg").with("0.cfg", b"no grammar");
    assert!(kinds(&other.tables()).contains(&"corrupt".to_string()));
}

#[test]
fn a_trace_of_an_unknown_version_is_refused_with_a_way_out() {
    let made = || writes(&[(-1, &[(0, 1)])], &TIMES[..1]);
    for (made, found) in [
        (made().without("VERSION"), "the file is missing"),
        (made().without("VERSION").with("VERSION", b"9.1.0"), "version \"9.1.0\""),
        (made().with("recorder.ts", b""), "development build"),
        (made().without(MAIN_MEMBER), "the file is missing"),
        (made().without(MAIN_MEMBER).with(MAIN_MEMBER, b"short"), "5 bytes"),
    ] {
        let message = made.read().expect_err("it cannot be read").to_string();
        assert!(message.contains(found) && message.contains("name the directory"), "{message}");
    }
}

#[test]
fn a_record_of_2_2_holds_what_differs_from_one_of_the_last_three() {
    let mut itf = Vec::new();
    let mut record = |status: u8, result: i32, function: u8, args: &str| {
        itf.push(status);
        itf.extend([0i32, 1, result].iter().flat_map(|n| n.to_le_bytes()));
        itf.push(function);
        itf.extend(args.as_bytes());
        itf.push(b'\n');
    };
    record(0, 7, OPEN, " /tmp/a 2");
    record(0, 0, WRITE, " 7 %p 10");
    // The third argument of the last call is another one.
    record(0x84, 0, 0, " 20");
    // The same call as two before, and one that is not there.
    record(0x80, 0, 1, "");
    record(0x80, 0, 9, "");
    let found: Vec<String> = {
        let mut records = records::Records::of(&itf);
        let text = |record: records::Record<'_>| {
            let args: Vec<_> = record.args.iter().map(|arg| String::from_utf8_lossy(arg)).collect();
            format!("{} {}", record.function, args.join(" "))
        };
        let found = records.by_ref().map(text).collect();
        assert_eq!(records.damaged, 1);
        found
    };
    assert_eq!(found, ["0 /tmp/a 2", "1 7 %p 10", "1 7 %p 20", "1 7 %p 10"]);
}
