//! Which files are none: pipes and sockets.

use crate::hash::HashSet;
use diya_tables::{BatchSource, file};
use std::sync::Arc;

diya_tables::columns! {
    struct Paths of file { log: i32, file_id: u64, path: str }
}

/// Pipes and sockets: calls on them wait for another process or talk to it, and are no I/O
/// of files.
pub(crate) fn pipes(tables: &[Arc<dyn BatchSource>]) -> HashSet<(i32, u64)> {
    let mut pipes = HashSet::default();
    for of in Paths::all(tables) {
        let is_pipe = |row: &usize| {
            let path = of.path.get(*row).unwrap_or_default();
            path.starts_with("pipe:") || path.starts_with("socket:")
        };
        let file = |row| (of.log.value(row), of.file_id.value(row));
        pipes.extend((0..of.rows()).filter(is_pipe).map(file));
    }
    pipes
}
