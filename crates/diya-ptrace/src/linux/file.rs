//! The file of a segment: places for windows, within the limits.

use super::header;
use super::kernel;
use diya_model::Layout as _;
use diya_model::segment::{
    self as format, DROPPED_CAP, DROPPED_SPACE, DROPPED_UNCOUNTED, SEGMENT_HEADER_BYTES,
};
use std::fs::File;
use std::io;
use std::os::unix::fs::{FileExt as _, OpenOptionsExt as _};
use std::path::Path;

pub(super) const PAGE: u64 = format::PAGE as u64;
/// What is not used of a window is given to another thread from this size on.
const LEAST_PIECE_BYTES: u64 = 4 * PAGE;

/// Why a call is not recorded: `enum diya_dropped`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dropped {
    Cap = DROPPED_CAP as isize,
    Space = DROPPED_SPACE as isize,
    /// Not even counted: there was no space for counters either.
    Uncounted = DROPPED_UNCOUNTED as isize,
}

/// What a window is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    Calls,
    /// Counters need the names of their files: these may go beyond the cap.
    Names,
    /// Bounded by themselves.
    Counters,
}

/// A file that windows are taken from.
#[derive(Debug)]
pub(super) struct SegmentFile {
    file: File,
    end: u64,
    /// 0: none.
    max_trace_bytes: u64,
    /// Rests of windows that ended threads left.
    free: Vec<(u64, u64)>,
}

impl SegmentFile {
    /// Makes the file of a process.
    pub fn create(
        folder: &Path,
        pid: i32,
        max_trace_bytes: u64,
        is_profile: bool,
    ) -> io::Result<Self> {
        let host = header::host();
        let path = folder.join(format!("{host}.{pid}.{}.seg", kernel::now()));
        let file =
            File::options().read(true).write(true).create_new(true).mode(0o600).open(path)?;
        let header = header::header(pid, &host, max_trace_bytes, is_profile);
        file.write_all_at(&header.to_bytes(), 0)?;
        // Last, so that a killed tracer leaves no half header.
        file.write_all_at(format::SEGMENT_MAGIC, 0)?;
        Ok(Self { file, end: SEGMENT_HEADER_BYTES.into(), max_trace_bytes, free: Vec::new() })
    }

    /// A place of one of these sizes, the first that fits, or one that is left
    /// of another: where it is, and how large.
    pub fn take(&mut self, sizes: &[u64], purpose: Purpose) -> Result<(u64, u64), Dropped> {
        if purpose != Purpose::Counters
            && let Some(block) = self.free.pop()
        {
            return Ok(block);
        }
        let mut refused = Dropped::Cap;
        for &size in sizes {
            if self.end + size <= self.most_bytes(purpose) {
                let offset = self.end;
                if self.file.set_len(offset + size).is_ok() {
                    self.end += size;
                    return Ok((offset, size));
                }
                refused = Dropped::Space;
            }
        }
        Err(refused)
    }

    /// As the library does: names go a quarter and 16 MiB beyond the cap.
    fn most_bytes(&self, purpose: Purpose) -> u64 {
        match (self.max_trace_bytes, purpose) {
            (0, _) | (_, Purpose::Counters) => u64::MAX,
            (cap, Purpose::Calls) => cap,
            (cap, Purpose::Names) => cap.saturating_add(cap / 4 + (16 << 20)),
        }
    }

    /// Gives back the end of a window; whether anything was left of it.
    pub fn give_back(&mut self, offset: u64, bytes: u64) -> bool {
        let is_enough = bytes >= LEAST_PIECE_BYTES;
        if is_enough {
            self.free.push((offset, bytes));
        }
        is_enough
    }

    /// Cuts the file where its last window is used no further.
    pub fn cut(&mut self, window_end: u64, used_end: u64) -> bool {
        window_end == self.end && self.file.set_len(used_end).is_ok()
    }

    pub fn write(&self, bytes: &[u8], at: u64) -> Result<(), Dropped> {
        self.file.write_all_at(bytes, at).map_err(|_| Dropped::Space)
    }

    /// Writes a field that is there already: it takes no more space.
    pub fn put(&self, bytes: &[u8], at: u64) {
        let _ = self.file.write_all_at(bytes, at);
    }
}
