//! Traces of Recorder: a directory of files, read as one tar file.
//!
//! docs/formats/recorder.md describes the files of each version.

mod arguments;
mod bytes;
mod calls;
mod code;
mod files;
mod grammar;
mod issues;
mod members;
mod metadata;
mod names;
mod paths;
mod ranks;
mod records;
mod shape;
mod signatures;
mod times;

#[cfg(test)]
mod tests;

use crate::assemble::About;
use crate::members::is_tar;
use crate::{Format, Proof, ReadError, Request};
use diya_tables::Tables;
use issues::Losses;
use members::Members;
use metadata::Layout;
use ranks::Trace;

/// How these traces begin, and what reads them.
pub(crate) const FORMAT: Format =
    Format { begins: is_tar, read, has_derived: false, is_in_order: false, proof: Proof::Likely };

/// Is a file of this name one of a trace? Those of one directory belong together.
pub fn is_member(name: &str) -> bool {
    let is_of_rank = |(rank, ending): (&str, &str)| {
        !rank.is_empty()
            && rank.bytes().all(|byte| byte.is_ascii_digit())
            && matches!(ending, "cst" | "cfg" | "ts" | "itf" | "mt")
    };
    matches!(name, "VERSION" | MAIN_MEMBER | "recorder.cst" | "recorder.ts" | "ug.mt" | "ug.cfg")
        || name.split_once('.').is_some_and(is_of_rank)
}

/// The file by which a directory is known to be a trace.
pub const MAIN_MEMBER: &str = "recorder.mt";

/// Reads a trace, appending to the tables.
pub(crate) fn read(
    request: &Request<'_>,
    _head: &[u8],
    tables: &mut Tables,
) -> Result<(), ReadError> {
    let bytes = request.source.bytes(0..request.source.len())?;
    let members = Members::of(&bytes);
    let metadata = metadata::metadata(&members)?;
    let mut losses = Losses { tar_damaged_at: members.damaged_at, ..Losses::default() };
    let mut trace = Trace::new(request, &metadata);
    match metadata.layout {
        Layout::Records => trace.records(&members, &mut losses),
        _ => trace.grammars(&members, &mut losses),
    }
    losses.push(request.log, &metadata, tables);
    let about = About {
        format: "recorder",
        log_version: Some(metadata.version.clone()),
        library_version: None,
        is_real_time: trace.is_real_time(),
        has_durations: true,
        has_nesting: true,
        has_threads: trace.has_threads,
        nprocs: Some(i64::from(metadata.ranks)),
    };
    trace.into_assembly().finish(&about, tables);
    Ok(())
}
