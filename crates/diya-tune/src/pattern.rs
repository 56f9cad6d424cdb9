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

/// A pattern of the files that are named as this one is, in whatever folder: digits count runs,
/// steps and ranks, and the next run has a folder of its own.
pub fn of_files(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or_default();
    let mut out = String::from("*/");
    for c in name.chars() {
        match c {
            '0'..='9' if out.ends_with('*') => {}
            '0'..='9' => out.push('*'),
            '*' | '?' | '[' | '\\' => out.extend(['\\', c]),
            // A `%` of the name is no code.
            '%' => out.push_str("%25"),
            _ => out.push(c),
        }
    }
    encoded(&out)
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
    fn a_pattern_is_of_names_and_their_numbers() {
        assert_eq!(of_files("/run 17/plt00010.Cell_D_00003"), "*/plt*.Cell_D_*");
        assert_eq!(of_files("/a/b*[c] 1%41"), "*/b\\*\\[c]%20*%25*");
        assert_eq!(encoded(&of_files("/a/b 1%41")), of_files("/a/b 1%41"));
    }
}
