//! The system calls that are I/O, and where their arguments say on what.

use super::arguments::{integer, vector_bytes};
use crate::assemble::{Known, known_function};
use diya_model::{Function, Layer, Op};
use diya_tables::FastHashMap;

/// Where the arguments of a call are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// Opens a path: places of the folder's descriptor, the path and the flags.
    Open {
        dir: Option<usize>,
        path: usize,
        flags: Option<usize>,
    },
    /// Moves bytes of descriptor 0: place of the offset.
    Data {
        is_vector: bool,
        offset: Option<usize>,
    },
    /// Moves bytes from one descriptor to another: places of both and of the size.
    Copy {
        from: usize,
        to: usize,
        size: usize,
    },
    /// Is about descriptor 0.
    Descriptor,
    /// Is about a path.
    Path(usize),
    /// Is about a path behind the descriptor of a folder.
    At(usize),
    Close,
    CloseRange,
    Seek,
    Dup,
    Control,
    Map,
    Spawn,
    Execute,
    ChangeFolder,
    /// Says the working directory; no I/O.
    Folder,
    /// Is about no file.
    Bare,
}

/// A call that the reader knows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Syscall {
    pub shape: Shape,
    pub function: &'static Function,
}

const OPEN_AT: Shape = Shape::Open { dir: Some(0), path: 1, flags: Some(2) };
const DATA: Shape = Shape::Data { is_vector: false, offset: None };
const DATA_AT: Shape = Shape::Data { is_vector: false, offset: Some(3) };
const VECTOR: Shape = Shape::Data { is_vector: true, offset: None };
const VECTOR_AT: Shape = Shape::Data { is_vector: true, offset: Some(3) };

/// Names as strace prints them; the function follows from the name.
const SYSCALLS: [(&str, Shape); 86] = [
    ("open", Shape::Open { dir: None, path: 0, flags: Some(1) }),
    ("openat", OPEN_AT),
    ("openat2", OPEN_AT),
    ("creat", Shape::Open { dir: None, path: 0, flags: None }),
    ("close", Shape::Close),
    ("close_range", Shape::CloseRange),
    ("read", DATA),
    ("write", DATA),
    ("pread64", DATA_AT),
    ("pwrite64", DATA_AT),
    ("readv", VECTOR),
    ("writev", VECTOR),
    ("preadv", VECTOR_AT),
    ("pwritev", VECTOR_AT),
    ("preadv2", VECTOR_AT),
    ("pwritev2", VECTOR_AT),
    ("copy_file_range", Shape::Copy { from: 0, to: 2, size: 4 }),
    ("sendfile", Shape::Copy { from: 1, to: 0, size: 3 }),
    ("sendfile64", Shape::Copy { from: 1, to: 0, size: 3 }),
    ("splice", Shape::Copy { from: 0, to: 2, size: 4 }),
    ("lseek", Shape::Seek),
    ("_llseek", Shape::Seek),
    ("stat", Shape::Path(0)),
    ("stat64", Shape::Path(0)),
    ("lstat", Shape::Path(0)),
    ("lstat64", Shape::Path(0)),
    ("fstat", Shape::Descriptor),
    ("fstat64", Shape::Descriptor),
    ("newfstatat", Shape::At(0)),
    ("statx", Shape::At(0)),
    ("statfs", Shape::Path(0)),
    ("fstatfs", Shape::Descriptor),
    ("access", Shape::Path(0)),
    ("faccessat", Shape::At(0)),
    ("faccessat2", Shape::At(0)),
    ("readlink", Shape::Path(0)),
    ("readlinkat", Shape::At(0)),
    ("fsync", Shape::Descriptor),
    ("fdatasync", Shape::Descriptor),
    ("sync", Shape::Bare),
    ("syncfs", Shape::Descriptor),
    ("sync_file_range", Shape::Descriptor),
    ("truncate", Shape::Path(0)),
    ("ftruncate", Shape::Descriptor),
    ("fallocate", Shape::Descriptor),
    ("fadvise64", Shape::Descriptor),
    ("readahead", Shape::Descriptor),
    ("mmap", Shape::Map),
    ("mmap2", Shape::Map),
    ("dup", Shape::Dup),
    ("dup2", Shape::Dup),
    ("dup3", Shape::Dup),
    ("fcntl", Shape::Control),
    ("fcntl64", Shape::Control),
    ("flock", Shape::Descriptor),
    ("ioctl", Shape::Descriptor),
    ("rename", Shape::Path(0)),
    ("renameat", Shape::At(0)),
    ("renameat2", Shape::At(0)),
    ("unlink", Shape::Path(0)),
    ("unlinkat", Shape::At(0)),
    ("rmdir", Shape::Path(0)),
    ("mkdir", Shape::Path(0)),
    ("mkdirat", Shape::At(0)),
    ("link", Shape::Path(0)),
    ("linkat", Shape::At(0)),
    ("symlink", Shape::Path(1)),
    ("symlinkat", Shape::At(1)),
    ("chmod", Shape::Path(0)),
    ("fchmod", Shape::Descriptor),
    ("fchmodat", Shape::At(0)),
    ("chown", Shape::Path(0)),
    ("fchown", Shape::Descriptor),
    ("fchownat", Shape::At(0)),
    ("utimensat", Shape::At(0)),
    ("getxattr", Shape::Path(0)),
    ("fgetxattr", Shape::Descriptor),
    ("getdents64", Shape::Descriptor),
    ("chdir", Shape::ChangeFolder),
    ("getcwd", Shape::Folder),
    ("fork", Shape::Spawn),
    ("vfork", Shape::Spawn),
    ("clone", Shape::Spawn),
    ("clone3", Shape::Spawn),
    ("execve", Shape::Execute),
    ("execveat", Shape::Execute),
];

/// No I/O, but it says where relative paths start.
const FOLDER: Function = Function::plain(0, "getcwd", Layer::Posix, Op::Other);

/// The calls by name.
pub(super) fn by_name() -> FastHashMap<&'static str, Syscall> {
    let function = |(name, shape): (&'static str, Shape)| {
        static FOLDER_FUNCTION: Function = FOLDER;
        let function =
            if shape == Shape::Folder { Some(&FOLDER_FUNCTION) } else { known_function(name) };
        Some((name, Syscall { shape, function: function? }))
    };
    SYSCALLS.into_iter().filter_map(function).collect()
}

/// `fcntl` duplicates descriptors, locks files, or asks for something.
pub(super) fn control_op(command: &str) -> Op {
    match command {
        "F_DUPFD" | "F_DUPFD_CLOEXEC" => Op::Dup,
        command if command.starts_with("F_SETLK") || command.starts_with("F_OFD_SETLK") => Op::Lock,
        _ => Op::Control,
    }
}

/// The function, as one that does this: of a name that stands for several.
pub(super) fn as_op(function: &'static Function, op: Op) -> Known<'static> {
    Known { op, ..Known::from(function) }
}

/// Bytes that a call was asked to move.
pub(super) fn requested(arguments: &[&str], is_vector: bool) -> Option<i64> {
    if is_vector {
        return vector_bytes(arguments.get(1)?);
    }
    integer(arguments.get(2)?)
}

/// What a call returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Outcome<'r> {
    /// Before blanks: `3</tmp/a>`, `-1`, `?`.
    pub value: &'r str,
    pub error: Option<&'r str>,
    pub duration_ns: Option<i64>,
}

/// Reads `-1 ENOENT (No such file or directory) <0.000029>`.
pub(super) fn outcome(result: &str) -> Outcome<'_> {
    let (rest, duration_ns) = match result.strip_suffix('>').and_then(|r| r.rsplit_once('<')) {
        Some((before, seconds)) => match super::line::seconds_ns(seconds) {
            Some(ns) => (before.trim_end(), Some(ns)),
            None => (result, None),
        },
        None => (result, None),
    };
    // A path can hold blanks.
    let value_end = match rest.find('<') {
        Some(open) if rest.get(..open).is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit())) => {
            rest.get(open..)
                .and_then(|path| path.find('>'))
                .map_or(rest.len(), |end| open + end + 1)
        }
        _ => rest.find(' ').unwrap_or(rest.len()),
    };
    let (value, after) = rest.split_at(value_end);
    let word = after.trim_start().split(' ').next().unwrap_or_default();
    let has_failed = matches!(value, "-1" | "?") && word.starts_with('E');
    Outcome { value, error: has_failed.then_some(word), duration_ns }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_call_has_a_function() {
        assert_eq!(by_name().len(), SYSCALLS.len());
    }

    #[test]
    fn results_are_a_number_a_descriptor_or_an_error() {
        let read = |text| {
            let Outcome { value, error, duration_ns } = outcome(text);
            (value, error, duration_ns)
        };
        assert_eq!(read("4096 <0.000025>"), ("4096", None, Some(25_000)));
        assert_eq!(read("3</tmp/a b> <0.1>"), ("3</tmp/a b>", None, Some(100_000_000)));
        assert_eq!(read("-1 ENOENT (No such file)"), ("-1", Some("ENOENT"), None));
        assert_eq!(read("? ERESTARTSYS (To be restarted)"), ("?", Some("ERESTARTSYS"), None));
        assert_eq!(read("?"), ("?", None, None));
        assert_eq!(read("0x2 (flags O_RDWR)"), ("0x2", None, None));
    }
}
