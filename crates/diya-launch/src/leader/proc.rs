//! What the kernel says of processes, below `/proc`.

use std::collections::HashMap;
use std::fs::{self, File};
use std::os::unix::fs::FileExt as _;
use std::time::Duration;

/// Threads of a process that are looked at.
const MOST_THREADS: usize = 64;

/// In the command line of a worker of Python, where it is no copy.
const WORKER: &[u8] = b"multiprocessing.";

/// Reads `/proc`, and keeps what is needed from one look to the next.
#[derive(Debug, Default)]
pub(super) struct Proc {
    /// Of each thread, how long it had waited for a core.
    delays: HashMap<i32, u64>,
    /// Places of sockets by their inodes, and whether they listen.
    pub sockets: HashMap<u64, Option<(String, bool)>>,
    /// Processes that hold the other ends of connections of a process to a server, where they
    /// belong to the program.
    pub holders: HashMap<(i32, String), Option<i32>>,
}

/// A system call that a thread is blocked in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Call {
    pub number: i64,
    pub arguments: [u64; 6],
}

impl Proc {
    /// Name of the program, as the kernel has it.
    pub fn program(&self, pid: i32) -> Option<String> {
        let name = fs::read_to_string(format!("/proc/{pid}/comm")).ok()?;
        Some(name.trim_end().to_owned())
    }

    /// State of a thread: `R`, `S`, `D` ...
    pub fn state(&self, pid: i32, thread: i32) -> Option<char> {
        let stat = fs::read_to_string(format!("/proc/{pid}/task/{thread}/stat")).ok()?;
        stat.rsplit_once(") ")?.1.chars().next()
    }

    /// The system call that it is blocked in; `None`: it is in none, or it may not be asked.
    pub fn call(&self, pid: i32, thread: i32) -> Option<Call> {
        call(&fs::read_to_string(format!("/proc/{pid}/task/{thread}/syscall")).ok()?)
    }

    /// Whether the system says in which call it is blocked: not of a program of another user.
    pub fn is_readable(&self, pid: i32, thread: i32) -> bool {
        fs::read_to_string(format!("/proc/{pid}/task/{thread}/syscall")).is_ok()
    }

    /// Threads of a process.
    pub fn threads(&self, pid: i32) -> Vec<i32> {
        let folder = fs::read_dir(format!("/proc/{pid}/task"));
        let names = folder.into_iter().flatten().flatten().map(|entry| entry.file_name());
        names.filter_map(|name| name.to_str()?.parse().ok()).take(MOST_THREADS).collect()
    }

    /// Processes that it started, the latest last.
    pub fn children(&self, pid: i32) -> Vec<i32> {
        let of = |thread| fs::read_to_string(format!("/proc/{pid}/task/{thread}/children"));
        let texts = self.threads(pid).into_iter().filter_map(|thread| of(thread).ok());
        let mut all: Vec<i32> = texts
            .flat_map(|text| {
                text.split_whitespace().filter_map(|n| n.parse().ok()).collect::<Vec<_>>()
            })
            .collect();
        all.sort_unstable();
        all
    }

    /// Whether a process goes on with the program of the one that started it: a copy before `exec`, or
    /// a worker, which Python starts anew with a command of its own.
    pub fn is_copy(&self, child: i32, parent: i32) -> bool {
        let line = |pid| fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        let of_child = line(child);
        let is_worker = || of_child.windows(WORKER.len()).any(|window| window == WORKER);
        of_child == line(parent) || is_worker()
    }

    /// Where a descriptor leads: a path, `pipe:[1]`, `socket:[2]`.
    pub fn descriptor(&self, pid: i32, number: u64) -> Option<String> {
        let path = fs::read_link(format!("/proc/{pid}/fd/{number}")).ok()?;
        Some(path.to_string_lossy().into_owned())
    }

    /// Numbers of the descriptors of a process.
    pub fn descriptors(&self, pid: i32) -> Vec<u64> {
        let folder = fs::read_dir(format!("/proc/{pid}/fd"));
        let names = folder.into_iter().flatten().flatten().map(|entry| entry.file_name());
        names.filter_map(|name| name.to_str()?.parse().ok()).collect()
    }

    /// Bytes of its memory.
    pub fn memory(&self, pid: i32, address: u64, bytes: usize) -> Option<Vec<u8>> {
        let mut read = vec![0; bytes];
        File::open(format!("/proc/{pid}/mem")).ok()?.read_exact_at(&mut read, address).ok()?;
        Some(read)
    }

    /// A text about a process.
    pub fn text(&self, pid: i32, name: &str) -> Option<String> {
        fs::read_to_string(format!("/proc/{pid}/{name}")).ok()
    }

    /// Processor time of the thread that asks.
    pub fn processor_time(&self) -> Duration {
        let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
        let ran = text.split_whitespace().next().and_then(|n| n.parse().ok());
        Duration::from_nanos(ran.unwrap_or(0))
    }

    /// How much of the time that passed since the last look a thread was ready, and had no core.
    pub fn waited_for_core(&mut self, thread: i32, passed: Duration) -> Duration {
        let text = fs::read_to_string(format!("/proc/{thread}/schedstat")).unwrap_or_default();
        let Some(delay) = text.split_whitespace().nth(1).and_then(|n| n.parse::<u64>().ok()) else {
            return Duration::ZERO;
        };
        let before = self.delays.insert(thread, delay);
        let waited = before.map_or(0, |before| delay.saturating_sub(before));
        Duration::from_nanos(waited).min(passed)
    }
}

/// `7 0x7ffc 0x1 ...`; `running`; `-1 0x7ffc 0x7f5` outside of a call.
fn call(text: &str) -> Option<Call> {
    let mut words = text.split_whitespace();
    let number = words.next()?.parse().ok().filter(|number| *number >= 0)?;
    let mut arguments = [0; 6];
    for (argument, word) in arguments.iter_mut().zip(words) {
        *argument = u64::from_str_radix(word.strip_prefix("0x")?, 16).ok()?;
    }
    Some(Call { number, arguments })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_blocked_thread_has_a_call_with_arguments() {
        let found = call("61 0xffffffffffffffff 0x7ffd 0x0 0x0 0x0 0x0 0x7ffd 0x7fe1\n");
        let arguments = [u64::MAX, 0x7ffd, 0, 0, 0, 0];
        assert_eq!(found, Some(Call { number: 61, arguments }));
        assert_eq!(call("running\n"), None);
        assert_eq!(call("-1 0x7ffd 0x7fe1\n"), None);
    }
}
