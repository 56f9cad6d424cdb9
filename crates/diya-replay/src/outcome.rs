//! What requests did, and how the time between them passes.

use rustix::io::Errno;

/// What becomes of the time between the requests of a rank.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Gaps {
    /// As in the recording, multiplied by this.
    Times(f64),
    /// None.
    Drop,
}

/// What a request did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Outcome {
    /// Start, since the start of the replay.
    pub start_ns: u64,
    /// End, since the start of the replay.
    pub end_ns: u64,
    /// Bytes that were moved.
    pub bytes: u64,
    /// Name of its error, if it failed.
    pub error: Option<&'static str>,
    /// It was issued.
    pub is_done: bool,
}

/// What a replay did.
#[derive(Debug, Default)]
pub struct Outcomes {
    /// By lane and request, as in the plan.
    pub lanes: Vec<Vec<Outcome>>,
    /// From the start of the first request to the end of the last.
    pub elapsed_s: f64,
}

/// Errors that calls of a replay have. The last name stands for all others.
pub(crate) const ERRORS: [(Errno, &str); 18] = [
    (Errno::NOENT, "ENOENT"),
    (Errno::EXIST, "EEXIST"),
    (Errno::NOTDIR, "ENOTDIR"),
    (Errno::ISDIR, "EISDIR"),
    (Errno::NOTEMPTY, "ENOTEMPTY"),
    (Errno::BADF, "EBADF"),
    (Errno::INVAL, "EINVAL"),
    (Errno::NOSPC, "ENOSPC"),
    (Errno::DQUOT, "EDQUOT"),
    (Errno::MFILE, "EMFILE"),
    (Errno::ACCESS, "EACCES"),
    (Errno::PERM, "EPERM"),
    (Errno::FBIG, "EFBIG"),
    (Errno::LOOP, "ELOOP"),
    (Errno::NAMETOOLONG, "ENAMETOOLONG"),
    (Errno::OPNOTSUPP, "EOPNOTSUPP"),
    (Errno::IO, "EIO"),
    (Errno::NOTRECOVERABLE, "unknown"),
];

/// Name of an error.
pub(crate) fn name_of(error: Errno) -> &'static str {
    ERRORS.iter().find(|(known, _)| *known == error).map_or("unknown", |(_, name)| name)
}
