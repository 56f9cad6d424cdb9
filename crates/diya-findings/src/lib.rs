//! What is said about a log: the types behind the JSON of a report.
//!
//! A leaf crate. Checks make findings and reports show them, also in a browser
//! that has no SQL engine: what both speak of stands here, behind neither.

mod condition;
mod finding;
mod value;

pub use condition::{Advice, Condition, Paragraph, Paragraphs};
pub use finding::{
    AccountRow, Action, Caller, CheckName, Evidence, Explained, Finding, LatePart, LateRank,
    MainFile, OtherLines, Recoverable, Severity, SourceLine, Threshold, Unknown,
};
pub use value::{Seconds, Value};
