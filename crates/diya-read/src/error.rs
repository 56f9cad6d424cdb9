//! Why bytes are refused as a whole; everything less is a row of `read_issue`.

use crate::SourceError;

/// The bytes are not a log that can be read. Names the place and the way out.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// No bytes at all.
    #[error(
        "the file is empty; expected a Darshan log (.darshan, or .darshan.gz of 1.x and 2.x) or a trace (.diya)"
    )]
    Empty,
    /// A file of another kind: no reader takes it.
    #[error(
        "not a log that diya reads: by its first bytes (at byte 0) the file is {kind}{way_out}; \
         expected a log of Darshan, a .diya file, a trace of strace, DFTracer, Chrome, TMIO or darshan-parser, or the \
         directory of a trace of Recorder or OTF2"
    )]
    Foreign {
        /// What the file is.
        kind: String,
        /// What can be done, behind a semicolon; empty: nothing is known.
        way_out: String,
    },
    /// The version text of a Darshan log, but no magic number.
    #[error("not a Darshan log: {found} at byte {byte_offset}; expected {expected}")]
    NotALog {
        /// Where the bytes stop making sense.
        byte_offset: u64,
        /// What is there.
        found: String,
        /// What should be there.
        expected: &'static str,
    },
    /// A Darshan log cut before its tables start.
    #[error(
        "the Darshan log ends at byte {len} inside its header of {header_bytes} bytes: \
         nothing can be read; copy the file again"
    )]
    HeaderCut {
        /// Bytes there are.
        len: u64,
        /// Bytes the header has.
        header_bytes: u64,
    },
    /// A Darshan log of a version whose layout is not known.
    #[error(
        "Darshan log version {found:?} at byte 0 is not known (known: 1.x, 2.x, {known}); \
         a newer diya may read it"
    )]
    UnknownVersion {
        /// Version text of the log.
        found: String,
        /// Versions of the 3.x family that can be read.
        known: &'static str,
    },
    /// A file of diya cut inside its first bytes.
    #[error("the diya file ends at byte {len}, inside its header of 16 bytes; nothing can be read")]
    DiyaHeadCut {
        /// Bytes there are.
        len: u64,
    },
    /// A file of diya of a version whose layout is not known.
    #[error("version {found} of the diya file is unknown (known: {known}); use a newer diya")]
    NewerDiya {
        /// Version of the file.
        found: u16,
        /// Newest version that can be read.
        known: u16,
    },
    /// A text of strace that has no times.
    #[error(
        "the text of strace has {lines} lines, but no times; record it with \
         `strace -f -ttt -T -y -o FILE`"
    )]
    NoTimes {
        /// Lines that would have one.
        lines: u64,
    },
    /// The table of `strace -c`, without calls.
    #[error(
        "the text is the summary of `strace -c`: it counts {kinds} kinds of system calls, but has no single \
         one; record it without -c: `strace -f -ttt -T -y -o FILE` (with -C in addition for \
         the summary, too)"
    )]
    StraceSummary {
        /// Rows of the table.
        kinds: u64,
    },
    /// A trace of Recorder whose files cannot be read.
    #[error(
        "the trace of Recorder cannot be read: {file} at byte {byte_offset}: {found}; versions 2.2 to 2.5 \
         and 3.0 can be read: name the directory that holds recorder.mt and VERSION, or a tar file of it"
    )]
    Recorder {
        /// File of the trace.
        file: &'static str,
        /// Where it is in the tar file of the trace.
        byte_offset: u64,
        /// What is there.
        found: String,
    },
    /// An archive of OTF2 whose files cannot be read.
    #[error(
        "the OTF2 archive cannot be read: {file} at byte {byte_offset}: {found}; name the directory \
         that holds traces.otf2, traces.def and the folder traces, the file traces.otf2 in it, or a \
         tar file of it"
    )]
    Otf2 {
        /// File of the archive.
        file: String,
        /// Where it is in the tar file of the archive.
        byte_offset: u64,
        /// What is there.
        found: String,
    },
    /// A mapping that cannot be used.
    #[error("the mapping cannot be used: {reason}; docs/formats/mapping.md has an example")]
    Mapping {
        /// What is wrong, and where.
        reason: String,
    },
    /// The bytes could not be fetched.
    #[error(transparent)]
    Source(#[from] SourceError),
}

impl ReadError {
    /// Where in the log the bytes stop making sense; `None`: at no one place.
    pub fn byte_offset(&self) -> Option<u64> {
        match self {
            Self::NotALog { byte_offset, .. }
            | Self::Recorder { byte_offset, .. }
            | Self::Otf2 { byte_offset, .. } => Some(*byte_offset),
            Self::HeaderCut { len, .. } | Self::DiyaHeadCut { len } => Some(*len),
            Self::Empty | Self::Foreign { .. } | Self::UnknownVersion { .. } => Some(0),
            Self::Source(error) => Some(error.from),
            Self::NewerDiya { .. }
            | Self::NoTimes { .. }
            | Self::StraceSummary { .. }
            | Self::Mapping { .. } => None,
        }
    }
}
