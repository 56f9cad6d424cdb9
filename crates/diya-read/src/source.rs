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
