//! What requests cost in a recording: a latency and a time per byte for each operation, fitted to its
//! calls, as in docs/reference/lost-time.md.

use crate::operation::Operation;
use crate::step::Step;
use std::collections::HashMap;

/// Time of a request of one operation.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Cost {
    /// Of each call, s.
    pub latency_s: f64,
    /// Of each byte, s.
    pub byte_s: f64,
}

impl Cost {
    /// Time of so many calls that move so many bytes together, s.
    pub fn of(&self, calls: u64, bytes: u64) -> f64 {
        self.latency_s * calls as f64 + self.byte_s * bytes as f64
    }
}

/// Costs by operation.
pub type Costs = HashMap<Operation, Cost>;

/// Where all requests have one size: latency and data are assumed to take equally long in a
/// request of so many bytes. That is so within a factor of a few for the page cache and for
/// local disks; `diya calibrate` measures it.
const EVEN_BYTES: f64 = 16_384.0;

/// Sizes whose standard deviation is a smaller share of their mean count as one size: a line through
/// them would be extrapolated far.
const LEAST_SPREAD: f64 = 0.5;

/// Sums over the calls of one operation.
#[derive(Default)]
struct Sums {
    calls: f64,
    bytes: f64,
    seconds: f64,
    bytes_squared: f64,
    bytes_seconds: f64,
}

/// Costs, fitted to recorded calls.
pub(crate) fn costs(steps: &[Step]) -> Costs {
    let mut sums: HashMap<Operation, Sums> = HashMap::new();
    for step in steps {
        let sums = sums.entry(step.operation).or_default();
        let calls = step.calls as f64;
        let (bytes, seconds) = (step.bytes as f64 / calls, step.busy_s / calls);
        sums.calls += calls;
        sums.bytes += calls * bytes;
        sums.seconds += calls * seconds;
        sums.bytes_squared += calls * bytes * bytes;
        sums.bytes_seconds += calls * bytes * seconds;
    }
    sums.into_iter().map(|(operation, sums)| (operation, sums.line())).collect()
}

impl Sums {
    /// The line with the least squares, neither part of it below zero.
    fn line(&self) -> Cost {
        let mean = |sum: f64| sum / self.calls;
        let spread = mean(self.bytes_squared) - mean(self.bytes).powi(2);
        let common = mean(self.bytes_seconds) - mean(self.bytes) * mean(self.seconds);
        // Requests of about one size show no slope.
        if spread <= (mean(self.bytes) * LEAST_SPREAD).powi(2) {
            let call_s = mean(self.seconds) / (EVEN_BYTES + mean(self.bytes));
            return Cost { latency_s: call_s * EVEN_BYTES, byte_s: call_s };
        }
        let byte_s = (common / spread).max(0.0);
        let latency_s = mean(self.seconds) - byte_s * mean(self.bytes);
        match latency_s < 0.0 {
            true => Cost { latency_s: 0.0, byte_s: self.seconds / self.bytes },
            false => Cost { latency_s, byte_s },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(calls: &[(f64, f64)]) -> Cost {
        let mut sums = Sums::default();
        for (bytes, seconds) in calls {
            sums.calls += 1.0;
            sums.bytes += bytes;
            sums.seconds += seconds;
            sums.bytes_squared += bytes * bytes;
            sums.bytes_seconds += bytes * seconds;
        }
        sums.line()
    }

    #[test]
    fn two_sizes_give_latency_and_bandwidth() {
        let cost = line(&[(1000.0, 0.011), (10_000.0, 0.101)]);
        assert!((cost.latency_s - 0.001).abs() < 1e-9 && (cost.byte_s - 1e-5).abs() < 1e-12);
    }

    #[test]
    fn sizes_that_differ_little_count_as_one() {
        let cost = line(&[(19.0, 1e-6), (21.0, 3e-6)]);
        assert!(cost.of(1, 1 << 20) < 150e-6 && cost.latency_s > 1.9e-6, "{cost:?}");
    }

    #[test]
    fn one_size_is_split_and_calls_without_data_have_latency() {
        let even = line(&[(16_384.0, 1.0), (16_384.0, 3.0)]);
        assert!((even.latency_s - 1.0).abs() < 1e-9 && (even.of(1, 16_384) - 2.0).abs() < 1e-9);
        assert!((line(&[(0.0, 1.0), (0.0, 3.0)]).latency_s - 2.0).abs() < 1e-9);
    }

    #[test]
    fn neither_part_is_below_zero() {
        let faster = line(&[(1000.0, 0.02), (10_000.0, 0.01)]);
        assert!(faster.byte_s == 0.0 && (faster.latency_s - 0.015).abs() < 1e-9);
        let steep = line(&[(1000.0, 0.0), (11_000.0, 0.12)]);
        assert!(steep.latency_s == 0.0 && (steep.byte_s - 1e-5).abs() < 1e-12);
    }
}
