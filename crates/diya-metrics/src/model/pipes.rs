//! Which files are none: pipes and sockets.

use super::facts::pieces;
use arrow::array::{Array, AsArray};
use arrow::datatypes::{Int32Type, UInt64Type};
use diya_tables::{BatchSource, TableId, file};
use std::collections::HashSet;
use std::sync::Arc;

/// Pipes and sockets: calls on them wait for another process or talk to it, and are no I/O
/// of files.
pub(crate) fn pipes(tables: &[Arc<dyn BatchSource>]) -> HashSet<(i32, u64)> {
    let mut pipes = HashSet::new();
    for batch in pieces(tables, TableId::File, &[file::LOG, file::FILE_ID, file::PATH]) {
        let logs = batch.column(0).as_primitive::<Int32Type>().values();
        let files = batch.column(1).as_primitive::<UInt64Type>().values();
        let paths = batch.column(2).as_string_view();
        let is_pipe = |row: &usize| {
            let path = if paths.is_valid(*row) { paths.value(*row) } else { "" };
            path.starts_with("pipe:") || path.starts_with("socket:")
        };
        pipes.extend((0..batch.num_rows()).filter(is_pipe).map(|row| (logs[row], files[row])));
    }
    pipes
}
