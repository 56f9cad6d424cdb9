//! The file of diya, `NAME.diya`: tables, column by column, in blocks.
//!
//! Only the blocks that hold tables, ranks and files asked for are read. A
//! block that is damaged is left out, and `read_issue` says which rows of which
//! table it held; where the index at the end is missing the blocks are found
//! by walking. docs/formats/diya.md describes the bytes.

mod blocks;
mod calls;
mod cursor;
mod heatmap;
mod numbers;
mod rows;

use crate::darshan::issues::Issues;
use crate::walk::{Budget, Damage};
use crate::{Format, Proof, ReadError, Request};
use blocks::{Block, BlockKind};
use diya_tables::{IssueKind, TableId, Tables};
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// Tables that come whatever is asked for, as [`crate::Selection`] says.
const ALWAYS: [TableId; 5] =
    [TableId::Job, TableId::Mount, TableId::Module, TableId::MpiHint, TableId::ReadIssue];

/// Bytes in memory of a cell, its mark of being there included: for the budget.
const CELL_BYTES: usize = 9;

/// How these files begin, and what reads them.
pub(crate) const FORMAT: Format =
    Format { begins: is_diya, read, has_derived: true, is_in_order: false, proof: Proof::Certain };

/// Is this a file of diya? Its first bytes tell.
pub fn is_diya(head: &[u8]) -> bool {
    // Either part is enough, so that one damaged byte does not hide the rest.
    head.starts_with(b"DIYA\r\n") || head.get(4..8) == Some(b"\r\n\x1a\n")
}

/// Reads a file whose first bytes are `head`, appending to the tables.
pub(crate) fn read(
    request: &Request<'_>,
    head: &[u8],
    tables: &mut Tables,
) -> Result<(), ReadError> {
    let mut issues = Issues::new(request.log, tables_of);
    check_head(head, &mut issues)?;
    let found = blocks::find(request.source)?;
    if found.was_walked {
        let effect = "the index at the end of the file is missing or damaged: the file is cut, or \
                      diya is still writing it. The blocks before this byte are read";
        let end = request.source.len();
        issues.push(IssueKind::Truncated, None, Some(end), None, effect.into());
    }
    for gap in &found.gaps {
        let effect = "no block was found in these bytes; their rows are missing";
        let count = gap.end.saturating_sub(gap.start);
        issues.push(IssueKind::Corrupt, None, Some(gap.start), Some(count), effect.into());
    }
    let mut budget = Budget::with(request.source.len(), BYTES_PER_STORED_BYTE, BASE_BYTES);
    let wanted: Vec<Block> = found
        .blocks
        .into_iter()
        .filter(|b| is_selected(b, request, &mut budget, &mut issues))
        .collect();
    decode(&wanted, request, tables, &mut issues);
    issues.flush(tables);
    Ok(())
}

/// Memory allowed per byte of the file, beyond [`BASE_BYTES`]: a call counts as
/// sixty bytes in memory and takes, in a very regular trace, half of one in the
/// file.
const BYTES_PER_STORED_BYTE: u64 = 400;
const BASE_BYTES: u64 = 128 << 20;

fn check_head(head: &[u8], issues: &mut Issues) -> Result<(), ReadError> {
    let head_bytes = usize::try_from(blocks::HEAD_BYTES).unwrap_or(usize::MAX);
    let Some(head) = head.get(..head_bytes) else {
        let len = u64::try_from(head.len()).unwrap_or(u64::MAX);
        return Err(ReadError::DiyaHeadCut { len });
    };
    let (body, crc) = head.split_at(12);
    let is_whole = crc.first_chunk().map(|b| u32::from_le_bytes(*b)) == Some(blocks::crc32(body));
    let version = head.get(8..).and_then(|b| b.first_chunk()).map(|b| u16::from_le_bytes(*b));
    let version = version.unwrap_or_default();
    if !is_whole || !head.starts_with(blocks::MAGIC) {
        let effect =
            "the file header (16 bytes) is damaged; the file is read as the current version";
        issues.push(IssueKind::Guessed, None, Some(0), None, effect.into());
    } else if version > blocks::VERSION {
        let (found, known) = (version, blocks::VERSION);
        return Err(ReadError::NewerDiya { found, known });
    }
    Ok(())
}

/// Is the block to be read? Says what is not known or too much.
fn is_selected(
    block: &Block,
    request: &Request<'_>,
    budget: &mut Budget,
    issues: &mut Issues,
) -> bool {
    if block.kind == BlockKind::Manifest {
        return false;
    }
    let rows = u64::try_from(block.rows).ok();
    let (table, at) = (Some(block.table.as_str()), Some(block.offset));
    let Some(id) = table_of(block) else {
        let effect = "a table or a kind of block of a newer diya; its rows are ignored";
        issues.push(IssueKind::UnknownVersion, table, at, rows, effect.into());
        return false;
    };
    let selection = request.selection;
    if !selection.tables.has(id) && !ALWAYS.contains(&id) {
        return false;
    }
    if id == TableId::Call && !calls::is_selected(&block.summary, selection) {
        return false;
    }
    let columns = match id {
        // The numbers of a call; the rest of its columns is kept once per run.
        TableId::Call => 7,
        // Bins are single numbers.
        TableId::Heatmap => 1,
        _ => id.def().columns.len(),
    };
    let cells = block.rows.saturating_mul(columns);
    let bytes = cells.saturating_mul(CELL_BYTES).saturating_add(block.raw_bytes);
    let has_room = block.rows <= cursor::MAX_ROWS && budget.spend(bytes);
    if !has_room {
        let effect = "a block decompresses to far more than any real file; its rows are not read";
        issues.push(IssueKind::Limit, table, at, rows, effect.into());
    }
    has_room
}

fn table_of(block: &Block) -> Option<TableId> {
    let id = TableId::from_name(&block.table)?;
    let kind = match id {
        TableId::Call => BlockKind::Calls,
        TableId::Heatmap => BlockKind::Heatmap,
        _ => BlockKind::Rows,
    };
    (kind == block.kind).then_some(id)
}

/// Parts of such a file are called as the tables they hold.
fn tables_of(part: &str) -> Vec<TableId> {
    TableId::from_name(part).into_iter().collect()
}

/// What a worker makes of a block.
enum Decoded {
    Calls(calls::DecodedCalls),
    Heatmap(diya_tables::HeatmapTable),
    /// Rows go to a table that all blocks share: one after the other, later.
    Rows(cursor::Payload),
}

/// Decodes the blocks side by side and appends them in the order of the file.
fn decode(blocks: &[Block], request: &Request<'_>, tables: &mut Tables, issues: &mut Issues) {
    type Slot = Mutex<Option<Result<Decoded, Damage>>>;
    let slots: Vec<Slot> = blocks.iter().map(|_| Mutex::new(None)).collect();
    request.workers.run(blocks.len(), &|number| {
        if let (Some(block), Some(slot)) = (blocks.get(number), slots.get(number)) {
            let decoded = decode_block(block, request);
            *slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(decoded);
        }
    });
    let mut unknown = BTreeSet::new();
    for (block, slot) in blocks.iter().zip(slots) {
        let decoded = slot.into_inner().unwrap_or_else(PoisonError::into_inner);
        let outcome = match decoded {
            Some(decoded) => decoded
                .and_then(|decoded| append(decoded, block, request, tables, &mut unknown, issues)),
            None => Err(Damage("it was not read".into())),
        };
        if let Err(Damage(reason)) = outcome {
            let rows = u64::try_from(block.rows).ok();
            let effect = format!("a block is damaged ({reason}); its rows are missing");
            issues.push(
                IssueKind::BlockChecksum,
                Some(&block.table),
                Some(block.offset),
                rows,
                effect,
            );
        }
    }
    for (table, column) in unknown {
        let effect =
            format!("column {column} was recorded by another version of diya and is ignored");
        issues.push(IssueKind::UnknownVersion, Some(&table), None, None, effect);
    }
}

fn decode_block(block: &Block, request: &Request<'_>) -> Result<Decoded, Damage> {
    let payload = block.payload(request.source).map_err(|reason| Damage(reason.into()))?;
    let (rows, log, selection) = (block.rows, request.log, request.selection);
    match block.kind {
        BlockKind::Calls => calls::decode(&payload, rows, log, selection).map(Decoded::Calls),
        BlockKind::Heatmap => heatmap::decode(&payload, rows, log, selection).map(Decoded::Heatmap),
        _ => Ok(Decoded::Rows(payload)),
    }
}

fn append(
    decoded: Decoded,
    block: &Block,
    request: &Request<'_>,
    tables: &mut Tables,
    unknown: &mut BTreeSet<(String, String)>,
    issues: &mut Issues,
) -> Result<(), Damage> {
    let (table, at) = (Some(block.table.as_str()), Some(block.offset));
    match decoded {
        Decoded::Heatmap(records) => tables.heatmap.append(records),
        Decoded::Calls(decoded) => {
            tables.calls.append(decoded.calls);
            let columns = decoded.unknown_columns.into_iter();
            unknown.extend(columns.map(|id| (block.table.clone(), format!("number {id}"))));
            if decoded.unknown > 0 {
                let effect = "calls of a layer or operation of a newer diya";
                issues.push(
                    IssueKind::UnknownVersion,
                    table,
                    at,
                    Some(decoded.unknown),
                    effect.into(),
                );
            }
        }
        Decoded::Rows(payload) => {
            let Some(id) = table_of(block) else { return Ok(()) };
            let misfits = rows::decode(&payload, block.rows, id, request, tables)?;
            let columns = misfits.unknown.into_iter();
            unknown.extend(columns.map(|column| (block.table.clone(), column)));
            if misfits.empty > 0 {
                let effect = "required values are missing and shown as 0";
                issues.push(IssueKind::Corrupt, table, at, Some(misfits.empty), effect.into());
            }
        }
    }
    Ok(())
}
