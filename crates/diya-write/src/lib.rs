//! Tables become bytes of logs.
//!
//! Sans-IO, as the reader is: a writer gets [`diya_tables::Tables`] and gives
//! bytes. It opens no file, starts no thread, and reads no clock. Data that a format
//! cannot store is reported as a [`Loss`], never dropped in silence.

pub mod darshan;
pub mod diya_file;
mod error;
mod reduce;
pub mod rows;

pub use error::{Loss, WriteError};
pub use reduce::reduce;
