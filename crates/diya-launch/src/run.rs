//! Starts a program and waits for it, staying out of its way: terminal, input,
//! output, signals and exit code are the program's own.

use crate::leader::{LeaderTime, Watch};
use nix::libc;
use nix::sys::signal::{SigHandler, Signal, kill, raise, signal};
use nix::unistd::Pid;
use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGWINCH};
use signal_hook::iterator::Signals;
use std::ffi::OsString;
use std::io;
use std::os::unix::process::ExitStatusExt as _;
use std::process::Command;

/// How a program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// With this exit code.
    Code(i32),
    /// By this signal.
    Signal(i32),
}

/// Why a program was not started.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// No program has this name.
    #[error("{command}: not found in PATH; {way_out}")]
    NotInPath {
        /// What was to be started.
        command: String,
        /// What to do.
        way_out: String,
    },
    /// The program, or what it needs to start, is not there.
    #[error("{0}: no such file; or the interpreter in its first line, or its loader, is missing")]
    Missing(String),
    /// It cannot be started.
    #[error("{command}: {source}")]
    Start {
        /// What was to be started.
        command: String,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// It may not be traced.
    #[error(
        "this system does not let programs be traced ({source}): in a container allow it \
         (`--cap-add SYS_PTRACE`, `--security-opt seccomp=unconfined`), elsewhere \
         `sysctl kernel.yama.ptrace_scope` must be below 3; or link the program dynamically and \
         record it without `--tracer ptrace`"
    )]
    NotPermitted {
        /// What the system said.
        #[source]
        source: io::Error,
    },
}

impl RunError {
    /// A command that did not start.
    pub fn start(command: &str, source: io::Error) -> Self {
        match source.kind() {
            io::ErrorKind::NotFound if command.contains('/') => Self::Missing(command.into()),
            io::ErrorKind::NotFound => {
                let way_out = match std::path::Path::new(command).is_file() {
                    true => format!("a file of this name is here: ./{command}"),
                    false => "is its module loaded (`module load`), or its environment activated?"
                        .to_owned(),
                };
                Self::NotInPath { command: command.into(), way_out }
            }
            _ => Self::Start { command: command.into(), source },
        }
    }

    /// What a shell returns for it: 127 not found, 126 not executable.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Missing(_) | Self::NotInPath { .. } => 127,
            Self::Start { .. } | Self::NotPermitted { .. } => 126,
        }
    }
}

/// Starts the command with further environment variables and waits for it.
///
/// Signals that are sent to us alone (a batch system's time limit) go on to the
/// program. Those of the terminal reach it by themselves, since it is in our
/// process group; we only must not die of them before it has.
///
/// What its leading thread does meanwhile is added to `seen`.
pub fn run(
    command: &[OsString],
    variables: &[(String, OsString)],
    seen: &mut Vec<LeaderTime>,
) -> Result<Ended, RunError> {
    let Some((program, arguments)) = command.split_first() else {
        let source = io::Error::new(io::ErrorKind::InvalidInput, "no command was given");
        return Err(RunError::start("diya run", source));
    };
    let fail = |source| RunError::start(&program.to_string_lossy(), source);
    // What is ignored (nohup, a shell's background jobs) stays so for the program: a
    // handler of ours would become the default action when it starts.
    let caught = [SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGWINCH, SIGCONT];
    let mut signals =
        Signals::new(caught.into_iter().filter(|number| !is_ignored(*number))).map_err(fail)?;
    let mut child = Command::new(program)
        .args(arguments)
        .envs(variables.iter().map(|(name, value)| (name, value)))
        .spawn()
        .map_err(fail)?;
    let pid = Pid::from_raw(child.id().cast_signed());
    let handle = signals.handle();
    let forwarder = std::thread::spawn(move || {
        for number in signals.forever() {
            let is_terminals = matches!(number, SIGINT | SIGQUIT | SIGWINCH | SIGCONT);
            if let (false, Ok(sent)) = (is_terminals, Signal::try_from(number)) {
                // The program may have ended already: then the signal is not needed.
                let _ = kill(pid, sent);
            }
        }
    });
    let watch = Watch::start(pid.as_raw());
    let status = child.wait();
    seen.extend(watch.end());
    let status = status.map_err(fail)?;
    handle.close();
    let _ = forwarder.join();
    Ok(match (status.code(), status.signal()) {
        (Some(code), _) => Ended::Code(code),
        (None, Some(number)) => Ended::Signal(number),
        (None, None) => Ended::Code(1),
    })
}

#[allow(unsafe_code)]
pub(crate) fn is_ignored(number: i32) -> bool {
    // SAFETY: all zeros are a valid `sigaction`.
    let mut now: libc::sigaction = unsafe { std::mem::zeroed() };
    // SAFETY: asks only, and writes to what is ours.
    let asked = unsafe { libc::sigaction(number, std::ptr::null(), &raw mut now) };
    asked == 0 && now.sa_sigaction == libc::SIG_IGN
}

/// Ends this process the way the program did, so that a shell sees no difference.
pub fn as_the_program_ended(ended: Ended) -> ! {
    match ended {
        Ended::Code(code) => std::process::exit(code),
        Ended::Signal(number) => {
            if let Ok(same) = Signal::try_from(number) {
                restore_default(same);
                let _ = raise(same);
            }
            std::process::exit(128 + number)
        }
    }
}

#[allow(unsafe_code)]
fn restore_default(number: Signal) {
    // A core file, if any, is the program's: ours would only overwrite it.
    let _ = nix::sys::resource::setrlimit(nix::sys::resource::Resource::RLIMIT_CORE, 0, 0);
    // SAFETY: the default action runs no code of ours.
    let _ = unsafe { signal(number, SigHandler::SigDfl) };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sh(script: &str) -> Vec<OsString> {
        ["sh", "-c", script].map(OsString::from).to_vec()
    }

    #[test]
    fn exit_codes_and_signals_are_the_programs() {
        assert_eq!(run(&sh("exit 7"), &[], &mut Vec::new()).expect("starts"), Ended::Code(7));
        assert_eq!(
            run(&sh("kill -TERM $$"), &[], &mut Vec::new()).expect("starts"),
            Ended::Signal(15)
        );
    }

    #[test]
    #[allow(unsafe_code)]
    fn an_ignored_signal_is_ignored_by_the_program() {
        // SAFETY: no code of ours is run by it.
        let before = unsafe { signal(Signal::SIGUSR2, SigHandler::SigIgn) }.expect("is set");
        let ended = run(&sh("kill -USR2 $$; exit 3"), &[], &mut Vec::new()).expect("starts");
        // SAFETY: as above.
        unsafe { signal(Signal::SIGUSR2, before) }.expect("is set");
        assert_eq!(ended, Ended::Code(3));
    }

    #[test]
    fn variables_reach_the_program() {
        let set = [("DIYA_TEST_VARIABLE".to_owned(), OsString::from("x"))];
        assert_eq!(
            run(&sh("test \"$DIYA_TEST_VARIABLE\" = x"), &set, &mut Vec::new()).expect("starts"),
            Ended::Code(0)
        );
    }

    #[test]
    fn a_missing_program_is_127_as_in_a_shell() {
        let error =
            run(&["/no/such/program".into()], &[], &mut Vec::new()).expect_err("cannot start");
        assert_eq!(error.exit_code(), 127);
        assert!(error.to_string().starts_with("/no/such/program: no such file"), "{error}");
    }

    #[test]
    fn a_name_that_is_not_in_path_says_what_to_do() {
        let error = run(&["mpirunx".into()], &[], &mut Vec::new()).expect_err("cannot start");
        assert_eq!(error.exit_code(), 127);
        let text = error.to_string();
        assert!(text.contains("not found in PATH; is its module loaded"), "{text}");
    }
}
