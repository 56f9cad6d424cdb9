//! Starts the program stopped at its door: traced before its first
//! instruction, with the filter installed.

use super::filter;
use super::kernel;
use nix::libc::{self, c_char, c_int};
use std::ffi::{CString, OsString};
use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::os::fd::{AsRawFd as _, FromRawFd as _, RawFd};
use std::os::unix::ffi::OsStrExt as _;

/// Why a program did not start.
#[derive(Debug)]
pub(super) enum Failure {
    /// As it would not have started without us either.
    Program(io::Error),
    /// Tracing or filtering is not allowed here.
    NotPermitted(io::Error),
}

/// A program that is being traced.
#[derive(Debug)]
pub(super) struct Started {
    pub pid: i32,
    errors: File,
}

/// Steps of the child that may fail, as it writes them into the pipe.
const FILTER_FAILED: u8 = 1;
const EXEC_FAILED: u8 = 2;

/// Starts a command.
pub(super) fn start(command: &[OsString]) -> Result<Started, Failure> {
    let filter = filter::program();
    let words: Result<Vec<CString>, _> =
        command.iter().map(|word| CString::new(word.as_bytes())).collect();
    let words = words.map_err(|nul| Failure::Program(nul.into()))?;
    let mut arguments: Vec<*const c_char> = words.iter().map(|word| word.as_ptr()).collect();
    arguments.push(std::ptr::null());
    let (go_read, mut go) = pipe().map_err(Failure::Program)?;
    let (mut errors, errors_write) = pipe().map_err(Failure::Program)?;
    let child = Child {
        go: go_read.as_raw_fd(),
        not_go: go.as_raw_fd(),
        errors: errors_write.as_raw_fd(),
        filter: &filter,
        arguments: &arguments,
    };
    let pid = child.fork().map_err(Failure::Program)?;
    drop((go_read, errors_write));
    if let Err(error) = kernel::seize(pid) {
        drop(go); // the child sees the end of the pipe and ends
        reap(pid);
        let _ = errors.read(&mut [0]);
        return Err(Failure::NotPermitted(error));
    }
    // If the child is gone already, its end is reported to the tracer.
    let _ = go.write_all(b"g");
    Ok(Started { pid, errors })
}

impl Started {
    /// What the child said went wrong; asked when it has ended.
    pub fn failure(&mut self) -> Option<Failure> {
        let mut message = [0; 5];
        self.errors.read_exact(&mut message).ok()?;
        let [step, code @ ..] = message;
        let error = io::Error::from_raw_os_error(i32::from_ne_bytes(code));
        Some(if step == FILTER_FAILED {
            Failure::NotPermitted(error)
        } else {
            Failure::Program(error)
        })
    }
}

#[allow(unsafe_code)]
fn pipe() -> io::Result<(File, File)> {
    let mut ends: [RawFd; 2] = [-1; 2];
    // SAFETY: `ends` has room for the two descriptors, which have no other owner.
    unsafe {
        if libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) != 0 {
            return Err(io::Error::last_os_error());
        }
        Ok((File::from_raw_fd(ends[0]), File::from_raw_fd(ends[1])))
    }
}

#[allow(unsafe_code)]
fn reap(pid: i32) {
    // SAFETY: no status is asked for.
    unsafe { libc::waitpid(pid, std::ptr::null_mut(), 0) };
}

/// What the child needs: all made before the fork, since it may not allocate.
struct Child<'a> {
    go: RawFd,
    not_go: RawFd,
    errors: RawFd,
    filter: &'a [libc::sock_filter],
    arguments: &'a [*const c_char],
}

impl Child<'_> {
    #[allow(unsafe_code)]
    fn fork(&self) -> io::Result<i32> {
        // SAFETY: the child calls nothing but what is safe in a signal handler
        // (`run` below), so that locks of other threads do not matter.
        match unsafe { libc::fork() } {
            0 => self.run(),
            -1 => Err(io::Error::last_os_error()),
            pid => Ok(pid),
        }
    }

    /// Waits to be traced, installs the filter, becomes the program.
    #[allow(unsafe_code)]
    fn run(&self) -> ! {
        // SAFETY: descriptors and arguments are those of `start`, whose memory
        // this child has a copy of; the arguments end with a null pointer.
        unsafe {
            let mut byte = 0u8;
            libc::close(self.not_go);
            if libc::read(self.go, (&raw mut byte).cast(), 1) != 1 {
                libc::_exit(126);
            }
            // As the standard library starts programs: it ignores SIGPIPE for
            // us, which the program should not inherit.
            libc::signal(libc::SIGPIPE, libc::SIG_DFL);
            let mut none: libc::sigset_t = std::mem::zeroed();
            libc::sigemptyset(&raw mut none);
            libc::sigprocmask(libc::SIG_SETMASK, &raw const none, std::ptr::null_mut());
            if !filter::install(self.filter) {
                self.tell(FILTER_FAILED);
            }
            libc::execvp(self.arguments[0], self.arguments.as_ptr());
            self.tell(EXEC_FAILED)
        }
    }

    #[allow(unsafe_code)]
    fn tell(&self, step: u8) -> ! {
        let code: c_int = io::Error::last_os_error().raw_os_error().unwrap_or(0);
        let mut message = [step, 0, 0, 0, 0];
        message[1..].copy_from_slice(&code.to_ne_bytes());
        // SAFETY: `message` is ours; after that there is nothing left to do.
        unsafe {
            libc::write(self.errors, message.as_ptr().cast(), message.len());
            libc::_exit(126)
        }
    }
}
