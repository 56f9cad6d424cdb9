//! What can be wrong with a check, its settings, or its queries.

use diya_query::QueryError;

/// A check or its settings cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckError {
    /// A page is not as a check must be.
    #[error("{path}:{line}: {what}")]
    Page {
        /// File of the check.
        path: String,
        /// Line in it, from 1.
        line: usize,
        /// What is wrong, and what is expected.
        what: String,
    },
    /// A query of a check failed.
    #[error("{path}:{line}: {source}")]
    Query {
        /// File of the check.
        path: String,
        /// First line of the query, from 1.
        line: usize,
        /// What the engine says.
        source: QueryError,
    },
    /// A query of the engine's own failed: a table is missing.
    #[error("the logs cannot be analysed: {0}")]
    Tables(#[from] QueryError),
    /// The settings are wrong.
    #[error("{0}")]
    Config(String),
    /// A folder or file of checks cannot be read.
    #[error("{path}: {source}")]
    File {
        /// What was to be read.
        path: String,
        /// Why it was not.
        source: std::io::Error,
    },
}

impl CheckError {
    pub(crate) fn page(path: &str, line: usize, what: impl Into<String>) -> Self {
        Self::Page { path: path.to_owned(), line, what: what.into() }
    }
}
