//! Calls in, rows out.

use super::*;
use crate::{Selection, Serial};
use diya_tables::{TableId, Tables, op_count, posix, process, region};

fn known(name: &'static str) -> Known<'static> {
    known_function(name).expect("a function").into()
}

fn tables(has_nesting: bool, calls: &[(&'static str, i64, i64, Option<i64>)]) -> Tables {
    wanted(&Selection::all(), has_nesting, calls)
}

fn wanted(
    selection: &Selection,
    has_nesting: bool,
    calls: &[(&'static str, i64, i64, Option<i64>)],
) -> Tables {
    let bytes: Vec<u8> = Vec::new();
    let request = Request {
        source: &bytes,
        log: 0,
        log_name: "made",
        outer_compression: None,
        selection,
        workers: &Serial,
    };
    let mut assembly = Assembly::new(&request);
    let process = assembly.process(Process { start_ns: 1000, ..Process::default() });
    let file_id = assembly.file("/tmp/a", "file");
    for (name, start_ns, end_ns, size) in calls {
        assembly.call(&TracedCall {
            process,
            thread: 7,
            function: known(name),
            file_id,
            offset: None,
            size: *size,
            requested: *size,
            start_ns: *start_ns,
            end_ns: *end_ns,
            error: None,
            aux: None,
        });
    }
    assembly.region(&Region {
        process,
        thread: Some(7),
        name: "step",
        category: "",
        step: None,
        start_ns: 1000,
        end_ns: 3000,
    });
    let about = About {
        format: "strace",
        has_durations: true,
        has_nesting,
        has_threads: true,
        ..About::default()
    };
    let mut tables = Tables::new();
    assembly.finish(&about, &mut tables);
    tables
}

#[test]
fn counters_and_sums_follow_from_the_calls() {
    let tables = tables(false, &[("write", 2000, 3000, Some(10)), ("write", 4000, 6000, Some(20))]);
    let counters = tables.table(TableId::Posix).expect("counters");
    assert_eq!(counters.i64(posix::WRITES, 0), Some(2));
    assert_eq!(counters.i64(posix::BYTES_WRITTEN, 0), Some(30));
    assert_eq!(counters.f64(posix::F_WRITE_TIME, 0), Some(3e-6));
    // The offsets are not known, so neither is how far the file goes.
    assert_eq!(counters.i64(posix::MAX_BYTE_WRITTEN, 0), None);
    assert_eq!(counters.i64(posix::SIZE_WRITE_0_100, 0), Some(2));
    let sums = tables.table(TableId::OpCount).expect("sums");
    assert_eq!((sums.rows(), sums.i64(op_count::CALLS, 0)), (1, Some(2)));
    assert_eq!(sums.i64(op_count::BYTES, 0), Some(30));
    let regions = tables.table(TableId::Region).expect("a region");
    assert_eq!(
        (regions.f64(region::START_S, 0), regions.f64(region::END_S, 0)),
        (Some(0.0), Some(2e-6))
    );
}

#[test]
fn a_call_inside_another_has_a_parent_and_its_time_is_not_counted_twice() {
    let calls = [("write", 2000, 3000, Some(10)), ("fwrite", 1000, 5000, Some(10))];
    let tables = tables(true, &calls);
    let chunk = &tables.calls.chunk(0);
    assert_eq!((chunk.parent_id.get(0), chunk.parent_id.get(1)), (chunk.call_id.get(1), None));
    let sums = tables.table(TableId::OpCount).expect("sums");
    let fwrite = (0..sums.rows()).find(|row| sums.str(op_count::FUNCTION, *row) == Some("fwrite"));
    let exclusive_s = sums.f64(op_count::EXCLUSIVE_S, fwrite.expect("its sums"));
    assert_eq!(exclusive_s, Some(3e-6));
}

#[test]
fn times_beyond_all_numbers_do_not_stop_the_count() {
    let call = |name| (name, i64::MIN / 2, i64::MAX, Some(10));
    let calls = [call("write"), call("write"), call("write"), call("fwrite")];
    let tables = tables(true, &calls);
    assert_eq!(tables.calls.rows(), 4);
}

#[test]
fn transfers_without_sizes_have_no_bytes() {
    let tables = tables(false, &[("write", 2000, 3000, None)]);
    let counters = tables.table(TableId::Posix).expect("counters");
    assert_eq!(counters.i64(posix::WRITES, 0), Some(1));
    assert_eq!(counters.i64(posix::BYTES_WRITTEN, 0), None);
    let sums = tables.table(TableId::OpCount).expect("sums");
    assert_eq!((sums.i64(op_count::CALLS, 0), sums.i64(op_count::BYTES, 0)), (Some(1), None));
}

#[test]
fn calls_that_no_table_needs_are_counted_and_not_kept() {
    let selection = Selection::tables(WITHOUT_CALLS);
    let tables = wanted(&selection, false, &[("write", 2000, 3000, Some(10))]);
    assert_eq!(tables.calls.rows(), 0);
    let processes = tables.table(TableId::Process).expect("a process");
    assert_eq!(processes.i64(process::CALLS_RECORDED, 0), Some(1));
}

#[test]
fn threads_with_many_calls_and_with_few_keep_their_order() {
    let few = vec![("write", 2000, 3000, Some(10)); 3];
    let many = vec![("write", 2000, 3000, Some(10)); 100_000];
    for calls in [few, many] {
        let tables = tables(true, &calls);
        let ids = tables.calls.chunks().flat_map(|of| of.call_id.values().to_vec());
        assert!(ids.eq(0..calls.len() as u64));
        let counters = tables.table(TableId::Posix).expect("counters");
        assert_eq!(counters.i64(posix::WRITES, 0), i64::try_from(calls.len()).ok());
    }
}
