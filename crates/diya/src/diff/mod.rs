//! What differs between two logs: job, counters, layouts, heat maps, calls.
//!
//! Records are those of the same file and rank; a counter that both logs have
//! with the same value is not listed. Values are compared bit by bit.

mod calls;
mod heatmaps;
mod job;
mod records;
mod text;

pub use text::write_text;

use diya_tables::Tables;
use serde::Serialize;

/// What to compare.
#[derive(Debug, Clone, Copy, Default)]
pub struct DiffOptions {
    /// Leave out what no two runs have in common: the job's ids and times, all
    /// counters of time, heat maps and timed calls.
    pub ignores_times: bool,
}

/// A value that is not the same in both logs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Difference {
    /// Module, as Darshan names it; `job` for what is not in a module.
    pub module: &'static str,
    /// Rank of the record; null: not in a record.
    pub rank: Option<i32>,
    /// File of the record; null: not in a record.
    pub file_id: Option<u64>,
    /// Its name.
    pub path: Option<String>,
    /// What differs.
    pub counter: String,
    /// In the first log; null: not there, or not measured.
    pub a: Option<String>,
    /// In the second log; null: not there, or not measured.
    pub b: Option<String>,
}

/// Compares two logs that were read as number 0 each.
pub fn diff(a: &Tables, b: &Tables, options: &DiffOptions) -> Vec<Difference> {
    let mut found = Vec::new();
    job::compare(a, b, options, &mut found);
    records::compare(a, b, options, &mut found);
    if !options.ignores_times {
        heatmaps::compare(a, b, &mut found);
        calls::compare(a, b, &mut found);
    }
    let names = records::Names::of(a, b);
    for difference in &mut found {
        difference.path = difference.file_id.and_then(|id| names.of_id(id)).map(str::to_string);
    }
    found
}

/// Appends a difference, if it is one.
fn push(
    found: &mut Vec<Difference>,
    (module, rank, file_id): (&'static str, Option<i32>, Option<u64>),
    counter: impl Into<String>,
    a: Option<String>,
    b: Option<String>,
) {
    if a != b {
        let counter = counter.into();
        found.push(Difference { module, rank, file_id, path: None, counter, a, b });
    }
}
