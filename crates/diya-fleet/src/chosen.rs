//! The rows that a filter leaves.

use std::collections::HashSet;

/// Identities of the rows that count, of each kind of table.
#[derive(Debug)]
pub struct Chosen {
    /// `log_hash` of the tables of logs.
    pub logs: HashSet<i64>,
    /// `row_hash` of `account`.
    pub accounts: HashSet<i64>,
}
