//! One vector per column, filled value by value.
//!
//! A reader pushes the values it has and calls [`TableBuilder::end_row`];
//! columns it said nothing about become null in that row. Text lives in one
//! buffer per column. Nothing is allocated per row.

use crate::def::{Kind, NullWhen, TableDef};
use arrow_array::builder::StringViewBuilder;
use arrow_array::types::{ArrowPrimitiveType, Float64Type, Int32Type, Int64Type, UInt64Type};
use arrow_array::{ArrayRef, BooleanArray, PrimitiveArray, RecordBatch, TimestampNanosecondArray};
use arrow_buffer::{BooleanBuffer, NullBuffer, ScalarBuffer};
use std::sync::Arc;

/// Values of one column and which of them are null.
#[derive(Debug, Default, Clone)]
struct Column<T> {
    values: Vec<T>,
    /// Empty until the first null: most columns never have one.
    valid: Vec<bool>,
}

impl<T: Copy + Default> Column<T> {
    fn push(&mut self, value: Option<T>) {
        if value.is_none() && self.valid.is_empty() {
            self.valid.resize(self.values.len(), true);
        }
        if value.is_none() || !self.valid.is_empty() {
            self.valid.push(value.is_some());
        }
        self.values.push(value.unwrap_or_default());
    }

    fn get(&self, row: usize) -> Option<T> {
        let is_valid = self.valid.get(row).copied().unwrap_or(true);
        if is_valid { self.values.get(row).copied() } else { None }
    }

    fn truncate(&mut self, rows: usize) {
        self.values.truncate(rows);
        self.valid.truncate(rows);
    }

    fn retain(&mut self, keep: &[bool]) {
        let of = |at: usize| keep.get(at).copied().unwrap_or(true);
        let mut at = 0;
        self.values.retain(|_| (of(at), at += 1).0);
        let mut at = 0;
        self.valid.retain(|_| (of(at), at += 1).0);
    }

    fn set_null(&mut self, row: usize) {
        if self.valid.is_empty() {
            self.valid.resize(self.values.len(), true);
        }
        if let (Some(valid), Some(value)) = (self.valid.get_mut(row), self.values.get_mut(row)) {
            (*valid, *value) = (false, T::default());
        }
    }

    fn nulls(&self) -> Option<NullBuffer> {
        (!self.valid.is_empty()).then(|| NullBuffer::from(self.valid.as_slice()))
    }
}

#[derive(Debug, Clone)]
enum Values {
    Bool(Column<bool>),
    I32(Column<i32>),
    I64(Column<i64>),
    U64(Column<u64>),
    F64(Column<f64>),
    /// Each value is the end of its text in the buffer.
    Str(Column<usize>, String),
}

/// A table under construction, and its plain form for readers of single cells.
#[derive(Debug, Clone)]
pub struct TableBuilder {
    def: &'static TableDef,
    columns: Vec<Values>,
    rows: usize,
}

macro_rules! typed {
    ($push:ident, $get:ident, $variant:ident, $type:ty) => {
        /// Appends a value to a column of this type; `None` is null.
        pub fn $push(&mut self, column: usize, value: Option<$type>) {
            match &mut self.columns[column] {
                Values::$variant(c) => c.push(value),
                _ => self.wrong_type(column),
            }
        }

        /// The value in a row; `None` when null or out of range.
        pub fn $get(&self, column: usize, row: usize) -> Option<$type> {
            match self.columns.get(column) {
                Some(Values::$variant(c)) => c.get(row),
                _ => None,
            }
        }
    };
}

impl TableBuilder {
    /// An empty table.
    pub fn new(def: &'static TableDef) -> Self {
        let columns = def
            .columns
            .iter()
            .map(|c| match c.kind {
                Kind::Bool => Values::Bool(Column::default()),
                Kind::I32 => Values::I32(Column::default()),
                Kind::I64 | Kind::TimestampNs => Values::I64(Column::default()),
                Kind::U64 => Values::U64(Column::default()),
                Kind::F64 => Values::F64(Column::default()),
                Kind::Str => Values::Str(Column::default(), String::new()),
            })
            .collect();
        Self { def, columns, rows: 0 }
    }

    /// Its definition.
    pub fn def(&self) -> &'static TableDef {
        self.def
    }

    /// Complete rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    typed!(push_bool, bool, Bool, bool);
    typed!(push_i32, i32, I32, i32);
    typed!(push_i64, i64, I64, i64);
    typed!(push_u64, u64, U64, u64);
    typed!(push_f64, f64, F64, f64);

    /// Appends text to a text column; `None` is null.
    pub fn push_str(&mut self, column: usize, value: Option<&str>) {
        match &mut self.columns[column] {
            Values::Str(ends, text) => {
                text.push_str(value.unwrap_or_default());
                let end = text.len();
                ends.push(value.map(|_| end));
                // A null still needs its end, or the next text would start wrong.
                if let Some(last) = ends.values.last_mut() {
                    *last = end;
                }
            }
            _ => self.wrong_type(column),
        }
    }

    /// The text in a row; `None` when null or out of range.
    pub fn str(&self, column: usize, row: usize) -> Option<&str> {
        match self.columns.get(column) {
            Some(Values::Str(ends, text)) => {
                let end = ends.get(row)?;
                let start =
                    row.checked_sub(1).and_then(|r| ends.values.get(r)).copied().unwrap_or(0);
                text.get(start..end)
            }
            _ => None,
        }
    }

    /// Appends a recorded integer, turning Darshan's marks for "not measured"
    /// into null as the column's [`NullWhen`] says.
    pub fn push_counter(&mut self, column: usize, value: i64, is_shared: bool) {
        let is_null = match self.def.columns[column].null_when {
            NullWhen::Never => false,
            NullWhen::MinusOne => value == -1,
            NullWhen::Zero => value == 0,
            NullWhen::ZeroUnshared => value == 0 && !is_shared,
        };
        match &mut self.columns[column] {
            Values::I64(c) => c.push((!is_null).then_some(value)),
            Values::U64(c) => c.push((!is_null).then_some(value.cast_unsigned())),
            _ => self.wrong_type(column),
        }
    }

    /// Appends a recorded real number, with nulls as for [`Self::push_counter`].
    pub fn push_f_counter(&mut self, column: usize, value: f64, is_shared: bool) {
        let is_null = match self.def.columns[column].null_when {
            NullWhen::Never | NullWhen::MinusOne => false,
            NullWhen::Zero => value == 0.0,
            NullWhen::ZeroUnshared => value == 0.0 && !is_shared,
        };
        self.push_f64(column, (!is_null).then_some(value));
    }

    /// Closes the row: columns without a value in it become null.
    pub fn end_row(&mut self) {
        self.rows += 1;
        for column in 0..self.columns.len() {
            match &mut self.columns[column] {
                Values::Bool(c) => fill(c, self.rows),
                Values::I32(c) => fill(c, self.rows),
                Values::I64(c) => fill(c, self.rows),
                Values::U64(c) => fill(c, self.rows),
                Values::F64(c) => fill(c, self.rows),
                Values::Str(c, _) if c.values.len() < self.rows => self.push_str(column, None),
                Values::Str(..) => {}
            }
        }
    }

    /// Corrects a flag of a row that is there.
    pub fn set_bool(&mut self, column: usize, row: usize, value: bool) {
        match &mut self.columns[column] {
            Values::Bool(c) => {
                if let Some(cell) = c.values.get_mut(row) {
                    *cell = value;
                }
            }
            _ => self.wrong_type(column),
        }
    }

    /// Makes a number of a row that is there null.
    pub fn set_null(&mut self, column: usize, row: usize) {
        match &mut self.columns[column] {
            Values::Bool(c) => c.set_null(row),
            Values::I32(c) => c.set_null(row),
            Values::I64(c) => c.set_null(row),
            Values::U64(c) => c.set_null(row),
            Values::F64(c) => c.set_null(row),
            Values::Str(..) => self.wrong_type(column),
        }
    }

    /// Forgets the rows that are not to be kept.
    pub fn retain(&mut self, keep: &[bool]) {
        for column in 0..self.columns.len() {
            match &mut self.columns[column] {
                Values::Bool(c) => c.retain(keep),
                Values::I32(c) => c.retain(keep),
                Values::I64(c) => c.retain(keep),
                Values::U64(c) => c.retain(keep),
                Values::F64(c) => c.retain(keep),
                Values::Str(..) => self.retain_text(column, keep),
            }
        }
        self.rows = keep.iter().take(self.rows).filter(|keep| **keep).count();
    }

    fn retain_text(&mut self, column: usize, keep: &[bool]) {
        let kept = (0..self.rows).filter(|row| keep.get(*row).copied().unwrap_or(true));
        let texts: Vec<Option<String>> =
            kept.map(|row| self.str(column, row).map(str::to_owned)).collect();
        self.columns[column] = Values::Str(Column::default(), String::new());
        texts.iter().for_each(|text| self.push_str(column, text.as_deref()));
    }

    /// Forgets all but the first `rows` rows.
    pub fn truncate(&mut self, rows: usize) {
        self.rows = self.rows.min(rows);
        for values in &mut self.columns {
            match values {
                Values::Bool(c) => c.truncate(rows),
                Values::I32(c) => c.truncate(rows),
                Values::I64(c) => c.truncate(rows),
                Values::U64(c) => c.truncate(rows),
                Values::F64(c) => c.truncate(rows),
                Values::Str(ends, text) => {
                    ends.truncate(rows);
                    text.truncate(ends.values.last().copied().unwrap_or(0));
                }
            }
        }
    }

    /// Its rows as an Arrow record batch; numbers are handed over uncopied.
    pub fn into_batch(self) -> RecordBatch {
        let schema = self.def.arrow_schema();
        let arrays: Vec<ArrayRef> = self
            .columns
            .into_iter()
            .zip(self.def.columns)
            .map(|(values, def)| into_array(values, def.kind))
            .collect();
        RecordBatch::try_new(schema, arrays).expect("builder columns follow the definition")
    }

    /// A push of the wrong type is a mistake in this program, not in a log.
    fn wrong_type(&self, column: usize) -> ! {
        panic!(
            "column {} of table {} has another type",
            self.def.columns[column].name, self.def.name
        )
    }
}

fn fill<T: Copy + Default>(column: &mut Column<T>, rows: usize) {
    while column.values.len() < rows {
        column.push(None);
    }
}

fn primitive<T: ArrowPrimitiveType>(column: Column<T::Native>) -> ArrayRef
where
    T::Native: Copy + Default,
{
    let nulls = column.nulls();
    Arc::new(PrimitiveArray::<T>::new(ScalarBuffer::from(column.values), nulls))
}

fn into_array(values: Values, kind: Kind) -> ArrayRef {
    match values {
        Values::Bool(c) => {
            let nulls = c.nulls();
            Arc::new(BooleanArray::new(BooleanBuffer::from(c.values), nulls))
        }
        Values::I32(c) => primitive::<Int32Type>(c),
        Values::I64(c) if kind == Kind::TimestampNs => {
            let nulls = c.nulls();
            let array = TimestampNanosecondArray::new(ScalarBuffer::from(c.values), nulls);
            Arc::new(array.with_timezone("UTC"))
        }
        Values::I64(c) => primitive::<Int64Type>(c),
        Values::U64(c) => primitive::<UInt64Type>(c),
        Values::F64(c) => primitive::<Float64Type>(c),
        Values::Str(ends, text) => {
            let mut out = StringViewBuilder::with_capacity(ends.values.len());
            let mut start = 0;
            for row in 0..ends.values.len() {
                let end = ends.values[row];
                out.append_option(ends.get(row).and_then(|_| text.get(start..end)));
                start = end;
            }
            Arc::new(out.finish())
        }
    }
}
