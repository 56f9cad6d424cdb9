//! The system calls that are I/O, and where their arguments say on what.

use super::arguments::{angle_end, integer, vector_bytes};
use crate::assemble::Known;
use diya_model::{Argument, Function, Layer, Op, SystemCall, number as f};
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
    /// Moves bytes from one descriptor to another: places of both, of their offsets, and of the
    /// size.
    Copy {
        from: usize,
        from_offset: Option<usize>,
        to: usize,
        to_offset: Option<usize>,
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

impl Shape {
    /// `None`: the text does not show what the call is about. Mappings have only their address,
    /// some files only the kernel can name, and the requests of a ring are in memory.
    fn of(call: &SystemCall) -> Option<Self> {
        let at = |argument| call.position(argument);
        let (dir, fd) = (at(Argument::DirFd), at(Argument::Fd));
        let is = |function| call.function == function;
        Some(match (call.op(), call.path()) {
            (Op::Submit | Op::Wait, _) => return None,
            _ if at(Argument::Address).is_some() => return None,
            (Op::Open, path) => {
                let flags = at(Argument::Flags).or_else(|| at(Argument::FlagsAt));
                Self::Open { dir, path: path?, flags }
            }
            (Op::Read | Op::Write, _) => match at(Argument::ToFd) {
                Some(to) => Self::Copy {
                    from: fd?,
                    from_offset: at(Argument::OffsetAt),
                    to,
                    to_offset: at(Argument::ToOffsetAt),
                    size: at(Argument::Count)?,
                },
                None => Self::Data {
                    is_vector: at(Argument::Vector).is_some(),
                    offset: at(Argument::Offset).or_else(|| at(Argument::OffsetOrHere)),
                },
            },
            (Op::Close, _) if is(f::CLOSE_RANGE) => Self::CloseRange,
            (Op::Close, _) => Self::Close,
            (Op::Seek, _) => Self::Seek,
            (Op::Map, _) => Self::Map,
            (Op::Dup, _) => Self::Dup,
            (Op::Spawn, Some(_)) => Self::Execute,
            (Op::Spawn, None) => Self::Spawn,
            _ if is(f::FCNTL) => Self::Control,
            _ if is(f::CHDIR) => Self::ChangeFolder,
            (_, Some(path)) => dir.map_or(Self::Path(path), Self::At),
            (_, None) => fd.map_or(Self::Bare, |_| Self::Descriptor),
        })
    }
}

/// No I/O, but it says where relative paths start.
const FOLDER: Function = Function::plain(0, "getcwd", Layer::Posix, Op::Other);

/// The calls by name.
pub(super) fn by_name() -> FastHashMap<&'static str, Syscall> {
    static FOLDER_FUNCTION: Function = FOLDER;
    let known = |call: &'static SystemCall| {
        let (shape, function) = (Shape::of(call)?, Function::of(call.function)?);
        Some((call.name, Syscall { shape, function }))
    };
    let folder = Syscall { shape: Shape::Folder, function: &FOLDER_FUNCTION };
    SystemCall::ALL.iter().filter_map(known).chain([(FOLDER.name, folder)]).collect()
}

/// `fcntl` duplicates descriptors, locks files, or asks for something. With `-X raw` its command
/// is a number of Linux, x86-64.
pub(super) fn control_op(command: &str) -> Op {
    match (command, integer(command)) {
        ("F_DUPFD" | "F_DUPFD_CLOEXEC", _) | (_, Some(0 | 0x406)) => Op::Dup,
        (_, Some(6 | 7 | 37 | 38)) => Op::Lock,
        _ if command.starts_with("F_SETLK") || command.starts_with("F_OFD_SETLK") => Op::Lock,
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
    /// What follows the value and is neither an error nor the duration.
    pub after: &'r str,
    pub duration_ns: Option<i64>,
}

/// Reads `-1 ENOENT (No such file or directory) <0.000029>`.
pub(super) fn outcome(result: &str) -> Outcome<'_> {
    let (rest, duration_ns) = match result.strip_suffix('>').and_then(|r| r.rsplit_once('<')) {
        // A blank before: `8<5>` is a process whose name is a number.
        Some((before, seconds)) if before.ends_with(' ') => {
            match super::leader::seconds_ns(seconds) {
                Some(ns) => (before.trim_end(), Some(ns)),
                None => (result, None),
            }
        }
        _ => (result, None),
    };
    // A path can hold blanks.
    let value_end = match rest.find('<') {
        Some(open) if rest.get(..open).is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit())) => {
            rest.get(open..).and_then(angle_end).map_or(rest.len(), |end| open + end)
        }
        _ => rest.find(' ').unwrap_or(rest.len()),
    };
    let (value, after) = rest.split_at(value_end);
    let after = after.trim_start();
    let word = after.split(' ').next().unwrap_or_default();
    let has_failed = matches!(value, "-1" | "?") && word.starts_with('E');
    Outcome { value, error: has_failed.then_some(word), after, duration_ns }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_of_which_a_text_shows_too_little_are_left_out() {
        let calls = by_name();
        for name in ["pread64", "mmap2", "sendfile64", "execve", "getcwd", "setxattr", "sync"] {
            assert!(calls.contains_key(name), "{name}");
        }
        for name in ["munmap", "msync", "io_submit", "io_uring_enter", "memfd_create", "futex"] {
            assert!(!calls.contains_key(name), "{name}");
        }
    }

    #[test]
    fn results_are_a_number_a_descriptor_or_an_error() {
        let read = |text| {
            let Outcome { value, error, duration_ns, .. } = outcome(text);
            (value, error, duration_ns)
        };
        assert_eq!(read("4096 <0.000025>"), ("4096", None, Some(25_000)));
        assert_eq!(read("3</tmp/a b> <0.1>"), ("3</tmp/a b>", None, Some(100_000_000)));
        assert_eq!(read("-1 ENOENT (No such file)"), ("-1", Some("ENOENT"), None));
        assert_eq!(read("? ERESTARTSYS (To be restarted)"), ("?", Some("ERESTARTSYS"), None));
        assert_eq!(read("?"), ("?", None, None));
        assert_eq!(read("5<TCP:[a->b]> <0.1>"), ("5<TCP:[a->b]>", None, Some(100_000_000)));
        assert_eq!(read("8<a b>"), ("8<a b>", None, None));
        assert_eq!(read("8<5> <1>"), ("8<5>", None, Some(1_000_000_000)));
        assert_eq!(read("0x2 (flags O_RDWR)"), ("0x2", None, None));
    }
}
