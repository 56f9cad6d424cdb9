//! Numbers that nearly always fit 32 bits.

/// Not a number of the column, but none at all.
const NOTHING: u32 = u32::MAX;
/// The number stands in `wide`.
const WIDE: u32 = u32::MAX - 1;

/// A column of optional numbers below 2^64, four bytes each where they are
/// below 2^32 - 2: durations under 4.3 s in nanoseconds, requests under 4 GiB.
#[derive(Debug, Default)]
pub struct Narrow {
    values: Vec<u32>,
    /// Place and number of those that are larger, by place.
    wide: Vec<(u32, u64)>,
}

impl Narrow {
    /// Room for so many.
    pub fn with_capacity(values: usize) -> Self {
        Self { values: Vec::with_capacity(values), wide: Vec::new() }
    }

    /// Number of values.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// No values.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Appends a value.
    pub fn push(&mut self, value: Option<u64>) {
        self.values.push(match value {
            None => NOTHING,
            Some(value) => match u32::try_from(value) {
                Ok(value) if value < WIDE => value,
                _ => {
                    self.wide.push((self.values.len() as u32, value));
                    WIDE
                }
            },
        });
    }

    /// The value at a place.
    #[inline(always)]
    pub fn get(&self, at: usize) -> Option<u64> {
        match self.values[at] {
            NOTHING => None,
            WIDE => Some(self.wide(at)),
            value => Some(u64::from(value)),
        }
    }

    /// The value at a place, 0 when there is none.
    #[inline(always)]
    pub fn value(&self, at: usize) -> u64 {
        let value = self.values[at];
        if value < WIDE { u64::from(value) } else { self.get(at).unwrap_or(0) }
    }

    /// The column as it lies in memory, for loops over many values: each has to
    /// go through [`Self::widened`].
    pub(crate) fn raw(&self, range: std::ops::Range<usize>) -> &[u32] {
        &self.values[range]
    }

    /// The value, 0 when there is none, of a raw one and its place.
    #[inline(always)]
    pub(crate) fn widened(&self, raw: u32, at: usize) -> u64 {
        if raw < WIDE { u64::from(raw) } else { self.get(at).unwrap_or(0) }
    }

    #[cold]
    fn wide(&self, at: usize) -> u64 {
        let found = self.wide.binary_search_by_key(&(at as u32), |(place, _)| *place);
        found.map_or(0, |found| self.wide[found].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_and_missing_ones_come_back() {
        let values = [Some(0), None, Some(u64::from(u32::MAX) - 2), Some(1 << 32), Some(u64::MAX)];
        let mut column = Narrow::default();
        values.iter().for_each(|value| column.push(*value));
        assert!((0..values.len()).all(|at| column.get(at) == values[at]));
        assert_eq!(column.value(1), 0);
    }
}
