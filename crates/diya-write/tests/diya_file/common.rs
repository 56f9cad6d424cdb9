//! What the tests of the diya file share: reading, and comparing tables.

use arrow_array::RecordBatch;
use diya_read::{Request, Selection, Serial, container, read};
use diya_testkit::PeakAllocator;
use std::sync::{Mutex, MutexGuard, PoisonError};

use diya_tables::{BatchSource as _, Call, CallRun, Layer, Op, TableId, Tables};

#[global_allocator]
static ALLOCATOR: PeakAllocator = PeakAllocator;

/// Memory is counted for the whole process: one test at a time.
static ALONE: Mutex<()> = Mutex::new(());

/// To be held by every test.
pub fn alone() -> MutexGuard<'static, ()> {
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reads a log or trace of any format.
pub fn read_as(
    bytes: &[u8],
    log: i32,
    log_name: &str,
    selection: &Selection,
) -> Result<Tables, String> {
    let unpacked = container::unpack(bytes);
    let (bytes, outer) = match &unpacked {
        Some(inside) => (inside.bytes.clone(), Some(inside.compression)),
        None => (bytes.to_vec(), None),
    };
    let mut tables = Tables::new();
    let request = Request {
        source: &bytes,
        log,
        log_name,
        outer_compression: outer,
        selection,
        workers: &Serial,
    };
    read(&request, &mut tables).map_err(|e| e.to_string())?;
    Ok(tables)
}

/// Every table with rows, as one record batch each.
pub fn batches(mut tables: Tables) -> Vec<(TableId, RecordBatch)> {
    let mut out = Vec::new();
    let calls = std::mem::take(&mut tables.calls).finish();
    let heatmap = std::mem::take(&mut tables.heatmap).finish();
    for id in TableId::ALL {
        let columns: Vec<usize> = (0..id.def().columns.len()).collect();
        let batches: Vec<RecordBatch> = match id {
            TableId::Call => (0..calls.batches()).map(|p| calls.batch(p, &columns)).collect(),
            TableId::Heatmap => {
                (0..heatmap.batches()).map(|p| heatmap.batch(p, &columns)).collect()
            }
            _ => tables.take(id).map(|table| table.into_batch()).into_iter().collect(),
        };
        let Some(first) = batches.first() else { continue };
        let whole = arrow_select::concat::concat_batches(&first.schema(), &batches);
        out.push((id, whole.expect("batches of one table")));
    }
    out
}

/// Fails where the tables differ.
pub fn assert_same(what: &str, left: Tables, right: Tables) {
    let (left, right) = (batches(left), batches(right));
    let names = |all: &[(TableId, RecordBatch)]| all.iter().map(|b| b.0).collect::<Vec<_>>();
    assert_eq!(names(&left), names(&right), "{what}: tables");
    for ((id, left), (_, right)) in left.iter().zip(&right) {
        for (column, def) in id.def().columns.iter().enumerate() {
            let (left, right) = (left.column(column), right.column(column));
            assert!(left == right, "{what}: {}.{} differs", id.def().name, def.name);
        }
    }
}

/// Pseudo-random numbers that are the same everywhere: xorshift64
/// (Marsaglia 2003).
pub struct Numbers(pub u64);

impl Numbers {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }
}

/// A trace with every column that own traces have, some of them not always.
pub fn own_trace(calls: u64) -> Tables {
    let mut tables = Tables::new();
    let table = &mut tables.calls;
    let mut numbers = Numbers(88_172_645_463_325_252);
    let names = ["pwrite64", "pread64", "lseek", "fsync"].map(|name| table.name_id(name));
    let ops = [Op::Write, Op::Read, Op::Seek, Op::Sync];
    let (host, error) = (Some(table.name_id("node7")), table.name_id("ENOSPC"));
    let mut now_ns = 1_000_u64;
    for call_id in 0..calls {
        let way = numbers.below(4) as usize;
        let is_failed = numbers.below(50) == 0;
        let run = CallRun {
            host,
            function: Some(names[way]),
            process: Some(numbers.below(2) as i32),
            error: is_failed.then_some(error),
            is_collective: [None, Some(false), Some(true), None][way],
            has_offset: way != 3,
            has_size: way < 2,
            ..CallRun::new(0, Layer::Posix, ops[way], numbers.below(5) << 60 | 7, way as i32 - 1)
        };
        let start = now_ns;
        now_ns += 200 + numbers.below(300);
        let some = |of: u64, value: u64| (call_id % of == 0).then_some(value);
        let moved = numbers.below(1 << 20) as i64;
        table.push(
            run,
            Call {
                offset_bytes: if way == 3 { 0 } else { numbers.below(1 << 40) as i64 },
                size_bytes: if way < 2 { moved } else { 0 },
                start_s: start as f64 / 1e9,
                end_s: now_ns as f64 / 1e9,
                thread: Some(140_000 + numbers.below(2)),
                requested_bytes: (way < 2).then_some(moved + i64::from(is_failed)),
                call_id: Some(call_id),
                parent_id: some(3, call_id + 1),
                stack_id: some(2, numbers.below(9)),
                aux: some(5, numbers.below(1000)).map(|v| v as i64 - 500),
                calls: some(7, 12).map(|v| v as i64),
                busy_s: some(7, 3).map(|v| v as f64 * 1e-9),
            },
        );
        now_ns += 20 + numbers.below(20);
    }
    tables
}
