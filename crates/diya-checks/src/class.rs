//! Classes of calls.

/// Classes whose seconds do not overlap; `None` is "any of them". And "run":
/// any of them, with time beside the calls, such as that of messages.
pub(crate) const CLASSES: &[&str] =
    &["read", "write", "metadata", "sync", "lock", "map", "library", "wait", "text", CHILD, RUN];

pub(crate) const RUN: &str = "run";

/// Starting programs and waiting for them: no I/O, but a fix may save it.
pub(crate) const CHILD: &str = "child";

/// Row of the account of writes and syncs of which only the sum is known.
pub(crate) const WRITE_SYNC: &str = "write_sync";
