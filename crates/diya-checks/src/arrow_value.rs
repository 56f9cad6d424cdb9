//! Cells of Arrow columns as single values, for the few tables that are read row by row.

use arrow::array::{Array, ArrayRef, AsArray, new_null_array};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Float64Type, Int64Type, UInt64Type};

use crate::Value;

/// The column as one of the types that `value` reads; one that cannot be has no values.
pub fn plain(column: &ArrayRef) -> ArrayRef {
    let to = match column.data_type() {
        DataType::UInt64 => DataType::UInt64,
        DataType::Boolean => DataType::Boolean,
        kind if kind.is_integer() => DataType::Int64,
        kind if kind.is_numeric() => DataType::Float64,
        DataType::Null => return column.clone(),
        _ => DataType::Utf8,
    };
    cast(column, &to).unwrap_or_else(|_| new_null_array(&to, column.len()))
}

/// A cell of a plain column; null also behind its end.
pub fn value(column: &ArrayRef, row: usize) -> Value {
    if row >= column.len() || column.is_null(row) {
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
