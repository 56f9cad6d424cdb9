//! Rows of a result, as single values.

use arrow::array::{Array, ArrayRef, AsArray};
use arrow::compute::{cast, concat_batches};
use arrow::datatypes::{DataType, Float64Type, Int64Type, UInt64Type};
use arrow::error::ArrowError;
use diya_query::{QueryError, Rows};

use crate::Value;

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
        let mut columns = Vec::with_capacity(batch.num_columns());
        for column in batch.columns() {
            columns.push(plain(column).map_err(failed)?);
        }
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
        let Some(column) = self.columns.get(place).filter(|c| row < c.len() && c.is_valid(row))
        else {
            return Value::Null;
        };
        match column.data_type() {
            DataType::Int64 => Value::Integer(column.as_primitive::<Int64Type>().value(row)),
            DataType::UInt64 => Value::Unsigned(column.as_primitive::<UInt64Type>().value(row)),
            DataType::Float64 => Value::Real(column.as_primitive::<Float64Type>().value(row)),
            DataType::Boolean => Value::Flag(column.as_boolean().value(row)),
            DataType::Utf8 => Value::Text(column.as_string::<i32>().value(row).to_owned()),
            _ => Value::Null,
        }
    }
}

/// The column as one of the five types above.
fn plain(column: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    let kind = column.data_type();
    let to = match kind {
        DataType::UInt64 => DataType::UInt64,
        DataType::Boolean => DataType::Boolean,
        _ if kind.is_integer() => DataType::Int64,
        _ if kind.is_numeric() => DataType::Float64,
        DataType::Null => return Ok(column.clone()),
        _ => DataType::Utf8,
    };
    cast(column, &to)
}
