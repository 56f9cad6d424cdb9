//! Facade: open logs, get tables, ask questions, dump, convert.
//!
//! What a terminal, Python or a page in a browser shows comes from here and from the
//! crates above; it knows none of them.

#[cfg(not(target_family = "wasm"))]
pub mod capture;
pub mod context;
pub mod convert;
pub mod diagnose;
pub mod diff;
pub mod explain;
pub mod info;
pub mod input;
pub mod merge;
mod open;
mod session;
mod threads;
pub mod views;

#[cfg(not(target_family = "wasm"))]
pub use diya_calibrate as calibrate;
pub use diya_checks::arrow_value;
pub use diya_dump as dump;
pub use diya_model as model;
pub use diya_query::{CancelToken, Limits, QueryError, Rows, function_names};
pub use diya_read::{ReadError, Selection, TableSet, Within};
pub use diya_report as report;
pub use diya_tables::{BatchSource, ColumnDef, Kind, NullWhen, TableDef, TableId, Tables};
pub use open::{
    OpenError, OpenOptions, Outside, Progress, Refused, Stage, Together, Trace, by_job, freeze,
    read_one, tables_named,
};
pub use session::{AskError, Session};
pub use threads::Threads;

/// Version of diya.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The table with this name.
///
/// ```
/// assert_eq!(diya::table_named("posix"), Some(diya::TableId::Posix));
/// assert_eq!(diya::table_named("poxis"), None);
/// ```
pub fn table_named(name: &str) -> Option<TableId> {
    TableId::from_name(name)
}

/// All metric tables: name, and what it holds.
pub fn metrics() -> impl Iterator<Item = (&'static str, &'static str)> {
    diya_metrics::Catalog::built_in().metrics().map(|metric| (metric.def.name, metric.def.doc))
}

/// The metric table with this name.
///
/// ```
/// assert_eq!(diya::metric_named("job_io").map(|def| def.name), Some("job_io"));
/// ```
pub fn metric_named(name: &str) -> Option<&'static TableDef> {
    diya_metrics::Catalog::built_in().get(name).map(|metric| metric.def)
}

/// Is this the name of a metric table?
pub fn is_metric(name: &str) -> bool {
    diya_metrics::Catalog::built_in().get(name).is_some()
}

/// Tables that have to be read for an answer from this one: what was lost is
/// known only when everything was looked at.
pub fn needed_for(table: TableId) -> TableSet {
    if table == TableId::ReadIssue { TableSet::ALL } else { TableSet::NONE.with(table) }
}
