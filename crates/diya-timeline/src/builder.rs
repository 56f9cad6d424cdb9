//! From calls in any order to streams.
//!
//! The calls are gone over twice: counted, and put in their places. So each is
//! written once, into columns that neither grow nor are copied: a hundred million
//! calls take the room of their columns, also while they are taken in.

use crate::calls::{Bundle, NONE, Stream};
use crate::{Calls, Kind, Narrow};
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

/// Track, layer and kind: what makes a stream.
type Key = (u32, u8, Kind);

impl Stretch {
    fn key(&self) -> Key {
        (self.track, self.layer, self.kind)
    }
}

/// How many calls each stream will have.
#[derive(Debug, Default)]
pub struct Counts(BTreeMap<Key, u64>);

impl Counts {
    /// Counts calls.
    pub fn add(&mut self, stretch: &Stretch, calls: u64) {
        *self.0.entry(stretch.key()).or_default() += calls;
    }

    /// Makes room for the calls. Calls beyond 2^32 - 2 have none and are dropped:
    /// their columns would take more than 100 GB.
    pub fn builder(self) -> CallsBuilder {
        let mut streams = Vec::with_capacity(self.0.len());
        let mut end = 0;
        for ((track, layer, kind), calls) in self.0 {
            let first = end;
            end = u32::try_from(u64::from(first) + calls).unwrap_or(NONE - 1).min(NONE - 1);
            streams.push(Stream { track, layer, kind, first, end });
        }
        let all = end as usize;
        let calls = Calls {
            start_ns: vec![0; all],
            duration_ns: Narrow::zeros(all),
            offset_bytes: vec![0; all],
            size_bytes: Narrow::zeros(all),
            file: vec![0; all],
            form: vec![0; all],
            streams,
            ..Calls::default()
        };
        let next = calls.streams.iter().map(|stream| stream.first).collect();
        let is_unsorted = vec![false; calls.streams.len()];
        CallsBuilder { calls, next, is_unsorted, traced: Vec::new(), at: None }
    }
}

/// Takes the calls that were counted, in any order, gives [`Calls`].
#[derive(Debug)]
pub struct CallsBuilder {
    calls: Calls,
    /// By stream: place of its next call.
    next: Vec<u32>,
    is_unsorted: Vec<bool>,
    /// By place; empty: no call has any.
    traced: Vec<Traced>,
    /// The stream of the call before.
    at: Option<(Key, usize)>,
}

#[derive(Debug, Clone, Copy)]
struct Row {
    start_ns: i64,
    duration_ns: u64,
    offset_bytes: i64,
    size_bytes: Option<u64>,
    file: u32,
    form: u16,
    traced: Option<Traced>,
}

impl CallsBuilder {
    /// Takes a call in; one that was not counted has no place and is dropped.
    pub fn push(&mut self, stretch: Stretch, call: NewCall) {
        let key = stretch.key();
        let stream = match self.at {
            Some((same, stream)) if same == key => stream,
            _ => {
                let of = |s: &Stream| (s.track, s.layer, s.kind);
                let Ok(stream) = self.calls.streams.binary_search_by_key(&key, of) else { return };
                stream
            }
        };
        self.at = Some((key, stream));
        let Stream { first, end, .. } = self.calls.streams[stream];
        let next = self.next[stream];
        if next == end {
            return;
        }
        self.next[stream] = next + 1;
        let place = next as usize;
        if next > first {
            self.is_unsorted[stream] |= self.calls.start_ns[place - 1] > call.start_ns;
        }
        self.set(
            place,
            &Row {
                start_ns: call.start_ns,
                duration_ns: u64::try_from(call.end_ns.saturating_sub(call.start_ns)).unwrap_or(0),
                offset_bytes: call.offset_bytes.and_then(|o| i64::try_from(o).ok()).unwrap_or(-1),
                size_bytes: call.size_bytes,
                file: stretch.file,
                form: stretch.form,
                traced: call.traced,
            },
        );
    }

    fn set(&mut self, place: usize, row: &Row) {
        let calls = &mut self.calls;
        calls.start_ns[place] = row.start_ns;
        calls.duration_ns.set(place, Some(row.duration_ns));
        calls.offset_bytes[place] = row.offset_bytes;
        calls.size_bytes.set(place, row.size_bytes);
        calls.file[place] = row.file;
        calls.form[place] = row.form;
        if let Some(traced) = row.traced {
            if self.traced.is_empty() {
                self.traced.resize(calls.start_ns.len(), Traced::default());
            }
            self.traced[place] = traced;
        }
    }

    fn row(&self, place: usize) -> Row {
        let calls = &self.calls;
        Row {
            start_ns: calls.start_ns[place],
            duration_ns: calls.duration_ns.value(place),
            offset_bytes: calls.offset_bytes[place],
            size_bytes: calls.size_bytes.get(place),
            file: calls.file[place],
            form: calls.form[place],
            traced: self.traced.get(place).copied(),
        }
    }

    /// The calls in streams, each in order of start.
    pub fn finish(mut self) -> Calls {
        self.calls.duration_ns.settle();
        self.calls.size_bytes.settle();
        self.close_gaps();
        for stream in 0..self.calls.streams.len() {
            if self.is_unsorted[stream] {
                self.sort(self.calls.streams[stream].range());
            }
        }
        self.link();
        self.calls.finish();
        self.calls
    }

    /// Puts the calls of a stream in order. Of those that begin together the
    /// longest contains the others.
    fn sort(&mut self, places: std::ops::Range<usize>) {
        let mut rows: Vec<Row> = places.clone().map(|place| self.row(place)).collect();
        // Stable, and quick on what is made of sorted stretches.
        rows.sort_by_key(|row| (row.start_ns, std::cmp::Reverse(row.duration_ns)));
        let calls = &mut self.calls;
        calls.duration_ns.replace(places.clone(), rows.iter().map(|row| Some(row.duration_ns)));
        calls.size_bytes.replace(places.clone(), rows.iter().map(|row| row.size_bytes));
        for (place, row) in places.zip(rows) {
            calls.start_ns[place] = row.start_ns;
            calls.offset_bytes[place] = row.offset_bytes;
            calls.file[place] = row.file;
            calls.form[place] = row.form;
            if let (Some(slot), Some(traced)) = (self.traced.get_mut(place), row.traced) {
                *slot = traced;
            }
        }
    }

    /// Moves calls together where fewer came than were counted.
    fn close_gaps(&mut self) {
        let streams = &self.calls.streams;
        if streams.iter().map(|stream| stream.end).eq(self.next.iter().copied()) {
            return;
        }
        let taken = streams.iter().zip(&self.next).map(|(stream, next)| stream.first..*next);
        let rows: Vec<Row> = taken.flatten().map(|place| self.row(place as usize)).collect();
        let (mut end, mut kept) = (0, Calls::default());
        for (stream, next) in streams.iter().zip(&self.next) {
            let first = end;
            end += next - stream.first;
            kept.streams.push(Stream { first, end, ..*stream });
        }
        for row in &rows {
            kept.start_ns.push(row.start_ns);
            kept.duration_ns.push(Some(row.duration_ns));
            kept.offset_bytes.push(row.offset_bytes);
            kept.size_bytes.push(row.size_bytes);
            kept.file.push(row.file);
            kept.form.push(row.form);
        }
        let is_used: Vec<bool> = kept.streams.iter().map(|s| !s.range().is_empty()).collect();
        let mut used = is_used.iter();
        kept.streams.retain(|_| used.next().copied().unwrap_or(false));
        let mut used = is_used.iter();
        self.is_unsorted.retain(|_| used.next().copied().unwrap_or(false));
        self.traced = rows.iter().filter_map(|row| row.traced).collect();
        self.calls = kept;
    }

    /// What own traces tell besides, by place.
    fn link(&mut self) {
        let traced = || (0u32..).zip(&self.traced);
        let bundle = |(call, traced): (u32, &Traced)| {
            traced.bundle.map(|(calls, busy_ns)| Bundle { call, calls, busy_ns })
        };
        self.calls.bundles = traced().filter_map(bundle).collect();
        if self.traced.iter().any(|t| t.stack.is_some()) {
            self.calls.stack = traced().map(|(_, t)| t.stack.unwrap_or(NONE)).collect();
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
            self.calls.parent = traced().map(|(_, t)| parent(t).unwrap_or(NONE)).collect();
        }
    }
}

/// Of few calls, that can be gone over twice where they are.
impl FromIterator<(Stretch, NewCall)> for Calls {
    fn from_iter<T: IntoIterator<Item = (Stretch, NewCall)>>(calls: T) -> Self {
        let calls: Vec<(Stretch, NewCall)> = calls.into_iter().collect();
        let mut counts = Counts::default();
        calls.iter().for_each(|(stretch, _)| counts.add(stretch, 1));
        let mut builder = counts.builder();
        calls.into_iter().for_each(|(stretch, call)| builder.push(stretch, call));
        builder.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stretch(track: u32) -> Stretch {
        Stretch { track, layer: 0, kind: Kind::Write, file: track, form: 0 }
    }

    fn call(start_ns: i64, end_ns: i64, size: u64) -> NewCall {
        NewCall { start_ns, end_ns, size_bytes: Some(size), ..NewCall::default() }
    }

    #[test]
    fn calls_out_of_order_are_put_in_order_with_all_that_is_theirs() {
        let long = i64::from(u32::MAX) * 2;
        let calls: Calls = [
            (stretch(1), call(50, 60, 5)),
            (stretch(0), call(30, 30 + long, 1 << 40)),
            (stretch(0), call(10, 20, 2)),
            (stretch(0), call(10, 25, 3)),
        ]
        .into_iter()
        .collect();
        assert_eq!(calls.start_ns, [10, 10, 30, 50]);
        let numbers: Vec<_> =
            (0..4).map(|at| (calls.duration_ns.value(at), calls.size_bytes.get(at))).collect();
        let long = long.unsigned_abs();
        assert_eq!(numbers, [(15, Some(3)), (10, Some(2)), (long, Some(1 << 40)), (10, Some(5))]);
        assert_eq!(calls.file, [0, 0, 0, 1]);
    }

    #[test]
    fn fewer_calls_than_were_counted_leave_no_gaps_and_more_are_dropped() {
        let mut counts = Counts::default();
        counts.add(&stretch(0), 3);
        counts.add(&stretch(1), 2);
        counts.add(&stretch(2), 1);
        let mut builder = counts.builder();
        for (track, start_ns) in [(0, 1), (2, 7), (2, 8), (0, 2)] {
            builder.push(stretch(track), call(start_ns, start_ns + 1, 1 << 33));
        }
        let calls = builder.finish();
        assert_eq!(calls.start_ns, [1, 2, 7]);
        let streams: Vec<_> = calls.streams.iter().map(|s| (s.track, s.range())).collect();
        assert_eq!(streams, [(0, 0..2), (2, 2..3)]);
        assert!((0..3).all(|at| calls.size_bytes.get(at) == Some(1 << 33)));
    }
}
