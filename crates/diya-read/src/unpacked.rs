//! A compressed file as a source that is read in order: what it unpacks to is never held as a whole.

use crate::container::{UnpackProblem, cut, damaged, over, unpacking};
use crate::{Source, SourceError};
use std::borrow::Cow;
use std::io::{ErrorKind, Read};
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// A small file can unpack to any size: no more than this is read of it.
const MAX_UNPACKED_BYTES: u64 = 1 << 30;
/// Or so many times the bytes of the file, if that is more. Traces in JSON take a twentieth.
const MAX_RATIO: u64 = 100;

/// Begins to read the file, again and again.
pub type Start = dyn Fn() -> Box<dyn Read + Send> + Send + Sync;

/// What went wrong on the way; nothing before the bytes there were read.
pub type Problem = Arc<OnceLock<UnpackProblem>>;

/// What a file of gzip or Zstandard unpacks to, for readers that go from its start to its end. One
/// that goes back costs unpacking from the start.
pub struct UnpackedInOrder {
    start: Box<Start>,
    /// The first bytes of the file: they tell the compression.
    head: [u8; 4],
    limit: u64,
    compression: &'static str,
    problem: Problem,
    progress: Mutex<Progress>,
}

/// How far the unpacking is.
struct Progress {
    decoder: Box<dyn Read + Send>,
    /// Bytes that it gave.
    at: u64,
    /// The most that it ever gave.
    known: u64,
}

impl UnpackedInOrder {
    /// A file of so many bytes that begins with `head`. `None`: it is compressed by neither.
    pub fn of(head: &[u8], packed_bytes: u64, start: Box<Start>) -> Option<Self> {
        let head = *head.first_chunk()?;
        let (decoder, compression) = unpacking(&head, start())?;
        Some(Self {
            head,
            limit: MAX_UNPACKED_BYTES.max(packed_bytes.saturating_mul(MAX_RATIO)),
            compression,
            problem: Problem::default(),
            progress: Mutex::new(Progress { decoder, at: 0, known: 0 }),
            start,
        })
    }

    /// "gzip" or "zstd".
    pub fn compression(&self) -> &'static str {
        self.compression
    }

    /// What went wrong, once the bytes there have been read.
    pub fn problem(&self) -> Problem {
        Arc::clone(&self.problem)
    }

    fn progress(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Goes to a byte; false: the file ends before it.
    fn go(&self, progress: &mut Progress, to: u64) -> Result<bool, SourceError> {
        if to < progress.at {
            let again = unpacking(&self.head, (self.start)());
            let (decoder, _) = again.ok_or_else(|| failed(0, ErrorKind::Other.into()))?;
            (progress.decoder, progress.at) = (decoder, 0);
        }
        let mut skipped = Vec::new();
        while progress.at < to {
            skipped.clear();
            if self.take(progress, (to - progress.at).min(1 << 20), &mut skipped)? == 0 {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn take(
        &self,
        progress: &mut Progress,
        most: u64,
        to: &mut Vec<u8>,
    ) -> Result<usize, SourceError> {
        let before = to.len();
        let most = most.min(self.limit.saturating_sub(progress.at));
        if most == 0 {
            self.problem.get_or_init(|| over(self.limit, self.compression));
            return Ok(0);
        }
        let read = (&mut progress.decoder).take(most).read_to_end(to);
        let got = to.len() - before;
        progress.at += u64::try_from(got).unwrap_or(0);
        progress.known = progress.known.max(progress.at);
        match read {
            Err(e) if e.kind() == ErrorKind::UnexpectedEof => {
                self.problem.get_or_init(|| cut(self.compression));
            }
            // The file cannot be read: that is not what is in it.
            Err(e) if e.raw_os_error().is_some() => return Err(failed(progress.at, e)),
            Err(e) => {
                self.problem.get_or_init(|| damaged(self.compression, &e));
            }
            Ok(_) => {}
        }
        Ok(got)
    }
}

fn failed(at: u64, error: std::io::Error) -> SourceError {
    SourceError { from: at, to: at, reason: error.to_string() }
}

impl Source for UnpackedInOrder {
    /// The bytes that were unpacked so far; all, once a reader met the end.
    fn len(&self) -> u64 {
        self.progress().known
    }

    fn bytes(&self, range: Range<u64>) -> Result<Cow<'_, [u8]>, SourceError> {
        let mut bytes = Vec::new();
        let wanted = range.end.saturating_sub(range.start);
        let got = self.append(range.start, wanted, &mut bytes)?;
        if u64::try_from(got) == Ok(wanted) {
            return Ok(Cow::Owned(bytes));
        }
        let reason = format!("the file unpacks to {} bytes", self.len());
        Err(SourceError { from: range.start, to: range.end, reason })
    }

    fn append(&self, from: u64, most: u64, to: &mut Vec<u8>) -> Result<usize, SourceError> {
        let progress = &mut *self.progress();
        if !self.go(progress, from)? {
            return Ok(0);
        }
        self.take(progress, most, to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use diya_tables::IssueKind;
    use std::io::Write as _;

    fn packed(text: &[u8]) -> Vec<u8> {
        let mut file = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        file.write_all(text).expect("memory takes all bytes");
        file.finish().expect("memory takes all bytes")
    }

    fn of(file: Vec<u8>) -> UnpackedInOrder {
        let (head, length) = (file.clone(), file.len() as u64);
        let start =
            move || -> Box<dyn Read + Send> { Box::new(std::io::Cursor::new(file.clone())) };
        UnpackedInOrder::of(&head, length, Box::new(start)).expect("is packed")
    }

    #[test]
    fn pieces_are_those_of_the_whole_also_when_a_reader_goes_back() {
        let text: Vec<u8> = (0..300_000_u32).flat_map(u32::to_le_bytes).collect();
        // Two members, as writers of traces append them.
        let source = of([packed(&text[..500_000]), packed(&text[500_000..])].concat());
        for (from, most) in [(0, 4096), (4096, 700_000), (10, 20), (1_199_990, 100)] {
            let mut piece = Vec::new();
            let got = source.append(from, most, &mut piece).expect("memory can be read");
            let from = from as usize;
            assert_eq!(got, piece.len());
            assert!(piece == text[from..(from + most as usize).min(text.len())]);
        }
        assert_eq!(source.len(), 1_200_000);
        assert_eq!(source.append(1_200_000, 1, &mut Vec::new()).expect("the end"), 0);
        assert!(source.problem().get().is_none());
        assert!(source.bytes(1_199_990..1_200_010).is_err());
    }

    #[test]
    fn what_is_cut_or_damaged_gives_what_came_before_and_says_so() {
        let text = b"a line of a trace\n".repeat(100_000);
        let file = packed(&text);
        let mut cut = file.clone();
        cut.truncate(file.len() / 2);
        let mut damaged = file.clone();
        damaged[file.len() / 2..file.len() / 2 + 9].fill(0xff);
        for (file, kind) in [(cut, IssueKind::Truncated), (damaged, IssueKind::Checksum)] {
            let source = of(file);
            let mut all = Vec::new();
            while source.append(all.len() as u64, 1 << 16, &mut all).expect("memory") > 0 {}
            assert!(all.len() > text.len() / 4 && all.len() as u64 == source.len());
            assert_eq!(source.problem().get().map(|problem| problem.kind), Some(kind));
        }
    }

    #[test]
    fn a_small_file_cannot_unpack_to_any_size() {
        let source = UnpackedInOrder { limit: 1000, ..of(packed(&[b' '; 5000])) };
        let mut all = Vec::new();
        assert_eq!(source.append(0, 5000, &mut all).expect("memory"), 1000);
        assert_eq!(source.append(1000, 10, &mut all).expect("memory"), 0);
        let problem = source.problem();
        assert_eq!(problem.get().map(|problem| problem.kind), Some(IssueKind::Limit));
    }
}
