//! From ticks of a process to nanoseconds since the start of the job.
//!
//! Within a node all processes share the monotonic clock, to which each reading
//! in a segment ties the ticks. Nodes are tied together by their real time,
//! which a time service keeps within a fraction of a millisecond or so.

use super::header::{Clock, ClockPoint, Header};

/// Two readings closer than this say more about their own error (tens of
/// nanoseconds) than about the speed of the clock.
const SPACING_NS: u64 = 10_000_000;

/// Nanoseconds as seconds.
pub(super) fn seconds(ns: i64) -> f64 {
    ns as f64 / 1e9
}

/// Ticks per nanosecond that one process shows, and over how long.
pub(super) struct Speed {
    pub ns_per_tick: f64,
    pub over_ns: u64,
}

impl Speed {
    /// What a process's readings say; `None` when it ran too short to tell.
    pub fn of(header: &Header) -> Option<Self> {
        let over_ns = header.last.mono_ns.checked_sub(header.first.mono_ns)?;
        let ticks = header.last.ticks.checked_sub(header.first.ticks)?;
        (over_ns >= SPACING_NS && ticks > 0)
            .then(|| Self { ns_per_tick: over_ns as f64 / ticks as f64, over_ns })
    }

    /// What the processor says of itself.
    pub fn nominal(header: &Header) -> f64 {
        match (header.clock, header.nominal_hz) {
            (Clock::Monotonic, _) | (_, None) => 1.0,
            (_, Some(hz)) => 1e9 / hz as f64,
        }
    }
}

/// A period over which ticks are taken to be of one length.
#[derive(Debug, Clone, Copy)]
struct LinearSpan {
    ticks: u64,
    ns: f64,
    ns_per_tick: f64,
}

/// Converts ticks of one process.
#[derive(Debug)]
pub(super) struct Ticker {
    spans: Vec<LinearSpan>,
    /// The span used last; calls come nearly in order.
    current: usize,
}

impl Ticker {
    /// `zero_ns`: start of the job on the monotonic clock of this process's
    /// node, which may be before that clock's own start on a node that booted
    /// late.
    pub fn new(mut points: Vec<ClockPoint>, zero_ns: i128, ns_per_tick: f64) -> Self {
        points.sort_by_key(|p| p.ticks);
        let mut spans: Vec<LinearSpan> = Vec::new();
        let mut last: Option<ClockPoint> = None;
        for point in points {
            match last {
                Some(last) if point.mono_ns.saturating_sub(last.mono_ns) < SPACING_NS => continue,
                Some(last) if point.ticks > last.ticks => {
                    if let Some(span) = spans.last_mut() {
                        let ns = (point.mono_ns - last.mono_ns) as f64;
                        span.ns_per_tick = ns / (point.ticks - last.ticks) as f64;
                    }
                }
                _ => {}
            }
            let ns = (i128::from(point.mono_ns) - zero_ns) as f64;
            spans.push(LinearSpan { ticks: point.ticks, ns, ns_per_tick });
            last = Some(point);
        }
        if spans.is_empty() {
            spans.push(LinearSpan { ticks: 0, ns: 0.0, ns_per_tick });
        }
        Self { spans, current: 0 }
    }

    /// Nanoseconds since the start of the job.
    #[inline]
    pub fn ns(&mut self, ticks: u64) -> i64 {
        let is_here = |at: usize| {
            (at == 0 || self.spans.get(at).is_some_and(|p| p.ticks <= ticks))
                && self.spans.get(at + 1).is_none_or(|next| ticks < next.ticks)
        };
        if !is_here(self.current) {
            let after = self.spans.partition_point(|p| p.ticks <= ticks);
            self.current = after.saturating_sub(1);
        }
        let Some(span) = self.spans.get(self.current) else { return 0 };
        let since = ticks.wrapping_sub(span.ticks).cast_signed() as f64;
        let ns = span.ns + since * span.ns_per_tick;
        // To the nearest; `round` is a call into the C library.
        (ns + if ns < 0.0 { -0.5 } else { 0.5 }) as i64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(ticks: u64, mono_ns: u64) -> ClockPoint {
        ClockPoint { ticks, mono_ns, real_ns: 0 }
    }

    #[test]
    fn between_readings_the_clock_runs_as_the_readings_say() {
        let points = vec![point(1000, 5_000_000_000), point(2_001_000, 6_000_000_000)];
        let mut ticker = Ticker::new(points, 5_000_000_000, 123.0);
        assert_eq!(ticker.ns(1000), 0);
        assert_eq!(ticker.ns(1_001_000), 500_000_000);
        assert_eq!(ticker.ns(2_001_001), 1_000_000_123);
    }

    #[test]
    fn a_reading_right_after_another_is_not_used() {
        let points = vec![point(0, 100), point(10, 5000)];
        assert_eq!(Ticker::new(points, 0, 2.0).ns(10), 120);
    }

    #[test]
    fn ticks_before_the_first_reading_are_before_its_time() {
        assert_eq!(Ticker::new(vec![point(100, 1000)], 0, 1.0).ns(90), 990);
    }
}
