//! A number that is known between two ends.

use std::iter::Sum;
use std::ops::Add;

/// Between `low` and `high`, in the unit of whoever holds it.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Range {
    pub low: f64,
    pub high: f64,
}

impl Range {
    pub const ZERO: Self = Self { low: 0.0, high: 0.0 };

    pub fn new(low: f64, high: f64) -> Self {
        Self { low, high }
    }

    pub fn exactly(value: f64) -> Self {
        Self { low: value, high: value }
    }

    /// From nothing to this much.
    pub fn at_most(high: f64) -> Self {
        Self { low: 0.0, high }
    }

    pub fn times(self, factor: f64) -> Self {
        Self { low: self.low * factor, high: self.high * factor }
    }

    /// No end below zero or above the limit, and the low end not above the
    /// high one: estimates of the ends come from different numbers.
    pub fn within(self, limit: f64) -> Self {
        let high = self.high.clamp(0.0, limit.max(0.0));
        Self { low: self.low.clamp(0.0, high), high }
    }
}

impl Add for Range {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { low: self.low + other.low, high: self.high + other.high }
    }
}

impl Sum for Range {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::ZERO, Add::add)
    }
}
