//! Texts in columns: the one way in which a terminal shows a table.

mod fit;
mod shortened;

pub use shortened::shortened;
pub(crate) use shortened::shortened_source;

use std::io::{self, Write};
use unicode_width::UnicodeWidthStr as _;

/// Blanks between two columns.
const GAP: usize = 2;

/// What stands for a value that is not there.
pub const NO_VALUE: &str = "-";

/// A column.
#[derive(Debug, Clone)]
pub struct TextColumn {
    /// What stands above it.
    pub head: String,
    /// One text for each row.
    pub cells: Vec<String>,
    /// Numbers end at one line, texts begin at one.
    pub is_number: bool,
}

impl TextColumn {
    /// A column without rows.
    pub fn new(head: impl Into<String>, is_number: bool) -> Self {
        Self { head: head.into(), cells: Vec::new(), is_number }
    }

    /// Columns of the terminal that its longest text takes.
    pub fn width(&self) -> usize {
        self.cells.iter().map(String::as_str).chain(self.head_lines()).map(width).max().unwrap_or(0)
    }

    /// The lines of what stands above it.
    fn head_lines(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.head.split('\n')
    }
}

/// A table of texts.
///
/// ```
/// use diya_report::TextTable;
/// let mut table = TextTable::new([("file", false), ("calls", true)]);
/// table.row(["/a", "1,000"]);
/// table.row(["/long", "7"]);
/// let mut text = Vec::new();
/// table.write(&mut text, 0).unwrap();
/// assert_eq!(text, b"file   calls\n/a     1,000\n/long      7\n");
/// ```
#[derive(Debug, Clone, Default)]
pub struct TextTable {
    /// From the left.
    pub columns: Vec<TextColumn>,
}

/// A cell in its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextCell<'t> {
    /// Blanks before it, those of empty cells on its left included.
    pub blanks: usize,
    /// The text.
    pub text: &'t str,
    /// Number of its column, from 0.
    pub column: usize,
}

impl TextTable {
    /// A table without rows; each column with whether it holds numbers.
    pub fn new<'h>(columns: impl IntoIterator<Item = (&'h str, bool)>) -> Self {
        let column = |(head, is_number)| TextColumn::new(head, is_number);
        Self { columns: columns.into_iter().map(column).collect() }
    }

    /// Adds a row. Cells without a column are left out.
    pub fn row<T: Into<String>>(&mut self, cells: impl IntoIterator<Item = T>) {
        for (column, cell) in self.columns.iter_mut().zip(cells) {
            column.cells.push(cell.into());
        }
    }

    /// Rows below the heading.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |column| column.cells.len())
    }

    /// Lines of the heading.
    pub fn heads(&self) -> usize {
        self.columns.iter().map(|column| column.head_lines().count()).max().unwrap_or(1)
    }

    /// Columns of the terminal that it takes.
    pub fn width(&self) -> usize {
        let gaps = GAP * self.columns.len().saturating_sub(1);
        gaps + self.columns.iter().map(TextColumn::width).sum::<usize>()
    }

    /// The lines, the heading first: their cells that are not empty.
    pub fn lines(&self) -> impl Iterator<Item = Vec<TextCell<'_>>> {
        let widths: Vec<usize> = self.columns.iter().map(TextColumn::width).collect();
        let heads = self.heads();
        (0..heads + self.rows()).map(move |line| {
            let mut blanks = 0;
            let mut cells = Vec::with_capacity(widths.len());
            for (number, column) in self.columns.iter().enumerate() {
                let text = match line.checked_sub(heads) {
                    // The last line of each heading is above the values.
                    None => column.head_lines().rev().nth(heads - 1 - line).unwrap_or_default(),
                    Some(row) => &column.cells[row],
                };
                let pad = widths[number] - width(text);
                blanks += if number == 0 { 0 } else { GAP };
                blanks += if column.is_number { pad } else { 0 };
                if !text.is_empty() {
                    cells.push(TextCell {
                        blanks: std::mem::take(&mut blanks),
                        text,
                        column: number,
                    });
                }
                blanks += if column.is_number { 0 } else { pad };
            }
            cells
        })
    }

    /// Writes the lines; a heading without a word is left out.
    pub fn write(&self, out: &mut dyn Write, indent: usize) -> io::Result<()> {
        for (number, line) in self.lines().enumerate() {
            if number == 0 && line.is_empty() {
                continue;
            }
            write!(out, "{:indent$}", "")?;
            for cell in line {
                write!(out, "{:1$}{2}", "", cell.blanks, cell.text)?;
            }
            writeln!(out)?;
        }
        Ok(())
    }
}

/// Columns of the terminal that a text takes.
pub fn width(text: &str) -> usize {
    text.width()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(table: &TextTable) -> String {
        let mut text = Vec::new();
        table.write(&mut text, 1).expect("memory takes all");
        String::from_utf8(text).expect("texts")
    }

    #[test]
    fn a_heading_without_words_is_left_out_and_no_line_ends_in_blanks() {
        let mut table = TextTable::new([("", false), ("", false)]);
        table.row(["ab", ""]);
        table.row(["a", "b"]);
        assert_eq!(text(&table), " ab\n a   b\n");
    }

    #[test]
    fn wide_characters_take_two_columns() {
        let mut table = TextTable::new([("a", false), ("n", true)]);
        table.row(["数据", "1"]);
        table.row(["abc", "22"]);
        assert_eq!(text(&table), " a      n\n 数据   1\n abc   22\n");
    }
}
