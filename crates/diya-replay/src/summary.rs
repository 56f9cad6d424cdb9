//! The replay beside the recording: calls, bytes and time of each class.

use crate::effect::Initial;
use crate::operation::Operation;
use crate::outcome::{Outcome, Outcomes};
use crate::plan::{Plan, Request};
use crate::recording::LeftOut;
use diya_tables::Op;
use serde::Serialize;

/// Classes of calls, in the order of the table.
const CLASSES: [&str; 4] = ["read", "write", "sync", "metadata"];

/// Class of an operation: its place in [`CLASSES`].
const fn class_of(op: Op) -> usize {
    use diya_tables::Class as Of;

    match Of::of(op) {
        Of::Read => 0,
        Of::Write => 1,
        Of::Sync => 2,
        // Replays issue few of these, which move nothing.
        Of::Metadata | Of::Lock | Of::Map | Of::Completion | Of::Child => 3,
    }
}

/// What a replay will do.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Estimate {
    /// Files that are made or used.
    pub files: u64,
    /// Files that are prepared.
    pub prepared_files: u64,
    /// Their bytes.
    pub prepared_bytes: u64,
    /// Bytes that the calls write.
    pub written_bytes: u64,
    /// Bytes that the calls read.
    pub read_bytes: u64,
    /// Largest bytes of all files together.
    pub most_bytes: u64,
    /// Calls.
    pub calls: u64,
    /// Threads.
    pub threads: u64,
    /// Duration at the speed of the recording, gaps included, s.
    pub recorded_s: f64,
    /// Longest time of one thread inside its calls, at the speed of the recording, s.
    pub io_s: f64,
    /// Calls of the log that are not issued.
    pub left_out_calls: u64,
}

/// Calls of one class.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Class {
    /// read, write, sync or metadata.
    pub class: String,
    /// Calls in the recording.
    pub recorded_calls: u64,
    /// Calls to issue: those of the recording, or what transforms made of them.
    pub planned_calls: u64,
    /// Calls that were issued.
    pub issued_calls: u64,
    /// Bytes that they moved in the recording.
    pub recorded_bytes: u64,
    /// Bytes to move.
    pub planned_bytes: u64,
    /// Bytes that they moved now.
    pub issued_bytes: u64,
    /// Time inside them in the recording, sum over ranks, s.
    pub recorded_s: f64,
    /// Time inside them now, sum over ranks, s.
    pub issued_s: f64,
}

/// What a replay did, beside the recording.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// Name of the log.
    pub log: String,
    /// Classes that have calls.
    pub classes: Vec<Class>,
    /// From the first request to the end of the last, in the recording, s.
    pub recorded_s: f64,
    /// The same now, s.
    pub elapsed_s: f64,
    /// Calls that fail now, and did not, or the other way round.
    pub different_calls: u64,
    /// Names of the functions of these calls, with their number.
    pub different: Vec<(String, u64)>,
    /// Calls that were not issued, and why.
    pub left_out: Vec<LeftOut>,
    /// What was changed.
    pub transforms: Vec<String>,
    /// Transforms that found nothing to change.
    pub idle_transforms: Vec<String>,
    /// What the time between calls was multiplied by: 1, as in the recording.
    pub gap_factor: f64,
    /// Nothing was issued: bytes and times are estimated.
    pub is_predicted: bool,
    /// Calls and bytes are those of the recording, or those of the transforms.
    pub is_equal: bool,
}

/// What the plan will do.
pub fn estimate(plan: &Plan) -> Estimate {
    let sizes = || {
        plan.initial.iter().filter_map(|initial| match initial {
            Initial::File(bytes) => Some(*bytes),
            _ => None,
        })
    };
    let requests =
        || plan.lanes.iter().flatten().filter(|request| request.operation != Operation::Meet);
    let bytes = |op: Op| requests().filter(|r| r.op == op).map(|r| r.bytes).sum();
    let lane = |lane: &Vec<Request>| lane.iter().map(|request| request.busy_s).sum::<f64>();
    Estimate {
        files: plan.files.len() as u64,
        prepared_files: sizes().count() as u64,
        prepared_bytes: sizes().fold(0, u64::saturating_add),
        written_bytes: bytes(Op::Write),
        read_bytes: bytes(Op::Read),
        most_bytes: plan.most_bytes,
        calls: requests().map(|request| request.calls).sum(),
        threads: plan.lanes.len() as u64,
        recorded_s: plan.span_s,
        io_s: plan.lanes.iter().map(lane).fold(0.0, f64::max),
        left_out_calls: plan.left_out.iter().map(|out| out.calls).sum(),
    }
}

/// Compares what was done with the recording.
pub fn summary(plan: &Plan, outcomes: &Outcomes) -> Summary {
    let mut classes: Vec<Class> = CLASSES.iter().map(|class| named(class)).collect();
    for (op, totals) in &plan.recorded {
        if let Some(class) = classes.get_mut(class_of(*op)) {
            class.recorded_calls += totals.calls;
            class.recorded_bytes += totals.bytes;
            class.recorded_s += totals.busy_s;
        }
    }
    let mut different = vec![0_u64; plan.functions.len()];
    let pairs =
        plan.lanes.iter().zip(&outcomes.lanes).flat_map(|(lane, done)| lane.iter().zip(done));
    for (request, outcome) in pairs.filter(|(request, _)| request.operation != Operation::Meet) {
        if let Some(class) = classes.get_mut(class_of(request.op)) {
            add(class, request, outcome);
        }
        if outcome.is_done
            && outcome.error.is_some() != request.has_failed
            && let Some(count) = different.get_mut(request.function as usize)
        {
            *count += request.calls;
        }
    }
    classes.retain(|class| class.recorded_calls > 0);
    let named = plan.functions.iter().cloned().zip(different);
    let mut different: Vec<(String, u64)> = named.filter(|(_, calls)| *calls > 0).collect();
    different.sort_by_key(|(_, calls)| std::cmp::Reverse(*calls));
    let is_equal = classes.iter().all(|class| {
        class.planned_calls == class.issued_calls && class.planned_bytes == class.issued_bytes
    });
    Summary {
        log: plan.log.clone(),
        classes,
        recorded_s: plan.span_s,
        elapsed_s: outcomes.elapsed_s,
        different_calls: different.iter().map(|(_, calls)| calls).sum(),
        different,
        left_out: plan.left_out.clone(),
        transforms: plan.transforms.clone(),
        idle_transforms: plan.idle_transforms.clone(),
        gap_factor: 1.0,
        is_predicted: false,
        is_equal,
    }
}

fn named(class: &str) -> Class {
    Class { class: class.to_owned(), ..Class::default() }
}

fn add(class: &mut Class, request: &Request, outcome: &Outcome) {
    class.planned_calls += request.calls;
    class.planned_bytes += request.bytes;
    if outcome.is_done {
        class.issued_calls += request.calls;
        class.issued_bytes += outcome.bytes;
        class.issued_s += outcome.end_ns.saturating_sub(outcome.start_ns) as f64 / 1e9;
    }
}
