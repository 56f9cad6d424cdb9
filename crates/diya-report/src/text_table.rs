//! Texts in columns: the one way in which a terminal shows a table.

use std::io::{self, Write};
use unicode_width::UnicodeWidthStr as _;

/// Blanks between two columns.
const GAP: usize = 2;

/// Least columns of a name that gives way to others.
const LEAST_NAME: usize = 8;

/// Longest unit at the end of a heading.
const LONGEST_UNIT: usize = 2;

/// Least columns of a text that goes on in further lines.
const LEAST_PROSE: usize = 24;

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

    /// Puts the words of the heading below each other where the heading is the widest text.
    fn break_head(&mut self) {
        let cells = self.cells.iter().map(|text| width(text)).max().unwrap_or(0);
        let mut words: Vec<&str> = self.head.split_inclusive(['_', ' ']).collect();
        // A unit stays with its number: `busy_s`.
        let end =
            self.head.len() - words.iter().rev().take(2).map(|word| word.len()).sum::<usize>();
        if words.len() > 1 && words.last().is_some_and(|last| last.len() <= LONGEST_UNIT) {
            words.truncate(words.len() - 2);
            words.push(&self.head[end..]);
        }
        let longest = words.iter().map(|word| width(word)).max().unwrap_or(0);
        let room = longest.max(cells).max(LEAST_NAME);
        let mut lines = vec![String::new()];
        for word in words {
            match lines.last_mut() {
                Some(line) if line.is_empty() || width(line) + width(word) <= room => {
                    line.push_str(word)
                }
                _ => lines.push(word.to_owned()),
            }
        }
        let lines: Vec<&str> = lines.iter().map(|line| line.trim_end()).collect();
        self.head = lines.join("\n");
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

    /// Makes texts shorter until the table fits, if it can: short ones get what they
    /// need, long ones share the rest. Numbers stay.
    pub fn fit(&mut self, room: usize) {
        let numbers = self.columns.iter().filter(|column| column.is_number);
        let gaps = GAP * self.columns.len().saturating_sub(1);
        let mut names_room =
            room.saturating_sub(gaps + numbers.map(TextColumn::width).sum::<usize>());
        let names = |at: &usize| !self.columns[*at].is_number;
        let mut order: Vec<usize> = (0..self.columns.len()).filter(names).collect();
        order.sort_by_key(|at| self.columns[*at].width());
        let mut left = order.len();
        for at in order {
            let share = (names_room / left.max(1)).max(LEAST_NAME);
            let column = &mut self.columns[at];
            for cell in &mut column.cells {
                *cell = shortened(cell, share);
            }
            names_room = names_room.saturating_sub(column.width());
            left -= 1;
        }
    }

    /// Makes the table at most this wide, and gives back the headings of the columns for which
    /// there is no room. Headings take several lines, then texts become shorter, then columns
    /// are left out: first those without a value, then those at the end.
    pub fn fit_columns(&mut self, room: usize) -> Vec<String> {
        if self.width() <= room {
            return Vec::new();
        }
        let heads: Vec<String> = self.columns.iter().map(|column| column.head.clone()).collect();
        self.columns.iter_mut().for_each(TextColumn::break_head);
        let mut shown: Vec<usize> = (0..heads.len()).collect();
        let mut left_out: Vec<usize> = Vec::new();
        if self.narrowest(&shown) > room {
            let has_values =
                |at: &usize| self.columns[*at].cells.iter().any(|cell| cell != NO_VALUE);
            (shown, left_out) = shown.into_iter().partition(has_values);
        }
        while shown.len() > 1 && self.narrowest(&shown) > room {
            left_out.splice(0..0, shown.pop());
        }
        let columns = std::mem::take(&mut self.columns).into_iter().enumerate();
        let columns = columns.filter(|(at, _)| shown.contains(at));
        self.columns = columns.map(|(_, column)| column).collect();
        self.fit(room);
        left_out.into_iter().map(|at| heads[at].clone()).collect()
    }

    /// Columns of the terminal that these take with the shortest texts that [`Self::fit`] makes.
    fn narrowest(&self, columns: &[usize]) -> usize {
        let least = |at: &usize| {
            let column = &self.columns[*at];
            let head = column.head_lines().map(width).max().unwrap_or(0);
            let is_name = !column.is_number;
            if is_name { column.width().min(LEAST_NAME.max(head)) } else { column.width() }
        };
        GAP * columns.len().saturating_sub(1) + columns.iter().map(least).sum::<usize>()
    }

    /// Lets the text of the last column go on in further lines, so that the table is at most
    /// this wide.
    pub fn wrap_last(&mut self, room: usize) {
        let Some(last) = self.columns.pop() else { return };
        let before = self.width() + if self.columns.is_empty() { 0 } else { GAP };
        let room = room.saturating_sub(before).max(LEAST_PROSE);
        let mut wrapped = TextColumn::new(last.head, last.is_number);
        let rows = std::mem::take(&mut self.columns);
        self.columns = rows.iter().map(|of| TextColumn::new(&*of.head, of.is_number)).collect();
        for (row, text) in last.cells.iter().enumerate() {
            for (place, line) in in_lines(text, room).into_iter().enumerate() {
                for (to, from) in self.columns.iter_mut().zip(&rows) {
                    to.cells.push(if place == 0 { from.cells[row].clone() } else { String::new() });
                }
                wrapped.cells.push(line);
            }
        }
        self.columns.push(wrapped);
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

/// A text in lines of at most this many columns, broken between words.
fn in_lines(text: &str, room: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let mut rest = word;
        match lines.last_mut() {
            Some(line) if line.is_empty() => {}
            Some(line) if width(line) + 1 + width(word) <= room => {
                line.push(' ');
                line.push_str(word);
                continue;
            }
            _ => lines.push(String::new()),
        }
        // A path may be longer than a line.
        while width(rest) > room {
            let end = rest.char_indices().map(|(at, c)| at + c.len_utf8());
            let end =
                end.take_while(|end| width(&rest[..*end]) <= room).last().unwrap_or(rest.len());
            let (head, tail) = rest.split_at(end);
            if let Some(line) = lines.last_mut() {
                line.push_str(head);
            }
            lines.push(String::new());
            rest = tail;
        }
        if let Some(line) = lines.last_mut() {
            line.push_str(rest);
        }
    }
    lines
}

/// The text in at most this many columns, without its middle: the ends of a
/// path say most.
pub fn shortened(text: &str, most: usize) -> String {
    if width(text) <= most {
        return text.to_owned();
    }
    let room = most.saturating_sub(1);
    // The name of the file is at the end.
    let tail_room = room * 2 / 3;
    let mut tail = text.len();
    for (start, _) in text.char_indices().rev() {
        if width(&text[start..]) > tail_room {
            break;
        }
        tail = start;
    }
    let mut head = 0;
    for (start, c) in text.char_indices() {
        let next = start + c.len_utf8();
        if width(&text[..next]) > room - tail_room {
            break;
        }
        head = next;
    }
    format!("{}…{}", &text[..head], &text[tail..])
}

/// A place in the source that fits into a line. First the folders are left out, then a part
/// of the name of the function; the name of the file and the line stay.
pub(crate) fn shortened_source(source: &str, room: usize) -> String {
    const SHORTEST: usize = 12;
    if width(source) <= room {
        return source.to_owned();
    }
    let (place, called) = match source.split_once("), calls ") {
        Some((place, called)) => (place, format!(", calls {called}")),
        None => (source, String::new()),
    };
    let Some((function, file)) = place.rsplit_once(" (") else { return shortened(source, room) };
    let file = file.trim_end_matches(')');
    let file = file.rsplit('/').next().unwrap_or(file);
    let end = format!(" ({file}){called}");
    match room.saturating_sub(width(&end)) {
        left if left < SHORTEST => shortened(&format!("{function} ({file})"), room),
        left => format!("{}{end}", shortened(function, left)),
    }
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

    #[test]
    fn long_names_share_the_room() {
        let mut table = TextTable::new([("file", false), ("n", true), ("layer", false)]);
        table.row(["/scratch/project/output.h5", "123", "posix"]);
        table.fit(28);
        assert_eq!(table.columns[0].cells, ["/scra…/output.h5"]);
        assert_eq!(table.width(), 28);
    }

    #[test]
    fn headings_give_way_before_texts() {
        let mut table = TextTable::new([("path", false), ("read_time_s", true), ("n", true)]);
        table.row(["/scratch/output.h5", "12 s", "1,000"]);
        assert_eq!(table.clone().fit_columns(80), [""; 0]);
        assert_eq!(table.fit_columns(33), [""; 0]);
        assert_eq!(
            text(&table),
            "                      read_\n path                time_s      n\n \
             /scratch/output.h5    12 s  1,000\n"
        );
    }

    #[test]
    fn columns_without_room_are_named() {
        let heads = [("path", false), ("void", true), ("calls", true), ("bytes", true)];
        let mut table = TextTable::new(heads);
        table.row(["/scratch/output.h5", "-", "1,000", "10 KiB"]);
        assert_eq!(table.fit_columns(17), ["bytes", "void"]);
        assert_eq!(text(&table), " path        calls\n /sc…put.h5  1,000\n");
    }

    #[test]
    fn the_last_text_goes_on_below_itself() {
        let mut table = TextTable::new([("", false), ("", false)]);
        table.row(["job", "one row for each job that was recorded"]);
        table.row(["call", "one row for each call"]);
        table.wrap_last(30);
        assert_eq!(
            text(&table),
            " job   one row for each job\n       that was recorded\n call  one row for each call\n"
        );
    }

    #[test]
    fn the_middle_of_a_path_goes_first() {
        assert_eq!(shortened("/scratch/user/run/data.h5", 16), "/scra…un/data.h5");
        assert_eq!(shortened("short", 16), "short");
    }

    #[test]
    fn a_place_in_the_source_keeps_file_and_line() {
        let text = "save(Telegram const&) (/very/long/folder/app.cpp:4), calls std::endl";
        assert_eq!(shortened_source(text, 100), text);
        assert_eq!(
            shortened_source(text, 60),
            "save(Telegram const&) (app.cpp:4), calls std::endl"
        );
        assert!(shortened_source(text, 42).ends_with(" (app.cpp:4), calls std::endl"));
        assert!(shortened_source(text, 24).ends_with("app.cpp:4)"));
    }
}
