//! A call as events.

use super::definitions::{Definitions, OFFSET, RegionRole};
use super::records::{NOTHING, Record, number};
use crate::rows::Rows;
use arrow::array::{Array, AsArray};
use diya_model::Function;
use diya_tables::{Layer, Op, call};

/// Kinds of events.
const ENTER: u8 = 12;
const LEAVE: u8 = 13;
const ATTRIBUTES: u8 = 6;
const CREATE: u8 = 69;
const DESTROY: u8 = 70;
const SEEK: u8 = 72;
const DELETE: u8 = 74;
const BEGIN: u8 = 75;
const COMPLETE: u8 = 78;

/// Modes of operations, and their flag.
const READ: u8 = 0;
const WRITE: u8 = 1;
const FLUSH: u8 = 2;
const COLLECTIVE: u64 = 2;

/// Access modes.
const READ_WRITE: u8 = 2;

/// Events at the beginning and at the end of a call or region; each may have attributes.
#[derive(Debug, Default)]
pub(super) struct Both {
    pub start: Vec<Vec<u8>>,
    pub end: Vec<Vec<u8>>,
}

impl Both {
    pub fn at_start(&mut self, record: &Record) {
        self.start.push(bytes(record));
    }

    pub fn at_end(&mut self, record: &Record) {
        self.end.push(bytes(record));
    }

    /// Puts a function around the events so far.
    pub fn inside(mut self, region: u64) -> Self {
        let one = |kind| {
            let mut bytes = vec![kind];
            number(&mut bytes, region);
            bytes
        };
        self.start.insert(0, one(ENTER));
        self.end.push(one(LEAVE));
        self
    }
}

fn bytes(record: &Record) -> Vec<u8> {
    let mut bytes = Vec::new();
    record.write(&mut bytes);
    bytes
}

/// The paradigm of a layer.
fn paradigm(layer: &str) -> &'static str {
    match Layer::from_name(layer) {
        Some(Layer::Posix) | None => "POSIX",
        Some(Layer::Stdio) => "ISOC",
        Some(Layer::Mpiio) => "MPI-IO",
        Some(Layer::Hdf5File | Layer::Hdf5Dataset | Layer::Hdf5Other) => "HDF5",
        Some(Layer::PnetcdfFile | Layer::PnetcdfVar) => "PnetCDF",
        Some(Layer::Netcdf) => "netCDF",
        Some(Layer::Dfs | Layer::Daos) => "DAOS",
    }
}

/// Is a name not that of a function of another library? `write` of a stream is none of POSIX.
fn fits(name: &str, layer: &str) -> bool {
    let function = Function::ALL.iter().find(|function| function.name == name);
    let software = Layer::from_name(layer).map(Layer::software);
    function.is_none_or(|function| Some(function.layer.software()) == software)
}

/// The events of a call of a process; `id` is a number that no other operation of its
/// location has.
pub(super) fn call_events(
    rows: &Rows<'_>,
    row: usize,
    (process, path, id): (usize, &str, u64),
    definitions: &mut Definitions,
) -> Both {
    let op = rows.text(call::OP, row).and_then(Op::from_name).unwrap_or(Op::Other);
    let paradigm = definitions.paradigm(paradigm(rows.layers.value(row)));
    let file = definitions.file(path, op == Op::List);
    let handle = definitions.handle(process, paradigm, file);
    let has_failed = rows.text(call::ERROR, row).is_some();
    let unsigned = |column| rows.number(column, row).and_then(|n| u64::try_from(n).ok());
    let mut both = Both::default();
    let moves = matches!(op, Op::Read | Op::Write);
    match op {
        Op::Read | Op::Write => {
            let moved = if has_failed { Some(NOTHING) } else { unsigned(call::SIZE_BYTES) };
            // Without a size there is no operation: the function alone is what is known.
            if let Some(moved) = moved {
                let collective = rows.batch.column(call::IS_COLLECTIVE).as_boolean();
                let is_collective = collective.is_valid(row) && collective.value(row);
                let flags = if is_collective { COLLECTIVE } else { 0 };
                let mode = if op == Op::Read { READ } else { WRITE };
                let asked = unsigned(call::REQUESTED_BYTES).unwrap_or(moved);
                let offset = unsigned(call::OFFSET_BYTES).unwrap_or(NOTHING);
                let mut begin =
                    bytes(&Record::new(ATTRIBUTES).ints([1, OFFSET]).byte(4).int(offset));
                let record = Record::new(BEGIN).int(handle).byte(mode).ints([flags, asked, id]);
                begin.extend(bytes(&record));
                both.start.push(begin);
                both.at_end(&Record::new(COMPLETE).ints([handle, moved, id]));
            }
        }
        Op::Sync | Op::Datasync | Op::Flush => {
            both.at_start(&Record::new(BEGIN).int(handle).byte(FLUSH).ints([0, NOTHING, id]));
            both.at_end(&Record::new(COMPLETE).ints([handle, 0, id]));
        }
        Op::Open | Op::Create if !has_failed => {
            both.at_end(&Record::new(CREATE).int(handle).byte(READ_WRITE).ints([0, 0]));
        }
        Op::Close => both.at_start(&Record::new(DESTROY).int(handle)),
        Op::Seek => {
            let whence = unsigned(call::AUX).and_then(|whence| u8::try_from(whence).ok());
            let record = Record::new(SEEK).ints([handle, 0]).byte(whence.unwrap_or(0));
            both.at_end(&record.int(NOTHING));
        }
        Op::Unlink => both.at_start(&Record::new(DELETE).byte(paradigm as u8).int(file)),
        _ => {}
    }
    // Without the name of a function, an operation says what is known.
    let name = rows.text(call::FUNCTION, row).filter(|name| fits(name, rows.layers.value(row)));
    let name = name.or_else(|| both.start.is_empty().then(|| op.name()));
    match name {
        Some(name) => {
            let role = if moves { RegionRole::Transfer } else { RegionRole::Metadata };
            both.inside(definitions.region(name, role))
        }
        None => both,
    }
}
