//! From calls in any order to streams.

use crate::calls::{Bundle, NONE, Stream};
use crate::{Calls, Kind};
use std::collections::BTreeMap;

/// What the calls of a stretch have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stretch {
    /// Number of the track.
    pub track: u32,
    /// Number of the layer.
    pub layer: u8,
    /// What the calls do.
    pub kind: Kind,
    /// Number of the file.
    pub file: u32,
    /// Number of the form.
    pub form: u16,
}

/// One call.
#[derive(Debug, Clone, Copy, Default)]
pub struct NewCall {
    /// Nanoseconds since the start of the job.
    pub start_ns: i64,
    /// Not before the start.
    pub end_ns: i64,
    /// None: no place in the file, or not recorded.
    pub offset_bytes: Option<u64>,
    /// None: moves no data.
    pub size_bytes: Option<u64>,
    /// What only own traces have.
    pub traced: Option<Traced>,
}

/// What only own traces tell.
#[derive(Debug, Clone, Copy, Default)]
pub struct Traced {
    /// Number of the log: ids are unique in it.
    pub log: i32,
    /// Id of the call.
    pub id: Option<u64>,
    /// Id of the call inside which it was made.
    pub parent_id: Option<u64>,
    /// Number of the call stack.
    pub stack: Option<u32>,
    /// Calls in the row and nanoseconds in them, when several.
    pub bundle: Option<(u64, u64)>,
}

#[derive(Debug, Clone, Copy)]
struct Row {
    start_ns: i64,
    duration_ns: u64,
    offset_bytes: i64,
    size_bytes: Option<u64>,
    file: u32,
    /// Order of arrival.
    serial: u32,
    form: u16,
}

/// Rows of one stream; whether they came in order.
#[derive(Debug, Default)]
struct Pile {
    rows: Vec<Row>,
    is_unsorted: bool,
}

/// Takes calls in any order, gives [`Calls`].
#[derive(Debug, Default)]
pub struct CallsBuilder {
    piles: Vec<Pile>,
    place: BTreeMap<(u32, u8, Kind), usize>,
    at: Option<(Stretch, usize)>,
    /// By order of arrival; empty: no call has any.
    traced: Vec<Traced>,
    calls: u32,
}

impl CallsBuilder {
    /// Appends a call. Calls beyond 2^32 - 2 are dropped and counted by nobody:
    /// their columns alone would take 120 GB.
    pub fn push(&mut self, stretch: Stretch, call: NewCall) {
        if self.calls >= NONE - 1 {
            return;
        }
        let pile = match self.at {
            Some((at, pile)) if same_stream(at, stretch) => pile,
            _ => self.pile(stretch),
        };
        self.at = Some((stretch, pile));
        let serial = self.calls;
        self.calls += 1;
        if let Some(traced) = call.traced {
            self.traced.resize(serial as usize, Traced::default());
            self.traced.push(traced);
        }
        let row = Row {
            start_ns: call.start_ns,
            duration_ns: u64::try_from(call.end_ns.saturating_sub(call.start_ns)).unwrap_or(0),
            offset_bytes: call.offset_bytes.and_then(|o| i64::try_from(o).ok()).unwrap_or(-1),
            size_bytes: call.size_bytes,
            file: stretch.file,
            serial,
            form: stretch.form,
        };
        let pile = &mut self.piles[pile];
        pile.is_unsorted |= pile.rows.last().is_some_and(|last| last.start_ns > row.start_ns);
        pile.rows.push(row);
    }

    fn pile(&mut self, stretch: Stretch) -> usize {
        let key = (stretch.track, stretch.layer, stretch.kind);
        let next = self.piles.len();
        let pile = *self.place.entry(key).or_insert(next);
        if pile == next {
            self.piles.push(Pile::default());
        }
        pile
    }

    /// The calls in streams; each pile is given back when its stream is there.
    pub fn finish(mut self) -> Calls {
        let all = self.calls as usize;
        let mut calls = Calls {
            start_ns: Vec::with_capacity(all),
            duration_ns: crate::Narrow::with_capacity(all),
            offset_bytes: Vec::with_capacity(all),
            size_bytes: crate::Narrow::with_capacity(all),
            file: Vec::with_capacity(all),
            form: Vec::with_capacity(all),
            ..Calls::default()
        };
        self.traced.resize(if self.traced.is_empty() { 0 } else { all }, Traced::default());
        let mut serials = Vec::with_capacity(self.traced.len());
        for ((track, layer, kind), pile) in std::mem::take(&mut self.place) {
            let mut pile = std::mem::take(&mut self.piles[pile]);
            if pile.is_unsorted {
                // Stable, and quick on what is made of sorted stretches. Of
                // those that begin together the longest contains the others.
                pile.rows.sort_by_key(|row| (row.start_ns, std::cmp::Reverse(row.duration_ns)));
            }
            let first = calls.len() as u32;
            for row in &pile.rows {
                calls.start_ns.push(row.start_ns);
                calls.duration_ns.push(Some(row.duration_ns));
                calls.offset_bytes.push(row.offset_bytes);
                calls.size_bytes.push(row.size_bytes);
                calls.file.push(row.file);
                calls.form.push(row.form);
                if !self.traced.is_empty() {
                    serials.push(row.serial);
                }
            }
            let end = calls.len() as u32;
            calls.streams.push(Stream { track, layer, kind, first, end });
        }
        self.link(&mut calls, &serials);
        calls.finish();
        calls
    }

    /// What own traces tell besides, by place.
    fn link(&self, calls: &mut Calls, serials: &[u32]) {
        let traced = || (0u32..).zip(serials).map(|(place, s)| (place, &self.traced[*s as usize]));
        let bundle = |(call, traced): (u32, &Traced)| {
            traced.bundle.map(|(calls, busy_ns)| Bundle { call, calls, busy_ns })
        };
        calls.bundles = traced().filter_map(bundle).collect();
        if self.traced.iter().any(|t| t.stack.is_some()) {
            calls.stack = traced().map(|(_, t)| t.stack.unwrap_or(NONE)).collect();
        }
        if self.traced.iter().any(|t| t.parent_id.is_some()) {
            let mut ids: Vec<(i32, u64, u32)> =
                traced().filter_map(|(place, t)| Some((t.log, t.id?, place))).collect();
            ids.sort_unstable();
            let place_of = |log: i32, id: u64| {
                let at = ids.partition_point(|(l, i, _)| (*l, *i) < (log, id));
                ids.get(at).filter(|(l, i, _)| (*l, *i) == (log, id)).map(|(_, _, place)| *place)
            };
            let parent = |t: &Traced| t.parent_id.and_then(|id| place_of(t.log, id));
            calls.parent = traced().map(|(_, t)| parent(t).unwrap_or(NONE)).collect();
        }
    }
}

fn same_stream(a: Stretch, b: Stretch) -> bool {
    (a.track, a.layer, a.kind) == (b.track, b.layer, b.kind)
}
