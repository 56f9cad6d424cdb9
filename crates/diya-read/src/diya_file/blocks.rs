//! Where the blocks are: by the index at the end of the file, or, where that is
//! missing or damaged, by walking from one to the next.

use super::cursor::{Cursor, Payload};
use crate::{Source, SourceError};
use std::ops::Range;

/// First bytes of a file.
pub(super) const MAGIC: &[u8; 8] = b"DIYA\r\n\x1a\n";
/// Bytes before the first block.
pub(super) const HEAD_BYTES: u64 = 16;
/// Newest version that can be read.
pub(super) const VERSION: u16 = 1;

const BLOCK_MAGIC: &[u8; 8] = b"DIYABLK\n";
const END_MAGIC: &[u8; 8] = b"DIYAEND\n";
const TRAILER_BYTES: u64 = 24;

/// Fixed part of the head of a block; names, summary and check sum follow.
const FIXED_BYTES: usize = 36;
/// No head is larger.
const MAX_HEAD_BYTES: u64 = 2048;
/// Bytes searched at a time for the next block.
const SEARCH_BYTES: u64 = 1 << 20;

/// What a block holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BlockKind {
    Manifest,
    Rows,
    Calls,
    Heatmap,
    Index,
    /// Of a newer version.
    Unknown,
}

/// The head of a block and where it is.
#[derive(Debug, Clone)]
pub(super) struct Block {
    pub offset: u64,
    pub head_bytes: u64,
    pub kind: BlockKind,
    pub codec: u8,
    pub table: String,
    pub summary: Vec<u8>,
    pub rows: usize,
    pub raw_bytes: usize,
    /// Of the part that may be deflated; the plain part follows it.
    pub stored_bytes: u64,
    pub plain_bytes: u64,
    pub crc: u32,
}

impl Block {
    /// Reads the head at the front of the bytes; `None`: there is none.
    fn parse(bytes: &[u8], offset: u64) -> Option<Self> {
        let fixed = bytes.get(..FIXED_BYTES)?;
        if !fixed.starts_with(BLOCK_MAGIC) {
            return None;
        }
        let u16_at = |at: usize| fixed.get(at..)?.first_chunk().map(|b| u16::from_le_bytes(*b));
        let u32_at = |at: usize| fixed.get(at..)?.first_chunk().map(|b| u32::from_le_bytes(*b));
        let (name, summary) = (usize::from(u16_at(10)?), usize::from(u16_at(12)?));
        let (name_end, end) = (FIXED_BYTES + name, FIXED_BYTES + name + summary);
        let crc = u32::from_le_bytes(*bytes.get(end..)?.first_chunk()?);
        if crc32(bytes.get(..end)?) != crc {
            return None;
        }
        Some(Self {
            offset,
            head_bytes: u64::try_from(end + 4).ok()?,
            kind: match fixed.get(8)? {
                1 => BlockKind::Manifest,
                2 => BlockKind::Rows,
                3 => BlockKind::Calls,
                4 => BlockKind::Heatmap,
                5 => BlockKind::Index,
                _ => BlockKind::Unknown,
            },
            codec: *fixed.get(9)?,
            table: std::str::from_utf8(bytes.get(FIXED_BYTES..name_end)?).ok()?.to_string(),
            summary: bytes.get(name_end..end)?.to_vec(),
            rows: usize::try_from(u32_at(16)?).ok()?,
            raw_bytes: usize::try_from(u32_at(20)?).ok()?,
            stored_bytes: u64::from(u32_at(24)?),
            plain_bytes: u64::from(u32_at(28)?),
            crc: u32_at(32)?,
        })
    }

    /// Byte after the block.
    pub fn end(&self) -> u64 {
        self.coded_end().saturating_add(self.plain_bytes)
    }

    fn coded_end(&self) -> u64 {
        self.offset.saturating_add(self.head_bytes).saturating_add(self.stored_bytes)
    }

    /// Its payload, as it was before compression.
    pub fn payload(&self, source: &dyn Source) -> Result<Payload, &'static str> {
        let range = self.offset.saturating_add(self.head_bytes)..self.end();
        if range.end > source.len() {
            return Err("it is beyond the end of the file");
        }
        let stored = source.bytes(range).map_err(|_| "its bytes cannot be read")?;
        if crc32(&stored) != self.crc {
            return Err("its checksum is wrong");
        }
        let place = usize::try_from(self.stored_bytes).unwrap_or(usize::MAX);
        let (coded, plain) = stored.split_at_checked(place).ok_or("its lengths are wrong")?;
        let coded = match self.codec {
            0 if coded.len() == self.raw_bytes => coded.to_vec(),
            1 => inflate(coded, self.raw_bytes).ok_or("it does not decompress to its length")?,
            _ => return Err("its encoding is unknown"),
        };
        Ok(Payload { coded, plain: plain.to_vec() })
    }
}

fn inflate(stored: &[u8], raw_bytes: usize) -> Option<Vec<u8>> {
    // Deflate cannot shrink further than this: whoever claims more is not
    // believed before memory is asked for.
    if raw_bytes / 1032 > stored.len() {
        return None;
    }
    let mut raw = vec![0; raw_bytes];
    let mut codec = flate2::Decompress::new(false);
    let status = codec.decompress(stored, &mut raw, flate2::FlushDecompress::Finish).ok()?;
    let is_whole = usize::try_from(codec.total_out()).ok()? == raw_bytes;
    (status == flate2::Status::StreamEnd && is_whole).then_some(raw)
}

pub(super) fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    crc.sum()
}

/// The blocks of a file.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    pub blocks: Vec<Block>,
    /// Stretches of bytes in which no block was found.
    pub gaps: Vec<Range<u64>>,
    /// There was no usable index: what is missing may be more than is known.
    pub was_walked: bool,
}

/// Finds the blocks.
pub(super) fn find(source: &dyn Source) -> Result<Blocks, SourceError> {
    match by_index(source)? {
        Some(blocks) => Ok(Blocks { blocks, ..Blocks::default() }),
        None => walk(source),
    }
}

fn by_index(source: &dyn Source) -> Result<Option<Vec<Block>>, SourceError> {
    let len = source.len();
    let Some(trailer) = len.checked_sub(TRAILER_BYTES).filter(|at| *at >= HEAD_BYTES) else {
        return Ok(None);
    };
    let bytes = source.bytes(trailer..len)?;
    let (words, magic) = bytes.split_at(16);
    let word = |at: usize| words.get(at..)?.first_chunk().map(|b| u64::from_le_bytes(*b));
    let (Some(place), Some(claimed)) = (word(0), word(8)) else { return Ok(None) };
    if magic != END_MAGIC || claimed != len || place >= trailer {
        return Ok(None);
    }
    let Some(index) = head_at(source, place)?.filter(|b| b.kind == BlockKind::Index) else {
        return Ok(None);
    };
    // A block is known by some forty bytes, of which deflate keeps a few.
    let is_likely = index.raw_bytes as u64 / 64 <= len;
    Ok(index.payload(source).ok().filter(|_| is_likely).and_then(|raw| entries(&raw.coded)))
}

fn entries(raw: &[u8]) -> Option<Vec<Block>> {
    let mut at = Cursor::of(raw);
    let count = at.count(raw.len() / FIXED_BYTES).ok()?;
    let mut blocks = Vec::with_capacity(count);
    for _ in 0..count {
        let offset = at.varint().ok()?;
        blocks.push(Block::parse(at.bytes().ok()?, offset)?);
    }
    Some(blocks)
}

fn head_at(source: &dyn Source, offset: u64) -> Result<Option<Block>, SourceError> {
    let end = source.len().min(offset.saturating_add(MAX_HEAD_BYTES));
    Ok(Block::parse(&source.bytes(offset.min(end)..end)?, offset))
}

/// From block to block; after damage on at the next head that can be found.
fn walk(source: &dyn Source) -> Result<Blocks, SourceError> {
    let mut found = Blocks { was_walked: true, ..Blocks::default() };
    let (mut at, len) = (HEAD_BYTES, source.len());
    while at < len {
        match head_at(source, at)? {
            // What follows the index is the trailer.
            Some(block) if block.kind == BlockKind::Index => break,
            Some(block) => {
                at = block.end();
                found.blocks.push(block);
            }
            None => {
                let next = next_head(source, at + 1)?.unwrap_or(len);
                found.gaps.push(at..next);
                at = next;
            }
        }
    }
    Ok(found)
}

fn next_head(source: &dyn Source, from: u64) -> Result<Option<u64>, SourceError> {
    let finder = memchr::memmem::Finder::new(BLOCK_MAGIC);
    let (mut start, len) = (from, source.len());
    while start < len {
        let end = len.min(start.saturating_add(SEARCH_BYTES));
        let window = source.bytes(start..end)?;
        for place in finder.find_iter(&window) {
            let place = start + u64::try_from(place).unwrap_or(0);
            if head_at(source, place)?.is_some() {
                return Ok(Some(place));
            }
        }
        if end == len {
            break;
        }
        // A head may lie across the end of a window.
        start = end - 7;
    }
    Ok(None)
}
