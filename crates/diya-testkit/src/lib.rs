//! What tests share: where logs are, how much memory a piece of work takes,
//! how logs are damaged on purpose, how a test uses every processor,
//! and what becomes of a test whose sample is missing.

mod damage;
mod logs;
mod memory;
mod parallel;
mod repack;
mod skip;

pub use damage::{Damage, damages};
pub use logs::{corpus_log, corpus_logs, corpus_traces, root, shared_folder, shared_logs};
pub use memory::{PeakAllocator, peak_bytes_of};
pub use parallel::on_all_processors;
pub use repack::{LogPart, Packing, repack, rewrite};
pub use skip::skip;
