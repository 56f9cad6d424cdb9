//! Runs a command in a process group of its own, so that all of it can be ended.

use crate::run::is_ignored;
use nix::errno::Errno;
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use signal_hook::consts::{SIGHUP, SIGTERM};
use std::io::{self, BufRead as _, BufReader, Read, Write as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// How often a run is looked at.
const BETWEEN: Duration = Duration::from_millis(10);
/// Time to end after a signal that a program may handle.
const TIME_TO_END: Duration = Duration::from_secs(5);

/// Becomes true when this process is asked to end: by a batch system, or with its terminal.
/// What is ignored (nohup) stays so.
pub fn asked_to_end() -> io::Result<Arc<AtomicBool>> {
    let is_asked = Arc::new(AtomicBool::new(false));
    for number in [SIGTERM, SIGHUP].into_iter().filter(|number| !is_ignored(*number)) {
        signal_hook::flag::register(number, Arc::clone(&is_asked))?;
    }
    Ok(is_asked)
}

/// How a run in a group ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroupEnd {
    /// By itself.
    Ended(ExitStatus),
    /// Whoever waited asked to stop it.
    Stopped,
    /// It took too long.
    TooLong,
}

/// A process that ends the group of a run, should the one that waits for it be killed: the
/// kernel closes the pipe between them, whatever the signal.
#[derive(Debug)]
pub struct Guard {
    child: Child,
    pipe: Option<ChildStdin>,
}

impl Guard {
    /// Starts it: a command that calls [`watch`] with its standard input.
    pub fn start(mut command: Command) -> io::Result<Self> {
        // Signals for the group of the one that waits do not reach it.
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::null()).process_group(0).spawn()?;
        let pipe = child.stdin.take();
        Ok(Self { child, pipe })
    }

    fn say(&mut self, group: u32) {
        if let Some(pipe) = &mut self.pipe {
            // Without a guard the run goes on all the same.
            let _ = writeln!(pipe, "{group}").and_then(|()| pipe.flush());
        }
    }

    /// Runs a command in a group of its own, and waits for it. `started` gets its number.
    pub fn run(
        &mut self,
        command: &mut Command,
        most: Option<Duration>,
        is_stopped: &dyn Fn() -> bool,
        started: &mut dyn FnMut(&mut Child),
    ) -> io::Result<GroupEnd> {
        let mut child = command.process_group(0).spawn()?;
        let (group, began) = (child.id(), Instant::now());
        self.say(group);
        started(&mut child);
        let end = loop {
            if let Some(status) = child.try_wait()? {
                break GroupEnd::Ended(status);
            }
            let is_too_long = most.is_some_and(|most| began.elapsed() > most);
            if is_too_long || is_stopped() {
                // As Ctrl-C in a terminal does it.
                end_group(group, &[Signal::SIGINT, Signal::SIGTERM], &mut || {
                    matches!(child.try_wait(), Ok(Some(_)) | Err(_))
                });
                let _ = child.wait();
                break if is_too_long { GroupEnd::TooLong } else { GroupEnd::Stopped };
            }
            std::thread::sleep(BETWEEN);
        };
        // What the command left running would disturb the next run.
        end_group(group, &[Signal::SIGTERM], &mut || true);
        self.say(0);
        Ok(end)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        drop(self.pipe.take());
        let _ = self.child.wait();
    }
}

/// Ends a group: each signal gets its time, then it is killed. `is_first_gone` collects the
/// first process, which otherwise stays in the group.
fn end_group(group: u32, signals: &[Signal], is_first_gone: &mut dyn FnMut() -> bool) {
    let group = Pid::from_raw(group.cast_signed());
    for signal in signals.iter().copied().chain([Signal::SIGKILL]) {
        if is_first_gone() && killpg(group, None) == Err(Errno::ESRCH) {
            return;
        }
        let _ = killpg(group, signal);
        let sent = Instant::now();
        while sent.elapsed() < TIME_TO_END {
            if is_first_gone() && killpg(group, None) == Err(Errno::ESRCH) {
                return;
            }
            std::thread::sleep(BETWEEN);
        }
    }
}

/// Reads numbers of groups, and returns at the end of the input, after the last one has ended.
/// 0 stands for none. Gives the last one.
pub fn watch(input: impl Read) -> Option<u32> {
    let mut last = 0;
    for line in BufReader::new(input).lines() {
        let Ok(line) = line else { break };
        last = line.trim().parse().unwrap_or(0);
    }
    if last == 0 {
        return None;
    }
    end_group(last, &[Signal::SIGTERM], &mut || true);
    Some(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sh(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    fn ended(script: &str, most: Option<Duration>, is_stopped: bool) -> GroupEnd {
        let mut guard = Guard::start(sh("cat >&2")).expect("starts");
        guard.run(&mut sh(script), most, &|| is_stopped, &mut |_| {}).expect("starts")
    }

    #[test]
    fn a_run_ends_by_itself_or_is_ended() {
        let GroupEnd::Ended(status) = ended("exit 3", None, false) else { panic!("it ended") };
        assert_eq!(status.code(), Some(3));
        assert_eq!(ended("sleep 60", Some(Duration::from_millis(50)), false), GroupEnd::TooLong);
        assert_eq!(ended("sleep 60 & wait", None, true), GroupEnd::Stopped);
    }

    #[test]
    fn nothing_of_a_group_stays() {
        let folder = std::env::temp_dir().join(format!("diya-group-{}", std::process::id()));
        let script = format!("sleep 60 & echo $! > {}", folder.display());
        ended(&script, None, false);
        let pid = std::fs::read_to_string(&folder).expect("a number");
        let _ = std::fs::remove_file(&folder);
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim()));
        // Gone, or dead and not yet collected.
        assert!(stat.is_err() || stat.is_ok_and(|stat| stat.contains(") Z ")));
    }

    #[test]
    fn a_guard_ends_the_group_it_heard_of_last() {
        let mut child = sh("trap '' INT; sleep 60").process_group(0).spawn().expect("starts");
        let said = format!("5\n0\n{}\n", child.id());
        let waiter = std::thread::spawn(move || child.wait());
        assert!(watch(said.as_bytes()).is_some());
        let status = waiter.join().expect("no panic").expect("a status");
        assert!(!status.success());
        assert_eq!(watch("5\n0\n".as_bytes()), None);
    }
}
