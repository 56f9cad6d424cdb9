//! Numbers as OTF2 stores them: most with their length before them.

/// The first byte of every file but for the anchor's properties: a chunk begins.
pub(super) const CHUNK_HEADER: u8 = 3;

/// Marks of the byte order behind it.
const LITTLE: u8 = 0x42;
const BIG: u8 = 0x23;

/// A length byte that stands for a number with all bits set, or for a length of 8 bytes.
const ALL_BITS: u8 = 0xff;

/// A reference to nothing.
pub(super) const NOTHING: u32 = u32::MAX;

/// Bytes that are still to be read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rest<'a> {
    pub bytes: &'a [u8],
    pub is_big: bool,
}

impl<'a> Rest<'a> {
    /// What follows the header of a file or chunk; `None`: there is no such header.
    pub fn behind_header(bytes: &'a [u8]) -> Option<Self> {
        match bytes {
            [CHUNK_HEADER, LITTLE, bytes @ ..] => Some(Self { bytes, is_big: false }),
            [CHUNK_HEADER, BIG, bytes @ ..] => Some(Self { bytes, is_big: true }),
            _ => None,
        }
    }

    /// The next bytes.
    pub fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.bytes.split_at_checked(count)?;
        self.bytes = rest;
        Some(taken)
    }

    pub fn u8(&mut self) -> Option<u8> {
        let (first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(*first)
    }

    /// A number of eight bytes.
    pub fn full_u64(&mut self) -> Option<u64> {
        let bytes = self.take(8)?.first_chunk().copied()?;
        Some(if self.is_big { u64::from_be_bytes(bytes) } else { u64::from_le_bytes(bytes) })
    }

    /// A number of up to eight bytes behind their count.
    pub fn u64(&mut self) -> Option<u64> {
        let count = self.u8()?;
        if count == ALL_BITS {
            return Some(u64::MAX);
        }
        self.short(usize::from(count).min(9), 8)
    }

    /// The same with a sign.
    pub fn i64(&mut self) -> Option<i64> {
        self.u64().map(u64::cast_signed)
    }

    /// A number of up to four bytes behind their count.
    pub fn u32(&mut self) -> Option<u32> {
        let count = self.u8()?;
        if count == ALL_BITS {
            return Some(u32::MAX);
        }
        self.short(usize::from(count), 4).and_then(|number| u32::try_from(number).ok())
    }

    fn short(&mut self, count: usize, most: usize) -> Option<u64> {
        if count > most {
            return None;
        }
        let bytes = self.take(count)?;
        let shifted = |number: u64, byte: &u8| number << 8 | u64::from(*byte);
        Some(match self.is_big {
            true => bytes.iter().fold(0, shifted),
            false => bytes.iter().rev().fold(0, shifted),
        })
    }

    /// A text that ends with a zero.
    pub fn text(&mut self) -> Option<&'a [u8]> {
        let end = memchr::memchr(0, self.bytes)?;
        let text = self.take(end)?;
        self.u8()?;
        Some(text)
    }

    /// The bytes of a record, behind their number.
    pub fn record(&mut self) -> Option<Self> {
        let count = match self.u8()? {
            ALL_BITS => usize::try_from(self.full_u64()?).ok()?,
            count => usize::from(count),
        };
        Some(Self { bytes: self.take(count)?, is_big: self.is_big })
    }
}

/// A reference, if it is one.
pub(super) fn reference(id: u32) -> Option<u32> {
    Some(id).filter(|id| *id != NOTHING)
}
