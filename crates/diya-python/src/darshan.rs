//! A log in the shape of Darshan's records, for `diya.darshan`: numbers as the bytes of whole
//! arrays. No SQL engine is started, and no thread is left: a fork may use it.

use crate::failure::Failure;
use crate::rows::Rows;
use crate::segments::{Heatmap, Segments, array, columns, heatmaps, place, segments};
use crate::work::interruptible;
use arrow::array::{Array, ArrayRef, AsArray as _};
use arrow::datatypes::{Float64Type, Int32Type, Int64Type, TimestampNanosecondType, UInt64Type};
use diya::{
    BatchSource, ColumnDef, Kind, NullWhen, OpenOptions, Selection, TableId, TableSet, Threads,
    Trace, input, table_named,
};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyDict};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Tables of one log, in memory.
#[pyclass(frozen, module = "diya._diya")]
pub struct DarshanLog {
    trace: Trace,
}

/// Records of a table: how many, ids, ranks, ids of the files that datasets are in, integer
/// counters and times, each record by record.
type Records<'py> = (
    usize,
    Bound<'py, PyByteArray>,
    Bound<'py, PyByteArray>,
    Option<Bound<'py, PyByteArray>>,
    Bound<'py, PyByteArray>,
    Bound<'py, PyByteArray>,
);

/// Reads these tables of one log.
#[pyfunction]
#[pyo3(signature = (path, tables, threads))]
pub fn darshan_log(
    py: Python<'_>,
    path: PathBuf,
    tables: Vec<String>,
    threads: usize,
) -> PyResult<DarshanLog> {
    interruptible(py, move |_| {
        let inputs = input::logs(&[&path])?;
        let is_one = |log: &input::Input| Path::new(&log.name) == path || path == Path::new("-");
        if !matches!(&inputs[..], [log] if is_one(log)) {
            let count = inputs.len();
            return Err(Failure::of_many(&path, count));
        }
        let named = tables.iter().filter_map(|name| table_named(name));
        let options = OpenOptions {
            selection: Selection::tables(named.fold(TableSet::NONE, TableSet::with)),
            as_recorded: true,
            threads: Threads::new(threads),
            ..OpenOptions::default()
        };
        Ok(DarshanLog { trace: Trace::open(&inputs, &options)? })
    })
}

#[pymethods]
impl DarshanLog {
    /// Rows of a small table.
    fn rows(&self, py: Python<'_>, table: &str) -> PyResult<Rows> {
        Ok(Rows::of_table(Arc::clone(self.table(py, table)?)))
    }

    /// Names by id.
    fn names<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let names = PyDict::new(py);
        let table = self.trace.table(TableId::File);
        let (ids, paths) = (place(table.def(), "file_id"), place(table.def(), "path"));
        for number in 0..table.batches() {
            let batch = table.batch(number, &[ids, paths]);
            let [ids, paths] = columns(&batch);
            let (ids, paths) = (ids.as_primitive::<UInt64Type>(), paths.as_string_view());
            for (row, id) in ids.values().iter().enumerate() {
                let path = if paths.is_valid(row) { paths.value(row) } else { "" };
                names.set_item(id, path)?;
            }
        }
        Ok(names)
    }

    /// A column of numbers, 8 bytes each, null as what Darshan records for it.
    fn column<'py>(
        &self,
        py: Python<'py>,
        table: &str,
        name: &str,
    ) -> PyResult<Bound<'py, PyByteArray>> {
        let table = self.table(py, table)?;
        let of = table.def().column(name).ok_or_else(|| no_table(py, name))?;
        Ok(array(py, matrix(table, &[of])))
    }

    /// A column of text.
    fn texts(&self, py: Python<'_>, table: &str, name: &str) -> PyResult<Vec<Option<String>>> {
        let table = self.table(py, table)?;
        let of = table.def().column(name).ok_or_else(|| no_table(py, name))?;
        let mut texts = Vec::with_capacity(table.rows());
        for number in 0..table.batches() {
            let batch = table.batch(number, &[of]);
            let [column] = columns(&batch);
            let Some(column) = column.as_string_view_opt() else { continue };
            texts.extend(column.iter().map(|text| text.map(str::to_owned)));
        }
        Ok(texts)
    }

    /// The records of a table with counters.
    fn records<'py>(&self, py: Python<'py>, table: &str) -> PyResult<Records<'py>> {
        let table = self.table(py, table)?;
        let (def, rows) = (table.def(), table.rows());
        let counters = |is_real: bool| -> Vec<usize> {
            let columns = def.columns.iter().enumerate();
            let of_kind = |column: &ColumnDef| (column.kind == Kind::F64) == is_real;
            let counters = columns.filter(|(_, c)| c.darshan.is_some() && of_kind(c));
            counters.map(|(place, _)| place).collect()
        };
        let (whole, real) = (counters(false), counters(true));
        let values = py.detach(|| {
            let one = |name| def.column(name).map(|place| matrix(table, &[place]));
            let heads = [one("file_id"), one("rank"), one("file_rec_id")];
            (heads, matrix(table, &whole), matrix(table, &real))
        });
        let ([ids, ranks, files], whole, real) = values;
        let ids = array(py, ids.unwrap_or_default());
        let ranks = array(py, ranks.unwrap_or_default());
        let files = files.map(|files| array(py, files));
        Ok((rows, ids, ranks, files, array(py, whole), array(py, real)))
    }

    /// Reads and writes of a layer, file by file and rank by rank.
    fn segments<'py>(&self, py: Python<'py>, layer: &str) -> PyResult<Segments<'py>> {
        segments(py, self.trace.table(TableId::Call), layer)
    }

    /// Bytes per bin of time.
    fn heatmaps<'py>(&self, py: Python<'py>) -> PyResult<Vec<Heatmap<'py>>> {
        heatmaps(py, self.trace.table(TableId::Heatmap))
    }
}

impl DarshanLog {
    fn table(&self, py: Python<'_>, name: &str) -> PyResult<&Arc<dyn BatchSource>> {
        let id = table_named(name).ok_or_else(|| no_table(py, name))?;
        Ok(self.trace.table(id))
    }
}

fn no_table(py: Python<'_>, name: &str) -> PyErr {
    Failure::of_setting(format!("there is no table or column {name}")).raise(py)
}

/// What Darshan records where the column has null.
fn recorded_for_null(column: &ColumnDef) -> i64 {
    match column.null_when {
        NullWhen::MinusOne => -1,
        _ => 0,
    }
}

/// Columns side by side, row by row, as the 8 bytes of each number.
fn matrix(table: &Arc<dyn BatchSource>, columns: &[usize]) -> Vec<[u8; 8]> {
    let width = columns.len();
    let mut cells = vec![[0; 8]; table.rows() * width];
    let mut first = 0;
    for number in 0..table.batches() {
        let batch = table.batch(number, columns);
        for (at, column) in batch.columns().iter().enumerate() {
            let null = recorded_for_null(&table.def().columns[columns[at]]);
            let rows = cells.iter_mut().skip(first * width + at).step_by(width);
            fill(column, null, rows);
        }
        first += batch.num_rows();
    }
    cells
}

fn fill<'c>(column: &ArrayRef, null: i64, cells: impl Iterator<Item = &'c mut [u8; 8]>) {
    macro_rules! each {
        ($kind:ty, $null:expr, $of:expr) => {
            for (value, cell) in column.as_primitive::<$kind>().iter().zip(cells) {
                *cell = value.map_or($null.to_ne_bytes(), |value| $of(value).to_ne_bytes());
            }
        };
    }
    match column.data_type() {
        arrow::datatypes::DataType::Int32 => each!(Int32Type, null, i64::from),
        arrow::datatypes::DataType::Int64 => each!(Int64Type, null, i64::from),
        arrow::datatypes::DataType::UInt64 => each!(UInt64Type, null, u64::from),
        #[allow(clippy::cast_precision_loss)] // 0 and -1
        arrow::datatypes::DataType::Float64 => each!(Float64Type, (null as f64), f64::from),
        arrow::datatypes::DataType::Timestamp(..) => {
            each!(TimestampNanosecondType, null, i64::from);
        }
        _ => {}
    }
}
