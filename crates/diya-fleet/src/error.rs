//! What can stop a command over a dataset. A log never does.

use std::path::PathBuf;

/// Why a command over a dataset ended.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FleetError {
    /// A file of the dataset cannot be read or written.
    #[error("{path}: {source}; what was committed before is complete, run the command again")]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A Parquet file of the dataset is damaged.
    #[error("{path}: {reason}; delete the file and ingest its logs again")]
    Parquet {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// Another process writes into it.
    #[error("{0}: another process writes into the dataset; wait until it has ended")]
    Busy(PathBuf),
    /// It was written with another key or profile.
    #[error("{path}: the dataset is {is}, these logs would be {wanted}; use another dataset")]
    OtherNames {
        /// The dataset.
        path: PathBuf,
        /// What it is.
        is: &'static str,
        /// What was asked for.
        wanted: &'static str,
    },
    /// The folder holds something else.
    #[error(
        "{0}: is no dataset of `diya fleet ingest`; \
         `diya fleet ingest LOGS -o DATASET` makes one in a new or an empty folder"
    )]
    NoDataset(PathBuf),
    /// A name of a system that cannot be a folder.
    #[error("{0}: is no name of a system; use letters, digits, - _ and .")]
    System(String),
    /// A path that was named is not there.
    #[error("{path}: {source}")]
    Input {
        /// What was named.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Another engine would read rows that no longer count.
    #[error(
        "{0}: logs that were there twice, or have changed, have rows that no longer count, \
         and a cluster reads all rows; run `diya fleet compact {path}` first", path = .0.display()
    )]
    NotCompact(PathBuf),
    /// The checks cannot be used.
    #[error(transparent)]
    Checks(#[from] diya::diagnose::CheckSetError),
}

impl FleetError {
    /// For `map_err` on work with a file.
    pub(crate) fn file(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |source| Self::File { path, source }
    }

    /// For `map_err` on work with a Parquet file. A full disk is an error of the file, not of its content.
    pub(crate) fn parquet<E: std::error::Error + 'static>(
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(E) -> Self {
        let path = path.into();
        move |error| {
            let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(&error);
            while let Some(inner) = cause {
                if let Some(io) = inner.downcast_ref::<std::io::Error>() {
                    let source = std::io::Error::new(io.kind(), io.to_string());
                    return Self::File { path, source };
                }
                cause = inner.source();
            }
            Self::Parquet { path, reason: error.to_string() }
        }
    }
}
