//! Many logs as one dataset: Parquet files that any SQL engine reads.
//!
//! `schema/fleet/*.toml` says what the tables are. Why they are laid out like this,
//! and how a dataset is written: docs/decisions/0032.

#[rustfmt::skip]
#[allow(missing_docs)] // the definitions say what each column holds
mod generated;

pub use generated::*;
