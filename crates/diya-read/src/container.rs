//! Files that are compressed as a whole: gzip and bzip2.
//!
//! Logs of Darshan 1.x and 2.x always are; later ones sometimes were, for
//! keeping. A file that ends early still gives what came before its end.

use crate::inflate::{Codecs, Compression, Step, Streams};
use diya_tables::IssueKind;
use std::io::Read as _;

/// Leftovers of killed jobs are files of 5 MiB that are nearly all zeros, so a
/// ratio says little; this is far above any log kept this way.
const MAX_UNPACKED_BYTES: usize = 1 << 30;

/// A file without its outer compression.
#[derive(Debug)]
pub struct Unpacked {
    /// The bytes inside.
    pub bytes: Vec<u8>,
    /// "gzip" or "bzip2".
    pub compression: &'static str,
    /// What went wrong on the way; the bytes before it are there.
    pub problem: Option<UnpackProblem>,
}

/// Why a compressed file could not be unpacked to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnpackProblem {
    /// Kind, as in table `read_issue`.
    pub kind: IssueKind,
    /// What it means for the tables.
    pub effect: String,
}

/// Is the file compressed as a whole? Its first four bytes tell.
pub fn is_packed(head: &[u8]) -> bool {
    matches!(head, [0x1f, 0x8b, 8, ..] | [b'B', b'Z', b'h', b'1'..=b'9', ..])
}

/// Takes off the outer compression; `None` when there is none.
pub fn unpack(file: &[u8]) -> Option<Unpacked> {
    match file {
        [0x1f, 0x8b, 8, ..] => Some(gunzip(file)),
        [b'B', b'Z', b'h', b'1'..=b'9', ..] => Some(bunzip2(file)),
        _ => None,
    }
}

fn gunzip(file: &[u8]) -> Unpacked {
    let limit = u64::try_from(MAX_UNPACKED_BYTES).unwrap_or(u64::MAX);
    let mut bytes = Vec::new();
    let outcome = flate2::read::MultiGzDecoder::new(file).take(limit).read_to_end(&mut bytes);
    let problem = match outcome {
        Err(e) if e.kind() == std::io::ErrorKind::UnexpectedEof => Some(cut("gzip")),
        Err(e) => Some(UnpackProblem {
            kind: IssueKind::Checksum,
            effect: format!("the gzip file is damaged ({e}); rows may be wrong or missing"),
        }),
        Ok(_) => over(bytes.len(), "gzip"),
    };
    Unpacked { bytes, compression: "gzip", problem }
}

fn bunzip2(file: &[u8]) -> Unpacked {
    let mut codecs = Codecs::default();
    let mut streams = Streams::new(&mut codecs, Compression::Bzip2, file, 0);
    let mut bytes = Vec::new();
    let mut block = vec![0; 1 << 18];
    let mut problem = None;
    while !streams.is_done() && problem.is_none() {
        let step = streams.step(&mut block);
        let (Step::Bytes(n) | Step::StreamEnd(n) | Step::InputEnd(n) | Step::Failed(n)) = step;
        bytes.extend_from_slice(block.get(..n).unwrap_or_default());
        problem = match step {
            Step::InputEnd(_) => Some(cut("bzip2")),
            Step::Failed(_) => Some(UnpackProblem {
                kind: IssueKind::Checksum,
                effect: "the bzip2 file is damaged; rows may be wrong or missing".into(),
            }),
            _ => over(bytes.len(), "bzip2"),
        };
    }
    Unpacked { bytes, compression: "bzip2", problem }
}

fn cut(what: &str) -> UnpackProblem {
    UnpackProblem {
        kind: IssueKind::Truncated,
        effect: format!("the {what} file is truncated; the rest is missing"),
    }
}

fn over(len: usize, what: &str) -> Option<UnpackProblem> {
    (len >= MAX_UNPACKED_BYTES).then(|| UnpackProblem {
        kind: IssueKind::Limit,
        effect: format!("the {what} file unpacks to more than 1 GiB; the rest is not read"),
    })
}
