//! Names in a log that are no files on storage.

use crate::hash::HashSet;
use diya_tables::{BatchSource, file};
use std::sync::Arc;

/// Beginnings of names that are no files of a file system.
const OF_KERNEL: [&str; 6] = ["/dev/", "/proc/", "/sys/", "pipe:[", "socket:[", "anon_inode:"];

diya_tables::columns! {
    struct FileKinds of file { log: i32, file_id: u64, path: str, kind: str }
}

/// What is not a file on storage: pipes, sockets, terminals, devices, memory shared by the ranks
/// of a node, and files of the kernel (/proc, /sys).
pub(crate) fn no_files(tables: &[Arc<dyn BatchSource>]) -> HashSet<(i32, u64)> {
    let mut found = HashSet::default();
    for of in FileKinds::all(tables) {
        for row in 0..of.rows() {
            let is_pipe = of.kind.get(row) == Some("pipe");
            // In logs of other tools, pipes and sockets have no kind, but their names.
            let is_of_kernel = |path: &str| OF_KERNEL.iter().any(|start| path.starts_with(start));
            if is_pipe || of.path.get(row).is_some_and(is_of_kernel) {
                found.insert((of.log.value(row), of.file_id.value(row)));
            }
        }
    }
    found
}
