//! Written by `cargo xtask generate` from `schema/functions`, `schema/messages.toml`,
//! `schema/read_issues.toml` and `schema/segment.toml`.

mod functions;
mod issue_kind;
mod messages;
#[allow(missing_docs)] // the names are those of the functions
pub mod number;
#[allow(missing_docs)] // the names say it
pub mod segment;
mod system_calls;

pub(crate) use functions::FUNCTIONS;
pub use issue_kind::IssueKind;
pub(crate) use messages::MESSAGES;
pub(crate) use system_calls::SYSTEM_CALLS;
