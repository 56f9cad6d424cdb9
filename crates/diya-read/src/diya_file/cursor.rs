//! A place in the payload of a block, and its small parts.

use crate::walk::Damage;
use diya_model::{BadVarint, unzigzag};

/// Rows that a block may claim: above what any writer puts into one.
pub(super) const MAX_ROWS: usize = 1 << 20;

/// Bytes read from front to back: those that were deflated, and beside them
/// those that were not worth it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cursor<'a> {
    coded: &'a [u8],
    plain: &'a [u8],
}

impl<'a> Cursor<'a> {
    pub fn new(payload: &'a Payload) -> Self {
        Self { coded: &payload.coded, plain: &payload.plain }
    }

    pub fn of(coded: &'a [u8]) -> Self {
        Self { coded, plain: &[] }
    }

    pub fn is_done(&self) -> bool {
        self.coded.is_empty()
    }

    /// Bytes left, as an upper bound of what they can announce.
    pub fn left(&self) -> usize {
        self.coded.len()
    }

    pub fn take(&mut self, bytes: usize) -> Result<&'a [u8], Damage> {
        split(&mut self.coded, bytes)
    }

    pub fn take_plain(&mut self, bytes: usize) -> Result<&'a [u8], Damage> {
        split(&mut self.plain, bytes)
    }

    pub fn u8(&mut self) -> Result<u8, Damage> {
        Ok(self.take(1)?.first().copied().unwrap_or_default())
    }

    /// A number of variable length.
    pub fn varint(&mut self) -> Result<u64, Damage> {
        let (value, rest) = diya_model::varint(self.coded).map_err(|bad| match bad {
            BadVarint::CutOff => Damage("the bytes end inside a number".into()),
            BadVarint::TooLong => Damage("a number is longer than 64 bits".into()),
        })?;
        self.coded = rest;
        Ok(value)
    }

    /// A number with its sign in the lowest bit.
    pub fn signed(&mut self) -> Result<i64, Damage> {
        self.varint().map(unzigzag)
    }

    /// A number of things, at most `most`.
    pub fn count(&mut self, most: usize) -> Result<usize, Damage> {
        let claimed = self.varint()?;
        let count = usize::try_from(claimed).ok().filter(|count| *count <= most);
        count.ok_or_else(|| Damage(format!("a count of {claimed} is claimed where {most} fit")))
    }

    /// A part with its lengths in front.
    pub fn part(&mut self) -> Result<Cursor<'a>, Damage> {
        let (coded, plain) = (self.count(self.coded.len())?, self.count(self.plain.len())?);
        Ok(Self { coded: self.take(coded)?, plain: self.take_plain(plain)? })
    }

    /// Bytes with their length in front.
    pub fn bytes(&mut self) -> Result<&'a [u8], Damage> {
        let bytes = self.count(self.coded.len())?;
        self.take(bytes)
    }

    /// A text with its length in front.
    pub fn text(&mut self) -> Result<&'a str, Damage> {
        text_of(self.bytes()?)
    }
}

/// The payload of a block, unpacked.
#[derive(Debug)]
pub(super) struct Payload {
    pub coded: Vec<u8>,
    pub plain: Vec<u8>,
}

fn split<'a>(bytes: &mut &'a [u8], count: usize) -> Result<&'a [u8], Damage> {
    let all: &'a [u8] = bytes;
    let short = || Damage(format!("{count} bytes are announced, {} left", all.len()));
    let (head, rest) = all.split_at_checked(count).ok_or_else(short)?;
    *bytes = rest;
    Ok(head)
}

pub(super) fn text_of(bytes: &[u8]) -> Result<&str, Damage> {
    std::str::from_utf8(bytes).map_err(|_| Damage("a text is not UTF-8".into()))
}
