//! `diya fleet compact`: many small files become few large ones.

use crate::commit::keys;
use crate::dataset::{PREFIX, REPLACED};
use crate::files::{self, PartWriter};
use crate::generated::{TABLES, job, manifest};
use crate::hash::counted;
use crate::live::{Live, commit_of, is_joined};
use crate::{Dataset, FleetError};
use arrow::array::RecordBatch;
use arrow::compute::interleave_record_batch;
use diya_tables::TableDef;
use parquet::arrow::arrow_reader::ParquetRecordBatchReader;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashSet};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// Files that are merged at once; each has a page of every column in memory.
const FILES_AT_ONCE: usize = 48;

/// Rows of each of them that are decoded at once.
const ROWS: usize = 1024;

/// Rows that are written at once.
const ROWS_OUT: usize = 16 * 1024;

/// Size of a large file. Engines read files side by side: larger ones would leave
/// processors idle, smaller ones cost a request each.
const FILE_BYTES: usize = 512 << 20;

/// What a compaction did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct Compacted {
    /// Parquet files before.
    pub files_before: u64,
    /// Parquet files after.
    pub files_after: u64,
    /// Rows of logs that were there twice, and of paths that have other content by now.
    pub rows_dropped: u64,
}

impl Dataset {
    /// Merges the files of each partition, and keeps the rows of each log once.
    pub fn compact(&self) -> Result<Compacted, FleetError> {
        let _lock = self.lock_all()?;
        self.recover(None)?;
        let live = Live::read(self)?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let commit = format!("{PREFIX}{:x}", now.as_nanos());
        let mut compaction = Compaction {
            dataset: self,
            commit: &commit,
            replaced: Vec::new(),
            done: Compacted::default(),
            passes: 0,
        };
        // The rows of a log stand under one commit in all tables: a partition is merged in
        // all of them, or in none.
        let of_jobs = self.partitions(&job::DEF)?;
        let merged: HashSet<PathBuf> = of_jobs
            .into_iter()
            .filter(|(_, parts)| !is_one_commit(parts))
            .map(|(at, _)| at)
            .collect();
        for def in TABLES {
            for (at, parts) in self.partitions(def)? {
                compaction.done.files_before += parts.len() as u64;
                let is_manifest = def.name == manifest::DEF.name;
                let is_apart = is_manifest || is_joined(def);
                let is_due = merged.contains(&at) || (is_apart && !is_one_commit(&parts));
                if is_due || live.has_dead {
                    compaction.partition(def, &at, parts, &live)?;
                } else {
                    compaction.done.files_after += parts.len() as u64;
                }
            }
        }
        let (done, replaced) = (compaction.done, compaction.replaced);
        if !replaced.is_empty() {
            let staged = self.staging(&commit);
            let list = staged.join("_replaced.new");
            std::fs::write(&list, replaced.join("\n")).map_err(FleetError::file(&list))?;
            let place = staged.join(REPLACED);
            std::fs::rename(&list, &place).map_err(FleetError::file(&place))?;
            self.publish(&commit)?;
        }
        Ok(done)
    }

    /// The files of a table by their folder below that of the table.
    fn partitions(&self, def: &TableDef) -> Result<BTreeMap<PathBuf, Vec<PathBuf>>, FleetError> {
        let mut partitions: BTreeMap<PathBuf, Vec<PathBuf>> = BTreeMap::new();
        for part in self.parts(def)? {
            let folder = part.parent().and_then(|folder| folder.strip_prefix(self.table(def)).ok());
            let at = folder.map(Path::to_path_buf).unwrap_or_default();
            partitions.entry(at).or_default().push(part);
        }
        Ok(partitions)
    }
}

/// Whether files come from one commit: then none of them can be merged.
fn is_one_commit(parts: &[PathBuf]) -> bool {
    let commits: HashSet<String> = parts.iter().map(|part| commit_of(part)).collect();
    commits.len() <= 1
}

struct Compaction<'d> {
    dataset: &'d Dataset,
    commit: &'d str,
    replaced: Vec<String>,
    done: Compacted,
    passes: usize,
}

impl Compaction<'_> {
    fn partition(
        &mut self,
        def: &'static TableDef,
        at: &Path,
        parts: Vec<PathBuf>,
        live: &Live,
    ) -> Result<(), FleetError> {
        let root = self.dataset.root();
        let below = Path::new(def.name).join(at);
        let relative =
            |part: &PathBuf| part.strip_prefix(root).ok().map(|p| p.display().to_string());
        self.replaced.extend(parts.iter().filter_map(relative));
        let staged = self.dataset.staging(self.commit);
        // More files than can be open at once are merged in several passes.
        let (mut level, mut is_first) = (parts, true);
        while level.len() > FILES_AT_ONCE {
            let mut next = Vec::new();
            for some in level.chunks(FILES_AT_ONCE) {
                self.passes += 1;
                let path = staged.join(format!("_pass/{}.parquet", self.passes));
                let mut part = PartWriter::create(&path, def)?;
                let filter = if is_first { Some(live) } else { None };
                self.done.rows_dropped += merge(def, some, filter, &mut |rows| part.write(&rows))?;
                part.finish()?;
                next.push(path);
            }
            if !is_first {
                level.iter().for_each(|old| drop(std::fs::remove_file(old)));
            }
            (level, is_first) = (next, false);
        }
        let filter = if is_first { Some(live) } else { None };
        let mut out: Option<PartWriter> = None;
        let mut files = 0;
        let dropped = merge(def, &level, filter, &mut |rows| {
            if let Some(part) = out.take_if(|part| part.bytes() >= FILE_BYTES) {
                part.finish()?;
            }
            let part = match &mut out {
                Some(part) => part,
                None => {
                    let name = format!("{}.{files}.parquet", self.commit);
                    files += 1;
                    out.insert(PartWriter::create(&staged.join(&below).join(name), def)?)
                }
            };
            part.write(&rows)
        })?;
        // Engines know the columns of a table from its files: one stays.
        let part = match out {
            Some(part) => part,
            None => {
                files += 1;
                PartWriter::create(
                    &staged.join(&below).join(format!("{}.0.parquet", self.commit)),
                    def,
                )?
            }
        };
        part.finish()?;
        if !is_first {
            level.iter().for_each(|old| drop(std::fs::remove_file(old)));
        }
        self.done.rows_dropped += dropped;
        self.done.files_after += files;
        Ok(())
    }
}

/// One file of a merge.
struct Cursor {
    reader: ParquetRecordBatchReader,
    path: PathBuf,
    commit: String,
    /// Place of the current batch among those that are kept.
    batch: usize,
    keys: Vec<(i64, i64)>,
    row: usize,
}

/// Merges files that are sorted; without the rows that do not count. Gives how many
/// those were.
fn merge(
    def: &'static TableDef,
    parts: &[PathBuf],
    live: Option<&Live>,
    write: &mut dyn FnMut(RecordBatch) -> Result<(), FleetError>,
) -> Result<u64, FleetError> {
    let fail = |error: arrow::error::ArrowError| FleetError::Parquet {
        path: def.name.into(),
        reason: error.to_string(),
    };
    let mut dropped = 0;
    let mut kept: Vec<RecordBatch> = Vec::new();
    let mut cursors = Vec::new();
    for path in parts {
        let (_, reader) = files::read(path, ROWS, None)?;
        let (path, commit) = (path.clone(), commit_of(path));
        cursors.push(Cursor { reader, path, commit, batch: 0, keys: Vec::new(), row: 0 });
    }
    let mut next = |cursor: &mut Cursor, kept: &mut Vec<RecordBatch>| -> Result<bool, FleetError> {
        for batch in cursor.reader.by_ref() {
            let batch = batch.map_err(FleetError::parquet(&cursor.path))?;
            let rows = batch.num_rows();
            let batch = match live {
                Some(live) => counted(def, &batch, &cursor.commit, live).map_err(fail)?,
                None => batch,
            };
            dropped += (rows - batch.num_rows()) as u64;
            if batch.num_rows() > 0 {
                let is_manifest = def.name == manifest::DEF.name;
                // The manifest keeps the order of its files.
                let same = || vec![(0, 0); batch.num_rows()];
                (cursor.keys, cursor.row) = (if is_manifest { same() } else { keys(&batch) }, 0);
                cursor.batch = kept.len();
                kept.push(batch);
                return Ok(true);
            }
        }
        Ok(false)
    };
    let mut heap = BinaryHeap::new();
    for (number, cursor) in cursors.iter_mut().enumerate() {
        if next(cursor, &mut kept)? {
            heap.push(Reverse((cursor.keys[0], number)));
        }
    }
    let mut picks: Vec<(usize, usize)> = Vec::new();
    while let Some(Reverse((_, number))) = heap.pop() {
        let limit = heap.peek().map(|Reverse(key)| *key);
        let cursor = &mut cursors[number];
        // All rows that come before those of the other files.
        let mut is_open = true;
        while limit.is_none_or(|limit| (cursor.keys[cursor.row], number) <= limit) {
            picks.push((cursor.batch, cursor.row));
            cursor.row += 1;
            if cursor.row == cursor.keys.len() {
                is_open = next(cursor, &mut kept)?;
                if !is_open {
                    break;
                }
            }
            if picks.len() >= ROWS_OUT {
                break;
            }
        }
        if is_open {
            heap.push(Reverse((cursor.keys[cursor.row], number)));
        }
        if picks.len() >= ROWS_OUT || (heap.is_empty() && !picks.is_empty()) {
            let batches: Vec<&RecordBatch> = kept.iter().collect();
            write(interleave_record_batch(&batches, &picks).map_err(fail)?)?;
            picks.clear();
            forget(&mut kept, &mut cursors);
        }
    }
    Ok(dropped)
}

/// Keeps only the batches that files are in the middle of.
fn forget(kept: &mut Vec<RecordBatch>, cursors: &mut [Cursor]) {
    let old = std::mem::take(kept);
    for cursor in cursors.iter_mut().filter(|cursor| cursor.row < cursor.keys.len()) {
        kept.push(old[cursor.batch].clone());
        cursor.batch = kept.len() - 1;
    }
}
