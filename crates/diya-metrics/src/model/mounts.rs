//! Which file system holds a file.

use crate::hash::HashMap;
use diya_tables::{BatchSource, file};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Mount point and type of a file system; `None`: no mount point holds the file.
pub(crate) type Mount = (Option<String>, Option<String>);

/// Mount points of all files.
#[derive(Debug, Default)]
pub(crate) struct Mounts {
    names: Vec<Mount>,
    of: HashMap<(i32, u64), usize>,
    nowhere: Option<usize>,
}

diya_tables::columns! {
    struct FileMounts of file { log: i32, file_id: u64, mount: str, fs_type: str }
}

impl Mounts {
    pub fn read(tables: &[Arc<dyn BatchSource>]) -> Self {
        let mut mounts = Self::default();
        let mut numbers: BTreeMap<Mount, usize> = BTreeMap::new();
        for of in FileMounts::all(tables) {
            // Files of one mount point come in turn.
            let mut last: Option<(Option<&str>, Option<&str>, usize)> = None;
            for row in 0..of.rows() {
                let (path, kind) = (of.mount.get(row), of.fs_type.get(row));
                let number = match last {
                    Some((p, k, number)) if p == path && k == kind => number,
                    _ => {
                        let mount = (path.map(str::to_owned), kind.map(str::to_owned));
                        let next = numbers.len();
                        *numbers.entry(mount).or_insert(next)
                    }
                };
                last = Some((path, kind, number));
                mounts.of.insert((of.log.value(row), of.file_id.value(row)), number);
            }
        }
        let next = numbers.len();
        mounts.nowhere = Some(*numbers.entry((None, None)).or_insert(next));
        mounts.names = vec![(None, None); numbers.len()];
        for (mount, number) in numbers {
            mounts.names[number] = mount;
        }
        mounts
    }

    /// Number of the mount point that holds a file.
    pub fn of(&self, log: i32, file_id: u64) -> usize {
        self.of.get(&(log, file_id)).copied().or(self.nowhere).unwrap_or_default()
    }

    /// The mount point with this number.
    pub fn name(&self, number: usize) -> (Option<&str>, Option<&str>) {
        self.names
            .get(number)
            .map_or((None, None), |(path, kind)| (path.as_deref(), kind.as_deref()))
    }
}
