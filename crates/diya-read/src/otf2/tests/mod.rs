//! Files of an archive in, rows out, and what happens when they are damaged.

mod builder;
mod messages;
mod metrics;

use builder::{Events, Field, Made, anchor, definitions, read, record};
use diya_tables::{TableBuilder, TableId, Tables, file, job, posix, process, read_issue, region};

const MAIN: u64 = 0;
const WRITE: u64 = 1;
const READ: u64 = 2;
const OPEN: u64 = 3;
const IWRITE: u64 = 4;
const WAIT: u64 = 5;
const VIEW: u64 = 7;
const H5DWRITE: u64 = 9;

const IS_READ: u8 = 0;
const IS_WRITE: u8 = 1;
const BLOCKING: (u64, u64) = (0, 0);

/// A call: function, offset, size, start and end in nanoseconds.
type Row = (String, Option<i64>, Option<i64>, i64, i64);

fn calls(tables: &Tables) -> Vec<Row> {
    let mut all = Vec::new();
    for chunk in tables.calls.chunks() {
        let mut at = 0;
        for run in &chunk.runs {
            for place in at..at + run.len {
                let call = chunk.call(place);
                let name = run.function.map_or("", |function| tables.calls.name(function));
                let ns = |s: f64| (s * 1e9).round() as i64;
                let offset = run.has_offset.then_some(call.offset_bytes);
                let size = run.has_size.then_some(call.size_bytes);
                all.push((name.to_string(), offset, size, ns(call.start_s), ns(call.end_s)));
            }
            at += run.len;
        }
    }
    all
}

fn row(name: &str, offset: Option<i64>, size: Option<i64>, start: i64, end: i64) -> Row {
    (name.to_string(), offset, size, start, end)
}

fn kinds(tables: &Tables) -> Vec<String> {
    let issues: Option<&TableBuilder> = tables.table(TableId::ReadIssue);
    let rows = issues.map_or(0, TableBuilder::rows);
    let kind =
        |row| issues.and_then(|issues| issues.str(read_issue::KIND, row)).map(str::to_string);
    (0..rows).filter_map(kind).collect()
}

fn opened(handle: u64, status: u64) -> Events {
    use Field::{Byte, Short};
    let fields = [Short(handle), Byte(2), Short(1), Short(status)];
    let events = Events::default();
    // `open` is no function of the library that the other handles are of.
    if handle > 0 {
        return events.record(1000, 69, &fields);
    }
    events.enter(1000, OPEN).record(1005, 69, &fields).leave(1010, OPEN)
}

/// A transfer in a function of 10 ns.
fn transfer(events: Events, at: u64, region: u64, handle: u64, bytes: (u64, u64)) -> Events {
    let mode = if region == READ { IS_READ } else { IS_WRITE };
    let begun = events.enter(at, region).begin(at + 1, (handle, mode), bytes.0, BLOCKING);
    begun.complete(at + 9, handle, bytes.1, 0).leave(at + 10, region)
}

#[test]
fn functions_with_operations_are_calls_with_offsets_that_follow() {
    use Field::{Byte, Short};
    let events = transfer(opened(0, 0), 1020, WRITE, 0, (100, 100));
    let events = transfer(events, 1040, WRITE, 0, (100, 60));
    let sought = [Short(0), Short(8), Byte(0), Short(8)];
    let events = events.record(1060, 72, &sought);
    let events = transfer(events, 1070, READ, 0, (50, 50));
    let events = events.enter(1090, WRITE).offset(1091, 4096);
    let events = events.begin(1091, (0, IS_WRITE), 10, BLOCKING).complete(1095, 0, 10, 0);
    let events = transfer(events.leave(1100, WRITE), 1110, READ, 0, (5, 5));
    let tables = Made::new(&[events]).tables();
    let expected = [
        row("open", None, None, 0, 10),
        row("write", Some(0), Some(100), 20, 30),
        row("write", Some(100), Some(60), 40, 50),
        row("seek", None, None, 60, 60),
        row("read", Some(8), Some(50), 70, 80),
        row("write", Some(4096), Some(10), 90, 100),
        row("read", Some(58), Some(5), 110, 120),
    ];
    assert_eq!(calls(&tables), expected);
    let counters = tables.table(TableId::Posix).expect("counters");
    assert_eq!(counters.i64(posix::BYTES_WRITTEN, 0), Some(170));
    let files = tables.table(TableId::File).expect("files");
    assert_eq!(files.str(file::PATH, 0), Some("/tmp/a"));
    let jobs = tables.table(TableId::Job).expect("a job");
    assert_eq!(jobs.i64(job::START_TIME, 0), Some(7000));
    assert_eq!(jobs.str(job::LOG_VERSION, 0), Some("3.2.0"));
    let processes = tables.table(TableId::Process).expect("a process");
    assert_eq!(processes.str(process::HOST, 0), Some("host"));
    assert!(kinds(&tables).is_empty(), "{:?}", kinds(&tables));
}

#[test]
fn appending_hides_the_offset_and_a_failure_moves_nothing() {
    let events = transfer(opened(0, 0b10), 1020, WRITE, 0, (100, 100));
    assert_eq!(calls(&Made::new(&[events]).tables())[1].1, None);
    let events = transfer(opened(0, 0), 1020, WRITE, 0, (100, u64::MAX));
    let events = transfer(events, 1040, WRITE, 0, (7, 7));
    let found = calls(&Made::new(&[events]).tables());
    assert_eq!((found[1].2, found[2].1), (None, Some(0)));
}

#[test]
fn an_offset_of_all_bits_is_not_known() {
    let events = transfer(opened(0, 0).offset(1021, u64::MAX), 1021, WRITE, 0, (100, 100));
    assert_eq!(calls(&Made::new(&[events]).tables())[1].1, Some(0));
    let events = opened(0, 0).enter(1020, WRITE).offset(1021, u64::MAX);
    let events = events.begin(1021, (0, IS_WRITE), 10, BLOCKING).complete(1025, 0, 10, 0);
    assert_eq!(calls(&Made::new(&[events.leave(1030, WRITE)]).tables())[1].1, None);
}

#[test]
fn copies_of_a_handle_share_its_position() {
    use Field::Short;
    let events = transfer(opened(0, 0), 1020, WRITE, 0, (100, 100));
    let events = events.record(1040, 71, &[Short(0), Short(3), Short(0)]);
    let events = transfer(events, 1050, WRITE, 3, (5, 5));
    let events = transfer(events, 1070, WRITE, 0, (5, 5));
    let found = calls(&Made::new(&[events]).tables());
    assert_eq!((found[3].1, found[4].1), (Some(100), Some(105)));
}

#[test]
fn an_operation_that_ends_later_is_a_call_of_the_function_that_began_it() {
    let later = (1, 7);
    let events = opened(1, 0).enter(1020, IWRITE).begin(1021, (1, IS_WRITE), 100, later);
    let events = events.leave(1030, IWRITE).enter(1040, WAIT).complete(1050, 1, 90, 7);
    let found = calls(&Made::new(&[events.clone().leave(1060, WAIT)]).tables());
    assert_eq!(found[1], row("MPI_File_iwrite", Some(0), Some(90), 20, 30));
    assert_eq!(found[2], row("MPI_Wait", None, None, 40, 60));
    // A wait for something else is no call.
    let events = events.leave(1060, WAIT).enter(1070, WAIT);
    let tables = Made::new(&[events.leave(1080, WAIT)]).tables();
    let regions = tables.table(TableId::Region).expect("regions");
    assert_eq!((regions.rows(), regions.str(region::NAME, 0)), (1, Some("MPI_Wait")));
    // One that never ends is there without what it moved.
    let events = opened(1, 0).enter(1020, IWRITE).begin(1021, (1, IS_WRITE), 100, later);
    let tables = Made::new(&[events.leave(1030, IWRITE)]).tables();
    assert_eq!(calls(&tables)[1], row("MPI_File_iwrite", Some(0), None, 20, 30));
    assert_eq!(kinds(&tables), ["truncated"]);
}

#[test]
fn an_operation_in_a_function_of_another_layer_is_a_call_of_its_own() {
    let events = opened(0, 0).enter(1020, H5DWRITE).begin(1022, (0, IS_WRITE), 8, BLOCKING);
    let events = events.complete(1025, 0, 8, 0).leave(1030, H5DWRITE);
    let found = calls(&Made::new(&[events]).tables());
    assert_eq!(found[1], row("write", Some(0), Some(8), 22, 25));
    assert_eq!(found[2], row("H5Dwrite", None, None, 20, 30));
}

#[test]
fn several_operations_in_a_function_are_several_calls() {
    let events = opened(0, 0).enter(1020, WRITE).begin(1022, (0, IS_WRITE), 8, BLOCKING);
    let events = events.complete(1025, 0, 8, 0).begin(1026, (0, IS_WRITE), 4, BLOCKING);
    let found = calls(&Made::new(&[events.complete(1028, 0, 4, 0).leave(1030, WRITE)]).tables());
    assert_eq!(found[1], row("write", Some(8), Some(4), 26, 28));
    assert_eq!(found[2], row("write", Some(0), Some(8), 20, 30));
}

#[test]
fn offsets_of_mpi_are_unknown_behind_a_view() {
    let events = opened(1, 0).enter(1012, VIEW).leave(1014, VIEW).enter(1020, IWRITE);
    let events = events.offset(1021, 64).begin(1021, (1, IS_WRITE), 8, BLOCKING);
    let events = events.complete(1025, 1, 8, 0).leave(1030, IWRITE);
    assert_eq!(calls(&Made::new(&[events]).tables())[2].1, None);
}

#[test]
fn a_function_that_is_no_io_is_a_region() {
    let events = Events::default().enter(1000, MAIN).leave(1500, MAIN);
    let tables = Made::new(&[events]).tables();
    let regions = tables.table(TableId::Region).expect("regions");
    assert_eq!((regions.rows(), regions.str(region::NAME, 0)), (1, Some("main")));
    assert_eq!(regions.f64(region::END_S, 0), Some(5e-7));
}

#[test]
fn threads_share_what_is_open_in_the_order_of_time() {
    let first = transfer(opened(0, 0), 1020, WRITE, 0, (100, 100));
    let first = transfer(first, 1060, WRITE, 0, (1, 1));
    let second = transfer(Events::default(), 1040, WRITE, 0, (50, 50));
    let mut offsets: Vec<_> =
        calls(&Made::new(&[first, second]).tables()).iter().map(|call| (call.3, call.1)).collect();
    offsets.sort_unstable();
    assert_eq!(offsets[1..], [(20, Some(0)), (40, Some(100)), (60, Some(150))]);
}

#[test]
fn numbers_and_clocks_of_a_location_become_those_of_all() {
    use Field::{Byte, Full, Short};
    let events = transfer(Events::default(), 2000, 5, 0, (8, 8));
    // Region 5 of the location is 1; a second table of the kind does not count.
    let local = definitions(&[
        record(5, &[Byte(3), Short(1), Byte(1), Short(5), Short(WRITE)]),
        record(5, &[Byte(3), Short(1), Byte(0), Short(3)]),
        record(5, &[Byte(13), Short(1), Byte(0), Short(3)]),
        // The clock is 100 behind at 1000, and 200 at 3000.
        record(6, &[Full(1000), Short(100), Full(0)]),
        record(6, &[Full(3000), Short(200), Full(0)]),
    ]);
    let start = Events::default().enter(1000, MAIN).leave(1500, MAIN);
    let made = Made::new(&[start, events]).with("traces/1.def", local);
    assert_eq!(calls(&made.tables()), [row("write", None, Some(8), 1150, 1160)]);
}

#[test]
fn events_go_on_in_the_next_chunk() {
    let mut events = opened(0, 0);
    for at in 0..100 {
        events = transfer(events, 2000 + 20 * at, WRITE, 0, (10, 10));
    }
    let mut made = Made::new(&[events]);
    let tables = made.tables();
    assert_eq!((calls(&tables).len(), calls(&tables)[100].1), (101, Some(990)));
    assert!(kinds(&tables).is_empty());
    // A chunk that makes no sense: those before and behind it are read.
    let file = made.file("traces/0.evt");
    let chunks = file.len() / builder::CHUNK_BYTES;
    file[3 * builder::CHUNK_BYTES..][..30].fill(0xee);
    let tables = made.tables();
    assert!(calls(&tables).len() > 101 - 2 * 100 / chunks, "{}", calls(&tables).len());
    assert!(kinds(&tables).contains(&"corrupt".to_string()));
    assert!(kinds(&tables).contains(&"not_recorded".to_string()));
}

#[test]
fn what_is_missing_is_an_issue() {
    let events = || transfer(opened(0, 0), 1020, WRITE, 0, (100, 100));
    let cut = |bytes| {
        let mut made = Made::new(&[events()]);
        let file = made.file("traces/0.evt");
        file.truncate(file.len() - bytes);
        kinds(&made.tables())
    };
    assert_eq!(cut(1), ["truncated"]);
    // The second function is not left, and its event is missing.
    assert_eq!(cut(2), ["truncated", "corrupt", "not_recorded", "unfinished"]);
    let made = Made::new(&[events()]).without("traces/0.evt");
    assert_eq!(kinds(&made.tables()), ["missing_process"]);
    let mut made = Made::new(&[events()]);
    made.file("traces.def").pop();
    assert_eq!(kinds(&made.tables()), ["truncated"]);
    let unknown = events().record(1100, 120, &[Field::Short(1)]).leave(1200, MAIN);
    assert_eq!(kinds(&Made::new(&[unknown]).tables()), ["unknown_version", "corrupt"]);
    let other = transfer(opened(2, 0), 1020, MAIN, 2, (10, 10));
    assert_eq!(kinds(&Made::new(&[other]).tables()), ["corrupt", "unknown_module"]);
}

#[test]
fn announced_events_beyond_all_numbers_are_missing() {
    let location = |id: u64| {
        let fields = [id, 0, u64::MAX, 0].map(Field::Short);
        record(14, &[&fields[..2], &[Field::Byte(1)], &fields[2..]].concat())
    };
    let extra = [location(7), location(8)];
    let mut made = Made::with_definitions(&[opened(0, 0), opened(0, 0)], &extra);
    let events = made.file("traces/0.evt").clone();
    let made = made.with("traces/7.evt", events.clone()).with("traces/8.evt", events);
    assert_eq!(kinds(&made.tables()), ["not_recorded"]);
}

#[test]
fn an_archive_that_cannot_be_read_is_refused_with_a_way_out() {
    let made = || Made::new(&[opened(0, 0)]);
    for (made, found) in [
        (made().without("traces.def"), "traces.def at byte 512: the file is missing"),
        (made().with("traces.otf2", anchor(2, 1)), "SIONlib"),
        (made().with("traces.otf2", anchor(1, 2)), "compressed"),
        (made().with("traces.otf2", anchor(9, 1)), "number 9"),
        (made().with("traces.otf2", anchor(1, 1)[..20].to_vec()), "the anchor is cut"),
        (made().with("traces.otf2", b"words".to_vec()), "no file begins like an anchor"),
    ] {
        let message = made.read().expect_err("it cannot be read").to_string();
        assert!(message.contains(found) && message.contains("name the directory"), "{message}");
    }
    let message = read(&anchor(1, 1)).expect_err("it is alone").to_string();
    assert!(message.contains("the anchor alone"), "{message}");
}
