//! Words on a page of a certain width, with colours or without.

use crate::text_table::width;

/// Where the text of a finding starts.
pub(super) const INDENT: usize = 4;

/// Where the text beside a label of a finding starts.
pub(super) const COLUMN: usize = 16;

/// How a piece of text looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    Plain,
    Strong,
    Faint,
    Code,
    High,
    Warn,
    Info,
    Good,
}

impl Style {
    /// What switches it on: SGR numbers of the eight colours that every
    /// terminal has, so that the user's own scheme decides how they look.
    fn sgr(self) -> Option<&'static str> {
        match self {
            Self::Plain => None,
            Self::Strong => Some("1"),
            Self::Faint => Some("2"),
            Self::Code => Some("36"),
            Self::High => Some("1;31"),
            Self::Warn => Some("1;33"),
            Self::Info => Some("1;34"),
            Self::Good => Some("1;32"),
        }
    }
}

/// Text that looks the same all through.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Span {
    pub text: String,
    pub style: Style,
}

/// A span.
pub(crate) fn span(text: impl Into<String>, style: Style) -> Span {
    Span { text: text.into(), style }
}

/// What is written so far.
#[derive(Debug)]
pub(crate) struct TextWriter {
    /// Columns of a line.
    pub columns: usize,
    /// Whether colours are wanted.
    pub colour: bool,
    /// The lines.
    pub out: String,
}

/// What stays together on a line.
#[derive(Debug, Default)]
struct Word {
    spans: Vec<Span>,
    width: usize,
}

impl Word {
    fn ends_in_digit(&self) -> bool {
        self.spans.last().is_some_and(|last| last.text.ends_with(|c: char| c.is_ascii_digit()))
    }

    fn push(&mut self, text: &str, style: Style) {
        self.width += width(text);
        match self.spans.last_mut().filter(|last| last.style == style) {
            Some(last) => last.text.push_str(text),
            None => self.spans.push(span(text, style)),
        }
    }
}

impl TextWriter {
    pub fn new(columns: usize, colour: bool) -> Self {
        Self { columns, colour, out: String::new() }
    }

    /// An empty line.
    pub fn gap(&mut self) {
        self.out.push('\n');
    }

    /// A text as it is, within a line.
    pub fn put(&mut self, text: &str, style: Style) {
        match style.sgr().filter(|_| self.colour && !text.is_empty()) {
            Some(sgr) => {
                self.out.push_str("\x1b[");
                self.out.push_str(sgr);
                self.out.push('m');
                self.out.push_str(text);
                self.out.push_str("\x1b[0m");
            }
            None => self.out.push_str(text),
        }
    }

    /// Blanks.
    pub fn blank(&mut self, columns: usize) {
        self.out.extend(std::iter::repeat_n(' ', columns));
    }

    /// A label, and blanks up to where the text beside it starts.
    pub fn label(&mut self, indent: usize, label: &str, column: usize) {
        self.blank(indent);
        self.put(label, Style::Faint);
        self.blank(column.saturating_sub(indent + width(label)));
    }

    /// A label, and a text beside it that goes on below itself.
    pub fn labelled(&mut self, indent: usize, label: &str, column: usize, spans: &[Span]) {
        self.label(indent, label, column);
        self.flow(column, column, spans);
    }

    /// A text from here on, with its further lines indented.
    ///
    /// `at` columns of the first line are taken already.
    pub fn flow(&mut self, at: usize, indent: usize, spans: &[Span]) {
        let room = self.columns.saturating_sub(indent).max(16);
        let mut used = at.saturating_sub(indent);
        let mut is_first = true;
        for word in words(spans, room) {
            if !is_first && used + 1 + word.width > room {
                self.gap();
                self.blank(indent);
                used = 0;
            } else if !is_first {
                self.out.push(' ');
                used += 1;
            }
            used += word.width;
            for part in &word.spans {
                self.put(&part.text, part.style);
            }
            is_first = false;
        }
        self.gap();
    }
}

/// Words of these spans. Code stays together where a line has room for it, and
/// what no line has room for is cut, behind a slash where there is one.
fn words(spans: &[Span], room: usize) -> Vec<Word> {
    let mut all: Vec<Word> = vec![Word::default()];
    for Span { text, style } in spans {
        let is_whole = *style == Style::Code && width(text) <= room;
        let parts: Vec<&str> = if is_whole { vec![text] } else { text.split(' ').collect() };
        for (place, part) in parts.into_iter().enumerate() {
            if place > 0 {
                // A number and its unit stay on one line.
                match all.last_mut().filter(|word| is_unit(part) && word.ends_in_digit()) {
                    Some(number) => number.push(" ", Style::Plain),
                    None => all.push(Word::default()),
                }
            }
            for (number, fitting) in cut_to_fit(part, room).into_iter().enumerate() {
                if number > 0 {
                    all.push(Word::default());
                }
                if let Some(word) = all.last_mut() {
                    word.push(fitting, *style);
                }
            }
        }
    }
    all.retain(|word| word.width > 0);
    all
}

fn is_unit(word: &str) -> bool {
    const UNITS: [&str; 13] =
        ["s", "ms", "us", "min", "h", "%", "B", "KiB", "MiB", "GiB", "TiB", "KiB/s", "MiB/s"];
    let word = word.trim_end_matches(['.', ',', ';', ':', ')']);
    UNITS.contains(&word)
}

/// A word, cut into parts that fit a line.
fn cut_to_fit(word: &str, room: usize) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = word;
    while width(rest) > room {
        let mut end = 0;
        let mut slash = None;
        for (start, c) in rest.char_indices() {
            let next = start + c.len_utf8();
            if width(&rest[..next]) > room && end > 0 {
                break;
            }
            end = next;
            if c == '/' {
                slash = Some(next);
            }
        }
        // A slash near the start would leave the line almost empty.
        let cut = slash.filter(|at| *at > end / 2).unwrap_or(end);
        let (part, tail) = rest.split_at(cut);
        parts.push(part);
        rest = tail;
    }
    parts.push(rest);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flowed(columns: usize, spans: &[Span]) -> String {
        let mut writer = TextWriter::new(columns, false);
        writer.labelled(1, "do", 4, spans);
        writer.out
    }

    #[test]
    fn lines_go_on_below_their_text() {
        let text = span("one two three four five six", Style::Plain);
        assert_eq!(flowed(20, &[text]), " do one two three\n    four five six\n");
    }

    #[test]
    fn code_stays_together_and_so_does_what_touches_it() {
        let spans =
            [span("set ", Style::Plain), span("f(a, b)", Style::Code), span(", now", Style::Plain)];
        assert_eq!(flowed(20, &spans), " do set f(a, b), now\n");
        assert_eq!(
            flowed(20, &[span("call it now: ", Style::Plain), span("f(a, b)", Style::Code)])
                .lines()
                .count(),
            2
        );
    }

    #[test]
    fn a_number_keeps_its_unit() {
        let text = span("it takes up to 12 s.", Style::Plain);
        assert_eq!(flowed(21, &[text]), " do it takes up to\n    12 s.\n");
    }

    #[test]
    fn long_paths_are_cut_behind_a_slash() {
        let text = span("/scratch/project/run/file", Style::Plain);
        assert_eq!(flowed(20, &[text]), " do /scratch/\n    project/run/file\n");
        let nothing_to_cut_at = span("x".repeat(20), Style::Plain);
        assert_eq!(flowed(20, &[nothing_to_cut_at]).lines().count(), 2);
    }

    #[test]
    fn wide_characters_take_two_columns() {
        let text = span("数据数据 数据数据", Style::Plain);
        assert_eq!(flowed(20, &[text]), " do 数据数据\n    数据数据\n");
    }

    #[test]
    fn colours_end_where_they_began() {
        let mut writer = TextWriter::new(20, true);
        writer.put("HIGH", Style::High);
        assert_eq!(writer.out, "\x1b[1;31mHIGH\x1b[0m");
    }
}
