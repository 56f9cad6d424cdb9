//! Rows become calls, or regions where the function is no I/O.

use super::mapping::{Mapping, refusal};
use crate::ReadError;
use crate::assemble::{Assembly, Known, NO_FILE, Process, Region, TracedCall, called};
use csv::ByteRecord;
use diya_model::{Layer, Op};
use std::collections::HashMap;

/// Ranks above this are damage: each is a process.
const MAX_RANKS: i64 = 1 << 24;

/// A column: its place, its name and what one of its numbers counts.
#[derive(Debug)]
struct Column {
    at: usize,
    name: String,
    factor: i64,
}

/// The rows of a file.
pub(super) struct Rows<'m, 'd> {
    mapping: &'m Mapping,
    reader: csv::Reader<&'d [u8]>,
    row: ByteRecord,
    columns: Columns,
    layer: Option<Layer>,
    functions: HashMap<String, Option<Known<'static>>>,
    processes: HashMap<i32, usize>,
    /// Rows that became calls or regions.
    pub read: u64,
}

struct Columns {
    start: Column,
    end: Option<Column>,
    duration: Option<Column>,
    function: Column,
    path: Option<Column>,
    rank: Option<Column>,
    thread: Option<Column>,
    host: Option<Column>,
    size: Option<Column>,
    requested: Option<Column>,
    offset: Option<Column>,
    error: Option<Column>,
}

impl<'m, 'd> Rows<'m, 'd> {
    /// Reads the names of the columns.
    pub fn of(mapping: &'m Mapping, data: &'d [u8]) -> Result<Self, ReadError> {
        let separator = u8::try_from(mapping.separator).unwrap_or(b',');
        let mut reader = csv::ReaderBuilder::new().delimiter(separator).from_reader(data);
        let heads = reader.byte_headers().map_err(|e| refusal(format!("the first row: {e}")))?;
        let heads: Vec<String> =
            heads.iter().map(|head| String::from_utf8_lossy(head).trim().to_string()).collect();
        let column = |name: &String, factor: i64| {
            let mut places = heads.iter().enumerate().filter(|(_, head)| *head == name);
            match (places.next(), places.next()) {
                (Some((at, _)), None) => Ok(Column { at, name: name.clone(), factor }),
                (None, _) => {
                    let heads = heads.iter().take(20).map(String::as_str).collect::<Vec<_>>();
                    Err(refusal(format!("no column {name:?}; columns are {}", heads.join(", "))))
                }
                _ => Err(refusal(format!("two columns are named {name:?}"))),
            }
        };
        let text = |name: &Option<String>| name.as_ref().map(|name| column(name, 1)).transpose();
        let of = &mapping.columns;
        let columns = Columns {
            start: column(&of.start.column, of.start.unit.ns())?,
            end: of.end.as_ref().map(|c| column(&c.column, c.unit.ns())).transpose()?,
            duration: of.duration.as_ref().map(|c| column(&c.column, c.unit.ns())).transpose()?,
            function: column(&of.function, 1)?,
            path: text(&of.path)?,
            rank: text(&of.rank)?,
            thread: text(&of.thread)?,
            host: text(&of.host)?,
            size: of.size.as_ref().map(|c| column(&c.column, c.unit.bytes())).transpose()?,
            requested: of
                .requested
                .as_ref()
                .map(|c| column(&c.column, c.unit.bytes()))
                .transpose()?,
            offset: of.offset.as_ref().map(|c| column(&c.column, c.unit.bytes())).transpose()?,
            error: text(&of.error)?,
        };
        let layer = match &mapping.layer {
            Some(name) => Some(Layer::from_name(name).ok_or_else(|| {
                refusal(format!("layer {name:?} is none of diya's, such as posix, stdio, mpiio"))
            })?),
            None => None,
        };
        for (name, function) in &mapping.functions {
            if function_of(function, layer).is_none() {
                let reason =
                    format!("functions.{name}: {function:?} is no function that diya records");
                return Err(refusal(format!("{reason} and no operation of the layer")));
            }
        }
        Ok(Self {
            mapping,
            reader,
            row: ByteRecord::new(),
            columns,
            layer,
            functions: HashMap::new(),
            processes: HashMap::new(),
            read: 0,
        })
    }

    /// Adds the next row; `None`: there is none. A row that does not fit is an error with its
    /// place in the file and the reason.
    pub fn next_row(&mut self, assembly: &mut Assembly<'_>) -> Option<Result<(), (u64, String)>> {
        let offset = self.reader.position().byte();
        let mut row = std::mem::take(&mut self.row);
        let read = match self.reader.read_byte_record(&mut row) {
            Ok(false) => return None,
            Ok(true) => self.add(&row, assembly),
            Err(error) => Err(error.to_string().replace('\n', " ")),
        };
        self.row = row;
        self.read += u64::from(read.is_ok());
        Some(read.map_err(|reason| (offset, reason)))
    }

    fn add(&mut self, row: &ByteRecord, assembly: &mut Assembly<'_>) -> Result<(), String> {
        let columns = &self.columns;
        let start_ns = number(row, &columns.start)?.ok_or("a start is empty")?;
        let end_ns = match (&columns.end, &columns.duration) {
            (Some(end), _) => number(row, end)?.ok_or("an end is empty")?,
            (None, Some(duration)) => {
                let duration = number(row, duration)?.ok_or("a duration is empty")?;
                start_ns.checked_add(duration).ok_or("a duration is too long")?
            }
            (None, None) => start_ns,
        };
        if end_ns < start_ns {
            return Err("a call ends before it starts".into());
        }
        let rank = optional(row, columns.rank.as_ref())?.unwrap_or(0);
        if !(0..MAX_RANKS).contains(&rank) {
            return Err(format!("rank {rank} is out of range"));
        }
        let thread = optional(row, columns.thread.as_ref())?.unwrap_or(0).cast_unsigned();
        let offset = optional(row, columns.offset.as_ref())?.filter(|offset| *offset >= 0);
        let size = optional(row, columns.size.as_ref())?.filter(|size| *size >= 0);
        let requested = optional(row, columns.requested.as_ref())?.filter(|size| *size >= 0);
        let name = text(row, &columns.function).ok_or("a function is empty")?;
        let path = columns.path.as_ref().and_then(|column| text(row, column));
        let error = columns.error.as_ref().and_then(|column| text(row, column));
        let host = columns.host.as_ref().and_then(|column| text(row, column));
        let rank = i32::try_from(rank).map_err(|e| e.to_string())?;
        let process = *self.processes.entry(rank).or_insert_with(|| {
            let mpi_rank = columns.rank.as_ref().map(|_| rank);
            assembly.process(Process { rank, mpi_rank, host, start_ns, ..Process::default() })
        });
        if let Some(process) = assembly.processes.get_mut(process) {
            process.start_ns = process.start_ns.min(start_ns);
            process.end_ns = process.end_ns.max(Some(end_ns));
        }
        let known = match self.functions.get(&name) {
            Some(known) => *known,
            None => {
                let stands_for = self.mapping.functions.get(&name).unwrap_or(&name);
                let known = function_of(stands_for, self.layer);
                self.functions.insert(name.clone(), known);
                known
            }
        };
        let Some(function) = known else {
            let has_thread = columns.thread.is_some();
            let thread = has_thread.then_some(thread);
            let category = "";
            let (name, step) = (name.as_ref(), None);
            assembly.region(&Region { process, thread, name, category, step, start_ns, end_ns });
            return Ok(());
        };
        let file_id = match &path {
            Some(path) => assembly.file(path, "file"),
            None => assembly.file(NO_FILE, "path_suffix"),
        };
        let moves = matches!(function.op, Op::Read | Op::Write);
        assembly.call(&TracedCall {
            process,
            thread,
            function,
            file_id,
            offset,
            size: size.filter(|_| moves),
            requested: requested.filter(|_| moves),
            start_ns,
            end_ns,
            error: error.as_deref(),
            aux: None,
        });
        Ok(())
    }
}

fn function_of(name: &str, layer: Option<Layer>) -> Option<Known<'static>> {
    called(name, layer)
}

/// The text of a cell; `None`: it is empty.
fn text(row: &ByteRecord, column: &Column) -> Option<String> {
    let cell = row.get(column.at).unwrap_or_default().trim_ascii();
    (!cell.is_empty()).then(|| String::from_utf8_lossy(cell).into_owned())
}

fn optional(row: &ByteRecord, column: Option<&Column>) -> Result<Option<i64>, String> {
    column.map_or(Ok(None), |column| number(row, column))
}

/// The number of a cell in nanoseconds, bytes or ones; `None`: the cell is empty.
fn number(row: &ByteRecord, column: &Column) -> Result<Option<i64>, String> {
    let cell = row.get(column.at).unwrap_or_default().trim_ascii();
    if cell.is_empty() {
        return Ok(None);
    }
    let read = std::str::from_utf8(cell).ok().and_then(|cell| scaled(cell, column.factor));
    read.map(Some).ok_or_else(|| {
        let cell: String = String::from_utf8_lossy(cell).chars().take(40).collect();
        format!("column {:?} holds {cell:?}, which is no number that fits", column.name)
    })
}

/// A decimal number times a factor. Digits are exact: seconds since 1970 with nanoseconds do
/// not fit into a number with a floating point.
pub(super) fn scaled(cell: &str, factor: i64) -> Option<i64> {
    if cell.contains(['e', 'E']) {
        let value = cell.parse::<f64>().ok()? * factor as f64;
        return (value.abs() < 9.2e18).then(|| value.round() as i64);
    }
    let (sign, digits) = match cell.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, cell.strip_prefix('+').unwrap_or(cell)),
    };
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let part = part.get(..part.len().min(18))?;
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(whole) || !is_number(part) || (whole.is_empty() && part.is_empty()) {
        return None;
    }
    let value = |text: &str| if text.is_empty() { Some(0) } else { text.parse::<i128>().ok() };
    let unit = 10i128.checked_pow(u32::try_from(part.len()).ok()?)?;
    let all = value(whole)?.checked_mul(unit)?.checked_add(value(part)?)?;
    i64::try_from(sign * (all.checked_mul(i128::from(factor))? / unit)).ok()
}
