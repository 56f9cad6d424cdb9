//! Which open file a request uses.
//!
//! A log has no numbers of descriptors. A request uses what its process opened last of this
//! file and has not closed yet. Without that (Darshan's traces have no opens, and a process
//! inherits descriptors) the replay opens the file itself, outside the measured time.

use crate::operation::Operation;
use crate::step::Step;
use std::collections::HashMap;

/// An open file, stream or directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot {
    /// Number of the file.
    pub file: u32,
    /// What it is.
    pub kind: SlotKind,
    /// No call of the log opens it.
    pub is_implicit: bool,
    /// Opened as a duplicate of this one.
    pub duplicate_of: Option<u32>,
    /// It is read.
    pub reads: bool,
    /// It is written.
    pub writes: bool,
    /// The first transfer writes at the beginning of the file.
    pub begins_anew: bool,
}

/// What is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SlotKind {
    /// A file.
    File,
    /// A C stream.
    Stream,
    /// A directory.
    Directory,
}

/// Open files of all processes while the plan is made.
#[derive(Debug, Default)]
pub(crate) struct Slots {
    slots: Vec<Slot>,
    open: HashMap<(i32, u32), Vec<u32>>,
}

impl Slots {
    /// The open file that the step makes or uses.
    pub fn bind(&mut self, step: &Step, process: i32) -> Option<u32> {
        if !step.operation.needs_open() && !step.operation.opens() {
            return None;
        }
        let kind = match step.operation {
            Operation::OpenStream
            | Operation::StreamRead
            | Operation::StreamWrite
            | Operation::StreamSeek
            | Operation::Flush => SlotKind::Stream,
            Operation::OpenDir | Operation::List | Operation::Rewind => SlotKind::Directory,
            _ => SlotKind::File,
        };
        let key = (process, step.file);
        let used = step.operation.needs_open().then(|| self.used(step.operation, key, kind));
        if step.operation.opens() {
            let made = self.make(step.file, kind, false);
            if let Some(slot) = self.slots.get_mut(made as usize) {
                slot.duplicate_of = used;
            }
            if !step.has_failed {
                self.open.entry(key).or_default().push(made);
            }
            return Some(made);
        }
        if let Some(slot) = used.and_then(|used| self.slots.get_mut(used as usize)) {
            let is_first = !slot.reads && !slot.writes;
            slot.reads |= step.operation.is_read();
            slot.writes |= step.operation.is_write() || step.operation == Operation::Ftruncate;
            slot.begins_anew |= is_first && step.operation.is_write() && step.offset == Some(0);
        }
        used
    }

    /// What the process opened last; a close takes it away.
    fn used(&mut self, request: Operation, key: (i32, u32), kind: SlotKind) -> u32 {
        let slots = &self.slots;
        let fits = |slot: &u32| {
            let known = slots.get(*slot as usize).map(|slot| slot.kind);
            request == Operation::Close || known == Some(kind)
        };
        let open = self.open.entry(key).or_default();
        let place = open.iter().rposition(fits);
        let slot = match place.and_then(|place| open.get(place).copied()) {
            Some(slot) => slot,
            None => {
                let slot = self.make(key.1, kind, true);
                self.open.entry(key).or_default().push(slot);
                slot
            }
        };
        if request == Operation::Close
            && let Some(open) = self.open.get_mut(&key)
        {
            open.retain(|other| *other != slot);
        }
        slot
    }

    fn make(&mut self, file: u32, kind: SlotKind, is_implicit: bool) -> u32 {
        self.slots.push(Slot {
            file,
            kind,
            is_implicit,
            duplicate_of: None,
            reads: false,
            writes: false,
            begins_anew: false,
        });
        (self.slots.len() - 1) as u32
    }

    /// All of them; a file that is used through a duplicate is used.
    pub fn finish(mut self) -> Vec<Slot> {
        for at in (0..self.slots.len()).rev() {
            let Slot { duplicate_of, reads, writes, .. } = self.slots[at];
            if let Some(original) = duplicate_of.and_then(|at| self.slots.get_mut(at as usize)) {
                original.reads |= reads;
                original.writes |= writes;
            }
        }
        self.slots
    }
}
