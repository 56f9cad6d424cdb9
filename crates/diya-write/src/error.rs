//! Why tables cannot be written, and what of them a format has no place for.

/// The tables cannot be written as a log.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// There is no job of this number: nothing to write a log about.
    #[error("table job has no row for log {0}")]
    NoJob(i32),
    /// The compressor failed.
    #[error("the {part} part cannot be compressed: {source}")]
    Compress {
        /// Part of the log.
        part: &'static str,
        /// What the compressor says.
        source: std::io::Error,
    },
}

/// Something that the tables hold and the log does not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    /// Part of the log, as table `module` names it.
    pub part: &'static str,
    /// How many rows, bytes or names it concerns; `effect` says which.
    pub count: u64,
    /// What it means for readers of the log.
    pub effect: &'static str,
}

impl std::fmt::Display for Loss {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {} ({})", self.part, self.effect, self.count)
    }
}
