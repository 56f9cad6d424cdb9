//! Classes of calls.

/// Classes whose seconds do not overlap; `None` is "any of them". And "run":
/// any of them, with time beside the calls, such as that of messages.
pub(crate) const CLASSES: &[&str] = &[
    "read", "write", "metadata", "sync", "lock", "map", "library", "wait", "text", CHILD, DECODING,
    MAKING, RUN,
];

pub(crate) const RUN: &str = "run";

/// Starting programs and waiting for them: no I/O, but a fix may save it.
pub(crate) const CHILD: &str = "child";

/// Turning the bytes of pictures into data: no I/O, but a fix may save it.
pub(crate) const DECODING: &str = "decoding";

/// Making what is written, or taking apart what was read, between the calls on a file: no I/O in the
/// account, but it goes with them.
pub(crate) const MAKING: &str = "making";

/// Whether seconds of this class are beside the I/O: in the account they are computing, or
/// waiting for a program.
pub(crate) fn is_beside(class: Option<&str>) -> bool {
    matches!(class, Some(CHILD | DECODING | MAKING))
}

/// Row of the account of writes and syncs of which only the sum is known.
pub(crate) const WRITE_SYNC: &str = "write_sync";
