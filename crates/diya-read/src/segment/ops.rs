//! Numbers of layers and operations in a segment, for matches and keys.

use diya_model::{Layer, Op};

pub(super) const POSIX: u8 = Layer::Posix.number();
pub(super) const STDIO: u8 = Layer::Stdio.number();
pub(super) const MPIIO: u8 = Layer::Mpiio.number();
pub(super) const HDF5_FILE: u8 = Layer::Hdf5File.number();
pub(super) const HDF5_DATASET: u8 = Layer::Hdf5Dataset.number();
pub(super) const PNETCDF_FILE: u8 = Layer::PnetcdfFile.number();
pub(super) const PNETCDF_VAR: u8 = Layer::PnetcdfVar.number();

pub(super) const OPEN: u8 = Op::Open.number();
pub(super) const CLOSE: u8 = Op::Close.number();
pub(super) const READ: u8 = Op::Read.number();
pub(super) const WRITE: u8 = Op::Write.number();
pub(super) const SEEK: u8 = Op::Seek.number();
pub(super) const STAT: u8 = Op::Stat.number();
pub(super) const SYNC: u8 = Op::Sync.number();
pub(super) const DATASYNC: u8 = Op::Datasync.number();
pub(super) const MAP: u8 = Op::Map.number();
pub(super) const DUP: u8 = Op::Dup.number();
pub(super) const RENAME: u8 = Op::Rename.number();
pub(super) const FLUSH: u8 = Op::Flush.number();
pub(super) const VIEW: u8 = Op::View.number();
pub(super) const INFO: u8 = Op::Info.number();
pub(super) const WAIT: u8 = Op::Wait.number();
pub(super) const CREATE: u8 = Op::Create.number();
pub(super) const OTHER: u8 = Op::Other.number();
pub(super) const OPS: u8 = Op::ALL.len() as u8;
