//! Where streams start inside a region that does not say so.
//!
//! Used to inflate a large region in chunks side by side, and to find the next
//! stream after a damaged one. A place that looks like a stream head is
//! believed only when it inflates a little way without an error.

use crate::inflate::{Codecs, Compression, Step, Streams};

/// Inflated bytes after which a place counts as the start of a stream. Random
/// bytes pass a zlib head and a Huffman table description by chance about once
/// in a million places; hardly any then decode a thousand symbols.
const TRIAL_BYTES: usize = 4096;

/// Block head of bzip2: the digits of pi.
const BZIP2_BLOCK: &[u8] = &[0x31, 0x41, 0x59, 0x26, 0x53, 0x59];

/// The first place at or after `from` where a stream starts.
pub(crate) fn next_stream(region: &[u8], from: usize, compression: Compression) -> Option<usize> {
    let mut codecs = Codecs::default();
    let first_byte = match compression {
        Compression::Zlib => 0x78,
        Compression::Bzip2 => b'B',
        Compression::Stored => return None,
    };
    let rest = region.get(from..)?;
    let mut output = [0; TRIAL_BYTES];
    memchr::memchr_iter(first_byte, rest)
        .map(|place| from + place)
        .find(|&place| is_stream(region, place, compression, &mut codecs, &mut output))
}

fn is_stream(
    region: &[u8],
    place: usize,
    compression: Compression,
    codecs: &mut Codecs,
    output: &mut [u8],
) -> bool {
    let head = region.get(place..).unwrap_or_default();
    let looks_right = match (compression, head) {
        // Window of 32 KiB, no dictionary, and the check bits of RFC 1950.
        (Compression::Zlib, [0x78, flags, ..]) => {
            flags & 0x20 == 0 && (0x7800 + u16::from(*flags)) % 31 == 0
        }
        (Compression::Bzip2, [b'B', b'Z', b'h', b'1'..=b'9', block @ ..]) => {
            block.starts_with(BZIP2_BLOCK)
        }
        _ => false,
    };
    if !looks_right || compression == Compression::Bzip2 {
        return looks_right;
    }
    match Streams::new(codecs, compression, region, place).step(output) {
        Step::StreamEnd(_) => true,
        Step::Bytes(n) | Step::InputEnd(n) => n > 0,
        Step::Failed(_) => false,
    }
}

/// Starts of up to `chunks` runs of streams of about equal size; the first is 0.
pub(crate) fn chunk_starts(region: &[u8], chunks: usize, compression: Compression) -> Vec<usize> {
    let mut starts = vec![0];
    for chunk in 1..chunks {
        let target = region.len() / chunks * chunk;
        // A stream found for an earlier target may lie beyond this one.
        let from = target.max(starts.last().map_or(0, |s| s + 1));
        match next_stream(region, from, compression) {
            Some(start) => starts.push(start),
            None => break,
        }
    }
    starts
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    fn zlib(bytes: &[u8]) -> Vec<u8> {
        let mut out = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
        out.write_all(bytes).expect("a vector takes all bytes");
        out.finish().expect("a vector takes all bytes")
    }

    #[test]
    fn the_next_stream_is_found_behind_damaged_bytes() {
        let noise: Vec<u8> =
            (0..5000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        let mut region = noise.clone();
        region.extend(zlib(b"some records"));
        assert_eq!(next_stream(&region, 0, Compression::Zlib), Some(noise.len()));
    }

    #[test]
    fn chunks_start_at_streams() {
        let one = zlib(&[7; 300]);
        let region: Vec<u8> = std::iter::repeat_n(one.clone(), 8).flatten().collect();
        let starts = chunk_starts(&region, 4, Compression::Zlib);
        assert_eq!(starts.len(), 4);
        assert!(starts.iter().all(|s| s % one.len() == 0));
    }

    #[test]
    fn a_region_of_one_stream_is_one_chunk() {
        let noise: Vec<u8> =
            (0..90_000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 11) as u8).collect();
        assert_eq!(chunk_starts(&zlib(&noise), 4, Compression::Zlib), [0]);
    }
}
