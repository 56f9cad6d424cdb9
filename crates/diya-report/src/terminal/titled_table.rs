//! A table with a title on the page.

use super::text_writer::{Style, TextWriter};
use crate::text_table::{TextColumn, TextTable};

/// Columns before a row.
const INDENT: usize = 2;

/// Texts in columns, each row in a style.
pub(super) struct TitledTable {
    columns: Vec<TextColumn>,
    pub rows: Vec<(Vec<String>, Style)>,
    /// The column that has the style of the row.
    pub styled_column: usize,
    /// Rows that are not here.
    pub left: usize,
}

impl TitledTable {
    /// `numbers`: the columns whose texts end at one line.
    pub fn new<'h>(heads: impl IntoIterator<Item = &'h str>, numbers: &[usize]) -> Self {
        let column = |(at, head)| TextColumn::new(head, numbers.contains(&at));
        let columns: Vec<_> = heads.into_iter().enumerate().map(column).collect();
        let styled_column = columns.len() - 1;
        Self { columns, rows: Vec::new(), styled_column, left: 0 }
    }

    pub fn row<const N: usize>(&mut self, cells: [String; N], style: Style) {
        self.rows.push((cells.to_vec(), style));
    }

    /// Writes the first rows; names give way.
    pub fn write(mut self, writer: &mut TextWriter, title: &str, most: usize) {
        if self.rows.is_empty() {
            return;
        }
        self.left += self.rows.len().saturating_sub(most);
        self.rows.truncate(most);
        let mut table = TextTable { columns: self.columns };
        for (cells, _) in &self.rows {
            table.row(cells);
        }
        table.fit(writer.columns.saturating_sub(INDENT));
        writer.gap();
        writer.put(title, Style::Strong);
        writer.gap();
        for (line, cells) in table.lines().enumerate() {
            let style = line.checked_sub(1).map_or(Style::Faint, |row| self.rows[row].1);
            if line == 0 && cells.is_empty() {
                continue;
            }
            writer.blank(INDENT);
            for cell in cells {
                writer.blank(cell.blanks);
                let is_styled = line == 0 || cell.column == self.styled_column;
                writer.put(cell.text, if is_styled { style } else { Style::Plain });
            }
            writer.gap();
        }
        if self.left > 0 {
            writer.blank(INDENT);
            writer.put(&format!("and {} more", self.left), Style::Faint);
            writer.gap();
        }
    }
}
