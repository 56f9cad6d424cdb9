//! A report: its data as JSON, from which Python makes objects, and its texts.

use diya::report::{
    Detail, TextOptions, write_csv, write_json, write_markdown, write_sarif, write_text,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// What is said about the logs of one job.
#[pyclass(frozen, module = "diya._diya")]
pub struct Report(pub diya::report::Report);

/// How much a text shows, by its name on the command line.
pub fn detail_named(name: &str) -> PyResult<Detail> {
    match name {
        "brief" => Ok(Detail::Brief),
        "normal" => Ok(Detail::Normal),
        "verbose" => Ok(Detail::Verbose),
        other => Err(PyValueError::new_err(format!(
            "there is no detail {other:?}; expected: brief, normal, verbose"
        ))),
    }
}

/// What a writer of the report crate writes.
pub fn written(write: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> PyResult<String> {
    let mut bytes = Vec::new();
    write(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[pymethods]
impl Report {
    /// The report in one of its formats: json, markdown, csv, sarif.
    fn format(&self, format: &str) -> PyResult<String> {
        let (report, one) = (&self.0, std::slice::from_ref(&self.0));
        written(|out| match format {
            "markdown" => write_markdown(out, report),
            "csv" => write_csv(out, one),
            "sarif" => write_sarif(out, one),
            _ => write_json(out, report),
        })
    }

    /// As text.
    fn text(&self, detail: &str, columns: usize, colour: bool) -> PyResult<String> {
        let options = TextOptions { columns, colour, detail: detail_named(detail)? };
        written(|out| write_text(out, &self.0, &options))
    }
}
