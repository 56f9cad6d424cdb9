//! The name region: which path stands behind a record id.
//!
//! Every rank wrote the names of its own files, so an id may come several
//! times; the first name that is not empty counts. 3.00 stores a length before
//! each name, later versions end it with NUL.

use super::bytes::Order;
use super::heatmap::layer_named;
use crate::walk::{Damage, Sink};
use diya_tables::{FileRow, Layer, Tables};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// Names of the objects of real programs stay far below this (PATH_MAX is 4096).
const MAX_NAME_BYTES: usize = 1 << 20;

/// Collects names.
#[derive(Debug)]
pub(crate) struct Names {
    order: Order,
    has_length: bool,
    by_id: HashMap<u64, usize>,
    /// Id and name, in the order of the log.
    entries: Vec<(u64, String)>,
    /// Ids that came with two different names.
    pub conflicts: u64,
    /// Names that are not UTF-8; their bytes were replaced.
    pub not_utf8: u64,
}

/// One entry of the region.
struct NameEntry<'b> {
    id: u64,
    name: &'b [u8],
    /// Bytes of the entry as a whole.
    size: usize,
}

impl Names {
    pub fn new(order: Order, has_length: bool) -> Self {
        Self {
            order,
            has_length,
            by_id: HashMap::new(),
            entries: Vec::new(),
            conflicts: 0,
            not_utf8: 0,
        }
    }

    /// Whether the log names this id; always true for a log without names.
    pub fn may_name(&self, id: u64) -> bool {
        self.by_id.is_empty() || self.by_id.contains_key(&id)
    }

    /// The entry at the front, if it is whole.
    fn entry<'b>(&self, bytes: &'b [u8]) -> Result<Option<NameEntry<'b>>, Damage> {
        let Some((id, rest)) = bytes.split_first_chunk::<8>() else { return Ok(None) };
        let id = self.order.u64(*id);
        let (name, size) = if self.has_length {
            let Some((len, rest)) = rest.split_first_chunk::<4>() else { return Ok(None) };
            let len = usize::try_from(self.order.u32(*len)).unwrap_or(usize::MAX);
            if len > MAX_NAME_BYTES {
                return Err(Damage(format!("a name claims {len} bytes")));
            }
            (rest.get(..len), len + 12)
        } else {
            let len = memchr::memchr(0, rest);
            if len.is_none() && rest.len() > MAX_NAME_BYTES {
                return Err(Damage("a name does not end".into()));
            }
            (len.and_then(|len| rest.get(..len)), len.unwrap_or(0) + 9)
        };
        Ok(name.map(|name| NameEntry { id, name, size }))
    }

    /// Adds a name, unless the id has one.
    pub fn add(&mut self, id: u64, name: &[u8]) {
        let name = String::from_utf8_lossy(name);
        self.not_utf8 += u64::from(matches!(name, std::borrow::Cow::Owned(_)));
        match self.by_id.entry(id) {
            Entry::Vacant(slot) => {
                slot.insert(self.entries.len());
                self.entries.push((id, name.into_owned()));
            }
            Entry::Occupied(slot) => {
                let Some((_, known)) = self.entries.get_mut(*slot.get()) else { return };
                if known.is_empty() {
                    *known = name.into_owned();
                } else if !name.is_empty() && *known != *name {
                    self.conflicts += 1;
                }
            }
        }
    }

    /// The layers behind ids of heat maps.
    pub fn heatmap_layers(&self) -> HashMap<u64, Layer> {
        let named = |(id, name): &(u64, String)| layer_named(name).map(|layer| (*id, layer));
        self.entries.iter().filter_map(named).collect()
    }

    /// Appends the names to table `file`.
    pub fn push(&self, log: i32, mounts: &[(String, String)], tables: &mut Tables) {
        // The longest mount point that holds a path is the right one.
        let mut mounts: Vec<&(String, String)> = mounts.iter().collect();
        mounts.sort_by_key(|(mount, _)| std::cmp::Reverse(mount.len()));
        for (id, path) in &self.entries {
            let on = mounts.iter().find(|(mount, _)| holds(mount, path));
            tables.push_file(FileRow {
                log,
                file_id: *id,
                path: Some(path.as_str()).filter(|p| !p.is_empty()),
                mount: on.map(|(mount, _)| mount.as_str()),
                fs_type: on.map(|(_, fs_type)| fs_type.as_str()),
                is_path_suffix: false,
                kind: None,
                parent_id: None,
            });
        }
    }
}

impl Sink for Names {
    fn take(&mut self, bytes: &[u8]) -> Result<usize, Damage> {
        let mut taken = 0;
        while let Some(NameEntry { id, name, size }) =
            self.entry(bytes.get(taken..).unwrap_or_default())?
        {
            self.add(id, name);
            taken += size;
        }
        Ok(taken)
    }

    fn reset(&mut self) {}
}

/// Is the path on this mount point? `/home2/x` is not on `/home`.
pub(crate) fn holds(mount: &str, path: &str) -> bool {
    path.strip_prefix(mount)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/') || mount.ends_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names_of(bytes: &[u8], has_length: bool) -> (Names, usize) {
        let mut names = Names::new(Order::Little, has_length);
        let taken = names.take(bytes).expect("no damage");
        (names, taken)
    }

    #[test]
    fn the_first_name_that_is_not_empty_counts() {
        let mut bytes = Vec::new();
        for name in ["", "/a", "/b"] {
            bytes.extend(7_u64.to_le_bytes());
            bytes.extend(name.as_bytes());
            bytes.push(0);
        }
        let (names, taken) = names_of(&bytes, false);
        assert_eq!(taken, bytes.len());
        assert_eq!(names.entries, [(7, "/a".to_string())]);
        assert_eq!(names.conflicts, 1);
    }

    #[test]
    fn a_cut_name_is_left_for_the_next_bytes() {
        let mut bytes = 7_u64.to_le_bytes().to_vec();
        bytes.extend(b"/scratch/fi");
        assert_eq!(names_of(&bytes, false).1, 0);
    }

    #[test]
    fn old_names_carry_their_length() {
        let mut bytes = 7_u64.to_le_bytes().to_vec();
        bytes.extend(2_u32.to_le_bytes());
        bytes.extend(b"/a");
        assert_eq!(names_of(&bytes, true).0.entries, [(7, "/a".to_string())]);
    }

    #[test]
    fn a_mount_point_holds_whole_path_components() {
        assert!(holds("/home", "/home/x"));
        assert!(holds("/", "/home/x"));
        assert!(!holds("/home", "/home2/x"));
    }
}
