//! What there is to do about a system call: it follows from its function, and from the arguments
//! that `schema/functions` lists.
//!
//! Source of what flags mean: the manual pages of section 2.

use diya_model::segment::{NAME_DIRECTORY, NAME_FILE, NAME_PIPE};
use diya_model::{Argument, Op, SystemCall, number as f};
use nix::libc;

/// Position of an argument, from 0.
pub(super) type At = usize;

/// How a call says which file it means.
#[derive(Debug, Clone, Copy)]
pub(super) enum FileArgument {
    Descriptor(At),
    /// From the current directory.
    Path(At),
    /// From the directory of a descriptor.
    PathAt(At, At),
}

/// What lies at a path that cannot be asked for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FileType {
    File = NAME_FILE as isize,
    Pipe = NAME_PIPE as isize,
    Directory = NAME_DIRECTORY as isize,
}

/// Where the flags of an open call are.
#[derive(Debug, Clone, Copy)]
pub(super) enum Flags {
    Argument(At),
    /// First number of a structure.
    Structure(At),
    Fixed(i32),
}

/// How much is asked for.
#[derive(Debug, Clone, Copy)]
pub(super) enum Bytes {
    Argument(At),
    /// `iovec` array and its length.
    Vector(At, At),
}

/// Where a transfer begins.
#[derive(Debug, Clone, Copy)]
pub(super) enum Offset {
    Implicit,
    Argument(At),
    /// The implicit position when the argument is -1.
    ArgumentOrImplicit(At),
}

/// What a call does, as far as recording it differs.
#[derive(Debug)]
pub(super) enum Shape {
    Open(FileArgument, Flags),
    /// Makes a descriptor of a file that only the kernel can name.
    OpenUnnamed(Flags),
    Close,
    CloseRange,
    Read(Bytes, Offset, Option<At>),
    Write(Bytes, Offset, Option<At>),
    /// From one descriptor to another: the descriptors, where their offsets
    /// are, the size, and the function that the writing is recorded as.
    Copy {
        from: At,
        from_offset: Option<At>,
        to: At,
        to_offset: Option<At>,
        bytes: At,
        writing: u16,
    },
    Seek,
    /// Moves no data; with a further number, and what is made or expected.
    On(FileArgument, Option<At>, FileType),
    /// A part of a file: where it starts, how long it is.
    Range(FileArgument, At, Option<At>),
    Two(FileArgument, FileArgument),
    ChangeDirectory(FileArgument),
    Map,
    Unmap,
    SyncMap,
    Remap,
    Duplicate,
    DuplicateTo,
    Control,
    /// On no file that could be named.
    Plain,
    Ring,
    /// Makes a process, or with some flags a thread.
    Spawn(Flags),
    /// Returns only when it failed.
    Exec(FileArgument),
    /// Not recorded: it shows that a handler of a signal has ended.
    HandlerReturns,
}

impl Shape {
    pub fn of(call: &SystemCall) -> Self {
        let at = |argument| call.position(argument);
        let aux = at(Argument::Aux);
        match (call.function, file(call)) {
            (f::CLOSE_RANGE, _) => Self::CloseRange,
            (f::LSEEK, _) => Self::Seek,
            (f::MMAP, _) => Self::Map,
            (f::MUNMAP, _) => Self::Unmap,
            (f::MREMAP, _) => Self::Remap,
            (f::MSYNC, _) => Self::SyncMap,
            (f::DUP, _) => Self::Duplicate,
            (f::DUP2 | f::DUP3, _) => Self::DuplicateTo,
            (f::FCNTL, _) => Self::Control,
            (f::IO_URING_ENTER, _) => Self::Ring,
            (f::CHDIR | f::FCHDIR | f::CHROOT, Some(file)) => Self::ChangeDirectory(file),
            (f::EXEC, Some(file)) => Self::Exec(file),
            (_, file) => match (call.op(), file) {
                (Op::Open, Some(file)) => Self::Open(file, flags(call)),
                (Op::Open, None) => Self::OpenUnnamed(flags(call)),
                (Op::Close, _) => Self::Close,
                (Op::Spawn, _) => Self::Spawn(flags(call)),
                (Op::Read | Op::Write, _) => transfer(call),
                (_, None) => Self::Plain,
                (_, Some(file)) => match (second(call), at(Argument::Offset)) {
                    (Some(other), _) => Self::Two(file, other),
                    (None, Some(offset)) => Self::Range(file, offset, at(Argument::Count)),
                    (None, None) => Self::On(file, aux, file_type(call)),
                },
            },
        }
    }
}

/// How the call says which file it means; `None`: it names none.
fn file(call: &SystemCall) -> Option<FileArgument> {
    if let Some(fd) = call.position(Argument::Fd) {
        return Some(FileArgument::Descriptor(fd));
    }
    let path = call.path()?;
    Some(match call.position(Argument::DirFd) {
        Some(folder) => FileArgument::PathAt(folder, path),
        None => FileArgument::Path(path),
    })
}

/// The file that gets a new name, or is one.
fn second(call: &SystemCall) -> Option<FileArgument> {
    let path = call.position(Argument::ToPath)?;
    Some(match call.position(Argument::ToDirFd) {
        Some(folder) => FileArgument::PathAt(folder, path),
        None => FileArgument::Path(path),
    })
}

fn file_type(call: &SystemCall) -> FileType {
    match call.position(Argument::Directory) {
        Some(_) => FileType::Directory,
        None => FileType::File,
    }
}

/// A call without an argument for its flags has these.
fn flags(call: &SystemCall) -> Flags {
    if let Some(at) = call.position(Argument::Flags) {
        return Flags::Argument(at);
    }
    if let Some(at) = call.position(Argument::FlagsAt) {
        return Flags::Structure(at);
    }
    Flags::Fixed(match call.function {
        f::CREAT => libc::O_CREAT | libc::O_WRONLY | libc::O_TRUNC,
        f::MEMFD_CREATE => libc::O_RDWR | libc::O_CREAT,
        f::VFORK => libc::CLONE_VFORK,
        _ => 0,
    })
}

fn transfer(call: &SystemCall) -> Shape {
    let at = |argument| call.position(argument);
    let count = at(Argument::Count).unwrap_or_default();
    if let (Some(from), Some(to), Some(writing)) =
        (at(Argument::Fd), at(Argument::ToFd), call.writing)
    {
        let (from_offset, to_offset) = (at(Argument::OffsetAt), at(Argument::ToOffsetAt));
        return Shape::Copy { from, from_offset, to, to_offset, bytes: count, writing };
    }
    let bytes = match (at(Argument::Vector), at(Argument::VectorLength)) {
        (Some(vector), Some(length)) => Bytes::Vector(vector, length),
        _ => Bytes::Argument(count),
    };
    let offset = match (at(Argument::Offset), at(Argument::OffsetOrHere)) {
        (Some(offset), _) => Offset::Argument(offset),
        (None, Some(offset)) => Offset::ArgumentOrImplicit(offset),
        (None, None) => Offset::Implicit,
    };
    match call.op() {
        Op::Read => Shape::Read(bytes, offset, at(Argument::Aux)),
        _ => Shape::Write(bytes, offset, at(Argument::Aux)),
    }
}
