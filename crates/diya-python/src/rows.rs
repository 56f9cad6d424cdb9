//! Rows with their columns: a table, a metric, the answer of a query. Handed over as Arrow by
//! the PyCapsule interface, which takes the buffers as they are.

use crate::values;
use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use arrow::error::ArrowError;
use arrow_array::RecordBatchReader;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_schema::ffi::FFI_ArrowSchema;
use diya::BatchSource;
use diya_export::{Readable, write_readable};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList};
use std::sync::Arc;

/// Rows with their columns.
#[pyclass(frozen, module = "diya")]
pub struct Rows {
    schema: SchemaRef,
    content: Content,
}

/// Where the rows lie.
#[derive(Clone)]
enum Content {
    /// In memory, as a query left them.
    Batches(Arc<Vec<RecordBatch>>),
    /// In a table, which makes each batch when it is asked for.
    Table(Arc<dyn BatchSource>),
}

impl Content {
    fn batches(&self) -> usize {
        match self {
            Self::Batches(batches) => batches.len(),
            Self::Table(table) => table.batches(),
        }
    }

    fn batch(&self, number: usize) -> RecordBatch {
        match self {
            Self::Batches(batches) => batches[number].clone(),
            Self::Table(table) => {
                let all: Vec<usize> = (0..table.def().columns.len()).collect();
                table.batch(number, &all)
            }
        }
    }

    fn rows(&self) -> usize {
        match self {
            Self::Batches(batches) => batches.iter().map(RecordBatch::num_rows).sum(),
            Self::Table(table) => table.rows(),
        }
    }
}

/// Hands one batch after the other over.
struct Chunks {
    schema: SchemaRef,
    content: Content,
    next: usize,
}

impl Iterator for Chunks {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let batch = (self.next < self.content.batches()).then(|| self.content.batch(self.next))?;
        self.next += 1;
        Some(Ok(batch))
    }
}

impl RecordBatchReader for Chunks {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}

impl Rows {
    /// The answer of a query.
    pub fn of_answer(answer: diya::Rows) -> Self {
        Self { schema: answer.schema, content: Content::Batches(Arc::new(answer.batches)) }
    }

    /// A table that was read or computed.
    pub fn of_table(table: Arc<dyn BatchSource>) -> Self {
        Self { schema: table.def().arrow_schema(), content: Content::Table(table) }
    }

    /// Batches with these rows, and no more of them.
    fn part(&self, first: usize, count: usize) -> Vec<RecordBatch> {
        let (mut skip, mut left, mut parts) = (first, count, Vec::new());
        for number in 0..self.content.batches() {
            if left == 0 {
                break;
            }
            let batch = self.content.batch(number);
            let here = batch.num_rows().saturating_sub(skip).min(left);
            if here > 0 {
                parts.push(batch.slice(skip, here));
                (skip, left) = (0, left - here);
            } else {
                skip -= batch.num_rows();
            }
        }
        parts
    }
}

#[pymethods]
impl Rows {
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The interface leaves it to the producer whether it can give another schema.
        drop(requested_schema);
        let (schema, content) = (Arc::clone(&self.schema), self.content.clone());
        let stream = FFI_ArrowArrayStream::new(Box::new(Chunks { schema, content, next: 0 }));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(&*self.schema);
        let schema = schema.map_err(|e| PyValueError::new_err(e.to_string()))?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    fn __len__(&self) -> usize {
        self.content.rows()
    }

    /// Names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.schema.fields().iter().map(|field| field.name().clone()).collect()
    }

    /// Columns: name, type in Arrow, unit, meaning. Columns that a query makes have no unit.
    fn fields(&self) -> Vec<(String, String, Option<String>, Option<String>)> {
        let about = |field: &arrow_schema::Field, key: &str| field.metadata().get(key).cloned();
        let column = |field: &Arc<arrow_schema::Field>| {
            let kind = field.data_type().to_string();
            (field.name().clone(), kind, about(field, "unit"), about(field, "doc"))
        };
        self.schema.fields().iter().map(column).collect()
    }

    /// Some rows as dictionaries.
    fn dicts<'py>(
        &self,
        py: Python<'py>,
        first: usize,
        count: usize,
    ) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for batch in self.part(first, count) {
            for row in 0..batch.num_rows() {
                let dict = PyDict::new(py);
                for (field, column) in batch.schema_ref().fields().iter().zip(batch.columns()) {
                    dict.set_item(field.name(), values::value(py, column, row)?)?;
                }
                list.append(dict)?;
            }
        }
        Ok(list)
    }

    /// The first rows as a table for a terminal.
    fn text(&self, limit: usize, path_width: usize) -> PyResult<String> {
        let batches = self.part(0, limit);
        let rows = diya::Rows { schema: Arc::clone(&self.schema), batches };
        let mut text = Vec::new();
        let how = Readable { limit: 0, path_width, room: None, is_one_log: false };
        write_readable(&mut text, &rows, how)?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }
}
