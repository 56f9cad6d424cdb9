//! From the open to the close of files that one rank opens once, as counters hold it: for
//! logs without the calls themselves.

use super::calls::Calls;
use crate::hash::HashSet;
use diya_tables::{BatchSource, Column, Layer, Op, posix, stdio};
use std::sync::Arc;

/// One file of one rank.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct OpenedSpan {
    pub log: i32,
    pub layer: Layer,
    /// Write where it wrote anything.
    pub op: Op,
    pub rank: i32,
    pub file_id: u64,
    pub start_s: f64,
    pub end_s: f64,
}

diya_tables::columns! {
    struct PosixRecords of posix {
        log: i32,
        rank: i32,
        file_id: u64,
        opens: i64,
        filenos: i64,
        dups: i64,
        bytes_read: i64,
        bytes_written: i64,
        f_open_start_timestamp: f64,
        f_close_end_timestamp: f64,
    }
}

diya_tables::columns! {
    struct StdioRecords of stdio {
        log: i32,
        rank: i32,
        file_id: u64,
        opens: i64,
        bytes_read: i64,
        bytes_written: i64,
        f_open_start_timestamp: f64,
        f_close_end_timestamp: f64,
    }
}

/// Of all logs that hold no calls, or reads and writes only.
pub(super) fn of(tables: &[Arc<dyn BatchSource>], calls: &Calls) -> Vec<OpenedSpan> {
    let traced: HashSet<i32> =
        calls.streams.iter().filter(|s| !s.is_transfer()).map(|s| s.log).collect();
    let mut spans = Vec::new();
    let count = |counts: &Column<i64>, row: usize| counts.get(row).unwrap_or(0);
    let mut add = |layer: Layer, record: (i32, i32, u64), opens: i64, moved: (i64, i64), times| {
        let (log, rank, file_id) = record;
        let (Some(start_s), Some(end_s)) = times else { return };
        let is_moved = moved.0 > 0 || moved.1 > 0;
        if rank >= 0 && opens == 1 && is_moved && end_s > start_s && !traced.contains(&log) {
            let op = if moved.1 > 0 { Op::Write } else { Op::Read };
            spans.push(OpenedSpan { log, layer, op, rank, file_id, start_s, end_s });
        }
    };
    for of in PosixRecords::all(tables) {
        for row in 0..of.rows() {
            let record = (of.log.value(row), of.rank.value(row), of.file_id.value(row));
            // Darshan counts both as opens.
            let copies = count(&of.filenos, row).saturating_add(count(&of.dups, row));
            let opens = count(&of.opens, row).saturating_sub(copies);
            let moved = (count(&of.bytes_read, row), count(&of.bytes_written, row));
            let times = (of.f_open_start_timestamp.get(row), of.f_close_end_timestamp.get(row));
            add(Layer::Posix, record, opens, moved, times);
        }
    }
    for of in StdioRecords::all(tables) {
        for row in 0..of.rows() {
            let record = (of.log.value(row), of.rank.value(row), of.file_id.value(row));
            let moved = (count(&of.bytes_read, row), count(&of.bytes_written, row));
            let times = (of.f_open_start_timestamp.get(row), of.f_close_end_timestamp.get(row));
            add(Layer::Stdio, record, count(&of.opens, row), moved, times);
        }
    }
    spans
}
