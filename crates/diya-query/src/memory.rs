//! What queries may hold at a time.

use datafusion::error::{DataFusionError, Result};
use datafusion::execution::memory_pool::{MemoryLimit, MemoryPool, MemoryReservation};
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A limit on what the process holds, not only on what operators say that they hold.
///
/// Texts of batches share their buffers, and the engine counts a buffer for each batch that names
/// it: 2 million paths of 120 MB, joined and sorted in batches of 8,192, count as 30 GB. So
/// where the sum of the operators is beyond the limit, what the process has taken since the
/// start of the engine decides, if the system tells.
#[derive(Debug)]
pub(crate) struct MeasuredPool {
    limit_bytes: usize,
    counted: AtomicUsize,
    /// Resident at the start; `None`: the system does not tell.
    at_start_bytes: Option<usize>,
}

impl MeasuredPool {
    pub(crate) fn new(limit_bytes: usize) -> Self {
        let counted = AtomicUsize::new(0);
        Self { limit_bytes, counted, at_start_bytes: resident_bytes() }
    }

    /// Whether the process has room for so much more.
    fn has_room(&self, more_bytes: usize) -> bool {
        let (Some(start), Some(now)) = (self.at_start_bytes, resident_bytes()) else {
            return false;
        };
        now.saturating_sub(start).saturating_add(more_bytes) <= self.limit_bytes
    }
}

impl MemoryPool for MeasuredPool {
    fn name(&self) -> &str {
        "measured"
    }

    fn grow(&self, _: &MemoryReservation, more_bytes: usize) {
        self.counted.fetch_add(more_bytes, Ordering::Relaxed);
    }

    fn shrink(&self, _: &MemoryReservation, less_bytes: usize) {
        self.counted.fetch_sub(less_bytes, Ordering::Relaxed);
    }

    fn try_grow(&self, reservation: &MemoryReservation, more_bytes: usize) -> Result<()> {
        let before = self.counted.fetch_add(more_bytes, Ordering::Relaxed);
        if before.saturating_add(more_bytes) <= self.limit_bytes || self.has_room(more_bytes) {
            return Ok(());
        }
        self.counted.fetch_sub(more_bytes, Ordering::Relaxed);
        let (who, limit_bytes) = (reservation.consumer().name(), self.limit_bytes);
        let what = format!("{who} wants {more_bytes} bytes more; the limit is {limit_bytes}");
        Err(DataFusionError::ResourcesExhausted(what))
    }

    fn reserved(&self) -> usize {
        self.counted.load(Ordering::Relaxed)
    }

    fn memory_limit(&self) -> MemoryLimit {
        MemoryLimit::Finite(self.limit_bytes)
    }
}

impl fmt::Display for MeasuredPool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} bytes", self.reserved(), self.limit_bytes)
    }
}

/// Memory of the process; `None`: unknown, as in a browser.
fn resident_bytes() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kib: usize = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    kib.checked_mul(1024)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use datafusion::execution::memory_pool::MemoryConsumer;
    use std::sync::Arc;

    const MIB: usize = 1 << 20;

    /// Whether an operator may count three times as much.
    fn counts(limit_bytes: usize, each_bytes: usize, held: &[u8]) -> [bool; 3] {
        let pool: Arc<dyn MemoryPool> = Arc::new(MeasuredPool::new(limit_bytes));
        let held = held.to_vec(); // after the start
        let operator = MemoryConsumer::new("operator").register(&pool);
        let may = [(); 3].map(|()| operator.try_grow(each_bytes).is_ok());
        assert!(held.iter().all(|byte| *byte == 1), "still held");
        may
    }

    #[test]
    fn what_is_counted_twice_but_not_held_is_no_reason_to_end() {
        assert_eq!(counts(1024 * MIB, 512 * MIB, &[]), [true, true, true]);
    }

    #[test]
    fn what_the_process_holds_is_a_reason() {
        assert_eq!(counts(32 * MIB, 16 * MIB, &vec![1; 128 * MIB]), [true, true, false]);
    }
}
