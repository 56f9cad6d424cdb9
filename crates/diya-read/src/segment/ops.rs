//! Numbers of layers and operations in a segment, as `xtask generate` gives
//! them to the recorder.

pub(super) const POSIX: u8 = 1;
pub(super) const STDIO: u8 = 2;
pub(super) const MPIIO: u8 = 3;
pub(super) const HDF5_FILE: u8 = 4;
pub(super) const HDF5_DATASET: u8 = 5;
pub(super) const PNETCDF_FILE: u8 = 7;
pub(super) const PNETCDF_VAR: u8 = 8;

pub(super) const OPEN: u8 = 1;
pub(super) const CLOSE: u8 = 2;
pub(super) const READ: u8 = 3;
pub(super) const WRITE: u8 = 4;
pub(super) const SEEK: u8 = 5;
pub(super) const STAT: u8 = 6;
pub(super) const SYNC: u8 = 7;
pub(super) const DATASYNC: u8 = 8;
pub(super) const MAP: u8 = 12;
pub(super) const DUP: u8 = 15;
pub(super) const RENAME: u8 = 17;
pub(super) const FLUSH: u8 = 23;
pub(super) const VIEW: u8 = 24;
pub(super) const INFO: u8 = 25;
pub(super) const WAIT: u8 = 27;
pub(super) const CREATE: u8 = 28;
pub(super) const OTHER: u8 = 31;
pub(super) const OPS: u8 = 31;
