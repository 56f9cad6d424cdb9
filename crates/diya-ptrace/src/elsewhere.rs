//! On systems whose calls are not read yet: says so.

use diya_launch::{Ended, LeaderTime, RunError, Settings};
use std::ffi::OsString;
use std::io;

/// Fails: there is no tracer for this system.
pub fn trace(command: &[OsString], settings: &Settings) -> Result<Ended, RunError> {
    trace_telling(command, settings, &mut |_| {}, &mut Vec::new())
}

/// Fails: there is no tracer for this system.
pub fn trace_telling(
    _command: &[OsString],
    _settings: &Settings,
    _tell: &mut dyn FnMut(String),
    _seen: &mut Vec<LeaderTime>,
) -> Result<Ended, RunError> {
    let why =
        "needs Linux on x86_64 or aarch64; link the program dynamically and record it without";
    Err(RunError::start("--tracer ptrace", io::Error::new(io::ErrorKind::Unsupported, why)))
}
