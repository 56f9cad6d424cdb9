//! Classes of calls, and the kinds that have a colour: the one place that says what an
//! operation counts as.
//!
//! The account of a run, the checks, a replay, the timeline, the page, SQL's `call_class`
//! and the glossary follow from it.

use crate::Op;
use crate::names::names;

/// What the time of a call counts as, when it makes no other calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// Moves bytes to the program.
    Read,
    /// Moves bytes from the program; also the flush of a stream, which hands to the
    /// system what writes have buffered.
    Write,
    /// About a file, not its bytes: open, close, stat and all that is no other class.
    Metadata,
    /// Waits until the storage has the bytes.
    Sync,
    /// Waits for the lock of a file.
    Lock,
    /// Makes or ends a mapping of a file.
    Map,
    /// Waits for requests that other calls have submitted.
    Completion,
    /// Starts a program, and with `system` waits for its end: no I/O of the caller.
    Child,
}

names!(Class {
    Read "read",
    Write "write",
    Metadata "metadata",
    Sync "sync",
    Lock "lock",
    Map "map",
    Completion "completion",
    Child "child",
});

impl Class {
    /// The class of an operation.
    ///
    /// ```
    /// use diya_model::{Class, Op};
    /// assert_eq!(Class::of(Op::Flush), Class::Write);
    /// assert_eq!(Class::of(Op::Seek), Class::Metadata);
    /// ```
    pub const fn of(op: Op) -> Self {
        match op {
            Op::Read => Self::Read,
            Op::Write | Op::Flush => Self::Write,
            Op::Sync | Op::Datasync | Op::SyncMap => Self::Sync,
            Op::Lock => Self::Lock,
            Op::Map | Op::Unmap => Self::Map,
            Op::Wait => Self::Completion,
            Op::Spawn => Self::Child,
            Op::Open
            | Op::Close
            | Op::Seek
            | Op::Stat
            | Op::Truncate
            | Op::Allocate
            | Op::Advise
            | Op::Dup
            | Op::Control
            | Op::Rename
            | Op::Unlink
            | Op::Make
            | Op::List
            | Op::Link
            | Op::Attribute
            | Op::View
            | Op::Info
            | Op::Submit
            | Op::Create
            | Op::Other => Self::Metadata,
        }
    }

    /// The class in the time account. There, a completion counts as what its requests
    /// did; where no request is known, as metadata.
    #[must_use]
    pub const fn in_account(self) -> Self {
        match self {
            Self::Completion => Self::Metadata,
            class => class,
        }
    }

    /// The kind, which has a colour.
    pub const fn kind(self) -> CallKind {
        match self {
            Self::Read => CallKind::Read,
            Self::Write => CallKind::Write,
            Self::Metadata | Self::Map => CallKind::Metadata,
            Self::Sync | Self::Lock | Self::Completion | Self::Child => CallKind::Wait,
        }
    }

    /// The operations of this class.
    pub fn ops(self) -> impl Iterator<Item = Op> {
        Op::ALL.iter().copied().filter(move |op| Self::of(*op) == self)
    }
}

/// A group of classes that has one colour in the page and in figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CallKind {
    /// Moves bytes to the program.
    Read,
    /// Moves bytes from the program.
    Write,
    /// Open, close, seek, stat and all else that moves no bytes.
    Metadata,
    /// Sync, lock, completion, child: moves nothing, and waits for the storage or for others.
    Wait,
}

impl CallKind {
    /// All kinds, in the order of their codes.
    pub const ALL: [Self; 4] = [Self::Read, Self::Write, Self::Metadata, Self::Wait];

    /// Name, as in questions and answers.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Metadata => "metadata",
            Self::Wait => "wait",
        }
    }

    /// The kind with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The kind of an operation, by its name in table `call`; of an unknown one, metadata.
    ///
    /// ```
    /// use diya_model::CallKind;
    /// assert_eq!(CallKind::of_op("write"), CallKind::Write);
    /// assert_eq!(CallKind::of_op("datasync"), CallKind::Wait);
    /// assert_eq!(CallKind::of_op("seek"), CallKind::Metadata);
    /// ```
    pub fn of_op(op: &str) -> Self {
        Op::from_name(op).map_or(Self::Metadata, |op| Class::of(op).kind())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_is_in_one_class() {
        let of_classes: usize = Class::ALL.iter().map(|class| class.ops().count()).sum();
        assert_eq!(of_classes, Op::ALL.len());
    }

    #[test]
    fn the_flush_of_a_stream_is_a_write_everywhere() {
        let class = Class::of(Op::Flush);
        assert_eq!(
            (class, class.in_account(), class.kind()),
            (Class::Write, Class::Write, CallKind::Write)
        );
    }

    #[test]
    fn only_what_waits_has_the_colour_of_waits() {
        let waits = Class::ALL.iter().filter(|class| class.kind() == CallKind::Wait);
        let waits: Vec<Op> = waits.flat_map(|class| class.ops()).collect();
        assert_eq!(waits, [Op::Sync, Op::Datasync, Op::SyncMap, Op::Lock, Op::Wait, Op::Spawn]);
    }
}
