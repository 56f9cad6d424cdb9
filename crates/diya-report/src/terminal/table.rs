//! Texts in columns that fit the page.

use super::text_writer::{Style, TextWriter, shortened, width};

/// Texts in columns.
pub(super) struct Table {
    heads: Vec<String>,
    pub rows: Vec<(Vec<String>, Style)>,
    /// Columns of numbers, which end at one line.
    numbers: Vec<usize>,
    /// The column that has the style of the row.
    pub ink_column: usize,
    /// Rows that are not here.
    pub left: usize,
}

impl Table {
    pub fn new<'h>(heads: impl IntoIterator<Item = &'h str>, numbers: &[usize]) -> Self {
        let heads: Vec<String> = heads.into_iter().map(str::to_owned).collect();
        let ink_column = heads.len() - 1;
        Self { heads, rows: Vec::new(), numbers: numbers.to_vec(), ink_column, left: 0 }
    }

    pub fn row<const N: usize>(&mut self, cells: [String; N], style: Style) {
        self.rows.push((cells.to_vec(), style));
    }

    /// Writes the first rows; the first column that is no number gives way.
    pub fn write(mut self, writer: &mut TextWriter, title: &str, most: usize) {
        const INDENT: usize = 2;
        const GAP: usize = 2;
        if self.rows.is_empty() {
            return;
        }
        self.left += self.rows.len().saturating_sub(most);
        self.rows.truncate(most);
        let widths = |rows: &[(Vec<String>, Style)], heads: &[String]| -> Vec<usize> {
            let cell = |at: usize| rows.iter().map(move |(cells, _)| width(&cells[at]));
            heads.iter().enumerate().map(|(at, h)| cell(at).fold(width(h), usize::max)).collect()
        };
        let all = widths(&self.rows, &self.heads);
        let needed = INDENT + all.iter().sum::<usize>() + GAP * (all.len() - 1);
        let names: Vec<usize> = (0..all.len()).filter(|at| !self.numbers.contains(at)).collect();
        let longest = names.into_iter().max_by_key(|at| all[*at]);
        if let Some(at) = longest.filter(|_| needed > writer.columns) {
            let room = all[at].saturating_sub(needed - writer.columns).max(12);
            for (cells, _) in &mut self.rows {
                cells[at] = shortened(&cells[at], room);
            }
        }
        let widths = widths(&self.rows, &self.heads);
        writer.gap();
        writer.put(title, Style::Strong);
        writer.gap();
        let heads = (std::mem::take(&mut self.heads), Style::Faint);
        let is_named = heads.0.iter().any(|head| !head.is_empty());
        for (row, (cells, style)) in std::iter::once(&heads).chain(&self.rows).enumerate() {
            if row == 0 && !is_named {
                continue;
            }
            let mut blanks = INDENT;
            for (at, cell) in cells.iter().enumerate() {
                let pad = widths[at] - width(cell);
                let is_number = self.numbers.contains(&at);
                let gap = if at == 0 { 0 } else { GAP };
                blanks += gap + if is_number { pad } else { 0 };
                if !cell.is_empty() {
                    writer.blank(std::mem::take(&mut blanks));
                    let is_inked = row == 0 || at == self.ink_column;
                    writer.put(cell, if is_inked { *style } else { Style::Plain });
                }
                blanks += if is_number { 0 } else { pad };
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
