//! Runs side by side.

use crate::failure::Failure;
use crate::report::{detail_named, written};
use crate::work::interruptible;
use diya::diagnose::CheckSet;
use diya::report::{
    TextOptions, write_comparison_json, write_comparison_markdown, write_comparison_text,
};
use diya::{OpenOptions, Threads, Together, by_job, input};
use diya_compare::{CompareOptions, Repeats, USUAL_NOISE, session};
use pyo3::prelude::*;
use std::path::PathBuf;

/// What became of a job from one run to others.
#[pyclass(frozen, module = "diya._diya")]
pub struct Comparison(diya::report::comparison::Comparison);

#[pymethods]
impl Comparison {
    /// The comparison in one of its formats: json, markdown.
    fn format(&self, format: &str) -> PyResult<String> {
        written(|out| match format {
            "markdown" => write_comparison_markdown(out, &self.0),
            _ => write_comparison_json(out, &self.0),
        })
    }

    /// As text.
    fn text(&self, detail: &str, columns: usize, colour: bool) -> PyResult<String> {
        let options = TextOptions { columns, colour, detail: detail_named(detail)? };
        written(|out| write_comparison_text(out, &self.0, &options))
    }
}

/// Compares runs with the first one; each is a list of logs: repeats, or parts of a job.
#[pyfunction]
#[pyo3(signature = (runs, noise_ratio, system_files, threads))]
pub fn compare(
    py: Python<'_>,
    runs: Vec<Vec<PathBuf>>,
    noise_ratio: Option<f64>,
    system_files: bool,
    threads: usize,
) -> PyResult<Comparison> {
    let options = OpenOptions {
        skips_system: !system_files,
        threads: Threads::new(threads),
        ..OpenOptions::default()
    };
    let how = CompareOptions { noise_ratio: noise_ratio.unwrap_or(USUAL_NOISE) };
    interruptible(py, move |_| {
        let jobs = |paths: &Vec<PathBuf>| -> Result<Repeats, Failure> {
            Ok(by_job(input::logs(paths)?, Together::OneJob))
        };
        let runs = runs.iter().map(jobs).collect::<Result<Vec<_>, _>>()?;
        let counts: Vec<usize> = runs.iter().map(Vec::len).collect();
        let mut session = session(&runs, options);
        let set = CheckSet::builtin()?;
        let compared = diya_compare::compare(&mut session, &counts, &set, &how)?;
        Ok(Comparison(compared.0))
    })
}
