//! A report: what is said about the logs of one job, ready to be shown.
//!
//! [`Report`] is the JSON that programs read; everything that a person reads
//! is made of it and of nothing else, so no number is shown that the JSON
//! lacks. No analysis happens here, and no file is opened: a browser without
//! the SQL engine can use this crate.

pub mod comparison;
mod comparison_markdown;
mod csv;
mod escape;
mod fitting;
mod json;
mod markdown;
mod numbers;
mod printable;
mod report;
mod sarif;
mod terminal;
mod text_table;

pub use comparison_markdown::write_comparison_markdown;
pub use csv::write_csv;
pub use diya_findings::{
    AccountRow, Action, Caller, CheckName, Evidence, Explained, Finding, LatePart, LateRank,
    MainFile, OtherLines, Recoverable, Seconds, Severity, SourceLine, Threshold, Unknown, Value,
};
pub use diya_model::about_s;
pub use escape::{html_text, markdown};
pub use fitting::{called, fitting_actions};
pub use json::{write_comparison_json, write_json, write_json_array};
pub use markdown::{write_brief_markdown, write_markdown};
pub use numbers::{counted, late_place, parameter_text, range_s, saves};
pub use printable::{hidden_as_escape, printable};
pub use report::{
    Confidence, Job, Leader, Messages, MetricColumn, MetricTable, Problem, RankDoes, RankTurn,
    RankWait, Report, SCHEMA_VERSION, Started, StartedProgram, TimePart, Verdict, VerdictKind,
    Waited,
};
pub use sarif::write_sarif;
pub use terminal::{Detail, TextOptions, write_comparison_text, write_markdown_text, write_text};
pub use text_table::{NO_VALUE, TextCell, TextColumn, TextTable, shortened, width};
