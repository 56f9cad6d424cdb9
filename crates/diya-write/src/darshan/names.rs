//! The name region: an id and its name, ended by NUL, one after the other.

use super::heatmap::{self, heatmap_name};
use super::rows_of;
use crate::Loss;
use diya_tables::{TableId, Tables, file};
use std::collections::HashSet;

/// Longest path of a system call (PATH_MAX of Linux); peers keep no more.
const MAX_NAME_BYTES: usize = 4096;

/// The region.
pub(super) fn bytes(tables: &Tables, log: i32, losses: &mut Vec<Loss>) -> Vec<u8> {
    let mut out = Vec::new();
    let mut known = HashSet::new();
    let (mut clipped, mut suffixes) = (0, 0);
    if let Some(files) = tables.table(TableId::File) {
        for row in rows_of(files, log) {
            let id = files.u64(file::FILE_ID, row).unwrap_or(0);
            known.insert(id);
            let path = files.str(file::PATH, row).unwrap_or_default();
            let whole = path.split('\0').next().unwrap_or_default();
            let name = &whole[..whole.floor_char_boundary(MAX_NAME_BYTES)];
            clipped += u64::from(name.len() < path.len());
            suffixes += u64::from(files.bool(file::IS_PATH_SUFFIX, row) == Some(true));
            add(&mut out, id, name);
        }
    }
    // A peer that does not know the name of a heat map does not show it.
    for record in tables.heatmap.records().iter().filter(|r| r.log == log) {
        let name = record.layer.and_then(heatmap_name);
        if let Some(name) = name.filter(|_| known.insert(heatmap::id(record))) {
            add(&mut out, heatmap::id(record), name);
        }
    }
    let mut tell = |count, effect| {
        if count > 0 {
            losses.push(Loss { part: "names", count, effect });
        }
    };
    tell(clipped, "names are truncated at 4096 bytes or at a NUL");
    tell(suffixes, "names are only the ends of paths, which the log cannot mark");
    out
}

fn add(out: &mut Vec<u8>, id: u64, name: &str) {
    out.extend(id.to_le_bytes());
    out.extend(name.as_bytes());
    out.push(0);
}
