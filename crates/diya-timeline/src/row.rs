//! One row of cells over time, filled from the streams of one track.
//!
//! The whole cost of a tile is here: a row stays in the first-level cache while
//! its calls stream by in order of start.

use crate::calls::Stream;
use crate::{Filter, Kind, Store, is_inside};

/// Which sums are wanted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Time in calls, by kind.
    pub busy: [bool; 4],
    /// Bytes moved.
    pub bytes: bool,
    /// Calls that begin.
    pub calls: bool,
    /// Longest call.
    pub longest: bool,
}

impl Wanted {
    /// Whether calls of a kind have to be looked at.
    fn needs(&self, kind: Kind) -> bool {
        self.busy[kind as usize] || self.bytes || self.calls || self.longest
    }
}

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
    fixed: Cells,
}

/// Parts of a cell that places are counted in: 2^32.
const PART_BITS: u32 = 32;

/// A time axis in fixed-point numbers: a place is its cell, and 32 bits of where in it.
#[derive(Debug, Clone, Copy)]
struct Cells {
    from_ns: i64,
    end: usize,
    /// Parts per nanosecond, times 2^32, over two to the power of `shift`: that many
    /// bits to the left a time is a number that both can be told with.
    per_ns: u64,
    shift: u32,
    /// Nanoseconds of a part.
    part_ns: f64,
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

    /// Place of a moment inside the window.
    #[inline(always)]
    fn place(&self, ns: i64) -> u64 {
        let since_ns = ns.wrapping_sub(self.from_ns) as u64; // below 2^63: it is inside
        // The second shift is the same for all windows: it costs half of one that is not.
        ((u128::from(since_ns << self.shift) * u128::from(self.per_ns)) >> PART_BITS) as u64
    }

    #[inline(always)]
    fn first(&self, from: u64) -> usize {
        ((from >> PART_BITS) as usize).min(self.end)
    }

    /// Cell in which a span ends; where it ends with a cell it does not touch the next.
    #[inline(always)]
    fn last(&self, from: u64, to: u64) -> usize {
        self.first(to.saturating_sub(self.slack).max(from))
    }

    /// Adds `amount` per part to the cells of a span.
    #[inline(always)]
    fn spread(&self, cells: &mut [f64], (from, to): (u64, u64), amount: f64) {
        let (first, last) = (self.first(from), self.last(from, to));
        self.ends(cells, (first, last), (from, to), amount);
        if last > first + 1 {
            let whole = (1_u64 << PART_BITS) as f64 * amount;
            cells[first + 1..last].iter_mut().for_each(|cell| *cell += whole);
        }
    }

    /// What of it goes to the first and to the last cell.
    #[inline(always)]
    fn ends(
        &self,
        cells: &mut [f64],
        (first, last): (usize, usize),
        (from, to): (u64, u64),
        amount: f64,
    ) {
        let edge = (first as u64 + 1) << PART_BITS;
        let head = to.min(edge).saturating_sub(from);
        let tail = if last > first { to - ((last as u64) << PART_BITS) } else { 0 };
        // Below 2^63, and signed numbers become floats in one step.
        cells[first] += head as i64 as f64 * amount;
        cells[last] += tail as i64 as f64 * amount;
    }
}

/// A span on the axis: where it begins and ends, in cells, and the first and the
/// last cell it touches.
#[derive(Clone, Copy)]
pub(crate) struct Place {
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

    /// Place of a span inside the window.
    #[inline(always)]
    pub(crate) fn place(&self, from_ns: i64, to_ns: i64) -> Place {
        let from = (from_ns - self.from_ns) as f64 * self.per_ns;
        let to = (to_ns - self.from_ns) as f64 * self.per_ns;
        let end = self.cells - 1;
        let (first, mut last) = ((from as usize).min(end), to as usize);
        if last as f64 == to && last > first {
            last -= 1; // ends where a cell begins: it does not touch it
        }
        Place { from, to, first, last: last.min(end) }
    }
}

impl Place {
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

/// Whether all calls of a stream begin and end in the window.
fn is_within(store: &Store, axis: TimeAxis, stream: Stream) -> bool {
    let first = store.calls.start_ns.get(stream.first as usize);
    first.is_some_and(|first| *first >= axis.from_ns)
        && store.calls.reach_of(stream).is_some_and(|reach| reach <= axis.to_ns)
}

/// The sums of one row: nanoseconds, bytes, calls; sums that are not wanted
/// stay empty.
#[derive(Debug, Default)]
pub struct Row {
    /// By kind, nanoseconds in calls; overlapping calls of a track count once.
    pub busy_ns: [Vec<f64>; 4],
    /// Bytes, spread evenly over the time of their call.
    pub bytes: Vec<f64>,
    /// Calls that begin in the cell.
    pub calls: Vec<f64>,
    /// Duration of the longest call that touches the cell, nanoseconds.
    pub longest_ns: Vec<f32>,
    /// Anything is in it.
    pub is_used: bool,
}

impl Row {
    /// A row of zeros.
    pub fn new(wanted: Wanted, cells: usize) -> Self {
        let room = |is_wanted: bool| vec![0.0; if is_wanted { cells } else { 0 }];
        Self {
            busy_ns: wanted.busy.map(room),
            bytes: room(wanted.bytes),
            calls: room(wanted.calls),
            longest_ns: vec![0.0; if wanted.longest { cells } else { 0 }],
            is_used: false,
        }
    }

    /// Back to zeros.
    pub fn clear(&mut self) {
        if std::mem::take(&mut self.is_used) {
            self.busy_ns.iter_mut().for_each(|plane| plane.fill(0.0));
            self.bytes.fill(0.0);
            self.calls.fill(0.0);
            self.longest_ns.fill(0.0);
        }
    }

    /// Adds the calls of one track that count. `streams` are all of the track.
    pub fn add_track(
        &mut self,
        store: &Store,
        filter: &Filter,
        axis: TimeAxis,
        (streams, wanted): (&[Stream], Wanted),
    ) {
        for kind in Kind::ALL.into_iter().filter(|kind| wanted.needs(*kind)) {
            let of_kind = |s: &&Stream| s.kind == kind && filter.takes(store, s);
            let mut counting = streams.iter().filter(of_kind);
            let Some(first) = counting.next() else { continue };
            let is_alone = counting.next().is_none();
            let wanted = Wanted { busy: wanted.busy.map(|busy| busy && is_alone), ..wanted };
            if is_alone {
                self.add_stream(store, filter, axis, (*first, wanted));
            } else {
                for stream in streams.iter().filter(of_kind) {
                    self.add_stream(store, filter, axis, (*stream, wanted));
                }
                if !self.busy_ns[kind as usize].is_empty() {
                    let streams: Vec<Stream> = streams.iter().filter(of_kind).copied().collect();
                    self.add_union(store, filter, axis, (&streams, kind));
                }
            }
        }
    }

    /// Adds the calls of one stream.
    fn add_stream(
        &mut self,
        store: &Store,
        filter: &Filter,
        axis: TimeAxis,
        (stream, wanted): (Stream, Wanted),
    ) {
        let busy = wanted.busy[stream.kind as usize];
        // A loop of its own for the common questions: each flag is a branch per call.
        match (busy, wanted.bytes || wanted.calls, wanted.longest, filter.asks_calls()) {
            (true, false, true, false) if is_within(store, axis, stream) => {
                self.walk::<true, false, true, false, true>(store, filter, axis, stream);
            }
            (true, false, true, false) => {
                self.walk::<true, false, true, false, false>(store, filter, axis, stream);
            }
            (true, false, false, false) => {
                self.walk::<true, false, false, false, false>(store, filter, axis, stream);
            }
            (true, _, _, false) => {
                self.walk::<true, true, true, false, false>(store, filter, axis, stream);
            }
            (true, _, _, true) => {
                self.walk::<true, true, true, true, false>(store, filter, axis, stream);
            }
            (false, ..) => self.walk::<false, true, true, true, false>(store, filter, axis, stream),
        }
    }

    /// The loop that a tile's time goes into. Places are fixed-point numbers: one
    /// multiplication tells the cell and the part of it, and what goes to the
    /// first and to the last cell is added without asking whether they are one,
    /// which no processor could foresee. `WITHIN`: no call reaches beyond the window.
    fn walk<
        const BUSY: bool,
        const SUMS: bool,
        const LONGEST: bool,
        const ASKS: bool,
        const WITHIN: bool,
    >(
        &mut self,
        store: &Store,
        filter: &Filter,
        axis: TimeAxis,
        stream: Stream,
    ) {
        let calls = &store.calls;
        let window = (axis.from_ns, axis.to_ns);
        let cells = axis.fixed;
        let longest = self.longest_ns.as_mut_slice();
        let mut reach = 0; // of the calls before
        let mut no_busy = Vec::new();
        let busy = if BUSY { &mut self.busy_ns[stream.kind as usize] } else { &mut no_busy };
        let busy = busy.as_mut_slice();
        for piece in calls.pieces(stream, window) {
            self.is_used = true;
            let first_call = piece.start;
            let starts = calls.start_ns[piece.clone()].iter();
            for (at, (start_ns, raw)) in starts.zip(calls.duration_ns.raw(piece)).enumerate() {
                let (call, start_ns) = (first_call + at, *start_ns);
                let duration_ns = calls.duration_ns.widened(*raw, call);
                let end_ns = start_ns.saturating_add_unsigned(duration_ns);
                if !WITHIN && !is_inside(start_ns, end_ns, window) {
                    continue;
                }
                if ASKS && !filter.takes_call(store, call) {
                    continue;
                }
                let (from_ns, to_ns) = if WITHIN {
                    (start_ns, end_ns)
                } else {
                    (start_ns.max(axis.from_ns), end_ns.min(axis.to_ns))
                };
                let (from, to) = (cells.place(from_ns), cells.place(to_ns));
                let (first, last) = (cells.first(from), cells.last(from, to));
                if LONGEST && !longest.is_empty() {
                    // An instant is a call too: 0 would hide it.
                    let duration_ns = duration_ns.clamp(1, i64::MAX as u64).cast_signed() as f32;
                    // No `max`: it also has to mind what is no number.
                    let longer = |cell: &mut f32| {
                        *cell = if *cell < duration_ns { duration_ns } else { *cell };
                    };
                    longer(&mut longest[first]);
                    longer(&mut longest[last]);
                    if last > first + 1 {
                        let longest = &mut longest[first + 1..last];
                        if BUSY && from >= reach {
                            // Both in one loop: where it ends cannot be foreseen.
                            let busy = busy[first + 1..last].iter_mut();
                            busy.zip(longest).for_each(|(busy, cell)| {
                                *busy += axis.cell_ns;
                                longer(cell);
                            });
                        } else {
                            longest.iter_mut().for_each(longer);
                        }
                    }
                }
                if BUSY && to > reach {
                    if from >= reach {
                        cells.ends(busy, (first, last), (from, to), cells.part_ns);
                        if last > first + 1 && longest.is_empty() {
                            let whole = busy[first + 1..last].iter_mut();
                            whole.for_each(|cell| *cell += axis.cell_ns);
                        }
                    } else {
                        cells.spread(busy, (reach, to), cells.part_ns);
                    }
                    reach = to;
                }
                if SUMS {
                    if !self.calls.is_empty() && start_ns >= axis.from_ns {
                        self.calls[first] += calls.weight(call).0 as f64;
                    }
                    if !self.bytes.is_empty() {
                        let bytes = calls.size_bytes.value(call) as f64;
                        let is_whole = start_ns >= axis.from_ns && end_ns <= axis.to_ns;
                        if first == last && is_whole {
                            self.bytes[first] += bytes;
                        } else {
                            let per_part = bytes / duration_ns as f64 * cells.part_ns;
                            cells.spread(&mut self.bytes, (from, to), per_part);
                        }
                    }
                }
            }
        }
    }

    /// Time in calls of any of several streams, each moment once.
    fn add_union(
        &mut self,
        store: &Store,
        filter: &Filter,
        axis: TimeAxis,
        (streams, kind): (&[Stream], Kind),
    ) {
        let calls = &store.calls;
        let window = (axis.from_ns, axis.to_ns);
        let running = |stream: &Stream| {
            let running = calls.running(*stream, window);
            let counting = running.filter(|call| filter.takes_call(store, *call));
            counting.map(|call| (calls.start_ns[call], calls.end_ns(call))).peekable()
        };
        let mut heads: Vec<_> = streams.iter().map(running).collect();
        let mut reach_ns = axis.from_ns;
        loop {
            // A track has a few layers: looking at each head beats a heap.
            let starts = heads.iter_mut().enumerate();
            let next = starts.filter_map(|(at, head)| head.peek().map(|span| (span.0, at))).min();
            let Some((_, at)) = next else { break };
            let Some((start_ns, end_ns)) = heads[at].next() else { break };
            self.is_used = true;
            let (from_ns, to_ns) = (start_ns.max(reach_ns), end_ns.min(axis.to_ns));
            if to_ns > from_ns {
                let place = axis.place(from_ns, to_ns);
                place.spread(&mut self.busy_ns[kind as usize], axis.cell_ns);
                reach_ns = to_ns;
            }
        }
    }
}
