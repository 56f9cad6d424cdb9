//! Where a reader gets its bytes: by range, so that it touches only what it needs.

use std::borrow::Cow;
use std::ops::Range;

/// Bytes could not be fetched.
#[derive(Debug, thiserror::Error)]
#[error("cannot read bytes {from} to {to}: {reason}")]
pub struct SourceError {
    /// First byte asked for.
    pub from: u64,
    /// Byte after the last one asked for.
    pub to: u64,
    /// What went wrong.
    pub reason: String,
}

/// The bytes of one log.
pub trait Source: Sync {
    /// Number of bytes.
    fn len(&self) -> u64;

    /// No bytes.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes of a range inside `0..len`.
    fn bytes(&self, range: Range<u64>) -> Result<Cow<'_, [u8]>, SourceError>;

    /// Appends at most so many bytes from there on, and says how many; 0: the end. For readers that
    /// go from the start to the end: they need no [`Self::len`], which a file that is still
    /// compressed does not know.
    fn append(&self, from: u64, most: u64, to: &mut Vec<u8>) -> Result<usize, SourceError> {
        let end = from.saturating_add(most).min(self.len());
        if from >= end {
            return Ok(0);
        }
        let bytes = self.bytes(from..end)?;
        to.extend_from_slice(&bytes);
        Ok(bytes.len())
    }
}

impl Source for [u8] {
    fn len(&self) -> u64 {
        u64::try_from(<[u8]>::len(self)).unwrap_or(u64::MAX)
    }

    fn bytes(&self, range: Range<u64>) -> Result<Cow<'_, [u8]>, SourceError> {
        let bounds = usize::try_from(range.start).ok().zip(usize::try_from(range.end).ok());
        let bytes = bounds.and_then(|(from, to)| self.get(from..to));
        bytes.map(Cow::Borrowed).ok_or_else(|| SourceError {
            from: range.start,
            to: range.end,
            reason: format!("there are {} bytes", <[u8]>::len(self)),
        })
    }
}

impl Source for Vec<u8> {
    fn len(&self) -> u64 {
        Source::len(self.as_slice())
    }

    fn bytes(&self, range: Range<u64>) -> Result<Cow<'_, [u8]>, SourceError> {
        self.as_slice().bytes(range)
    }
}
