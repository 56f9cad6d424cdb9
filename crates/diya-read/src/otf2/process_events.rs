//! Events of all locations, process by process, in the order of time.

use super::anchor::Anchor;
use super::calls::{Collected, Process, Shared, Thread};
use super::clock::Clock;
use super::definitions::Definitions;
use super::events::{Event, Events};
use super::files::Files;
use super::handles::{Positions, Targets};
use super::issues::Losses;
use super::local::Local;
use super::messages::Messages;
use super::metrics::{Metrics, Origin};
use super::names::Part;
use super::operations::Operations;
use super::processes::{Member, processes};
use super::tables::ById;
use super::transfers::Begin;
use crate::Request;
use crate::assemble::{self, Assembly};
use diya_model::Op;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A location while it is read.
struct Lane<'l, 'p> {
    events: Events<'l>,
    thread: Thread<'p>,
    location: u64,
    announced: u64,
    offset: u64,
}

/// Reads the events of all processes.
pub(super) fn read<'a>(
    request: &'a Request<'a>,
    files: &Files<'_>,
    anchor: &Anchor,
    definitions: &Definitions<'_>,
    losses: &mut Losses,
) -> (Assembly<'a>, Clock) {
    let clock = Clock::of(definitions.clock);
    let mut parts = ById::default();
    for (id, region) in definitions.regions.iter() {
        parts.push(id, Part::of(region, definitions));
    }
    let shared = Shared { definitions, parts: &parts };
    let (members, size) = processes(definitions);
    let mut assembly = Assembly::new(request);
    let mut targets = Targets::default();
    for member in &members {
        let locals = locals(member, files, anchor, losses);
        let mut lanes = lanes(member, &locals, files, anchor, definitions, losses);
        let mut to =
            Collected { assembly: &mut assembly, targets: &mut targets, losses: &mut *losses };
        process(member, size, &mut lanes, &shared, clock, &mut to);
        for lane in &lanes {
            lane.count(losses);
        }
    }
    losses.undefined += targets.undefined;
    (assembly, clock)
}

/// The local definitions of each location of a process.
fn locals(member: &Member, files: &Files<'_>, anchor: &Anchor, losses: &mut Losses) -> Vec<Local> {
    let local = |location: &u64| {
        // A location whose numbers and clock are those of all may have no such file.
        let file = files.of_location(*location, "def");
        file.map_or_else(Local::default, |file| {
            Local::of(file.bytes, anchor.definition_chunk_bytes)
        })
    };
    let locals: Vec<Local> = member.locations.iter().map(local).collect();
    losses.damaged_locals += locals.iter().filter(|local| local.damaged > 0).count() as u64;
    locals
}

fn lanes<'l, 'p>(
    member: &Member,
    locals: &'l [Local],
    files: &'l Files<'_>,
    anchor: &Anchor,
    definitions: &'l Definitions<'l>,
    losses: &mut Losses,
) -> Vec<Lane<'l, 'p>> {
    let mut lanes = Vec::new();
    for ((number, location), local) in (0..).zip(&member.locations).zip(locals) {
        let announced = definitions.locations.get(*location).map_or(0, |location| location.events);
        let Some(file) = files.of_location(*location, "evt") else {
            losses.missing_locations += u64::from(announced > 0);
            continue;
        };
        lanes.push(Lane {
            events: Events::of(file.bytes, anchor.chunk_bytes, local, definitions),
            thread: Thread::new(number),
            location: *location,
            announced,
            offset: file.offset,
        });
    }
    lanes
}

impl Lane<'_, '_> {
    /// What is missing in a location that was read to its end.
    fn count(&self, losses: &mut Losses) {
        if !self.events.is_whole {
            losses.cut_files += 1;
            losses.first_cut_at.get_or_insert(self.offset);
        }
        if self.events.damaged() > 0 {
            losses.damaged_chunks += self.events.damaged();
            losses.first_damaged_at.get_or_insert(self.offset);
        }
        let missing = self.announced.saturating_sub(self.events.read);
        losses.missing_events = losses.missing_events.saturating_add(missing);
        losses.unknown_events += self.events.unknown;
    }
}

/// Reads the locations of a process side by side.
fn process<'p>(
    member: &Member,
    size: Option<i32>,
    lanes: &mut [Lane<'_, 'p>],
    shared: &'p Shared<'p>,
    clock: Clock,
    to: &mut Collected<'_, '_>,
) {
    let mut next: BinaryHeap<Reverse<(u64, usize)>> = BinaryHeap::new();
    let mut waiting: Vec<Event> = Vec::new();
    for (at, lane) in lanes.iter_mut().enumerate() {
        let first = lane.events.next();
        waiting.push(first.map_or(Event::Other, |(_, event)| event));
        next.extend(first.map(|(tick, _)| Reverse((tick, at))));
    }
    let Some(Reverse((first, _))) = next.peek().copied() else { return };
    let number = to.assembly.process(assemble::Process {
        rank: member.rank,
        mpi_rank: member.mpi_rank,
        mpi_size: member.mpi_rank.and(size),
        host: member.host.clone(),
        start_ns: clock.ns(first),
        ..assemble::Process::default()
    });
    let mut process = Process {
        number,
        shared,
        positions: Positions::default(),
        operations: Operations::default(),
        has_view: false,
        messages: Messages::default(),
    };
    let mut metrics = Metrics::default();
    let mut last = first;
    while let Some(Reverse((mut tick, at))) = next.pop() {
        let (Some(lane), Some(slot)) = (lanes.get_mut(at), waiting.get_mut(at)) else { break };
        // One location after the other, as long as none of the others is earlier.
        loop {
            last = last.max(tick);
            // Arguments and values are those of the event that was read last: this one.
            if let Event::ProgramBegin { name } = *slot {
                let arguments = std::mem::take(&mut lane.events.arguments);
                program(number, name, &arguments, shared.definitions, to.assembly);
            }
            if let Event::Metric { metric } = *slot {
                let thread = lane.thread.number;
                let origin = Origin { process: number, member, thread, location: lane.location };
                let values = (clock.ns(tick), lane.events.values.as_slice());
                metrics.sample(&origin, metric, values, shared.definitions, to);
            }
            process.event(&mut lane.thread, *slot, clock, tick, to);
            let Some((then, event)) = lane.events.next() else { break };
            *slot = event;
            if next.peek().is_some_and(|Reverse(other)| *other < (then, at)) {
                next.push(Reverse((then, at)));
                break;
            }
            tick = then;
        }
    }
    let end_ns = clock.ns(last);
    for operation in process.operations.rest() {
        to.losses.incomplete += 1;
        process.written(&operation, end_ns, to);
    }
    for lane in lanes {
        process.end(&mut lane.thread, end_ns, to);
    }
    let communicators = process.messages.communicators(number, member.mpi_rank, shared.definitions);
    communicators.into_iter().for_each(|of| to.assembly.communicator(of));
    to.assembly.note(end_ns);
    if let Some(process) = to.assembly.processes.get_mut(number) {
        process.end_ns = Some(end_ns.max(process.start_ns));
    }
}

/// The program of a process and its arguments.
fn program(
    process: usize,
    name: u32,
    arguments: &[u32],
    definitions: &Definitions<'_>,
    assembly: &mut Assembly<'_>,
) {
    let Some(process) = assembly.processes.get_mut(process) else { return };
    process.exe = definitions.text(name).into_owned();
    let words = std::iter::once(&name).chain(arguments);
    let words: Vec<_> = words.map(|word| definitions.text(*word)).collect();
    process.command_line = words.join(" ");
}

impl<'p> Process<'p> {
    fn event(
        &mut self,
        thread: &mut Thread<'p>,
        event: Event,
        clock: Clock,
        tick: u64,
        to: &mut Collected<'_, '_>,
    ) {
        let ns = clock.ns(tick);
        let definitions = self.shared.definitions;
        let about = |handle, to: &mut Collected<'_, '_>| {
            to.targets.target(handle, definitions, to.assembly)
        };
        match event {
            Event::Enter { region } => self.enter(thread, region, ns),
            Event::Leave { region } => self.leave(thread, region, ns, to),
            Event::Create { handle, mode, creation, status } => {
                self.created(thread, handle, (mode, creation, status), ns, to);
            }
            Event::Destroy { handle } => {
                self.positions.closed(handle);
                let target = about(handle, to);
                self.about(thread, target, Op::Close, None, ns, to);
            }
            Event::Duplicate { old, new, status } => {
                self.positions.duplicated(old, new, definitions);
                self.positions.status(new, status, definitions);
                let target = about(old, to);
                self.about(thread, target, Op::Dup, None, ns, to);
            }
            Event::Seek { handle, whence, place } => {
                self.positions.sought(handle, place, definitions);
                let target = about(handle, to);
                self.about(thread, target, Op::Seek, Some(whence.into()), ns, to);
            }
            Event::Status { handle, status } => {
                self.positions.status(handle, status, definitions);
                let target = about(handle, to);
                self.about(thread, target, Op::Control, None, ns, to);
            }
            Event::Delete { paradigm, file } => self.deleted(thread, (paradigm, file), ns, to),
            Event::Begin { handle, mode, flags, requested, id, offset } => {
                let begin = Begin { handle, mode, flags, requested, id, offset };
                self.begun(thread, &begin, ns, to);
            }
            Event::Complete { handle, moved, id } => {
                self.completed(thread, (handle, id), Some(moved), ns, to);
            }
            Event::Cancelled { handle, id } => self.completed(thread, (handle, id), None, ns, to),
            Event::Lock { handle } => {
                let target = about(handle, to);
                self.about(thread, target, Op::Lock, None, ns, to);
            }
            Event::ProgramEnd { status } => {
                if let Some(process) = to.assembly.processes.get_mut(self.number) {
                    process.ended = Some("exited");
                    process.exit_code = i32::try_from(status).ok();
                }
            }
            Event::Flush { until } => to.assembly.region(&assemble::Region {
                process: self.number,
                thread: Some(thread.number),
                name: "flush of the trace buffer",
                category: "measurement",
                step: None,
                start_ns: ns,
                end_ns: clock.ns(until),
            }),
            Event::Recording { mode } => to.losses.switched_off += u64::from(mode == OFF),
            Event::Sent { line, request } => {
                self.messages.sent(&mut thread.inside, line, request);
            }
            Event::SendCompleted { request } => {
                self.messages.send_completed(&mut thread.inside, request);
            }
            Event::Received { line } => self.messages.received(&mut thread.inside, line),
            Event::Gathered { of } => self.messages.gathered(&mut thread.inside, of),
            Event::ProgramBegin { .. } | Event::Metric { .. } | Event::Other | Event::Unknown => {}
        }
    }
}

/// Recording stops.
const OFF: u8 = 2;
