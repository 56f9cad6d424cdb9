//! Operations that have begun and not ended.

use super::done::Done;
use std::collections::{BTreeMap, HashMap};

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
type Key = (Option<u64>, u32, u64);

/// Operations of a process.
#[derive(Debug, Default)]
pub(super) struct Operations<'p> {
    begun: BTreeMap<Key, Operation<'p>>,
    /// The last operation of a function of a thread.
    of_frame: HashMap<(u64, u64), Key>,
}

impl<'p> Operations<'p> {
    /// Adds one; gives back one of the same number that never ended.
    pub fn begin(
        &mut self,
        handle: u32,
        id: u64,
        is_blocking: bool,
        operation: Operation<'p>,
    ) -> Option<Operation<'p>> {
        let key = (is_blocking.then_some(operation.thread), handle, id);
        if let Some(frame) = operation.frame {
            self.of_frame.insert((operation.thread, frame), key);
        }
        let before = self.begun.insert(key, operation)?;
        self.forget(&before, key);
        Some(before)
    }

    /// Takes out the one that ends in this thread.
    pub fn end(&mut self, handle: u32, id: u64, thread: u64) -> Option<Operation<'p>> {
        let keys = [(Some(thread), handle, id), (None, handle, id)];
        let (key, operation) =
            keys.into_iter().find_map(|key| Some((key, self.begun.remove(&key)?)))?;
        self.forget(&operation, key);
        Some(operation)
    }

    fn forget(&mut self, operation: &Operation<'p>, key: Key) {
        if let Some(frame) = operation.frame
            && self.of_frame.get(&(operation.thread, frame)) == Some(&key)
        {
            self.of_frame.remove(&(operation.thread, frame));
        }
    }

    /// A function is left: says whether its operation goes on.
    pub fn left(&mut self, thread: u64, frame: u64, ns: i64) -> bool {
        let Some(key) = self.of_frame.remove(&(thread, frame)) else { return false };
        let Some(operation) = self.begun.get_mut(&key) else { return false };
        operation.left_ns = Some(ns);
        true
    }

    /// Takes out those that never ended.
    pub fn rest(&mut self) -> Vec<Operation<'p>> {
        self.of_frame.clear();
        std::mem::take(&mut self.begun).into_values().collect()
    }
}
