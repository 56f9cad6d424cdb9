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
        self.values.push(0);
        self.set(self.values.len() - 1, value);
    }

    /// So many zeros, to be [`set`](Self::set).
    pub fn zeros(values: usize) -> Self {
        Self { values: vec![0; values], wide: Vec::new() }
    }

    /// Gives a place a value, in any order, once each; then [`settle`](Self::settle).
    #[inline(always)]
    pub(crate) fn set(&mut self, at: usize, value: Option<u64>) {
        self.values[at] = narrow(at, value, &mut self.wide);
    }

    /// Makes large values found that came in any order.
    pub(crate) fn settle(&mut self) {
        if !self.wide.is_sorted_by_key(|(place, _)| *place) {
            self.wide.sort_unstable_by_key(|(place, _)| *place);
        }
    }

    /// Gives neighbours other values; those of others stay where they are.
    pub(crate) fn replace(
        &mut self,
        places: std::ops::Range<usize>,
        values: impl Iterator<Item = Option<u64>>,
    ) {
        let at = |place: usize| self.wide.partition_point(|(known, _)| (*known as usize) < place);
        let (first, end) = (at(places.start), at(places.end));
        let mut wide = Vec::with_capacity(end - first);
        for (place, value) in places.zip(values) {
            self.values[place] = narrow(place, value, &mut wide);
        }
        self.wide.splice(first..end, wide);
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

/// A value as it stands in the column; a large one goes to the others.
#[inline(always)]
fn narrow(at: usize, value: Option<u64>, wide: &mut Vec<(u32, u64)>) -> u32 {
    match value.map(|value| (value, u32::try_from(value))) {
        None => NOTHING,
        Some((_, Ok(value))) if value < WIDE => value,
        Some((value, _)) => {
            wide.push((at as u32, value));
            WIDE
        }
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
