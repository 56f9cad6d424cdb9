//! What the kernel is asked for: ptrace, wait, and the memory of a program.
//!
//! The wrappers of `nix` do not fit: they refuse real-time signals, which the
//! threads of the C library use among themselves.

use nix::libc::{self, c_int, c_long, c_uint, c_void, pid_t};
use std::io;
use std::time::Duration;

/// Registers of a thread that stopped at a system call.
#[derive(Debug, Clone, Copy)]
pub(super) struct Registers {
    words: [u64; REGISTERS],
}

/// Order of `struct user_regs_struct` in the kernel's `asm/ptrace.h`.
#[cfg(target_arch = "x86_64")]
mod order {
    pub const REGISTERS: usize = 27;
    pub const NUMBER: usize = 15;
    pub const RESULT: usize = 10;
    pub const ARGUMENTS: [usize; 6] = [14, 13, 12, 7, 9, 8];
}

/// Order of `struct user_pt_regs` in the kernel's `asm/ptrace.h`.
#[cfg(target_arch = "aarch64")]
mod order {
    pub const REGISTERS: usize = 34;
    pub const NUMBER: usize = 8;
    pub const RESULT: usize = 0;
    pub const ARGUMENTS: [usize; 6] = [0, 1, 2, 3, 4, 5];
}

use order::REGISTERS;

impl Registers {
    /// Number of the system call.
    pub fn number(&self) -> c_long {
        self.words[order::NUMBER].cast_signed()
    }

    /// Its arguments; on some processors the first is gone when it has returned.
    pub fn arguments(&self) -> [u64; 6] {
        order::ARGUMENTS.map(|at| self.words[at])
    }

    /// What it returned, or minus the error.
    pub fn result(&self) -> i64 {
        self.words[order::RESULT].cast_signed()
    }
}

/// Why a thread stopped, or that it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stop {
    /// Before a system call that the filter names.
    Entry,
    /// After a system call.
    Exit,
    /// It is about to receive this signal.
    Signal(c_int),
    /// It is stopped as a job is, by SIGSTOP and the like.
    Group,
    /// It made a process or a thread.
    Child,
    /// It became another program.
    Exec,
    /// Something that needs no action.
    Other,
    /// It ended with this code.
    Exited(c_int),
    /// It was ended by this signal.
    Killed(c_int),
}

/// Options: stop at filtered calls, follow children, and end with the tracer,
/// without which every filtered call would fail.
const OPTIONS: c_int = libc::PTRACE_O_TRACESECCOMP
    | libc::PTRACE_O_TRACEFORK
    | libc::PTRACE_O_TRACEVFORK
    | libc::PTRACE_O_TRACECLONE
    | libc::PTRACE_O_TRACEEXEC
    | libc::PTRACE_O_TRACESYSGOOD
    | libc::PTRACE_O_EXITKILL;

#[allow(unsafe_code)]
fn ptrace(request: c_uint, tid: pid_t, address: usize, data: usize) -> io::Result<()> {
    // SAFETY: requests that write to our memory are given its address by the
    // callers below, which own it for the duration of the call.
    let result =
        unsafe { libc::ptrace(request as _, tid, address as *mut c_void, data as *mut c_void) };
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// Begins to trace a process.
pub(super) fn seize(pid: pid_t) -> io::Result<()> {
    ptrace(libc::PTRACE_SEIZE as c_uint, pid, 0, OPTIONS as usize)
}

/// How a stopped thread goes on.
#[derive(Debug, Clone, Copy)]
pub(super) enum Resume {
    /// To the next filtered call, with a signal unless 0.
    Run(c_int),
    /// To the return of the call it is in.
    ToExit,
    /// Not at all until SIGCONT comes.
    Listen,
}

/// Lets a thread go on. One that was killed meanwhile needs nothing: its end
/// will be reported.
pub(super) fn resume(tid: pid_t, how: Resume) {
    let (request, signal) = match how {
        Resume::Run(signal) => (libc::PTRACE_CONT as c_uint, signal),
        Resume::ToExit => (libc::PTRACE_SYSCALL as c_uint, 0),
        Resume::Listen => (libc::PTRACE_LISTEN as c_uint, 0),
    };
    let _ = ptrace(request, tid, 0, signal as usize);
}

/// Thread or process that a stop reports.
pub(super) fn message(tid: pid_t) -> Option<pid_t> {
    let mut message: libc::c_ulong = 0;
    ptrace(libc::PTRACE_GETEVENTMSG as c_uint, tid, 0, &raw mut message as usize).ok()?;
    pid_t::try_from(message).ok()
}

/// Registers of a stopped thread.
pub(super) fn registers(tid: pid_t) -> Option<Registers> {
    let mut words = [0u64; REGISTERS];
    let mut room =
        libc::iovec { iov_base: words.as_mut_ptr().cast(), iov_len: std::mem::size_of_val(&words) };
    let set = libc::NT_PRSTATUS as usize;
    ptrace(libc::PTRACE_GETREGSET as c_uint, tid, set, &raw mut room as usize).ok()?;
    Some(Registers { words })
}

/// Waits for a thread of this tracer to stop or end; `None` when there is none.
///
/// Of this thread's own (`__WNOTHREAD`): only the thread that began to trace a
/// program may speak to it.
#[allow(unsafe_code)]
pub(super) fn wait() -> Option<(pid_t, Stop)> {
    loop {
        let mut status = 0;
        // SAFETY: `status` is ours and outlives the call.
        let tid = unsafe { libc::waitpid(-1, &raw mut status, libc::__WALL | libc::__WNOTHREAD) };
        if tid > 0 {
            return Some((tid, stop(status)));
        }
        if io::Error::last_os_error().kind() != io::ErrorKind::Interrupted {
            return None;
        }
    }
}

fn stop(status: c_int) -> Stop {
    if libc::WIFEXITED(status) {
        return Stop::Exited(libc::WEXITSTATUS(status));
    }
    if libc::WIFSIGNALED(status) {
        return Stop::Killed(libc::WTERMSIG(status));
    }
    let signal = libc::WSTOPSIG(status);
    match status >> 16 {
        libc::PTRACE_EVENT_SECCOMP => Stop::Entry,
        libc::PTRACE_EVENT_FORK | libc::PTRACE_EVENT_VFORK | libc::PTRACE_EVENT_CLONE => {
            Stop::Child
        }
        libc::PTRACE_EVENT_EXEC => Stop::Exec,
        libc::PTRACE_EVENT_STOP if signal != libc::SIGTRAP => Stop::Group,
        0 if signal == libc::SIGTRAP | 0x80 => Stop::Exit,
        0 => Stop::Signal(signal),
        _ => Stop::Other,
    }
}

/// Copies from the memory of a stopped thread; what could be read.
#[allow(unsafe_code)]
pub(super) fn memory(tid: pid_t, address: u64, into: &mut [u8]) -> usize {
    let Ok(start) = usize::try_from(address) else { return 0 };
    let ours = libc::iovec { iov_base: into.as_mut_ptr().cast(), iov_len: into.len() };
    let theirs = libc::iovec { iov_base: start as *mut c_void, iov_len: into.len() };
    // SAFETY: the kernel writes at most `into.len()` bytes into `into`, and
    // checks the other program's addresses.
    let copied =
        unsafe { libc::process_vm_readv(tid, &raw const ours, 1, &raw const theirs, 1, 0) };
    usize::try_from(copied).unwrap_or(0)
}

/// A text that ends with 0, without it. `None` where the kernel would not
/// accept it as a path either.
pub(super) fn text(tid: pid_t, address: u64) -> Option<Vec<u8>> {
    const PAGE: u64 = 4096;
    const LONGEST: usize = libc::PATH_MAX as usize;
    let mut text = Vec::new();
    let mut at = address;
    while at != 0 && text.len() < LONGEST {
        // To the end of the page: the next one may not be there. Most paths
        // are short, so little is read at first.
        let most = if text.is_empty() { 256 } else { PAGE };
        let mut part = [0u8; PAGE as usize];
        let length = most.min(PAGE - at % PAGE) as usize;
        let read = memory(tid, at, &mut part[..length]);
        let end = part[..read].iter().position(|&byte| byte == 0);
        text.extend_from_slice(&part[..end.unwrap_or(read)]);
        if end.is_some() {
            return Some(text);
        }
        if read < length {
            return None;
        }
        at += read as u64;
    }
    None
}

/// A 64-bit number in the memory of a stopped thread.
pub(super) fn number(tid: pid_t, address: u64) -> Option<u64> {
    let mut bytes = [0; 8];
    (address != 0 && memory(tid, address, &mut bytes) == 8).then(|| u64::from_ne_bytes(bytes))
}

/// Bytes that an `iovec` array asks for.
pub(super) fn vector_bytes(tid: pid_t, address: u64, count: u64) -> u64 {
    const MOST: u64 = 1024; // IOV_MAX
    if count > MOST {
        return 0;
    }
    let mut bytes = vec![0u8; count as usize * 16];
    let read = memory(tid, address, &mut bytes);
    let lengths = bytes[..read].chunks_exact(16).filter_map(|pair| pair[8..].first_chunk());
    lengths.map(|length| u64::from_ne_bytes(*length)).fold(0, u64::saturating_add)
}

/// Nanoseconds of the monotonic clock and since 1970.
pub(super) fn clocks() -> (u64, u64) {
    (clock(libc::CLOCK_MONOTONIC), clock(libc::CLOCK_REALTIME))
}

/// Nanoseconds of the monotonic clock, the clock of the records.
pub(super) fn now() -> u64 {
    clock(libc::CLOCK_MONOTONIC)
}

#[allow(unsafe_code)]
fn clock(which: libc::clockid_t) -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is ours; these clocks are always there.
    unsafe { libc::clock_gettime(which, &raw mut time) };
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    let rest = u32::try_from(time.tv_nsec).unwrap_or(0);
    u64::try_from(Duration::new(seconds, rest).as_nanos()).unwrap_or(u64::MAX)
}
