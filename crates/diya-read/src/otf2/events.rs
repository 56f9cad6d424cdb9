//! `NAME/N.evt`: the events of one location, in chunks of one size.

use super::bytes::{Rest, reference};
use super::chunks::{Chunks, END_OF_CHUNK, END_OF_FILE};
use super::definitions::Definitions;
use super::local::{Local, Mapped};
use super::messages::{Gathering, Line};

/// Marks between events.
const TIMESTAMP: u8 = 5;
const ATTRIBUTES: u8 = 6;

/// Events of one number, whose length is that of the number.
const OF_ONE_NUMBER: [u8; 10] = [12, 13, 16, 17, 20, 21, 24, 28, 29, 30];

/// Types of values of metrics that are no numbers without a sign.
const SIGNED: u8 = 8;
const DOUBLE: u8 = 10;

/// Kinds that version 3.2 has; later ones can follow.
const FIRST_KNOWN: u8 = 10;
const LAST_KNOWN: u8 = 88;

/// An event that says something of calls; numbers are global ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Event {
    Enter {
        region: u32,
    },
    Leave {
        region: u32,
    },
    Create {
        handle: u32,
        mode: u8,
        creation: u32,
        status: u32,
    },
    Destroy {
        handle: u32,
    },
    Duplicate {
        old: u32,
        new: u32,
        status: u32,
    },
    Seek {
        handle: u32,
        whence: u8,
        place: u64,
    },
    Status {
        handle: u32,
        status: u32,
    },
    Delete {
        paradigm: u8,
        file: u32,
    },
    Begin {
        handle: u32,
        mode: u8,
        flags: u32,
        requested: u64,
        id: u64,
        offset: Option<u64>,
    },
    Complete {
        handle: u32,
        moved: u64,
        id: u64,
    },
    Cancelled {
        handle: u32,
        id: u64,
    },
    /// A lock is taken, given back or tried for.
    Lock {
        handle: u32,
    },
    ProgramBegin {
        name: u32,
    },
    ProgramEnd {
        status: i64,
    },
    /// The recorder wrote its buffer until this tick.
    Flush {
        until: u64,
    },
    /// Recording goes on (1) or stops (2).
    Recording {
        mode: u8,
    },
    /// Values of a metric: those that were read last.
    Metric {
        metric: u32,
    },
    /// A message is sent; one that goes on has a request.
    Sent {
        line: Line,
        request: Option<u64>,
    },
    SendCompleted {
        request: u64,
    },
    Received {
        line: Line,
    },
    Gathered {
        of: Gathering,
    },
    /// One that the tables do not need.
    Other,
    /// Of a kind that is not known.
    Unknown,
}

/// The events of a location, one after the other.
#[derive(Debug)]
pub(super) struct Events<'a> {
    chunks: Chunks<'a>,
    rest: Rest<'a>,
    local: &'a Local,
    definitions: &'a Definitions<'a>,
    tick: u64,
    offset: Option<u64>,
    /// The arguments of the last `ProgramBegin`.
    pub arguments: Vec<u32>,
    /// The values of the last `Metric`.
    pub values: Vec<f64>,
    /// Events so far.
    pub read: u64,
    /// Chunks of which a part makes no sense.
    damaged: u64,
    /// Events of kinds that are not known.
    pub unknown: u64,
    /// The end of the file was reached.
    pub is_whole: bool,
}

impl<'a> Events<'a> {
    pub fn of(
        bytes: &'a [u8],
        chunk_bytes: u64,
        local: &'a Local,
        definitions: &'a Definitions<'a>,
    ) -> Self {
        Self {
            chunks: Chunks::of(bytes, chunk_bytes),
            rest: Rest { bytes: &[], is_big: false },
            local,
            definitions,
            tick: 0,
            offset: None,
            arguments: Vec::new(),
            values: Vec::new(),
            read: 0,
            damaged: 0,
            unknown: 0,
            is_whole: false,
        }
    }

    /// Chunks that make no sense, and those of which a part makes none.
    pub fn damaged(&self) -> u64 {
        self.damaged + self.chunks.damaged
    }

    fn event(&mut self, kind: u8) -> Option<Event> {
        let local = self.local;
        if OF_ONE_NUMBER.contains(&kind) {
            // A number of eight bytes can follow; a region has up to four.
            let number = self.rest.u64()?;
            let region = |number: u64| {
                let number = u32::try_from(number).unwrap_or(u32::MAX);
                local.global(Mapped::Region, number)
            };
            return Some(match kind {
                12 => Event::Enter { region: region(number) },
                13 => Event::Leave { region: region(number) },
                16 => Event::SendCompleted { request: number },
                _ => Event::Other,
            });
        }
        let mut rest = self.rest.record()?;
        let handle = |rest: &mut Rest<'_>| Some(local.global(Mapped::IoHandle, rest.u32()?));
        Some(match kind {
            10 => Event::Flush { until: rest.full_u64()? },
            11 => Event::Recording { mode: rest.u8()? },
            14 => Event::Sent { line: line(&mut rest, local)?, request: None },
            15 => Event::Sent { line: line(&mut rest, local)?, request: Some(rest.u64()?) },
            18 | 19 => Event::Received { line: line(&mut rest, local)? },
            23 => {
                let (_operation, comm) = (rest.u8()?, local.global(Mapped::Comm, rest.u32()?));
                let root = reference(rest.u32()?);
                let bytes = rest.u64()?.max(rest.u64()?);
                Event::Gathered { of: Gathering { comm, root, bytes } }
            }
            31 => {
                let metric = local.global(Mapped::Metric, rest.u32()?);
                let count = rest.u8()?;
                self.values.clear();
                for _ in 0..count {
                    let kind = rest.u8()?;
                    self.values.push(metric_value(kind, rest.u64()?));
                }
                Event::Metric { metric }
            }
            66 | 67 => {
                let context = local.global(Mapped::CallingContext, rest.u32()?);
                let region = self.definitions.contexts.get(context.into()).copied();
                let region = region.unwrap_or(u32::MAX);
                if kind == 66 { Event::Enter { region } } else { Event::Leave { region } }
            }
            69 => Event::Create {
                handle: handle(&mut rest)?,
                mode: rest.u8()?,
                creation: rest.u32()?,
                status: rest.u32()?,
            },
            70 => Event::Destroy { handle: handle(&mut rest)? },
            71 => Event::Duplicate {
                old: handle(&mut rest)?,
                new: handle(&mut rest)?,
                status: rest.u32()?,
            },
            72 => {
                let (handle, _by) = (handle(&mut rest)?, rest.u64()?);
                Event::Seek { handle, whence: rest.u8()?, place: rest.u64()? }
            }
            73 => Event::Status { handle: handle(&mut rest)?, status: rest.u32()? },
            74 => Event::Delete {
                paradigm: rest.u8()?,
                file: local.global(Mapped::IoFile, rest.u32()?),
            },
            75 => Event::Begin {
                handle: handle(&mut rest)?,
                mode: rest.u8()?,
                flags: rest.u32()?,
                requested: rest.u64()?,
                id: rest.u64()?,
                offset: self.offset,
            },
            78 => {
                Event::Complete { handle: handle(&mut rest)?, moved: rest.u64()?, id: rest.u64()? }
            }
            79 => Event::Cancelled { handle: handle(&mut rest)?, id: rest.u64()? },
            80..=82 => Event::Lock { handle: handle(&mut rest)? },
            83 => {
                let name = local.global(Mapped::String, rest.u32()?);
                let count = rest.u32()?;
                let text = |rest: &mut Rest<'_>| Some(local.global(Mapped::String, rest.u32()?));
                self.arguments = (0..count).map_while(|_| text(&mut rest)).collect();
                Event::ProgramBegin { name }
            }
            84 => Event::ProgramEnd { status: rest.i64()? },
            kind if !(FIRST_KNOWN..=LAST_KNOWN).contains(&kind) => Event::Unknown,
            _ => Event::Other,
        })
    }

    /// Values that belong to the next event: of these, the place in the file.
    fn attributes(&mut self) -> Option<()> {
        let mut rest = self.rest.record()?;
        for _ in 0..rest.u32()? {
            let attribute = self.local.global(Mapped::Attribute, rest.u32()?);
            let value = match rest.u8()? {
                1 | 5 => rest.u8().map(u64::from)?,
                2 | 6 => rest.take(2).map(|_| u64::MAX)?,
                // A location, and numbers of eight bytes.
                4 | 8 | 13 => rest.u64()?,
                9 => rest.take(4).map(|_| u64::MAX)?,
                10 => rest.take(8).map(|_| u64::MAX)?,
                3 | 7 | 11.. => rest.u32().map(u64::from)?,
                0 => return None,
            };
            if self.definitions.is_offset(attribute) {
                // A place that no file has: it is not known, and does not follow from others.
                self.offset = Some(value);
            }
        }
        Some(())
    }
}

/// One end of a message.
fn line(rest: &mut Rest<'_>, local: &Local) -> Option<Line> {
    let (peer, comm) = (rest.u32()?, local.global(Mapped::Comm, rest.u32()?));
    Some(Line { comm, peer, tag: rest.u32()?, bytes: rest.u64()? })
}

/// A value of a metric, whose bits are stored as a number.
fn metric_value(kind: u8, bits: u64) -> f64 {
    match kind {
        SIGNED => bits.cast_signed() as f64,
        DOUBLE => f64::from_bits(bits),
        _ => bits as f64,
    }
}

impl Iterator for Events<'_> {
    /// The tick on the clock of all, and what happened then.
    type Item = (u64, Event);

    fn next(&mut self) -> Option<(u64, Event)> {
        loop {
            let kind = match self.rest.u8() {
                Some(END_OF_FILE) => {
                    self.is_whole = true;
                    self.rest.bytes = &[];
                    self.chunks.end();
                    return None;
                }
                None | Some(END_OF_CHUNK) => {
                    self.rest = self.chunks.next()?;
                    continue;
                }
                Some(kind) => kind,
            };
            let read = match kind {
                TIMESTAMP => self.rest.full_u64().map(|tick| self.tick = tick),
                ATTRIBUTES => self.attributes(),
                kind => match self.event(kind) {
                    Some(event) => {
                        self.offset = None;
                        self.read += 1;
                        self.unknown += u64::from(event == Event::Unknown);
                        return Some((self.local.corrected(self.tick), event));
                    }
                    None => None,
                },
            };
            if read.is_none() {
                self.damaged += 1;
                self.offset = None;
                self.rest.bytes = &[];
            }
        }
    }
}
