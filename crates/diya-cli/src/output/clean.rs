//! The one place that every byte of text passes on its way out.
//!
//! Names and arguments in a log are other people's bytes: a path can hold
//! sequences that steer a terminal, or marks that make one name read as another.
//! Commands write what they like; here the hidden characters become visible.

use diya::report::hidden_as_escape;
use std::io::{self, BufWriter, Write};

/// What is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// For people and scripts.
    Text,
    /// With our own colours: sequences that set a colour stay.
    Coloured,
    /// Escapes are those of JSON, so that the text stays JSON.
    Json,
    /// Bytes of a file format.
    Binary,
}

impl Content {
    /// Of an answer that is text, or JSON where that was asked for.
    pub fn of(is_json: bool) -> Self {
        if is_json { Self::Json } else { Self::Text }
    }
}

/// A stream or file that takes the bytes of a command. Formats write single characters: they
/// are looked at together.
pub struct Out {
    cleaner: BufWriter<Cleaner>,
}

/// Bytes that are looked at together.
const BUFFER_BYTES: usize = 1 << 16;

impl Out {
    pub fn new(sink: Box<dyn Write + Send>, content: Content) -> Self {
        let cleaner = Cleaner { sink, content, held: Vec::new(), is_reader_gone: false };
        Self { cleaner: BufWriter::with_capacity(BUFFER_BYTES, cleaner) }
    }

    /// Whether a write failed because the reader has closed its end.
    pub fn is_reader_gone(&self) -> bool {
        self.cleaner.get_ref().is_reader_gone
    }

    /// Writes what was held back, and everything to its end.
    pub fn finish(mut self) -> io::Result<()> {
        self.cleaner.flush()?;
        let cleaner = self.cleaner.get_mut();
        cleaner.clean(true)?;
        cleaner.sink.flush()
    }
}

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.cleaner.write(bytes)
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.cleaner.write_all(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.cleaner.flush()
    }
}

/// Makes hidden characters visible.
struct Cleaner {
    sink: Box<dyn Write + Send>,
    content: Content,
    /// The beginning of a character or of a sequence, until the rest comes.
    held: Vec<u8>,
    /// Writers of formats may report a closed stream in words only.
    is_reader_gone: bool,
}

/// More than the longest sequence that sets a colour.
const MAX_HELD: usize = 32;

impl Cleaner {
    /// Writes `held`, but for a last part that may go on.
    fn clean(&mut self, is_end: bool) -> io::Result<()> {
        let bytes = std::mem::take(&mut self.held);
        let mut clean = String::with_capacity(bytes.len() + 16);
        for chunk in bytes.utf8_chunks() {
            let mut rest = chunk.valid();
            loop {
                let plain = rest.bytes().take_while(|byte| !is_other(*byte)).count();
                clean.push_str(&rest[..plain]);
                rest = &rest[plain..];
                let Some(c) = rest.chars().next() else { break };
                let colour = if self.content == Content::Coloured { colour(rest) } else { Some(0) };
                match colour {
                    None if !is_end && rest.len() < MAX_HELD && chunk.invalid().is_empty() => {
                        self.held.extend_from_slice(rest.as_bytes());
                        break;
                    }
                    Some(len @ 1..) => {
                        clean.push_str(&rest[..len]);
                        rest = &rest[len..];
                    }
                    _ => {
                        push(&mut clean, c, self.content);
                        rest = &rest[c.len_utf8()..];
                    }
                }
            }
            if !chunk.invalid().is_empty() {
                let may_go_on = !is_end && bytes.ends_with(chunk.invalid());
                if may_go_on
                    && std::str::from_utf8(chunk.invalid()).is_err_and(|e| e.error_len().is_none())
                {
                    self.held.extend_from_slice(chunk.invalid());
                } else {
                    clean.push(char::REPLACEMENT_CHARACTER);
                }
            }
        }
        let written = self.sink.write_all(clean.as_bytes());
        self.watched(written)
    }

    fn watched<T>(&mut self, written: io::Result<T>) -> io::Result<T> {
        self.is_reader_gone |=
            written.as_ref().is_err_and(|e| e.kind() == io::ErrorKind::BrokenPipe);
        written
    }
}

impl Write for Cleaner {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let is_plain = self.held.is_empty()
            && (is_printable_ascii(bytes)
                || !bytes.iter().copied().any(may_begin_hidden)
                    && std::str::from_utf8(bytes).is_ok());
        if self.content == Content::Binary || is_plain {
            let written = self.sink.write(bytes);
            return self.watched(written);
        }
        self.held.extend_from_slice(bytes);
        self.clean(false)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.sink.flush();
        self.watched(flushed)
    }
}

/// Whether all bytes are printable ASCII, tabs and line ends, as nearly all output is. The sum
/// has no early end: so many bytes are compared at once.
fn is_printable_ascii(bytes: &[u8]) -> bool {
    !bytes.iter().fold(false, |is_found, byte| is_found | is_other(*byte))
}

/// Whether this byte is no printable ASCII, tab or line end.
fn is_other(byte: u8) -> bool {
    (byte < b' ' && byte != b'\n' && byte != b'\t') || byte > b'~'
}

/// Whether a character that is not shown as it is can begin with this byte: a
/// control character, or the first byte of what [`hidden_as_escape`] names.
fn may_begin_hidden(byte: u8) -> bool {
    matches!(byte, 0..=8 | 11..=31 | 127 | 0xc2 | 0xd8 | 0xe1..=0xe3 | 0xef | 0xf3)
}

fn push(clean: &mut String, c: char, content: Content) {
    if matches!(c, '\n' | '\t') {
        clean.push(c);
        return;
    }
    match hidden_as_escape(c) {
        None => clean.push(c),
        Some(_) if content == Content::Json => {
            let mut units = [0; 2];
            for unit in c.encode_utf16(&mut units) {
                clean.push_str(&format!("\\u{unit:04x}"));
            }
        }
        Some(escape) => clean.push_str(&escape),
    }
}

/// Bytes of the sequence that sets a colour at the start; 0: there is none;
/// `None`: that cannot be said yet.
fn colour(text: &str) -> Option<usize> {
    let Some(rest) = text.strip_prefix('\x1b') else { return Some(0) };
    let Some(rest) = rest.strip_prefix('[') else {
        return if rest.is_empty() { None } else { Some(0) };
    };
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != ';');
    match end {
        None => None,
        Some(end) if rest[end..].starts_with('m') => Some(end + 3),
        Some(_) => Some(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Arc, Mutex};

    #[derive(Clone, Default)]
    struct Written(Arc<Mutex<Vec<u8>>>);

    impl Write for Written {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().expect("no thread failed").extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// What comes out when it is written in parts of `step` bytes.
    fn cleaned(bytes: &[u8], content: Content, step: usize) -> String {
        let seen = Written::default();
        let mut out = Out::new(Box::new(seen.clone()), content);
        bytes.chunks(step).for_each(|part| out.write_all(part).expect("a vector takes all"));
        out.finish().expect("a vector takes all");
        let bytes = seen.0.lock().expect("no thread failed").clone();
        String::from_utf8(bytes).expect("clean text")
    }

    #[test]
    fn what_steers_a_terminal_is_shown_instead_however_it_is_cut() {
        let hostile = "a\x1b[2J\u{9b}31m\u{202e}b\r\n\tdаta\u{feff}\x1b[1m".as_bytes();
        let seen = "a\\x1b[2J\\x9b31m\\u{202e}b\\r\n\tdаta\\u{feff}\\x1b[1m";
        for step in 1..=hostile.len() {
            assert_eq!(cleaned(hostile, Content::Text, step), seen, "{step}");
        }
    }

    #[test]
    fn colours_of_our_own_stay_and_nothing_else_does() {
        let text = b"\x1b[1;31mbad\x1b[0m \x1b[2J \x1b]0;title\x07 \x1b[";
        let seen = "\x1b[1;31mbad\x1b[0m \\x1b[2J \\x1b]0;title\\x07 \\x1b[";
        for step in 1..=text.len() {
            assert_eq!(cleaned(text, Content::Coloured, step), seen, "{step}");
        }
    }

    #[test]
    fn json_stays_json() {
        let text = "{\"path\": \"a\u{202e}\u{e0041}\u{85}b\"}\n";
        let seen = cleaned(text.as_bytes(), Content::Json, 3);
        assert_eq!(seen, "{\"path\": \"a\\u202e\\udb40\\udc41\\u0085b\"}\n");
        let value: serde_json::Value = serde_json::from_str(&seen).expect("JSON");
        assert_eq!(value["path"], "a\u{202e}\u{e0041}\u{85}b");
    }

    #[test]
    fn bytes_that_are_no_text_are_marked_and_a_file_format_is_left_alone() {
        assert_eq!(cleaned(b"\x01a\xffb\xe2\x80", Content::Text, 2), "\\x01a\u{fffd}b\u{fffd}");
        let seen = Written::default();
        let mut out = Out::new(Box::new(seen.clone()), Content::Binary);
        out.write_all(b"\x1b\x00\xff").expect("a vector takes all");
        out.finish().expect("a vector takes all");
        assert_eq!(*seen.0.lock().expect("no thread failed"), b"\x1b\x00\xff");
    }
}
