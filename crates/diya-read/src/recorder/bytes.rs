//! Little-endian numbers one after the other, and parts that zlib packed.

use std::io::Read as _;

/// A part that unfolds to more than this is damaged: it would hold 16 M calls.
const MAX_UNPACKED_BYTES: u64 = 128 << 20;

/// Bytes that are still to be read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rest<'a>(pub &'a [u8]);

impl<'a> Rest<'a> {
    /// The next bytes.
    #[inline]
    pub fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    #[inline]
    fn word<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.first_chunk().copied()
    }

    #[inline]
    pub fn u8(&mut self) -> Option<u8> {
        self.word::<1>().map(|[byte]| byte)
    }

    #[inline]
    pub fn i32(&mut self) -> Option<i32> {
        self.word().map(i32::from_le_bytes)
    }

    #[inline]
    pub fn u32(&mut self) -> Option<u32> {
        self.word().map(u32::from_le_bytes)
    }

    #[inline]
    pub fn u64(&mut self) -> Option<u64> {
        self.word().map(u64::from_le_bytes)
    }

    #[inline]
    pub fn f64(&mut self) -> Option<f64> {
        self.u64().map(f64::from_bits)
    }

    /// A length or number of things, which the bytes left can hold.
    #[inline]
    pub fn count(&mut self) -> Option<usize> {
        usize::try_from(self.i32()?).ok()
    }

    /// A part of version 3: its packed and unpacked sizes, then a zlib stream. Says
    /// whether the stream is whole; what came before its fault is there.
    pub fn packed(&mut self) -> Option<(Vec<u8>, bool)> {
        let (packed, unpacked) = (self.u64()?, self.u64()?);
        let wanted = usize::try_from(packed).ok()?;
        let is_there = wanted <= self.0.len();
        let stream = self.take(wanted.min(self.0.len()))?;
        let mut bytes = Vec::new();
        let limit = unpacked.min(MAX_UNPACKED_BYTES);
        let read = flate2::read::ZlibDecoder::new(stream).take(limit).read_to_end(&mut bytes);
        let is_whole = is_there && read.is_ok() && bytes.len() as u64 == unpacked;
        Some((bytes, is_whole))
    }
}
