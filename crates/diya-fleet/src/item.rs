//! What the walk hands to the threads.

use diya::input::Input;
use std::path::PathBuf;
use std::sync::Arc;

/// A file to be read, or a member of an archive that was.
pub struct Item {
    pub path: String,
    pub size_bytes: u64,
    pub mtime: i64,
    pub source: ItemSource,
    /// Shared by all members of an archive: the last one ends it.
    pub archive: Option<Arc<Archive>>,
}

/// Where its bytes are.
pub enum ItemSource {
    File(PathBuf),
    Member(Input),
}

/// The row of an archive, which may be written when all members are.
pub struct Archive {
    pub path: String,
    pub size_bytes: u64,
    pub mtime: i64,
}
