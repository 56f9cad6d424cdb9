//! Archives of OTF2: an anchor, definitions, and a file of events for each location, read as
//! one tar file whose first member is the anchor.
//!
//! docs/formats/otf2.md describes the files.

mod anchor;
mod bytes;
mod calls;
mod chunks;
mod clock;
mod definitions;
mod done;
mod events;
mod files;
mod flags;
mod handles;
mod issues;
mod local;
mod messages;
mod metrics;
mod names;
mod operations;
mod process_events;
mod processes;
mod tables;
mod transfers;

#[cfg(test)]
mod tests;

use crate::assemble::About;
use crate::members::{first_path, is_tar};
use crate::{Format, Proof, ReadError, Request};
pub use anchor::{ANCHOR_ENDING, is_anchor};
use definitions::Definitions;
use diya_tables::Tables;
use files::Files;
use issues::Losses;

/// How these archives begin, and what reads them.
pub(crate) const FORMAT: Format =
    Format { begins, read, has_derived: false, is_in_order: false, proof: Proof::Certain };

/// May a file of this name be one of an archive?
pub fn is_member(name: &str) -> bool {
    name.ends_with(ANCHOR_ENDING) || name.ends_with(".def") || is_location(name)
}

/// Is a file of this name one of a location: `N.def` or `N.evt`?
pub fn is_location(name: &str) -> bool {
    name.split_once('.').is_some_and(|(number, ending)| {
        !number.is_empty()
            && number.bytes().all(|byte| byte.is_ascii_digit())
            && matches!(ending, "def" | "evt")
    })
}

/// A file for each location, and no compression.
const POSIX_SUBSTRATE: u8 = 1;
const SION_SUBSTRATE: u8 = 2;
const NO_COMPRESSION: u8 = 1;

fn begins(head: &[u8]) -> bool {
    is_anchor(head) || (is_tar(head) && first_path(head).ends_with(ANCHOR_ENDING.as_bytes()))
}

/// Reads an archive, appending to the tables.
fn read(request: &Request<'_>, head: &[u8], tables: &mut Tables) -> Result<(), ReadError> {
    if is_anchor(head) {
        let found = "this is the anchor alone, without definitions and events".into();
        return Err(ReadError::Otf2 { file: "the anchor".into(), byte_offset: 0, found });
    }
    let bytes = request.source.bytes(0..request.source.len())?;
    let refusal = |file: &str, byte_offset, found: String| ReadError::Otf2 {
        file: file.into(),
        byte_offset,
        found,
    };
    let files = Files::of(&bytes)
        .ok_or_else(|| refusal("the anchor", 0, "no file begins like an anchor".into()))?;
    let at = files.anchor.offset;
    let anchor = anchor::anchor(files.anchor.bytes)
        .ok_or_else(|| refusal(&files.name, at, "the anchor is cut".into()))?;
    match (anchor.substrate, anchor.compression) {
        (POSIX_SUBSTRATE, NO_COMPRESSION) => {}
        (SION_SUBSTRATE, _) => {
            let found = "all locations are in files of SIONlib, which diya does not read; record \
                         with SCOREP_TRACING_USE_SION=false"
                .into();
            return Err(refusal(&files.name, at, found));
        }
        (POSIX_SUBSTRATE, compression) => {
            let found = format!(
                "the files are compressed (number {compression}), which no release of OTF2 reads; \
                 record without"
            );
            return Err(refusal(&files.name, at, found));
        }
        (substrate, _) => {
            let found = format!("events are stored in an unknown way (number {substrate})");
            return Err(refusal(&files.name, at, found));
        }
    }
    let file = files.definitions().ok_or_else(|| {
        refusal(&format!("{}.def", files.archive()), at, "the file is missing".into())
    })?;
    let definitions = Definitions::of(file.bytes, anchor.definition_chunk_bytes);
    let mut losses = Losses {
        tar_damaged_at: files.damaged_at,
        cut_definitions_at: (!definitions.reading.is_whole).then_some(file.offset),
        damaged_definitions: definitions.reading.damaged,
        has_no_clock: definitions.clock.is_none_or(|clock| clock.resolution == 0),
        ..Losses::default()
    };
    let (assembly, clock) =
        process_events::read(request, &files, &anchor, &definitions, &mut losses);
    losses.push(request.log, tables);
    let about = About {
        format: "otf2",
        log_version: Some(anchor.version.clone()),
        library_version: Some(anchor.creator.clone()).filter(|creator| !creator.is_empty()),
        is_real_time: clock.is_real,
        has_durations: true,
        has_nesting: true,
        has_threads: true,
        nprocs: i64::try_from(assembly.processes.len()).ok(),
    };
    assembly.finish(&about, tables);
    Ok(())
}
