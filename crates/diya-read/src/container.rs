//! Files that are compressed as a whole: gzip, bzip2 and Zstandard.
//!
//! Logs of Darshan 1.x and 2.x always are; later ones sometimes were, for
//! keeping. A file that ends early still gives what came before its end.

use crate::inflate::{Codecs, Compression, Step, Streams};
use diya_tables::IssueKind;
use std::io::Read;

/// Leftovers of killed jobs are files of 5 MiB that are nearly all zeros, so a
/// ratio says little; this is far above any log kept this way.
const MAX_UNPACKED_BYTES: usize = 1 << 30;

/// A file without its outer compression.
#[derive(Debug)]
pub struct Unpacked {
    /// The bytes inside.
    pub bytes: Vec<u8>,
    /// "gzip", "bzip2" or "zstd".
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
    matches!(head, [0x1f, 0x8b, 8, ..] | [b'B', b'Z', b'h', b'1'..=b'9', ..]) || is_zstd(head)
}

/// A browser has no decompressor for it: the library is written in C.
fn is_zstd(head: &[u8]) -> bool {
    cfg!(not(target_family = "wasm")) && head.starts_with(&[0x28, 0xb5, 0x2f, 0xfd])
}

/// Takes off the outer compression; `None` when there is none.
pub fn unpack(file: &[u8]) -> Option<Unpacked> {
    match file {
        [b'B', b'Z', b'h', b'1'..=b'9', ..] => Some(bunzip2(file)),
        _ => streamed(file),
    }
}

/// What a file of gzip or Zstandard that begins like this unpacks to, while it is read, and
/// the name of the compression. `None`: it is compressed by neither.
pub fn unpacking<'r>(
    head: &[u8],
    file: impl Read + Send + 'r,
) -> Option<(Box<dyn Read + Send + 'r>, &'static str)> {
    match head {
        [0x1f, 0x8b, 8, ..] => Some((Box::new(flate2::read::MultiGzDecoder::new(file)), "gzip")),
        #[cfg(not(target_family = "wasm"))]
        _ if is_zstd(head) => {
            Some((Box::new(zstd::stream::read::Decoder::new(file).ok()?), "zstd"))
        }
        _ => None,
    }
}

fn streamed(file: &[u8]) -> Option<Unpacked> {
    let limit = u64::try_from(MAX_UNPACKED_BYTES).unwrap_or(u64::MAX);
    let (reader, compression) = unpacking(file, file)?;
    let mut bytes = Vec::new();
    let problem = match reader.take(limit).read_to_end(&mut bytes) {
        Err(e) if e.kind() == std::io::ErrorKind::UnexpectedEof => Some(cut(compression)),
        Err(e) => Some(damaged(compression, &e)),
        Ok(_) => (bytes.len() >= MAX_UNPACKED_BYTES).then(|| over(limit, compression)),
    };
    Some(Unpacked { bytes, compression, problem })
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
            _ => (bytes.len() >= MAX_UNPACKED_BYTES).then(|| over(1 << 30, "bzip2")),
        };
    }
    Unpacked { bytes, compression: "bzip2", problem }
}

/// The file ends in the middle.
pub(crate) fn cut(what: &str) -> UnpackProblem {
    UnpackProblem {
        kind: IssueKind::Truncated,
        effect: format!("the {what} file is truncated; the rest is missing"),
    }
}

/// The decompressor met what it cannot have been given.
pub(crate) fn damaged(what: &str, error: &std::io::Error) -> UnpackProblem {
    UnpackProblem {
        kind: IssueKind::Checksum,
        effect: format!("the {what} file is damaged ({error}); rows may be wrong or missing"),
    }
}

/// More than `limit` bytes come out.
pub(crate) fn over(limit: u64, what: &str) -> UnpackProblem {
    UnpackProblem {
        kind: IssueKind::Limit,
        effect: format!(
            "the {what} file unpacks to more than {} GiB; the rest is not read",
            limit >> 30
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_zstandard_are_unpacked_as_far_as_they_go() {
        let text: Vec<u8> = (0..100_000_u32).flat_map(u32::to_le_bytes).collect();
        let mut file = zstd::stream::encode_all(&text[..], 3).expect("packs");
        assert!(is_packed(&file[..4]));
        let unpacked = unpack(&file).expect("is packed");
        assert_eq!((unpacked.compression, &unpacked.problem), ("zstd", &None));
        assert!(unpacked.bytes == text);
        // Two frames, as parallel compressors write them.
        let twice = unpack(&[file.clone(), file.clone()].concat()).expect("is packed");
        assert!(twice.bytes.len() == 2 * text.len() && twice.problem.is_none());
        let cut = unpack(&file[..file.len() - 100]).expect("is packed");
        assert_eq!(cut.problem.map(|of| of.kind), Some(IssueKind::Truncated));
        assert!(!cut.bytes.is_empty() && text.starts_with(&cut.bytes));
        let middle = file.len() / 2;
        file[middle] ^= 0xff;
        file[middle + 1] ^= 0xff;
        let damaged = unpack(&file).expect("is packed");
        assert!(damaged.problem.is_some() || damaged.bytes != text);
    }
}
