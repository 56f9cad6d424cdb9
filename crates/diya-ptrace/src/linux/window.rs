//! The start of a window of a segment.

use diya_model::Layout as _;
use diya_model::segment::{self as format, WindowHeader};

pub(super) const WINDOW_HEADER_BYTES: u64 = WindowHeader::BYTES as u64;

/// The start of a window; `kind` is one of `enum diya_window_kind`.
pub(super) fn window_header(
    kind: u32,
    bytes: u64,
    tid: i32,
    sequence: u32,
    base_ticks: u64,
) -> Vec<u8> {
    let header = WindowHeader {
        magic: format::WINDOW_MAGIC,
        bytes: bytes as u32,
        kind,
        tid: tid.cast_unsigned(),
        sequence,
        base_ticks,
        // pthread_self() is the program's.
        ..WindowHeader::ZERO
    };
    header.to_bytes()
}
