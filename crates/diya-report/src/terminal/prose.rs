//! The Markdown of remedies as words on a terminal.

use super::code_lines::fitted;
use super::text_writer::{Span, Style, TextWriter, span};
use crate::printable::printable_page;
use crate::text_table::{TextColumn, TextTable};
use pulldown_cmark::{Alignment, CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// A part of a text.
#[derive(Debug)]
enum Part {
    Paragraph(Vec<Span>),
    Heading(Vec<Span>),
    /// What stands before an item, and the item.
    Item(String, Vec<Span>),
    /// Its language, and its lines.
    Code(String, Vec<String>),
    Table(TextTable),
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
        write_part(writer, indent, label, column, part);
        label = "";
    }
}

/// Writes a page of Markdown, with a blank line between its parts.
pub(super) fn write_page(writer: &mut TextWriter, text: &str) {
    let mut was_item = None;
    for part in parts(&printable_page(text), writer.colour) {
        let is_item = matches!(part, Part::Item(..));
        if was_item.is_some_and(|was_item| !(was_item && is_item)) {
            writer.gap();
        }
        was_item = Some(is_item);
        write_part(writer, 0, "", 0, part);
    }
}

fn write_part(writer: &mut TextWriter, indent: usize, label: &str, column: usize, part: Part) {
    match part {
        Part::Paragraph(spans) | Part::Heading(spans) => {
            writer.labelled(indent, label, column, &spans);
        }
        Part::Item(mark, spans) => {
            writer.label(indent, label, column);
            writer.out.push_str(&mark);
            writer.flow(column + mark.len(), column + mark.len(), &spans);
        }
        Part::Code(language, lines) => {
            let room = writer.columns.saturating_sub(column + 2);
            for (place, line) in fitted(&lines, &language, room).into_iter().enumerate() {
                writer.label(indent, if place == 0 { label } else { "" }, column);
                writer.blank(2);
                writer.put(&line, Style::Code);
                writer.gap();
            }
        }
        Part::Table(mut table) => {
            table.wrap_last(writer.columns.saturating_sub(column));
            for (number, cells) in table.lines().enumerate() {
                writer.label(indent, if number == 0 { label } else { "" }, column);
                for cell in cells {
                    writer.blank(cell.blanks);
                    let style = if number == 0 { Style::Faint } else { Style::Plain };
                    writer.put(cell.text, style);
                }
                writer.gap();
            }
        }
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

/// The parts of a Markdown text; headings are strong.
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
    let (mut table, mut cells) = (TextTable::default(), Vec::new());
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        let style = if strong > 0 { Style::Strong } else { Style::Plain };
        match event {
            Event::Start(Tag::CodeBlock(kind)) => {
                flush(&mut spans, &mut mark, &mut parts);
                let language = match kind {
                    CodeBlockKind::Fenced(language) => language.to_string(),
                    CodeBlockKind::Indented => String::new(),
                };
                parts.push(Part::Code(language, Vec::new()));
                is_block = true;
            }
            Event::End(TagEnd::CodeBlock) => is_block = false,
            Event::Text(text) if is_block => {
                if let Some(Part::Code(_, lines)) = parts.last_mut() {
                    lines.extend(text.lines().map(str::to_owned));
                }
            }
            Event::Start(Tag::List(first)) => {
                flush(&mut spans, &mut mark, &mut parts);
                marks.push(first);
            }
            Event::End(TagEnd::List(_)) => drop(marks.pop()),
            Event::Start(Tag::Item) => {
                let indent = "  ".repeat(marks.len().saturating_sub(1));
                let number = marks.last_mut().and_then(Option::as_mut);
                mark = Some(number.map_or_else(
                    || format!("{indent}- "),
                    |number| {
                        *number += 1;
                        format!("{indent}{}. ", *number - 1)
                    },
                ));
            }
            Event::Start(Tag::Strong | Tag::Heading { .. }) => strong += 1,
            Event::End(TagEnd::Strong) => strong -= 1,
            Event::End(TagEnd::Heading(_)) => {
                strong -= 1;
                parts.push(Part::Heading(std::mem::take(&mut spans)));
            }
            Event::Start(Tag::Table(columns)) => {
                let is_number = |column: &Alignment| *column == Alignment::Right;
                let columns = columns.iter().map(|column| TextColumn::new("", is_number(column)));
                table = TextTable { columns: columns.collect() };
            }
            Event::End(TagEnd::TableCell) => cells.push(plain(&mut spans)),
            Event::End(TagEnd::TableHead) => {
                for (column, head) in table.columns.iter_mut().zip(cells.drain(..)) {
                    column.head = head;
                }
            }
            Event::End(TagEnd::TableRow) => table.row(cells.drain(..)),
            Event::End(TagEnd::Table) => parts.push(Part::Table(std::mem::take(&mut table))),
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

/// The words of these spans, without their looks.
fn plain(spans: &mut Vec<Span>) -> String {
    spans.drain(..).map(|span| span.text).collect()
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
            "Set `a(b,\nc)` before.\n\n```\nlfs setstripe -c 8 -S 4M DIR # long\n```\nThen go.";
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

    #[test]
    fn a_page_has_headings_tables_and_blank_lines_between_its_parts() {
        let mut writer = TextWriter::new(40, false);
        let text = "# Title\n\nSome **words**.\n- one\n  - inner\n- two\n\n| column | calls | meaning |\n\
                    |---|--:|---|\n| `a` | 7 | a long text that goes on below |\n\n```sql\nselect 1\n```\n";
        write_page(&mut writer, text);
        assert_eq!(
            writer.out,
            "Title\n\nSome words.\n\n- one\n  - inner\n- two\n\n\
             column  calls  meaning\n`a`         7  a long text that goes on\n               below\n\n  select 1\n"
        );
    }

    #[test]
    fn a_heading_is_strong_at_a_terminal() {
        let mut writer = TextWriter::new(40, true);
        write_page(&mut writer, "## Risks\n\n`fsync` costs");
        assert_eq!(writer.out, "\x1b[1mRisks\x1b[0m\n\n\x1b[36mfsync\x1b[0m costs\n");
    }
}
