//! A reader of tar that cannot be made to read a name without end.
//!
//! The library keeps the name of a member, and its attributes, in memory as a whole. Their length
//! is in the archive: some megabytes of gzip can claim, and have, gigabytes of it.

use std::cell::Cell;
use std::io::{BufReader, Error, ErrorKind, Read, Result, Seek, SeekFrom};
use std::rc::Rc;

/// Names and attributes of one member. Linux allows paths of 4 KiB.
const MAX_HEADS_BYTES: u64 = 1 << 20;

/// How many bytes may be read.
#[derive(Clone, Default)]
pub(super) struct ReadLimit(Rc<Cell<u64>>);

impl ReadLimit {
    /// For what stands before the next member, and for what was not read of the last one.
    pub fn for_heads(&self, unread_bytes: u64) {
        self.0.set(unread_bytes.saturating_add(MAX_HEADS_BYTES));
    }

    /// For the bytes of a member: who reads them counts them.
    pub fn for_data(&self) {
        self.0.set(u64::MAX);
    }
}

/// A reader that ends with an error at its limit.
pub(super) struct Bounded<R> {
    reader: R,
    limit: ReadLimit,
    /// Bytes before it.
    at: u64,
}

impl<R> Bounded<R> {
    pub fn new(reader: R, limit: &ReadLimit) -> Self {
        Self { reader, limit: limit.clone(), at: 0 }
    }
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, into: &mut [u8]) -> Result<usize> {
        let limit = self.limit.0.get();
        if limit == 0 {
            return Err(Error::new(ErrorKind::InvalidData, "a name in it is longer than 1 MiB"));
        }
        let most = usize::try_from(limit).unwrap_or(usize::MAX).min(into.len());
        let read = self.reader.read(into.get_mut(..most).unwrap_or_default())?;
        let read_bytes = u64::try_from(read).unwrap_or(0);
        self.limit.0.set(limit.saturating_sub(read_bytes));
        self.at += read_bytes;
        Ok(read)
    }
}

impl<R: Read + Seek> Seek for Bounded<BufReader<R>> {
    /// Steps of the library lead from header to header: the buffer often holds the next one.
    fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        match to {
            SeekFrom::Current(step) => {
                self.reader.seek_relative(step)?;
                self.at = self.at.saturating_add_signed(step);
            }
            _ => self.at = self.reader.seek(to)?,
        }
        Ok(self.at)
    }
}
