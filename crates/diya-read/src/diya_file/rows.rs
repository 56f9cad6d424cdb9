//! A block of rows: columns with name and type, matched to those of the table.

use super::cursor::{Cursor, MAX_ROWS, Payload};
use super::numbers::{Known, Texts, known, numbers, reals};
use crate::walk::Damage;
use crate::{Request, Selection};
use diya_tables::{ColumnDef, IssueKind, Kind, TableBuilder, TableId, Tables, job, read_issue};

/// What a block has that this program does not know, and the reverse.
#[derive(Debug, Default)]
pub(super) struct Misfits {
    /// Columns of a newer version: left out.
    pub unknown: Vec<String>,
    /// Cells that may not be empty and were: shown as 0.
    pub empty: u64,
}

/// Text that a block may unfold to, per row and per byte of payload: many rows
/// share one long text, but not thousands of long ones.
const TEXT_BYTES_PER_ROW: usize = 512;
const TEXT_BYTES_PER_BYTE: usize = 64;

enum Values<'a> {
    Whole(Vec<i64>),
    Real(Vec<f64>),
    Text(Texts<'a>),
}

#[derive(Debug, Clone, Copy)]
enum Cell<'a> {
    Whole(i64),
    Real(f64),
    Text(&'a str),
}

struct Column<'a> {
    /// `None`: no row has a value.
    known: Option<Known>,
    values: Values<'a>,
}

impl<'a> Column<'a> {
    fn read(at: &mut Cursor<'a>, kind: Kind, rows: usize) -> Result<Self, Damage> {
        let known = known(at, rows)?;
        let count = known.as_ref().map_or(0, |known| known.count);
        let values = match kind {
            _ if known.is_none() => Values::Whole(Vec::new()),
            Kind::F64 => Values::Real(reals(at, count)?),
            Kind::Str => Values::Text(Texts::read(at, count)?),
            _ => Values::Whole(numbers(at, count)?),
        };
        Ok(Self { known, values })
    }

    /// The values row by row.
    fn cells(&self, rows: usize) -> impl Iterator<Item = Option<Cell<'a>>> {
        let mut next = 0;
        (0..rows).map(move |row| {
            if !self.known.as_ref()?.has(row) {
                return None;
            }
            let place = next;
            next += 1;
            match &self.values {
                Values::Whole(values) => values.get(place).copied().map(Cell::Whole),
                Values::Real(values) => values.get(place).copied().map(Cell::Real),
                Values::Text(texts) => Some(Cell::Text(texts.get(place))),
            }
        })
    }
}

/// Decodes a block and appends its rows.
pub(super) fn decode(
    payload: &Payload,
    rows: usize,
    id: TableId,
    request: &Request<'_>,
    tables: &mut Tables,
) -> Result<Misfits, Damage> {
    let mut at = Cursor::new(payload);
    let mut misfits = Misfits::default();
    let def = id.def();
    let mut columns: Vec<Option<Column<'_>>> = def.columns.iter().map(|_| None).collect();
    let _version = at.varint()?;
    let mut text_bytes = TEXT_BYTES_PER_ROW * rows + TEXT_BYTES_PER_BYTE * payload.coded.len();
    for _ in 0..at.count(MAX_ROWS)? {
        let name = at.text()?;
        let kind = kind_of(at.u8()?);
        let mut part = at.part()?;
        let place = def.column(name).filter(|p| def.columns.get(*p).map(|c| c.kind) == kind);
        let Some((slot, kind)) = place.and_then(|place| columns.get_mut(place)).zip(kind) else {
            misfits.unknown.push(name.to_string());
            continue;
        };
        let column = Column::read(&mut part, kind, rows)?;
        if let Values::Text(texts) = &column.values {
            let left = text_bytes.checked_sub(texts.total_bytes());
            text_bytes = left.ok_or_else(|| Damage("texts of unlikely length".into()))?;
        }
        *slot = Some(column);
    }
    let wanted = wanted(&columns, rows, id, request.selection);
    let table = tables.builder(id);
    for (number, (def, column)) in def.columns.iter().zip(&columns).enumerate() {
        if def.name == "log" {
            wanted.iter().for_each(|_| table.push_i32(number, Some(request.log)));
        } else if id == TableId::Job && number == job::LOG_NAME {
            wanted.iter().for_each(|_| table.push_str(number, Some(request.log_name)));
        } else if id == TableId::ReadIssue && column.is_none() && def.null.is_none() {
            let kinds = columns.get(read_issue::KIND).and_then(Option::as_ref);
            let kinds: Vec<Option<Cell<'_>>> =
                kinds.map_or(Vec::new(), |kinds| kinds.cells(rows).collect());
            for row in &wanted {
                let kind = kinds.get(*row).copied().flatten();
                table.push_str(number, Some(of_older_issue(number, kind)));
            }
        } else {
            let mut cells: Vec<Option<Cell<'_>>> = vec![None; rows];
            if let Some(column) = column {
                cells = column.cells(rows).collect();
            }
            for row in &wanted {
                let cell = cells.get(*row).copied().flatten();
                misfits.empty += u64::from(cell.is_none() && def.null.is_none());
                push(table, number, def, cell);
            }
        }
    }
    wanted.iter().for_each(|_| table.end_row());
    Ok(misfits)
}

/// Issues of version 1 did not say what was lost: it follows from their kind.
/// Of a kind that is no more known, rows can be missing.
fn of_older_issue(column: usize, kind: Option<Cell<'_>>) -> &'static str {
    let kind = match kind {
        Some(Cell::Text(name)) => IssueKind::from_name(name),
        _ => None,
    };
    let kind = kind.unwrap_or(IssueKind::Truncated);
    match column {
        read_issue::LOSS => kind.loss().name(),
        read_issue::SCOPE => kind.scope().name(),
        _ => "",
    }
}

fn kind_of(code: u8) -> Option<Kind> {
    Some(match code {
        1 => Kind::Bool,
        2 => Kind::I32,
        3 => Kind::I64,
        4 => Kind::U64,
        5 => Kind::F64,
        6 => Kind::Str,
        7 => Kind::TimestampNs,
        _ => return None,
    })
}

/// The rows of the files and ranks asked for, in tables that have both.
fn wanted(
    columns: &[Option<Column<'_>>],
    rows: usize,
    id: TableId,
    selection: &Selection,
) -> Vec<usize> {
    let column = |name: &str| columns.get(id.def().column(name)?)?.as_ref();
    let (Some(ids), Some(ranks)) = (column("file_id"), column("rank")) else {
        return (0..rows).collect();
    };
    let whole = |cell: Option<Cell<'_>>| match cell {
        Some(Cell::Whole(value)) => Some(value),
        _ => None,
    };
    let both = ids.cells(rows).map(whole).zip(ranks.cells(rows).map(whole));
    let is_selected = |(id, rank): (Option<i64>, Option<i64>)| {
        let rank = rank.and_then(|rank| i32::try_from(rank).ok()).unwrap_or(-1);
        selection.wants(id.unwrap_or_default().cast_unsigned(), rank)
    };
    both.enumerate().filter(|(_, cells)| is_selected(*cells)).map(|(row, _)| row).collect()
}

/// Appends a value; a column that may not be empty gets 0 instead.
fn push(table: &mut TableBuilder, number: usize, def: &ColumnDef, cell: Option<Cell<'_>>) {
    let is_filled = def.null.is_none();
    let whole = match cell {
        Some(Cell::Whole(value)) => Some(value),
        _ => is_filled.then_some(0),
    };
    match def.kind {
        Kind::Bool => table.push_bool(number, whole.map(|value| value != 0)),
        Kind::I32 => table.push_i32(number, whole.map(|v| i32::try_from(v).unwrap_or(-1))),
        Kind::I64 | Kind::TimestampNs => table.push_i64(number, whole),
        Kind::U64 => table.push_u64(number, whole.map(i64::cast_unsigned)),
        Kind::F64 => match cell {
            Some(Cell::Real(value)) => table.push_f64(number, Some(value)),
            _ => table.push_f64(number, is_filled.then_some(0.0)),
        },
        Kind::Str => match cell {
            Some(Cell::Text(text)) => table.push_str(number, Some(text)),
            _ => table.push_str(number, is_filled.then_some("")),
        },
    }
}
