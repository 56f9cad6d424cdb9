//! A report: what is said about the logs of one job, ready to be shown.
//!
//! [`Report`] is the JSON that programs read; everything that a person reads
//! is made of it and of nothing else, so no number is shown that the JSON
//! lacks. No analysis happens here, and no file is opened: a browser without
//! the SQL engine can use this crate.

mod report;

pub use diya_findings::{
    Action, CheckName, Evidence, Finding, Severity, Threshold, Unknown, Value,
};
pub use report::{
    Confidence, Job, MetricColumn, MetricTable, Problem, Recoverable, Report, SCHEMA_VERSION,
    Verdict,
};
