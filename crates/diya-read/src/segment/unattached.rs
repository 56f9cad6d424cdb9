//! Forked children that could not make a segment: they had become another user, or left
//! for another root folder, before their first call. Their parent's header names them.

use diya_model::segment;

/// The named ones, and how many others there are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Unattached {
    /// Process id, and when it failed to make a segment, in ticks.
    pub children: Vec<(u32, u64)>,
    /// Further ones.
    pub others: u64,
}

impl Unattached {
    /// How many there are, and the first of them; older recorders left zeros there.
    pub(super) fn of(count: u64, named: &[segment::Unattached]) -> Self {
        let count_named = usize::try_from(count).unwrap_or(usize::MAX);
        // Process 0: the child was killed while it wrote this.
        let children: Vec<_> = named
            .iter()
            .take(count_named)
            .filter(|child| child.pid != 0)
            .map(|child| (child.pid, child.ticks))
            .collect();
        Self { others: count - children.len() as u64, children }
    }
}
