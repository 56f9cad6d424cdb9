//! Settings that fix the findings of a job: hints, parameters, commands, as files.
//!
//! A setting is data: one TOML file below `tuning/`, with the findings that are its reasons
//! and the SQL that computes its value from the tables of the log. [`tune`] asks which of
//! them apply ([`choose`]); [`written`] makes the files. No setting has a value that is not
//! computed from the job, and none is proposed without a finding: docs/decisions/0038.

mod apply;
mod choose;
mod condition;
mod error;
mod finding_table;
mod ground;
mod library;
mod number;
mod path;
mod pattern;
mod plan;
mod rows;
mod template;
mod text;
pub mod trials;
mod write;

pub use apply::Injection;
pub use choose::{choose, tune};
pub use condition::{Condition, Harm};
pub use error::TuneError;
pub use library::{Apply, Effect, How, Library, OutputFile, Reason, Setting};
pub use plan::{Chosen, FileUse, LAYOUT_VERSION, OtherValue, Plan, SettingValue, Without};
pub use text::write_text;
pub use write::{PLAN_FILE, Written, written};
