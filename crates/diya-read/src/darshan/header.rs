//! The header: where everything is. The only part that is not compressed.
//!
//! Source: darshan-log-format.h; docs/formats/darshan.md, section 2.

use super::bytes::{Cursor, Order};
use crate::ReadError;
use crate::inflate::Compression;
use std::ops::Range;

/// Bytes of the largest header there is (3.41).
pub const HEADER_BYTES: u64 = 1328;

/// Bytes of the header up to 3.21.
const OLD_HEADER_BYTES: u64 = 360;

/// "d57" in memory; also shows the byte order.
const MAGIC: u64 = 6_567_223;

/// Versions whose layout is known.
pub(crate) const KNOWN_VERSIONS: &str = "3.00, 3.10, 3.20, 3.21, 3.41";

/// What the header says, unverified.
#[derive(Debug)]
pub(crate) struct Header {
    pub version: String,
    pub minor: u32,
    pub order: Order,
    pub compression: Compression,
    /// The byte that names the compression, when it names none.
    pub unknown_compression: Option<u8>,
    pub len: u64,
    /// Zero bytes between the header and the job record.
    pub padding: u64,
    pub names: Range<u64>,
    pub slots: Vec<Slot>,
}

/// One entry of the module map.
#[derive(Debug, Clone)]
pub(crate) struct Slot {
    pub slot: usize,
    pub region: Range<u64>,
    pub version: u32,
    pub is_partial: bool,
}

/// Do the first bytes have the version text of a log, or its magic number? One of them can be
/// damaged.
pub(crate) fn has_version_or_magic(head: &[u8]) -> bool {
    let magic = head.get(8..16).and_then(|bytes| bytes.first_chunk::<8>()).copied();
    let is_magic =
        |word: [u8; 8]| [u64::from_le_bytes(word), u64::from_be_bytes(word)].contains(&MAGIC);
    let is_version = matches!(head, [b'0'..=b'9', b'.', b'0'..=b'9', rest @ ..]
        if rest.is_empty() || rest.iter().take(6).any(|byte| *byte == 0));
    is_version || magic.is_some_and(is_magic)
}

/// Reads the header from the first bytes of a log of `total` bytes.
pub(crate) fn parse(head: &[u8], total: u64) -> Result<Header, ReadError> {
    let not_a_log = |byte_offset, found: String| ReadError::NotALog {
        byte_offset,
        found,
        expected: "a Darshan log (version text at byte 0, magic number 6567223 at byte 8), \
                   or a gzip or bzip2 log of Darshan 1.x and 2.x; copy the file again",
    };
    let magic = head.get(8..16).and_then(|b| b.first_chunk::<8>()).copied();
    let order = match magic {
        Some(word) if u64::from_le_bytes(word) == MAGIC => Order::Little,
        Some(word) if u64::from_be_bytes(word) == MAGIC => Order::Big,
        Some(word) => return Err(not_a_log(8, format!("{:?}", show(&word)))),
        None => return Err(not_a_log(0, format!("only {total} bytes, {:?}", show(head)))),
    };
    let version = super::bytes::text_of(head.get(..8).unwrap_or_default()).into_owned();
    let minor = match version.split_once('.') {
        Some(("3", minor)) => minor.parse().ok().filter(|m| [0, 10, 20, 21, 41].contains(m)),
        _ => None,
    };
    let Some(minor) = minor else {
        return Err(ReadError::UnknownVersion { found: version, known: KNOWN_VERSIONS });
    };
    let len = if minor >= 41 { HEADER_BYTES } else { OLD_HEADER_BYTES };
    let cut = || ReadError::HeaderCut { len: total, header_bytes: len };
    let mut at = Cursor::new(head, order);
    at.take(16).ok_or_else(cut)?;
    let maps = read_maps(&mut at, minor >= 41).ok_or_else(cut)?;
    let compression = match maps.compression {
        0 => Some(Compression::Zlib),
        1 => Some(Compression::Bzip2),
        2 => Some(Compression::Stored),
        _ => None,
    };
    Ok(Header {
        version,
        minor,
        order,
        compression: compression.unwrap_or(Compression::Zlib),
        unknown_compression: compression.is_none().then_some(maps.compression),
        len,
        padding: 0,
        names: maps.names,
        slots: maps.slots,
    })
}

struct Maps {
    compression: u8,
    names: Range<u64>,
    slots: Vec<Slot>,
}

fn read_maps(at: &mut Cursor<'_>, is_new: bool) -> Option<Maps> {
    let compression = *at.take(1)?.first()?;
    let (slot_count, partial) = if is_new {
        at.take(7)?;
        (64, at.u64()?)
    } else {
        at.take(3)?;
        (16, u64::from(at.u32()?))
    };
    let names = region(at)?;
    let mut slots = Vec::with_capacity(slot_count);
    for slot in 0..slot_count {
        let is_partial = partial >> slot & 1 == 1;
        slots.push(Slot { slot, region: region(at)?, version: 0, is_partial });
    }
    for slot in &mut slots {
        slot.version = at.u32()?;
    }
    Some(Maps { compression, names, slots })
}

/// A region as offset and length; a length that would wrap ends at the largest
/// offset there is.
fn region(at: &mut Cursor<'_>) -> Option<Range<u64>> {
    let offset = at.u64()?;
    let len = at.u64()?;
    Some(offset..offset.saturating_add(len))
}

impl Header {
    /// The job region lies between the header and the first thing after it.
    pub fn job(&self, total: u64) -> Range<u64> {
        let first_module =
            self.slots.iter().filter(|s| !s.region.is_empty()).map(|s| s.region.start);
        let end = if self.names.start > 0 { Some(self.names.start) } else { first_module.min() };
        let start = self.len.saturating_add(self.padding);
        start.min(total)..end.unwrap_or(total).max(start)
    }
}

/// Foreign bytes as text that fits on a line.
fn show(bytes: &[u8]) -> String {
    bytes
        .iter()
        .take(16)
        .map(|b| char::from(*b))
        .map(|c| if c.is_ascii_graphic() { c } else { '.' })
        .collect()
}
