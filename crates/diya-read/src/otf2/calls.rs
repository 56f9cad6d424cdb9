//! Functions that are entered and left, and the operations in them, become calls.

use super::definitions::Definitions;
use super::done::Done;
use super::flags::open_flags;
use super::handles::{Positions, Target, Targets};
use super::issues::Losses;
use super::messages::{Inside, Messages};
use super::names::{Part, layer, layer_of};
use super::operations::{Key, Operations};
use super::tables::ById;
use crate::assemble::{Assembly, Known, NO_FILE, Region, TracedCall};
use diya_model::{Layer, Op};

/// Frames that are looked at for the one that is left: more are open only by damage.
pub(super) const MAX_SEARCHED: usize = 64;

/// What all processes need.
pub(super) struct Shared<'p> {
    pub definitions: &'p Definitions<'p>,
    pub parts: &'p ById<Part>,
}

/// A function that was entered.
#[derive(Debug)]
pub(super) struct Frame<'p> {
    pub region: u32,
    pub number: u64,
    pub start_ns: i64,
    pub done: Option<Done<'p>>,
    /// The last operation that began in it: it may go on when the function is left.
    pub begun: Option<Key>,
}

/// A thread of a process.
#[derive(Debug, Default)]
pub(super) struct Thread<'p> {
    pub number: u64,
    pub frames: Vec<Frame<'p>>,
    entered: u64,
    /// What is known of the call about messages that it is in.
    pub inside: Inside,
}

/// A process, and where its calls go.
pub(super) struct Process<'p> {
    pub number: usize,
    pub shared: &'p Shared<'p>,
    pub positions: Positions,
    pub operations: Operations<'p>,
    /// A file of MPI-IO has a view: offsets need not be bytes of the file.
    pub has_view: bool,
    pub messages: Messages,
}

/// What the whole trace collects.
pub(super) struct Collected<'c, 'a> {
    pub assembly: &'c mut Assembly<'a>,
    pub targets: &'c mut Targets,
    pub losses: &'c mut Losses,
}

impl Thread<'_> {
    pub fn new(number: u64) -> Self {
        Self { number, ..Self::default() }
    }
}

impl<'p> Process<'p> {
    pub fn part(&self, region: u32) -> Option<&'p Part> {
        self.shared.parts.get(region.into())
    }

    /// A function begins.
    pub fn enter(&mut self, thread: &mut Thread<'p>, region: u32, ns: i64) {
        thread.entered += 1;
        let (number, start_ns) = (thread.entered, ns);
        thread.frames.push(Frame { region, number, start_ns, done: None, begun: None });
        self.has_view |= self.part(region).is_some_and(|part| part.name == "MPI_File_set_view");
    }

    /// A function ends.
    pub fn leave(
        &mut self,
        thread: &mut Thread<'p>,
        region: u32,
        ns: i64,
        to: &mut Collected<'_, '_>,
    ) {
        let place = thread.frames.iter().rev().take(MAX_SEARCHED);
        let Some(above) = place.into_iter().position(|frame| frame.region == region) else {
            to.losses.strays += 1;
            return;
        };
        to.losses.unfinished += above as u64;
        for _ in 0..=above {
            self.close(thread, ns, to);
        }
    }

    /// Ends all functions that are still open: recording has ended.
    pub fn end(&mut self, thread: &mut Thread<'p>, ns: i64, to: &mut Collected<'_, '_>) {
        to.losses.unfinished += thread.frames.len() as u64;
        while !thread.frames.is_empty() {
            self.close(thread, ns, to);
        }
    }

    fn close(&mut self, thread: &mut Thread<'p>, ns: i64, to: &mut Collected<'_, '_>) {
        let Some(frame) = thread.frames.pop() else { return };
        let goes_on = frame.begun.is_some_and(|key| self.operations.left(key, frame.number, ns));
        if goes_on {
            // The call is written when it is known how many bytes it moved.
            return;
        }
        let Some(part) = self.part(frame.region) else {
            to.losses.undefined += 1;
            return;
        };
        // What happened in a function of MPI that has no row says nothing of the next one.
        let is_mpi = part.message.is_some() || part.category.eq_ignore_ascii_case("mpi");
        let inside = if is_mpi { std::mem::take(&mut thread.inside) } else { Inside::default() };
        let done = frame.done.or_else(|| {
            // A wait in which no operation ended was for messages.
            let function = part.known.filter(|function| function.op != Op::Wait)?;
            Some(Done::of(function, to.assembly.file(NO_FILE, "path_suffix")))
        });
        match done {
            Some(done) => self.call(thread.number, &done, (frame.start_ns, ns), to),
            None => {
                if let Some(function) = part.message {
                    let place = (self.number, thread.number);
                    to.assembly.message(inside.row(function, place, (frame.start_ns, ns)));
                }
                to.assembly.region(&Region {
                    process: self.number,
                    thread: Some(thread.number),
                    name: &part.name,
                    category: &part.category,
                    step: None,
                    start_ns: frame.start_ns,
                    end_ns: ns,
                });
            }
        }
    }

    /// Adds a call.
    pub fn call(
        &self,
        thread: u64,
        done: &Done<'_>,
        (start_ns, end_ns): (i64, i64),
        to: &mut Collected<'_, '_>,
    ) {
        let bytes = |bytes: Option<u64>| bytes.and_then(|bytes| i64::try_from(bytes).ok());
        to.assembly.call(&TracedCall {
            process: self.number,
            thread,
            function: done.function,
            file_id: done.file_id,
            offset: bytes(done.offset),
            size: bytes(done.size),
            requested: bytes(done.requested),
            start_ns,
            end_ns,
            error: done.error,
            aux: done.aux,
        });
    }

    /// The function around an event: the innermost one, if it is a call of the layer.
    pub fn around(&self, thread: &Thread<'p>, layer: Option<Layer>) -> Option<(&'p Part, usize)> {
        let at = thread.frames.len().checked_sub(1)?;
        let part = self.part(thread.frames.get(at)?.region).filter(|part| part.is_io)?;
        let fits = match (part.known, layer) {
            (Some(known), Some(layer)) => known.layer.software() == layer.software(),
            _ => true,
        };
        fits.then_some((part, at))
    }

    /// Which function did it; `None`: in no layer that diya has.
    pub fn function(&self, part: Option<&'p Part>, of: Option<Layer>, op: Op) -> Option<Known<'p>> {
        let known = part.and_then(|part| part.known);
        let layer = known.map(|known| known.layer).or(of.map(|layer| layer_of(layer, op)))?;
        let name = match (known, part) {
            (Some(known), _) => known.name,
            (None, Some(part)) => &part.name,
            (None, None) => op.name(),
        };
        let is_collective = known.and_then(|known| known.is_collective);
        Some(Known { name, layer, op, is_collective })
    }

    /// An event about an open file that moves no bytes.
    pub fn about(
        &mut self,
        thread: &mut Thread<'p>,
        target: Target,
        op: Op,
        aux: Option<i64>,
        ns: i64,
        to: &mut Collected<'_, '_>,
    ) {
        let around = self.around(thread, target.layer);
        // A function says more exactly what it does, such as to copy a descriptor.
        let op = around.and_then(|(part, _)| part.known).map_or(op, |known| known.op);
        let part = around.map(|(part, _)| part);
        let Some(function) = self.function(part, target.layer, op) else {
            to.losses.other_layers += 1;
            return;
        };
        let done = Done { aux, ..Done::of(function, target.file_id) };
        let frame = around.and_then(|(_, at)| thread.frames.get_mut(at));
        match frame {
            Some(frame) if frame.done.is_none() => frame.done = Some(done),
            _ => self.call(thread.number, &done, (ns, ns), to),
        }
    }

    /// A file is opened.
    pub fn created(
        &mut self,
        thread: &mut Thread<'p>,
        handle: u32,
        (mode, creation, status): (u8, u32, u32),
        ns: i64,
        to: &mut Collected<'_, '_>,
    ) {
        self.positions.opened(handle, status);
        let target = to.targets.target(handle, self.shared.definitions, to.assembly);
        let aux = target.layer.and_then(|layer| open_flags(layer, mode, creation, status));
        self.about(thread, target, Op::Open, aux, ns, to);
    }

    /// A file is deleted.
    pub fn deleted(
        &mut self,
        thread: &mut Thread<'p>,
        (paradigm, file): (u8, u32),
        ns: i64,
        to: &mut Collected<'_, '_>,
    ) {
        let definitions = self.shared.definitions;
        let file_id = to.targets.file(file, definitions, to.assembly);
        let name = definitions.io_paradigms.get(paradigm.into());
        let layer = name.and_then(|name| layer(&definitions.text(*name)));
        self.about(thread, Target { file_id, layer }, Op::Unlink, None, ns, to);
    }
}
