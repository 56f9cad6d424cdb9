//! Logs that were opened, and the questions to them.

use crate::failure::Failure;
use crate::report::Report;
use crate::rows::Rows;
use crate::work::{Cancellation, interruptible};
use diya::diagnose::{CheckSet, MetricRows, diagnose};
use diya::{
    OpenOptions, Selection, Session, TableId, TableSet, Threads, Together, Within, by_job, input,
};
use diya_page::timeline::pack::{PackOptions, pack};
use diya_page::{CALL_TABLES, PAGE_ROWS, store, write_html};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// Logs that were opened. Tables are read when a question needs them.
#[pyclass(frozen, module = "diya._diya")]
pub struct Job {
    /// `None`: while it is dropped.
    session: Option<Arc<Mutex<Session<'static>>>>,
    logs: Vec<Vec<String>>,
    /// The process that opened them.
    process: u32,
}

/// Opens logs; what they are is looked at, tables are read later.
#[pyfunction]
#[pyo3(signature = (paths, *, ranks, names, regions, steps, together, system_files, as_recorded, threads))]
#[allow(clippy::too_many_arguments)] // named ones, of Python
pub fn open(
    py: Python<'_>,
    paths: Vec<PathBuf>,
    ranks: Option<(i32, i32)>,
    names: Vec<String>,
    regions: Vec<String>,
    steps: Option<(i64, i64)>,
    together: Option<bool>,
    system_files: bool,
    as_recorded: bool,
    threads: usize,
) -> PyResult<Job> {
    let ranks = ranks.map(|(first, last)| first..=last);
    let options = OpenOptions {
        selection: Selection { ranks, ..Selection::tables(TableSet::NONE) },
        paths: names,
        within: Within { regions, steps: steps.map(|(first, last)| first..=last) },
        skips_system: !system_files,
        as_recorded,
        threads: Threads::new(threads),
        progress: None,
    };
    let together = match together {
        Some(true) => Together::All,
        Some(false) => Together::None,
        None => Together::OneJob,
    };
    let (session, logs) = interruptible(py, move |_| {
        let jobs = by_job(input::logs(&paths)?, together);
        let name = |job: &Vec<input::Input>| job.iter().map(|log| log.name.clone()).collect();
        let logs: Vec<Vec<String>> = jobs.iter().map(name).collect();
        let mut session = Session::of_jobs(jobs, options);
        session.prepare(&["job"])?;
        Ok((session, logs))
    })?;
    let session = Arc::new(Mutex::new(session));
    Ok(Job { session: Some(session), logs, process: std::process::id() })
}

impl Drop for Job {
    /// A forked process leaves the session of the other one alone: the threads of its SQL engine
    /// are not there, and to end them is a crash.
    fn drop(&mut self) {
        if self.process != std::process::id() {
            std::mem::forget(self.session.take());
        }
    }
}

impl Job {
    /// Asks the session on a thread of its own; a question that was given up before may
    /// still be in its way.
    fn ask<T: Send + 'static>(
        &self,
        py: Python<'_>,
        question: impl FnOnce(&mut Session<'static>, &Cancellation) -> Result<T, Failure>
        + Send
        + 'static,
    ) -> PyResult<T> {
        let session = match &self.session {
            Some(session) if self.process == std::process::id() => Arc::clone(session),
            _ => return Err(Failure::of_fork().raise(py)),
        };
        interruptible(py, move |cancellation| {
            let mut session = session.lock().unwrap_or_else(PoisonError::into_inner);
            question(&mut session, cancellation)
        })
    }
}

#[pymethods]
impl Job {
    /// Names of the logs, in one list per job.
    #[getter]
    fn logs(&self) -> Vec<Vec<String>> {
        self.logs.clone()
    }

    /// Logs that could not be read, while others could: name, offset, reason.
    fn refused(&self, py: Python<'_>) -> PyResult<Vec<(String, Option<u64>, String)>> {
        self.ask(py, |session, _| {
            let refused = session.refused().iter();
            Ok(refused.map(|r| (r.name.clone(), r.byte_offset, r.reason.clone())).collect())
        })
    }

    /// Tables with rows, and how many.
    fn filled(&self, py: Python<'_>) -> PyResult<Vec<(&'static str, usize)>> {
        self.ask(py, |session, _| {
            let all: Vec<&str> = TableId::ALL.into_iter().map(|id| id.def().name).collect();
            session.prepare(&all)?;
            let tables = session.tables_named(&all).into_iter();
            let filled = tables.map(|table| (table.def().name, table.rows()));
            Ok(filled.filter(|(_, rows)| *rows > 0).collect())
        })
    }

    /// A table or a metric.
    fn table(&self, py: Python<'_>, name: String) -> PyResult<Rows> {
        self.ask(py, move |session, _| {
            session.prepare(&[&name])?;
            let table = session.table(&name).map(Arc::clone).ok_or_else(|| {
                Failure::of_setting(format!("{name} could not be computed from these logs"))
            })?;
            Ok(Rows::of_table(table))
        })
    }

    /// The answers to the statements in a text.
    fn sql(&self, py: Python<'_>, text: String) -> PyResult<Vec<Rows>> {
        self.ask(py, move |session, cancellation| {
            let answers = session.ask_cancellable(&text, Some(&|| cancellation.is_cancelled()))?;
            Ok(answers.into_iter().map(Rows::of_answer).collect())
        })
    }

    /// A report per job, with so many rows of each metric table.
    fn reports(
        &self,
        py: Python<'_>,
        folders: Vec<PathBuf>,
        config: Option<PathBuf>,
        metric_rows: usize,
    ) -> PyResult<Vec<Report>> {
        self.ask(py, move |session, _| {
            let set = CheckSet::load(&folders, config.as_deref())?;
            let metrics = match metric_rows {
                0 => MetricRows::None,
                rows => MetricRows::All(rows),
            };
            Ok(diagnose(session, &set, &metrics)?.into_iter().map(Report).collect())
        })
    }

    /// The page of a report with its views, at most with so many bytes of calls.
    fn page(&self, py: Python<'_>, most_bytes: usize) -> PyResult<String> {
        self.ask(py, move |session, _| {
            // Asked for first, so that the logs are read once.
            session.prepare(CALL_TABLES)?;
            let set = CheckSet::builtin()?;
            let reports = diagnose(session, &set, &MetricRows::All(PAGE_ROWS))?;
            let store = store(&session.tables_named(CALL_TABLES), session.threads());
            let pack = pack(&store, PackOptions { most_bytes });
            let mut page = Vec::new();
            write_html(&mut page, &reports.into_iter().next().unwrap_or_default(), Some(&pack))?;
            Ok(String::from_utf8_lossy(&page).into_owned())
        })
    }
}
