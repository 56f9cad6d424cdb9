//! Numbers of layers and operations in a segment, for matches and keys.

use diya_model::{Layer, Op};

pub(crate) const POSIX: u8 = Layer::Posix.number();
pub(crate) const STDIO: u8 = Layer::Stdio.number();
pub(crate) const MPIIO: u8 = Layer::Mpiio.number();
pub(crate) const HDF5_DATASET: u8 = Layer::Hdf5Dataset.number();
pub(crate) const PNETCDF_FILE: u8 = Layer::PnetcdfFile.number();
pub(crate) const PNETCDF_VAR: u8 = Layer::PnetcdfVar.number();

pub(crate) const OPEN: u8 = Op::Open.number();
pub(crate) const CLOSE: u8 = Op::Close.number();
pub(crate) const READ: u8 = Op::Read.number();
pub(crate) const WRITE: u8 = Op::Write.number();
pub(crate) const SEEK: u8 = Op::Seek.number();
pub(crate) const STAT: u8 = Op::Stat.number();
pub(crate) const SYNC: u8 = Op::Sync.number();
pub(crate) const DATASYNC: u8 = Op::Datasync.number();
pub(crate) const MAP: u8 = Op::Map.number();
pub(crate) const DUP: u8 = Op::Dup.number();
pub(crate) const RENAME: u8 = Op::Rename.number();
pub(crate) const FLUSH: u8 = Op::Flush.number();
pub(crate) const VIEW: u8 = Op::View.number();
pub(crate) const INFO: u8 = Op::Info.number();
pub(crate) const WAIT: u8 = Op::Wait.number();
pub(crate) const CREATE: u8 = Op::Create.number();
pub(crate) const OTHER: u8 = Op::Other.number();
pub(crate) const OPS: u8 = Op::ALL.len() as u8;
