//! The check engine: checks are data, and this crate knows none by name.
//!
//! A check is one Markdown page ([`Check::parse`]) with two queries: which
//! subjects it applies to, and which of them offend. [`decide`] asks both once
//! for all logs and gives each log one of four verdicts per check: finding,
//! pass, not applicable, unknown. Findings are ranked by the seconds at stake.
//!
//! Why pages and not code: a check then is its own documentation, holds its
//! own test cases, and a facility can bring one that cannot run code.

mod account;
mod actions;
pub mod arrow_value;
mod block;
mod case;
mod check;
mod class;
mod combined_gain;
mod config;
mod damage;
mod decide;
mod error;
mod finding;
mod gap;
mod header;
mod library;
mod limits;
mod lint;
mod no_rows;
mod order;
mod overlap;
mod page;
mod paragraphs;
mod process_names;
mod retract;
mod rows;
mod sentence;
mod shown;
mod steps;
pub mod trial;
mod violation;

pub use actions::Remedy;
pub use block::Block;
pub use case::{Case, Expect, TextTable};
pub use check::Check;
pub use combined_gain::METRICS_NEEDED;
pub use config::{Config, renamed};
pub use decide::{decide, tables_needed};
pub use diya_findings::{
    AccountRow, Action, Advice, CheckName, Condition, Evidence, Explained, Finding, Paragraph,
    Paragraphs, Recoverable, Severity, Threshold, Unknown, Value,
};
pub use error::CheckError;
pub use finding::{LogVerdicts, Verdicts};
pub use header::{Audience, Number, OnPart, Param, Stage, Status};
pub use library::{builtin, from_folder};
pub use process_names::Names as ProcessNames;
pub use steps::ExplainedFinding;
