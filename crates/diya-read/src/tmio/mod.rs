//! Traces of TMIO, which traces MPI-IO: JSON, JSON lines and MessagePack with the bandwidth of each
//! request.
//!
//! docs/formats/tmio.md describes them. FTIO reads the same files.

mod packed;
mod rows;
mod samples;
mod tokens;

#[cfg(test)]
mod tests;

use crate::assemble::{About, Assembly};
use crate::{Format, Proof, ReadError, Request};
use diya_tables::{Issue, IssueKind, TableId, Tables};
use memchr::memmem::find;
use packed::{is_packed, summaries};
use rows::Rows;
use samples::{Found, MODES, samples};
use tokens::Tokens;

/// How these texts begin, and what reads them.
pub(crate) const FORMAT: Format =
    Format { begins: is_tmio, read, has_derived: false, is_in_order: false, proof: Proof::Likely };

/// Lists by which an object without a mode is known.
const LISTS: [&[u8]; 2] = [b"\"b_rank_avr\"", b"\"b_overlap_avr\""];

/// Is this a trace of TMIO, or one that FTIO reads as such?
pub fn is_tmio(head: &[u8]) -> bool {
    is_packed(head) || is_text(head)
}

fn is_text(head: &[u8]) -> bool {
    let text = head.trim_ascii_start();
    let has_mode = || {
        MODES.iter().any(|mode| {
            let name = format!("\"{}\"", mode.name);
            find(text, name.as_bytes()).is_some()
        })
    };
    text.starts_with(b"{")
        && (has_mode()
            || find(text, b"\"bandwidth\"").is_some()
                && LISTS.iter().any(|list| find(text, list).is_some()))
}

/// Reads a trace, appending to the tables.
pub(crate) fn read(
    request: &Request<'_>,
    head: &[u8],
    tables: &mut Tables,
) -> Result<(), ReadError> {
    let mut rows = Rows::new(Assembly::new(request));
    let take = |mode, sample: &_| rows.mode(mode, sample);
    let found = match is_packed(head) {
        true => summaries(&request.source.bytes(0..request.source.len())?, take),
        false => samples(&mut Tokens::of(request.source), take)?,
    };
    issues(request, &found, &rows, tables);
    let about = About {
        format: "tmio",
        log_version: None,
        library_version: None,
        is_real_time: false,
        has_durations: true,
        // Asynchronous requests overlap those of the same rank.
        has_nesting: false,
        has_threads: false,
        nprocs: Some(rows.ranks).filter(|ranks| *ranks > 0),
    };
    rows.assembly.finish(&about, tables);
    Ok(())
}

/// Says what was lost, and what is not as exact as in other logs.
fn issues(request: &Request<'_>, found: &Found, rows: &Rows<'_>, tables: &mut Tables) {
    let mut push = |kind, byte_offset, count: u64, effect: &str| {
        if count > 0 {
            let concerned = &[TableId::Call, TableId::Region];
            let issue = Issue::of_log(kind, effect);
            let count = Some(count);
            tables
                .push_issue(request.log, Issue { byte_offset, count, tables: concerned, ..issue });
        }
    };
    let effect = "bytes that make no sense are skipped";
    push(IssueKind::Corrupt, found.damage, found.damaged, effect);
    let effect = "the file ends inside an object: its writer was stopped, or the file is cut";
    push(IssueKind::Truncated, Some(request.source.len()), u64::from(found.is_cut), effect);
    let effect = "requests without a possible time or bandwidth are left out";
    push(IssueKind::Corrupt, None, rows.impossible, effect);
    let effect = "phases of several requests count as one call each: this file does not hold the \
                  requests";
    push(IssueKind::NotRecorded, None, rows.grouped, effect);
    let effect =
        "the file does not say where a rank ends: these requests are of rank -1, all ranks";
    push(IssueKind::NotRecorded, None, rows.unplaced, effect);
    let effect = "the requests of a mode move other bytes than its total_bytes says";
    push(IssueKind::Misfit, None, rows.unequal, effect);
}
