//! Cells of Arrow columns as values of Python.

use arrow::array::{Array, ArrayRef, AsArray as _};
use arrow::datatypes::{
    DataType, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type,
    UInt16Type, UInt32Type, UInt64Type,
};
use arrow::util::display::array_value_to_string;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// One cell; `None`: null. Times and other types without a counterpart that keeps every digit
/// are text.
pub fn value(py: Python<'_>, array: &ArrayRef, row: usize) -> PyResult<Py<PyAny>> {
    if array.is_null(row) {
        return Ok(py.None());
    }
    macro_rules! number {
        ($kind:ty) => {
            array.as_primitive::<$kind>().value(row).into_pyobject(py)?.into_any().unbind()
        };
    }
    macro_rules! text {
        ($array:expr) => {
            $array.value(row).into_pyobject(py)?.into_any().unbind()
        };
    }
    Ok(match array.data_type() {
        DataType::Null => py.None(),
        DataType::Boolean => {
            let flag = array.as_boolean().value(row);
            flag.into_pyobject(py)?.to_owned().into_any().unbind()
        }
        DataType::Int8 => number!(Int8Type),
        DataType::Int16 => number!(Int16Type),
        DataType::Int32 => number!(Int32Type),
        DataType::Int64 => number!(Int64Type),
        DataType::UInt8 => number!(UInt8Type),
        DataType::UInt16 => number!(UInt16Type),
        DataType::UInt32 => number!(UInt32Type),
        DataType::UInt64 => number!(UInt64Type),
        DataType::Float32 => number!(Float32Type),
        DataType::Float64 => number!(Float64Type),
        DataType::Utf8 => text!(array.as_string::<i32>()),
        DataType::LargeUtf8 => text!(array.as_string::<i64>()),
        DataType::Utf8View => text!(array.as_string_view()),
        _ => {
            let text = array_value_to_string(array, row);
            let text = text.map_err(|e| PyValueError::new_err(e.to_string()))?;
            text.into_pyobject(py)?.into_any().unbind()
        }
    })
}
