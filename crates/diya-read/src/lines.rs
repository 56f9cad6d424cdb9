//! Lines of a text, read chunk by chunk: a trace may be larger than memory.

use crate::{Source, SourceError};
use memchr::memchr;

/// Bytes asked for at once.
const CHUNK_BYTES: u64 = 1 << 20;

/// Longer lines are cut: no tool writes them, and damage must not fill the memory.
const MAX_LINE_BYTES: usize = 4 << 20;

/// One line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Line<'l> {
    /// Where it starts.
    pub offset: u64,
    /// Its bytes, without the end of the line.
    pub text: &'l [u8],
    /// It ends as a line ends; false at the end of a file that is cut.
    pub is_whole: bool,
}

/// The lines of a source, in order.
pub(crate) struct Lines<'a> {
    source: &'a dyn Source,
    buffer: Vec<u8>,
    /// Where in the source the buffer starts.
    buffer_offset: u64,
    /// Where in the buffer the next line starts.
    at: usize,
}

impl<'a> Lines<'a> {
    /// From the first line on.
    pub fn of(source: &'a dyn Source) -> Self {
        Self { source, buffer: Vec::new(), buffer_offset: 0, at: 0 }
    }

    /// The next line.
    pub fn next_line(&mut self) -> Result<Option<Line<'_>>, SourceError> {
        let mut searched = 0;
        let end = loop {
            let rest = self.buffer.get(self.at..).unwrap_or_default();
            let unseen = rest.get(searched..).unwrap_or_default();
            if let Some(end) = memchr(b'\n', unseen) {
                break Some(searched + end);
            }
            searched = rest.len();
            if searched >= MAX_LINE_BYTES || !self.fetch()? {
                break None;
            }
        };
        let start = self.at;
        let rest = self.buffer.len() - start;
        let length = end.unwrap_or(rest);
        if rest == 0 {
            return Ok(None);
        }
        self.at = start + length + usize::from(end.is_some());
        let text = self.buffer.get(start..start + length).unwrap_or_default();
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        let offset = self.buffer_offset + u64::try_from(start).unwrap_or(0);
        Ok(Some(Line { offset, text, is_whole: end.is_some() }))
    }

    /// Appends the next chunk to what is left; false at the end.
    fn fetch(&mut self) -> Result<bool, SourceError> {
        self.buffer.drain(..self.at);
        self.buffer_offset += u64::try_from(self.at).unwrap_or(0);
        self.at = 0;
        let from = self.buffer_offset + u64::try_from(self.buffer.len()).unwrap_or(0);
        Ok(self.source.append(from, CHUNK_BYTES, &mut self.buffer)? > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &[u8]) -> Vec<(u64, Vec<u8>, bool)> {
        let source = text.to_vec();
        let mut lines = Lines::of(&source);
        let mut all = Vec::new();
        while let Some(line) = lines.next_line().expect("memory can be read") {
            all.push((line.offset, line.text.to_vec(), line.is_whole));
        }
        all
    }

    #[test]
    fn a_line_knows_where_it_starts_and_whether_it_ends() {
        let expected =
            vec![(0, b"one".to_vec(), true), (4, vec![], true), (5, b"cut".to_vec(), false)];
        assert_eq!(lines(b"one\n\ncut"), expected);
        assert_eq!(lines(b"a\r\n"), [(0, b"a".to_vec(), true)]);
        assert_eq!(lines(b""), []);
    }

    #[test]
    fn lines_over_the_ends_of_chunks_are_whole() {
        let text: Vec<u8> = (0..300_000).flat_map(|n| format!("line {n}\n").into_bytes()).collect();
        let all = lines(&text);
        assert_eq!(all.len(), 300_000);
        assert!(all.iter().enumerate().all(|(n, (_, text, is_whole))| {
            *is_whole && *text == format!("line {n}").into_bytes()
        }));
    }

    #[test]
    fn a_line_without_an_end_is_cut() {
        let all = lines(&vec![b'x'; 9 << 20]);
        assert!(all.len() >= 2 && all.iter().all(|(_, _, is_whole)| !is_whole));
    }
}
