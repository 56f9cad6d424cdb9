//! The secret in the address.

use std::io::{self, Read as _};

/// 256 random bits as text.
#[derive(Clone)]
pub struct Token(String);

impl Token {
    /// A new one, from the system's random numbers.
    pub fn new() -> io::Result<Self> {
        let mut bytes = [0; 32];
        std::fs::File::open("/dev/urandom")?.read_exact(&mut bytes)?;
        Ok(Self(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    /// As it stands in the address.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// Whether a text is the token. Takes the same time wherever they differ, so
    /// that it cannot be guessed letter by letter.
    pub fn is(&self, text: &str) -> bool {
        let (ours, theirs) = (self.0.as_bytes(), text.as_bytes());
        let mut difference = ours.len() ^ theirs.len();
        for (at, byte) in ours.iter().enumerate() {
            difference |= usize::from(byte ^ theirs.get(at).copied().unwrap_or(0));
        }
        std::hint::black_box(difference) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_whole_token_is_the_token() {
        let token = Token::new().unwrap();
        let text = token.text().to_owned();
        assert_eq!(text.len(), 64);
        assert!(token.is(&text));
        assert!(!token.is(&text[..63]) && !token.is(&format!("{text}0")) && !token.is(""));
        assert!(!token.is(&text.replace(&text[..1], "g")));
        assert_ne!(Token::new().unwrap().text(), text);
    }
}
