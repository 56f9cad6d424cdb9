//! Numbers that nearly always fit 32 bits.

/// Not a number of the column, but none at all.
const NOTHING: u32 = u32::MAX;
/// The number stands in `wide`.
const WIDE: u32 = u32::MAX - 1;

/// Position and value of a number that 32 bits do not hold.
pub(crate) type Wide = (u32, u64);

/// A column of optional numbers below 2^64, four bytes each where they are
/// below 2^32 - 2: durations under 4.3 s in nanoseconds, requests under 4 GiB.
#[derive(Debug, Default)]
pub struct Narrow {
    values: Vec<u32>,
    /// Position and number of those that are larger, by place.
    wide: Vec<Wide>,
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
        self.values.push(narrow(self.values.len(), value, &mut self.wide));
    }

    /// So many zeros, to be filled through [`Self::raw_mut`].
    pub(crate) fn zeros(values: usize) -> Self {
        Self { values: vec![0; values], wide: Vec::new() }
    }

    /// The column as it lies in memory; what [`narrow`] adds to the large numbers
    /// goes to [`Self::set_wide`].
    pub(crate) fn raw_mut(&mut self) -> &mut [u32] {
        &mut self.values
    }

    /// Takes the large numbers away, in order of place.
    pub(crate) fn take_wide(&mut self) -> Vec<Wide> {
        std::mem::take(&mut self.wide)
    }

    /// The large numbers, in any order.
    pub(crate) fn set_wide(&mut self, mut wide: Vec<Wide>) {
        if !wide.is_sorted_by_key(|(place, _)| *place) {
            wide.sort_unstable_by_key(|(place, _)| *place);
        }
        self.wide = wide;
    }

    /// Takes places out; `gaps` in order.
    pub(crate) fn remove(&mut self, gaps: &[std::ops::Range<usize>]) {
        remove(&mut self.values, gaps);
        // Calls that are left out have no place among the large numbers.
        let mut gone = 0;
        let mut gaps = gaps.iter().peekable();
        for (place, _) in &mut self.wide {
            while let Some(gap) = gaps.next_if(|gap| gap.end <= *place as usize) {
                gone += gap.len() as u32;
            }
            *place -= gone;
        }
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

    /// The same of a column whose large numbers were taken away.
    pub(crate) fn widened_by(wide: &[Wide], raw: u32, at: usize) -> u64 {
        match raw {
            NOTHING => 0,
            WIDE => found(wide, at),
            value => u64::from(value),
        }
    }

    /// The value, 0 when there is none, of a raw one and its place.
    #[inline(always)]
    pub(crate) fn widened(&self, raw: u32, at: usize) -> u64 {
        if raw < WIDE { u64::from(raw) } else { self.get(at).unwrap_or(0) }
    }

    #[cold]
    fn wide(&self, at: usize) -> u64 {
        found(&self.wide, at)
    }
}

/// The large number of a place.
fn found(wide: &[Wide], at: usize) -> u64 {
    let found = wide.binary_search_by_key(&(at as u32), |(place, _)| *place);
    found.map_or(0, |found| wide[found].1)
}

/// Moves the values of a column together over gaps, which come in order.
pub(crate) fn remove<T: Copy>(column: &mut Vec<T>, gaps: &[std::ops::Range<usize>]) {
    let all = column.len();
    let Some(first) = gaps.first() else { return };
    let mut to = first.start;
    for (at, gap) in gaps.iter().enumerate() {
        let kept = gap.end..gaps.get(at + 1).map_or(all, |next| next.start);
        column.copy_within(kept.clone(), to);
        to += kept.len();
    }
    column.truncate(to);
}

/// A value as it stands in the column; a large one goes to the others.
#[inline(always)]
pub(crate) fn narrow(at: usize, value: Option<u64>, wide: &mut Vec<Wide>) -> u32 {
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
