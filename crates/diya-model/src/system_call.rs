//! System calls that are recorded, and what their arguments are: for whoever sees calls from
//! outside of a program, by ptrace or in the text of strace.

use crate::generated::SYSTEM_CALLS;
use crate::names::names;
use crate::{Function, Op};

/// What an argument of a system call means to a reader of calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Argument {
    /// Descriptor of the file.
    Fd,
    /// Descriptor of the directory where the path begins.
    DirFd,
    /// Path of the file.
    Path,
    /// Path of a directory.
    Directory,
    /// Descriptor of the file that a copying call writes.
    ToFd,
    /// Descriptor of the directory where the second path begins.
    ToDirFd,
    /// Second path.
    ToPath,
    /// Bytes that are asked for.
    Count,
    /// Array of `iovec`.
    Vector,
    /// Number of its elements.
    VectorLength,
    /// Offset in the file.
    Offset,
    /// Offset in the file; -1: the position of the descriptor.
    OffsetOrHere,
    /// Address of the offset; null: the position of the descriptor.
    OffsetAt,
    /// Address of the offset in the file that is written, likewise.
    ToOffsetAt,
    /// Flags: how to open a file, or to make a process.
    Flags,
    /// Address of a structure that begins with the flags.
    FlagsAt,
    /// The further number of a record.
    Aux,
    /// Start of a mapping.
    Address,
    /// Not recorded.
    Other,
}

names!(Argument {
    Fd "fd",
    DirFd "dirfd",
    Path "path",
    Directory "directory",
    ToFd "to_fd",
    ToDirFd "to_dirfd",
    ToPath "to_path",
    Count "count",
    Vector "vector",
    VectorLength "vector_length",
    Offset "offset",
    OffsetOrHere "offset_or_here",
    OffsetAt "*offset",
    ToOffsetAt "*to_offset",
    Flags "flags",
    FlagsAt "*flags",
    Aux "aux",
    Address "address",
    Other "_",
});

/// A system call, as `schema/functions` lists it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SystemCall {
    /// Name, as the kernel and strace have it.
    pub name: &'static str,
    /// Number of the function that it is recorded as; of a copy, that of its read.
    pub function: u16,
    /// Of a copy: number of the function that its write is recorded as.
    pub writing: Option<u16>,
    /// The arguments, from the first.
    pub arguments: &'static [Argument],
}

impl SystemCall {
    /// All of them, by the number of their function.
    pub const ALL: &[Self] = SYSTEM_CALLS;

    /// The call with this name.
    ///
    /// ```
    /// use diya_model::{Argument, SystemCall};
    /// let call = SystemCall::of("pwrite64").expect("is recorded");
    /// assert_eq!(call.position(Argument::Offset), Some(3));
    /// assert_eq!(SystemCall::of("getpid"), None);
    /// ```
    pub fn of(name: &str) -> Option<&'static Self> {
        Self::ALL.iter().find(|call| call.name == name)
    }

    /// Position of an argument, from 0.
    pub fn position(&self, argument: Argument) -> Option<usize> {
        self.arguments.iter().position(|one| *one == argument)
    }

    /// Position of the path, also of a directory.
    pub fn path(&self) -> Option<usize> {
        self.position(Argument::Path).or_else(|| self.position(Argument::Directory))
    }

    /// What it does; of a copy, read.
    pub fn op(&self) -> Op {
        Function::of(self.function).map_or(Op::Other, |function| function.op)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_call_has_a_function_of_its_kind() {
        for call in SystemCall::ALL {
            let op = |number| Function::of(number).map(|function| function.op);
            assert!(op(call.function).is_some(), "{}", call.name);
            let is_copy = call.position(Argument::ToFd).is_some();
            assert_eq!(call.writing.and_then(op), is_copy.then_some(Op::Write), "{}", call.name);
        }
    }

    #[test]
    fn a_directory_stands_before_its_path() {
        for call in SystemCall::ALL {
            let dir = call.position(Argument::DirFd).map(|at| at + 1);
            assert!(dir.is_none() || dir == call.path(), "{}", call.name);
        }
    }
}
