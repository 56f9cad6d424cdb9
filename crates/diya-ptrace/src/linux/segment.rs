//! The segment of one process, written record by record.
//!
//! Each record is in the file before the program goes on, so that nothing is
//! lost when program and tracer are killed together.

use super::counted::Counted;
use super::file::{Dropped, PAGE, Purpose, SegmentFile};
use super::header::{self, State};
use super::kernel;
use super::record::{self, Encoder, Event};
use super::shape::FileType;
use super::window::{WINDOW_HEADER_BYTES, window_header};
use diya_model::Layout as _;
use diya_model::segment::{self as format, SegmentHeader, WindowHeader};
use std::collections::HashMap;
use std::io;
use std::path::Path;

const FIRST_WINDOW_BYTES: u64 = 64 << 10;
const NEXT_WINDOW_BYTES: u64 = 1 << 20;
const CALLS_PER_CLOCK_POINT: u32 = 256;

/// What is recorded, and how much.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// Counters only.
    pub is_profile: bool,
    /// 0: none.
    pub max_trace_bytes: u64,
}

/// A part of the file that one thread writes.
#[derive(Debug)]
struct Window {
    offset: u64,
    bytes: u64,
    used: u64,
    encoder: Encoder,
}

/// What is known of a file.
#[derive(Debug, Clone, Copy)]
struct Named {
    number: u32,
    kind: FileType,
    block_bytes: u32,
}

/// The segment of a process.
#[derive(Debug)]
pub(super) struct Segment {
    file: SegmentFile,
    is_profile: bool,
    /// From now on, or from the start, calls are counted only.
    is_counting: bool,
    windows: HashMap<i32, Window>,
    /// Windows that each thread has had.
    sequences: HashMap<i32, u32>,
    names: HashMap<Vec<u8>, Named>,
    counted: Counted,
    dropped: [u64; format::DROPPED_REASONS as usize],
    until_clock: u32,
}

impl Segment {
    /// Makes the segment of a process, in the folder of the recording.
    pub fn create(folder: &Path, pid: i32, limits: Limits) -> io::Result<Self> {
        Ok(Self {
            file: SegmentFile::create(folder, pid, limits.max_trace_bytes, limits.is_profile)?,
            is_profile: limits.is_profile,
            is_counting: limits.is_profile,
            windows: HashMap::new(),
            sequences: HashMap::new(),
            names: HashMap::new(),
            counted: Counted::new(pid, limits.is_profile),
            dropped: [0; format::DROPPED_REASONS as usize],
            until_clock: CALLS_PER_CLOCK_POINT,
        })
    }

    /// Number of a file and the size of its blocks. Its name is written when
    /// it is new, and again when more is known of what it is.
    pub fn file_number(
        &mut self,
        tid: i32,
        path: &[u8],
        about: Option<(FileType, u32)>,
    ) -> (u32, u32) {
        let known = self.names.get(path).copied();
        let number = known.map_or(self.names.len() as u32 + 1, |known| known.number);
        let (kind, block_bytes) = about
            .or(known.map(|known| (known.kind, known.block_bytes)))
            .unwrap_or((FileType::File, 0));
        if known.map(|known| known.kind) != Some(kind) {
            let mut bytes = Vec::with_capacity(path.len() + 16);
            record::name(number, kind as u8, path, &mut bytes);
            if self.append(tid, &bytes, Purpose::Names).is_err() {
                return (0, 0);
            }
            self.names.insert(path.to_vec(), Named { number, kind, block_bytes });
        }
        (number, block_bytes)
    }

    /// Writes a call on a file whose blocks have so many bytes, or counts it.
    pub fn call(&mut self, tid: i32, event: &Event, block_bytes: u32) {
        let result = if self.is_counting { Err(Dropped::Cap) } else { self.record(tid, event) };
        if let Err(reason) = result {
            self.is_counting |= reason == Dropped::Cap;
            if !self.counted.count(&mut self.file, event, block_bytes) {
                self.drop_call(Dropped::Uncounted);
            } else if !self.is_profile {
                self.drop_call(reason);
            }
        }
        self.until_clock -= 1;
        if self.until_clock == 0 {
            self.until_clock = CALLS_PER_CLOCK_POINT;
            self.file.put(&header::clock_point().to_bytes(), SegmentHeader::LAST_AT as u64);
        }
    }

    fn record(&mut self, tid: i32, event: &Event) -> Result<(), Dropped> {
        const LONGEST_CALL_BYTES: u64 = 160;
        self.window(tid, LONGEST_CALL_BYTES, event.start, Purpose::Calls)?;
        let Some(window) = self.windows.get_mut(&tid) else { return Err(Dropped::Space) };
        let mut bytes = Vec::with_capacity(LONGEST_CALL_BYTES as usize);
        window.encoder.call(event, &mut bytes);
        let result = self.append(tid, &bytes, Purpose::Calls);
        if result.is_err() {
            // The encoder predicts from a call that is not there.
            self.windows.remove(&tid);
        }
        result
    }

    /// A thread ended: others may use what it left of its window.
    pub fn thread_ended(&mut self, tid: i32) {
        let Some(window) = self.windows.remove(&tid) else { return };
        let kept = self.close(&window);
        if self.file.give_back(window.offset + kept, window.bytes - kept) {
            self.shorten(&window, kept);
        }
    }

    /// The process ended, or became another program.
    pub fn finish(mut self, state: State, exit_code: Option<i32>) {
        for (_, window) in std::mem::take(&mut self.windows) {
            let kept = self.close(&window);
            if self.file.cut(window.offset + window.bytes, window.offset + kept) {
                self.shorten(&window, kept);
            }
        }
        if let Some(code) = exit_code {
            self.file.put(&code.to_ne_bytes(), SegmentHeader::EXIT_CODE_AT as u64);
        }
        self.file.put(&header::clock_point().to_bytes(), SegmentHeader::LAST_AT as u64);
        self.file.put(&(state as u32).to_ne_bytes(), SegmentHeader::STATE_AT as u64);
    }

    /// Says how much of a window is used; whole pages that must stay, with a 0
    /// that ends the records.
    fn close(&self, window: &Window) -> u64 {
        let at = window.offset + WindowHeader::USED_AT as u64;
        self.file.put(&(window.used as u32).to_ne_bytes(), at);
        (window.used + 1).next_multiple_of(PAGE).min(window.bytes)
    }

    fn shorten(&self, window: &Window, bytes: u64) {
        let at = window.offset + WindowHeader::BYTES_AT as u64;
        self.file.put(&(bytes as u32).to_ne_bytes(), at);
    }

    /// Makes sure that the thread's window has room.
    fn window(
        &mut self,
        tid: i32,
        bytes: u64,
        ticks: u64,
        purpose: Purpose,
    ) -> Result<(), Dropped> {
        if self.windows.get(&tid).is_some_and(|w| w.used + bytes < w.bytes) {
            return Ok(());
        }
        let sizes = match self.windows.contains_key(&tid) {
            true => &[NEXT_WINDOW_BYTES, FIRST_WINDOW_BYTES][..],
            false => &[FIRST_WINDOW_BYTES],
        };
        let (offset, size) = self.file.take(sizes, purpose)?;
        if let Some(full) = self.windows.remove(&tid) {
            self.close(&full);
        }
        let sequence = self.sequences.entry(tid).or_default();
        let start = window_header(format::WINDOW_RECORDS, size, tid, *sequence, ticks);
        *sequence += 1;
        self.file.write(&start, offset)?;
        let window =
            Window { offset, bytes: size, used: WINDOW_HEADER_BYTES, encoder: Encoder::new(ticks) };
        self.windows.insert(tid, window);
        Ok(())
    }

    /// Appends a record to the window of a thread.
    fn append(&mut self, tid: i32, record: &[u8], purpose: Purpose) -> Result<(), Dropped> {
        let length = record.len() as u64;
        self.window(tid, length, kernel::now(), purpose)?;
        let Some(window) = self.windows.get_mut(&tid) else { return Err(Dropped::Space) };
        let at = window.offset + window.used;
        // A tracer that is killed may have written the first of two pages: the
        // tag, without which nothing of the record counts, then comes last.
        if at / PAGE == (at + length - 1) / PAGE {
            self.file.write(record, at)?;
        } else {
            self.file.write(&record[1..], at + 1)?;
            self.file.write(&record[..1], at)?;
        }
        window.used += length;
        Ok(())
    }

    fn drop_call(&mut self, reason: Dropped) {
        self.dropped[reason as usize] += 1;
        let count = self.dropped[reason as usize];
        self.file.put(
            &count.to_ne_bytes(),
            (SegmentHeader::DROPPED_AT + reason as usize * u64::BYTES) as u64,
        );
    }
}
