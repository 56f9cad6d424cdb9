//! Calls as columns, in the order that tiles want them.
//!
//! A *stream* holds the calls of one track (rank of one log), layer and kind by
//! start time, so that a row of a tile is a walk along a few streams, and a
//! window a few blocks of them. 28 bytes per call.

use crate::Kind;
use crate::narrow::Narrow;
use crate::work::{Executor, alone};
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// Calls per entry of the index that lets a window skip what ended before it.
const BLOCK: usize = 64;

/// Blocks whose ends one thread looks for in one go.
const BLOCKS_AT_ONCE: usize = 4096;

/// Stands for no file, no offset, no parent, no stack, no place.
pub const NONE: u32 = u32::MAX;

/// Calls of one track, layer and kind, in a row, by start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stream {
    /// Number of the track.
    pub track: u32,
    /// Number of the layer.
    pub layer: u8,
    /// What the calls do.
    pub kind: Kind,
    /// First call.
    pub first: u32,
    /// Call after the last one.
    pub end: u32,
}

impl Stream {
    /// The calls, as places in the columns.
    pub fn range(&self) -> Range<usize> {
        self.first as usize..self.end as usize
    }
}

/// A row of the trace that stands for several calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bundle {
    /// Position in the columns.
    pub call: u32,
    /// Calls in the row.
    pub calls: u64,
    /// Time inside them, nanoseconds.
    pub busy_ns: u64,
}

/// The calls.
#[derive(Debug, Default)]
pub struct Calls {
    /// By track, layer and kind.
    pub streams: Vec<Stream>,
    /// Nanoseconds since the start of the job.
    pub start_ns: Vec<i64>,
    /// End minus start, nanoseconds.
    pub duration_ns: Narrow,
    /// Where the request begins; -1: no place, or not recorded.
    pub offset_bytes: Vec<i64>,
    /// None: moves no data.
    pub size_bytes: Narrow,
    /// Number of the file.
    pub file: Vec<u32>,
    /// Number of the [`crate::Form`].
    pub form: Vec<u16>,
    /// Rows of several calls, by place.
    pub bundles: Vec<Bundle>,
    /// Call inside which this one was made; empty: the trace does not tell.
    pub parent: Vec<u32>,
    /// Call stack; empty: none was recorded.
    pub stack: Vec<u32>,
    /// Place in the program; empty: none was recorded.
    pub place: Vec<u32>,
    /// Number of the thread, of tracks with several; empty: no track has several.
    pub thread: Vec<u32>,
    /// Ids of the threads.
    pub threads: Vec<u64>,
    /// First stream of each track, up to the last one with calls.
    pub(crate) tracks: Vec<u32>,
    /// Latest end in each block of calls.
    pub(crate) reach_ns: Vec<i64>,
}

impl Calls {
    /// Number of rows.
    pub fn len(&self) -> usize {
        self.start_ns.len()
    }

    /// No calls.
    pub fn is_empty(&self) -> bool {
        self.start_ns.is_empty()
    }

    /// End of a call.
    pub fn end_ns(&self, call: usize) -> i64 {
        self.start_ns[call].saturating_add_unsigned(self.duration_ns.value(call))
    }

    /// Calls in a row, and the time in them.
    pub fn weight(&self, call: usize) -> (u64, u64) {
        if !self.bundles.is_empty()
            && let Ok(at) = self.bundles.binary_search_by_key(&(call as u32), |b| b.call)
        {
            return (self.bundles[at].calls, self.bundles[at].busy_ns);
        }
        (1, self.duration_ns.value(call))
    }

    /// Time of one call of a row. Of calls that are stored as one row only the sum is known:
    /// then it is their mean.
    pub fn one_call_ns(&self, call: usize) -> u64 {
        let (calls, busy_ns) = self.weight(call);
        busy_ns / calls.max(1)
    }

    /// Parent that the trace contains.
    pub fn parent_of(&self, call: usize) -> Option<usize> {
        self.parent.get(call).filter(|p| **p != NONE).map(|p| *p as usize)
    }

    /// Id of the thread that made a call; `None`: its track has one, or it was not recorded.
    pub fn thread_of(&self, call: usize) -> Option<u64> {
        self.threads.get(*self.thread.get(call)? as usize).copied()
    }

    /// The stream that holds a call.
    pub fn stream_of(&self, call: usize) -> Option<&Stream> {
        let at = self.streams.partition_point(|s| s.end as usize <= call);
        self.streams.get(at).filter(|s| s.range().contains(&call))
    }

    /// Streams of a track.
    pub fn streams_of(&self, track: u32) -> &[Stream] {
        let place =
            |track: usize| self.tracks.get(track).map_or(self.streams.len(), |s| *s as usize);
        &self.streams[place(track as usize)..place(track as usize + 1)]
    }

    /// First and last moment.
    pub fn span_ns(&self) -> Option<(i64, i64)> {
        let first =
            self.streams.iter().filter_map(|s| self.start_ns.get(s.first as usize)).min()?;
        Some((*first, *self.reach_ns.iter().max()?))
    }

    /// Writes down where blocks end; to be called when the columns are complete.
    pub(crate) fn finish(&mut self) {
        self.finish_on(&alone);
    }

    /// The same, side by side.
    pub(crate) fn finish_on(&mut self, executor: &Executor<'_>) {
        self.tracks.clear();
        for (number, stream) in (0u32..).zip(&self.streams) {
            // Out of order only in a damaged pack; then some calls are not found.
            if stream.track as usize >= self.tracks.len() {
                self.tracks.resize(stream.track as usize + 1, number);
            }
        }
        let mut reach_ns = vec![i64::MIN; self.len().div_ceil(BLOCK)];
        let blocks: Vec<Mutex<&mut [i64]>> =
            reach_ns.chunks_mut(BLOCKS_AT_ONCE).map(Mutex::new).collect();
        executor(blocks.len(), &|block| {
            let mut ends = blocks[block].lock().unwrap_or_else(PoisonError::into_inner);
            for (at, end) in ends.iter_mut().enumerate() {
                let first = (block * BLOCKS_AT_ONCE + at) * BLOCK;
                let block = first..(first + BLOCK).min(self.len());
                *end = block.map(|call| self.end_ns(call)).max().unwrap_or(i64::MIN);
            }
        });
        drop(blocks);
        self.reach_ns = reach_ns;
    }

    /// A moment by which all calls of a stream have ended; not always the first one.
    pub(crate) fn reach_of(&self, stream: Stream) -> Option<i64> {
        let blocks = stream.first as usize / BLOCK..(stream.end as usize).div_ceil(BLOCK);
        self.reach_ns.get(blocks)?.iter().max().copied()
    }

    /// Blocks of a stream that hold its calls running in the window; others may
    /// be between them: [`is_inside`] decides.
    pub fn blocks(
        &self,
        stream: Stream,
        (from_ns, to_ns): (i64, i64),
    ) -> impl Iterator<Item = Range<usize>> {
        let Range { start: mut at, end } = stream.range();
        let next = |at: usize| (at / BLOCK + 1) * BLOCK;
        // Most windows reach beyond the end.
        let is_whole = end > at && self.reach_ns[(end - 1) / BLOCK] < to_ns;
        let begins = move |at: usize| is_whole || self.start_ns[at] < to_ns;
        std::iter::from_fn(move || {
            // Looked for block by block: a search through all starts would go through
            // cold memory, and those of a block that is reached are read anyway.
            while at < end && self.reach_ns[at / BLOCK] < from_ns {
                at = next(at).min(end);
            }
            let (first, mut last) = (at, at);
            // An instant at the very edge is inside, hence not `>`.
            while at < end && self.reach_ns[at / BLOCK] >= from_ns && begins(at) {
                last = at;
                at = next(at).min(end);
            }
            if is_whole || at < end && begins(at) {
                return (first < at).then_some(first..at);
            }
            let calls = last + self.start_ns[last..at].partition_point(|start| *start < to_ns);
            at = end;
            (first < calls).then_some(first..calls)
        })
    }

    /// Calls of a stream that run in the window.
    pub fn running(&self, stream: Stream, window: (i64, i64)) -> impl Iterator<Item = usize> {
        let blocks = self.blocks(stream, window).flatten();
        blocks.filter(move |call| is_inside(self.start_ns[*call], self.end_ns(*call), window))
    }

    /// At most so many calls of a stream are in a window; cheap.
    pub fn at_most(&self, stream: Stream, (from_ns, to_ns): (i64, i64)) -> usize {
        let starts = &self.start_ns[stream.range()];
        let end = starts.partition_point(|s| *s < to_ns);
        let first = starts.partition_point(|s| *s < from_ns);
        end - first
    }
}

/// Whether any part of a call lies in [from, to); an instant lies where it starts.
#[inline(always)]
pub fn is_inside(start_ns: i64, end_ns: i64, (from_ns, to_ns): (i64, i64)) -> bool {
    start_ns < to_ns && (end_ns > from_ns || start_ns >= from_ns)
}
