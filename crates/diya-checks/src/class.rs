//! Classes of calls.

/// Classes whose seconds do not overlap; `None` is "any of them". And "run":
/// any of them, with time beside the calls, such as that of messages.
pub(crate) const CLASSES: &[&str] =
    &["read", "write", "metadata", "sync", "lock", "map", "library", "wait", "text", RUN];

pub(crate) const RUN: &str = "run";

/// Row of the account of writes and syncs of which only the sum is known.
pub(crate) const WRITE_SYNC: &str = "write_sync";
