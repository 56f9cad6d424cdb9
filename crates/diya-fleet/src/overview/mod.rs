//! A dataset at a glance: all questions with their answers, the totals, and its jobs.

use crate::{AskError, FleetQuery, Question};
use diya_query::{CancelToken, Limits, Rows};
use diya_tables::columns;

/// A question with its answer.
#[derive(Debug)]
pub struct Answered {
    /// The question.
    pub question: Question,
    /// The statement that was run: all parameters as by default.
    pub sql: String,
    /// The rows, or why there are none: one question that fails ends nothing.
    pub rows: Result<Rows, String>,
}

/// What a page of a dataset shows.
#[derive(Debug)]
pub struct Overview {
    /// All questions.
    pub answers: Vec<Answered>,
    /// One row: jobs, core-hours, bytes.
    pub totals: Rows,
    /// Files that were looked at, by what became of them.
    pub files: Rows,
    /// The jobs with the most core-hours in I/O, by start.
    pub jobs: Rows,
}

/// A log as it was when it was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogAt {
    /// Its size as stored; `None`: not known.
    pub size_bytes: Option<i64>,
    /// Nanoseconds since 1970 UTC of its last change; of a member that of its archive.
    pub mtime_ns: Option<i64>,
}

columns! {
    /// The answer of worth.sql.
    struct Paths by name { path: str }
}

columns! {
    /// The answer of log_at.sql.
    struct LogAtColumns by name { size_bytes: i64, mtime_ns: i64 }
}

impl FleetQuery {
    /// Asks everything; at most so many jobs are listed. `step` hears what comes next.
    ///
    /// # Errors
    /// When the dataset cannot be read.
    pub fn overview(
        &self,
        questions: Vec<Question>,
        most_jobs: usize,
        step: &dyn Fn(&str),
    ) -> Result<Overview, AskError> {
        let mut answers = Vec::new();
        for question in questions {
            step(&question.name);
            let sql = question.statement(&[])?;
            let rows = match self.run(&sql) {
                Ok(rows) => Ok(rows),
                Err(AskError::Query(error)) => Err(error.to_string()),
                Err(error) => return Err(error),
            };
            answers.push(Answered { question, sql, rows });
        }
        step("jobs");
        let (totals, files) = (self.totals(None)?, self.files(None)?);
        Ok(Overview { answers, totals, files, jobs: self.jobs(most_jobs, None)? })
    }

    /// All jobs in one row.
    ///
    /// # Errors
    /// When the dataset cannot be read, or the caller gave up.
    pub fn totals(&self, is_cancelled: CancelToken<'_>) -> Result<Rows, AskError> {
        self.run_cancellable(include_str!("totals.sql"), Limits::NONE, is_cancelled)
    }

    /// Files that were looked at, by what became of them.
    ///
    /// # Errors
    /// When the dataset cannot be read, or the caller gave up.
    pub fn files(&self, is_cancelled: CancelToken<'_>) -> Result<Rows, AskError> {
        self.run_cancellable(include_str!("files.sql"), Limits::NONE, is_cancelled)
    }

    /// At most so many jobs: those with the most core-hours in I/O, by start.
    ///
    /// # Errors
    /// When the dataset cannot be read, or the caller gave up.
    pub fn jobs(&self, most: usize, is_cancelled: CancelToken<'_>) -> Result<Rows, AskError> {
        let sql = include_str!("jobs.sql").replace("$most", &most.to_string());
        let sql = sql.replace("$paid", &crate::pick::paid());
        self.run_cancellable(&sql, Limits::NONE, is_cancelled)
    }

    /// Paths of the jobs with the largest estimated saving, the largest first.
    ///
    /// # Errors
    /// When the dataset cannot be read.
    pub fn worth_a_look(&self, most: usize) -> Result<Vec<String>, AskError> {
        let rows = self.run(&include_str!("worth.sql").replace("$most", &most.to_string()))?;
        let of = rows.batches.iter().filter_map(Paths::named);
        Ok(of
            .flat_map(|read| {
                (0..read.rows()).map(|row| read.path.value(row).to_owned()).collect::<Vec<_>>()
            })
            .collect())
    }

    /// What the dataset knows of the log at a path; `None`: no job has it.
    ///
    /// # Errors
    /// When the dataset cannot be read.
    pub fn log_at(&self, path: &str) -> Result<Option<LogAt>, AskError> {
        let sql = include_str!("log_at.sql").replace("$path", &path.replace('\'', "''"));
        let rows = self.run(&sql)?;
        let mut found = rows.batches.iter().filter_map(LogAtColumns::named);
        let first = found.find(|read| read.rows() > 0);
        Ok(first.map(|read| LogAt {
            size_bytes: read.size_bytes.get(0),
            mtime_ns: read.mtime_ns.get(0),
        }))
    }
}
