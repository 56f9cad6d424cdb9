//! The system calls that are recorded, by their number on this processor.

use super::generated::NUMBERS;
use super::shape::Shape;
use diya_model::SystemCall;
use nix::libc::{self, c_long};
use std::sync::LazyLock;

/// One system call.
#[derive(Debug)]
pub(super) struct Known {
    /// Its number.
    pub number: c_long,
    /// The function it is recorded as; of a call that reads and writes, the
    /// reading one.
    pub function: u16,
    pub shape: Shape,
}

static CALLS: LazyLock<Vec<Known>> = LazyLock::new(|| {
    let known = |&(name, number): &(&str, c_long)| {
        let call = SystemCall::of(name)?;
        Some(Known { number, function: call.function, shape: Shape::of(call) })
    };
    let mut calls: Vec<Known> = NUMBERS.iter().filter_map(known).collect();
    calls.sort_by_key(|call| !matches!(call.shape, Shape::Read(..) | Shape::Write(..)));
    calls.push(Known { number: libc::SYS_rt_sigreturn, function: 0, shape: Shape::HandlerReturns });
    calls
});

/// All calls; the most frequent first, since the filter tries one by one.
pub(super) fn calls() -> impl Iterator<Item = &'static Known> {
    CALLS.iter()
}

/// Calls by number.
#[derive(Debug)]
pub(super) struct SystemCalls(Vec<Option<&'static Known>>);

impl SystemCalls {
    pub fn new() -> Self {
        let mut by_number = Vec::new();
        for call in calls() {
            let number = usize::try_from(call.number).expect("numbers of calls are not negative");
            if by_number.len() <= number {
                by_number.resize(number + 1, None);
            }
            by_number[number] = Some(call);
        }
        Self(by_number)
    }

    pub fn get(&self, number: c_long) -> Option<&'static Known> {
        *self.0.get(usize::try_from(number).ok()?)?
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use diya_model::number as f;
    use std::collections::HashSet;

    #[test]
    fn each_call_is_there_once() {
        let mut seen = HashSet::new();
        assert!(calls().all(|call| seen.insert(call.number)));
        let table = SystemCalls::new();
        assert_eq!(table.get(libc::SYS_write).map(|call| call.function), Some(f::WRITE));
        assert!(table.get(libc::SYS_getpid).is_none());
        assert!(table.get(-1).is_none());
    }
}
