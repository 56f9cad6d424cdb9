//! Derived tables: what the base tables say when asked.
//!
//! One table is one file, `metrics/<layer>/<name>.sql` or `.toml`: a header that says
//! what the table, its rows and its columns are and which tables it needs,
//! and one SQL statement. Where SQL would be slow or clumsy (intervals in
//! time, extents in files) the header names a function of this crate instead.
//!
//! Tables go in and tables come out, so that checks and users name a metric
//! like any other table:
//!
//! ```
//! let catalog = diya_metrics::Catalog::built_in();
//! assert!(catalog.get("job_io").is_some());
//! // What has to be read from the logs for it:
//! assert!(catalog.base_tables(&["job_io"]).contains(&"posix"));
//! ```

mod catalog;
mod conform;
mod counter_track;
mod counts;
mod from_calls;
mod hash;
mod header;
mod headers;
mod installed;
mod lint;
mod model;
mod parts;
mod peers;
mod relay;
mod rows;
mod run;
mod union_parts;
mod work_kinds;

pub use catalog::{Catalog, Metric};
pub use from_calls::{Named, Places, is_fed};
pub use lint::lint;
pub use run::{Computed, Failed, compute};

/// Something is wrong with a metric.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MetricError {
    /// The file breaks the format or the rules of the SQL subset.
    #[error("{file}:{line}: {what}")]
    Format {
        /// Path of the file.
        file: String,
        /// Line, from 1.
        line: usize,
        /// What is wrong.
        what: String,
    },
    /// Two files define one table, or a base table has the name.
    #[error("{file}: there is a table {name} already")]
    Twice {
        /// Path of the second file.
        file: String,
        /// Name of the table.
        name: String,
    },
    /// A metric needs, in the end, itself.
    #[error("{0} needs itself, through other metrics")]
    Circle(String),
    /// The statement is wrong or failed.
    #[error(transparent)]
    Query(#[from] diya_query::QueryError),
    /// The result is not what the header promises.
    #[error("the result differs from the header: {0}")]
    Result(String),
    /// A metric that it needs could not be computed.
    #[error("it needs {metric}: {reason}")]
    Behind {
        /// The metric that failed.
        metric: String,
        /// Why that one did.
        reason: String,
    },
    /// Its computation panicked.
    #[error("it stopped in the middle, which is a fault of diya: {0}")]
    Stopped(String),
    /// A table that is needed is not there.
    #[error("table {0} is not there")]
    Missing(String),
}
