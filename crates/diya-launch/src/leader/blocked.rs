//! What a process is doing, by the system calls that its threads are blocked in.

use super::activity::Activity;
use super::descriptors;
use super::proc::{Call, Proc};
use nix::libc;

/// What was seen of a thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Seen {
    pub thread: i32,
    pub activity: Activity,
    pub place: Option<String>,
    /// The process that it waits for; `None`: any.
    pub child: Option<i32>,
    /// The wait ends by itself, at a time that the thread has set.
    pub is_timed: bool,
}

impl Seen {
    pub fn new(thread: i32, activity: Activity, place: Option<String>) -> Self {
        Self { thread, activity, place, child: None, is_timed: activity == Activity::Sleep }
    }
}

/// The first thread of a process, or where it waits for another thread, the one that is at work,
/// else one that waits for something else than threads. `None`: the process has ended.
pub(super) fn process(proc: &mut Proc, pid: i32) -> Option<Seen> {
    let first = thread(proc, pid, pid)?;
    let sleeps = first.activity == Activity::Sleep;
    // A server that waits for clients does what its other threads do.
    let waits = matches!(first.activity, Activity::Lock | Activity::Poll | Activity::Listening);
    if !sleeps && !waits {
        return Some(first);
    }
    let threads = proc.threads(pid).into_iter().filter(|other| *other != pid);
    let others: Vec<Seen> = threads.filter_map(|other| thread(proc, pid, other)).collect();
    let at_work = others.iter().find(|of| of.activity.is_work());
    // Who sleeps between two looks at the others waits for those that work, and for no other. A
    // sleep says least: runtimes such as that of Go have a thread that looks at the others.
    let says = |of: &&Seen| match of.activity {
        Activity::Lock | Activity::Poll | Activity::Listening => 2,
        Activity::Sleep => 1,
        _ => 0,
    };
    let waits_too = || others.iter().min_by_key(says).filter(|of| !sleeps && says(of) < 2);
    if let Some(found) = at_work.or_else(waits_too) {
        return Some(found.clone());
    }
    // All threads wait for each other: only a time that one of them has set goes on, as where all
    // goroutines of a Go program sleep.
    let is_timed = first.is_timed || others.iter().any(|of| of.is_timed);
    let is_server = first.activity == Activity::Listening;
    let activity = if is_timed && !is_server { Activity::Sleep } else { first.activity };
    Some(Seen { activity, ..first })
}

fn thread(proc: &mut Proc, pid: i32, thread: i32) -> Option<Seen> {
    match proc.state(pid, thread)? {
        // `t`: in a call that ptrace records.
        'R' | 't' => Some(Seen::new(thread, Activity::Processor, None)),
        'Z' | 'X' => None,
        'T' => Some(Seen::new(thread, Activity::Stopped, None)),
        state => match proc.call(pid, thread) {
            Some(call) => Some(blocked(proc, pid, thread, call)),
            // It runs again by now; or a page comes from a device.
            None if state == 'D' => Some(Seen::new(thread, Activity::Disk, None)),
            None if proc.is_readable(pid, thread) => {
                Some(Seen::new(thread, Activity::Processor, None))
            }
            // The system does not say what it is blocked in.
            None => Some(Seen::new(thread, Activity::Other, None)),
        },
    }
}

fn blocked(proc: &mut Proc, pid: i32, thread: i32, call: Call) -> Seen {
    let [first, second, third, fourth, fifth, _] = call.arguments;
    let seen = |activity| Seen::new(thread, activity, None);
    let number = call.number;
    let of_fd = |proc: &mut Proc| {
        let (activity, place) = descriptors::one(proc, pid, first);
        Seen::new(thread, activity, place)
    };
    match number {
        libc::SYS_nanosleep | libc::SYS_clock_nanosleep => seen(Activity::Sleep),
        libc::SYS_rt_sigsuspend | libc::SYS_rt_sigtimedwait => seen(Activity::Other),
        libc::SYS_futex => Seen { is_timed: fourth != 0, ..seen(Activity::Lock) },
        libc::SYS_wait4 => {
            let child = i32::try_from(first.cast_signed()).ok().filter(|child| *child > 0);
            Seen { child, ..seen(Activity::Child) }
        }
        libc::SYS_waitid => {
            let is_one = first == u64::from(libc::P_PID);
            let child = i32::try_from(second).ok().filter(|child| is_one && *child > 0);
            Seen { child, ..seen(Activity::Child) }
        }
        libc::SYS_flock => Seen { activity: Activity::FileLock, ..of_fd(proc) },
        libc::SYS_fcntl if is_lock(second) => Seen { activity: Activity::FileLock, ..of_fd(proc) },
        libc::SYS_semop | libc::SYS_semtimedop | libc::SYS_msgrcv => seen(Activity::Other),
        _ if [libc::SYS_ppoll, OLD.poll].contains(&number) => {
            let is_timed = if number == OLD.poll { is_time(third) } else { third != 0 };
            several(thread, is_timed, descriptors::polled(proc, pid, first, second))
        }
        _ if [libc::SYS_pselect6, OLD.select].contains(&number) => {
            several(thread, fifth != 0, descriptors::selected(proc, pid, first, [second, third]))
        }
        _ if [libc::SYS_epoll_pwait, OLD.epoll_wait].contains(&number) => {
            several(thread, is_time(fourth), descriptors::watched(proc, pid, first))
        }
        _ if number == OLD.pause => seen(Activity::Other),
        _ if is_of_descriptor(number) => of_fd(proc),
        _ => seen(Activity::Disk),
    }
}

fn several(thread: i32, is_timed: bool, found: Option<(Activity, Option<String>)>) -> Seen {
    // No descriptor: it waits for the time only.
    let (activity, place) = found.unwrap_or((Activity::Sleep, None));
    Seen { is_timed, ..Seen::new(thread, activity, place) }
}

/// Milliseconds of a 32-bit argument; -1: without end.
fn is_time(argument: u64) -> bool {
    argument as i32 > 0
}

fn is_lock(command: u64) -> bool {
    let of = |command: i32| u64::try_from(command).unwrap_or(u64::MAX);
    command == of(libc::F_SETLKW) || command == of(libc::F_OFD_SETLKW)
}

/// Calls whose first argument is what they wait for.
fn is_of_descriptor(number: i64) -> bool {
    [
        libc::SYS_read,
        libc::SYS_write,
        libc::SYS_readv,
        libc::SYS_writev,
        libc::SYS_pread64,
        libc::SYS_pwrite64,
        libc::SYS_recvfrom,
        libc::SYS_recvmsg,
        libc::SYS_recvmmsg,
        libc::SYS_sendto,
        libc::SYS_sendmsg,
        libc::SYS_accept,
        libc::SYS_accept4,
        libc::SYS_connect,
        libc::SYS_fsync,
        libc::SYS_fdatasync,
    ]
    .contains(&number)
}

/// Calls that newer processors do not have.
struct Old {
    poll: i64,
    select: i64,
    epoll_wait: i64,
    pause: i64,
}

#[cfg(target_arch = "x86_64")]
const OLD: Old = Old {
    poll: libc::SYS_poll,
    select: libc::SYS_select,
    epoll_wait: libc::SYS_epoll_wait,
    pause: libc::SYS_pause,
};

#[cfg(not(target_arch = "x86_64"))]
const OLD: Old = Old { poll: -1, select: -1, epoll_wait: -1, pause: -1 };
