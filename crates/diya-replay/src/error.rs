//! Why a replay is not possible.

use diya::OpenError;
use std::path::PathBuf;

/// A log cannot be replayed, or the folder cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// The log cannot be read.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The log has counters, but no single calls.
    #[error(
        "{0}: has no calls with offsets and times, only counters; a replay needs a recording of \
         `diya run`, a Darshan log with DXT, or a trace (`diya report` works with this log)"
    )]
    NoCalls(String),
    /// The log has calls, but none that can be issued again.
    #[error(
        "{log}: none of the {calls} calls can be issued again: they are calls of libraries, or on \
         pipes and system files; `diya calls {log}` lists them"
    )]
    NothingToIssue {
        /// Name of the log.
        log: String,
        /// Calls in it.
        calls: u64,
    },
    /// More ranks at a time than threads.
    #[error(
        "{needed} ranks or threads make calls at the same time, a replay has at most {most} on a \
         node; choose some of them (--ranks 0-{last}), or {nodes} nodes: --script slurm writes \
         the batch file, --model only estimates", last = most - 1
    )]
    TooManyRanks {
        /// Streams of calls at the same time.
        needed: usize,
        /// Threads of a replay on one node.
        most: usize,
        /// Nodes that suffice.
        nodes: usize,
    },
    /// The folder for the files.
    #[error("{}: {reason}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What is wrong, and the way out.
        reason: String,
    },
    /// Not enough space.
    #[error(
        "{}: {needed} needed, {free} free; choose another folder, or some ranks or files \
         (--ranks, --path)", path.display()
    )]
    Space {
        /// The folder.
        path: PathBuf,
        /// Bytes of the files at their largest, as text.
        needed: String,
        /// Bytes that are free, as text.
        free: String,
    },
    /// A file cannot be prepared, or a call fails for want of space or by a fault of the device.
    #[error("{path}: {error}; the files of the replay are removed")]
    Io {
        /// Path as in the log.
        path: String,
        /// What went wrong.
        error: std::io::Error,
    },
    /// Another node of the replay cannot be reached, or has ended.
    #[error("node {node} of the replay: {reason}")]
    Node {
        /// Its number.
        node: u32,
        /// What is wrong, and the way out.
        reason: String,
    },
    /// The log of a replay cannot be made.
    #[error("the log of the replay cannot be made: {0}; without --record, the replay works")]
    Record(String),
    /// A wrong transform.
    #[error("{0}")]
    Transform(String),
}
