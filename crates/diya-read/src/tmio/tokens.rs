//! The tokens of a JSON text, one by one: the file is never held as a whole.
//!
//! TMIO prints numbers as C does, so `NaN`, `-nan` and `inf` occur, which no parser of JSON takes.

use crate::{Source, SourceError};

/// Bytes asked for at once.
const CHUNK_BYTES: u64 = 1 << 20;
/// Longer names and numbers are damage.
const MAX_TOKEN_BYTES: usize = 4096;

/// A token.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    /// `{`; `is_first`: nothing but blanks stands before it in its line.
    Object {
        is_first: bool,
    },
    List,
    /// `}` or `]`.
    Close,
    Comma,
    Colon,
    Text(String),
    /// A number; NaN where it is none.
    Number(f64),
    /// `true`, `false` and `null`.
    Word,
    /// Bytes that are no token.
    Damage,
    End,
}

/// The tokens of a source.
pub(super) struct Tokens<'a> {
    source: &'a dyn Source,
    buffer: Vec<u8>,
    buffer_offset: u64,
    at: usize,
    is_line_start: bool,
}

impl<'a> Tokens<'a> {
    /// From the first byte on.
    pub fn of(source: &'a dyn Source) -> Self {
        Self { source, buffer: Vec::new(), buffer_offset: 0, at: 0, is_line_start: true }
    }

    /// Where the next token is looked for.
    pub fn offset(&self) -> u64 {
        self.buffer_offset + u64::try_from(self.at).unwrap_or(0)
    }

    /// The next token.
    pub fn next_token(&mut self) -> Result<Token, SourceError> {
        loop {
            let Some(byte) = self.byte(0)? else { return Ok(Token::End) };
            let is_first = self.is_line_start;
            if byte == b'\n' {
                self.is_line_start = true;
            } else if !byte.is_ascii_whitespace() {
                self.is_line_start = false;
            }
            let token = match byte {
                byte if byte.is_ascii_whitespace() => {
                    self.at += 1;
                    continue;
                }
                b'{' => Token::Object { is_first },
                b'[' => Token::List,
                b'}' | b']' => Token::Close,
                b',' => Token::Comma,
                b':' => Token::Colon,
                b'"' => return self.text(),
                b'-' | b'+' | b'.' => return self.word(),
                byte if byte.is_ascii_alphanumeric() => return self.word(),
                _ => Token::Damage,
            };
            self.at += 1;
            return Ok(token);
        }
    }

    /// A byte behind the place that was reached.
    fn byte(&mut self, behind: usize) -> Result<Option<u8>, SourceError> {
        while self.buffer.len() <= self.at + behind {
            if !self.fetch()? {
                return Ok(None);
            }
        }
        Ok(self.buffer.get(self.at + behind).copied())
    }

    fn text(&mut self) -> Result<Token, SourceError> {
        let mut length = 1;
        let mut is_escaped = false;
        while length < MAX_TOKEN_BYTES {
            match self.byte(length)? {
                // No text of JSON goes on in the next line.
                None | Some(b'\n') => break,
                Some(b'"') if !is_escaped => {
                    let text = self.buffer.get(self.at + 1..self.at + length).unwrap_or_default();
                    let text = String::from_utf8_lossy(text).into_owned();
                    self.at += length + 1;
                    return Ok(Token::Text(text));
                }
                Some(byte) => is_escaped = byte == b'\\' && !is_escaped,
            }
            length += 1;
        }
        self.at += length;
        Ok(Token::Damage)
    }

    /// A number or a word: both end before anything that is not part of them.
    fn word(&mut self) -> Result<Token, SourceError> {
        let mut length = 1;
        while length < MAX_TOKEN_BYTES {
            match self.byte(length)? {
                Some(byte) if byte.is_ascii_alphanumeric() || b"+-._".contains(&byte) => {
                    length += 1;
                }
                _ => break,
            }
        }
        let bytes = self.buffer.get(self.at..self.at + length).unwrap_or_default();
        let token = match std::str::from_utf8(bytes).unwrap_or_default() {
            "true" | "false" | "null" => Token::Word,
            // Rust reads "NaN", "nan", "inf" and "infinity", with a sign or without.
            word => word.parse().map_or(Token::Damage, Token::Number),
        };
        self.at += length;
        Ok(token)
    }

    fn fetch(&mut self) -> Result<bool, SourceError> {
        let from = self.buffer_offset + u64::try_from(self.buffer.len()).unwrap_or(0);
        let to = from.saturating_add(CHUNK_BYTES).min(self.source.len());
        if from >= to {
            return Ok(false);
        }
        self.buffer.drain(..self.at);
        self.buffer_offset += u64::try_from(self.at).unwrap_or(0);
        self.at = 0;
        self.buffer.extend_from_slice(&self.source.bytes(from..to)?);
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<Token> {
        let source = text.as_bytes().to_vec();
        let mut tokens = Tokens::of(&source);
        let mut all = Vec::new();
        loop {
            match tokens.next_token().expect("memory can be read") {
                Token::End => return all,
                token => all.push(token),
            }
        }
    }

    #[test]
    fn numbers_are_those_that_c_prints() {
        let numbers = tokens("1.68e+02 -5 inf nan");
        let [Token::Number(a), Token::Number(b), Token::Number(c), Token::Number(d)] = numbers[..]
        else {
            panic!("{numbers:?}")
        };
        assert_eq!((a, b, c), (168.0, -5.0, f64::INFINITY));
        assert!(d.is_nan());
    }

    #[test]
    fn an_object_knows_whether_it_begins_its_line() {
        let found = tokens("\t{\"a\":{}}");
        assert_eq!(found[0], Token::Object { is_first: true });
        assert_eq!(found[3], Token::Object { is_first: false });
    }

    #[test]
    fn damage_ends_with_the_line() {
        let found = tokens("\"cut\n@ 7 seven");
        let damage = found.iter().filter(|token| **token == Token::Damage).count();
        assert_eq!((damage, found.len()), (3, 4));
    }
}
