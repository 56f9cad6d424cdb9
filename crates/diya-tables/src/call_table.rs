//! Table `call`: what is constant over a stretch is kept once per stretch.
//!
//! A trace of ten million calls holds few (layer, op, file, rank, host)
//! combinations in a row, but four different numbers per call. Calls lie in
//! chunks of [`CALLS_PER_CHUNK`], so that a table never has to be moved to
//! grow, and every chunk is one Arrow batch. See docs/decisions/0002.

use crate::runs::{spread, spread_text};
use crate::source::{BatchSource, projected};
use crate::{TableDef, TableId, call};
use arrow_array::types::{Int32Type, UInt64Type};
use arrow_array::{
    ArrayRef, Float64Array, Int64Array, RecordBatch, RecordBatchOptions, UInt64Array,
    new_null_array,
};
use arrow_buffer::{BooleanBuffer, NullBuffer, ScalarBuffer};
use arrow_schema::SchemaRef;
use std::sync::Arc;

/// Calls in a full chunk: 2 MiB of numbers, which fits a second-level cache.
pub const CALLS_PER_CHUNK: usize = 65_536;

/// Software layer a call was made in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)] // the names say it
pub enum Layer {
    Posix,
    Mpiio,
    Stdio,
    Hdf5File,
    Hdf5Dataset,
    PnetcdfFile,
    PnetcdfVar,
    Dfs,
    Daos,
}

impl Layer {
    /// Name of the layer: that of its counter table.
    pub fn name(self) -> &'static str {
        match self {
            Self::Posix => "posix",
            Self::Mpiio => "mpiio",
            Self::Stdio => "stdio",
            Self::Hdf5File => "hdf5_file",
            Self::Hdf5Dataset => "hdf5_dataset",
            Self::PnetcdfFile => "pnetcdf_file",
            Self::PnetcdfVar => "pnetcdf_var",
            Self::Dfs => "dfs",
            Self::Daos => "daos",
        }
    }
}

/// What a call did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)] // the names say it
pub enum Op {
    Read,
    Write,
}

impl Op {
    /// Name of the operation.
    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
        }
    }
}

/// A host name in a [`CallTable`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct HostId(u32);

/// What the calls of a stretch have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)] // as the columns of table `call`
pub struct CallRun {
    /// Calls in the stretch.
    pub len: usize,
    pub log: i32,
    pub layer: Layer,
    pub op: Op,
    pub file_id: u64,
    pub rank: i32,
    pub host: Option<HostId>,
    /// False: the offsets were not recorded.
    pub has_offset: bool,
}

/// A stretch of calls: the numbers of each call, and what they share as runs.
#[derive(Debug, Default)]
#[allow(missing_docs)] // as the columns of table `call`
pub struct CallChunk {
    pub runs: Vec<CallRun>,
    pub offset_bytes: Vec<i64>,
    pub size_bytes: Vec<i64>,
    pub start_s: Vec<f64>,
    pub end_s: Vec<f64>,
    /// One per call, or empty when no call of the chunk has one.
    pub thread: Vec<u64>,
    /// Calls at the start of `thread` and on that have none, as `(from, to)`.
    threadless: Vec<(usize, usize)>,
}

impl CallChunk {
    /// Calls in the chunk.
    pub fn len(&self) -> usize {
        self.size_bytes.len()
    }

    /// No calls.
    pub fn is_empty(&self) -> bool {
        self.size_bytes.is_empty()
    }

    /// Thread of a call, when it was recorded.
    pub fn thread_of(&self, call: usize) -> Option<u64> {
        let is_known = !self.threadless.iter().any(|&(from, to)| (from..to).contains(&call));
        self.thread.get(call).copied().filter(|_| is_known)
    }
}

/// Table `call` under construction.
#[derive(Debug, Default)]
pub struct CallTable {
    chunks: Vec<CallChunk>,
    hosts: Vec<String>,
    rows: usize,
}

impl CallTable {
    /// Calls in all chunks.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The calls, in order.
    pub fn chunks(&self) -> &[CallChunk] {
        &self.chunks
    }

    /// Name behind a host id of this table.
    pub fn host(&self, id: HostId) -> &str {
        self.hosts.get(id.0 as usize).map_or("", String::as_str)
    }

    /// Id of a host name; the table keeps each name once.
    pub fn host_id(&mut self, name: &str) -> HostId {
        // Records of a rank come one after the other, so the last name is the
        // likely one; a job has few nodes compared with its records.
        let known = self.hosts.iter().rposition(|host| host == name);
        let index = known.unwrap_or_else(|| {
            self.hosts.push(name.to_string());
            self.hosts.len() - 1
        });
        HostId(u32::try_from(index).unwrap_or(u32::MAX))
    }

    /// Starts, or continues, a stretch and gives the chunk to append to.
    ///
    /// Returns the room left in the chunk (at least one call). The caller
    /// appends `n <= room` values to each number column and then says so with
    /// [`Self::commit`]. `run.len` is ignored.
    pub fn open(&mut self, run: CallRun) -> (&mut CallChunk, usize) {
        let is_full = self.chunks.last().is_none_or(|c| c.len() >= CALLS_PER_CHUNK);
        if is_full {
            // Only a trace that has filled a chunk deserves room for one more.
            let room = if self.chunks.is_empty() { 0 } else { CALLS_PER_CHUNK };
            self.chunks.push(CallChunk {
                offset_bytes: Vec::with_capacity(room),
                size_bytes: Vec::with_capacity(room),
                start_s: Vec::with_capacity(room),
                end_s: Vec::with_capacity(room),
                ..CallChunk::default()
            });
        }
        let last = self.chunks.len() - 1;
        let chunk = &mut self.chunks[last];
        let run = CallRun { len: 0, ..run };
        if chunk.runs.last().is_none_or(|r| CallRun { len: 0, ..*r } != run) {
            chunk.runs.push(run);
        }
        let room = CALLS_PER_CHUNK - chunk.len();
        (chunk, room)
    }

    /// Counts `calls` that were appended to the chunk that [`Self::open`] gave.
    pub fn commit(&mut self, calls: usize) {
        self.rows += calls;
        let Some(chunk) = self.chunks.last_mut() else { return };
        if let Some(run) = chunk.runs.last_mut() {
            run.len += calls;
        }
        let (known, all) = (chunk.thread.len(), chunk.len());
        if known > 0 && known < all {
            chunk.thread.resize(all, 0);
            chunk.threadless.push((known, all));
        }
    }

    /// Makes room for thread ids of calls about to be appended to the open
    /// chunk: earlier calls of it have none.
    pub fn with_threads(chunk: &mut CallChunk) {
        let before = chunk.len();
        if chunk.thread.is_empty() && before > 0 {
            chunk.thread.resize(before, 0);
            chunk.threadless.push((0, before));
        }
    }

    /// Appends all calls of another table, after those of this one.
    pub fn append(&mut self, other: Self) {
        let Self { mut chunks, hosts, rows } = other;
        let ids: Vec<HostId> = hosts.iter().map(|name| self.host_id(name)).collect();
        for run in chunks.iter_mut().flat_map(|c| &mut c.runs) {
            run.host = run.host.and_then(|id| ids.get(id.0 as usize).copied());
        }
        self.chunks.append(&mut chunks);
        self.rows += rows;
    }

    /// The finished table; the numbers are handed over uncopied.
    pub fn finish(self) -> FrozenCalls {
        let hosts = self.hosts;
        let chunks =
            self.chunks.into_iter().filter(|c| !c.is_empty()).map(FrozenChunk::new).collect();
        FrozenCalls { schema: TableId::Call.def().arrow_schema(), chunks, hosts, rows: self.rows }
    }
}

#[derive(Debug)]
struct FrozenChunk {
    runs: Vec<CallRun>,
    offset_bytes: Int64Array,
    size_bytes: ArrayRef,
    start_s: ArrayRef,
    end_s: ArrayRef,
    thread: Option<ArrayRef>,
}

impl FrozenChunk {
    fn new(chunk: CallChunk) -> Self {
        let len = chunk.len();
        let has_all_offsets = chunk.runs.iter().all(|run| run.has_offset);
        let offset_nulls = (!has_all_offsets).then(|| {
            let known =
                chunk.runs.iter().flat_map(|run| std::iter::repeat_n(run.has_offset, run.len));
            NullBuffer::from(known.collect::<Vec<bool>>())
        });
        let thread_nulls = (!chunk.threadless.is_empty()).then(|| {
            let mut known = vec![true; len];
            for &(from, to) in &chunk.threadless {
                known[from..to].fill(false);
            }
            NullBuffer::new(BooleanBuffer::from(known))
        });
        let thread = (!chunk.thread.is_empty()).then(|| {
            Arc::new(UInt64Array::new(ScalarBuffer::from(chunk.thread), thread_nulls)) as ArrayRef
        });
        Self {
            runs: chunk.runs,
            offset_bytes: Int64Array::new(ScalarBuffer::from(chunk.offset_bytes), offset_nulls),
            size_bytes: Arc::new(Int64Array::from(chunk.size_bytes)),
            start_s: Arc::new(Float64Array::from(chunk.start_s)),
            end_s: Arc::new(Float64Array::from(chunk.end_s)),
            thread,
        }
    }
}

/// Table `call`, finished.
#[derive(Debug)]
pub struct FrozenCalls {
    schema: SchemaRef,
    chunks: Vec<FrozenChunk>,
    hosts: Vec<String>,
    rows: usize,
}

impl FrozenCalls {
    fn column(&self, chunk: &FrozenChunk, column: usize) -> ArrayRef {
        let rows = chunk.size_bytes.len();
        let runs = chunk.runs.iter();
        match column {
            call::LOG => spread::<Int32Type>(rows, runs.map(|r| (r.len, r.log))),
            call::LAYER => spread_text(rows, runs.map(|r| (r.len, Some(r.layer.name())))),
            call::OP => spread_text(rows, runs.map(|r| (r.len, Some(r.op.name())))),
            call::FILE_ID => spread::<UInt64Type>(rows, runs.map(|r| (r.len, r.file_id))),
            call::RANK => spread::<Int32Type>(rows, runs.map(|r| (r.len, r.rank))),
            call::HOST => {
                let name = |id: HostId| self.hosts.get(id.0 as usize).map(String::as_str);
                spread_text(rows, runs.map(|r| (r.len, r.host.and_then(name))))
            }
            call::THREAD => chunk
                .thread
                .clone()
                .unwrap_or_else(|| new_null_array(&arrow_schema::DataType::UInt64, rows)),
            call::OFFSET_BYTES => Arc::new(chunk.offset_bytes.clone()),
            call::SIZE_BYTES => chunk.size_bytes.clone(),
            call::START_S => chunk.start_s.clone(),
            _ => chunk.end_s.clone(),
        }
    }
}

impl BatchSource for FrozenCalls {
    fn def(&self) -> &'static TableDef {
        TableId::Call.def()
    }

    fn rows(&self) -> usize {
        self.rows
    }

    fn pieces(&self) -> usize {
        self.chunks.len()
    }

    fn piece(&self, piece: usize, columns: &[usize]) -> RecordBatch {
        let chunk = &self.chunks[piece];
        let arrays = columns.iter().map(|&c| self.column(chunk, c)).collect();
        let options = RecordBatchOptions::new().with_row_count(Some(chunk.size_bytes.len()));
        RecordBatch::try_new_with_options(projected(&self.schema, columns), arrays, &options)
            .expect("columns follow the definition")
    }
}
