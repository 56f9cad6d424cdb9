//! The native part of the Python package `diya`: opens logs, hands tables over as Arrow,
//! diagnoses and compares. What is shown in a notebook is Python: see `python/diya/`.

mod compare;
mod darshan;
mod failure;
mod fleet;
mod job;
mod report;
mod rows;
mod segments;
mod values;
mod work;

use pyo3::prelude::*;
use std::ffi::OsString;

/// Runs the command line; gives its exit code.
#[pyfunction]
fn main(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| diya_cli::main(arguments))
}

/// Columns of a table: name, type, unit, meaning, meaning of null.
type Columns = Vec<(&'static str, &'static str, &'static str, &'static str, Option<&'static str>)>;

fn columns(def: &'static diya::TableDef) -> Columns {
    let column = |c: &'static diya::ColumnDef| (c.name, c.kind.name(), c.unit, c.doc, c.null);
    def.columns.iter().map(column).collect()
}

/// Every table that is read from logs, or every metric: name, meaning, columns.
#[pyfunction]
fn definitions(metrics: bool) -> Vec<(&'static str, &'static str, Columns)> {
    let one = |def: &'static diya::TableDef| (def.name, def.doc, columns(def));
    match metrics {
        false => diya::TableId::ALL.into_iter().map(|id| one(id.def())).collect(),
        true => diya::metrics().filter_map(|(name, _)| diya::metric_named(name)).map(one).collect(),
    }
}

/// A counter of Darshan, and whether it is a real number.
type Counter = (&'static str, bool);

/// The counters of Darshan that each table has, in the order of its records.
#[pyfunction]
fn darshan_counters() -> Vec<(&'static str, Vec<Counter>)> {
    let counter = |column: &'static diya::ColumnDef| {
        column.darshan.map(|counter| (counter, column.kind == diya::Kind::F64))
    };
    let tables = diya::TableId::ALL.into_iter().map(|id| id.def());
    tables.map(|def| (def.name, def.columns.iter().filter_map(counter).collect())).collect()
}

/// An estimated saving with its range, as reports write it; `None`: not quantifiable.
#[pyfunction]
#[pyo3(signature = (saved_s, low_s, high_s))]
fn saving_text(saved_s: Option<f64>, low_s: Option<f64>, high_s: Option<f64>) -> Option<String> {
    diya::report::saves(saved_s, low_s, high_s)
}

#[pymodule]
fn _diya(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", diya::VERSION)?;
    module.add_class::<darshan::DarshanLog>()?;
    module.add_class::<fleet::Fleet>()?;
    module.add_class::<job::Job>()?;
    module.add_class::<rows::Rows>()?;
    module.add_class::<report::Report>()?;
    module.add_class::<compare::Comparison>()?;
    module.add_function(wrap_pyfunction!(main, module)?)?;
    module.add_function(wrap_pyfunction!(definitions, module)?)?;
    module.add_function(wrap_pyfunction!(darshan_counters, module)?)?;
    module.add_function(wrap_pyfunction!(darshan::darshan_log, module)?)?;
    module.add_function(wrap_pyfunction!(saving_text, module)?)?;
    module.add_function(wrap_pyfunction!(fleet::fleet, module)?)?;
    module.add_function(wrap_pyfunction!(fleet::fleet_questions, module)?)?;
    module.add_function(wrap_pyfunction!(job::open, module)?)?;
    module.add_function(wrap_pyfunction!(compare::compare, module)?)
}
