//! Archives of logs: .tar, .tar.gz, .tar.zst, .zip, from a file or from a pipe; squashfs images.
//!
//! Centres keep a day's logs as one archive. Members come out one after the
//! other; a member's name is only ever shown, never used as a path to write to.

use super::limits::{Limits, MAX_MEMBER_BYTES, MEMBER_BYTES, Visit};
use super::tar_archive::{self, visit_traces};
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

/// Where the members of a tar file are visited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Members {
    /// In memory, one after the other.
    InMemory,
    /// As parts of the file: all of them are known at the same time.
    InPlace,
}

/// The logs in a file: itself, or the members of an archive.
pub(super) fn unfold(path: &Path, name: &str) -> Result<Vec<Input>, InputError> {
    let bytes = std::fs::metadata(path).map_or(0, |about| about.len());
    collected(name, Limits::plain(bytes), |visit| each_as(Members::InPlace, path, name, visit))
}

/// Visits the logs in a file: itself, or the members of an archive.
pub(super) fn each(path: &Path, name: &str, visit: &mut Visit<'_>) -> Result<(), InputError> {
    each_as(Members::InMemory, path, name, visit)
}

fn each_as(
    members: Members,
    path: &Path,
    name: &str,
    visit: &mut Visit<'_>,
) -> Result<(), InputError> {
    let fail = |e| io_error(name, e);
    let file = File::open(path).map_err(fail)?;
    let bytes = file.metadata().map_err(fail)?.len();
    let mut head = Vec::new();
    (&file).take(512).read_to_end(&mut head).map_err(fail)?;
    if is_zip(&head) {
        return zip_members(name, BufReader::new(file), Limits::packed(bytes), visit);
    }
    if is_tar(&head) {
        let (file, limits) = (File::open(path).map_err(fail)?, Limits::plain(bytes));
        return match members {
            Members::InMemory => tar_archive::members(name, BufReader::new(file), limits, visit),
            Members::InPlace => tar_archive::parts(name, file, limits, visit),
        };
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
        return tar_archive::members(name, tar, Limits::packed(bytes), visit);
    }
    visit(Input { name: name.into(), place: Location::File(path.to_path_buf()) });
    Ok(())
}

/// All of the logs at once.
fn collected(
    name: &str,
    limits: Limits,
    visit: impl FnOnce(&mut Visit<'_>) -> Result<(), InputError>,
) -> Result<Vec<Input>, InputError> {
    let mut logs = Vec::new();
    let mut room = Some(limits.together);
    let read = visit(&mut |log: Input| {
        let bytes = log.bytes().map_or(0, |bytes| bytes.len() as u64);
        let bytes = bytes + log.name.len() as u64 + MEMBER_BYTES;
        room = room.and_then(|room| room.checked_sub(bytes));
        logs.extend(room.is_some().then_some(log));
        room.is_some()
    });
    match read {
        _ if room.is_none() => Err(InputError::TooLarge(name.into(), limits.together)),
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
    let size = bytes.len() as u64;
    let (plain, packed) = (Limits::plain(size), Limits::packed(size));
    if is_zip(&bytes) {
        let bytes = Cursor::new(bytes);
        return collected(name, packed, |visit| zip_members(name, bytes, packed, visit));
    }
    if is_tar(&bytes) {
        return collected(name, plain, |visit| tar_archive::members(name, &*bytes, plain, visit));
    }
    let inside = || unpacking(&bytes, &*bytes).map(|of| of.0);
    if inside().is_some_and(is_tar_inside)
        && let Some(tar) = inside()
    {
        return collected(name, packed, |visit| tar_archive::members(name, tar, packed, visit));
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

/// The files of a squashfs image, as a tar stream of the program that comes with the format.
fn squashfs_members(path: &Path, name: &str, visit: &mut Visit<'_>) -> Result<(), InputError> {
    let mut program = Command::new(SQUASHFS_TO_TAR);
    // A path that begins with a dash would be an option.
    let path = std::path::absolute(path).map_err(|e| io_error(name, e))?;
    let limits = Limits::packed(std::fs::metadata(&path).map_or(0, |about| about.len()));
    program.arg(path).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child =
        program.spawn().map_err(|e| InputError::Squashfs(name.into(), e.to_string()))?;
    let mut goes_on = true;
    let read = child.stdout.take().map_or(Ok(()), |tar| {
        tar_archive::members(name, BufReader::new(tar), limits, &mut |log| {
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
    limits: Limits,
    visit: &mut Visit<'_>,
) -> Result<(), InputError> {
    let fail = |e: zip::result::ZipError| io_error(name, std::io::Error::other(e));
    let mut archive = zip::ZipArchive::new(reader).map_err(fail)?;
    let mut waiting = Waiting::new(limits.together);
    for index in 0..archive.len() {
        let mut member = archive.by_index(index).map_err(fail)?;
        if !member.is_file() || member.size() > MAX_MEMBER_BYTES {
            continue;
        }
        let member_name = member.name().map_or_else(|_| index.to_string(), |n| n.into_owned());
        let mut bytes = Vec::new();
        // The claimed size bounds what is read: a member cannot unpack to more.
        let is_packed = member.compressed_size() < member.size();
        let size = member.size().min(if is_packed { limits.member } else { u64::MAX });
        let _ = (&mut member).take(size).read_to_end(&mut bytes);
        bytes.shrink_to_fit();
        let too_large = |()| InputError::TooLarge(name.into(), limits.together);
        let bytes = waiting.keep(&member_name, bytes).map_err(too_large)?;
        let Some(bytes) = bytes else { continue };
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

#[cfg(test)]
mod tests {
    use super::*;

    fn tar(members: &[(&str, usize)]) -> Vec<u8> {
        let mut archive = tar::Builder::new(Vec::new());
        for (name, bytes) in members {
            let mut header = tar::Header::new_ustar();
            header.set_size(*bytes as u64);
            archive.append_data(&mut header, name, &*vec![0; *bytes]).expect("memory");
        }
        archive.into_inner().expect("memory")
    }

    /// Number of the logs in an archive, where so many bytes may be in memory.
    fn logs(members: &[(&str, usize)], together: u64) -> Result<usize, InputError> {
        let limits = Limits { member: MAX_MEMBER_BYTES, together };
        let tar = tar(members);
        collected("day.tar", limits, |visit| tar_archive::members("day.tar", &*tar, limits, visit))
            .map(|logs| logs.len())
    }

    #[test]
    fn members_that_are_too_large_together_are_an_error() {
        let members = [("a.darshan", 1000), ("b.darshan", 1000)];
        assert_eq!(logs(&members, 4000).ok(), Some(2));
        assert!(matches!(logs(&members, 2000), Err(InputError::TooLarge(..))));
        // Files of a trace wait for its other files.
        let members = [("t/recorder.mt", 1000), ("t/0.cst", 1000)];
        assert_eq!(logs(&members, 9000).ok(), Some(1));
        assert!(matches!(logs(&members, 1500), Err(InputError::TooLarge(..))));
    }

    #[test]
    fn many_small_members_need_room_too() {
        let members = vec![("a", 0); 100];
        assert!(matches!(logs(&members, 100 * MEMBER_BYTES), Err(InputError::TooLarge(..))));
        assert_eq!(logs(&members, 110 * MEMBER_BYTES).ok(), Some(100));
    }
}
