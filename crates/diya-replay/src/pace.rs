//! When the next call of a lane is due.
//!
//! What the replay itself takes between two calls (its clock, its books, a sleep that ends late)
//! comes off the computing that follows: a million calls with half a microsecond each would
//! otherwise make half a second.

use std::time::{Duration, Instant};

/// The pace of a lane.
pub(crate) struct Pace {
    /// End of the last call, or of the wait for others.
    free: Instant,
    /// How much later than due the calls began, so far.
    late: Duration,
}

impl Pace {
    pub fn new(start: Instant) -> Self {
        Self { free: start, late: Duration::ZERO }
    }

    /// The last call, or the wait for others, ended.
    pub fn end(&mut self, at: Instant) {
        self.free = at;
    }

    /// When a call is due that comes after so much computing; `None`: never, as logs with
    /// impossible times have it.
    pub fn due(&mut self, gap: Duration) -> Option<Instant> {
        let made_up = gap.min(self.late);
        self.late -= made_up;
        self.free.checked_add(gap - made_up)
    }

    /// A call that was due then began.
    pub fn begin(&mut self, due: Instant, at: Instant) {
        self.late += at.saturating_duration_since(due);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const US: Duration = Duration::from_micros(1);

    #[test]
    fn what_the_replay_takes_comes_off_the_next_computing() {
        let start = Instant::now();
        let mut pace = Pace::new(start);
        let mut now = start;
        // Ten calls without computing between them; each begins a microsecond late.
        for _ in 0..10 {
            let due = pace.due(Duration::ZERO).unwrap();
            assert_eq!(due, now);
            now += US;
            pace.begin(due, now);
            now += 5 * US;
            pace.end(now);
        }
        assert_eq!(pace.due(30 * US), Some(now + 20 * US));
        assert_eq!(pace.due(30 * US), Some(now + 30 * US), "it was made up for");
    }

    #[test]
    fn a_wait_for_others_is_not_made_up_for() {
        let start = Instant::now();
        let mut pace = Pace::new(start);
        pace.end(start + 100 * US);
        assert_eq!(pace.due(10 * US), Some(start + 110 * US));
        assert_eq!(pace.due(Duration::MAX), None);
    }
}
