//! Archives of logs: .tar, .tar.gz, .tar.zst, .zip, from a file or from a pipe; squashfs images.
//!
//! Centres keep a day's logs as one archive. Members come out one after the
//! other; a member's name is only ever shown, never used as a path to write to.

use super::bounded::{Bounded, Room};
use super::waiting::Waiting;
use super::{Input, InputError, Location, io_error};
use diya_read::container::unpacking;
use std::fs::File;
use std::io::{BufReader, Cursor, Read, Seek};
use std::path::Path;
use std::process::{Command, Stdio};

/// A tar file says so here, in the head of its first member.
const USTAR_AT: usize = 257;

/// A squashfs image begins so.
const SQUASHFS: &[u8] = b"hsqs";

/// Writes an image as a tar file. The libraries that read images would add twenty others.
const SQUASHFS_TO_TAR: &str = "sqfs2tar";

/// No log is larger than this; a member that claims to be is not read.
const MAX_MEMBER_BYTES: u64 = 16 << 30;

/// A small archive can unpack to any size: as of a file that is compressed as a whole, no more
/// than this is read of a compressed member. Its reader says that the rest is missing.
const MAX_UNPACKED_BYTES: u64 = 1 << 30;

/// Who takes logs; false: no more of them.
type Visit<'v> = dyn FnMut(Input) -> bool + 'v;

/// The logs in a file: itself, or the members of an archive.
pub(super) fn unfold(path: &Path, name: &str) -> Result<Vec<Input>, InputError> {
    collected(name, |visit| each(path, name, visit))
}

/// Visits the logs in a file: itself, or the members of an archive.
pub(super) fn each(path: &Path, name: &str, visit: &mut Visit<'_>) -> Result<(), InputError> {
    let fail = |e| io_error(name, e);
    let file = File::open(path).map_err(fail)?;
    let mut head = Vec::new();
    (&file).take(512).read_to_end(&mut head).map_err(fail)?;
    if is_zip(&head) {
        return zip_members(name, BufReader::new(file), visit);
    }
    if is_tar(&head) {
        let file = BufReader::new(File::open(path).map_err(fail)?);
        return tar_members(name, file, MAX_MEMBER_BYTES, visit);
    }
    if head.starts_with(SQUASHFS) {
        return squashfs_members(path, name, visit);
    }
    let inside = || {
        let file = File::open(path).map(BufReader::new).map_err(fail)?;
        Ok(unpacking(&head, file).map(|of| of.0))
    };
    if inside()?.is_some_and(is_tar_inside)
        && let Some(tar) = inside()?
    {
        return tar_members(name, tar, MAX_UNPACKED_BYTES, visit);
    }
    visit(Input { name: name.into(), place: Location::File(path.to_path_buf()) });
    Ok(())
}

/// All of the logs at once.
fn collected(
    name: &str,
    visit: impl FnOnce(&mut Visit<'_>) -> Result<(), InputError>,
) -> Result<Vec<Input>, InputError> {
    let mut logs = Vec::new();
    let read = visit(&mut |log| {
        logs.push(log);
        true
    });
    match read {
        // A cut archive: the members before the cut are whole.
        Err(InputError::Cut(..)) if !logs.is_empty() => Ok(logs),
        Err(InputError::Cut(_, source)) => Err(io_error(name, source)),
        other => other.and_then(|()| some(name, logs)),
    }
}

/// The logs on standard input.
pub(super) fn unfold_stdin() -> Result<Vec<Input>, InputError> {
    let mut bytes = Vec::new();
    std::io::stdin().lock().read_to_end(&mut bytes).map_err(|e| io_error("-", e))?;
    unfold_bytes("-", bytes)
}

/// The logs in bytes: themselves, or the members of an archive.
pub(super) fn unfold_bytes(name: &str, bytes: Vec<u8>) -> Result<Vec<Input>, InputError> {
    if is_zip(&bytes) {
        return collected(name, |visit| zip_members(name, Cursor::new(bytes), visit));
    }
    if is_tar(&bytes) {
        return collected(name, |visit| {
            tar_members(name, bytes.as_slice(), MAX_MEMBER_BYTES, visit)
        });
    }
    let inside = || unpacking(&bytes, &*bytes).map(|of| of.0);
    if inside().is_some_and(is_tar_inside)
        && let Some(tar) = inside()
    {
        return collected(name, |visit| tar_members(name, tar, MAX_UNPACKED_BYTES, visit));
    }
    Ok(vec![Input::from_bytes(name, bytes)])
}

fn is_zip(head: &[u8]) -> bool {
    head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06")
}

fn is_tar(head: &[u8]) -> bool {
    head.get(USTAR_AT..).is_some_and(|mark| mark.starts_with(b"ustar"))
}

fn is_tar_inside(reader: impl Read) -> bool {
    let mut head = Vec::new();
    // A damaged start is no archive; reading it as a log will say what is wrong.
    reader.take(512).read_to_end(&mut head).is_ok() && is_tar(&head)
}

fn tar_members(
    name: &str,
    reader: impl Read,
    max_bytes: u64,
    visit: &mut Visit<'_>,
) -> Result<(), InputError> {
    let fail = |e| io_error(name, e);
    let room = Room::default();
    let mut archive = tar::Archive::new(Bounded::new(reader, &room));
    let mut waiting = Waiting::default();
    let mut cut = None;
    let mut entries = archive.entries().map_err(fail)?;
    let mut unread_bytes = 0;
    loop {
        room.for_heads(unread_bytes);
        let Some(entry) = entries.next() else { break };
        let mut entry = match entry {
            Ok(entry) => entry,
            Err(e) => {
                cut = Some(InputError::Cut(name.into(), e));
                break;
            }
        };
        unread_bytes = entry.size();
        if !entry.header().entry_type().is_file() {
            continue;
        }
        let member = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        if entry.size() <= MAX_MEMBER_BYTES {
            let mut bytes = Vec::new();
            // What a cut member still holds is read; the reader says what is missing.
            room.for_data();
            let _ = (&mut entry).take(max_bytes).read_to_end(&mut bytes);
            unread_bytes = unread_bytes.saturating_sub(u64::try_from(bytes.len()).unwrap_or(0));
            let Some(bytes) = waiting.keep(&member, bytes) else { continue };
            if !visit(Input::from_bytes(format!("{name}!{member}"), bytes)) {
                return Ok(());
            }
        }
    }
    visit_traces(name, waiting, visit);
    cut.map_or(Ok(()), Err)
}

/// Visits the traces of an archive, each of several members. The name of a trace that is
/// the whole archive is that of the archive.
fn visit_traces(name: &str, waiting: Waiting, visit: &mut Visit<'_>) {
    for (path, bytes) in waiting.into_logs() {
        let label = if path.is_empty() { name.to_string() } else { format!("{name}!{path}") };
        if !visit(Input::from_bytes(label, bytes)) {
            break;
        }
    }
}

/// The files of a squashfs image, as a tar stream of the program that comes with the format.
fn squashfs_members(path: &Path, name: &str, visit: &mut Visit<'_>) -> Result<(), InputError> {
    let mut program = Command::new(SQUASHFS_TO_TAR);
    // A path that begins with a dash would be an option.
    let path = std::path::absolute(path).map_err(|e| io_error(name, e))?;
    program.arg(path).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child =
        program.spawn().map_err(|e| InputError::Squashfs(name.into(), e.to_string()))?;
    let mut goes_on = true;
    let read = child.stdout.take().map_or(Ok(()), |tar| {
        tar_members(name, BufReader::new(tar), MAX_UNPACKED_BYTES, &mut |log| {
            goes_on = visit(log);
            goes_on
        })
    });
    if !goes_on {
        // It would wait for a reader.
        let _ = child.kill();
    }
    let status = child.wait().map_err(|e| io_error(name, e))?;
    if goes_on && !status.success() {
        return Err(InputError::Squashfs(name.into(), "it reports a damaged image".into()));
    }
    read
}

fn zip_members(
    name: &str,
    reader: impl Read + Seek,
    visit: &mut Visit<'_>,
) -> Result<(), InputError> {
    let fail = |e: zip::result::ZipError| io_error(name, std::io::Error::other(e));
    let mut archive = zip::ZipArchive::new(reader).map_err(fail)?;
    let mut waiting = Waiting::default();
    for index in 0..archive.len() {
        let mut member = archive.by_index(index).map_err(fail)?;
        if !member.is_file() || member.size() > MAX_MEMBER_BYTES {
            continue;
        }
        let member_name = member.name().map_or_else(|_| index.to_string(), |n| n.into_owned());
        let mut bytes = Vec::new();
        // The claimed size bounds what is read: a member cannot unpack to more.
        let is_packed = member.compressed_size() < member.size();
        let size = member.size().min(if is_packed { MAX_UNPACKED_BYTES } else { u64::MAX });
        let _ = (&mut member).take(size).read_to_end(&mut bytes);
        let Some(bytes) = waiting.keep(&member_name, bytes) else { continue };
        if !visit(Input::from_bytes(format!("{name}!{member_name}"), bytes)) {
            return Ok(());
        }
    }
    visit_traces(name, waiting, visit);
    Ok(())
}

fn some(name: &str, logs: Vec<Input>) -> Result<Vec<Input>, InputError> {
    if logs.is_empty() { Err(InputError::EmptyArchive(name.into())) } else { Ok(logs) }
}
