//! The Markdown of remedies as words on a terminal.
//!
//! Checks use little of it: paragraphs, lists, code in a line and in blocks,
//! and strong words. Anything else is shown as it was written.

use super::text_writer::{Span, Style, TextWriter, span};
use crate::printable::printable_page;

/// A part of a text.
#[derive(Debug, PartialEq)]
enum Part {
    Paragraph(String),
    Item(String),
    Code(Vec<String>),
}

/// Writes Markdown beside a label; `column` is where the text starts.
pub(crate) fn write(
    writer: &mut TextWriter,
    indent: usize,
    label: &str,
    column: usize,
    text: &str,
) {
    let mut label = label;
    for part in parts(&printable_page(text)) {
        match part {
            Part::Paragraph(text) => {
                writer.labelled(indent, label, column, &spans(&text, writer.colour));
            }
            Part::Item(text) => {
                writer.label(indent, label, column);
                writer.out.push_str("- ");
                writer.flow(column + 2, column + 2, &spans(&text, writer.colour));
            }
            // Not wrapped: it is there to be copied.
            Part::Code(lines) => {
                for (place, line) in lines.iter().enumerate() {
                    writer.label(indent, if place == 0 { label } else { "" }, column);
                    writer.blank(2);
                    writer.put(line, Style::Code);
                    writer.gap();
                }
            }
        }
        label = "";
    }
}

/// Words with the looks of their code and strong parts.
pub(crate) fn spans(text: &str, colour: bool) -> Vec<Span> {
    let mut spans = Vec::new();
    for (place, part) in text.split('`').enumerate() {
        // Without colours the marks are what tells code from words.
        match (place % 2 == 1, colour) {
            (true, true) => spans.push(span(part, Style::Code)),
            (true, false) => spans.push(span(format!("`{part}`"), Style::Code)),
            (false, _) => {
                for (place, part) in part.split("**").enumerate() {
                    let style = if place % 2 == 1 { Style::Strong } else { Style::Plain };
                    spans.push(span(part, style));
                }
            }
        }
    }
    spans
}

fn parts(text: &str) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let mut is_open = false;
    let mut starts_new = true;
    for line in text.lines() {
        let trimmed = line.trim();
        if trimmed.starts_with("```") {
            is_open = !is_open;
            if is_open {
                parts.push(Part::Code(Vec::new()));
            }
            starts_new = true;
        } else if is_open {
            if let Some(Part::Code(lines)) = parts.last_mut() {
                lines.push(line.to_owned());
            }
        } else if trimmed.is_empty() {
            starts_new = true;
        } else if let Some(item) = trimmed.strip_prefix("- ") {
            parts.push(Part::Item(item.to_owned()));
            starts_new = false;
        } else {
            match parts.last_mut().filter(|_| !starts_new) {
                Some(Part::Paragraph(text) | Part::Item(text)) => {
                    text.push(' ');
                    text.push_str(trimmed);
                }
                _ => parts.push(Part::Paragraph(trimmed.to_owned())),
            }
            starts_new = false;
        }
    }
    parts
}

/// The first sentence of a text, its lines joined.
pub(crate) fn first_sentence(text: &str) -> String {
    let text = text.lines().take_while(|line| !line.trim().is_empty()).collect::<Vec<_>>();
    let text = text.join(" ");
    // An abbreviation such as `e.g. this` goes on in lower case.
    let mut from = 0;
    while let Some(at) = text[from..].find(". ").map(|at| from + at) {
        if text[at + 2..].starts_with(|c: char| !c.is_lowercase()) {
            return text[..=at].to_owned();
        }
        from = at + 2;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> String {
        let mut writer = TextWriter::new(30, false);
        write(&mut writer, 1, "to do", 8, text);
        writer.out
    }

    #[test]
    fn lines_of_a_paragraph_are_joined_and_code_is_not() {
        let text =
            "Set `a(b,\nc)` before.\n\n```sh\nlfs setstripe -c 8 -S 4M DIR # long\n```\nThen go.";
        assert_eq!(
            written(text),
            " to do  Set `a(b, c)` before.\n          lfs setstripe -c 8 -S 4M DIR # long\n        Then go.\n"
        );
    }

    #[test]
    fn items_stand_one_below_the_other() {
        assert_eq!(
            written("- one is long\n  enough to wrap\n- two"),
            " to do  - one is long enough\n          to wrap\n        - two\n"
        );
    }

    #[test]
    fn a_sentence_ends_before_a_capital() {
        assert_eq!(first_sentence("See e.g. this. That\nis more."), "See e.g. this.");
        assert_eq!(first_sentence("No end\n\nnext"), "No end");
    }
}
