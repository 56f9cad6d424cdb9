//! Rows of an answer as values by column.

use arrow::array::{Array, ArrayRef, AsArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Float64Type, Int64Type, UInt64Type};
use diya::Rows;
use diya::report::Value;
use std::collections::BTreeMap;

/// Values of a row by column.
pub type Row = BTreeMap<String, Value>;

/// All rows of an answer.
pub fn all(rows: &Rows) -> Vec<Row> {
    let names: Vec<&String> = rows.schema.fields().iter().map(|field| field.name()).collect();
    let mut all = Vec::new();
    for batch in &rows.batches {
        let columns: Vec<ArrayRef> = batch.columns().iter().map(plain).collect();
        for row in 0..batch.num_rows() {
            let cells = names.iter().zip(&columns);
            all.push(cells.map(|(name, column)| ((*name).clone(), value(column, row))).collect());
        }
    }
    all
}

fn value(column: &ArrayRef, row: usize) -> Value {
    if column.is_null(row) {
        return Value::Null;
    }
    match column.data_type() {
        DataType::Int64 => Value::Integer(column.as_primitive::<Int64Type>().value(row)),
        DataType::UInt64 => Value::Unsigned(column.as_primitive::<UInt64Type>().value(row)),
        DataType::Float64 => Value::Real(column.as_primitive::<Float64Type>().value(row)),
        DataType::Boolean => Value::Flag(column.as_boolean().value(row)),
        DataType::Utf8 => Value::Text(column.as_string::<i32>().value(row).to_owned()),
        _ => Value::Null,
    }
}

/// The column as one of the types above; one that cannot be has no values.
fn plain(column: &ArrayRef) -> ArrayRef {
    let to = match column.data_type() {
        DataType::UInt64 => DataType::UInt64,
        DataType::Boolean => DataType::Boolean,
        kind if kind.is_integer() => DataType::Int64,
        kind if kind.is_numeric() => DataType::Float64,
        _ => DataType::Utf8,
    };
    let as_nulls = || arrow::array::new_null_array(&to, column.len());
    cast(column, &to).unwrap_or_else(|_| as_nulls())
}
