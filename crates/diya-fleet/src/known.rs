//! What a dataset holds already: files that were looked at, and contents.

use crate::generated::manifest;
use crate::names::Names;
use crate::{Dataset, FleetError, files};
use arrow::array::{Array, AsArray};
use arrow::datatypes::{Int64Type, TimestampNanosecondType};
use std::collections::HashMap;

/// States of a file in `manifest`.
pub mod status {
    pub const OK: &str = "ok";
    pub const DUPLICATE: &str = "duplicate";
    pub const QUARANTINE: &str = "quarantine";
    pub const UNREADABLE: &str = "unreadable";
    pub const ARCHIVE: &str = "archive";
}

/// Files and contents, as hashes: a few bytes for each of millions.
#[derive(Debug, Default)]
pub struct Known {
    /// Of path, size and time of change; sorted.
    files: Vec<u128>,
    /// Contents with rows, and the path they were read from; sorted.
    contents: Vec<(u128, u64)>,
    /// The same, of this run.
    new: HashMap<u128, u64>,
}

/// Identity of a file as it lies there; `path` as `manifest` shows it.
pub fn file_key(names: &Names, path: &str, size_bytes: u64, mtime: i64) -> u128 {
    let mut text = path.as_bytes().to_vec();
    text.extend(size_bytes.to_le_bytes());
    text.extend(mtime.to_le_bytes());
    names.hash128("a file", &text)
}

/// Identity of a path, as `manifest` shows it.
pub fn path_key(names: &Names, path: &str) -> u64 {
    names.hash("a path", path.as_bytes()).cast_unsigned()
}

/// Rows of `manifest` that are read at once.
const ROWS: usize = 8192;

impl Known {
    /// From all parts of `manifest`.
    pub fn read(dataset: &Dataset, names: &Names) -> Result<Self, FleetError> {
        let mut known = Self::default();
        for part in dataset.parts(&manifest::DEF)? {
            let columns = ["path", "size_bytes", "mtime", "content_hash", "status"];
            let (_, reader) = files::read(&part, ROWS, Some(&columns))?;
            for batch in reader {
                let batch = batch.map_err(FleetError::parquet(&part))?;
                let text = |name: &str| batch.column_by_name(name).map(|c| c.as_string_view());
                let (Some(paths), Some(contents), Some(states)) =
                    (text("path"), text("content_hash"), text("status"))
                else {
                    continue;
                };
                let sizes =
                    batch.column_by_name("size_bytes").map(|c| c.as_primitive::<Int64Type>());
                let times = batch
                    .column_by_name("mtime")
                    .map(|c| c.as_primitive::<TimestampNanosecondType>());
                let (Some(sizes), Some(times)) = (sizes, times) else { continue };
                for row in 0..batch.num_rows() {
                    let (path, state) = (paths.value(row), states.value(row));
                    let size = u64::try_from(sizes.value(row)).unwrap_or(0);
                    let key = file_key(names, path, size, times.value(row));
                    if state == status::UNREADABLE {
                        continue;
                    }
                    known.files.push(key);
                    let content = Some(contents)
                        .filter(|c| c.is_valid(row) && state == status::OK)
                        .and_then(|c| u128::from_str_radix(c.value(row), 16).ok());
                    known.contents.extend(content.map(|content| (content, path_key(names, path))));
                }
            }
        }
        known.files.sort_unstable();
        known.files.dedup();
        known.contents.sort_unstable();
        known.contents.dedup();
        Ok(known)
    }

    /// Whether a file was looked at as it lies there.
    pub fn has_file(&self, key: u128) -> bool {
        self.files.binary_search(&key).is_ok()
    }

    /// The path that a content was read from.
    pub fn content(&self, content: u128) -> Option<u64> {
        let place = self.contents.partition_point(|(known, _)| *known < content);
        let old = self.contents.get(place).filter(|(known, _)| *known == content);
        old.map(|(_, path)| *path).or_else(|| self.new.get(&content).copied())
    }

    /// Adds a content of this run.
    pub fn insert(&mut self, content: u128, path: u64) {
        self.new.entry(content).or_insert(path);
    }
}
