//! Rows of a result, as single values.

use arrow::array::ArrayRef;
use arrow::compute::concat_batches;
use arrow::error::ArrowError;
use diya_query::{QueryError, Rows};

use crate::Value;
use crate::arrow_value::{plain, value};

/// A result with its columns by name.
#[derive(Debug)]
pub(crate) struct Table {
    names: Vec<String>,
    columns: Vec<ArrayRef>,
    rows: usize,
}

impl Table {
    pub fn read(rows: &Rows) -> Result<Self, QueryError> {
        let failed = |e: ArrowError| QueryError::Running(e.to_string());
        let count: usize = rows.batches.iter().map(|batch| batch.num_rows()).sum();
        let names = rows.schema.fields().iter().map(|field| field.name().clone()).collect();
        // Batches can differ from the schema in what may be null.
        let schema = rows.batches.first().map_or_else(|| rows.schema.clone(), |b| b.schema());
        let batch = concat_batches(&schema, &rows.batches).map_err(failed)?;
        let columns = batch.columns().iter().map(plain).collect();
        Ok(Self { names, columns, rows: count })
    }

    pub fn rows(&self) -> usize {
        self.rows
    }

    pub fn names(&self) -> &[String] {
        &self.names
    }

    pub fn has(&self, column: &str) -> bool {
        self.names.iter().any(|name| name == column)
    }

    /// A value; null when there is no such column.
    pub fn value(&self, row: usize, name: &str) -> Value {
        let place = self.names.iter().position(|n| n == name);
        place.map_or(Value::Null, |place| self.at(row, place))
    }

    /// A value by the place of its column.
    pub fn at(&self, row: usize, place: usize) -> Value {
        self.columns.get(place).map_or(Value::Null, |column| value(column, row))
    }
}
