//! Numbers out of bytes in the byte order of the machine that wrote the log.

/// Byte order of a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    Little,
    Big,
}

/// A place in some bytes, read from front to back; `None` past the end.
#[derive(Debug, Clone)]
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    order: Order,
}

impl Order {
    pub fn u64(self, word: [u8; 8]) -> u64 {
        match self {
            Self::Little => u64::from_le_bytes(word),
            Self::Big => u64::from_be_bytes(word),
        }
    }

    pub fn i64(self, word: [u8; 8]) -> i64 {
        self.u64(word).cast_signed()
    }

    pub fn f64(self, word: [u8; 8]) -> f64 {
        f64::from_bits(self.u64(word))
    }

    pub fn u32(self, word: [u8; 4]) -> u32 {
        match self {
            Self::Little => u32::from_le_bytes(word),
            Self::Big => u32::from_be_bytes(word),
        }
    }
}

impl<'a> Cursor<'a> {
    pub fn new(bytes: &'a [u8], order: Order) -> Self {
        Self { bytes, order }
    }

    pub fn rest(&self) -> &'a [u8] {
        self.bytes
    }

    pub fn take(&mut self, n: usize) -> Option<&'a [u8]> {
        let (head, rest) = self.bytes.split_at_checked(n)?;
        self.bytes = rest;
        Some(head)
    }

    fn word<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (head, rest) = self.bytes.split_first_chunk::<N>()?;
        self.bytes = rest;
        Some(*head)
    }

    pub fn u64(&mut self) -> Option<u64> {
        self.word().map(|w| self.order.u64(w))
    }

    pub fn i64(&mut self) -> Option<i64> {
        self.word().map(|w| self.order.i64(w))
    }

    pub fn f64(&mut self) -> Option<f64> {
        self.word().map(|w| self.order.f64(w))
    }

    pub fn u32(&mut self) -> Option<u32> {
        self.word().map(|w| self.order.u32(w))
    }

    /// Id and rank at the head of every record. A rank that is none means that
    /// these bytes are no record.
    pub fn base(&mut self) -> Option<Result<(u64, i32), i64>> {
        let id = self.u64()?;
        let rank = self.i64()?;
        Some(valid_rank(rank).map(|rank| (id, rank)))
    }
}

/// Ranks are 0 and up, or -1 for a record of all ranks.
pub(crate) fn valid_rank(rank: i64) -> Result<i32, i64> {
    i32::try_from(rank).ok().filter(|r| *r >= -1).ok_or(rank)
}

/// Text of a fixed-size field, up to its first NUL.
pub(crate) fn text_of(field: &[u8]) -> std::borrow::Cow<'_, str> {
    let end = memchr::memchr(0, field).unwrap_or(field.len());
    String::from_utf8_lossy(field.get(..end).unwrap_or_default())
}
