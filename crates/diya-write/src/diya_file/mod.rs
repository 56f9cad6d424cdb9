//! The file of diya, `NAME.diya`: any tables of one log, column by column.
//!
//! head -> manifest block -> blocks of rows and calls -> index block -> trailer.
//! Every block stands for itself (names, types, check sums), so that a file
//! that was cut, or is damaged in one place, gives all the rest. The bytes are
//! described in docs/formats/diya.md.
//!
//! Blocks are independent: [`block_rows`] and [`encode`] let a caller make them on
//! several threads and hand them to [`Writer::push`] in order.

mod block;
mod body;
mod calls;
mod heatmap;
mod numbers;
mod rows;

pub use block::{Block, Effort};
pub use calls::encode_calls;

use block::{BlockKind, crc32};
use body::Body;
use diya_tables::{TableId, Tables};
use heatmap::{RECORDS_PER_BLOCK, encode_heatmap};
use rows::{ROWS_PER_BLOCK, encode_rows};
use std::io::{self, Write};
use std::ops::Range;

/// First bytes of a file. The line ends and the control character tell a
/// transfer that changed them; 0x1a ends a listing on a terminal of old.
const MAGIC: &[u8; 8] = b"DIYA\r\n\x1a\n";

/// Changes when an older reader would misread a newer file.
const VERSION: u16 = 1;

/// Last bytes of a file that was finished.
const END_MAGIC: &[u8; 8] = b"DIYAEND\n";

/// Part of some tables that becomes one block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BlockRows {
    /// Rows of a table.
    Rows(TableId, Range<usize>),
    /// A chunk of calls, by its number.
    Calls(usize),
    /// Records of the heat map.
    Heatmap(Range<usize>),
}

/// The blocks that the tables become, in the order of the file.
pub fn block_rows(tables: &Tables) -> Vec<BlockRows> {
    let cut = |all: usize, each: usize| {
        (0..all.div_ceil(each)).map(move |i| i * each..((i + 1) * each).min(all))
    };
    let mut blocks = Vec::new();
    for id in TableId::ALL {
        let rows = tables.table(id).map_or(0, |table| table.rows());
        blocks.extend(cut(rows, ROWS_PER_BLOCK).map(|rows| BlockRows::Rows(id, rows)));
    }
    let records = tables.heatmap.records().len();
    blocks.extend(cut(records, RECORDS_PER_BLOCK).map(BlockRows::Heatmap));
    let chunks = tables.calls.chunks().enumerate().filter(|(_, chunk)| !chunk.is_empty());
    blocks.extend(chunks.map(|(chunk, _)| BlockRows::Calls(chunk)));
    blocks
}

/// Makes the block of some rows; `None` when the tables have none of them.
pub fn encode(tables: &Tables, rows: &BlockRows) -> Option<Block> {
    match rows {
        BlockRows::Rows(id, rows) => Some(encode_rows(tables.table(*id)?, rows.clone())),
        BlockRows::Calls(chunk) => {
            let chunk = tables.calls.chunk(*chunk);
            (!chunk.is_empty()).then(|| encode_calls(&tables.calls, &chunk, Effort::Small))
        }
        BlockRows::Heatmap(records) => {
            tables.heatmap.records().get(records.clone()).map(encode_heatmap)
        }
    }
}

/// Writes a file block by block; holds no more than the index of what it wrote.
pub struct Writer<W: Write> {
    out: W,
    at: u64,
    index: Body,
    blocks: usize,
}

impl<W: Write> Writer<W> {
    /// Starts a file; `tool` says what writes it: name and version.
    pub fn new(out: W, tool: &str) -> io::Result<Self> {
        let mut writer = Self { out, at: 0, index: Body::default(), blocks: 0 };
        let mut head = MAGIC.to_vec();
        head.extend(VERSION.to_le_bytes());
        head.extend([0, 0]);
        head.extend(crc32(&head).to_le_bytes());
        writer.bytes(&head)?;
        let mut manifest = Body::default();
        manifest.text(&format!("writer={tool}\n"));
        writer.push(&Block::new(BlockKind::Manifest, "", &[], 0, &manifest, Effort::Small))?;
        Ok(writer)
    }

    /// Appends a block.
    pub fn push(&mut self, block: &Block) -> io::Result<()> {
        self.index.varint(self.at);
        self.index.size(block.head.len());
        self.index.bytes(&block.head);
        self.blocks += 1;
        self.bytes(&block.head)?;
        self.bytes(&block.payload)
    }

    /// Appends everything in these tables; an error when they are of several
    /// logs, whose rows a file could not distinguish.
    pub fn tables(&mut self, tables: &Tables) -> io::Result<()> {
        if !is_of_one_log(tables) {
            let message = "the tables are of several logs, but a diya file has one";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        block_rows(tables)
            .iter()
            .filter_map(|rows| encode(tables, rows))
            .try_for_each(|block| self.push(&block))
    }

    /// Bytes written so far.
    pub fn stored_bytes(&self) -> u64 {
        self.at
    }

    /// Writes index and trailer. A file without them can be read, too.
    pub fn finish(mut self) -> io::Result<W> {
        let place = self.at;
        let mut raw = Body::default();
        raw.size(self.blocks);
        raw.bytes(&self.index.coded);
        let index = Block::new(BlockKind::Index, "", &[], self.blocks, &raw, Effort::Small);
        self.bytes(&index.head)?;
        self.bytes(&index.payload)?;
        let mut trailer = place.to_le_bytes().to_vec();
        trailer.extend((self.at + 24).to_le_bytes());
        trailer.extend_from_slice(END_MAGIC);
        self.bytes(&trailer)?;
        self.out.flush()?;
        Ok(self.out)
    }

    fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)?;
        self.at += bytes.len() as u64;
        Ok(())
    }
}

fn is_of_one_log(tables: &Tables) -> bool {
    let rows = TableId::ALL.iter().filter_map(|id| tables.table(*id));
    // Column 0 of every table is `log`.
    let rows = rows.flat_map(|table| (0..table.rows()).filter_map(|row| table.i32(0, row)));
    let calls = tables.calls.runs().map(|run| run.log);
    let records = tables.heatmap.records().iter().map(|record| record.log);
    let mut logs = rows.chain(calls).chain(records);
    let first = logs.next();
    logs.all(|log| Some(log) == first)
}

/// The tables of one log as a file.
///
/// # Panics
///
/// When the tables are of several logs; [`Writer::tables`] gives an error.
///
/// ```
/// use diya_tables::Tables;
/// let file = diya_write::diya_file::to_bytes(&Tables::new(), "example 1.0");
/// assert!(file.starts_with(b"DIYA"));
/// ```
pub fn to_bytes(tables: &Tables, tool: &str) -> Vec<u8> {
    let write = || -> io::Result<Vec<u8>> {
        let mut writer = Writer::new(Vec::new(), tool)?;
        writer.tables(tables)?;
        writer.finish()
    };
    write().expect("tables of one log; a vector takes all bytes")
}
