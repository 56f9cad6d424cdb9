//! A call on its way into the columns, and what it has in common with others.

use crate::Kind;

/// What the calls of a shared have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SharedFields {
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
    /// Number of the place in the program.
    pub place: Option<u32>,
    /// Id of the thread.
    pub thread: Option<u64>,
    /// Calls in the row and nanoseconds in them, when several.
    pub bundle: Option<(u64, u64)>,
}

/// What makes a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StreamKey {
    /// Number of the track.
    pub track: u32,
    /// Number of the layer.
    pub layer: u8,
    /// What the calls do.
    pub kind: Kind,
}

impl SharedFields {
    /// The stream that its calls are in.
    pub fn key(&self) -> StreamKey {
        StreamKey { track: self.track, layer: self.layer, kind: self.kind }
    }
}
