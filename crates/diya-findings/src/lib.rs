//! What is said about a log: the types behind the JSON of a report.
//!
//! A leaf crate. Checks make findings and reports show them, also in a browser
//! that has no SQL engine: what both speak of stands here, behind neither.

mod finding;
mod value;

pub use finding::{
    AccountRow, Action, Caller, CheckName, Evidence, Explained, Finding, LatePart, LateRank,
    MainFile, OtherLines, Recoverable, Severity, SourceLine, Threshold, Unknown,
};
pub use value::Value;
