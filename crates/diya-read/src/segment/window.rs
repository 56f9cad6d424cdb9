//! Finds the windows of a segment.

use super::bytes::Bytes;
use super::header::Header;
use diya_model::Layout as _;
use diya_model::segment::{self as format, WindowHeader};

const HEADER_BYTES: usize = WindowHeader::BYTES;
const PAGE: usize = format::PAGE as usize;

/// What a window holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WindowContent {
    Records,
    Counters,
    Heatmap,
}

/// A part of a segment that one thread wrote.
#[derive(Debug, Clone, Copy)]
pub(super) struct Window<'a> {
    pub content: WindowContent,
    /// Kernel's number of the thread.
    pub tid: u32,
    pub sequence: u32,
    pub base_ticks: u64,
    /// Where the window starts in the segment.
    pub offset: usize,
    /// What follows its header.
    pub body: Bytes<'a>,
    /// Where the body starts in the segment.
    pub body_offset: usize,
}

/// Windows of a segment, those of each thread in order, and how many bytes
/// belong to none although they are not empty.
pub(super) fn windows<'a>(segment: &'a [u8], header: &Header) -> (Vec<Window<'a>>, usize) {
    let mut found = Vec::new();
    let mut lost = 0;
    let mut at = header.header_bytes;
    while let Some(rest) = segment.get(at..).filter(|rest| rest.len() >= HEADER_BYTES) {
        if let Some((window, bytes)) = window(rest, at, header.is_big_endian) {
            found.extend(window);
            at += bytes;
        } else {
            let page = rest.get(..PAGE).unwrap_or(rest);
            if page.iter().any(|&byte| byte != 0) {
                lost += page.len();
            }
            at += PAGE;
        }
    }
    found.sort_by_key(|w| (w.tid, w.sequence, w.offset));
    (found, lost)
}

/// The window that starts here, and its bytes; no window when its content is
/// not known, which a newer recorder may write.
fn window(rest: &[u8], offset: usize, is_big_endian: bool) -> Option<(Option<Window<'_>>, usize)> {
    let header = WindowHeader::of(rest, is_big_endian)?;
    let (bytes, used) = (header.bytes as usize, header.used as usize);
    if header.magic != format::WINDOW_MAGIC || bytes < PAGE || !bytes.is_multiple_of(PAGE) {
        return None;
    }
    let content = match header.kind {
        format::WINDOW_RECORDS => Some(WindowContent::Records),
        format::WINDOW_COUNTERS => Some(WindowContent::Counters),
        format::WINDOW_HEATMAP => Some(WindowContent::Heatmap),
        _ => None,
    };
    // A segment that was cut holds less than the window says.
    let end = if used >= HEADER_BYTES { used.min(bytes) } else { bytes }.min(rest.len());
    let body = Bytes::new(rest.get(HEADER_BYTES..end)?, is_big_endian);
    let window = content.map(|content| Window {
        content,
        tid: header.tid,
        sequence: header.sequence,
        base_ticks: header.base_ticks,
        offset,
        body,
        body_offset: offset + HEADER_BYTES,
    });
    Some((window, bytes))
}
