//! A file as a source of bytes: only the ranges asked for are read.
//!
//! Not mapped into memory: a mapped file that another program cuts short ends
//! the process that reads it, and logs lie on network file systems.

use diya_read::{Source, SourceError};
use std::borrow::Cow;
use std::fs::File;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// Files up to this size are read at once: one system call instead of one per
/// region.
const SMALL_BYTES: u64 = 256 * 1024;

/// First bytes that are kept of larger files; holds every header.
const HEAD_BYTES: u64 = 4096;

/// A part of a file: a member of an archive that is not compressed.
#[derive(Debug, Clone)]
pub(super) struct Part {
    pub file: Arc<File>,
    /// Its first byte in the file.
    pub from: u64,
    pub len: u64,
}

impl Part {
    /// Reads it from its start on.
    pub fn reader(self) -> PartReader {
        PartReader { part: self, at: 0 }
    }
}

/// Where in a part a reader is.
pub(super) struct PartReader {
    part: Part,
    at: u64,
}

impl std::io::Read for PartReader {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let rest = usize::try_from(self.part.len - self.at).unwrap_or(usize::MAX);
        let wanted = rest.min(buffer.len());
        let buffer = buffer.get_mut(..wanted).unwrap_or_default();
        read_exact_at(&self.part.file, buffer, self.part.from + self.at)?;
        self.at += u64::try_from(wanted).unwrap_or(0);
        Ok(wanted)
    }
}

/// The bytes of a file, or of a part of it.
#[derive(Debug)]
pub struct FileBytes {
    part: Part,
    /// The whole file when it is small, or its start.
    head: Vec<u8>,
}

impl FileBytes {
    /// Opens the file and reads its start.
    pub fn open(path: &Path) -> std::io::Result<Self> {
        let file = File::open(path)?;
        let len = file.metadata()?.len();
        Self::of_part(Part { file: Arc::new(file), from: 0, len })
    }

    /// Reads the start of a part.
    pub(super) fn of_part(part: Part) -> std::io::Result<Self> {
        let wanted = if part.len <= SMALL_BYTES { part.len } else { HEAD_BYTES };
        let mut head = vec![0; usize::try_from(wanted).unwrap_or(0)];
        read_exact_at(&part.file, &mut head, part.from)?;
        Ok(Self { part, head })
    }

    /// Where they lie.
    pub(super) fn part(&self) -> &Part {
        &self.part
    }

    /// The first bytes.
    pub fn head(&self) -> &[u8] {
        &self.head
    }
}

impl Source for FileBytes {
    fn len(&self) -> u64 {
        self.part.len
    }

    fn bytes(&self, range: Range<u64>) -> Result<Cow<'_, [u8]>, SourceError> {
        let bounds = usize::try_from(range.start).ok().zip(usize::try_from(range.end).ok());
        if let Some(bytes) = bounds.and_then(|(from, to)| self.head.get(from..to)) {
            return Ok(Cow::Borrowed(bytes));
        }
        let fail = |reason: String| SourceError { from: range.start, to: range.end, reason };
        if range.start > range.end || range.end > self.part.len {
            return Err(fail(format!("the file has {} bytes", self.part.len)));
        }
        let size = usize::try_from(range.end - range.start).map_err(|e| fail(e.to_string()))?;
        let mut bytes = vec![0; size];
        let from = self.part.from + range.start;
        read_exact_at(&self.part.file, &mut bytes, from).map_err(|e| fail(e.to_string()))?;
        Ok(Cow::Owned(bytes))
    }
}

#[cfg(unix)]
fn read_exact_at(file: &File, buffer: &mut [u8], offset: u64) -> std::io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, offset)
}

#[cfg(not(unix))]
fn read_exact_at(file: &File, buffer: &mut [u8], offset: u64) -> std::io::Result<()> {
    use std::io::{Read, Seek, SeekFrom};
    let mut file = file.try_clone()?;
    file.seek(SeekFrom::Start(offset))?;
    file.read_exact(buffer)
}
