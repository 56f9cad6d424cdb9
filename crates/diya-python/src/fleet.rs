//! Datasets of many logs.

use crate::failure::Failure;
use crate::rows::Rows;
use crate::work::interruptible;
use diya::Threads;
use diya_fleet::{AskError, Dataset, Limits, Question};
use pyo3::prelude::*;
use std::path::{Path, PathBuf};

/// A dataset that is there.
#[pyclass(frozen, module = "diya._diya")]
pub struct Fleet {
    root: PathBuf,
    threads: Threads,
}

/// Opens a dataset; its rows are read by queries.
#[pyfunction]
#[pyo3(signature = (path, *, threads))]
pub fn fleet(py: Python<'_>, path: PathBuf, threads: usize) -> PyResult<Fleet> {
    Dataset::open(&path).map_err(|error| Failure::from(error).raise(py))?;
    Ok(Fleet { root: path, threads: Threads::new(threads) })
}

/// A question: name, title, and its parameters with their values and units.
type About = (String, String, Vec<(String, f64, String)>);

/// All questions, those of a folder behind the built-in ones.
#[pyfunction]
pub fn fleet_questions(py: Python<'_>, folder: Option<PathBuf>) -> PyResult<Vec<About>> {
    let all = questions(folder.as_deref()).map_err(|error| Failure::from(error).raise(py))?;
    let about = |question: Question| {
        let params = question.params.into_iter();
        let params = params.map(|of| (of.name, of.default, of.unit)).collect();
        (question.name, question.title, params)
    };
    Ok(all.into_iter().map(about).collect())
}

fn questions(folder: Option<&Path>) -> Result<Vec<Question>, AskError> {
    match folder {
        Some(folder) => Question::with_folder(folder),
        None => Question::built_in(),
    }
}

#[pymethods]
impl Fleet {
    /// Rows of a query.
    fn sql(&self, py: Python<'_>, text: String) -> PyResult<Rows> {
        self.run(py, move || Ok(text))
    }

    /// Rows of a question, with these parameters.
    fn ask(
        &self,
        py: Python<'_>,
        name: String,
        set: Vec<(String, f64)>,
        folder: Option<PathBuf>,
    ) -> PyResult<Rows> {
        self.run(py, move || {
            let all = questions(folder.as_deref())?;
            let found = all.iter().find(|question| question.name == name);
            let question = found.ok_or_else(|| AskError::NoQuestion(name.clone()))?;
            Ok(question.statement(&set)?)
        })
    }
}

impl Fleet {
    fn run(
        &self,
        py: Python<'_>,
        statement: impl FnOnce() -> Result<String, Failure> + Send + 'static,
    ) -> PyResult<Rows> {
        let (root, threads) = (self.root.clone(), self.threads);
        interruptible(py, move |cancellation| {
            let sql = statement()?;
            let asked = Dataset::open(&root)?.ask(threads)?;
            let answer = asked.run_cancellable(
                &sql,
                Limits::OF_A_PERSON,
                Some(&|| cancellation.is_cancelled()),
            )?;
            Ok(Rows::of_answer(answer))
        })
    }
}
