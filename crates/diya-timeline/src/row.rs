//! One row of cells over time, filled from the streams of one track.
//!
//! The whole cost of a tile is here: a row stays in the first-level cache while
//! its calls stream by in order of start.

use crate::axis::TimeAxis;
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
    /// Time in libraries while no call below runs, apart from the kinds of their calls.
    pub library: bool,
}

impl Wanted {
    /// Whether calls of a kind have to be looked at.
    fn needs(&self, kind: Kind) -> bool {
        self.busy[kind as usize] || self.bytes || self.calls || self.longest
    }
}

/// Whether all calls of a stream begin and end in the window.
fn is_within(store: &Store, axis: TimeAxis, stream: Stream) -> bool {
    let first = store.calls.start_ns.get(stream.first as usize);
    first.is_some_and(|first| *first >= axis.from_ns)
        && store.calls.reach_of(stream).is_some_and(|reach| reach <= axis.to_ns)
}

/// Whole cells that are added without asking for each whether the call is in it: how
/// many a call covers no processor can foresee.
const LANES: usize = 8;

/// What is added to them, by the number of cells that a call covers.
#[derive(Debug, Default)]
struct Lanes {
    /// Time of the call in each.
    time_ns: [[f64; LANES]; LANES + 1],
    /// 1 where it is in it.
    share: [[f32; LANES]; LANES + 1],
}

impl Lanes {
    fn new(cell_ns: f64) -> Self {
        let mut lanes = Self::default();
        for count in 0..=LANES {
            lanes.time_ns[count][..count].fill(cell_ns);
            lanes.share[count][..count].fill(1.0);
        }
        lanes
    }
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
    /// Nanoseconds in libraries while no call below runs.
    pub library_ns: Vec<f64>,
    /// Anything is in it.
    pub is_used: bool,
    lanes: Lanes,
}

impl Row {
    /// A row of zeros. Behind its cells are some that stay zeros.
    pub fn new(wanted: Wanted, axis: TimeAxis) -> Self {
        let cells = axis.cells + LANES;
        let room = |is_requested: bool| vec![0.0; if is_requested { cells } else { 0 }];
        Self {
            busy_ns: wanted.busy.map(room),
            bytes: room(wanted.bytes),
            calls: room(wanted.calls),
            longest_ns: vec![0.0; if wanted.longest { cells } else { 0 }],
            library_ns: room(wanted.library),
            is_used: false,
            lanes: Lanes::new(axis.cell_ns),
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
        if wanted.library && self.is_used {
            self.part_own_time(store, filter, axis, streams);
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
            (true, true, true, false) => {
                self.walk::<true, true, true, false, false>(store, filter, axis, stream);
            }
            (true, true, false, false) => {
                self.walk::<true, true, false, false, false>(store, filter, axis, stream);
            }
            (true, _, _, true) => {
                self.walk::<true, true, true, true, false>(store, filter, axis, stream);
            }
            (false, ..) => self.walk::<false, true, true, true, false>(store, filter, axis, stream),
        }
    }

    /// The loop that a tile's time goes into. Places are fixed-point numbers: one
    /// multiplication gives the cell and the part of it, and what goes to the
    /// first and to the last cell is added without asking whether they are one,
    /// which no processor could foresee. `WITHIN`: no call reaches beyond the window.
    /// `ASKS`: each call has to be asked about, and the longest may be wanted or not.
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
        let lanes = &self.lanes;
        for block in calls.blocks(stream, window) {
            self.is_used = true;
            let first_call = block.start;
            let starts = calls.start_ns[block.clone()].iter();
            for (at, (start_ns, raw)) in starts.zip(calls.duration_ns.raw(block)).enumerate() {
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
                if LONGEST && (!ASKS || !longest.is_empty()) {
                    // An instant is a call too: 0 would hide it.
                    let duration_ns = duration_ns.clamp(1, i64::MAX as u64).cast_signed() as f32;
                    // No `max`: it also has to mind what is no number.
                    let longer = |cell: &mut f32| {
                        *cell = if *cell < duration_ns { duration_ns } else { *cell };
                    };
                    longer(&mut longest[first]);
                    longer(&mut longest[last]);
                    if last > first + 1 {
                        let whole = first + 1..last;
                        if BUSY && from >= reach && whole.len() <= LANES {
                            let cells = whole.start..whole.start + LANES;
                            let (busy, longest) = (&mut busy[cells.clone()], &mut longest[cells]);
                            let time_ns = &lanes.time_ns[whole.len()];
                            busy.iter_mut().zip(time_ns).for_each(|(busy, ns)| *busy += ns);
                            for (cell, share) in longest.iter_mut().zip(&lanes.share[whole.len()]) {
                                let duration_ns = duration_ns * share;
                                *cell = if *cell < duration_ns { duration_ns } else { *cell };
                            }
                        } else {
                            if BUSY && from >= reach {
                                busy[whole.clone()].iter_mut().for_each(|b| *b += axis.cell_ns);
                            }
                            longest[whole].iter_mut().for_each(longer);
                        }
                    }
                }
                if BUSY && to > reach {
                    if from >= reach {
                        cells.ends(busy, (first, last), (from, to), cells.part_ns);
                        if last > first + 1 && (!LONGEST || ASKS && longest.is_empty()) {
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
