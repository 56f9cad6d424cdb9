//! Tables written as a diya file and read again are the same tables.

use crate::common::{Numbers, alone, assert_same, own_trace, read_as};
use diya_read::Selection;
use diya_tables::{Call, CallRun, Layer, Op, TableId, Tables};
use diya_testkit::{corpus_logs, shared_logs};
use diya_write::diya_file::{Block, Writer, block_rows, encode, to_bytes};
use std::path::PathBuf;

/// Larger logs are left to the benchmarks.
const MAX_LOG_BYTES: u64 = 1 << 20;

#[test]
fn every_log_comes_back_as_it_was() {
    let _alone = alone();
    let mut logs: Vec<PathBuf> = corpus_logs();
    logs.extend(shared_logs());
    for path in logs {
        if std::fs::metadata(&path).map_or(0, |about| about.len()) > MAX_LOG_BYTES {
            continue;
        }
        let what = path.display().to_string();
        let bytes = std::fs::read(&path).expect("a log of the corpus can be read");
        // The shared logs hold some that are no logs.
        let Ok(tables) = read_as(&bytes, 0, &what, &Selection::all()) else { continue };
        let file = to_bytes(&tables, "test");
        let again = read_as(&file, 0, &what, &Selection::all()).expect("a diya file");
        assert_same(&what, tables, again);
    }
}

fn comes_back(what: &str, tables: Tables) {
    let file = to_bytes(&tables, "test");
    let again = read_as(&file, 0, what, &Selection::all()).expect("a diya file");
    assert_eq!(again.rows(TableId::ReadIssue), tables.rows(TableId::ReadIssue), "{what}");
    assert_same(what, tables, again);
}

#[test]
fn every_column_of_an_own_trace_comes_back() {
    let _alone = alone();
    // One call, and more than a chunk holds.
    for calls in [1, 2, 100, 70_000] {
        comes_back(&format!("{calls} calls"), own_trace(calls));
    }
}

#[test]
fn calls_inside_calls_come_back_and_cost_little() {
    let _alone = alone();
    let mut numbers = Numbers(11);
    let stored = |depth: u64, numbers: &mut Numbers| {
        let mut tables = Tables::new();
        let mut now_ns = 0;
        for round in 0..20_000 / depth {
            // Children return, and are recorded, first.
            let mut start = now_ns + 300 + 10 * numbers.below(4);
            let mut end = start + 500 + 10 * numbers.below(64);
            for level in 0..depth {
                let call_id = round * depth + level;
                let layer = Layer::ALL[level as usize];
                let call = Call {
                    start_s: start as f64 / 1e9,
                    end_s: end as f64 / 1e9,
                    call_id: Some(call_id),
                    parent_id: (level + 1 < depth).then_some(call_id + 1),
                    ..Call::default()
                };
                tables.calls.push(CallRun::new(0, layer, Op::Write, 1, 0), call);
                start -= 80;
                end += 60;
            }
            now_ns = end;
        }
        let stored = to_bytes(&tables, "test").len();
        comes_back("nested", tables);
        stored
    };
    let (flat, nested) = (stored(1, &mut numbers), stored(3, &mut numbers));
    assert!(nested < flat, "{nested} bytes nested, {flat} flat");
}

#[test]
fn no_rows_are_no_rows() {
    let _alone = alone();
    comes_back("nothing", Tables::new());
}

#[test]
fn numbers_at_the_limits_come_back() {
    let _alone = alone();
    let reals = [0.0, -0.0, 1.5, -1e300, 5e-324, f64::MAX, f64::INFINITY, 1e-9, 0.1, 123.456];
    let wholes = [0, -1, i64::MIN, i64::MAX, 255, 256, -128, 1 << 40];
    let mut tables = Tables::new();
    for (start_s, end_s) in reals.iter().zip(reals.iter().rev()) {
        for (offset_bytes, size_bytes) in wholes.iter().zip(wholes.iter().rev()) {
            let file_id = offset_bytes.cast_unsigned();
            let run = CallRun::new(0, Layer::Mpiio, Op::Read, file_id, i32::MAX);
            let call = Call {
                offset_bytes: *offset_bytes,
                size_bytes: *size_bytes,
                start_s: *start_s,
                end_s: *end_s,
                busy_s: Some(*end_s),
                call_id: Some(u64::MAX),
                parent_id: Some(file_id),
                aux: Some(*size_bytes),
                ..Call::default()
            };
            tables.calls.push(run, call);
        }
    }
    comes_back("limits", tables);
}

#[test]
fn times_of_each_clock_come_back_bit_for_bit() {
    let _alone = alone();
    let mut numbers = Numbers(7);
    // Whole nanoseconds; the difference of two readings of seconds since 1970;
    // anything.
    let clocks: [fn(u64) -> f64; 3] = [
        |n| (n % 1_000_000_000) as f64 / 1e9,
        |n| (1.7e9 + (n % 1_000_000) as f64 * 1e-6) - 1.7e9,
        |n| (n as f64).sqrt(),
    ];
    for clock in clocks {
        let mut tables = Tables::new();
        for _ in 0..3000 {
            let run = CallRun::new(0, Layer::Posix, Op::Write, 1, 0);
            let (start_s, end_s) = (clock(numbers.next()), clock(numbers.next()));
            tables.calls.push(run, Call { start_s, end_s, ..Call::default() });
        }
        comes_back("clock", tables);
    }
}

#[test]
fn log_number_and_name_are_those_of_the_reader() {
    let _alone = alone();
    let log = corpus_logs().into_iter().next().expect("a log");
    let bytes = std::fs::read(log).expect("it can be read");
    let tables = read_as(&bytes, 0, "first", &Selection::all()).expect("a log");
    let again = read_as(&to_bytes(&tables, "test"), 3, "second", &Selection::all());
    let again = again.expect("a diya file");
    let other = read_as(&bytes, 3, "second", &Selection::all()).expect("a log");
    assert_same("log 3", other, again);
}

#[test]
fn tables_of_several_logs_are_refused() {
    let _alone = alone();
    let mut tables = own_trace(1);
    tables.calls.push(CallRun::new(1, Layer::Posix, Op::Read, 1, 0), Call::default());
    let mut writer = Writer::new(Vec::new(), "test").expect("a vector takes all bytes");
    assert!(writer.tables(&tables).is_err_and(|e| e.to_string().contains("several logs")));
}

#[test]
fn blocks_made_in_any_order_are_the_same_file() {
    let _alone = alone();
    let tables = own_trace(70_000);
    let blocks_rows = block_rows(&tables);
    let mut blocks: Vec<Option<Block>> = blocks_rows.iter().map(|_| None).collect();
    for (slot, rows) in blocks.iter_mut().zip(&blocks_rows).rev() {
        *slot = encode(&tables, rows);
    }
    let mut writer = Writer::new(Vec::new(), "test").expect("a vector takes all bytes");
    for block in blocks.iter().flatten() {
        writer.push(block).expect("a vector takes all bytes");
    }
    let file = writer.finish().expect("a vector takes all bytes");
    assert!(file == to_bytes(&tables, "test"));
}

#[test]
fn a_regular_trace_takes_less_than_a_byte_per_call() {
    let _alone = alone();
    let mut tables = Tables::new();
    let mut numbers = Numbers(3);
    let mut now_ns = 0;
    for call in 0..100_000_i64 {
        let start = now_ns;
        // As a processor counts whose clock ticks every 10 ns.
        now_ns += 150 + 10 * numbers.below(8);
        let run = CallRun::new(0, Layer::Posix, Op::Write, 1, 0);
        let call = Call {
            offset_bytes: call * 64,
            size_bytes: 64,
            start_s: start as f64 / 1e9,
            end_s: now_ns as f64 / 1e9,
            requested_bytes: Some(64),
            call_id: Some(call.cast_unsigned()),
            thread: Some(1),
            ..Call::default()
        };
        tables.calls.push(run, call);
        now_ns += 200 + 10 * numbers.below(4);
    }
    let stored = to_bytes(&tables, "test").len();
    assert!(stored < 100_000, "{stored} bytes");
}
