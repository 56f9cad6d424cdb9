//! Cells over time: where on them a span of nanoseconds begins and ends.

/// Equal cells over a window.
#[derive(Debug, Clone, Copy)]
pub struct TimeAxis {
    /// Start of the first cell, nanoseconds.
    pub from_ns: i64,
    /// End of the last cell.
    pub to_ns: i64,
    /// Number of cells.
    pub cells: usize,
    /// Length of a cell.
    pub cell_ns: f64,
    /// Cells per nanosecond: a division per call would cost as much as the rest.
    per_ns: f64,
    /// The same in whole numbers.
    pub(crate) fixed: Cells,
}

/// Parts of a cell that places are counted in: 2^32.
const PART_BITS: u32 = 32;

/// A time axis in fixed-point numbers: a place is its cell, and 32 bits of where in it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cells {
    from_ns: i64,
    end: usize,
    /// Parts per nanosecond, times 2^32, divided by two to the power of `shift`: a time is
    /// shifted to the left by `shift` bits before it is multiplied with this.
    per_ns: u64,
    shift: u32,
    /// Nanoseconds of a part.
    pub part_ns: f64,
    /// Parts by which a place may be too far: `per_ns` is rounded up, so that
    /// what begins with a cell is in it.
    slack: u64,
}

impl Cells {
    fn new((from_ns, to_ns): (i64, i64), cells: usize) -> Self {
        // Above 0: an axis has a length. A window of centuries still fits.
        let length_ns = to_ns.saturating_sub(from_ns).max(1).unsigned_abs();
        let parts = (cells as u128) << PART_BITS;
        // Cells shorter than a nanosecond are so rare that their slack may be larger:
        // the window is short, and its times have room for 32 more bits.
        let shift = if (cells as u64) < length_ns { 0 } else { PART_BITS };
        let per_ns = (parts << (PART_BITS - shift)).div_ceil(u128::from(length_ns));
        Self {
            from_ns,
            end: cells.max(1) - 1,
            per_ns: u64::try_from(per_ns).unwrap_or(u64::MAX),
            shift,
            part_ns: length_ns as f64 / parts as f64,
            slack: (length_ns >> (PART_BITS - shift)) + 1,
        }
    }

    /// Position of a moment inside the window.
    #[inline(always)]
    pub fn place(&self, ns: i64) -> u64 {
        let since_ns = ns.wrapping_sub(self.from_ns) as u64; // below 2^63: it is inside
        // The second shift is the same for all windows: it costs half of one that is not.
        ((u128::from(since_ns << self.shift) * u128::from(self.per_ns)) >> PART_BITS) as u64
    }

    #[inline(always)]
    pub fn first(&self, from: u64) -> usize {
        ((from >> PART_BITS) as usize).min(self.end)
    }

    /// Cell in which a span ends; where it ends with a cell it does not touch the next.
    #[inline(always)]
    pub fn last(&self, from: u64, to: u64) -> usize {
        self.first(to.saturating_sub(self.slack).max(from))
    }

    /// Adds `amount` per part to the cells of a span.
    #[inline(always)]
    pub fn spread(&self, cells: &mut [f64], (from, to): (u64, u64), amount: f64) {
        let (first, last) = (self.first(from), self.last(from, to));
        self.ends(cells, (first, last), (from, to), amount);
        if last > first + 1 {
            let whole = (1_u64 << PART_BITS) as f64 * amount;
            cells[first + 1..last].iter_mut().for_each(|cell| *cell += whole);
        }
    }

    /// What of it goes to the first and to the last cell.
    #[inline(always)]
    pub fn ends(
        &self,
        cells: &mut [f64],
        (first, last): (usize, usize),
        (from, to): (u64, u64),
        amount: f64,
    ) {
        let (head, tail) = self.head_and_tail((first, last), (from, to));
        cells[first] += head * amount;
        cells[last] += tail * amount;
    }

    /// Parts of a span in its first and, where that is another one, in its last cell.
    #[inline(always)]
    pub fn head_and_tail(
        &self,
        (first, last): (usize, usize),
        (from, to): (u64, u64),
    ) -> (f64, f64) {
        let edge = (first as u64 + 1) << PART_BITS;
        let head = to.min(edge).saturating_sub(from);
        let tail = if last > first { to - ((last as u64) << PART_BITS) } else { 0 };
        // Below 2^63, and signed numbers become floats in one step.
        (head as i64 as f64, tail as i64 as f64)
    }
}

/// A span on the axis: where it begins and ends, in cells, and the first and the
/// last cell it touches.
#[derive(Clone, Copy)]
pub(crate) struct CellSpan {
    from: f64,
    to: f64,
    pub first: usize,
    pub last: usize,
}

impl TimeAxis {
    /// So many cells, at least one, over a window.
    pub fn new((from_ns, to_ns): (i64, i64), cells: usize) -> Self {
        let to_ns = to_ns.max(from_ns.saturating_add(1));
        let length_ns = (to_ns.saturating_sub(from_ns)) as f64;
        let (cell_ns, per_ns) = (length_ns / cells as f64, cells as f64 / length_ns);
        let fixed = Cells::new((from_ns, to_ns), cells);
        Self { from_ns, to_ns, cells, cell_ns, per_ns, fixed }
    }

    /// Position of a span inside the window.
    #[inline(always)]
    pub(crate) fn place(&self, from_ns: i64, to_ns: i64) -> CellSpan {
        let from = (from_ns - self.from_ns) as f64 * self.per_ns;
        let to = (to_ns - self.from_ns) as f64 * self.per_ns;
        let end = self.cells - 1;
        let (first, mut last) = ((from as usize).min(end), to as usize);
        if last as f64 == to && last > first {
            last -= 1; // ends where a cell begins: it does not touch it
        }
        CellSpan { from, to, first, last: last.min(end) }
    }
}

impl CellSpan {
    /// Adds `amount` per cell length to the cells.
    #[inline(always)]
    pub(crate) fn spread(&self, cells: &mut [f64], amount: f64) {
        let Self { from, to, first, last } = *self;
        if first == last {
            cells[first] += (to - from) * amount;
            return;
        }
        cells[first] += ((first + 1) as f64 - from) * amount;
        for cell in &mut cells[first + 1..last] {
            *cell += amount;
        }
        cells[last] += (to - last as f64) * amount;
    }

    /// Part of a cell that the span covers, in cells.
    pub(crate) fn inside(&self, cell: usize) -> f64 {
        (self.to.min((cell + 1) as f64) - self.from.max(cell as f64)).max(0.0)
    }
}
