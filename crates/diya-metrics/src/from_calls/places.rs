//! Which regions, step and epoch a moment of a thread is in.

use super::region_io::{Key, Regions, around, regions};
use diya_tables::BatchSource;
use std::sync::Arc;

/// The regions of logs, to be asked call by call.
#[derive(Debug)]
pub struct Places(Regions);

/// A region, step or epoch; those with the same words are one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Named<'p> {
    /// A region of this name.
    Region(&'p str),
    /// A step with this number.
    Step(i64),
    /// An epoch with this number.
    Epoch(i64),
}

impl Places {
    /// Reads table `region`.
    pub fn of(tables: &[Arc<dyn BatchSource>]) -> Self {
        Self(regions(tables))
    }

    /// Whether there are no regions.
    pub fn is_empty(&self) -> bool {
        self.0.keys.is_empty()
    }

    /// Numbers of the regions around a moment: of the thread, innermost first, then of the
    /// process.
    pub fn around(&self, (log, rank): (i32, i32), thread: Option<u64>, time_s: f64) -> Vec<usize> {
        let mut numbers = Vec::new();
        let spans_of = |thread| self.0.spans_of.get(&(log, rank, thread));
        for spans in
            [thread.and_then(|id| spans_of(Some(id))), spans_of(None)].into_iter().flatten()
        {
            around(spans, time_s, |number| numbers.push(number));
        }
        numbers
    }

    /// What a number stands for.
    pub fn named(&self, number: usize) -> Option<Named<'_>> {
        let Key { category, name, number, .. } = self.0.keys.get(number)?;
        Some(match (category.as_deref(), number) {
            (Some("step"), Some(step)) => Named::Step(*step),
            (Some("epoch"), Some(epoch)) => Named::Epoch(*epoch),
            _ => Named::Region(name),
        })
    }
}
