//! A dataset at a glance: all questions with their answers, the totals, and its jobs.

use crate::{AskError, FleetQuery, Question};
use diya_query::Rows;

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
        let jobs = include_str!("jobs.sql").replace("$most", &most_jobs.to_string());
        Ok(Overview {
            answers,
            totals: self.run(include_str!("totals.sql"))?,
            files: self.run(include_str!("files.sql"))?,
            jobs: self.run(&jobs)?,
        })
    }
}
