//! What a dataset holds already: files that were looked at, and contents.

use crate::generated::manifest;
use crate::names::{Names, first_64};
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
    pub const JOINED: &str = "joined";
    pub const REFUSED: &str = "refused";
}

/// Files and contents, as hashes: a few bytes for each of millions.
#[derive(Debug, Default)]
pub struct Known {
    /// Of path, size and time of change; sorted.
    files: Vec<u128>,
    /// Contents with rows, and the path they were read from; sorted.
    contents: Vec<(u128, u64)>,
    /// The same, of this run, by the number of the log.
    new: HashMap<i64, (u128, u64)>,
}

/// What a dataset knows of a content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    New,
    /// It was read, from this path.
    Known(u64),
    /// Another content has its number, which joins the tables.
    Collides,
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

    /// Whether a content has rows, or cannot have any.
    pub fn standing(&self, content: u128) -> Standing {
        let number = first_64(content);
        // Equal numbers stand side by side: they are the first bits.
        let place = self.contents.partition_point(|(known, _)| known >> 64 < content >> 64);
        let same =
            self.contents[place..].iter().take_while(|(known, _)| first_64(*known) == number);
        let mut all = same.copied().chain(self.new.get(&number).copied()).peekable();
        if all.peek().is_none() {
            return Standing::New;
        }
        let of = all.find(|(known, _)| *known == content);
        of.map_or(Standing::Collides, |(_, path)| Standing::Known(path))
    }

    /// Adds a content of this run.
    pub fn insert(&mut self, content: u128, path: u64) {
        self.new.entry(first_64(content)).or_insert((content, path));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_contents_with_one_number_collide_in_a_dataset_and_in_a_run() {
        let (first, second, other) = ((7 << 64) | 1, (7 << 64) | 2, 8 << 64);
        let read = Known { contents: vec![(first, 10)], ..Known::default() };
        let mut new = Known::default();
        new.insert(first, 10);
        for known in [read, new] {
            assert_eq!(known.standing(first), Standing::Known(10));
            assert_eq!(known.standing(second), Standing::Collides);
            assert_eq!(known.standing(other), Standing::New);
        }
    }
}
