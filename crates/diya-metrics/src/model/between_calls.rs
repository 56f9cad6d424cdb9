//! What a process spends its time on between its calls.

use diya_tables::{Layer, Op};

/// Why time passes beside calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Activity {
    Text,
    PageFaults,
    /// What a library does around the opens of a file, such as setting up a buffer.
    Handling,
    /// Waiting for a file to appear or grow.
    Naps,
}

/// What one process spends beside its calls on one file.
#[derive(Debug, Clone)]
pub(super) struct BetweenCalls {
    pub rank: i32,
    pub activity: Activity,
    pub layer: Layer,
    pub op: Op,
    /// Of page faults the file that is mapped longest.
    pub file_id: u64,
    pub calls: i64,
    pub bytes: i64,
    pub low_s: f64,
    pub high_s: f64,
}
