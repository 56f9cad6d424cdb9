//! One recorded call, and the moment at which it counts.

use crate::effect::{CREATE, TRUNCATE};
use crate::operation::Operation;
use diya_tables::Op;

/// Number of a library call of a stream.
pub type LibraryCall = u32;

/// One call, or a run of tiny calls.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// What it does.
    pub operation: Operation,
    /// Operation in the log.
    pub op: Op,
    /// Number of the stream.
    pub stream: u32,
    /// Number of the file.
    pub file: u32,
    /// Number of the function.
    pub function: u32,
    /// Where the request starts, bytes.
    pub offset: Option<u64>,
    /// Bytes that were moved.
    pub bytes: u64,
    /// Bytes that were asked for.
    pub requested: u64,
    /// A further number whose meaning the function gives.
    pub aux: Option<i64>,
    /// Calls to issue.
    pub calls: u64,
    /// Start, since the start of the job.
    pub start_s: f64,
    /// End, since the start of the job.
    pub end_s: f64,
    /// Time inside the calls.
    pub busy_s: f64,
    /// It failed because of what is there, or not there.
    pub has_failed: bool,
    /// The stream and the call of a library that it is part of.
    pub library: Option<(u32, LibraryCall)>,
    /// A transform makes it unnecessary; the computing before it stays.
    pub is_dropped: bool,
    /// A transform changed it: its time is not the recorded one.
    pub is_changed: bool,
}

impl Step {
    /// The moment at which it counts, for the order of calls of several ranks: as late as
    /// possible for what needs the work of others, as early as possible for what others need,
    /// and for what found that something is not there yet.
    pub fn at_s(&self) -> f64 {
        let needs_others = match self.operation {
            _ if self.has_failed => false,
            Operation::Read | Operation::StreamRead => !self.is_short(),
            Operation::Open => self.aux.is_some_and(|flags| flags & (CREATE | TRUNCATE) == 0),
            Operation::Stat
            | Operation::Lstat
            | Operation::Fstat
            | Operation::Access
            | Operation::OpenDir => true,
            _ => false,
        };
        if needs_others { self.end_s } else { self.start_s }
    }

    /// It read less than it asked for: the file was not longer then.
    pub fn is_short(&self) -> bool {
        self.operation.is_read() && self.bytes < self.requested
    }
}
