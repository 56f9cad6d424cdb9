//! From the registers of a call to its record: what is asked before the call,
//! and what follows from its result.
//!
//! The records are those that the library makes of the same calls
//! (`capture/src/hook_posix_*.c`).

use super::descriptors::Description;
use super::kernel;
use super::open_flags;
use super::process::{Process, Subject, descriptor};
use super::record::Event;
use super::shape::{At, Bytes, FileArgument, FileType, Flags, Offset, Shape};
use super::system_calls::Known;
use diya_model::number as f;
use nix::libc;
use std::rc::Rc;

/// A call that a thread is in.
#[derive(Debug)]
pub(super) struct Begun {
    known: &'static Known,
    arguments: [u64; 6],
    subject: Option<Subject>,
    second: Option<Subject>,
    /// Size or flags that lie in the program's memory.
    asked: u64,
}

impl Begun {
    /// Whether this is the same call, made again.
    pub fn is_same(&self, other: &Self) -> bool {
        self.known.number == other.known.number && self.arguments == other.arguments
    }

    /// Whether it lasts as long as what the child does, which is the child's time.
    pub fn waits_for_child(&self) -> bool {
        matches!(self.known.shape, Shape::Spawn(_)) && self.asked & libc::CLONE_VFORK as u64 != 0
    }
}

/// Records of a call that returned, each with its files.
pub(super) type Records = Vec<(Event, [Option<Subject>; 2])>;

/// Looks at a call before it is made; `None` when it is none to record.
pub(super) fn begin(
    known: &'static Known,
    arguments: [u64; 6],
    tid: i32,
    process: &mut Process,
) -> Option<Begun> {
    let mut begun = Begun { known, arguments, subject: None, second: None, asked: 0 };
    let mut at = |place, kind| process.subject(tid, &arguments, place, kind);
    match &known.shape {
        Shape::Open(place, flags) => {
            begun.subject = at(*place, None);
            begun.asked = flags_of(tid, &arguments, *flags);
        }
        Shape::OpenUnnamed(flags) => begun.asked = flags_of(tid, &arguments, *flags),
        // The entry goes before the descriptor, which another thread may get at once.
        Shape::Close => {
            begun.subject = process.descriptors.remove(descriptor(arguments[0])).map(Subject::Open);
        }
        Shape::Read(bytes, ..) | Shape::Write(bytes, ..) => {
            begun.subject = at(FileArgument::Descriptor(0), None);
            begun.asked = match *bytes {
                Bytes::Argument(at) => arguments[at],
                Bytes::Vector(vector, count) => {
                    kernel::vector_bytes(tid, arguments[vector], arguments[count])
                }
            };
        }
        Shape::Copy { from, to, bytes, .. } => {
            begun.subject = at(FileArgument::Descriptor(*from), None);
            begun.second = at(FileArgument::Descriptor(*to), None);
            begun.asked = arguments[*bytes];
        }
        Shape::On(place, _, kind) => {
            begun.subject = at(*place, (*kind != FileType::File).then_some(*kind))
        }
        Shape::ChangeDirectory(place) => begun.subject = at(*place, Some(FileType::Directory)),
        Shape::Range(place, ..) => begun.subject = at(*place, None),
        Shape::Two(first, second) => {
            begun.subject = at(*first, None);
            begun.second = at(*second, None);
        }
        Shape::Map => begun.subject = at(FileArgument::Descriptor(4), None),
        // Of a mapping that starts here, and of no other: allocators unmap too.
        Shape::Unmap | Shape::SyncMap | Shape::Remap => {
            begun.subject = Some(process.mappings.get(&arguments[0])?.clone());
        }
        Shape::Seek | Shape::Duplicate | Shape::DuplicateTo | Shape::Control => {
            begun.subject = at(FileArgument::Descriptor(0), None);
        }
        Shape::Spawn(flags) => {
            begun.asked = flags_of(tid, &arguments, *flags);
            if begun.asked & libc::CLONE_THREAD as u64 != 0 {
                return None;
            }
        }
        Shape::Exec(place) => begun.subject = at(*place, None),
        Shape::CloseRange | Shape::Plain | Shape::Ring | Shape::HandlerReturns => {}
    }
    Some(begun)
}

fn flags_of(tid: i32, arguments: &[u64; 6], flags: Flags) -> u64 {
    match flags {
        Flags::Argument(at) => arguments[at] & u64::from(u32::MAX),
        Flags::Structure(at) => kernel::number(tid, arguments[at]).unwrap_or(0),
        Flags::Fixed(flags) => flags as u64,
    }
}

/// A call has returned: what it changed in the process, and its records.
pub(super) fn end(begun: Begun, result: i64, tid: i32, process: &mut Process) -> Records {
    let Begun { known, arguments, mut subject, mut second, asked } = begun;
    let outcome = result.min(0);
    let fd = descriptor(arguments[0]);
    let mut event = Event { function: known.function, done: outcome, ..Event::default() };
    match &known.shape {
        Shape::Open(..) | Shape::OpenUnnamed(_) => {
            let is_open = matches!(known.shape, Shape::Open(..));
            event.aux = Some(if is_open { open_flags::recorded(asked) } else { asked });
            if result >= 0 {
                subject = opened(tid, result as i32, subject, asked, process);
            }
        }
        Shape::Close => {}
        Shape::CloseRange => {
            const CLOSE_RANGE_CLOEXEC: u64 = 4;
            if result == 0 && arguments[2] & CLOSE_RANGE_CLOEXEC == 0 {
                process.descriptors.remove_range(arguments[0] as u32, arguments[1] as u32);
            }
        }
        Shape::Read(_, offset, aux) | Shape::Write(_, offset, aux) => {
            let is_write = matches!(known.shape, Shape::Write(..));
            event.requested = asked;
            event.done = result;
            let of_descriptor = match &subject {
                Some(Subject::Open(open)) => open.costly().map(open_flags::recorded),
                _ => None,
            };
            event.aux = aux.map(|at| arguments[at]).or(of_descriptor);
            event.offset = match *offset {
                Offset::Argument(at) => Some(arguments[at].cast_signed()),
                Offset::ArgumentOrImplicit(at) if arguments[at] != u64::MAX => {
                    Some(arguments[at].cast_signed())
                }
                _ => implicit(&subject, tid, fd, result, is_write),
            };
        }
        Shape::Copy { from, from_offset, to, to_offset, writing, .. } => {
            event.requested = asked;
            event.done = result;
            let given = |at: &Option<At>| at.and_then(|at| kernel::number(tid, arguments[at]));
            let moved = result.max(0);
            // An offset given by address has moved by what was done.
            event.offset = given(from_offset)
                .map(|after| after.cast_signed().wrapping_sub(moved))
                .or_else(|| implicit(&subject, tid, descriptor(arguments[*from]), result, false));
            let offset = given(to_offset)
                .map(|after| after.cast_signed().wrapping_sub(moved))
                .or_else(|| implicit(&second, tid, descriptor(arguments[*to]), result, true));
            let written = Event { function: *writing, offset, ..event };
            return vec![(event, [subject, None]), (written, [second, None])];
        }
        Shape::Seek => {
            event.aux = Some(arguments[2] & u64::from(u32::MAX));
            if result >= 0 {
                event.offset = Some(result);
                if let Some(Subject::Open(open)) = &subject {
                    open.moved_to(result);
                }
            }
        }
        Shape::On(_, aux, _) => event.aux = aux.map(|at| arguments[at] & u64::from(u32::MAX)),
        Shape::ChangeDirectory(_) => process.directory_changed(),
        Shape::Range(_, offset, bytes) => {
            event.offset = Some(arguments[*offset].cast_signed());
            event.requested = bytes.map_or(0, |at| arguments[at]);
            event.done = if result < 0 { result } else { event.requested.cast_signed() };
        }
        Shape::Map => {
            event.offset = Some(arguments[5].cast_signed());
            event.aux = Some(arguments[2] << 32 | arguments[3] & u64::from(u32::MAX));
            whole(&mut event, arguments[1], error_of_address(result));
            if let (Some(mapped), 0) = (&subject, error_of_address(result)) {
                process.mappings.insert(result.cast_unsigned(), mapped.clone());
            }
        }
        Shape::Unmap => {
            whole(&mut event, arguments[1], outcome);
            if result == 0 {
                process.mappings.remove(&arguments[0]);
            }
        }
        Shape::Remap => {
            whole(&mut event, arguments[2], error_of_address(result));
            if error_of_address(result) == 0
                && let Some(mapped) = process.mappings.remove(&arguments[0])
            {
                process.mappings.insert(result.cast_unsigned(), mapped);
            }
        }
        Shape::SyncMap => {
            event.aux = Some(arguments[2] & u64::from(u32::MAX));
            whole(&mut event, arguments[1], outcome);
        }
        Shape::Duplicate => duplicated(tid, fd, result, process),
        Shape::DuplicateTo => {
            event.aux = (known.function == f::DUP3).then_some(arguments[2]);
            duplicated(tid, fd, result, process);
        }
        Shape::Control => {
            let command = descriptor(arguments[1]);
            event.aux = Some(arguments[1] & u64::from(u32::MAX));
            event.function = controlled(command, known.function);
            if event.function == f::FCNTL_DUP {
                duplicated(tid, fd, result, process);
            }
            if let (libc::F_SETFL, 0, Some(Subject::Open(open))) = (command, result, &subject) {
                open.set_flags(arguments[2]);
            }
        }
        Shape::Ring => {
            event.function = match (arguments[1] as u32, arguments[2] as u32) {
                (0, _) => f::IO_URING_WAIT,
                (_, 0) => f::IO_URING_SUBMIT,
                _ => f::IO_URING_SUBMIT_AND_WAIT,
            };
        }
        Shape::Two(..) => return vec![(event, [subject, second.take()])],
        Shape::Spawn(_) if asked & libc::CLONE_VFORK as u64 != 0 => event.function = f::VFORK,
        Shape::Spawn(_) | Shape::Exec(_) | Shape::Plain | Shape::HandlerReturns => {}
    }
    vec![(event, [subject, None])]
}

/// A call on a whole piece of memory: all of it, or an error.
fn whole(event: &mut Event, bytes: u64, outcome: i64) {
    event.requested = bytes;
    event.done = if outcome < 0 { outcome } else { bytes.cast_signed() };
}

/// Addresses above the highest error number are negative as well.
fn error_of_address(result: i64) -> i64 {
    if (-4095..0).contains(&result) { result } else { 0 }
}

fn implicit(
    subject: &Option<Subject>,
    tid: i32,
    fd: i32,
    result: i64,
    is_write: bool,
) -> Option<i64> {
    match subject {
        Some(Subject::Open(open)) => open.advance(tid, fd, result, is_write),
        _ => None,
    }
}

fn opened(
    tid: i32,
    fd: i32,
    subject: Option<Subject>,
    flags: u64,
    process: &mut Process,
) -> Option<Subject> {
    process.descriptors.remove(fd);
    let Some(Subject::Named(path, _)) = subject else {
        return process.descriptors.get(tid, fd).map(Subject::Open);
    };
    let open: Rc<Description> = Description::opened(tid, fd, path, flags);
    process.descriptors.set(fd, open.clone());
    Some(Subject::Open(open))
}

fn duplicated(tid: i32, from: i32, result: i64, process: &mut Process) {
    if let Ok(to) = i32::try_from(result)
        && to >= 0
    {
        process.descriptors.duplicate(tid, from, to);
    }
}

fn controlled(command: i32, otherwise: u16) -> u16 {
    match command {
        libc::F_DUPFD | libc::F_DUPFD_CLOEXEC => f::FCNTL_DUP,
        libc::F_SETLK | libc::F_SETLKW | libc::F_GETLK => f::FCNTL_LOCK,
        libc::F_OFD_SETLK | libc::F_OFD_SETLKW | libc::F_OFD_GETLK => f::FCNTL_LOCK,
        _ => otherwise,
    }
}
