//! The objects of a list of events, one by one: the file is never held as a whole.
//!
//! Three shapes occur: a list `[{...}, {...}]`, which needs no end; an object whose
//! member `traceEvents` is that list; and one object per line. Between events only
//! brackets and commas mean something, so that all three are read by one loop.

use crate::{Source, SourceError};

/// Bytes asked for at once.
const CHUNK_BYTES: u64 = 1 << 20;
/// Larger events are damage.
const MAX_EVENT_BYTES: usize = 1 << 20;
/// Where the list of the second shape begins.
const LIST: &[u8] = b"\"traceEvents\"";

/// What the next bytes are.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found<'o> {
    /// The text of an object and where it starts.
    Object(u64, &'o [u8]),
    /// Bytes from here on that are no object; reading goes on behind them.
    Damage(u64),
    End,
}

/// The objects of a source.
pub(super) struct Objects<'a> {
    source: &'a dyn Source,
    buffer: Vec<u8>,
    buffer_offset: u64,
    at: usize,
    /// The list was closed, and nothing follows.
    pub is_closed: bool,
    /// A list was opened: it should be closed.
    pub has_list: bool,
}

/// How far the search for the end of an object has come.
#[derive(Default)]
struct Search {
    /// Bytes looked at.
    seen: usize,
    depth: usize,
    in_text: bool,
    is_escaped: bool,
    /// The byte before was the end of a line.
    is_line_start: bool,
}

/// What the search found.
enum Bound {
    /// The object has so many bytes.
    End(usize),
    /// It is damaged; the next may start after so many bytes.
    Restart(usize),
    More,
}

impl Search {
    fn run(&mut self, bytes: &[u8]) -> Bound {
        while let Some(&byte) = bytes.get(self.seen) {
            let at = self.seen;
            self.seen += 1;
            // Writers of large traces put each event on a line: a new one there means
            // that the end of this one is lost.
            let is_next = byte == b'{' && self.is_line_start && at > 0;
            if is_next && bytes.get(at + 1).is_none_or(|next| *next == b'"') {
                return Bound::Restart(at);
            }
            self.is_line_start = byte == b'\n';
            if self.in_text {
                match byte {
                    _ if self.is_escaped => self.is_escaped = false,
                    b'\\' => self.is_escaped = true,
                    b'"' => self.in_text = false,
                    // No text of JSON goes on in the next line.
                    b'\n' => return Bound::Restart(at),
                    _ => {}
                }
                continue;
            }
            match byte {
                b'"' => self.in_text = true,
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => {
                    self.depth = self.depth.saturating_sub(1);
                    if self.depth == 0 {
                        return Bound::End(at + 1);
                    }
                }
                _ => {}
            }
        }
        Bound::More
    }
}

impl<'a> Objects<'a> {
    /// From the first object of the list on.
    pub fn of(source: &'a dyn Source, head: &[u8]) -> Result<Self, SourceError> {
        let mut objects = Self {
            source,
            buffer: Vec::new(),
            buffer_offset: 0,
            at: 0,
            is_closed: false,
            has_list: false,
        };
        if is_wrapped(head) {
            objects.skip_to_list()?;
        }
        Ok(objects)
    }

    fn skip_to_list(&mut self) -> Result<(), SourceError> {
        loop {
            if let Some(at) = memchr::memmem::find(&self.buffer, LIST) {
                self.at = at + LIST.len();
                return Ok(());
            }
            // The name can lie over the end of the chunk.
            self.at = self.buffer.len().saturating_sub(LIST.len());
            if !self.fetch()? {
                return Ok(());
            }
        }
    }

    /// Goes on to the start of the next object; false: there is none.
    pub fn find_start(&mut self) -> Result<bool, SourceError> {
        loop {
            let Some(&byte) = self.buffer.get(self.at) else {
                if self.fetch()? {
                    continue;
                }
                return Ok(false);
            };
            match byte {
                b'{' => return Ok(true),
                b'[' => (self.has_list, self.is_closed) = (true, false),
                b']' => self.is_closed = true,
                // Of a member beside the list, whose brackets mean nothing.
                b'"' => self.skip_text()?,
                _ => {}
            }
            self.at += 1;
        }
    }

    /// Goes on to the end of the text that begins here, if it is one: behind damage a mark can be
    /// the end of another. Then an event could begin inside of it, or it goes on in the next line.
    fn skip_text(&mut self) -> Result<(), SourceError> {
        let mut length = 1;
        loop {
            let Some(&byte) = self.buffer.get(self.at + length) else {
                if length < MAX_EVENT_BYTES && self.fetch()? {
                    continue;
                }
                return Ok(());
            };
            let around = [length - 1, length + 1].map(|at| self.buffer.get(self.at + at));
            match byte {
                b'"' if matches!(around, [Some(b'{'), Some(b'a'..=b'z')]) => return Ok(()),
                b'"' => {
                    self.at += length;
                    return Ok(());
                }
                b'\n' => return Ok(()),
                b'\\' => length += 1,
                _ => {}
            }
            length += 1;
        }
    }

    /// An event was found: the list goes on.
    pub fn is_event(&mut self) {
        self.is_closed = false;
    }

    /// The bytes from here on that are at hand.
    pub fn at_hand(&self) -> &[u8] {
        self.buffer.get(self.at..).unwrap_or_default()
    }

    /// Goes on behind an object of so many bytes, which starts here.
    pub fn skip(&mut self, length: usize) {
        self.at += length;
    }

    /// The next object.
    pub fn next_object(&mut self) -> Result<Found<'_>, SourceError> {
        if !self.find_start()? {
            return Ok(Found::End);
        }
        let mut search = Search::default();
        let bound = loop {
            let bytes = self.buffer.get(self.at..).unwrap_or_default();
            match search.run(bytes) {
                Bound::More if search.seen >= MAX_EVENT_BYTES => break Bound::Restart(search.seen),
                Bound::More if !self.fetch()? => break Bound::Restart(search.seen),
                Bound::More => {}
                bound => break bound,
            }
        };
        let start = self.at;
        let offset = self.buffer_offset + u64::try_from(start).unwrap_or(0);
        Ok(match bound {
            Bound::End(length) => {
                self.at = start + length;
                Found::Object(offset, self.buffer.get(start..self.at).unwrap_or_default())
            }
            Bound::Restart(length) => {
                self.at = start + length.max(1);
                Found::Damage(offset)
            }
            Bound::More => Found::End,
        })
    }

    fn fetch(&mut self) -> Result<bool, SourceError> {
        self.buffer.drain(..self.at);
        self.buffer_offset += u64::try_from(self.at).unwrap_or(0);
        self.at = 0;
        let from = self.buffer_offset + u64::try_from(self.buffer.len()).unwrap_or(0);
        Ok(self.source.append(from, CHUNK_BYTES, &mut self.buffer)? > 0)
    }
}

/// Is the list a member of an object? Its first object then is no event.
fn is_wrapped(head: &[u8]) -> bool {
    let text = super::without_mark(head).trim_ascii_start();
    let mut search = Search::default();
    let first = match search.run(text) {
        Bound::End(length) => text.get(..length).unwrap_or_default(),
        _ => text,
    };
    text.starts_with(b"{")
        && (memchr::memmem::find(first, LIST).is_some()
            || memchr::memmem::find(first, b"\"ph\"").is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn objects(text: &str) -> (Vec<String>, usize, bool) {
        let source = text.as_bytes().to_vec();
        let mut objects = Objects::of(&source, &source).expect("memory can be read");
        let (mut all, mut damage) = (Vec::new(), 0);
        loop {
            match objects.next_object().expect("memory can be read") {
                Found::Object(_, text) => all.push(String::from_utf8_lossy(text).into_owned()),
                Found::Damage(_) => damage += 1,
                Found::End => return (all, damage, objects.is_closed),
            }
        }
    }

    fn texts(list: &[&str]) -> Vec<String> {
        list.iter().map(|text| (*text).to_string()).collect()
    }

    #[test]
    fn the_three_shapes_give_the_same_objects() {
        let expected = texts(&[r#"{"ph":"X","a":{"b":"}"}}"#, r#"{"ph":"B"}"#]);
        let list = r#"[{"ph":"X","a":{"b":"}"}}, {"ph":"B"}]"#;
        assert_eq!(objects(list), (expected.clone(), 0, true));
        let wrapped = format!(r#"{{"otherData":{{"a":[{{}}]}},"traceEvents": {list}}}"#);
        assert_eq!(objects(&wrapped), (expected.clone(), 0, true));
        let lines = "{\"ph\":\"X\",\"a\":{\"b\":\"}\"}}\n{\"ph\":\"B\"}\n";
        assert_eq!(objects(lines), (expected, 0, false));
    }

    #[test]
    fn members_beside_the_list_do_not_open_it_again() {
        for rest in [r#""x":{}"#, r#""x":[{"a":1}]"#, r#""x":"[{","y":"\"[""#, r#""x":[]"#] {
            let text = format!(r#"{{"traceEvents":[{{"ph":"X"}}],{rest}}}"#);
            let (all, damage, is_closed) = objects(&text);
            assert_eq!((all.first().map(String::as_str), damage), (Some(r#"{"ph":"X"}"#), 0));
            assert!(is_closed, "{text}");
        }
        // A mark that ends nothing hides no event.
        let text = r#"[{"ph":"X","a":1}"},{"ph":"B"},{"ph":"E"}]"#;
        assert_eq!(objects(text).0.len(), 3);
    }

    #[test]
    fn a_damaged_object_costs_only_itself() {
        let text =
            "[\n{\"ph\":\"X\",\"a\":{\"b\":1},\n{\"ph\":\"B\"},\n{\"ph\":\"cut\n{\"ph\":\"E\"}";
        assert_eq!(objects(text), (texts(&[r#"{"ph":"B"}"#, r#"{"ph":"E"}"#]), 2, false));
    }
}
