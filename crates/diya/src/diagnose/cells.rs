//! A table as single values, for the few that are read row by row.

use arrow::array::ArrayRef;
use arrow::compute::cast;
use arrow::datatypes::DataType;
use diya_checks::Value;
use diya_checks::arrow_value::{plain, value};
use diya_tables::{BatchSource, TableDef};
use std::collections::HashMap;

/// All values of a table.
pub struct Cells {
    def: &'static TableDef,
    batches: Vec<Vec<ArrayRef>>,
    /// Rows of each log: batch and row.
    logs: HashMap<i64, Vec<(usize, usize)>>,
}

impl Cells {
    /// Every table has the number of the log as its first column.
    pub fn read(table: &dyn BatchSource) -> Self {
        let def = table.def();
        let columns: Vec<usize> = (0..def.columns.len()).collect();
        let mut cells = Self { def, batches: Vec::new(), logs: HashMap::new() };
        for batch_number in 0..table.batches() {
            let batch = table.batch(batch_number, &columns);
            cells.batches.push(batch.columns().iter().map(plain_or_time).collect());
            for row in 0..batch.num_rows() {
                if let Some(log) = cells.at(batch_number, row, 0).integer() {
                    cells.logs.entry(log).or_default().push((batch_number, row));
                }
            }
        }
        cells
    }

    /// Definition of the table.
    pub fn def(&self) -> &'static TableDef {
        self.def
    }

    /// Numbers of the logs that have rows.
    pub fn logs(&self) -> impl Iterator<Item = i32> {
        self.logs.keys().filter_map(|log| i32::try_from(*log).ok())
    }

    /// The rows of a log.
    pub fn rows(&self, log: i32) -> impl ExactSizeIterator<Item = Row<'_>> {
        let places = self.logs.get(&i64::from(log)).map_or(&[][..], Vec::as_slice);
        places.iter().map(|&(batch_number, row)| Row { cells: self, batch_number, row })
    }

    /// The first row of a log.
    pub fn row(&self, log: i32) -> Option<Row<'_>> {
        self.rows(log).next()
    }

    fn at(&self, batch_number: usize, row: usize, column: usize) -> Value {
        self.batches[batch_number].get(column).map_or(Value::Null, |values| value(values, row))
    }
}

/// One row.
#[derive(Clone, Copy)]
pub struct Row<'c> {
    cells: &'c Cells,
    batch_number: usize,
    row: usize,
}

impl Row<'_> {
    /// The value of a column; null where there is no such column.
    pub fn value(&self, column: &str) -> Value {
        let place = self.cells.def.column(column);
        place.map_or(Value::Null, |place| self.cells.at(self.batch_number, self.row, place))
    }

    /// As a number.
    pub fn number(&self, column: &str) -> Option<f64> {
        self.value(column).number()
    }

    /// As a whole number.
    pub fn integer(&self, column: &str) -> Option<i64> {
        self.value(column).integer()
    }

    /// As text.
    pub fn text(&self, column: &str) -> Option<String> {
        match self.value(column) {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// All values but the number of the log.
    pub fn values(&self) -> Vec<Value> {
        (1..self.cells.def.columns.len())
            .map(|column| self.cells.at(self.batch_number, self.row, column))
            .collect()
    }
}

/// A plain column; times are nanoseconds since 1970.
fn plain_or_time(column: &ArrayRef) -> ArrayRef {
    match column.data_type() {
        DataType::Timestamp(..) => cast(column, &DataType::Int64).expect("times are numbers"),
        _ => plain(column),
    }
}
