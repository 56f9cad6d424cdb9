//! How much a question may take, and how long an answer may be.

use diya::report::printable;
use std::time::Duration;

/// Bytes of a message of the client; a longer one is answered with an error.
pub const MAX_LINE_BYTES: usize = 1 << 20;

/// Bytes of an SQL text.
pub const MAX_SQL_BYTES: usize = 64 << 10;

/// Characters of an answer: some thousand words, which an assistant can still read.
pub const MAX_ANSWER_CHARS: usize = 30_000;

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

/// Text for an assistant: nothing invisible, and not longer than it can read.
pub fn answer(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for line in text.lines() {
        shown.push_str(&printable(line));
        shown.push('\n');
    }
    let Some((end, _)) = shown.char_indices().nth(MAX_ANSWER_CHARS) else { return shown };
    let left_out = shown.len() - end;
    shown.truncate(end);
    shown.push_str(&format!("\n[{left_out} bytes more: ask for less, or for a part]\n"));
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_answer_is_cut_and_says_so() {
        let long = "ä".repeat(MAX_ANSWER_CHARS + 1);
        let shown = answer(&long);
        assert!(shown.contains("bytes more"), "{}", shown.len());
        assert!(shown.chars().count() < MAX_ANSWER_CHARS + 100);
    }

    #[test]
    fn escape_sequences_are_shown_and_lines_stay_lines() {
        assert_eq!(answer("a\u{1b}[2Jb\nc"), "a\\x1b[2Jb\nc\n");
    }
}
