//! Job, metadata and mounts.

use super::{DiffOptions, Difference, push};
use diya_tables::{TableBuilder, TableId, Tables, job, mount};
use std::collections::BTreeSet;

/// Columns that two runs of the same program never share.
const OF_ONE_RUN: [usize; 4] = [job::JOB_ID, job::START_TIME, job::END_TIME, job::RUN_TIME_S];

/// Columns that tell how a log is stored, not what happened.
const OF_THE_FILE: [usize; 7] = [
    job::LOG,
    job::LOG_NAME,
    job::FORMAT,
    job::LOG_VERSION,
    job::IS_BIG_ENDIAN,
    job::COMPRESSION,
    job::METADATA,
];

pub(super) fn compare(a: &Tables, b: &Tables, options: &DiffOptions, found: &mut Vec<Difference>) {
    let (of_a, of_b) = (a.table(TableId::Job), b.table(TableId::Job));
    let place = ("job", None, None);
    for (column, def) in TableId::Job.def().columns.iter().enumerate() {
        let is_left_out =
            OF_THE_FILE.contains(&column) || options.ignores_times && OF_ONE_RUN.contains(&column);
        if !is_left_out {
            let value = |jobs: Option<&TableBuilder>| jobs.and_then(|t| cell(t, column, 0));
            push(found, place, def.name, value(of_a), value(of_b));
        }
    }
    let lines = |jobs: Option<&TableBuilder>| -> BTreeSet<String> {
        let text = jobs.and_then(|t| t.str(job::METADATA, 0)).unwrap_or_default();
        text.lines().map(str::to_string).collect()
    };
    sets("metadata", &lines(of_a), &lines(of_b), found);
    sets("mount", &mounts(a), &mounts(b), found);
}

fn mounts(tables: &Tables) -> BTreeSet<String> {
    let Some(mounts) = tables.table(TableId::Mount) else { return BTreeSet::new() };
    let text = |column, row| mounts.str(column, row).unwrap_or_default();
    let rows = 0..mounts.rows();
    rows.map(|r| format!("{} {}", text(mount::MOUNT, r), text(mount::FS_TYPE, r))).collect()
}

/// What one of two sets has and the other has not.
fn sets(what: &str, a: &BTreeSet<String>, b: &BTreeSet<String>, found: &mut Vec<Difference>) {
    let place = ("job", None, None);
    a.difference(b).for_each(|line| push(found, place, what, Some(line.clone()), None));
    b.difference(a).for_each(|line| push(found, place, what, None, Some(line.clone())));
}

/// A cell as text: two texts differ if and only if the values differ.
pub(super) fn cell(table: &TableBuilder, column: usize, row: usize) -> Option<String> {
    let integer = table.i64(column, row).map(|v| v.to_string());
    let real = || table.f64(column, row).map(|v| v.to_string());
    let id = || table.u64(column, row).map(|v| v.to_string());
    let text = || table.str(column, row).map(str::to_string);
    integer.or_else(real).or_else(id).or_else(text)
}
