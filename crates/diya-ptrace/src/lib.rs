//! Records programs that no library can be preloaded into: statically linked
//! ones, and most that are written in Go.
//!
//! A seccomp filter stops the program at its I/O calls only, ptrace reads them,
//! and the segments are those of the library (`capture/include/diya_trace.h`).
//! That costs about 20 microseconds per recorded call (two stops), a part of
//! which is in its time as well, and nothing for other calls. Limits: setuid programs run
//! without their rights, 32-bit programs run unrecorded, a program that traces
//! others (a debugger) cannot, and the run lasts until the last process has
//! ended, in the background too. Of memory, mapping and unmapping files is
//! recorded, advice is not.
//!
//! Source: `ptrace(2)`, `seccomp(2)`; a filter's order of stops is that of Linux
//! 4.8 and later.

#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
#[path = "elsewhere.rs"]
mod linux;
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod linux;

pub use linux::{trace, trace_telling};
