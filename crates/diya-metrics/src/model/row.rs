//! A row of a table under construction, filled from left to right.

use diya_tables::TableBuilder;

/// The next cell, and the table it is in.
pub(super) struct Row<'t> {
    table: &'t mut TableBuilder,
    next: usize,
}

impl<'t> Row<'t> {
    pub fn of(table: &'t mut TableBuilder, log: i32) -> Self {
        table.push_i32(0, Some(log));
        Self { table, next: 1 }
    }

    fn step(mut self, push: impl FnOnce(&mut TableBuilder, usize)) -> Self {
        push(self.table, self.next);
        self.next += 1;
        self
    }

    pub fn file(self, file_id: u64) -> Self {
        self.maybe_file(Some(file_id))
    }

    pub fn maybe_file(self, file_id: Option<u64>) -> Self {
        self.step(|table, at| table.push_u64(at, file_id))
    }

    pub fn text(self, text: &str) -> Self {
        self.maybe_text(Some(text))
    }

    pub fn maybe_text(self, text: Option<&str>) -> Self {
        self.step(|table, at| table.push_str(at, text))
    }

    pub fn count(self, count: i64) -> Self {
        self.maybe_count(Some(count))
    }

    pub fn maybe_count(self, count: Option<i64>) -> Self {
        self.step(|table, at| table.push_i64(at, count))
    }

    pub fn index(self, index: Option<i32>) -> Self {
        self.step(|table, at| table.push_i32(at, index))
    }

    pub fn real(self, value: f64) -> Self {
        self.maybe_real(Some(value))
    }

    pub fn maybe_real(self, value: Option<f64>) -> Self {
        self.step(|table, at| table.push_f64(at, value))
    }

    pub fn flag(self, flag: bool) -> Self {
        self.step(|table, at| table.push_bool(at, Some(flag)))
    }

    pub fn finish(self) {
        self.table.end_row();
    }

    /// Both ends of a range; ends the row.
    pub fn end(self, range: super::range::Range) {
        let row = self.real(range.low).real(range.high);
        row.table.end_row();
    }
}
