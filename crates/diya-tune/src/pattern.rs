//! Paths and values in files for programs, and in `DIYA_APPLY`.

use std::fmt::Write as _;

/// Bytes that separate entries and their parts, and those that a line cannot hold.
fn is_special(byte: u8) -> bool {
    byte <= b' ' || byte >= 0x7f || matches!(byte, b';' | b'@' | b'=' | b'%' | b'#')
}

/// As an entry of `DIYA_APPLY` has it: `%XX` for what separates. What is `%XX` already stays.
pub fn encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (at, byte) in text.bytes().enumerate() {
        let hex = |offset| {
            let byte: Option<&u8> = text.as_bytes().get(at + offset);
            byte.is_some_and(|b| b.is_ascii_digit() || matches!(b, b'A'..=b'F'))
        };
        let is_code = byte == b'%' && hex(1) && hex(2);
        match is_special(byte) && !is_code {
            true => write!(out, "%{byte:02X}").unwrap_or_default(),
            false => out.push(char::from(byte)),
        }
    }
    out
}

/// A pattern that fits this path alone.
pub fn of_path(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for c in path.chars() {
        if matches!(c, '*' | '?' | '[' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
    // A `%` of the path is no code.
    encoded(&out.replace('%', "%25"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_separates_is_encoded_once() {
        assert_eq!(encoded("/a;b@c/*.x"), "/a%3Bb%40c/*.x");
        assert_eq!(encoded(&encoded("a b%")), "a%20b%25");
    }

    #[test]
    fn a_path_fits_itself_alone() {
        assert_eq!(of_path("/a*[b] 1%41"), "/a\\*\\[b]%201%2541");
        assert_eq!(encoded(&of_path("/a 1%41")), of_path("/a 1%41"));
    }
}
