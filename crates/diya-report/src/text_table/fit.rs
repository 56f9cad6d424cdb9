//! Tables for a terminal that is narrower than they are.

use super::{GAP, NO_VALUE, TextColumn, TextTable, shortened, width};

/// Least columns of a name that gives way to others.
const LEAST_NAME: usize = 8;

/// Least columns of a name before numbers are left out: with less, paths look alike.
const LEAST_BESIDE_NUMBERS: usize = 20;

/// Longest unit at the end of a heading.
const LONGEST_UNIT: usize = 2;

/// Least columns of a text that goes on in further lines.
const LEAST_PROSE: usize = 24;

impl TextColumn {
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

impl TextTable {
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
            let is_all = self.rows() == 0;
            let has_values =
                |at: &usize| is_all || self.columns[*at].cells.iter().any(|cell| cell != NO_VALUE);
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
            if is_name {
                column.width().min(LEAST_BESIDE_NUMBERS.max(head))
            } else {
                column.width()
            }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn text(table: &TextTable) -> String {
        let mut text = Vec::new();
        table.write(&mut text, 1).expect("memory takes all");
        String::from_utf8(text).expect("texts")
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
        assert_eq!(table.fit_columns(26), ["bytes", "void"]);
        assert_eq!(text(&table), " path                calls\n /scratch/output.h5  1,000\n");
    }

    #[test]
    fn a_table_without_rows_keeps_its_first_columns() {
        let mut table = TextTable::new([("path", false), ("calls", true), ("bytes", true)]);
        assert_eq!(table.fit_columns(12), ["bytes"]);
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
}
