//! Tables as files that other tools read: Parquet, Arrow, CSV, traces of Chrome and DFTracer.

mod batches;
mod chrome;
mod dftracer;
#[cfg(not(target_family = "wasm"))]
mod parquet;
mod readable;
mod result;
mod tables;

pub use batches::TableFormat;
pub use chrome::write_chrome;
pub use dftracer::write_dftracer;
pub use readable::{Readable, write_readable};
pub use result::{ResultFormat, write_batches, write_rows};
pub use tables::{ExportError, Written, write_tables};
