//! What writers get wrong in JSON that still says what they mean.
//!
//! Numbers that JSON does not have (`inf`, `NaN`, `01`, `0x10`), a comma after the last member,
//! backslashes of Windows, plain control characters, bytes that are no UTF-8: seen in files of
//! PyTorch, DFTracer and Python scripts. Only an event that the strict way refuses comes here.

use std::borrow::Cow;
use std::fmt::Write as _;

/// The event as valid JSON, as far as its brackets and quotation marks match.
pub(super) fn repaired(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let mut out = String::with_capacity(text.len());
    let mut rest: &str = &text;
    while let Some(first) = rest.chars().next() {
        let taken = match first {
            '"' => quoted(rest, &mut out),
            ',' => comma(rest, &mut out),
            _ if is_word(first) => {
                let length = rest.find(|letter| !is_word(letter)).unwrap_or(rest.len());
                let (word, _) = rest.split_at(length);
                out.push_str(&value(word));
                length
            }
            other => {
                out.push(other);
                other.len_utf8()
            }
        };
        rest = rest.get(taken..).unwrap_or_default();
    }
    out
}

fn is_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '+' | '-' | '.' | '_')
}

/// A word that is no text: a number that JSON can write, else null: what it was is unknown.
fn value(word: &str) -> Cow<'_, str> {
    if matches!(word, "true" | "false" | "null") || serde_json::from_str::<f64>(word).is_ok() {
        return Cow::Borrowed(word);
    }
    let hex = word.strip_prefix("0x").and_then(|digits| i64::from_str_radix(digits, 16).ok());
    if let Some(whole) = hex.or_else(|| word.parse().ok()) {
        return Cow::Owned(whole.to_string());
    }
    match word.parse::<f64>() {
        Ok(number) if number.is_finite() => Cow::Owned(format!("{number:?}")),
        _ => Cow::Borrowed("null"),
    }
}

/// A comma, if another member follows; returns the bytes taken.
fn comma(text: &str, out: &mut String) -> usize {
    let next = text.get(1..).unwrap_or_default().trim_start().chars().next();
    if !matches!(next, Some('}' | ']')) {
        out.push(',');
    }
    1
}

/// A text with its marks; returns the bytes taken.
fn quoted(text: &str, out: &mut String) -> usize {
    out.push('"');
    let mut rest = text.get(1..).unwrap_or_default();
    while let Some(letter) = rest.chars().next() {
        let mut taken = letter.len_utf8();
        match letter {
            '"' => {
                out.push('"');
                return text.len() - rest.len() + 1;
            }
            '\\' => taken = escape(rest, out),
            // Writing to a text cannot fail.
            control if control < ' ' => drop(write!(out, "\\u{:04x}", u32::from(control))),
            other => out.push(other),
        }
        rest = rest.get(taken..).unwrap_or_default();
    }
    text.len()
}

/// An escaped character; a backslash that escapes nothing is one itself.
fn escape(text: &str, out: &mut String) -> usize {
    let digits = |at: usize| {
        let digits = text.get(at..at + 6)?.strip_prefix("\\u")?;
        u32::from_str_radix(digits, 16).ok()
    };
    let (high, low) = (0xd800..0xdc00, 0xdc00..0xe000);
    match text.as_bytes().get(1) {
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => {
            out.push_str(text.get(..2).unwrap_or_default());
            2
        }
        Some(b'u') => match (digits(0), digits(6)) {
            (Some(first), Some(second)) if high.contains(&first) && low.contains(&second) => {
                out.push_str(text.get(..12).unwrap_or_default());
                12
            }
            // Half of a pair is no character.
            (Some(first), _) if high.contains(&first) || low.contains(&first) => {
                out.push(char::REPLACEMENT_CHARACTER);
                6
            }
            (Some(_), _) => {
                out.push_str(text.get(..6).unwrap_or_default());
                6
            }
            (None, _) => {
                out.push_str("\\\\");
                1
            }
        },
        _ => {
            out.push_str("\\\\");
            1
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_json_does_not_have_are_written_as_it_can_or_are_null() {
        for (written, meant) in [
            (r#"{"a":inf,"b":NaN,"c":-Infinity}"#, r#"{"a":null,"b":null,"c":null}"#),
            (r#"[01, +2, .5, 1., 0x10, 1e999]"#, "[1, 2, 0.5, 1.0, 16, null]"),
            ("[true,false,null,None,-1.5e3]", "[true,false,null,null,-1.5e3]"),
        ] {
            assert_eq!(repaired(written.as_bytes()), meant);
        }
    }

    #[test]
    fn a_comma_before_the_end_is_left_out() {
        assert_eq!(repaired(br#"{"a":[1, ],"b":",}" , }"#), r#"{"a":[1 ],"b":",}"  }"#);
        // Which value is missing is unknown.
        assert_eq!(repaired(b"[,1]"), "[,1]");
    }

    #[test]
    fn texts_keep_what_can_be_read_of_them() {
        let text = |written: &[u8]| serde_json::from_str::<String>(&repaired(written)).ok();
        let is = |text: &str| Some(text.to_string());
        assert_eq!(text(br#""C:\data\x41\"a""#), is(r#"C:\data\x41"a"#));
        assert_eq!(text(b"\"a\tb\x01\""), is("a\tb\u{1}"));
        assert_eq!(text(b"\"gr\xf6sse\""), is("gr\u{fffd}sse"));
        assert_eq!(text(br#""\ud83d\ude00 \ud83d \u00e9 \u12""#), is("😀 \u{fffd} é \\u12"));
        assert_eq!(text(b"\"no end"), None);
    }
}
