//! How much a question may take, and how long an answer may be.

use diya::report::printable;
use std::time::Duration;

/// Bytes of a message of the client; a longer one is answered with an error.
pub const MAX_LINE_BYTES: usize = 1 << 20;

/// Bytes of an SQL text.
pub const MAX_SQL_BYTES: usize = 64 << 10;

/// Characters of an answer: less than 2,000 tokens, so that a dozen questions fit beside the work.
pub const MAX_ANSWER_CHARS: usize = 7_000;

/// Characters of a resource: a client asks for one on purpose.
pub const MAX_PAGE_CHARS: usize = 30_000;

/// Time for one question, reading of the logs included.
pub const MAX_QUESTION: Duration = Duration::from_secs(120);

/// Time for an SQL statement after the logs were read.
pub const MAX_STATEMENT: Duration = Duration::from_secs(30);

/// Rows that an SQL statement may have, whether shown or not.
pub const MAX_ROWS: usize = 10_000;

/// Rows that are shown, unless the question says otherwise.
pub const USUAL_ROWS: usize = 50;

/// Rows that are shown at most.
pub const MAX_SHOWN_ROWS: usize = 1_000;

/// Questions at a time; one more is answered with an error.
pub const MAX_QUESTIONS: usize = 4;

/// Pixels of a picture, in each direction.
pub const MAX_PIXELS: u32 = 2_000;

/// Logs of one question.
pub const MAX_LOGS: usize = 1_000;

/// The answer of a tool.
pub fn answer(text: &str) -> String {
    shortened(text, MAX_ANSWER_CHARS)
}

/// A resource.
pub fn page(text: &str) -> String {
    shortened(text, MAX_PAGE_CHARS)
}

/// Text for an assistant: nothing invisible, and not longer than it can read.
fn shortened(text: &str, most: usize) -> String {
    let mut shown = String::with_capacity(text.len());
    for line in text.lines() {
        shown.push_str(&printable(line));
        shown.push('\n');
    }
    let Some((end, _)) = shown.char_indices().nth(most) else { return shown };
    // A line that is cut would be read as a whole one.
    let end = shown[..end].rfind('\n').map_or(end, |at| at + 1);
    let left_out = shown[end..].lines().count();
    shown.truncate(end);
    shown.push_str(&format!(
        "\n[{left_out} lines more. Ask further: `report` with detail brief, one finding or check by \
         its name, `sql` with columns, `where` and `limit`]\n"
    ));
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_answer_is_cut_and_says_so() {
        let long = "ä".repeat(MAX_ANSWER_CHARS + 1);
        let shown = answer(&long);
        assert!(shown.contains("1 lines more. Ask further"), "{}", shown.len());
        assert!(shown.chars().count() < MAX_ANSWER_CHARS + 200);
    }

    #[test]
    fn escape_sequences_are_shown_and_lines_stay_lines() {
        assert_eq!(answer("a\u{1b}[2Jb\nc"), "a\\x1b[2Jb\nc\n");
    }
}
