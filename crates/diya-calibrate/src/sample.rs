//! Durations of single calls, and what they say.

use std::time::{Duration, Instant};

/// Durations of calls of one size, in seconds.
#[derive(Debug, Default, Clone)]
pub(super) struct Sample {
    durations_s: Vec<f64>,
}

impl Sample {
    /// Runs and times one call.
    pub fn time<T>(&mut self, call: impl FnOnce() -> std::io::Result<T>) -> std::io::Result<T> {
        let start = Instant::now();
        let result = call()?;
        self.durations_s.push(start.elapsed().as_secs_f64());
        Ok(result)
    }

    pub fn append(&mut self, mut other: Self) {
        self.durations_s.append(&mut other.durations_s);
    }

    pub fn calls(&self) -> usize {
        self.durations_s.len()
    }

    /// A quarter, half, and three quarters of the calls are faster; `None`
    /// without calls.
    pub fn quartiles_s(&self) -> Option<[f64; 3]> {
        let mut sorted = self.durations_s.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        let last = sorted.len().checked_sub(1)?;
        Some([1, 2, 3].map(|quarter| sorted[last * quarter / 4]))
    }
}

/// When to stop although calls are left: a slow file system must not take all
/// day.
#[derive(Debug, Clone, Copy)]
pub(super) struct Deadline(Instant);

impl Deadline {
    pub fn after(time: Duration) -> Self {
        Self(Instant::now() + time)
    }

    pub fn is_over(self) -> bool {
        Instant::now() >= self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_are_of_the_sorted_durations() {
        let sample = Sample { durations_s: vec![5.0, 1.0, 4.0, 2.0, 3.0] };
        assert_eq!(sample.quartiles_s(), Some([2.0, 3.0, 4.0]));
        assert_eq!(Sample::default().quartiles_s(), None);
    }
}
