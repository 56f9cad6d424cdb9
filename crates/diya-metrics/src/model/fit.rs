//! A line through sizes and durations: time = latency + size / bandwidth.
//!
//! Requests are grouped by powers of two of their size, and each group stands
//! for itself with its quartiles: a group of a million requests must not hide
//! one of a thousand, nor a few stuck requests all others. Errors count in
//! relation to the duration, or the largest sizes alone would set the latency.

mod misses;

use super::range::Range;

/// Durations kept per group; beyond, every second one, every fourth, ...
const KEPT: usize = 32_768;

/// Requests of about one size.
#[derive(Debug, Default)]
struct Group {
    calls: f64,
    bytes: f64,
    time_s: f64,
    /// Some of the durations, in seconds.
    durations_s: Vec<f32>,
    seen: usize,
    stride: usize,
}

/// Durations of requests by size.
#[derive(Debug, Default)]
pub(crate) struct Sizes {
    /// By power of two of the size.
    groups: Vec<Group>,
}

/// What a request costs.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Cost {
    /// Seconds of a request of no bytes; `None`: cannot be computed.
    pub latency_s: Option<f64>,
    pub latency_range_s: Range,
    /// Seconds per byte; `None`: cannot be computed.
    pub byte_s: Option<f64>,
    /// The high end: `f64::INFINITY` when no bytes moved in measurable time.
    pub byte_range_s: Range,
    /// Time of a quick request among the smallest: a quarter takes less.
    pub quick_s: f64,
    /// Time of all requests over what they would take if each took the middle
    /// time of its size: how much the slow ones add; at least 1.
    pub tail_ratio: f64,
    pub calls: f64,
    pub smallest_bytes: f64,
    pub largest_bytes: f64,
    /// Mean size of each group, and the time of its quick requests.
    pub quick: Vec<(f64, f64)>,
    /// Memory serves the requests: a page cache, or a file system in memory.
    pub is_memory: bool,
    /// Share of the time in requests that memory did not serve, if they are many.
    pub missed_ratio: f64,
}

/// Memory serves a request that takes no longer than this and [`MEMORY_BYTE_S`]
/// for each byte: a system call, and a copy at what one core of a busy node gets.
const MEMORY_S: f64 = 5e-6;

/// Seconds per byte that memory takes at most: 1 GB/s for each rank, pages that
/// are touched for the first time included.
pub(crate) const MEMORY_BYTE_S: f64 = 1e-9;

/// Seconds that a read from memory takes beside its bytes, at most: a system
/// call, with a recorder beside it. Reads of 512 B from a page cache and from a
/// tmpfs took 0.6 and 0.7 us, of 4 KiB 1.1 to 1.7 us, copying included (a
/// virtual machine, Linux 6).
pub(crate) const MEMORY_READ_S: f64 = 1e-6;

/// The same for a write, which finds or makes pages: writes of 512 B took 1.2 to
/// 1.7 us.
pub(crate) const MEMORY_WRITE_S: f64 = 2e-6;

/// Seconds that a request to memory takes beside its bytes, at most.
pub(crate) fn memory_latency_s(is_write: bool) -> f64 {
    if is_write { MEMORY_WRITE_S } else { MEMORY_READ_S }
}

/// Share of the time of requests that bytes must take to tell their cost.
const LEFT_RATIO: f64 = 0.3;

/// Share of the time of a request that few bytes take at most.
const FEW_BYTES_RATIO: f64 = 0.1;

/// Share of the time that is in requests which memory serves.
const MOSTLY: f64 = 0.75;

impl Cost {
    /// The same for a file system that is memory, however busy.
    pub fn in_memory(mut self, is_write: bool) -> Self {
        self.is_memory = true;
        let most_s = self.byte_range_s.high;
        self.of_memory(is_write).slowed(most_s)
    }

    /// With the latency of a system call where memory serves the requests.
    fn of_memory(mut self, is_write: bool) -> Self {
        if self.is_memory {
            // Bytes from memory do not take all of a small request.
            let byte_s = MEMORY_BYTE_S.max(self.byte_s.unwrap_or(0.0));
            self.byte_range_s = self.byte_range_s.within(self.byte_range_s.high.min(byte_s));
            let (size, quick_s) = self.quick.first().copied().unwrap_or_default();
            let least_s = quick_s - size * MEMORY_BYTE_S;
            self.latency_range_s.low = self.latency_range_s.low.max(least_s);
            // On a slow or busy machine the quick system calls take longer, too: those whose
            // bytes are too few to matter show it.
            let slow_s = if self.is_of_few(1.0, size) { least_s } else { 0.0 };
            let most_s = memory_latency_s(is_write).max(slow_s).min(self.latency_range_s.high);
            self.latency_range_s = self.latency_range_s.within(most_s);
            let Range { low, high } = self.latency_range_s;
            self.latency_s = self.latency_s.map(|s| s.clamp(low, high));
        }
        self
    }

    /// Bytes move no faster than what the latency leaves of the quick requests
    /// of each size.
    ///
    /// `most_s`: seconds per byte that the log allows at most.
    pub fn slowed(mut self, most_s: f64) -> Self {
        let latency_s = self.latency_range_s.high;
        // Where little is left, it is the noise of the latency.
        let is_told = |quick_s: f64| quick_s - latency_s > LEFT_RATIO * quick_s;
        let of = self.quick.iter().filter(|(size, quick_s)| *size > 0.0 && is_told(*quick_s));
        let least = of.map(|(size, s)| (s - latency_s) / size).fold(f64::INFINITY, f64::min);
        if least.is_finite() && least > self.byte_range_s.low {
            // What a profile says does not hold for these bytes, then.
            if least > self.byte_range_s.high {
                self.byte_range_s.high = most_s;
            }
            self.byte_range_s.low = least.min(self.byte_range_s.high);
            self.byte_s = self.byte_s.map(|s| s.max(self.byte_range_s.low));
        }
        self
    }

    /// Time of handing bytes to another rank, at least: what memory serves is
    /// copied as quickly as the quick requests to it, and a message is a copy
    /// more.
    pub fn exchange_s(&self, bytes: f64) -> f64 {
        bytes * if self.is_memory { self.byte_range_s.low } else { 0.0 }
    }

    /// Whether so many requests take their time for the calls alone: their bytes, from
    /// memory, are a small part of it.
    pub fn is_of_few(&self, calls: f64, bytes: f64) -> bool {
        bytes * MEMORY_BYTE_S <= FEW_BYTES_RATIO * self.quick_s * calls
    }

    /// Time of this many requests that move this many bytes.
    pub fn time_s(&self, calls: f64, bytes: f64) -> Range {
        let by = |latency_s: f64, byte_s: f64| {
            calls * latency_s + if bytes > 0.0 { bytes * byte_s } else { 0.0 }
        };
        let low_s = by(self.latency_range_s.low, self.byte_range_s.low);
        let high_s = by(self.latency_range_s.high, self.byte_range_s.high);
        // Requests after a fix have their slow ones as those before had.
        Range::new(low_s, high_s * self.tail_ratio)
    }
}

/// Sizes must differ by this factor for a line through them.
const SPREAD: f64 = 16.0;

/// Groups of fewer requests are chance, unless there are no others.
const FEW: f64 = 5.0;

impl Sizes {
    /// Counts requests: `calls` of them moved `bytes` in `time_s`.
    pub fn add(&mut self, calls: i64, bytes: i64, time_s: f64) {
        if calls <= 0 || bytes < 0 || !(time_s > 0.0 && time_s.is_finite()) {
            return;
        }
        let each_bytes = bytes / calls;
        let octave = (64 - each_bytes.leading_zeros()) as usize;
        if octave >= self.groups.len() {
            self.groups.resize_with(octave + 1, Group::default);
        }
        let group = &mut self.groups[octave];
        group.calls += calls as f64;
        group.bytes += bytes as f64;
        group.time_s += time_s;
        if group.durations_s.len() >= KEPT {
            let mut keep = false;
            group.durations_s.retain(|_| {
                keep = !keep;
                keep
            });
            group.stride *= 2;
        }
        if group.seen.is_multiple_of(group.stride.max(1)) {
            group.durations_s.push((time_s / calls as f64) as f32);
        }
        group.stride = group.stride.max(1);
        group.seen += 1;
    }

    /// What a request costs; `None` without requests.
    pub fn fit(mut self, is_write: bool) -> Option<Cost> {
        let enough = self.groups.iter().any(|group| group.calls >= FEW);
        self.groups.retain(|group| group.calls >= if enough { FEW } else { 1.0 });
        let sizes: Vec<f64> = self.groups.iter().map(|g| g.bytes / g.calls).collect();
        let (first, last) = (*sizes.first()?, *sizes.last()?);
        let quartiles: Vec<[f64; 3]> = self.groups.iter_mut().map(Group::quartiles_s).collect();
        let lines: Vec<(f64, f64)> = (0..3)
            .map(|q| line(&self.groups, &sizes, quartiles.iter().map(|quartile| quartile[q])))
            .collect();
        // A request of no bytes takes no longer than the smallest, and bytes
        // can move at least as fast as in the request where they did best.
        let most_s = quartiles.first()?[2];
        let each = sizes.iter().zip(&quartiles).filter(|(size, _)| **size > 0.0);
        let best_byte_s = each.map(|(size, q)| q[1] / size).fold(f64::INFINITY, f64::min);
        let is_line = last >= SPREAD * first.max(1.0);
        let ends = |of: fn(&(f64, f64)) -> f64| {
            lines.iter().map(of).fold(Range::new(f64::INFINITY, 0.0), |range, value| {
                Range::new(range.low.min(value), range.high.max(value))
            })
        };
        let cost = Cost {
            latency_s: None,
            latency_range_s: Range::at_most(most_s),
            byte_s: None,
            byte_range_s: Range::at_most(best_byte_s),
            quick_s: quartiles.first()?[0],
            tail_ratio: tail_ratio(&self.groups, &quartiles),
            calls: self.groups.iter().map(|group| group.calls).sum(),
            smallest_bytes: first,
            largest_bytes: last,
            quick: sizes.iter().copied().zip(quartiles.iter().map(|q| q[0])).collect(),
            is_memory: is_memory(&self.groups, &sizes),
            missed_ratio: misses::ratio(&self.groups, &sizes),
        };
        if !is_line {
            return Some(cost.of_memory(is_write).slowed(best_byte_s));
        }
        let (latency_s, byte_s) = lines[1];
        // Where one of the two parts hardly matters anywhere, the line says
        // nothing about it.
        let quickest_s = quartiles.iter().map(|q| q[1]).fold(f64::INFINITY, f64::min);
        let has_latency = latency_s > 0.1 * quickest_s;
        // Smaller requests that take ten times the latency leave it open upwards.
        let is_narrow = latency_s > 0.1 * quartiles.first()?[1];
        let has_bandwidth = byte_s * last > 0.3 * quartiles.last()?[1];
        let latency_range_s =
            if is_narrow { ends(|line| line.0).within(most_s) } else { cost.latency_range_s };
        let byte_range_s = if has_bandwidth {
            let range = ends(|line| line.1);
            Range::new(range.low, range.high.max(best_byte_s))
        } else {
            cost.byte_range_s
        };
        let cost = Cost {
            latency_s: has_latency.then_some(latency_s.min(most_s)),
            latency_range_s,
            byte_s: has_bandwidth.then_some(byte_s),
            byte_range_s,
            ..cost
        };
        let cost = cost.of_memory(is_write);
        Some(cost.slowed(best_byte_s))
    }
}

/// Whether most of the time is in requests of sizes that memory serves on
/// average: where a cache answers all but a few, these few are the time.
fn is_memory(groups: &[Group], sizes: &[f64]) -> bool {
    let is_quick =
        |group: &Group, size: f64| group.time_s <= group.calls * (MEMORY_S + size * MEMORY_BYTE_S);
    let of = groups.iter().zip(sizes).filter(|(group, size)| is_quick(group, **size));
    let served_s: f64 = of.map(|(group, _)| group.time_s).sum();
    served_s >= MOSTLY * groups.iter().map(|group| group.time_s).sum::<f64>()
}

impl Group {
    /// A quarter, half, and three quarters of the requests are faster.
    fn quartiles_s(&mut self) -> [f64; 3] {
        let kept = &mut self.durations_s;
        kept.sort_unstable_by(f32::total_cmp);
        let last = kept.len().saturating_sub(1);
        [1, 2, 3].map(|quarter| kept.get(last * quarter / 4).map_or(0.0, |s| f64::from(*s)))
    }
}

fn tail_ratio(groups: &[Group], quartiles: &[[f64; 3]]) -> f64 {
    let time_s: f64 = groups.iter().map(|group| group.time_s).sum();
    let usual_s: f64 = groups.iter().zip(quartiles).map(|(g, q)| g.calls * q[1]).sum();
    if usual_s > 0.0 { (time_s / usual_s).max(1.0) } else { 1.0 }
}

/// Latency and time per byte with the least squares of relative errors, none
/// below zero. A group weighs with the logarithm of its requests.
fn line(groups: &[Group], sizes: &[f64], durations_s: impl Iterator<Item = f64>) -> (f64, f64) {
    let (mut aa, mut ab, mut bb, mut a1, mut b1) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for ((group, size), duration_s) in groups.iter().zip(sizes).zip(durations_s) {
        if duration_s <= 0.0 {
            continue;
        }
        let weight = (1.0 + group.calls).ln();
        let (a, b) = (1.0 / duration_s, size / duration_s);
        aa += weight * a * a;
        ab += weight * a * b;
        bb += weight * b * b;
        a1 += weight * a;
        b1 += weight * b;
    }
    let safe = |top: f64, bottom: f64| if bottom > 0.0 { top / bottom } else { 0.0 };
    let determinant = aa * bb - ab * ab;
    if determinant <= 1e-9 * aa * bb {
        return (safe(a1, aa), 0.0);
    }
    let (latency_s, byte_s) =
        ((a1 * bb - b1 * ab) / determinant, (b1 * aa - a1 * ab) / determinant);
    match (latency_s < 0.0, byte_s < 0.0) {
        (true, _) => (0.0, safe(b1, bb)),
        (_, true) => (safe(a1, aa), 0.0),
        _ => (latency_s, byte_s),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(all: &[(i64, f64)]) -> Sizes {
        let mut sizes = Sizes::default();
        for (bytes, time_s) in all {
            (0..10).for_each(|_| sizes.add(1, *bytes, *time_s));
        }
        sizes
    }

    #[test]
    fn latency_and_bandwidth_come_from_small_and_large_requests() {
        // 1 ms, and 100 MB/s.
        let cost = sizes(&[(0, 1e-3), (1_000, 1.01e-3), (1_000_000, 11e-3), (10_000_000, 101e-3)]);
        let cost = cost.fit(true).expect("there are requests");
        assert!((cost.latency_s.expect("told") - 1e-3).abs() < 1e-5);
        assert!((1.0 / cost.byte_s.expect("told") - 1e8).abs() < 1e6);
        let range = cost.time_s(10.0, 1e6);
        assert!(range.low <= 0.020_001 && range.high >= 0.019_99, "{range:?}");
    }

    #[test]
    fn requests_of_one_size_tell_one_end_only() {
        let cost = sizes(&[(512, 1e-3)]).fit(true).expect("there are requests");
        assert_eq!((cost.latency_s, cost.byte_s), (None, None));
        assert!((cost.latency_range_s.high - 1e-3).abs() < 1e-9);
        assert!((cost.byte_range_s.high - 1e-3 / 512.0).abs() < 1e-9);
        assert_eq!((cost.latency_range_s.low, cost.byte_range_s.low), (0.0, 0.0));
    }

    #[test]
    fn system_calls_of_a_slow_machine_take_what_requests_of_few_bytes_take() {
        let high_s = |bytes, time_s| {
            let cost = sizes(&[(bytes, time_s)]).fit(true).expect("there are requests");
            assert!(cost.is_memory);
            cost.latency_range_s.high
        };
        assert!((high_s(64, 4e-6) - (4e-6 - 64.0 * MEMORY_BYTE_S)).abs() < 1e-9);
        // These may take their time for the bytes.
        assert_eq!(high_s(1_000, 4e-6), MEMORY_WRITE_S);
    }

    #[test]
    fn a_few_stuck_requests_do_not_move_the_line() {
        let mut all = sizes(&[(1_000, 1e-3), (1_000_000, 11e-3)]);
        all.add(1, 1_000, 10.0);
        let cost = all.fit(true).expect("there are requests");
        assert!(cost.latency_range_s.high < 2e-3, "{cost:?}");
    }

    #[test]
    fn more_requests_than_are_kept_keep_their_middle() {
        let mut all = Sizes::default();
        (0..200_000).for_each(|i| all.add(1, 1_000, 1e-6 * f64::from(i % 1000 + 1)));
        let cost = all.fit(true).expect("there are requests");
        assert!((cost.latency_range_s.high - 750e-6).abs() < 5e-6, "{cost:?}");
    }

    #[test]
    fn no_request_has_no_cost() {
        assert_eq!(Sizes::default().fit(true), None);
    }
}
