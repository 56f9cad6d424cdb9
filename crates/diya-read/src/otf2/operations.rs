//! Operations that have begun and not ended.

use super::done::Done;
use std::collections::BTreeMap;

/// An operation that has begun.
#[derive(Debug, Clone, Copy)]
pub(super) struct Operation<'p> {
    pub done: Done<'p>,
    pub thread: u64,
    /// The function in which it began, if that is its call.
    pub frame: Option<u64>,
    pub begin_ns: i64,
    /// When its function was entered, or else when it began.
    pub start_ns: i64,
    /// When its function was left.
    pub left_ns: Option<i64>,
    /// It moves the position of the open file when it ends.
    pub moves_position: bool,
}

/// Thread (`None`: it may end in another one), handle, number.
pub(super) type Key = (Option<u64>, u32, u64);

/// Operations of a process.
#[derive(Debug, Default)]
pub(super) struct Operations<'p> {
    begun: BTreeMap<Key, Operation<'p>>,
}

impl<'p> Operations<'p> {
    /// Adds one; gives back one of the same key that never ended.
    pub fn begin(&mut self, key: Key, operation: Operation<'p>) -> Option<Operation<'p>> {
        self.begun.insert(key, operation)
    }

    /// Takes out the one that ends in this thread.
    pub fn end(&mut self, handle: u32, id: u64, thread: u64) -> Option<Operation<'p>> {
        let keys = [(Some(thread), handle, id), (None, handle, id)];
        keys.into_iter().find_map(|key| self.begun.remove(&key))
    }

    /// A function is left: says whether an operation that began in it goes on.
    pub fn left(&mut self, key: Key, frame: u64, ns: i64) -> bool {
        let operation = self.begun.get_mut(&key);
        let Some(operation) = operation.filter(|operation| operation.frame == Some(frame)) else {
            return false;
        };
        operation.left_ns = Some(ns);
        true
    }

    /// Takes out those that never ended.
    pub fn rest(&mut self) -> Vec<Operation<'p>> {
        std::mem::take(&mut self.begun).into_values().collect()
    }
}
