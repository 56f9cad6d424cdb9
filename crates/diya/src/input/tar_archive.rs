//! The logs in a tar file, one after the other.
//!
//! Members of a tar file on a disk stay there: each is a part of that file, read when its log is
//! read. Those of a stream (compressed, or a pipe) are in memory, with no byte more than they have.

use super::bounded::{Bounded, ReadLimit};
use super::file::Part;
use super::limits::{Limits, MAX_MEMBER_BYTES, Visit};
use super::waiting::Waiting;
use super::{Input, InputError, Location, io_error};
use std::fs::File;
use std::io::{BufReader, Error, ErrorKind, Read};
use std::sync::Arc;

/// Room that is made for a member before it is read. A header may claim any size.
const MAX_RESERVED_BYTES: u64 = 1 << 20;

/// Visits the members of a stream.
pub(super) fn members(
    name: &str,
    reader: impl Read,
    limits: Limits,
    visit: &mut Visit<'_>,
) -> Result<(), InputError> {
    let limit = ReadLimit::default();
    let mut archive = tar::Archive::new(Bounded::new(reader, &limit));
    let entries = archive.entries().map_err(|e| io_error(name, e))?;
    each(entries, name, &limit, None, limits, visit)
}

/// Visits the members of a tar file as parts of it: of most members only the header is read.
pub(super) fn parts(
    name: &str,
    file: File,
    limits: Limits,
    visit: &mut Visit<'_>,
) -> Result<(), InputError> {
    let fail = |e| io_error(name, e);
    let len = file.metadata().map_err(fail)?.len();
    let limit = ReadLimit::default();
    let reader = BufReader::new(file.try_clone().map_err(fail)?);
    let mut archive = tar::Archive::new(Bounded::new(reader, &limit));
    let entries = archive.entries_with_seek().map_err(fail)?;
    each(entries, name, &limit, Some((Arc::new(file), len)), limits, visit)
}

/// Visits members; `file`: the tar file and its length, for members that stay in it.
fn each<R: Read>(
    mut entries: tar::Entries<'_, Bounded<R>>,
    name: &str,
    limit: &ReadLimit,
    file: Option<(Arc<File>, u64)>,
    limits: Limits,
    visit: &mut Visit<'_>,
) -> Result<(), InputError> {
    let mut waiting = Waiting::new(limits.together);
    let mut cut = None;
    let mut unread_bytes = 0;
    loop {
        limit.for_heads(unread_bytes);
        let Some(entry) = entries.next() else { break };
        let mut entry = match entry {
            Ok(entry) => entry,
            Err(e) => {
                cut = Some(InputError::Cut(name.into(), e));
                break;
            }
        };
        // A file is not read where a member is skipped.
        unread_bytes = if file.is_none() { entry.size() } else { 0 };
        if !entry.header().entry_type().is_file() {
            continue;
        }
        let member = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        if entry.size() > MAX_MEMBER_BYTES {
            continue;
        }
        let label = || format!("{name}!{member}");
        let log = match &file {
            Some((file, len)) if !Waiting::takes(&member) => {
                let from = entry.raw_file_position();
                // What a cut member still holds is read; the reader says what is missing.
                let size = entry.size().min(len.saturating_sub(from));
                let is_cut = size < entry.size();
                cut = is_cut.then(|| InputError::Cut(name.into(), ErrorKind::UnexpectedEof.into()));
                let part = Part { file: Arc::clone(file), from, len: size };
                Input { name: label(), place: Location::Part(part) }
            }
            _ => {
                limit.for_data();
                let bytes = content(&mut entry, limits);
                unread_bytes = unread_bytes.saturating_sub(bytes.len() as u64);
                let too_large = |()| InputError::TooLarge(name.into(), limits.together);
                let bytes = waiting.keep(&member, bytes).map_err(too_large)?;
                let Some(bytes) = bytes else { continue };
                Input::from_bytes(label(), bytes)
            }
        };
        if !visit(log) {
            return Ok(());
        }
        if cut.is_some() {
            break;
        }
    }
    visit_traces(name, waiting, visit);
    cut.map_or(Ok(()), Err)
}

/// The bytes of a member, or those before a cut.
fn content<R: Read>(entry: &mut tar::Entry<'_, R>, limits: Limits) -> Vec<u8> {
    let reserved = entry.size().min(limits.member).min(MAX_RESERVED_BYTES);
    let mut bytes = Vec::with_capacity(usize::try_from(reserved).unwrap_or(0));
    let _: Result<usize, Error> = entry.take(limits.member).read_to_end(&mut bytes);
    // Logs of an archive stay in memory together.
    bytes.shrink_to_fit();
    bytes
}

/// Visits the traces of an archive, each of several members. The name of a trace that is
/// the whole archive is that of the archive.
pub(super) fn visit_traces(name: &str, waiting: Waiting, visit: &mut Visit<'_>) {
    for (path, bytes) in waiting.into_logs() {
        let label = if path.is_empty() { name.to_string() } else { format!("{name}!{path}") };
        if !visit(Input::from_bytes(label, bytes)) {
            break;
        }
    }
}
