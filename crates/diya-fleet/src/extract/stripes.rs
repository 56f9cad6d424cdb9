//! How a file is striped on Lustre.

use std::collections::BTreeSet;

/// A component of the layout of a file.
#[derive(Debug, Clone, Default)]
pub struct Component {
    pub number: i32,
    pub stripe_count: Option<i64>,
    pub stripe_bytes: Option<i64>,
    /// First offset that it covers.
    pub from: i64,
    pub targets: Vec<i64>,
}

/// The layout of a file as far as the job used it.
#[derive(Debug, Default, Clone)]
pub struct Layout {
    pub stripe_count: Option<i64>,
    pub stripe_bytes: Option<i64>,
    pub targets: BTreeSet<i64>,
}

impl Layout {
    /// The target that holds all of the file.
    pub fn only_target(&self) -> Option<i64> {
        self.targets.first().copied().filter(|_| self.targets.len() == 1)
    }
}
