//! The Markdown of remedies as words on a terminal.

use super::text_writer::{Span, Style, TextWriter, span};
use crate::printable::printable_page;
use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};

/// A part of a text.
#[derive(Debug, PartialEq)]
enum Part {
    Paragraph(Vec<Span>),
    /// What stands before an item, and the item.
    Item(String, Vec<Span>),
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
    for part in parts(&printable_page(text), writer.colour) {
        match part {
            Part::Paragraph(spans) => writer.labelled(indent, label, column, &spans),
            Part::Item(mark, spans) => {
                writer.label(indent, label, column);
                writer.out.push_str(&mark);
                writer.flow(column + mark.len(), column + mark.len(), &spans);
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

/// Words of a sentence with the looks of their code. The rest of it is no markup:
/// names of files may hold any sign.
pub(crate) fn spans(text: &str, colour: bool) -> Vec<Span> {
    let part = |(place, part): (usize, &str)| match place % 2 == 1 {
        true => code(part, colour),
        false => span(part, Style::Plain),
    };
    text.split('`').enumerate().map(part).collect()
}

/// Without colours the marks separate code from words.
fn code(text: &str, colour: bool) -> Span {
    let text = if colour { text.to_owned() } else { format!("`{text}`") };
    span(text, Style::Code)
}

/// The parts of a Markdown text: paragraphs, items and code; headings are strong.
fn parts(text: &str, colour: bool) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let mut spans: Vec<Span> = Vec::new();
    let mut marks: Vec<Option<u64>> = Vec::new();
    let mut mark: Option<String> = None;
    let (mut is_block, mut strong) = (false, 0_usize);
    let flush = |spans: &mut Vec<Span>, mark: &mut Option<String>, parts: &mut Vec<Part>| {
        if !spans.is_empty() {
            let spans = std::mem::take(spans);
            parts.push(match mark.take() {
                Some(mark) => Part::Item(mark, spans),
                None => Part::Paragraph(spans),
            });
        }
    };
    for event in Parser::new(text) {
        let style = if strong > 0 { Style::Strong } else { Style::Plain };
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_) | CodeBlockKind::Indented)) => {
                flush(&mut spans, &mut mark, &mut parts);
                parts.push(Part::Code(Vec::new()));
                is_block = true;
            }
            Event::End(TagEnd::CodeBlock) => is_block = false,
            Event::Text(text) if is_block => {
                if let Some(Part::Code(lines)) = parts.last_mut() {
                    lines.extend(text.lines().map(str::to_owned));
                }
            }
            Event::Start(Tag::List(first)) => {
                flush(&mut spans, &mut mark, &mut parts);
                marks.push(first);
            }
            Event::End(TagEnd::List(_)) => drop(marks.pop()),
            Event::Start(Tag::Item) => {
                let number = marks.last_mut().and_then(Option::as_mut);
                mark = Some(number.map_or_else(
                    || "- ".to_owned(),
                    |number| {
                        *number += 1;
                        format!("{}. ", *number - 1)
                    },
                ));
            }
            Event::Start(Tag::Strong | Tag::Heading { .. }) => strong += 1,
            Event::End(TagEnd::Strong) => strong -= 1,
            Event::End(TagEnd::Heading(_)) => {
                strong -= 1;
                flush(&mut spans, &mut mark, &mut parts);
            }
            Event::End(TagEnd::Item | TagEnd::Paragraph) => {
                flush(&mut spans, &mut mark, &mut parts);
            }
            Event::Text(text) | Event::InlineHtml(text) | Event::Html(text) => {
                spans.push(span(&*text, style));
            }
            Event::Code(text) => spans.push(code(&text, colour)),
            Event::SoftBreak | Event::HardBreak => spans.push(span(" ", style)),
            _ => {}
        }
    }
    flush(&mut spans, &mut mark, &mut parts);
    parts
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
    fn numbers_of_a_list_and_signs_that_are_no_markup_stay() {
        assert_eq!(written("1. a_b\n2. **one** <dir>"), " to do  1. a_b\n        2. one <dir>\n");
    }
}
