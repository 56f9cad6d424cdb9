//! How much is measured.

use std::time::Duration;

/// How much is measured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Calibration {
    /// Threads where several work at the same time.
    pub workers: u32,
    /// Bytes that each of them writes and reads in large requests.
    pub bytes: usize,
    /// Small requests, and files, of each of them.
    pub calls: usize,
    /// Longest time of each step.
    pub step: Duration,
}

impl Default for Calibration {
    /// Four workers, 64 MiB each, 512 calls, 2 s: less than a minute.
    fn default() -> Self {
        Self { workers: 4, bytes: 64 << 20, calls: 512, step: Duration::from_secs(2) }
    }
}

impl Calibration {
    /// As little as gives every number: for tests.
    pub fn quick() -> Self {
        Self { workers: 2, bytes: 8 << 20, calls: 8, step: Duration::from_millis(200) }
    }
}
