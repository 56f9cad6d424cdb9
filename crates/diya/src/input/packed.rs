//! Files that are compressed as a whole: read in order where their reader allows it, else unpacked
//! into memory.

use super::Opened;
use super::file::FileBytes;
use diya_read::container::{is_packed, unpack};
use diya_read::{Source, SourceError, UnpackedInOrder};
use std::borrow::Cow;
use std::io::{Cursor, Read};
use std::ops::Range;
use std::sync::Arc;

/// Bytes that several logs or readers may share.
#[derive(Clone)]
struct Shared(Arc<Vec<u8>>);

impl AsRef<[u8]> for Shared {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl Source for Shared {
    fn len(&self) -> u64 {
        Source::len(self.0.as_slice())
    }

    fn bytes(&self, range: Range<u64>) -> Result<Cow<'_, [u8]>, SourceError> {
        Source::bytes(self.0.as_slice(), range)
    }
}

/// A file, unwrapped.
pub(super) fn of_file(file: FileBytes) -> std::io::Result<Opened> {
    if !is_packed(file.head()) {
        return Ok(Opened::plain(file));
    }
    let part = file.part().clone();
    let start = move || -> Box<dyn Read + Send> { Box::new(part.clone().reader()) };
    if let Some(opened) = in_order(file.head(), file.len(), Box::new(start)) {
        return Ok(opened);
    }
    let all = file.bytes(0..file.len()).map(Cow::into_owned).map_err(std::io::Error::other)?;
    Ok(in_memory(Shared(Arc::new(all))))
}

/// A log that lies in memory, unwrapped.
pub(super) fn of_memory(bytes: &Arc<Vec<u8>>) -> Opened {
    let bytes = Shared(Arc::clone(bytes));
    let again = bytes.clone();
    let start = move || -> Box<dyn Read + Send> { Box::new(Cursor::new(again.clone())) };
    let opened = in_order(bytes.as_ref(), bytes.len(), Box::new(start));
    opened.unwrap_or_else(|| in_memory(bytes))
}

fn in_order(head: &[u8], bytes: u64, start: Box<diya_read::Start>) -> Option<Opened> {
    let source =
        UnpackedInOrder::of(head, bytes, start).filter(|of| diya_read::is_read_in_order(of))?;
    let (outer_compression, problem) = (Some(source.compression()), source.problem());
    Some(Opened { source: Box::new(source), outer_compression, problem })
}

fn in_memory(file: Shared) -> Opened {
    match unpack(file.as_ref()) {
        None => Opened::plain(file),
        Some(unpacked) => Opened {
            source: Box::new(unpacked.bytes),
            outer_compression: Some(unpacked.compression),
            problem: Arc::new(unpacked.problem.map(Into::into).unwrap_or_default()),
        },
    }
}
