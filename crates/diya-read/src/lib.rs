//! Bytes of logs and traces become tables.
//!
//! Sans-IO: a reader asks a [`Source`] for ranges of bytes, hands independent
//! pieces of work to [`Workers`], and fills [`diya_tables::Tables`]. It opens
//! no file, starts no thread, and reads no clock, so the same code runs in a
//! terminal, in Python and in a browser.
//!
//! Input is hostile. A reader never fails half-way: what could not be read
//! becomes rows of `read_issue`; only bytes that are no log at all are a
//! [`ReadError`].

mod assemble;
pub mod container;
pub mod darshan;
pub mod darshan_legacy;
pub mod darshan_text;
mod derive;
pub mod diya_file;
mod error;
mod foreign;
mod inflate;
pub mod json_trace;
mod lines;
pub mod mapped;
mod members;
pub mod otf2;
mod plausible;
pub mod recorder;
pub mod segment;
mod selection;
mod source;
mod split;
pub mod strace;
pub mod tmio;
mod unpacked;
mod walk;
mod within;
mod workers;

pub use error::ReadError;
pub use plausible::remove_impossible;
pub use selection::{Selection, TableSet};
pub use source::{Source, SourceError};
pub use unpacked::{Problem, Start, UnpackedInOrder};
pub use within::{FoundWithin, Within};
pub use workers::{Serial, Workers};

use diya_tables::Tables;

/// One log to read: its bytes, its number and name, and what is wanted of it.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// The bytes, decompressed if the file as a whole was.
    pub source: &'a dyn Source,
    /// Number of the log in the analysis.
    pub log: i32,
    /// Name of the log, for table `job`.
    pub log_name: &'a str,
    /// How the file as a whole was compressed ("gzip", "bzip2"), if it was.
    pub outer_compression: Option<&'a str>,
    /// What is wanted of it.
    pub selection: &'a Selection,
    /// Who runs independent pieces of work.
    pub workers: &'a dyn Workers,
}

/// A kind of log: how it begins, and what reads it.
struct Format {
    /// Whether these first bytes are of this kind.
    begins: fn(&[u8]) -> bool,
    /// Reads a log that begins with these bytes.
    read: fn(&Request<'_>, &[u8], &mut Tables) -> Result<(), ReadError>,
    /// Whether the tables that follow from others were written with them.
    has_derived: bool,
    /// Whether `read` goes from the first byte to the last one, and never back.
    is_in_order: bool,
    /// How sure the first bytes make it.
    proof: Proof,
}

/// How much the first bytes of a log prove. Of several formats that fit, the first one
/// here reads the log.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Proof {
    /// They are of this format and of no other.
    Certain,
    /// Another format might begin like this.
    Likely,
    /// They may be anything: the error says what was expected.
    Nothing,
}

/// The kinds of logs, every folder here that has a constant `FORMAT` (build.rs lists them).
const FORMATS: &[Format] = include!(concat!(env!("OUT_DIR"), "/formats.rs"));

/// Reads one log of any known format, appending to the tables.
///
/// On an error nothing was appended.
pub fn read(request: &Request<'_>, tables: &mut Tables) -> Result<(), ReadError> {
    let mut head = Vec::new();
    request.source.append(0, darshan::HEADER_BYTES, &mut head)?;
    let format = format_of(&head).ok_or(ReadError::Empty)?;
    if format.proof == Proof::Nothing && !darshan::has_version_or_magic(&head) {
        return Err(foreign::refuse(&head, request.outer_compression));
    }
    let before = derive::Before::of(tables);
    (format.read)(request, &head, tables)?;
    if !format.has_derived {
        derive::fill(request.selection, &before, tables);
    }
    Ok(())
}

/// Is a log with these bytes at its start read from its first byte to its last one? Then it need not
/// be in memory as a whole, and a compressed one need not be unpacked first.
pub fn is_read_in_order(source: &dyn Source) -> bool {
    let mut head = Vec::new();
    let read = source.append(0, darshan::HEADER_BYTES, &mut head);
    read.is_ok() && format_of(&head).is_some_and(|format| format.is_in_order)
}

fn format_of(head: &[u8]) -> Option<&'static Format> {
    let fitting = FORMATS.iter().filter(|format| !head.is_empty() && (format.begins)(head));
    fitting.min_by_key(|format| format.proof)
}
