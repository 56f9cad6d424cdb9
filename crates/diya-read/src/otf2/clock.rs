//! Ticks become nanoseconds.

use super::definitions::ClockProperties;

const NS_PER_S: u64 = 1_000_000_000;

/// The clock of all locations.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clock {
    resolution: u64,
    first: u64,
    real_ns: i64,
    /// It counts from 1970.
    pub is_real: bool,
}

impl Clock {
    /// `None`: ticks of a nanosecond.
    pub fn of(properties: Option<ClockProperties>) -> Self {
        let Some(properties) = properties.filter(|properties| properties.resolution > 0) else {
            return Self { resolution: NS_PER_S, first: 0, real_ns: 0, is_real: false };
        };
        let real_ns = properties.real_ns.and_then(|ns| i64::try_from(ns).ok()).filter(|ns| *ns > 0);
        Self {
            resolution: properties.resolution,
            first: properties.first,
            real_ns: real_ns.unwrap_or(0),
            is_real: real_ns.is_some(),
        }
    }

    /// Nanoseconds of a tick: since 1970, or else since the beginning of the trace.
    pub fn ns(&self, tick: u64) -> i64 {
        let magnitude = self.length_ns(tick.abs_diff(self.first));
        let since = if tick < self.first { -magnitude } else { magnitude };
        self.real_ns.saturating_add(since)
    }

    fn length_ns(&self, ticks: u64) -> i64 {
        let ns = match ticks.checked_mul(NS_PER_S / self.common()) {
            Some(product) => u128::from(product / (self.resolution / self.common())),
            None => u128::from(ticks) * u128::from(NS_PER_S) / u128::from(self.resolution),
        };
        i64::try_from(ns).unwrap_or(i64::MAX)
    }

    /// What the usual resolutions and the nanosecond have in common.
    fn common(&self) -> u64 {
        if self.resolution.is_multiple_of(NS_PER_S) { NS_PER_S } else { 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_of_any_length_become_nanoseconds() {
        let ns = |resolution, tick| {
            let properties = ClockProperties { resolution, first: 100, real_ns: Some(1) };
            Clock::of(Some(properties)).ns(tick)
        };
        assert_eq!((ns(NS_PER_S, 107), ns(NS_PER_S, 93)), (8, -6));
        assert_eq!((ns(10_000_000, 101), ns(2 * NS_PER_S, 104)), (101, 3));
        assert_eq!(ns(2_600_000_000, 100 + 26_000_000_000_000), 10_000_000_000_001);
        assert_eq!((ns(1, u64::MAX), ns(u64::MAX, u64::MAX)), (i64::MAX, 1_000_000_000));
        assert_eq!(Clock::of(None).ns(7), 7);
    }
}
