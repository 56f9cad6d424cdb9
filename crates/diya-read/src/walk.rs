//! Inflates a region and feeds the bytes to a decoder, record by record.
//!
//! The decoder ([`Sink`]) takes whole records from the front of a buffer; what
//! it leaves is put in front of the bytes that come next, so records may lie
//! across buffer and stream ends. After damage the walk goes on at the next
//! stream it can find: in logs of the Darshan runtime a stream starts with a
//! record.

use crate::inflate::{Codecs, Compression, Step, Streams};
use crate::split::next_stream;
use diya_tables::IssueKind;

/// Bytes inflated at a time: stays in a second-level cache.
const BUFFER_BYTES: usize = 256 * 1024;

/// No record is larger: a record that claims to be is damaged.
const MAX_RECORD_BYTES: usize = 64 * 1024 * 1024;

/// Inflated bytes allowed beyond [`Budget::PER_STORED_BYTE`].
const BUDGET_BASE_BYTES: u64 = 64 * 1024 * 1024;

/// Takes inflated bytes.
pub(crate) trait Sink {
    /// Takes whole records from the front; returns how many bytes it took.
    fn take(&mut self, bytes: &[u8]) -> Result<usize, Damage>;

    /// Forgets the record it is in: the bytes that follow start a new one.
    fn reset(&mut self);
}

/// Why a decoder cannot go on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Damage(pub String);

/// Something that went wrong on the way; `at` is the place in the region.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    pub kind: IssueKind,
    pub at: usize,
    pub count: Option<u64>,
    pub effect: String,
}

/// How many more bytes may be inflated: what bounds a decompression bomb.
#[derive(Debug)]
pub(crate) struct Budget(u64);

impl Budget {
    /// Heat maps of idle ranks are nearly all zeros and shrink to less than a
    /// hundredth, and a log of a large job can hold little else. (The largest
    /// ratio of a log known here is 21, of a region 113.) zlib itself stops at
    /// 1032, which is what bombs use.
    const PER_STORED_BYTE: u64 = 200;

    /// The budget of a log of this size.
    pub fn of(stored_bytes: u64) -> Self {
        Self::with(stored_bytes, Self::PER_STORED_BYTE, BUDGET_BASE_BYTES)
    }

    /// A budget of so many bytes per stored byte, and some beyond.
    pub fn with(stored_bytes: u64, per_stored_byte: u64, base_bytes: u64) -> Self {
        Self(stored_bytes.saturating_mul(per_stored_byte).saturating_add(base_bytes))
    }

    /// Takes bytes out; false: there are not as many.
    pub fn spend(&mut self, bytes: usize) -> bool {
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        let has_enough = bytes <= self.0;
        self.0 = self.0.saturating_sub(bytes);
        has_enough
    }
}

/// Decompressors and buffer, kept from region to region.
#[derive(Default)]
pub(crate) struct Scratch {
    codecs: Codecs,
    buffer: Vec<u8>,
}

/// How a walk ended.
#[derive(Debug, Default)]
pub(crate) struct Walked {
    pub problems: Vec<Problem>,
    /// Bytes of an unfinished record at the end.
    pub left_over: usize,
    /// The walk passed the place where it should have ended.
    pub has_overrun: bool,
    /// The log ends inside the region.
    pub is_cut: bool,
}

/// Part of a region: from the start of a stream to the start of another.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Part<'a> {
    pub region: &'a [u8],
    pub compression: Compression,
    pub from: usize,
    pub to: usize,
}

/// Walks over a part of a region.
pub(crate) fn walk(
    part: Part<'_>,
    scratch: &mut Scratch,
    budget: &mut Budget,
    sink: &mut dyn Sink,
) -> Walked {
    let mut walked = Walked::default();
    let Scratch { codecs, buffer } = scratch;
    buffer.resize(buffer.len().max(BUFFER_BYTES), 0);
    let mut streams = Streams::new(codecs, part.compression, part.region, part.from);
    let mut filled = 0;
    // Set after damage inside a stream that still inflates: its rest is skipped.
    let mut is_skipping = false;
    let mut stream_start = part.from;
    while streams.at() < part.to {
        if filled == buffer.len() {
            if buffer.len() >= MAX_RECORD_BYTES {
                is_skipping = true;
                filled = 0;
                sink.reset();
                walked.problems.push(Problem {
                    kind: IssueKind::Corrupt,
                    at: stream_start,
                    count: None,
                    effect: "a record claims more than 64 MiB; the rest of this stream is skipped"
                        .into(),
                });
            } else {
                buffer.resize(buffer.len() * 2, 0);
            }
        }
        let step = streams.step(buffer.get_mut(filled..).unwrap_or_default());
        let (Step::Bytes(n) | Step::StreamEnd(n) | Step::InputEnd(n) | Step::Failed(n)) = step;
        if !budget.spend(n) {
            walked.problems.push(Problem {
                kind: IssueKind::Limit,
                at: streams.at(),
                count: None,
                effect:
                    "decompresses to far more than any real log; the rest of this part is skipped"
                        .into(),
            });
            return walked;
        }
        if is_skipping {
            filled = 0;
        } else {
            filled += n;
            match drain(buffer, filled, sink) {
                Ok(rest) => filled = rest,
                Err(Damage(reason)) => {
                    is_skipping = true;
                    filled = 0;
                    sink.reset();
                    walked.problems.push(Problem {
                        kind: IssueKind::Corrupt,
                        at: stream_start,
                        count: None,
                        effect: format!("{reason}; the rest of this stream is skipped"),
                    });
                }
            }
        }
        match step {
            Step::Bytes(_) => {}
            Step::StreamEnd(_) => {
                stream_start = streams.at();
                is_skipping = false;
            }
            Step::InputEnd(_) => {
                walked.problems.push(Problem {
                    kind: IssueKind::Truncated,
                    at: streams.at(),
                    count: None,
                    effect:
                        "the data ends inside a compressed stream; the data before the end is read"
                            .into(),
                });
                break;
            }
            Step::Failed(_) => {
                let failed_at = streams.at();
                sink.reset();
                filled = 0;
                is_skipping = false;
                let next = next_stream(part.region, stream_start + 1, part.compression);
                let next = next.filter(|&at| at < part.to);
                walked.problems.push(fault(failed_at, stream_start, next, part.to));
                match next {
                    Some(at) => {
                        streams.restart(at);
                        stream_start = at;
                    }
                    None => break,
                }
            }
        }
    }
    walked.has_overrun = streams.at() > part.to;
    walked.left_over = filled;
    walked
}

fn fault(at: usize, stream_start: usize, next: Option<usize>, end: usize) -> Problem {
    let lost = u64::try_from(next.unwrap_or(end).saturating_sub(stream_start)).unwrap_or(u64::MAX);
    Problem {
        kind: IssueKind::Checksum,
        at,
        count: Some(lost),
        effect:
            "a compressed stream of so many bytes is damaged: rows read from it before the fault \
                 are kept but may be wrong, the others are lost"
                .into(),
    }
}

/// Takes records of varying size from the front, as long as they are whole.
/// `record` says how many bytes the one at the front has, once it is whole.
pub(crate) fn take_whole(
    bytes: &[u8],
    mut record: impl FnMut(&[u8]) -> Result<Option<usize>, Damage>,
) -> Result<usize, Damage> {
    let mut taken = 0;
    while let Some(size) = record(bytes.get(taken..).unwrap_or_default())? {
        taken += size;
    }
    Ok(taken)
}

/// Gives the sink what is there and moves the rest to the front.
fn drain(buffer: &mut [u8], filled: usize, sink: &mut dyn Sink) -> Result<usize, Damage> {
    let mut taken = 0;
    loop {
        let bytes = buffer.get(taken..filled).unwrap_or_default();
        let n = sink.take(bytes)?.min(bytes.len());
        if n == 0 {
            break;
        }
        taken += n;
    }
    if taken > 0 {
        buffer.copy_within(taken..filled, 0);
    }
    Ok(filled - taken)
}
