//! Time in libraries: what their calls take while no call of a lower layer runs.
//!
//! The same split as in metric `time_account`: in a collective call the rank waits for the
//! others, in other calls the library itself works.

use crate::axis::TimeAxis;
use crate::calls::Stream;
use crate::row::Row;
use crate::{Filter, Kind, Store};
use std::iter::Peekable;

impl Row {
    /// Parts the time of one track: what no call below covers goes from the kind of the call
    /// to waiting or to the library.
    pub(crate) fn part_own_time(
        &mut self,
        store: &Store,
        filter: &Filter,
        axis: TimeAxis,
        streams: &[Stream],
    ) {
        let lowest = store.layers.iter().map(|layer| crate::layer_depth(layer)).max();
        let has_below = |s: &&Stream| Some(store.depth(s.layer)) < lowest;
        let counting = streams.iter().filter(|s| filter.takes(store, s) && has_below(s));
        for stream in counting.filter(|s| s.kind != Kind::Wait) {
            if !self.busy_ns[stream.kind as usize].is_empty() {
                self.part_stream(store, filter, axis, (*stream, streams));
            }
        }
    }

    fn part_stream(
        &mut self,
        store: &Store,
        filter: &Filter,
        axis: TimeAxis,
        (stream, of_track): (Stream, &[Stream]),
    ) {
        let window = (axis.from_ns, axis.to_ns);
        let depth = store.depth(stream.layer);
        let lower = of_track.iter().filter(|s| store.depth(s.layer) > depth);
        let spans = |s: &Stream| {
            let calls = store.calls.running(*s, window);
            calls.map(|call| (store.calls.start_ns[call], store.calls.end_ns(call))).peekable()
        };
        let mut below = Union { heads: lower.map(spans).collect() }.peekable();
        let mut reach_ns = axis.from_ns;
        for call in store.calls.running(stream, window) {
            if !filter.takes_call(store, call) {
                continue;
            }
            let mut at = store.calls.start_ns[call].max(reach_ns);
            let end = store.calls.end_ns(call).min(axis.to_ns);
            reach_ns = end.max(reach_ns);
            let is_wait = store.form(call).is_collective == Some(true);
            while at < end {
                while below.next_if(|(_, to)| *to <= at).is_some() {}
                let (from, to) = below.peek().copied().unwrap_or((end, end));
                let own_end = from.clamp(at, end);
                self.move_own((axis, stream.kind, is_wait), (at, own_end));
                at = to.max(own_end).min(end);
            }
        }
        // Differences of rounded numbers.
        self.busy_ns[stream.kind as usize].iter_mut().for_each(|ns| *ns = ns.max(0.0));
    }

    fn move_own(&mut self, (axis, kind, is_wait): (TimeAxis, Kind, bool), (from, to): (i64, i64)) {
        if to <= from {
            return;
        }
        let place = axis.place(from, to);
        place.spread(&mut self.busy_ns[kind as usize], -axis.cell_ns);
        let wait = &mut self.busy_ns[Kind::Wait as usize];
        let own = if is_wait && !wait.is_empty() { wait } else { &mut self.library_ns };
        place.spread(own, axis.cell_ns);
    }
}

/// Spans of several lists, each by start, as spans that do not touch.
struct Union<Spans: Iterator<Item = (i64, i64)>> {
    heads: Vec<Peekable<Spans>>,
}

impl<Spans: Iterator<Item = (i64, i64)>> Union<Spans> {
    /// The next span that begins until then.
    fn first(&mut self, until: i64) -> Option<(i64, i64)> {
        let starts = self.heads.iter_mut().enumerate();
        let next = starts.filter_map(|(at, head)| Some((head.peek()?.0, at))).min()?;
        (next.0 <= until).then(|| self.heads[next.1].next())?
    }
}

impl<Spans: Iterator<Item = (i64, i64)>> Iterator for Union<Spans> {
    type Item = (i64, i64);

    fn next(&mut self) -> Option<(i64, i64)> {
        let (from, mut to) = self.first(i64::MAX)?;
        while let Some((_, end)) = self.first(to) {
            to = to.max(end);
        }
        Some((from, to))
    }
}
