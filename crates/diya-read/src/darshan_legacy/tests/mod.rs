//! Small images made here, and the public logs where they are at hand.

mod builder;
mod damage;
mod layout;
mod meaning;
mod public_logs;

use crate::darshan_legacy::read;
use crate::{ReadError, Selection};
use builder::Log;
use diya_tables::{TableBuilder, TableId, Tables, read_issue};

/// Reads everything in an image.
fn tables_of(log: &Log) -> Tables {
    try_read(&log.image()).expect("a log with a readable version")
}

fn try_read(image: &[u8]) -> Result<Tables, ReadError> {
    let mut tables = Tables::new();
    read(image, 0, "test.darshan.gz", "gzip", &Selection::all(), &mut tables)?;
    Ok(tables)
}

fn table(tables: &Tables, id: TableId) -> &TableBuilder {
    tables.table(id).unwrap_or_else(|| panic!("table {} has no row", id.def().name))
}

/// Kind and effect of every row of `read_issue`.
fn issues(tables: &Tables) -> Vec<(String, String)> {
    let Some(t) = tables.table(TableId::ReadIssue) else { return Vec::new() };
    let cell = |column, row| t.str(column, row).unwrap_or_default().to_string();
    (0..t.rows()).map(|row| (cell(read_issue::KIND, row), cell(read_issue::EFFECT, row))).collect()
}

/// Is there an issue of this kind whose effect holds these words?
fn has_issue(tables: &Tables, kind: &str, words: &str) -> bool {
    issues(tables).iter().any(|(k, effect)| k == kind && effect.contains(words))
}
