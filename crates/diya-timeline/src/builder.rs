//! From calls in any order to streams.
//!
//! The calls are gone over twice: counted, and put in their places. So each is
//! written once, into columns that neither grow nor are copied: a hundred million
//! calls take the room of their columns, also while they are taken in. As the place
//! of each is known before, threads fill [`ColumnSlice`]s side by side.

use crate::Calls;
use crate::calls::{Bundle, NONE, Stream};
use crate::column_slice::{ColumnSlice, Filled};
use crate::narrow::{Narrow, Wide, remove};
use crate::new_call::{NewCall, SharedFields, StreamKey, Traced};
use crate::order::sort_streams;
use crate::work::{Executor, alone};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// How many calls each stream will have at most.
#[derive(Debug, Default)]
pub struct Counts(BTreeMap<StreamKey, u64>);

impl Counts {
    /// Counts calls.
    pub fn add(&mut self, stream: StreamKey, calls: u64) {
        *self.0.entry(stream).or_default() += calls;
    }

    /// Makes room for the calls. Calls beyond 2^32 - 2 have none and are dropped:
    /// their columns would take more than 100 GB.
    pub fn builder(self) -> CallsBuilder {
        let mut streams = Vec::with_capacity(self.0.len());
        let mut end = 0;
        for (StreamKey { track, layer, kind }, calls) in self.0 {
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
        CallsBuilder { calls, next, wide: Default::default(), gaps: Vec::new(), traced: Vec::new() }
    }
}

/// Takes the calls that were counted, gives [`Calls`].
#[derive(Debug)]
pub struct CallsBuilder {
    calls: Calls,
    /// By stream: place of its next call.
    next: Vec<u32>,
    /// Durations and sizes that 32 bits do not hold.
    wide: [Vec<Wide>; 2],
    /// Places that were counted and not filled.
    gaps: Vec<Range<usize>>,
    /// By place; empty: no call has any.
    traced: Vec<Traced>,
}

impl CallsBuilder {
    /// Rooms for the next calls of streams: one for each wish of each batch of the trace,
    /// in the same order. Calls that were not counted have no place in them.
    pub fn slices(&mut self, batches: &[Vec<(StreamKey, u32)>]) -> Vec<Vec<ColumnSlice<'_>>> {
        let wishes = batches.iter().flatten();
        let mut places: Vec<(Range<usize>, usize)> = Vec::new();
        for (number, (key, calls)) in wishes.enumerate() {
            let of = |s: &Stream| StreamKey { track: s.track, layer: s.layer, kind: s.kind };
            let stream = self.calls.streams.binary_search_by_key(key, of);
            let range = stream.map_or(0..0, |stream| {
                let (first, end) = (self.next[stream], self.calls.streams[stream].end);
                self.next[stream] = first + (end - first).min(*calls);
                first as usize..self.next[stream] as usize
            });
            places.push((range, number));
        }
        places.sort_unstable_by_key(|(range, _)| range.start);
        let mut rest = ColumnSlice::whole(&mut self.calls);
        let mut slices = Vec::with_capacity(places.len());
        for (range, number) in places {
            if range.is_empty() {
                slices.push((number, ColumnSlice::default()));
                continue;
            }
            let (room, after) = rest.starting_at(range.start).split(range.len());
            slices.push((number, room));
            rest = after;
        }
        slices.sort_unstable_by_key(|(number, _)| *number);
        let mut slices = slices.into_iter().map(|(_, room)| room);
        batches.iter().map(|wishes| slices.by_ref().take(wishes.len()).collect()).collect()
    }

    /// Takes note of what slices hold.
    pub fn take(&mut self, filled: impl IntoIterator<Item = Filled>) {
        for Filled { unused, first, wide: [durations, sizes], traced } in filled {
            self.wide[0].extend(durations);
            self.wide[1].extend(sizes);
            if !unused.is_empty() {
                self.gaps.push(unused);
            }
            if !traced.is_empty() {
                self.traced.resize(self.calls.len(), Traced::default());
                self.traced[first..first + traced.len()].copy_from_slice(&traced);
            }
        }
    }

    /// The calls in streams, each in order of start; `executor` does work side by side.
    pub fn finish(mut self, executor: &Executor<'_>) -> Calls {
        let [durations, sizes] = self.wide.each_mut().map(std::mem::take);
        self.calls.duration_ns.set_wide(durations);
        self.calls.size_bytes.set_wide(sizes);
        self.close_gaps();
        sort_streams(&mut self.calls, &mut self.traced, executor);
        self.link();
        self.number_threads();
        self.calls.finish_on(executor);
        self.calls
    }

    /// Moves calls together where fewer came than were counted.
    fn close_gaps(&mut self) {
        let ends = self.calls.streams.iter().zip(&self.next);
        let unused = ends.map(|(stream, next)| *next as usize..stream.end as usize);
        let mut gaps = std::mem::take(&mut self.gaps);
        gaps.extend(unused.filter(|gap| !gap.is_empty()));
        if gaps.is_empty() {
            return;
        }
        gaps.sort_unstable_by_key(|gap| gap.start);
        let calls = &mut self.calls;
        remove(&mut calls.start_ns, &gaps);
        calls.duration_ns.remove(&gaps);
        remove(&mut calls.offset_bytes, &gaps);
        calls.size_bytes.remove(&gaps);
        remove(&mut calls.file, &gaps);
        remove(&mut calls.form, &gaps);
        if !self.traced.is_empty() {
            remove(&mut self.traced, &gaps);
        }
        let (mut gaps, mut gone) = (gaps.iter().peekable(), 0);
        for stream in &mut calls.streams {
            stream.first -= gone;
            while let Some(gap) = gaps.next_if(|gap| gap.end <= stream.end as usize) {
                gone += gap.len() as u32;
            }
            stream.end -= gone;
        }
        calls.streams.retain(|stream| !stream.range().is_empty());
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
        if self.traced.iter().any(|t| t.place.is_some()) {
            self.calls.place = traced().map(|(_, t)| t.place.unwrap_or(NONE)).collect();
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

impl CallsBuilder {
    /// Numbers the threads of tracks with several: those of one thread need no number.
    fn number_threads(&mut self) {
        let traced = &self.traced;
        let thread_of = |call: usize| traced.get(call).and_then(|traced| traced.thread);
        let mut first: BTreeMap<u32, u64> = BTreeMap::new();
        let mut with_several = BTreeSet::new();
        for stream in &self.calls.streams {
            for thread in stream.range().filter_map(thread_of) {
                if *first.entry(stream.track).or_insert(thread) != thread {
                    with_several.insert(stream.track);
                }
            }
        }
        if with_several.is_empty() {
            return;
        }
        let mut numbers: BTreeMap<u64, u32> = BTreeMap::new();
        let mut column = vec![NONE; self.calls.len()];
        let mut threads = Vec::new();
        for stream in self.calls.streams.iter().filter(|s| with_several.contains(&s.track)) {
            for call in stream.range() {
                let Some(thread) = thread_of(call) else { continue };
                column[call] = *numbers.entry(thread).or_insert_with(|| {
                    threads.push(thread);
                    threads.len() as u32 - 1
                });
            }
        }
        (self.calls.thread, self.calls.threads) = (column, threads);
    }
}

/// Of few calls, that can be gone over twice where they are.
impl FromIterator<(SharedFields, NewCall)> for Calls {
    fn from_iter<T: IntoIterator<Item = (SharedFields, NewCall)>>(calls: T) -> Self {
        let calls: Vec<(SharedFields, NewCall)> = calls.into_iter().collect();
        let mut counts = Counts::default();
        calls.iter().for_each(|(shared, _)| counts.add(shared.key(), 1));
        let mut builder = counts.builder();
        let wishes = calls.iter().map(|(shared, _)| (shared.key(), 1)).collect();
        let slices = builder.slices(&[wishes]).into_iter().flatten();
        let filled = slices.zip(calls).map(|(mut room, (shared, call))| {
            room.push((shared.file, shared.form), call);
            room.filled()
        });
        let filled: Vec<Filled> = filled.collect();
        builder.take(filled);
        builder.finish(&alone)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kind;

    fn shared(track: u32) -> SharedFields {
        SharedFields { track, layer: 0, kind: Kind::Write, file: track, form: 0 }
    }

    fn call(start_ns: i64, end_ns: i64, size: u64) -> NewCall {
        NewCall { start_ns, end_ns, size_bytes: Some(size), ..NewCall::default() }
    }

    #[test]
    fn calls_out_of_order_are_put_in_order_with_all_that_is_theirs() {
        let long = i64::from(u32::MAX) * 2;
        let calls: Calls = [
            (shared(1), call(50, 60, 5)),
            (shared(0), call(30, 30 + long, 1 << 40)),
            (shared(0), call(10, 20, 2)),
            (shared(0), call(10, 25, 3)),
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
        let key = |track: u32| shared(track).key();
        counts.add(key(0), 4);
        counts.add(key(1), 2);
        counts.add(key(2), 1);
        let mut builder = counts.builder();
        let batches = [vec![(key(2), 2), (key(0), 2)], vec![(key(0), 1)]];
        let mut slices = builder.slices(&batches);
        let long = |start_ns| call(start_ns, start_ns + 1, 1 << 33);
        slices[1][0].push((0, 0), long(2));
        slices[0][1].push((0, 0), long(1));
        slices[0][0].push((2, 0), long(7));
        slices[0][0].push((2, 0), long(8));
        let filled: Vec<Filled> = slices.into_iter().flatten().map(ColumnSlice::filled).collect();
        builder.take(filled);
        let calls = builder.finish(&alone);
        assert_eq!(calls.start_ns, [1, 2, 7]);
        let streams: Vec<_> = calls.streams.iter().map(|s| (s.track, s.range())).collect();
        assert_eq!(streams, [(0, 0..2), (2, 2..3)]);
        assert!((0..3).all(|at| calls.size_bytes.get(at) == Some(1 << 33)));
    }

    #[test]
    fn only_tracks_with_several_threads_have_their_numbers() {
        let of_thread = |start_ns, thread| NewCall {
            traced: Some(Traced { thread: Some(thread), ..Traced::default() }),
            ..call(start_ns, start_ns + 1, 1)
        };
        let calls: Calls = [
            (shared(0), of_thread(1, 70)),
            (shared(0), of_thread(2, 71)),
            (shared(0), of_thread(3, 70)),
            (shared(1), of_thread(1, 80)),
        ]
        .into_iter()
        .collect();
        let threads: Vec<_> = (0..4).map(|at| calls.thread_of(at)).collect();
        assert_eq!(threads, [Some(70), Some(71), Some(70), None]);
        let one: Calls = [(shared(0), of_thread(1, 70))].into_iter().collect();
        assert!(one.thread.is_empty());
    }

    #[test]
    fn stretches_of_several_files_are_merged_with_their_large_numbers() {
        // Three files in turn, by file: each in order, all of them interleaved.
        let of_file = |file: u32| {
            (0..1000_i64).map(move |at| {
                let shared = SharedFields { file, form: file as u16, ..shared(0) };
                let start_ns = at * 3 + i64::from(file);
                let size = if at % 97 == 0 { 1 << 40 } else { at as u64 };
                (shared, call(start_ns, start_ns + 1 + at * i64::from(u32::MAX), size))
            })
        };
        let calls: Calls = (0..3).flat_map(of_file).collect();
        let starts: Vec<i64> = (0..3000).collect();
        assert_eq!(calls.start_ns, starts);
        for at in 0..3000_usize {
            let of_file = at / 3;
            assert_eq!((calls.file[at], calls.form[at]), (at as u32 % 3, at as u16 % 3));
            assert_eq!(calls.duration_ns.value(at), 1 + of_file as u64 * u64::from(u32::MAX));
            let size = if of_file % 97 == 0 { 1 << 40 } else { of_file as u64 };
            assert_eq!(calls.size_bytes.get(at), Some(size));
        }
    }
}
