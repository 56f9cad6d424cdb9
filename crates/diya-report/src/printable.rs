//! Text from logs made safe to show: what is invisible becomes visible.
//!
//! A path can hold escape sequences that move the cursor or set the title of a
//! terminal, and marks that turn the direction of text so that a name reads as
//! another (CVE-2021-42574). None of them reaches the reader as it is.

use std::borrow::Cow;
use std::fmt::Write as _;

/// The text in one line, with control, direction and invisible characters
/// written as escapes.
///
/// ```
/// use diya_report::printable;
/// assert_eq!(printable("/scratch/run 1"), "/scratch/run 1");
/// assert_eq!(printable("a\u{1b}[2J\u{202e}b\n"), "a\\x1b[2J\\u{202e}b\\n");
/// ```
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        push(&mut shown, c);
    }
    Cow::Owned(shown)
}

/// The same, but the lines of a page stay lines; tabs become blanks.
pub(crate) fn printable_page(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => shown.push('\n'),
            '\t' => shown.push_str("    "),
            '\r' => {}
            c => push(&mut shown, c),
        }
    }
    shown
}

/// How a character that cannot be seen, or changes how others look, is shown;
/// `None`: as it is. Line ends and tabs are among them.
pub fn hidden_as_escape(c: char) -> Option<String> {
    is_hidden(c).then(|| {
        let mut shown = String::new();
        push(&mut shown, c);
        shown
    })
}

fn push(shown: &mut String, c: char) {
    // Writing to a String does not fail.
    let _ = match c {
        '\n' => shown.write_str("\\n"),
        '\t' => shown.write_str("\\t"),
        '\r' => shown.write_str("\\r"),
        c if c.is_control() => write!(shown, "\\x{:02x}", u32::from(c)),
        c if is_hidden(c) => write!(shown, "\\u{{{:x}}}", u32::from(c)),
        c => shown.write_char(c),
    };
}

/// Control characters (Unicode Cc), and the format characters (Cf) that change
/// how others look or cannot be seen themselves.
pub(crate) fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180e}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{3164}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_of_a_page_stay_lines() {
        assert_eq!(printable_page("a\n\tb\r\nc\u{7}"), "a\n    b\nc\\x07");
    }

    #[test]
    fn names_of_other_scripts_stay_as_they_are() {
        assert_eq!(printable("/données/наука/数据"), "/données/наука/数据");
    }

    #[test]
    fn tags_and_blanks_without_width_are_seen() {
        assert_eq!(printable("a\u{200b}\u{e0041}b"), "a\\u{200b}\\u{e0041}b");
    }
}
