//! Numbers and text at known places of the image.
//!
//! A legacy image is one flat structure, so fields are taken by offset; a
//! field that the image does not hold to its end is `None`, never a guess.

use std::borrow::Cow;

/// Bytes in the byte order of the machine that wrote the log.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bytes<'a> {
    pub bytes: &'a [u8],
    pub is_big_endian: bool,
}

impl<'a> Bytes<'a> {
    /// The same byte order, other bytes.
    pub fn within(self, bytes: &'a [u8]) -> Self {
        Self { bytes, ..self }
    }

    fn word<const N: usize>(self, at: usize) -> Option<[u8; N]> {
        self.bytes.get(at..)?.first_chunk().copied()
    }

    pub fn u64(self, at: usize) -> Option<u64> {
        let word = self.word(at)?;
        Some(if self.is_big_endian { u64::from_be_bytes(word) } else { u64::from_le_bytes(word) })
    }

    pub fn i64(self, at: usize) -> Option<i64> {
        self.u64(at).map(u64::cast_signed)
    }

    pub fn f64(self, at: usize) -> Option<f64> {
        self.u64(at).map(f64::from_bits)
    }

    pub fn u32(self, at: usize) -> Option<u32> {
        let word = self.word(at)?;
        Some(if self.is_big_endian { u32::from_be_bytes(word) } else { u32::from_le_bytes(word) })
    }

    pub fn i32(self, at: usize) -> Option<i32> {
        self.u32(at).map(u32::cast_signed)
    }
}

/// Text up to its first NUL; `None` when it is empty.
///
/// Bytes that are not UTF-8 are replaced: a path may be in any encoding, and a
/// stored path suffix may start inside a character.
pub(super) fn text(field: &[u8]) -> Option<Cow<'_, str>> {
    let end = memchr::memchr(0, field).unwrap_or(field.len());
    field.get(..end).filter(|text| !text.is_empty()).map(String::from_utf8_lossy)
}
