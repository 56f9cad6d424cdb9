//! Table `call`: what is constant over a run is kept once per run.
//!
//! A trace of ten million calls holds few (layer, op, file, rank, host)
//! combinations in a row, but four different numbers per call. Calls lie in
//! chunks of [`CALLS_PER_CHUNK`], so that a table never has to be moved to
//! grow, and every chunk is one Arrow batch. Numbers that only own traces have
//! are [`Sparse`]: a trace without them pays nothing. See docs/decisions/0002.

use crate::frozen_calls::PACKED_ROWS;
use crate::held_chunk::{HeldChunk, PackedChunk};
use crate::source::Executor;
use crate::{Call, CallChunk, CallRun, FastHashMap, FrozenCalls, NameId};
use std::borrow::Cow;

/// Calls in a full chunk: 2 MiB of numbers, which fits a second-level cache.
pub const CALLS_PER_CHUNK: usize = 65_536;

/// Table `call` under construction.
#[derive(Debug, Default)]
pub struct CallTable {
    pub(crate) chunks: Vec<HeldChunk>,
    pub(crate) names: Vec<String>,
    ids: FastHashMap<String, NameId>,
    /// The name asked for last: calls often have that of the call before.
    last_name: Option<NameId>,
    pub(crate) rows: usize,
    is_packing: bool,
}

/// Ids of the names of one table in another.
#[derive(Debug)]
pub struct AdoptedNames(Vec<NameId>);

impl AdoptedNames {
    /// The id in the table that has taken over the name.
    pub fn here(&self, there: Option<NameId>) -> Option<NameId> {
        self.0.get(there?.0 as usize).copied()
    }
}

impl CallTable {
    /// A table, or a part of one, that packs each chunk when it is full: for traces that are
    /// known to have very many calls.
    pub fn packing() -> Self {
        Self { is_packing: true, ..Self::default() }
    }

    /// Calls in all chunks.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The calls, in order. A chunk that is packed is unpacked for the caller.
    pub fn chunks(&self) -> impl ExactSizeIterator<Item = Cow<'_, CallChunk>> {
        self.chunks.iter().map(HeldChunk::chunk)
    }

    /// The calls of one chunk; none beyond the last one.
    pub fn chunk(&self, number: usize) -> Cow<'_, CallChunk> {
        self.chunks.get(number).map_or_else(Cow::default, HeldChunk::chunk)
    }

    /// The calls, in order; the memory of a chunk is free when the next one is asked for. Names
    /// are looked up in the table before.
    pub fn drain_chunks(&mut self) -> impl Iterator<Item = CallChunk> + use<> {
        self.rows = 0;
        std::mem::take(&mut self.chunks).into_iter().map(HeldChunk::into_chunk)
    }

    /// What calls have in common, in order.
    pub fn runs(&self) -> impl Iterator<Item = &CallRun> {
        self.chunks.iter().flat_map(HeldChunk::runs)
    }

    /// Name behind an id of this table.
    pub fn name(&self, id: NameId) -> &str {
        self.names.get(id.0 as usize).map_or("", String::as_str)
    }

    /// Id of a name; the table keeps each name once.
    #[inline]
    pub fn name_id(&mut self, name: &str) -> NameId {
        if let Some(last) = self.last_name.filter(|last| self.name(*last) == name) {
            return last;
        }
        let id = self.ids.get(name).copied().unwrap_or_else(|| {
            let id = NameId(u32::try_from(self.names.len()).unwrap_or(u32::MAX));
            self.names.push(name.to_string());
            self.ids.insert(name.to_string(), id);
            id
        });
        self.last_name = Some(id);
        id
    }

    /// Starts, or continues, a run and gives the chunk to append to.
    ///
    /// Returns the room left in the chunk (at least one call). The caller
    /// appends `n <= room` values to each number column and then says so with
    /// [`Self::commit`]. `run.len` is ignored.
    #[inline]
    pub fn open(&mut self, run: CallRun) -> (&mut CallChunk, usize) {
        let is_full = self.chunks.last().is_none_or(|c| c.len() >= CALLS_PER_CHUNK);
        if is_full || !matches!(self.chunks.last(), Some(HeldChunk::Plain(_))) {
            let chunk = self.next_chunk();
            self.chunks.push(HeldChunk::Plain(Box::new(chunk)));
        }
        let last = self.chunks.len() - 1;
        let HeldChunk::Plain(chunk) = &mut self.chunks[last] else { unreachable!("just pushed") };
        let run = CallRun { len: 0, ..run };
        if chunk.runs.last().is_none_or(|r| CallRun { len: 0, ..*r } != run) {
            chunk.runs.push(run);
        }
        let room = CALLS_PER_CHUNK - chunk.len();
        (chunk, room)
    }

    /// An empty chunk; in the memory of the last one if that one is packed.
    fn next_chunk(&mut self) -> CallChunk {
        match self.chunks.last_mut() {
            // Only a trace that has filled a chunk deserves room for one more.
            None => CallChunk::with_room(0),
            Some(last) if self.is_packing => {
                let HeldChunk::Plain(full) = last else {
                    return CallChunk::with_room(CALLS_PER_CHUNK);
                };
                let packed = PackedChunk::of(full);
                let memory = std::mem::take(&mut **full);
                *last = HeldChunk::Packed(Box::new(packed));
                memory
            }
            Some(_) => CallChunk::with_room(CALLS_PER_CHUNK),
        }
    }

    /// Counts `calls` that were appended to the chunk that [`Self::open`] gave.
    #[inline]
    pub fn commit(&mut self, calls: usize) {
        self.rows += calls;
        let last = self.chunks.last_mut();
        if let Some(run) = last.and_then(|chunk| chunk.runs_mut().last_mut()) {
            run.len += calls;
        }
    }

    /// Appends one call; `run.len` is ignored.
    ///
    /// ```
    /// use diya_tables::{Call, CallRun, CallTable, Layer, Op};
    /// let mut calls = CallTable::default();
    /// let function = Some(calls.name_id("fsync"));
    /// let run = CallRun::new(0, Layer::Posix, Op::Sync, 1, 0);
    /// let run = CallRun { function, has_offset: false, has_size: false, ..run };
    /// calls.push(run, Call { start_s: 0.5, end_s: 0.6, ..Call::default() });
    /// assert_eq!(calls.rows(), 1);
    /// ```
    #[inline]
    pub fn push(&mut self, run: CallRun, call: Call) {
        self.open(run).0.push(call);
        self.commit(1);
    }

    /// Appends a chunk whose names are ids of this table.
    pub fn push_chunk(&mut self, chunk: CallChunk) {
        self.rows += chunk.len();
        self.chunks.push(HeldChunk::Plain(Box::new(chunk)));
    }

    /// Takes over the names of another table.
    pub fn adopt_names(&mut self, other: &Self) -> AdoptedNames {
        AdoptedNames(other.names.iter().map(|name| self.name_id(name)).collect())
    }

    /// Appends all calls of another table, after those of this one.
    pub fn append(&mut self, other: Self) {
        let ids = self.adopt_names(&other);
        let Self { mut chunks, rows, .. } = other;
        for run in chunks.iter_mut().flat_map(HeldChunk::runs_mut) {
            run.host = ids.here(run.host);
            run.function = ids.here(run.function);
            run.error = ids.here(run.error);
        }
        self.chunks.append(&mut chunks);
        self.rows += rows;
    }

    /// Forgets the calls that are not to be kept.
    pub fn retain(&mut self, keep: impl Fn(&CallRun, &CallChunk, usize) -> bool) {
        for held in &mut self.chunks {
            let chunk = held.chunk();
            let mut at = 0;
            let is_whole = chunk.runs.iter().all(|run| {
                let first = at;
                at += run.len;
                (first..at).all(|call| keep(run, &chunk, call))
            });
            if is_whole {
                continue;
            }
            let mut kept = CallChunk::default();
            let mut at = 0;
            for run in &chunk.runs {
                let before = kept.len();
                for call in (at..at + run.len).filter(|call| keep(run, &chunk, *call)) {
                    kept.push(chunk.call(call));
                }
                at += run.len;
                kept.runs.push(CallRun { len: kept.len() - before, ..*run });
            }
            kept.runs.retain(|run| run.len > 0);
            self.rows -= chunk.len() - kept.len();
            *held = HeldChunk::Plain(Box::new(kept));
        }
        self.chunks.retain(|chunk| chunk.len() > 0);
    }

    /// Gives the calls other ranks and later times.
    pub fn relocate(&mut self, rank: impl Fn(i32) -> i32, later_s: f64) {
        for chunk in &mut self.chunks {
            chunk.runs_mut().iter_mut().for_each(|run| run.rank = rank(run.rank));
            chunk.change(|chunk| {
                let times = chunk.start_s.iter_mut().chain(&mut chunk.end_s);
                times.for_each(|time| *time += later_s);
            });
        }
    }

    /// The finished table; the numbers are handed over uncopied.
    pub fn finish(self) -> FrozenCalls {
        self.finish_on(&|tasks, work| (0..tasks).for_each(work))
    }

    /// The finished table; the numbers of very many calls are packed side by side.
    pub fn finish_on(self, executor: &Executor<'_>) -> FrozenCalls {
        FrozenCalls::new(self.chunks, (self.names, self.rows), PACKED_ROWS, executor)
    }
}
