//! The plan of a replay: files that have to be there, and for each thread its requests in
//! their order, each with what it waits for.
//!
//! Every wait is for a request that counts earlier in the recording (`Step::at_s`), and the
//! requests of a thread are in the same order: so no two threads wait for each other.

use crate::cost::{Costs, costs};
use crate::effect::{Initial, Wait};
use crate::error::ReplayError;
use crate::files::Files;
use crate::lanes::{Lanes, lanes};
use crate::operation::Operation;
use crate::order::Order;
use crate::recording::{LeftOut, Recording, ReplayFile, Stream};
use crate::slots::{Slot, Slots};
use crate::step::Step;
use crate::transform::{Transform, transform};
use diya_tables::Op;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Threads of a replay on one node.
pub const MAX_LANES: usize = 64;

/// What a replay does.
#[derive(Debug)]
pub struct Plan {
    /// Name of the log.
    pub log: String,
    /// Command line of the program, where it is recorded.
    pub command_line: Option<String>,
    /// One thread each.
    pub lanes: Vec<Vec<Request>>,
    /// Number of the node of each lane.
    pub nodes: Vec<u32>,
    /// Ranks of the requests of each lane; -1: of several.
    pub ranks: Vec<i32>,
    /// Files by their numbers.
    pub files: Vec<ReplayFile>,
    /// What has to be there before: by the number of the file.
    pub initial: Vec<Initial>,
    /// Open files, streams and directories.
    pub slots: Vec<Slot>,
    /// How many come to each meeting.
    pub meetings: Vec<u32>,
    /// What requests wait for.
    pub waits: Vec<Wait>,
    /// Names of functions.
    pub functions: Vec<String>,
    /// Calls that are not issued.
    pub left_out: Vec<LeftOut>,
    /// What was changed.
    pub transforms: Vec<String>,
    /// Transforms that found nothing to change.
    pub idle_transforms: Vec<String>,
    /// Calls of the recording by operation, before they were changed.
    pub recorded: Vec<(Op, Totals)>,
    /// What requests cost in the recording, by operation.
    pub costs: Costs,
    /// From the first request to the end of the last, in the recording.
    pub span_s: f64,
    /// Largest bytes of all files together.
    pub most_bytes: u64,
}

/// Calls of one operation.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Totals {
    /// Calls.
    pub calls: u64,
    /// Bytes that they moved.
    pub bytes: u64,
    /// Time inside them, s.
    pub busy_s: f64,
}

/// A request, or several tiny ones that were recorded as one.
#[derive(Debug, Clone, Copy)]
pub struct Request {
    /// What it does.
    pub operation: Operation,
    /// Operation in the log.
    pub op: Op,
    /// Rank that made the call.
    pub rank: i32,
    /// Number of the file.
    pub file: u32,
    /// Number of the function.
    pub function: u32,
    /// Number of the open file, or of the meeting.
    pub slot: Option<u32>,
    /// Where it starts.
    pub offset: u64,
    /// Bytes that were moved.
    pub bytes: u64,
    /// Bytes to ask for.
    pub requested: u64,
    /// A further number whose meaning the function gives.
    pub aux: Option<i64>,
    /// Calls to issue.
    pub calls: u64,
    /// Time between what it waits for and its start, in the recording.
    pub gap_s: f64,
    /// Time inside the calls, in the recording.
    pub busy_s: f64,
    /// What it waits for: first and one past the last of `Plan::waits`.
    pub waits: (u32, u32),
    /// It failed because of what is there, or not there.
    pub has_failed: bool,
    /// A transform changed it.
    pub is_changed: bool,
}

impl Plan {
    /// Whether each node has at most [`MAX_LANES`] threads.
    ///
    /// # Errors
    ///
    /// If more ranks or threads make calls at the same time on one node.
    pub fn check_lanes(&self) -> Result<(), ReplayError> {
        let mut lanes: HashMap<u32, usize> = HashMap::new();
        self.nodes.iter().for_each(|node| *lanes.entry(*node).or_default() += 1);
        match lanes.into_values().max() {
            Some(needed) if needed > MAX_LANES => Err(ReplayError::TooManyRanks {
                needed,
                most: MAX_LANES,
                nodes: self.lanes.len().div_ceil(MAX_LANES),
            }),
            _ => Ok(()),
        }
    }

    /// The lanes of a node.
    pub(crate) fn lanes_of(&self, node: u32) -> impl Iterator<Item = usize> + '_ {
        (0..self.lanes.len()).filter(move |lane| self.nodes.get(*lane) == Some(&node))
    }
}

/// Makes the plan for so many nodes, of the calls as the transforms change them.
pub fn plan(mut recording: Recording, transforms: &[Transform], nodes: u32) -> Plan {
    let recorded = totals(&recording.steps);
    let costs = costs(&recording.steps);
    transform(&mut recording, transforms);
    let steps = with_meetings(&mut recording);
    let Lanes { of_stream: lane_of, nodes } = lanes(&steps, &recording.streams, nodes);
    let count = nodes.len();
    let threaded = threaded(&recording.streams);
    let first_s = steps.first().map_or(0.0, |step| step.start_s);
    let last_s = steps.iter().map(|step| step.end_s).fold(first_s, f64::max);
    let mut slots = Slots::default();
    let mut files = Files::of(&recording.files);
    let gone = recording.libraries.gone(&steps);
    let mut order = Order::new(count, first_s, gone);
    let mut lanes: Vec<Vec<Request>> = vec![Vec::new(); count];
    let mut ranks: Vec<Option<i32>> = vec![None; count];
    for step in &steps {
        let Some(stream) = recording.streams.get(step.stream as usize) else { continue };
        let Some(lane) = lane_of.get(step.stream as usize).copied().flatten() else { continue };
        if step.is_dropped {
            order.skip(step, lane);
            continue;
        }
        let slot = match step.operation {
            Operation::Meet => Some(step.file),
            _ => slots.bind(step, stream.process),
        };
        let mut effect = files.see(step);
        if step.operation != Operation::Meet && threaded.contains(&stream.process) {
            effect.slot = slot;
            effect.is_slot_change = step.operation.opens() || step.operation == Operation::Close;
        }
        let (waits, gap_s) = order.place(step, lane, &effect);
        let Some(requests) = lanes.get_mut(lane as usize) else { continue };
        if let Some(rank) = ranks.get_mut(lane as usize) {
            let known = *rank.get_or_insert(stream.rank);
            *rank = Some(if known == stream.rank { known } else { -1 });
        }
        requests.push(Request {
            operation: step.operation,
            op: step.op,
            rank: stream.rank,
            file: step.file,
            function: step.function,
            slot,
            offset: step.offset.unwrap_or(0),
            bytes: step.bytes,
            requested: step.requested,
            aux: step.aux,
            calls: step.calls,
            gap_s,
            busy_s: step.busy_s,
            waits,
            has_failed: step.has_failed,
            is_changed: step.is_changed,
        });
    }
    let meetings = recording.meetings.iter();
    let (initial, most_bytes) = files.finish(&recording.files);
    Plan {
        log: recording.name,
        command_line: recording.command_line,
        lanes,
        nodes,
        ranks: ranks.into_iter().map(|rank| rank.unwrap_or(-1)).collect(),
        files: recording.files,
        initial,
        slots: slots.finish(),
        meetings: meetings.map(|meeting| meeting.members.len() as u32).collect(),
        waits: order.finish(),
        functions: recording.functions,
        left_out: recording.left_out,
        transforms: recording.transforms,
        idle_transforms: recording.idle_transforms,
        recorded,
        costs,
        span_s: (last_s - first_s).max(0.0),
        most_bytes,
    }
}

/// Processes with several streams: their threads share open files.
fn threaded(streams: &[Stream]) -> HashSet<i32> {
    let mut seen = HashSet::new();
    streams.iter().map(|stream| stream.process).filter(|process| !seen.insert(*process)).collect()
}

fn totals(steps: &[Step]) -> Vec<(Op, Totals)> {
    let mut totals: BTreeMap<Op, Totals> = BTreeMap::new();
    for step in steps {
        let totals = totals.entry(step.op).or_default();
        totals.calls += step.calls;
        totals.bytes += step.bytes;
        totals.busy_s += step.busy_s;
    }
    totals.into_iter().collect()
}

/// The steps, taken out of the recording, and the meetings, in the order of time.
fn with_meetings(recording: &mut Recording) -> Vec<Step> {
    let mut steps = std::mem::take(&mut recording.steps);
    for (number, meeting) in recording.meetings.iter().enumerate() {
        steps.extend(meeting.members.iter().map(|(stream, came_s)| Step {
            operation: Operation::Meet,
            op: Op::Wait,
            stream: *stream,
            file: number as u32,
            function: 0,
            offset: None,
            bytes: 0,
            requested: 0,
            aux: None,
            calls: 0,
            start_s: meeting.at_s,
            // When this one came: before the others it is waiting, and no gap.
            end_s: *came_s,
            busy_s: 0.0,
            has_failed: false,
            library: None,
            is_dropped: false,
            is_changed: false,
        }));
    }
    let is_request = |step: &Step| step.operation != Operation::Meet;
    steps.sort_by(|a, b| {
        a.at_s().total_cmp(&b.at_s()).then_with(|| is_request(a).cmp(&is_request(b)))
    });
    steps
}
