//! Written by `cargo xtask generate` from `schema/functions` and `schema/read_issues.toml`.

mod functions;
mod issue_kind;
#[allow(missing_docs)] // the names are those of the functions
pub mod number;

pub(crate) use functions::FUNCTIONS;
pub use issue_kind::IssueKind;
