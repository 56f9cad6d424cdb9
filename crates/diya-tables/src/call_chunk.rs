//! Calls in a row of table `call`: the numbers of each, and what they share.

use crate::{Layer, Op, Sparse};

/// A name (host, function, error) in a [`crate::CallTable`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NameId(pub(crate) u32);

/// What the calls of a run have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // as the columns of table `call`
pub struct CallRun {
    /// Calls in the run.
    pub len: usize,
    pub log: i32,
    pub layer: Layer,
    pub op: Op,
    pub file_id: u64,
    pub rank: i32,
    pub host: Option<NameId>,
    pub function: Option<NameId>,
    pub process: Option<i32>,
    pub error: Option<NameId>,
    pub is_collective: Option<bool>,
    /// False: the offsets were not recorded, or the calls have none.
    pub has_offset: bool,
    /// False: the calls move no data.
    pub has_size: bool,
}

impl CallRun {
    /// A run of calls that move data at an offset; nothing else is known.
    #[inline]
    pub fn new(log: i32, layer: Layer, op: Op, file_id: u64, rank: i32) -> Self {
        Self {
            len: 0,
            log,
            layer,
            op,
            file_id,
            rank,
            host: None,
            function: None,
            process: None,
            error: None,
            is_collective: None,
            has_offset: true,
            has_size: true,
        }
    }
}

/// The numbers of one call.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[allow(missing_docs)] // as the columns of table `call`
pub struct Call {
    /// Without meaning when the run has no offsets.
    pub offset_bytes: i64,
    /// Without meaning when the run has no sizes.
    pub size_bytes: i64,
    pub start_s: f64,
    pub end_s: f64,
    pub thread: Option<u64>,
    pub requested_bytes: Option<i64>,
    pub call_id: Option<u64>,
    pub parent_id: Option<u64>,
    pub stack_id: Option<u64>,
    pub aux: Option<i64>,
    /// `None`: one call.
    pub calls: Option<i64>,
    /// `None`: `end_s - start_s`.
    pub busy_s: Option<f64>,
}

/// A run of calls: the numbers of each call, and what they share as runs.
#[derive(Debug, Default, Clone)]
#[allow(missing_docs)] // as the columns of table `call`
pub struct CallChunk {
    pub runs: Vec<CallRun>,
    pub offset_bytes: Vec<i64>,
    pub size_bytes: Vec<i64>,
    pub start_s: Vec<f64>,
    pub end_s: Vec<f64>,
    pub thread: Sparse<u64>,
    pub requested_bytes: Sparse<i64>,
    pub call_id: Sparse<u64>,
    pub parent_id: Sparse<u64>,
    pub stack_id: Sparse<u64>,
    pub aux: Sparse<i64>,
    /// Without a value: one call.
    pub calls: Sparse<i64>,
    /// Without a value: end minus start.
    pub busy_s: Sparse<f64>,
}

impl CallChunk {
    /// Calls in the chunk.
    #[inline]
    pub fn len(&self) -> usize {
        self.size_bytes.len()
    }

    /// No calls.
    pub fn is_empty(&self) -> bool {
        self.size_bytes.is_empty()
    }

    /// Room for a full chunk.
    pub(crate) fn with_room(calls: usize) -> Self {
        Self {
            offset_bytes: Vec::with_capacity(calls),
            size_bytes: Vec::with_capacity(calls),
            start_s: Vec::with_capacity(calls),
            end_s: Vec::with_capacity(calls),
            ..Self::default()
        }
    }

    /// The numbers of a call.
    ///
    /// # Panics
    ///
    /// When the chunk has no such call.
    pub fn call(&self, call: usize) -> Call {
        Call {
            offset_bytes: self.offset_bytes[call],
            size_bytes: self.size_bytes[call],
            start_s: self.start_s[call],
            end_s: self.end_s[call],
            thread: self.thread.get(call),
            requested_bytes: self.requested_bytes.get(call),
            call_id: self.call_id.get(call),
            parent_id: self.parent_id.get(call),
            stack_id: self.stack_id.get(call),
            aux: self.aux.get(call),
            calls: self.calls.get(call),
            busy_s: self.busy_s.get(call),
        }
    }

    #[inline]
    pub(crate) fn push(&mut self, call: Call) {
        #[inline(always)]
        fn set<T: Copy + Default>(
            column: &mut Sparse<T>,
            (at, room): (usize, usize),
            value: Option<T>,
        ) {
            if let Some(value) = value {
                // As much room as the other columns have: it grows once.
                column.reserve(room);
                column.set(at, value);
            }
        }
        let place = (self.len(), self.size_bytes.capacity());
        self.offset_bytes.push(call.offset_bytes);
        self.size_bytes.push(call.size_bytes);
        self.start_s.push(call.start_s);
        self.end_s.push(call.end_s);
        set(&mut self.thread, place, call.thread);
        set(&mut self.requested_bytes, place, call.requested_bytes);
        set(&mut self.call_id, place, call.call_id);
        set(&mut self.parent_id, place, call.parent_id);
        set(&mut self.stack_id, place, call.stack_id);
        set(&mut self.aux, place, call.aux);
        set(&mut self.calls, place, call.calls);
        set(&mut self.busy_s, place, call.busy_s);
    }
}
