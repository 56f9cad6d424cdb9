//! Issues the requests of a plan, one thread each lane, and measures them.

use crate::buffer::Buffer;
use crate::error::ReplayError;
use crate::issue::Shared;
use crate::kind::Kind;
use crate::plan::{Plan, Request};
use crate::replay_folder::ReplayFolder;
use rustix::io::Errno;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Condvar, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// What becomes of the time between the requests of a rank.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Gaps {
    /// As in the recording, multiplied by this.
    Times(f64),
    /// None.
    Drop,
}

/// What a request did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Outcome {
    /// Start, since the start of the replay.
    pub start_ns: u64,
    /// End, since the start of the replay.
    pub end_ns: u64,
    /// Bytes that were moved.
    pub bytes: u64,
    /// Name of its error, if it failed.
    pub error: Option<&'static str>,
    /// It was issued.
    pub is_done: bool,
}

/// What a replay did.
#[derive(Debug, Default)]
pub struct Outcomes {
    /// By lane and request, as in the plan.
    pub lanes: Vec<Vec<Outcome>>,
    /// From the start of the first request to the end of the last.
    pub elapsed_s: f64,
}

/// Below this a gap is waited for in a loop: a sleep takes longer.
const SHORT: Duration = Duration::from_micros(120);

/// Issues all requests.
///
/// # Errors
///
/// If there is no space left, or the device fails. `stop` ends it early, without an error.
pub fn run(
    plan: &Plan,
    replay_folder: &ReplayFolder,
    gaps: Gaps,
    stop: &AtomicBool,
) -> Result<Outcomes, ReplayError> {
    let shared = Shared::new(plan, replay_folder);
    let lanes: Vec<Point> = plan.lanes.iter().map(|_| Point::default()).collect();
    let meetings: Vec<Point> = plan.meetings.iter().map(|_| Point::default()).collect();
    let fault = OnceLock::new();
    let run = &Run {
        shared: &shared,
        lanes: &lanes,
        meetings: &meetings,
        gaps,
        stop,
        fault: &fault,
        start: Instant::now() + Duration::from_millis(10),
    };
    let outcomes: Vec<Vec<Outcome>> = std::thread::scope(|scope| {
        let threads: Vec<_> =
            (0..plan.lanes.len()).map(|lane| scope.spawn(move || run.lane(lane))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap_or_default()).collect()
    });
    if let Some((path, error)) = fault.into_inner() {
        return Err(ReplayError::Io { path, error });
    }
    let done = || outcomes.iter().flatten().filter(|outcome| outcome.is_done);
    let first = done().map(|outcome| outcome.start_ns).min().unwrap_or(0);
    let last = done().map(|outcome| outcome.end_ns).max().unwrap_or(first);
    Ok(Outcomes { lanes: outcomes, elapsed_s: (last - first) as f64 / 1e9 })
}

/// How far a thread is, for those that wait for it.
#[derive(Default)]
struct Point {
    done: AtomicU32,
    waiting: AtomicU32,
    lock: Mutex<()>,
    changed: Condvar,
}

impl Point {
    fn advance(&self) {
        self.done.fetch_add(1, Ordering::SeqCst);
        if self.waiting.load(Ordering::SeqCst) > 0 {
            let _guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
            self.changed.notify_all();
        }
    }

    fn wait(&self, done: u32, is_over: impl Fn() -> bool) {
        if self.done.load(Ordering::SeqCst) >= done {
            return;
        }
        self.waiting.fetch_add(1, Ordering::SeqCst);
        let mut guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        while self.done.load(Ordering::SeqCst) < done && !is_over() {
            // The time limit is for the end of the replay, which nobody announces here.
            let woken = self.changed.wait_timeout(guard, Duration::from_millis(20));
            guard = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
        drop(guard);
        self.waiting.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Name of an error; those that calls of a replay have.
fn name_of(error: Errno) -> &'static str {
    match error {
        Errno::NOENT => "ENOENT",
        Errno::EXIST => "EEXIST",
        Errno::NOTDIR => "ENOTDIR",
        Errno::ISDIR => "EISDIR",
        Errno::NOTEMPTY => "ENOTEMPTY",
        Errno::BADF => "EBADF",
        Errno::INVAL => "EINVAL",
        Errno::NOSPC => "ENOSPC",
        Errno::DQUOT => "EDQUOT",
        Errno::MFILE => "EMFILE",
        Errno::ACCESS => "EACCES",
        Errno::PERM => "EPERM",
        Errno::FBIG => "EFBIG",
        Errno::LOOP => "ELOOP",
        Errno::NAMETOOLONG => "ENAMETOOLONG",
        Errno::OPNOTSUPP => "EOPNOTSUPP",
        Errno::IO => "EIO",
        _ => "unknown",
    }
}

struct Run<'r> {
    shared: &'r Shared<'r>,
    lanes: &'r [Point],
    meetings: &'r [Point],
    gaps: Gaps,
    stop: &'r AtomicBool,
    fault: &'r OnceLock<(String, std::io::Error)>,
    start: Instant,
}

impl Run<'_> {
    fn lane(&self, lane: usize) -> Vec<Outcome> {
        let plan = self.shared.plan;
        let requests = plan.lanes.get(lane).map_or(&[][..], Vec::as_slice);
        let reads = requests.iter().filter(|request| request.kind.is_read());
        let most = reads.map(|request| request.requested).max().unwrap_or(0);
        let mut target = Buffer::new(usize::try_from(most).unwrap_or(usize::MAX));
        let mut outcomes = vec![Outcome::default(); requests.len()];
        self.pause_until(self.start);
        for (request, outcome) in requests.iter().zip(&mut outcomes) {
            if self.is_over() {
                break;
            }
            self.wait_for(request);
            if self.is_over() {
                break;
            }
            if request.kind == Kind::Meet {
                self.meet(request);
            } else {
                *outcome = self.one(request, &mut target);
            }
            if let Some(point) = self.lanes.get(lane) {
                point.advance();
            }
        }
        outcomes
    }

    fn wait_for(&self, request: &Request) {
        let (first, last) = request.waits;
        let waits = self.shared.plan.waits.get(first as usize..last as usize).unwrap_or(&[]);
        for wait in waits {
            if let Some(point) = self.lanes.get(wait.lane as usize) {
                point.wait(wait.done, || self.is_over());
            }
        }
        if let Gaps::Times(factor) = self.gaps
            && let Ok(gap) = Duration::try_from_secs_f64(request.gap_s * factor)
            && let Some(end) = Instant::now().checked_add(gap)
        {
            self.pause_until(end);
        }
    }

    fn meet(&self, request: &Request) {
        let number = request.slot.unwrap_or(0) as usize;
        let members = self.shared.plan.meetings.get(number).copied().unwrap_or(0);
        if let Some(point) = self.meetings.get(number) {
            point.advance();
            point.wait(members, || self.is_over());
        }
    }

    fn one(&self, request: &Request, target: &mut Buffer) -> Outcome {
        let prepared = self.shared.prepare(request);
        let start = Instant::now();
        let result = prepared.and_then(|()| self.shared.issue(request, target));
        let end = Instant::now();
        if let Err(error @ (Errno::NOSPC | Errno::DQUOT | Errno::IO | Errno::ROFS)) = result {
            let path = self.shared.plan.files.get(request.file as usize);
            let path = path.map_or_else(String::new, |file| file.path.clone());
            let _ = self.fault.set((path, error.into()));
        }
        let since = |at: Instant| {
            u64::try_from(at.saturating_duration_since(self.start).as_nanos()).unwrap_or(u64::MAX)
        };
        Outcome {
            start_ns: since(start),
            end_ns: since(end),
            bytes: result.unwrap_or(0),
            error: result.err().map(name_of),
            is_done: true,
        }
    }

    fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.fault.get().is_some()
    }

    /// Sleeps until shortly before, and watches the clock for the rest.
    fn pause_until(&self, end: Instant) {
        loop {
            let rest = end.saturating_duration_since(Instant::now());
            if rest.is_zero() || self.is_over() {
                return;
            }
            match rest > SHORT {
                true => std::thread::sleep((rest - SHORT / 2).min(Duration::from_millis(100))),
                false => std::hint::spin_loop(),
            }
        }
    }
}
