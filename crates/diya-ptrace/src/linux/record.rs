//! Encodes records, as `capture/include/diya_trace.h` draws them.
//!
//! Less is predicted than by the library: a call that takes microseconds to
//! trace may take a few bytes more.

use diya_model::segment::{
    self as format, ALL_DONE, CALL, EXT_AUX, EXT_FILE2, EXTENDED, NAME, OFFSET_CONSECUTIVE,
    OFFSET_EXPLICIT, SAME_SIZE, SAME_SLOT, SAME_STACK, SLOT_NEW,
};
use diya_model::{push_varint, zigzag};

const SLOTS: usize = format::SLOTS as usize;

/// One call that returned.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Event {
    pub function: u16,
    /// 0: none.
    pub file: u32,
    pub file2: u32,
    pub offset: Option<i64>,
    pub requested: u64,
    /// Bytes done, or minus the error.
    pub done: i64,
    pub aux: Option<u64>,
    pub start: u64,
    pub end: u64,
}

#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    function: u16,
    file: u32,
    offset: Option<i64>,
    size: u64,
    done: i64,
}

/// What records of one window have in common; empty at its start.
#[derive(Debug)]
pub(super) struct Encoder {
    slots: [Slot; SLOTS],
    last_slot: Option<usize>,
    last_start: u64,
}

impl Encoder {
    pub fn new(base_ticks: u64) -> Self {
        Self { slots: [Slot::default(); SLOTS], last_slot: None, last_start: base_ticks }
    }

    /// Appends a call.
    pub fn call(&mut self, event: &Event, out: &mut Vec<u8>) {
        let start = out.len();
        out.push(0);
        // No stacks are recorded: always that of the slot before, which is none.
        let mut tag = CALL | SAME_STACK;
        let number = (event.file as usize * 7 + usize::from(event.function) * 5) % SLOTS;
        let slot = &mut self.slots[number];
        if (slot.function, slot.file) != (event.function, event.file) {
            *slot = Slot { function: event.function, file: event.file, ..Slot::default() };
            out.push(number as u8 | SLOT_NEW);
            push_varint(out, event.function.into());
            push_varint(out, event.file.into());
            push_varint(out, 0); // depth: no call is inside another
        } else if self.last_slot == Some(number) {
            tag |= SAME_SLOT;
        } else {
            out.push(number as u8);
        }
        self.last_slot = Some(number);
        if let Some(offset) = event.offset {
            // After a failed call readers differ in what "done" was.
            let next = slot.offset.filter(|_| slot.done >= 0).map(|last| last + slot.done);
            if next == Some(offset) {
                tag |= OFFSET_CONSECUTIVE;
            } else {
                tag |= OFFSET_EXPLICIT;
                push_varint(out, zigzag(offset.wrapping_sub(slot.offset.unwrap_or(0))));
            }
            slot.offset = Some(offset);
        }
        if event.requested == slot.size {
            tag |= SAME_SIZE;
        } else {
            push_varint(out, event.requested);
        }
        if u64::try_from(event.done) == Ok(event.requested) {
            tag |= ALL_DONE;
        } else {
            push_varint(out, zigzag(event.done));
        }
        (slot.size, slot.done) = (event.requested, event.done);
        tag |= extension(event, out);
        push_varint(out, zigzag(event.start.wrapping_sub(self.last_start).cast_signed()));
        push_varint(out, event.end.saturating_sub(event.start));
        self.last_start = event.start;
        out[start] = tag;
    }
}

fn extension(event: &Event, out: &mut Vec<u8>) -> u8 {
    let mut which = 0;
    let at = out.len();
    out.push(which);
    if let Some(aux) = event.aux {
        which |= EXT_AUX;
        push_varint(out, aux);
    }
    if event.file2 != 0 {
        which |= EXT_FILE2;
        push_varint(out, event.file2.into());
    }
    if which == 0 {
        out.truncate(at);
        return 0;
    }
    out[at] = which;
    EXTENDED
}

/// Appends the name of a file.
pub(super) fn name(file: u32, kind: u8, path: &[u8], out: &mut Vec<u8>) {
    let mut payload = Vec::with_capacity(path.len() + 8);
    push_varint(&mut payload, file.into());
    push_varint(&mut payload, 0); // no parent
    payload.push(kind);
    payload.extend_from_slice(path);
    out.push(NAME);
    push_varint(out, payload.len() as u64);
    out.extend_from_slice(&payload);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_after_its_like_takes_five_bytes() {
        let mut encoder = Encoder::new(0);
        let mut out = Vec::new();
        let first = Event {
            function: 17,
            file: 1,
            offset: Some(0),
            requested: 64,
            done: 64,
            start: 5,
            end: 9,
            ..Event::default()
        };
        encoder.call(&first, &mut out);
        let length = out.len();
        encoder.call(&Event { offset: Some(64), start: 305, end: 555, ..first }, &mut out);
        // The worked example of the library's encoder.
        assert_eq!(out[length..], [0x7f, 0xd8, 0x04, 0xfa, 0x01]);
    }

    #[test]
    fn a_failed_call_says_its_error_and_predicts_nothing() {
        let mut encoder = Encoder::new(0);
        let mut out = Vec::new();
        let failed = Event {
            function: 12,
            file: 1,
            offset: Some(8),
            requested: 4,
            done: -5,
            ..Event::default()
        };
        encoder.call(&failed, &mut out);
        let length = out.len();
        encoder.call(&Event { offset: Some(8), done: 4, ..failed }, &mut out);
        assert_eq!(out[length] & OFFSET_CONSECUTIVE, OFFSET_EXPLICIT);
    }
}
