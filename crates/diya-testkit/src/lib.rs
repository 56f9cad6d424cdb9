//! What tests share: where logs are, how much memory a piece of work takes,
//! and how logs are damaged on purpose.

mod damage;
mod logs;
mod memory;
mod repack;

pub use damage::{Damage, damages};
pub use logs::{corpus_logs, root, shared_folder, shared_logs};
pub use memory::{PeakAllocator, peak_bytes_of};
pub use repack::{LogPart, Packing, repack, rewrite};
