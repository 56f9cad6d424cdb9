//! Issues the requests of a plan, one thread each lane, and measures them.

use crate::buffer::Buffer;
use crate::error::ReplayError;
use crate::issue::Shared;
use crate::nodes::{LaneOutcomes, Link, Nodes};
use crate::operation::Operation;
use crate::outcome::{Gaps, Outcome, Outcomes, name_of};
use crate::pace::Pace;
use crate::plan::{Plan, Request};
use crate::replay_folder::ReplayFolder;
use rustix::io::Errno;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Below this a gap is waited for in a loop: a sleep takes longer.
const SHORT: Duration = Duration::from_micros(120);

/// Issues all requests; with `nodes`, those of this node. Node 0 has the outcomes of all.
///
/// # Errors
///
/// If there is no space left, the device fails, or another node ends early. `is_over` ends it
/// early, without an error.
pub fn run(
    plan: &Plan,
    replay_folder: &ReplayFolder,
    gaps: Gaps,
    nodes: Option<&Nodes>,
    is_over: &(dyn Fn() -> bool + Sync),
) -> Result<Outcomes, ReplayError> {
    let shared = Shared::new(plan, replay_folder);
    let (link, fault) = (Link::new(plan, nodes), OnceLock::new());
    let replay = &Replay {
        shared: &shared,
        link: &link,
        gaps,
        stop: is_over,
        fault: &fault,
        start: Instant::now() + Duration::from_millis(10),
    };
    let mut outcomes: Vec<Vec<Outcome>> = vec![Vec::new(); plan.lanes.len()];
    std::thread::scope(|scope| {
        let peers: Vec<_> =
            (0..link.peers()).map(|peer| scope.spawn(move || replay.listen(peer))).collect();
        let lanes = plan.lanes_of(link.node());
        let lanes: Vec<_> =
            lanes.map(|lane| (lane, scope.spawn(move || replay.lane(lane)))).collect();
        for (lane, thread) in lanes {
            outcomes[lane] = thread.join().unwrap_or_default();
        }
        if !replay.is_over() {
            link.finish(&outcomes);
        }
        for thread in peers {
            for (lane, of_lane) in thread.join().unwrap_or_default() {
                outcomes[lane] = of_lane;
            }
        }
    });
    if let Some(error) = fault.into_inner() {
        return Err(error);
    }
    if !is_over() {
        link.end();
    }
    let done = || outcomes.iter().flatten().filter(|outcome| outcome.is_done);
    let first = done().map(|outcome| outcome.start_ns).min().unwrap_or(0);
    let last = done().map(|outcome| outcome.end_ns).max().unwrap_or(first);
    Ok(Outcomes { lanes: outcomes, elapsed_s: (last - first) as f64 / 1e9 })
}

struct Replay<'r> {
    shared: &'r Shared<'r>,
    link: &'r Link<'r>,
    gaps: Gaps,
    stop: &'r (dyn Fn() -> bool + Sync),
    fault: &'r OnceLock<ReplayError>,
    start: Instant,
}

impl Replay<'_> {
    fn lane(&self, lane: usize) -> Vec<Outcome> {
        let plan = self.shared.plan;
        let requests = plan.lanes.get(lane).map_or(&[][..], Vec::as_slice);
        let reads = requests.iter().filter(|request| request.operation.is_read());
        let most = reads.map(|request| request.requested).max().unwrap_or(0);
        let mut target = Buffer::new(usize::try_from(most).unwrap_or(usize::MAX));
        let mut outcomes = vec![Outcome::default(); requests.len()];
        self.pause_until(self.start);
        let mut pace = Pace::new(self.start);
        for (request, outcome) in requests.iter().zip(&mut outcomes) {
            if self.is_over() {
                break;
            }
            let due = self.wait_for(request, &mut pace);
            if self.is_over() {
                break;
            }
            if request.operation == Operation::Meet {
                self.link.meet(request.slot.unwrap_or(0), || self.is_over());
                pace.end(Instant::now());
            } else {
                *outcome = self.one(request, &mut target, &mut pace, due);
            }
            self.link.advance(lane as u32);
        }
        outcomes
    }

    /// Waits for others and for the computing before a request; returns when it was due;
    /// `None`: at once.
    fn wait_for(&self, request: &Request, pace: &mut Pace) -> Option<Instant> {
        let (first, last) = request.waits;
        let waits = self.shared.plan.waits.get(first as usize..last as usize).unwrap_or(&[]);
        for wait in waits {
            if let Some(point) = self.link.lane(wait.lane) {
                point.wait(wait.done, || self.is_over());
            }
        }
        if !waits.is_empty() {
            pace.end(Instant::now());
        }
        let Gaps::Times(factor) = self.gaps else { return None };
        let due = pace.due(Duration::try_from_secs_f64(request.gap_s * factor).ok()?)?;
        self.pause_until(due);
        Some(due)
    }

    /// What another node says, until its end.
    fn listen(&self, peer: usize) -> LaneOutcomes {
        self.link.listen(peer, &|| self.is_over()).unwrap_or_else(|error| {
            if !self.is_over() {
                let _ = self.fault.set(error);
            }
            Vec::new()
        })
    }

    fn one(
        &self,
        request: &Request,
        target: &mut Buffer,
        pace: &mut Pace,
        due: Option<Instant>,
    ) -> Outcome {
        let prepared = self.shared.prepare(request);
        let start = Instant::now();
        let result = prepared.and_then(|()| self.shared.issue(request, target));
        let end = Instant::now();
        due.into_iter().for_each(|due| pace.begin(due, start));
        pace.end(end);
        if let Err(error @ (Errno::NOSPC | Errno::DQUOT | Errno::IO | Errno::ROFS)) = result {
            let path = self.shared.plan.files.get(request.file as usize);
            let path = path.map_or_else(String::new, |file| file.path.clone());
            let _ = self.fault.set(ReplayError::Io { path, error: error.into() });
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
        (self.stop)() || self.fault.get().is_some()
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
