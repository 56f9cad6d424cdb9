//! Why there are no settings to show.

use diya::AskError;

/// Settings could not be chosen.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TuneError {
    /// The log could not be read, or a table not be computed.
    #[error(transparent)]
    Ask(#[from] AskError),
    /// A table could not be given to the SQL engine.
    #[error(transparent)]
    Query(#[from] diya_query::QueryError),
    /// A file below `tuning/` is not as it should be.
    #[error("tuning/{id}.toml: {what}")]
    Setting {
        /// Its folder and name.
        id: String,
        /// What is wrong.
        what: String,
    },
    /// The plan cannot be written as TOML.
    #[error("the plan cannot be written as TOML: {0}")]
    Toml(#[from] toml::ser::Error),
}

impl TuneError {
    /// A fault of the file of a setting.
    pub(crate) fn setting(id: &str, what: impl Into<String>) -> Self {
        Self::Setting { id: id.to_owned(), what: what.into() }
    }
}
