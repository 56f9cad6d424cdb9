//! Tables as files that other tools read: Parquet, Arrow, CSV, Chrome traces.

mod chrome;
#[cfg(not(target_family = "wasm"))]
mod parquet;
mod readable;
mod result;
mod tables;

pub use chrome::write_chrome;
pub use readable::{Readable, write_readable};
pub use result::{ResultFormat, write_batches, write_rows};
pub use tables::{ExportError, TableFormat, Written, write_tables};
