//! Records of OTF2, and the chunks of files that hold them.

use std::io::{self, Write};

/// Marks: a chunk begins, a time, the end of the file and of its buffer.
const CHUNK_HEADER: u8 = 3;
const LITTLE: u8 = 0x42;
const TIMESTAMP: u8 = 5;
const END: [u8; 2] = [2, 1];

/// Bytes of a header of a chunk, and what must be free behind each record.
const HEADER_BYTES: usize = 18;
const RESERVE_BYTES: usize = 16;

/// A reference to nothing, and a number that is not known.
pub(super) const NOTHING: u64 = u64::MAX;

/// A number with its length before it.
pub(super) fn number(bytes: &mut Vec<u8>, number: u64) {
    if number == NOTHING {
        bytes.push(0xff);
        return;
    }
    let all = number.to_le_bytes();
    let zeros = all.iter().rev().take_while(|byte| **byte == 0).count();
    let used = all.get(..all.len() - zeros).unwrap_or_default();
    bytes.push(used.len() as u8);
    bytes.extend_from_slice(used);
}

/// A record while its fields are added.
#[derive(Debug, Clone)]
pub(super) struct Record {
    kind: u8,
    payload: Vec<u8>,
}

impl Record {
    pub fn new(kind: u8) -> Self {
        Self { kind, payload: Vec::new() }
    }

    pub fn byte(mut self, byte: u8) -> Self {
        self.payload.push(byte);
        self
    }

    pub fn int(mut self, value: u64) -> Self {
        number(&mut self.payload, value);
        self
    }

    pub fn ints<const N: usize>(self, values: [u64; N]) -> Self {
        values.into_iter().fold(self, Self::int)
    }

    /// A text; a zero in it would end it.
    pub fn text(mut self, text: &str) -> Self {
        self.payload.extend(text.bytes().filter(|byte| *byte != 0));
        self.payload.push(0);
        self
    }

    /// Adds its bytes: kind, length, fields.
    pub fn write(&self, to: &mut Vec<u8>) {
        to.push(self.kind);
        match u8::try_from(self.payload.len()) {
            Ok(length) if length < 0xff => to.push(length),
            _ => {
                to.push(0xff);
                to.extend((self.payload.len() as u64).to_le_bytes());
            }
        }
        to.extend_from_slice(&self.payload);
    }
}

/// A file in chunks of one size.
pub(super) struct Chunks<W> {
    out: W,
    chunk_bytes: usize,
    chunk: Vec<u8>,
    tick: Option<u64>,
    /// Events so far.
    pub events: u64,
}

impl<W: Write> Chunks<W> {
    pub fn new(out: W, chunk_bytes: u64) -> Self {
        let chunk_bytes = usize::try_from(chunk_bytes).unwrap_or(usize::MAX);
        let mut chunks = Self { out, chunk_bytes, chunk: Vec::new(), tick: None, events: 0 };
        chunks.begin();
        chunks
    }

    fn begin(&mut self) {
        self.chunk.clear();
        self.tick = None;
        self.chunk.extend([CHUNK_HEADER, LITTLE]);
        self.chunk.extend((self.events + 1).to_le_bytes());
        self.chunk.extend([0; 8]);
    }

    /// The number of the last event in the chunk is known when it is full.
    fn number_last(&mut self) {
        if let Some(last) = self.chunk.get_mut(HEADER_BYTES - 8..HEADER_BYTES) {
            last.copy_from_slice(&self.events.to_le_bytes());
        }
    }

    fn room_for(&mut self, bytes: usize) -> io::Result<()> {
        if self.chunk.len() + bytes + RESERVE_BYTES <= self.chunk_bytes {
            return Ok(());
        }
        self.number_last();
        self.chunk.resize(self.chunk_bytes, 0);
        self.out.write_all(&self.chunk)?;
        self.begin();
        Ok(())
    }

    /// Adds a definition; longer than a chunk it does not fit into any.
    pub fn definition(&mut self, record: &Record) -> io::Result<()> {
        let mut bytes = Vec::new();
        record.write(&mut bytes);
        self.room_for(bytes.len())?;
        self.chunk.extend(bytes);
        Ok(())
    }

    /// Adds an event at a tick, with what belongs to it before it.
    pub fn event(&mut self, tick: u64, bytes: &[u8]) -> io::Result<()> {
        self.room_for(bytes.len())?;
        if self.tick != Some(tick) {
            self.chunk.push(TIMESTAMP);
            self.chunk.extend(tick.to_le_bytes());
            self.tick = Some(tick);
        }
        self.chunk.extend_from_slice(bytes);
        self.events += 1;
        Ok(())
    }

    /// Writes the last chunk.
    pub fn finish(mut self) -> io::Result<u64> {
        self.number_last();
        self.chunk.extend(END);
        self.out.write_all(&self.chunk)?;
        self.out.flush()?;
        Ok(self.events)
    }
}
