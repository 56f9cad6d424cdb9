//! Operations that move bytes: from their beginning to their end.

use super::calls::{Collected, MAX_SEARCHED, Process, Thread};
use super::done::Done;
use super::operations::Operation;
use crate::assemble::Known;
use diya_model::{Layer, Op};

/// Modes of operations.
const READ: u8 = 0;
const WRITE: u8 = 1;

/// Flags of operations.
const NON_BLOCKING: u32 = 1;
const COLLECTIVE: u32 = 1 << 1;

/// The event with which an operation begins.
#[derive(Debug, Clone, Copy)]
pub(super) struct Begin {
    pub handle: u32,
    pub mode: u8,
    pub flags: u32,
    pub requested: u64,
    pub id: u64,
    pub offset: Option<u64>,
}

impl<'p> Process<'p> {
    /// An operation begins.
    pub fn begun(
        &mut self,
        thread: &mut Thread<'p>,
        begin: &Begin,
        ns: i64,
        to: &mut Collected<'_, '_>,
    ) {
        let definitions = self.shared.definitions;
        let target = to.targets.target(begin.handle, definitions, to.assembly);
        let around = self.around(thread, target.layer);
        let part = around.map(|(part, _)| part);
        let op = match begin.mode {
            READ => Op::Read,
            WRITE => Op::Write,
            _ => part.and_then(|part| part.known).map_or(Op::Sync, |known| known.op),
        };
        let Some(function) = self.function(part, target.layer, op) else {
            to.losses.other_layers += 1;
            return;
        };
        let is_write = op == Op::Write;
        let moves = matches!(op, Op::Read | Op::Write);
        let is_blocking = begin.flags & NON_BLOCKING == 0;
        let requested = Some(begin.requested).filter(|bytes| moves && *bytes != u64::MAX);
        let is_shared = function.name.ends_with("_shared") || function.name.contains("_ordered");
        let at_position = moves && begin.offset.is_none() && !is_shared;
        let has_positions = matches!(function.layer, Layer::Posix | Layer::Stdio | Layer::Mpiio);
        let offset = match begin.offset {
            None if at_position => self.positions.position(begin.handle, is_write, definitions),
            given => given,
        };
        if at_position && !is_blocking {
            self.positions.moved(begin.handle, is_write, requested, definitions);
        }
        let is_viewed = self.has_view && function.layer == Layer::Mpiio;
        let function = match function.layer {
            Layer::Posix | Layer::Stdio => function,
            _ => Known {
                is_collective: function.is_collective.or(Some(begin.flags & COLLECTIVE != 0)),
                ..function
            },
        };
        let frame = around.and_then(|(_, at)| thread.frames.get_mut(at));
        let operation = Operation {
            done: Done {
                offset: offset.filter(|_| moves && has_positions && !is_viewed),
                requested,
                ..Done::of(function, target.file_id)
            },
            thread: thread.number,
            frame: frame.as_ref().map(|frame| frame.number),
            begin_ns: ns,
            start_ns: frame.as_ref().map_or(ns, |frame| frame.start_ns),
            left_ns: None,
            moves_position: at_position && is_blocking,
        };
        let key = (is_blocking.then_some(operation.thread), begin.handle, begin.id);
        if let Some(frame) = frame {
            frame.begun = Some(key);
        }
        if let Some(lost) = self.operations.begin(key, operation) {
            to.losses.incomplete += 1;
            self.written(&lost, ns, to);
        }
    }

    /// An operation ends; `None`: it was cancelled.
    pub fn completed(
        &mut self,
        thread: &mut Thread<'p>,
        (handle, id): (u32, u64),
        moved: Option<u64>,
        ns: i64,
        to: &mut Collected<'_, '_>,
    ) {
        let Some(mut operation) = self.operations.end(handle, id, thread.number) else {
            to.losses.strays += 1;
            return;
        };
        let op = operation.done.function.op;
        let moves = matches!(op, Op::Read | Op::Write);
        let layer = operation.done.function.layer;
        // What a call returns when it fails, as a number without sign.
        let has_failed = moved == Some(u64::MAX) && moves && layer == Layer::Posix;
        let size = moved.filter(|bytes| i64::try_from(*bytes).is_ok());
        operation.done.size = size.filter(|_| moves);
        operation.done.error = match moved {
            None => Some("ECANCELED"),
            Some(_) if has_failed => Some("unknown"),
            Some(_) => None,
        };
        if operation.moves_position {
            let moved = if has_failed { Some(0) } else { size };
            let definitions = self.shared.definitions;
            self.positions.moved(handle, op == Op::Write, moved, definitions);
        }
        let is_here = operation.thread == thread.number && operation.left_ns.is_none();
        let number = operation.frame.filter(|_| is_here);
        let searched = thread.frames.iter_mut().rev().take(MAX_SEARCHED);
        let frame = number.and_then(|number| searched.into_iter().find(|f| f.number == number));
        match frame {
            Some(frame) if frame.done.is_none() => frame.done = Some(operation.done),
            // A function that makes several transfers: each has its own time.
            Some(_) => {
                let times = (operation.begin_ns, ns);
                self.call(operation.thread, &operation.done, times, to);
            }
            None => {
                self.written(&operation, ns, to);
                self.waited(thread, operation.done.file_id);
            }
        }
    }

    /// The function around the end of an operation that began elsewhere waited for it.
    fn waited(&self, thread: &mut Thread<'p>, file_id: u64) {
        let Some(frame) = thread.frames.last_mut().filter(|frame| frame.done.is_none()) else {
            return;
        };
        let known = self.part(frame.region).and_then(|part| part.known);
        let function = known.filter(|function| function.op == Op::Wait);
        frame.done = function.map(|function| Done::of(function, file_id));
    }

    /// Adds the call of an operation whose function was left, or that had none.
    pub fn written(&self, operation: &Operation<'p>, ns: i64, to: &mut Collected<'_, '_>) {
        let end_ns = operation.left_ns.unwrap_or(ns);
        self.call(operation.thread, &operation.done, (operation.start_ns, end_ns), to);
    }
}
