//! Tables as files that other tools read: Parquet, Arrow, CSV, traces of Chrome, DFTracer and OTF2.

mod batches;
mod chrome;
mod chrome_counters;
mod chrome_events;
mod chrome_regions;
mod counter_columns;
mod dftracer;
mod drawn;
mod otf2;
mod parquet;
mod readable;
mod result;
mod rows;
mod tables;
mod whole;

pub use batches::TableFormat;
pub use chrome::write_chrome;
pub use dftracer::write_dftracer;
pub use drawn::write_drawn;
pub use otf2::write_otf2;
pub use readable::{LeftOut, Readable, write_readable};
pub use result::{ResultFormat, write_batches, write_rows};
pub use tables::{ExportError, Written, write_tables};
