//! The tracer, for systems that have seccomp filters and whose registers it knows.

mod call;
mod counted;
mod counters;
mod descriptors;
mod file;
mod filter;
#[rustfmt::skip]
mod generated;
mod header;
mod kernel;
mod open_flags;
mod paths;
mod process;
mod program;
mod record;
mod segment;
mod shape;
mod start;
mod system_calls;
mod tracer;
mod window;

use diya_launch::{Ended, LeaderTime, Mode, RunError, Settings, Watch};
use nix::sys::signal::{SigHandler, Signal, kill, signal};
use nix::unistd::Pid;
use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGWINCH};
use signal_hook::iterator::Signals;
use start::Failure;
use std::ffi::OsString;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use tracer::{Living, Tracer};

/// As the library's own where no cap is given.
const DEFAULT_MAX_TRACE_BYTES: u64 = 1 << 30;

/// Starts a command, records its calls into the folder of the settings, and
/// waits for it and all it started.
pub fn trace(command: &[OsString], settings: &Settings) -> Result<Ended, RunError> {
    trace_telling(command, settings, &mut |_| {}, &mut Vec::new())
}

/// The same, telling what could not be recorded, and why, for people. What the leading thread of
/// the command does is added to `seen`.
pub fn trace_telling(
    command: &[OsString],
    settings: &Settings,
    tell: &mut dyn FnMut(String),
    seen: &mut Vec<LeaderTime>,
) -> Result<Ended, RunError> {
    let Some(program) = command.first() else {
        let source = io::Error::new(io::ErrorKind::NotFound, "no command was given");
        return Err(RunError::start("diya run", source));
    };
    let name = program.to_string_lossy();
    let fail = |failure| match failure {
        Failure::Program(source) => RunError::start(&name, source),
        Failure::NotPermitted(source) => RunError::NotPermitted { source },
    };
    let signals =
        Signals::new([SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGWINCH, SIGCONT])
            .map_err(|source| RunError::start(&name, source))?;
    let mut started = start::start(command).map_err(fail)?;
    allow_many_files();
    let living = Arc::new(Mutex::new(Living::default()));
    let limits = segment::Limits {
        is_profile: settings.mode == Mode::Profile,
        max_trace_bytes: settings.max_trace_bytes.unwrap_or(DEFAULT_MAX_TRACE_BYTES),
    };
    let target = process::Target { folder: &settings.directory, limits };
    let programs = program::Programs::new(&settings.skip);
    let pid = started.pid;
    let tracer = Tracer::new(pid, target, programs, living.clone(), tell);
    let handle = signals.handle();
    let forwarder = std::thread::spawn(move || forward(signals, &living));
    let before = on_file_size_limit(SigHandler::SigIgn);
    let watch = Watch::start(pid);
    let ended = tracer.run();
    seen.extend(watch.end());
    on_file_size_limit(before);
    handle.close();
    let _ = forwarder.join();
    if let Some(failure) = started.failure() {
        return Err(fail(failure));
    }
    Ok(ended.unwrap_or(Ended::Code(1)))
}

/// Passes on what is sent to us alone: to the program, or, once it has ended,
/// to what it left in the background.
fn forward(mut signals: Signals, living: &Mutex<Living>) {
    for number in signals.forever() {
        let is_terminals = matches!(number, SIGINT | SIGQUIT | SIGWINCH | SIGCONT);
        let Ok(signal) = Signal::try_from(number) else { continue };
        let living = living.lock().unwrap_or_else(PoisonError::into_inner);
        let to: Vec<i32> = match living.root {
            Some(_) if is_terminals => Vec::new(),
            Some(root) => vec![root],
            None => living.others.iter().copied().collect(),
        };
        for pid in to {
            // It may have ended already: then the signal is not needed.
            let _ = kill(Pid::from_raw(pid), signal);
        }
    }
}

/// What a segment beyond the limit of file sizes does to us. By default it
/// would end us, and the program with us.
#[allow(unsafe_code)]
fn on_file_size_limit(handler: SigHandler) -> SigHandler {
    // SAFETY: to ignore a signal, or to do what was done before, runs no code
    // of ours.
    unsafe { signal(Signal::SIGXFSZ, handler) }.unwrap_or(SigHandler::SigDfl)
}

/// A segment per process stays open. The program was started with the old limit.
fn allow_many_files() {
    use nix::sys::resource::{Resource, getrlimit, setrlimit};
    if let Ok((_, most)) = getrlimit(Resource::RLIMIT_NOFILE) {
        let _ = setrlimit(Resource::RLIMIT_NOFILE, most, most);
    }
}
