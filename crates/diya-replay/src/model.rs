//! What a plan would take at the costs of the recording: nothing is issued.
//!
//! A call that no transform changed takes its recorded time, a changed one what its operation costs in
//! the recording. Threads run as in a replay: with their gaps, and waiting for each other.

use crate::operation::Operation;
use crate::outcome::{Gaps, Outcome, Outcomes};
use crate::plan::{Plan, Request};

/// What a replay of the plan would measure.
pub fn predict(plan: &Plan, gaps: Gaps) -> Outcomes {
    let mut lanes: Vec<Lane> = plan.lanes.iter().map(|_| Lane::default()).collect();
    let mut arrivals: Vec<Vec<f64>> = vec![Vec::new(); plan.meetings.len()];
    loop {
        let mut has_moved = false;
        for at in 0..lanes.len() {
            while let Some(outcome) = step(plan, at, gaps, &mut lanes, &mut arrivals) {
                lanes[at].now_s = outcome.1;
                lanes[at].ends_s.push(outcome.1);
                lanes[at].outcomes.push(outcome.0);
                lanes[at].has_come = false;
                has_moved = true;
            }
        }
        if !has_moved {
            break;
        }
    }
    let elapsed_s = lanes.iter().map(|lane| lane.now_s).fold(0.0, f64::max);
    Outcomes { lanes: lanes.into_iter().map(|lane| lane.outcomes).collect(), elapsed_s }
}

/// A thread of the prediction.
#[derive(Default)]
struct Lane {
    now_s: f64,
    ends_s: Vec<f64>,
    outcomes: Vec<Outcome>,
    /// It is at a meeting.
    has_come: bool,
}

/// The next request of a thread and its end; `None`: it waits, or there is none.
fn step(
    plan: &Plan,
    at: usize,
    gaps: Gaps,
    lanes: &mut [Lane],
    arrivals: &mut [Vec<f64>],
) -> Option<(Outcome, f64)> {
    let request = plan.lanes.get(at)?.get(lanes.get(at)?.outcomes.len())?;
    let mut start_s = lanes.get(at)?.now_s;
    let waits = plan.waits.get(request.waits.0 as usize..request.waits.1 as usize)?;
    for wait in waits {
        let end =
            lanes.get(wait.lane as usize)?.ends_s.get((wait.done as usize).checked_sub(1)?)?;
        start_s = start_s.max(*end);
    }
    if let Gaps::Times(factor) = gaps {
        start_s += request.gap_s * factor;
    }
    if request.operation == Operation::Meet {
        let number = request.slot? as usize;
        let came = arrivals.get_mut(number)?;
        let lane = lanes.get_mut(at)?;
        if !std::mem::replace(&mut lane.has_come, true) {
            came.push(start_s);
        }
        let is_complete = came.len() >= *plan.meetings.get(number)? as usize;
        let all_s = came.iter().copied().fold(0.0, f64::max);
        return is_complete.then(|| (Outcome::default(), all_s));
    }
    let end_s = start_s + seconds(plan, request);
    let ns = |s: f64| (s * 1e9) as u64;
    let outcome = Outcome {
        start_ns: ns(start_s),
        end_ns: ns(end_s),
        bytes: request.bytes,
        error: request.has_failed.then_some("unknown"),
        is_done: true,
    };
    Some((outcome, end_s))
}

/// The recorded time of a call that did not change, else that of the costs.
fn seconds(plan: &Plan, request: &Request) -> f64 {
    match request.is_changed {
        false => request.busy_s,
        true => {
            let cost = plan.costs.get(&request.operation).copied().unwrap_or_default();
            cost.of(request.calls, request.bytes)
        }
    }
}
