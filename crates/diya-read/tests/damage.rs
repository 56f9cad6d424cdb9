//! Damaged logs: tables and `read_issue` rows, or one error; never a panic,
//! never long, never much more memory than the intact log takes.
//!
//! A sample runs with every test run; `DIYA_DAMAGE=full` (as `make fuzz` sets
//! it) runs 64 cuts, 1000 flipped bits and 200 overwritten blocks per log.

use diya_read::{Request, Selection, Serial, container, read};
use diya_tables::{Issue, TableId, Tables};
use diya_testkit::{
    Damage, PeakAllocator, corpus_logs, corpus_traces, damages, peak_bytes_of, root, shared_logs,
};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

#[global_allocator]
static ALLOCATOR: PeakAllocator = PeakAllocator;

/// Far above what reading takes, far below what a person would call a hang.
const MAX_TIME: Duration = Duration::from_secs(10);

/// What a reader always needs (a decompressor, a buffer), whatever the log.
const FIXED_BYTES: usize = 4 << 20;

/// Larger logs are left to the fuzzers.
const MAX_LOG_BYTES: u64 = 400_000;

fn read_bytes(file: &[u8]) -> Result<Tables, String> {
    let unpacked = container::unpack(file);
    let (bytes, outer) = match &unpacked {
        Some(inside) => (inside.bytes.as_slice(), Some(inside.compression)),
        None => (file, None),
    };
    let mut tables = Tables::new();
    let request = Request {
        source: &bytes.to_vec(),
        log: 0,
        log_name: "damaged",
        outer_compression: outer,
        selection: &Selection::all(),
        workers: &Serial,
    };
    read(&request, &mut tables).map_err(|e| e.to_string())?;
    // Whoever unpacks a file says what went wrong with that: so does the facade.
    if let Some(problem) = unpacked.as_ref().and_then(|inside| inside.problem.as_ref()) {
        tables.push_issue(0, Issue::of_log(problem.kind, &problem.effect));
    }
    Ok(tables)
}

fn counts() -> (usize, usize, usize) {
    match std::env::var("DIYA_DAMAGE").as_deref() {
        Ok("full") => (64, 1000, 200),
        _ => (16, 60, 12),
    }
}

fn check(path: &Path, file: &[u8], damage: Damage, intact_bytes: usize) {
    let damaged = damage.apply(file);
    let start = Instant::now();
    let (peak, outcome) = peak_bytes_of(|| read_bytes(&damaged));
    let took = start.elapsed();
    let what = || format!("{} with {damage:?}", path.display());
    assert!(took < MAX_TIME, "{}: {took:?}", what());
    assert!(
        peak <= 4 * intact_bytes + FIXED_BYTES,
        "{}: {peak} bytes, intact {intact_bytes}",
        what()
    );
    if let Err(message) = &outcome {
        assert!(!message.contains('\n') && message.len() > 20, "{}: {message:?}", what());
    }
    if let (Damage::Cut(at), Ok(tables)) = (damage, &outcome) {
        // The legacy family and gzip keep their data in one stream to the end.
        let is_silent = at < file.len() && tables.rows(TableId::ReadIssue) == 0;
        assert!(!is_silent, "{}: cut without a word", what());
    }
}

#[test]
fn damaged_logs_give_tables_and_issues_or_one_error() {
    let (cuts, flips, blocks) = counts();
    let mut logs: Vec<PathBuf> = corpus_logs();
    logs.extend(corpus_traces());
    let text = |name: &str| root().join("corpus/parser-output").join(name);
    logs.extend(["rank0_writer.base.txt", "rank0_writer.dxt.txt"].map(text));
    logs.extend(shared_logs());
    let mut tried = 0;
    for (seed, path) in logs.iter().enumerate() {
        if std::fs::metadata(path).map_or(0, |m| m.len()) > MAX_LOG_BYTES {
            continue;
        }
        let file = std::fs::read(path).expect("a log of the corpus can be read");
        let (intact_bytes, _) = peak_bytes_of(|| read_bytes(&file));
        for damage in damages(file.len(), cuts, flips, blocks, seed as u64) {
            check(path, &file, damage, intact_bytes);
            tried += 1;
        }
    }
    println!("{tried} damaged logs");
    assert!(tried > 1000);
}
