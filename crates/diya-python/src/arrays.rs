//! Columns of Arrow as arrays that NumPy takes.

use arrow::array::{ArrayRef, RecordBatch};
use diya::TableDef;
use pyo3::prelude::*;
use pyo3::types::PyByteArray;

/// Where a column stands that every such table has.
pub fn place(def: &'static TableDef, name: &str) -> usize {
    def.column(name).unwrap_or_default()
}

/// The columns of a batch, in the order in which they were asked for.
pub fn columns<const COUNT: usize>(batch: &RecordBatch) -> &[ArrayRef; COUNT] {
    batch.columns().first_chunk().expect("a batch has the columns that were asked for")
}

/// Numbers as an array that Python may change.
pub fn array<'py>(py: Python<'py>, cells: Vec<[u8; 8]>) -> Bound<'py, PyByteArray> {
    PyByteArray::new(py, cells.as_flattened())
}
