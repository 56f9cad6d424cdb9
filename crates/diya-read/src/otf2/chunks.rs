//! Files are written in chunks of one size, each with a header.

use super::bytes::Rest;

/// Marks between records.
pub(super) const END_OF_CHUNK: u8 = 0;
pub(super) const END_OF_FILE: u8 = 2;

/// Bytes at the beginning of each chunk: the mark, the byte order, the numbers of its first and
/// last event.
const HEADER_BYTES: usize = 18;

/// The chunks of a file, one after the other.
#[derive(Debug)]
pub(super) struct Chunks<'a> {
    bytes: &'a [u8],
    chunk_bytes: usize,
    next: usize,
    /// Chunks without a header.
    pub damaged: u64,
}

impl<'a> Chunks<'a> {
    pub fn of(bytes: &'a [u8], chunk_bytes: u64) -> Self {
        // A chunk shorter than its header would lead nowhere.
        let chunk_bytes = usize::try_from(chunk_bytes).unwrap_or(usize::MAX);
        Self { bytes, chunk_bytes: chunk_bytes.max(HEADER_BYTES + 1), next: 0, damaged: 0 }
    }

    /// There is nothing behind this.
    pub fn end(&mut self) {
        self.next = self.bytes.len();
    }
}

impl<'a> Iterator for Chunks<'a> {
    type Item = Rest<'a>;

    fn next(&mut self) -> Option<Rest<'a>> {
        let all = self.bytes.get(self.next..).filter(|all| !all.is_empty())?;
        self.next = self.next.saturating_add(self.chunk_bytes);
        let chunk = all.get(..self.chunk_bytes).unwrap_or(all);
        let header = Rest::behind_header(chunk);
        let numbers = HEADER_BYTES - 2;
        match header.and_then(|rest| Some((rest.bytes.get(numbers..)?, rest.is_big))) {
            Some((bytes, is_big)) => Some(Rest { bytes, is_big }),
            None => {
                self.damaged += 1;
                Some(Rest { bytes: &[], is_big: false })
            }
        }
    }
}

/// How far a file of definitions could be read.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Reading {
    /// Records and chunks that make no sense.
    pub damaged: u64,
    /// The file has its end.
    pub is_whole: bool,
}

/// Gives `each` all records of a file of definitions; `None`: this one makes no sense.
pub(super) fn records<'a>(
    bytes: &'a [u8],
    chunk_bytes: u64,
    mut each: impl FnMut(u8, Rest<'a>) -> Option<()>,
) -> Reading {
    let mut reading = Reading::default();
    let mut chunks = Chunks::of(bytes, chunk_bytes);
    while let Some(mut rest) = chunks.next() {
        while let Some(kind) = rest.u8().filter(|kind| *kind != END_OF_CHUNK) {
            if kind == END_OF_FILE {
                reading.is_whole = true;
                chunks.end();
                break;
            }
            let Some(record) = rest.record() else {
                reading.damaged += 1;
                break;
            };
            reading.damaged += u64::from(each(kind, record).is_none());
        }
    }
    reading.damaged += chunks.damaged;
    reading
}
