//! The same log, compressed another way, or with other bytes in its parts.
//!
//! Darshan's own tools write zlib, on request bzip2, and nothing at all in
//! memory-mapped logs; the corpus has mostly zlib. Only what the tests need:
//! little-endian logs of version 3.41.

use std::io::{Read as _, Write as _};

const HEADER_BYTES: usize = 1328;
const NAMES_AT: usize = 32;
const MODULES_AT: usize = 48;
const MODULES: usize = 64;

/// How to compress.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Packing {
    /// One zlib stream per region.
    Zlib,
    /// So many zlib streams per region, cut without regard to records.
    ZlibChunks(usize),
    /// One bzip2 stream per region.
    Bzip2,
    /// Not compressed.
    Stored,
}

fn number(log: &[u8], at: usize) -> usize {
    let word = log[at..at + 8].try_into().expect("eight bytes");
    usize::try_from(u64::from_le_bytes(word)).expect("a small number")
}

fn inflate(region: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = region;
    while !rest.is_empty() {
        let mut stream = flate2::bufread::ZlibDecoder::new(rest);
        stream.read_to_end(&mut out).expect("an intact log");
        let used = usize::try_from(stream.total_in()).expect("a small number");
        rest = &rest[used..];
    }
    out
}

fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    out.write_all(bytes).expect("a vector takes all bytes");
    out.finish().expect("a vector takes all bytes")
}

fn pack(bytes: &[u8], packing: Packing) -> Vec<u8> {
    match packing {
        Packing::Zlib => deflate(bytes),
        Packing::ZlibChunks(chunks) => {
            let size = bytes.len().div_ceil(chunks).max(1);
            bytes.chunks(size).flat_map(deflate).collect()
        }
        Packing::Bzip2 => {
            let mut out = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::default());
            out.write_all(bytes).expect("a vector takes all bytes");
            out.finish().expect("a vector takes all bytes")
        }
        Packing::Stored => bytes.to_vec(),
    }
}

/// A part of a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogPart {
    /// The job record, command line and mounts.
    Job,
    /// The names of files.
    Names,
    /// The records of the module in this slot: 1 is POSIX, 2 MPI-IO.
    Module(usize),
}

/// The zlib log in another packing.
///
/// # Panics
///
/// When the log is not an intact little-endian zlib log of version 3.41.
pub fn repack(log: &[u8], packing: Packing) -> Vec<u8> {
    rewrite(log, packing, 0, &mut |_, _| {})
}

/// The zlib log with so many zero bytes behind its header, and its inflated
/// parts edited. A part that becomes empty goes.
///
/// # Panics
///
/// When the log is not an intact little-endian zlib log of version 3.41.
pub fn rewrite(
    log: &[u8],
    packing: Packing,
    zeros: usize,
    edit: &mut dyn FnMut(LogPart, &mut Vec<u8>),
) -> Vec<u8> {
    assert!(log.starts_with(b"3.41\0") && log[16] == 0, "a 3.41 log with zlib");
    let mut out = log[..HEADER_BYTES].to_vec();
    out[16] = match packing {
        Packing::Zlib | Packing::ZlibChunks(_) => 0,
        Packing::Bzip2 => 1,
        Packing::Stored => 2,
    };
    out.resize(HEADER_BYTES + zeros, 0);
    let mut edited = |part, region: &[u8]| {
        let mut bytes = inflate(region);
        edit(part, &mut bytes);
        if bytes.is_empty() { Vec::new() } else { pack(&bytes, packing) }
    };
    out.extend(edited(LogPart::Job, &log[HEADER_BYTES..number(log, NAMES_AT)]));
    let modules = (0..MODULES).map(|slot| (LogPart::Module(slot), MODULES_AT + slot * 16));
    for (part, map) in std::iter::once((LogPart::Names, NAMES_AT)).chain(modules) {
        let (offset, len) = (number(log, map), number(log, map + 8));
        if len == 0 {
            continue;
        }
        let packed = edited(part, &log[offset..offset + len]);
        let place = u64::try_from(out.len()).expect("a small number");
        let size = u64::try_from(packed.len()).expect("a small number");
        out[map..map + 8].copy_from_slice(&place.to_le_bytes());
        out[map + 8..map + 16].copy_from_slice(&size.to_le_bytes());
        out.extend(packed);
    }
    out
}
