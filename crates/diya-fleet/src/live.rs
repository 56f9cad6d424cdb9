//! Which rows count: of each log those of one commit, of each path the latest row.
//!
//! Shards do not see each other, so a log that lies in two of them has two sets of
//! rows; and a path that has other content by now has left the rows of its old one.

use crate::generated::{job, manifest};
use crate::{Dataset, FleetError, files};
use arrow::array::{BooleanArray, RecordBatch};
use diya_tables::{TableDef, TimestampNs, columns};
use siphasher::sip::SipHasher13;
use std::collections::{HashMap, HashSet};
use std::hash::Hasher as _;
use std::path::Path;

/// Rows that are read at once.
const ROWS: usize = 8192;

/// What counts in a dataset.
#[derive(Debug, Default)]
pub struct Live {
    /// Names of all commits, sorted.
    commits: Vec<String>,
    /// The commit whose rows of a log count.
    owners: HashMap<i64, u32>,
    /// When each path was looked at last; its log; the commit that says so.
    latest: HashMap<u64, (i64, Option<i64>, u64)>,
    /// Whether any row does not count.
    pub has_dead: bool,
}

/// Whether a table holds rows of `diya fleet join`: they belong to no log, and all count.
pub fn is_joined(def: &TableDef) -> bool {
    def.columns.first().is_some_and(|column| column.name == "row_hash")
}

/// Name of the commit that a file belongs to: its own up to the first dot.
pub fn commit_of(part: &Path) -> String {
    let name = part.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    name.split('.').next().unwrap_or_default().to_owned()
}

fn key(text: &str) -> u64 {
    let mut hasher = SipHasher13::new();
    hasher.write(text.as_bytes());
    hasher.finish()
}

impl Live {
    /// Reads the manifest and the hashes of `job`.
    pub fn read(dataset: &Dataset) -> Result<Self, FleetError> {
        let mut live = Self::default();
        for part in dataset.parts(&manifest::DEF)? {
            let commit = key(&commit_of(&part));
            let (_, reader) = files::read(&part, ROWS, Some(&["path", "log_hash", "seen"]))?;
            for batch in reader {
                let batch = batch.map_err(FleetError::parquet(&part))?;
                let read = ManifestColumns::named(&batch).ok_or_else(|| incomplete(&part))?;
                for row in 0..read.rows() {
                    let new = (read.seen.value(row), read.log_hash.get(row), commit);
                    let of = live.latest.entry(key(read.path.value(row))).or_insert(new);
                    live.has_dead |= *of != new;
                    *of = new.max(*of);
                }
            }
        }
        let wanted: HashSet<i64> = live.latest.values().filter_map(|(_, hash, _)| *hash).collect();
        let parts = dataset.parts(&job::DEF)?;
        live.commits = parts.iter().map(|part| commit_of(part)).collect();
        live.commits.sort();
        live.commits.dedup();
        for part in parts {
            let commit = live.commit(&commit_of(&part)).unwrap_or(u32::MAX);
            let (_, reader) = files::read(&part, ROWS, Some(&["log_hash"]))?;
            for batch in reader {
                let batch = batch.map_err(FleetError::parquet(&part))?;
                let read = LogHashes::named(&batch).ok_or_else(|| incomplete(&part))?;
                for hash in read.log_hash.values() {
                    if !wanted.contains(hash) {
                        live.has_dead = true;
                        continue;
                    }
                    let owner = live.owners.entry(*hash).or_insert(commit);
                    live.has_dead |= *owner != commit;
                    *owner = commit.min(*owner);
                }
            }
        }
        Ok(live)
    }

    fn commit(&self, name: &str) -> Option<u32> {
        let place = self.commits.binary_search_by(|known| known.as_str().cmp(name)).ok()?;
        u32::try_from(place).ok()
    }

    /// Which rows of a table other than `manifest` count.
    pub fn rows(&self, batch: &RecordBatch, commit: &str) -> BooleanArray {
        let commit = self.commit(commit);
        let counts = |hash: &i64| self.owners.get(hash).copied() == commit && commit.is_some();
        let Some(read) = LogHashes::named(batch) else {
            return BooleanArray::from(vec![false; batch.num_rows()]);
        };
        read.log_hash.values().iter().map(|hash| Some(counts(hash))).collect()
    }

    /// Which rows of `manifest` count; each path once.
    pub fn manifest_rows(&self, batch: &RecordBatch, commit: &str) -> BooleanArray {
        let Some(read) = ManifestColumns::named(batch) else {
            return BooleanArray::from(vec![false; batch.num_rows()]);
        };
        let commit = key(commit);
        let mut known = HashSet::new();
        let counts = |row: usize| {
            let path = key(read.path.value(row));
            let latest = self.latest.get(&path);
            let is_latest =
                latest.is_some_and(|(of, _, by)| *of == read.seen.value(row) && *by == commit);
            Some(is_latest && known.insert(path))
        };
        (0..batch.num_rows()).map(counts).collect()
    }
}

columns! {
    /// Path, log and time of rows of `manifest`.
    struct ManifestColumns by name { path: str, log_hash: i64, seen: TimestampNs }
}

columns! {
    /// Logs that the rows of a table belong to.
    pub struct LogHashes by name { log_hash: i64 }
}

/// A file of the dataset without a column that all of its kind have.
pub fn incomplete(part: &Path) -> FleetError {
    FleetError::Parquet { path: part.to_owned(), reason: "a column is missing".to_owned() }
}
