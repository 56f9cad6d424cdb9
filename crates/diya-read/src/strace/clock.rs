//! One clock from the forms in which strace prints times.

use super::leader::Time;

const DAY_NS: i64 = 86_400_000_000_000;
/// No trace pauses for so long: such a time is damage.
const MAX_JUMP_NS: i64 = 30 * DAY_NS;

/// What the times of a trace are.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Clock {
    last_ns: Option<i64>,
    /// A time far from the one before; a second one near it is believed.
    doubted_ns: Option<i64>,
    days_ns: i64,
    pub is_real: bool,
    /// A time had no fractions of a second.
    pub is_coarse: bool,
}

impl Clock {
    /// Nanoseconds of a line; `None`: the time makes no sense.
    pub fn read(&mut self, time: Time, is_fine: bool) -> Option<i64> {
        let ns = match time {
            Time::Real(ns) => ns,
            Time::Since(ns) => self.last_ns.unwrap_or(0).checked_add(ns)?,
            Time::Day(ns) => {
                let mut ns = ns.checked_add(self.days_ns)?;
                // Past midnight; lines of several threads can be slightly out of order.
                if self.last_ns.is_some_and(|last| last.saturating_sub(ns) > DAY_NS / 2) {
                    self.days_ns = self.days_ns.checked_add(DAY_NS)?;
                    ns = ns.checked_add(DAY_NS)?;
                }
                ns
            }
        };
        let is_near = |other: i64| ns.abs_diff(other) <= MAX_JUMP_NS.unsigned_abs();
        if self.last_ns.is_some_and(|last| !is_near(last)) && !self.doubted_ns.is_some_and(is_near)
        {
            self.doubted_ns = Some(ns);
            return None;
        }
        self.is_real |= matches!(time, Time::Real(_));
        self.is_coarse |= !is_fine;
        self.last_ns = Some(ns);
        Some(ns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn midnight_begins_a_new_day() {
        let mut clock = Clock::default();
        let hour = 3_600_000_000_000;
        assert_eq!(clock.read(Time::Day(23 * hour), true), Some(23 * hour));
        assert_eq!(clock.read(Time::Day(hour), true), Some(25 * hour));
        assert_eq!(clock.read(Time::Day(2 * hour), false), Some(26 * hour));
        assert!(clock.is_coarse && !clock.is_real);
    }

    #[test]
    fn differences_add_up_and_one_wild_time_is_left_out() {
        let mut clock = Clock::default();
        assert_eq!(clock.read(Time::Since(5), true), Some(5));
        assert_eq!(clock.read(Time::Since(7), true), Some(12));
        let (now, wild) = (1_795_000_000_000_000_000, 5_795_000_000_000_000_000);
        let mut clock = Clock::default();
        assert_eq!(clock.read(Time::Real(now), true), Some(now));
        assert_eq!(clock.read(Time::Real(wild), true), None);
        assert_eq!(clock.read(Time::Real(now + 1), true), Some(now + 1));
    }
}
