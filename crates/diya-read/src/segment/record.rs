//! Records of a window, one after the other.
//!
//! Each window decodes by itself: what calls have in common is remembered in
//! 64 slots, which are empty at its start.

use super::applied::Account;
use super::bytes::Bytes;
use super::header::ClockPoint;
use super::mappings::{Mapping, read_faults};
use super::messages::{Communicator, Counted, Message};
use super::regions::RegionRecord;
use super::samples::Batch;
use super::window::Window;
use diya_model::segment::{self, Run};
use diya_model::segment::{
    ALL_DONE, CALL, EXT_AUX, EXT_COLLECTIVE, EXT_FILE2, EXT_INDEPENDENT, EXTENDED,
    OFFSET_CONSECUTIVE, OFFSET_EXPLICIT, OFFSET_MASK, OFFSET_SAME_STEP, SAME_SIZE, SAME_SLOT,
    SAME_STACK, SLOT_NEW,
};

const SLOTS: usize = segment::SLOTS as usize;

/// One call, or a run of tiny ones, in ticks of the recording clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Call {
    pub function: u16,
    /// Calls it was made inside of.
    pub depth: u16,
    pub file: u32,
    pub file2: Option<u32>,
    /// 0: none.
    pub stack: u32,
    /// errno of a call that failed.
    pub error: i32,
    pub offset: Option<i64>,
    pub requested: u64,
    pub done: u64,
    pub is_collective: Option<bool>,
    pub aux: Option<u64>,
    pub start: u64,
    pub end: u64,
    /// Time inside the calls.
    pub busy: u64,
    pub calls: u64,
}

/// A record.
#[derive(Debug)]
pub(super) enum Record<'a> {
    /// A run of tiny calls.
    Call(Call),
    Name {
        file: u32,
        parent: u32,
        kind: u8,
        path: &'a [u8],
    },
    Clock(ClockPoint),
    Stack {
        stack: u32,
        addresses: Vec<u64>,
    },
    Module {
        base: u64,
        end: u64,
        file_offset: u64,
        build_id: &'a [u8],
        path: &'a [u8],
    },
    Attribute {
        file: u32,
        key: &'a [u8],
        value: &'a [u8],
    },
    Frame {
        frame: u32,
        line: u64,
        file: &'a [u8],
        function: &'a [u8],
    },
    StackFrames {
        stack: u32,
        frames: Vec<u32>,
    },
    /// A program that a process became, or that was started, and the reason why it cannot be
    /// recorded.
    Started {
        pid: u32,
        reason: u8,
        program: &'a [u8],
    },
    Mapping {
        number: u32,
        mapping: Mapping,
    },
    Faults {
        mapping: u32,
        faults: Vec<(u64, u64)>,
    },
    /// When a program began in a process, or when the process was found to have ended.
    ProgramTime {
        pid: u32,
        is_end: bool,
        ticks: u64,
        /// As of `waitpid`; `None`: not known.
        status: Option<u32>,
    },
    Samples(Batch),
    RegionName {
        name: u32,
        text: &'a [u8],
    },
    Region(RegionRecord),
    Applied(Account<'a>),
    Message(Message),
    Messages(Counted),
    Communicator(Communicator),
    /// Of a newer recorder, or without content.
    Other,
}

#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    function: u16,
    depth: u16,
    file: u32,
    stack: u32,
    offset: i64,
    step: i64,
    size: u64,
    done: u64,
}

/// Reads the records of a window.
pub(super) struct Records<'a> {
    body: Bytes<'a>,
    body_offset: usize,
    slots: [Slot; SLOTS],
    slot: usize,
    last_start: u64,
}

/// Where in the segment no record could be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Damage {
    pub offset: usize,
}

impl<'a> Records<'a> {
    pub fn of(window: &Window<'a>) -> Self {
        Self {
            body: window.body,
            body_offset: window.body_offset,
            slots: [Slot::default(); SLOTS],
            slot: 0,
            last_start: window.base_ticks,
        }
    }

    /// The next call; `None` at the end of what was written, or of what makes sense.
    #[inline(always)]
    pub fn next_call(&mut self) -> Option<Call> {
        loop {
            let tag = self.body.u8().filter(|&tag| tag != 0)?;
            if tag & CALL != 0 {
                return self.call(tag);
            }
            if let Record::Call(run) = self.definition(tag)? {
                return Some(run);
            }
        }
    }

    /// The next record that is not a single call; `count` grows by the single calls before it.
    pub fn next_other(&mut self, count: &mut u64) -> Option<Result<Record<'a>, Damage>> {
        loop {
            let start = self.body.position();
            let tag = self.body.u8().filter(|&tag| tag != 0)?;
            let record = if tag & CALL != 0 {
                if self.call(tag).is_some() {
                    *count += 1;
                    continue;
                }
                None
            } else {
                self.definition(tag)
            };
            if record.is_none() {
                // The end of this record is unknown, and so is the next one: the window ends.
                self.body = self.body.from(usize::MAX);
            }
            return Some(record.ok_or(Damage { offset: self.body_offset + start }));
        }
    }

    #[inline(always)]
    fn call(&mut self, tag: u8) -> Option<Call> {
        let b = &mut self.body;
        if tag & SAME_SLOT == 0 {
            let number = b.u8()?;
            self.slot = usize::from(number & !SLOT_NEW);
            let slot = self.slots.get_mut(self.slot)?;
            if number & SLOT_NEW != 0 {
                *slot = Slot {
                    function: u16::try_from(b.varint()?).ok()?,
                    file: b.varint_u32()?,
                    depth: u16::try_from(b.varint()?).ok()?,
                    ..Slot::default()
                };
            }
        }
        let slot = self.slots.get_mut(self.slot)?;
        let offset = match tag & OFFSET_MASK {
            OFFSET_EXPLICIT => Some(slot.offset.wrapping_add(b.zigzag()?)),
            OFFSET_SAME_STEP => Some(slot.offset.wrapping_add(slot.step)),
            OFFSET_CONSECUTIVE => Some(slot.offset.wrapping_add(slot.done.cast_signed())),
            _ => None,
        };
        if let Some(offset) = offset {
            slot.step = offset.wrapping_sub(slot.offset);
            slot.offset = offset;
        }
        if tag & SAME_SIZE == 0 {
            slot.size = b.varint()?;
        }
        let (mut done, mut error) = (slot.size, 0);
        if tag & ALL_DONE == 0 {
            let result = b.zigzag()?;
            if result < 0 {
                (done, error) = (0, i32::try_from(-result.max(-i64::MAX)).ok()?);
            } else {
                done = result.cast_unsigned();
            }
        }
        slot.done = done;
        if tag & SAME_STACK == 0 {
            slot.stack = b.varint_u32()?;
        }
        let (mut aux, mut file2, mut is_collective) = (None, None, None);
        if tag & EXTENDED != 0 {
            let extension = b.u8()?;
            if extension & EXT_AUX != 0 {
                aux = Some(b.varint()?);
            }
            if extension & EXT_FILE2 != 0 {
                file2 = Some(b.varint_u32()?);
            }
            if extension & EXT_COLLECTIVE != 0 {
                is_collective = Some(true);
            }
            if extension & EXT_INDEPENDENT != 0 {
                is_collective = Some(false);
            }
        }
        let start = self.last_start.wrapping_add(b.zigzag()?.cast_unsigned());
        let busy = b.varint()?;
        self.last_start = start;
        Some(Call {
            function: slot.function,
            depth: slot.depth,
            file: slot.file,
            file2,
            stack: slot.stack,
            error,
            offset,
            requested: slot.size,
            done,
            is_collective,
            aux,
            start,
            end: start.checked_add(busy)?,
            busy,
            calls: 1,
        })
    }

    fn definition(&mut self, tag: u8) -> Option<Record<'a>> {
        let length = usize::try_from(self.body.varint()?).ok()?;
        let start = self.body.position();
        self.body.take(length)?;
        let end = self.body.position();
        let mut b = self.body.from(start);
        let record = read_definition(tag, &mut b, length)?;
        (b.position() <= end).then_some(record)
    }
}

fn read_definition<'a>(tag: u8, b: &mut Bytes<'a>, length: usize) -> Option<Record<'a>> {
    let start = b.position();
    let rest = |b: &Bytes<'a>| length.checked_sub(b.position() - start);
    Some(match tag {
        segment::NAME => {
            let (file, parent, kind) = (b.varint_u32()?, b.varint_u32()?, b.u8()?);
            Record::Name { file, parent, kind, path: b.take(rest(b)?)? }
        }
        segment::CLOCK => Record::Clock(b.fixed()?),
        segment::STACK => {
            let stack = b.varint_u32()?;
            let frames = rest(b)? / 8;
            Record::Stack { stack, addresses: (0..frames).map_while(|_| b.u64()).collect() }
        }
        segment::MODULE => {
            let (base, end, file_offset) = (b.u64()?, b.u64()?, b.u64()?);
            let id_bytes = usize::from(b.u8()?);
            let build_id = b.take(id_bytes)?;
            Record::Module { base, end, file_offset, build_id, path: b.take(rest(b)?)? }
        }
        segment::ATTRIBUTE => {
            Record::Attribute { file: b.varint_u32()?, key: b.text(), value: b.text() }
        }
        segment::RUN => Record::Call(run(b.fixed()?)?),
        segment::FRAME => {
            let (frame, line) = (b.varint_u32()?, b.varint()?);
            Record::Frame { frame, line, file: b.text(), function: b.text() }
        }
        segment::STACK_FRAMES => {
            let stack = b.varint_u32()?;
            let mut frames = Vec::new();
            while rest(b)? > 0 {
                frames.push(b.varint_u32()?);
            }
            Record::StackFrames { stack, frames }
        }
        segment::STARTED => {
            let (pid, reason) = (b.varint_u32()?, b.u8()?);
            Record::Started { pid, reason, program: b.take(rest(b)?)? }
        }
        segment::MAPPING => {
            let (number, mapping) = Mapping::read(b)?;
            Record::Mapping { number, mapping }
        }
        segment::FAULTS => {
            let mapping = b.varint_u32()?;
            let bytes = rest(b)?;
            Record::Faults { mapping, faults: read_faults(b, bytes) }
        }
        segment::PROGRAM_TIME => {
            let (pid, moment, ticks) = (b.varint_u32()?, b.u8()?, b.varint()?);
            let status = if rest(b)? > 0 { Some(b.varint_u32()?) } else { None };
            let is_end = match moment {
                segment::PROGRAM_BEGINS => false,
                segment::PROGRAM_WAITED_FOR => true,
                _ => return Some(Record::Other),
            };
            Record::ProgramTime { pid, is_end, ticks, status }
        }
        segment::SAMPLES => Record::Samples(Batch::read(b, start.checked_add(length)?)?),
        segment::REGION_NAME => {
            let name = b.varint_u32()?;
            Record::RegionName { name, text: b.take(rest(b)?)? }
        }
        segment::REGION => RegionRecord::of(b.fixed()?).map_or(Record::Other, Record::Region),
        segment::MESSAGE => Record::Message(Message::read(b)?),
        segment::MESSAGES => Record::Messages(Counted::read(b)?),
        segment::COMMUNICATOR => Record::Communicator(Communicator::read(b)?),
        segment::APPLIED => Record::Applied(Account::read(b)?),
        _ => Record::Other,
    })
}

/// Tiny calls kept as one.
fn run(run: Run) -> Option<Call> {
    // The process may have been killed between two of the fields.
    let end = run.last_ticks.max(run.first_ticks);
    let busy = match run.timed_calls {
        0 => 0,
        timed => {
            let all = u128::from(run.busy_ticks) * u128::from(run.calls) / u128::from(timed);
            u64::try_from(all).unwrap_or(u64::MAX).min(end - run.first_ticks)
        }
    };
    Some(Call {
        function: u16::try_from(run.function).ok()?,
        depth: u16::try_from(run.depth).ok()?,
        file: run.file,
        stack: run.stack,
        offset: (run.offset >= 0).then_some(run.offset),
        requested: run.bytes,
        done: run.bytes,
        start: run.first_ticks,
        end,
        busy,
        calls: run.calls,
        ..Call::default()
    })
}
