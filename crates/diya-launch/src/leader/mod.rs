//! What the run waits for, seen from outside: every 10 ms, what its leading thread is doing.
//!
//! The leading thread is the first thread of the command; where that one waits for a process that
//! it started, or for data from it, that of the process; where it waits for a thread, the one that
//! is at work. The kernel says in which system call a thread is blocked (`/proc/PID/syscall`): that
//! needs nothing inside the program, and works for any language and for static programs.

mod activity;
mod blocked;
mod descriptors;
mod proc;
mod sockets;

use crate::LAUNCHERS;
use activity::Activity;
use blocked::Seen;
use proc::Proc;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Between two looks.
const PERIOD: Duration = Duration::from_millis(10);

/// The same for jobs of so many processes that a look takes long.
const LONGEST_PERIOD: Duration = Duration::from_millis(100);

/// A look may take one part in so many of a processor.
const QUIETEST: u32 = 100;

/// Processes that wait for each other, one behind another.
const LONGEST_CHAIN: usize = 16;

/// Bytes that the kernel keeps of a name.
const KERNEL_NAME: usize = 15;

/// Different activities that are distinguished.
const MOST_ROWS: usize = 256;

/// Time that the leading thread spent on something.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeaderTime {
    /// Name of the program, as the kernel has it: the first 15 bytes.
    pub program: String,
    /// What it did: `processor`, `core`, `disk`, `sleep`, `network`, `socket`, `pipe`, `child`,
    /// `lock`, `file lock`, `poll`, `terminal`, `stopped` or `other`.
    pub activity: String,
    /// What it waited for: `127.0.0.1:8080`, the path of a file.
    pub place: Option<String>,
    /// Another program of the run started it, other than a launcher; `None`: not known.
    #[serde(default)]
    pub started: Option<bool>,
    /// How long.
    pub time_ns: u64,
    /// How often it was seen so.
    pub seen: u64,
}

/// Looks at a program until it is asked for what it has seen.
#[derive(Debug)]
pub struct Watch {
    ends: Arc<AtomicBool>,
    wake: mpsc::Sender<()>,
    thread: JoinHandle<Vec<LeaderTime>>,
}

impl Watch {
    /// Watches the process of a command, and those that it starts.
    pub fn start(command: i32) -> Self {
        let ends = Arc::new(AtomicBool::new(false));
        let (wake, woken) = mpsc::channel();
        let is_over = Arc::clone(&ends);
        let thread = std::thread::spawn(move || watch(command, &is_over, &woken));
        Self { ends, wake, thread }
    }

    /// Those who took most of the time first.
    pub fn end(self) -> Vec<LeaderTime> {
        self.ends.store(true, Ordering::Relaxed);
        let _ = self.wake.send(());
        self.thread.join().unwrap_or_default()
    }
}

/// Program, whether another one started it, activity and place.
type Key = (String, bool, Activity, Option<String>);

type Sums = BTreeMap<Key, (Duration, u64)>;

/// What the leading thread of a program does.
struct Leading {
    program: String,
    /// Another program started it.
    started: bool,
    seen: Seen,
}

fn watch(command: i32, is_over: &AtomicBool, woken: &mpsc::Receiver<()>) -> Vec<LeaderTime> {
    let mut sums = Sums::new();
    let mut proc = Proc::default();
    let mut last = Instant::now();
    while !is_over.load(Ordering::Relaxed) {
        let began = Instant::now();
        let took = proc.processor_time();
        let seen = leader(&mut proc, command, 0, false);
        let took = proc.processor_time().saturating_sub(took);
        if let Some(of) = seen.filter(|of| !is_launcher(&of.program)) {
            let passed = began - last;
            let waited = proc.waited_for_core(of.seen.thread, passed);
            let Leading { program, started, seen } = of;
            add(&mut sums, (program.clone(), started, Activity::Core, None), waited, 0);
            add(&mut sums, (program, started, seen.activity, seen.place), passed - waited, 1);
        }
        last = began;
        // Woken before: the program has ended.
        let _ = woken.recv_timeout((took * QUIETEST).clamp(PERIOD, LONGEST_PERIOD));
    }
    rows(sums)
}

/// What a launcher waits for, its ranks on other nodes do.
fn is_launcher(program: &str) -> bool {
    let is_cut = program.len() == KERNEL_NAME;
    LAUNCHERS.iter().any(|name| *name == program || (is_cut && name.starts_with(program)))
}

fn add(sums: &mut Sums, key: Key, passed: Duration, seen: u64) {
    if passed.is_zero() || (sums.len() >= MOST_ROWS && !sums.contains_key(&key)) {
        return;
    }
    let sum = sums.entry(key).or_default();
    sum.0 += passed;
    sum.1 += seen;
}

fn rows(sums: Sums) -> Vec<LeaderTime> {
    let row = |((program, started, activity, place), (passed, seen)): (Key, _)| LeaderTime {
        program,
        activity: Activity::name(activity).to_owned(),
        place,
        started: Some(started),
        time_ns: u64::try_from(Duration::as_nanos(&passed)).unwrap_or(u64::MAX),
        seen,
    };
    let mut rows: Vec<LeaderTime> = sums.into_iter().map(row).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.time_ns));
    rows
}

/// What a process is doing, or the one that it waits for; `started`: by a program that is no
/// launcher. `None`: it is gone.
fn leader(proc: &mut Proc, pid: i32, depth: usize, started: bool) -> Option<Leading> {
    let own = blocked::process(proc, pid)?;
    let is_for_others = matches!(
        own.activity,
        Activity::Child | Activity::Pipe | Activity::Socket | Activity::Poll | Activity::Sleep
    );
    let program = proc.program(pid)?;
    if (is_for_others || is_launcher(&program)) && depth < LONGEST_CHAIN {
        let children = match own.child {
            Some(child) => vec![child],
            None => proc.children(pid),
        };
        // A program that sleeps between looks at its children waits for those that work.
        let mut below: Vec<Leading> = Vec::new();
        for child in children {
            let is_started = !is_launcher(&program) && (started || !proc.is_copy(child, pid));
            let Some(of) = leader(proc, child, depth + 1, is_started) else { continue };
            if of.seen.activity.is_work() {
                return Some(of);
            }
            below.push(of);
        }
        if let (false, Some(last)) = (own.activity == Activity::Sleep, below.pop()) {
            return Some(last);
        }
    }
    Some(Leading { program, started, seen: own })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    /// What is seen of a command in half a second.
    fn seen(command: &mut Command) -> Vec<LeaderTime> {
        let mut child = command.stdin(Stdio::piped()).spawn().expect("a shell");
        let watch = Watch::start(child.id().cast_signed());
        std::thread::sleep(Duration::from_millis(500));
        child.kill().expect("it runs");
        child.wait().expect("it ends");
        watch.end()
    }

    #[test]
    fn a_shell_that_waits_for_a_sleep_sleeps() {
        let all = seen(Command::new("sh").args(["-c", "sleep 0.6; true"]));
        let first = all.first().expect("a row");
        assert_eq!(
            (first.program.as_str(), first.activity.as_str()),
            ("sleep", "sleep"),
            "{all:?}"
        );
        assert_eq!(first.started, Some(true), "by the shell");
        assert!(first.time_ns > 250_000_000, "{all:?}");
    }

    #[test]
    fn a_program_that_reads_from_nobody_waits_for_a_pipe() {
        let all = seen(Command::new("sh").args(["-c", "read line"]));
        assert_eq!(all.first().map(|of| of.activity.as_str()), Some("pipe"), "{all:?}");
    }

    #[test]
    fn a_launcher_waits_for_its_ranks() {
        assert!(is_launcher("srun") && is_launcher("hydra_bstrap_pr") && !is_launcher("s"));
    }

    #[test]
    fn a_program_that_computes_is_on_a_processor() {
        let all = seen(Command::new("sh").args(["-c", "while :; do :; done"]));
        let busy: u64 = all
            .iter()
            .filter(|of| of.activity == "processor" || of.activity == "core")
            .map(|of| of.time_ns)
            .sum();
        let sum: u64 = all.iter().map(|of| of.time_ns).sum();
        assert!(busy * 10 > sum * 9, "{all:?}");
    }
}
