//! Questions to a dataset: SQL over its files, by the engine that single logs use.

mod parquet_table;
mod question;
mod watched;

use crate::chosen::Chosen;
use crate::live::{Live, commit_of};
use crate::{Dataset, FleetError};
use diya::Threads;
use diya_query::{CancelToken, Limits, Query, QueryError, Rows};
use diya_tables::BatchSource;
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use parquet_table::ParquetTable;
pub use question::{AnswerColumn, Param, Question};
pub use watched::Watched;

/// Why a question has no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AskError {
    /// The dataset cannot be read.
    #[error(transparent)]
    Dataset(#[from] FleetError),
    /// The SQL is not valid, or takes more than it may.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// A file with a question is not as it should be.
    #[error("{file}: {what}")]
    Question {
        /// Its path, or that of the folder.
        file: String,
        /// What is wrong.
        what: String,
    },
    /// A question has no such parameter.
    #[error("question {question} has no parameter {name}; it has: {}", known.join(", "))]
    NoParam {
        /// The question.
        question: String,
        /// What was set.
        name: String,
        /// What can be set.
        known: Vec<String>,
    },
    /// There is no such question.
    #[error("there is no question {0}; `diya fleet ask` lists all")]
    NoQuestion(String),
}

/// A dataset whose tables are known to the SQL engine.
pub struct FleetQuery {
    query: Query,
    tables: Vec<ParquetTable>,
    threads: Threads,
    fault: Arc<Mutex<Option<FleetError>>>,
}

impl Dataset {
    /// Makes the tables known to the engine, which uses so many threads. Rows are read
    /// when a query wants them.
    pub fn ask(&self, threads: Threads) -> Result<FleetQuery, AskError> {
        let live = self.live()?.map(Arc::new);
        let fault = Arc::new(Mutex::new(None));
        let open = |def| ParquetTable::open(self, def, live.clone(), Arc::clone(&fault));
        let tables = crate::TABLES.iter().copied().map(open).collect::<Result<Vec<_>, _>>()?;
        FleetQuery::over(tables, threads, fault)
    }

    /// Which rows count; `None`: all of them, as after a compaction. That is seen without
    /// reading a row: the files of a month come from one commit.
    pub(crate) fn live(&self) -> Result<Option<Live>, FleetError> {
        let mut commits: HashMap<PathBuf, HashSet<String>> = HashMap::new();
        for part in self.parts(&crate::job::DEF)?.iter().chain(&self.parts(&crate::manifest::DEF)?)
        {
            let folder = part.parent().map(std::path::Path::to_path_buf).unwrap_or_default();
            let of_folder = commits.entry(folder).or_default();
            of_folder.insert(commit_of(part));
        }
        let empty = "empty";
        let is_one = |of: &HashSet<String>| of.iter().filter(|name| *name != empty).count() <= 1;
        if commits.values().all(is_one) {
            return Ok(None);
        }
        let live = Live::read(self)?;
        Ok(live.has_dead.then_some(live))
    }
}

impl FleetQuery {
    fn over(
        tables: Vec<ParquetTable>,
        threads: Threads,
        fault: Arc<Mutex<Option<FleetError>>>,
    ) -> Result<Self, AskError> {
        let shared = tables.iter().cloned().map(|one| Arc::new(one) as Arc<dyn BatchSource>);
        let query = Query::new(&shared.collect::<Vec<_>>(), threads.count())?;
        Ok(Self { query, tables, threads, fault })
    }

    /// The same files with a part of their rows.
    pub(crate) fn with_rows_of(&self, chosen: Arc<Chosen>) -> Result<Self, AskError> {
        let fault = Arc::new(Mutex::new(None));
        let narrowed = self.tables.iter().map(|t| t.narrowed(Arc::clone(&chosen), fault.clone()));
        Self::over(narrowed.collect(), self.threads, fault.clone())
    }

    /// Runs a statement of our own.
    pub fn run(&self, sql: &str) -> Result<Rows, AskError> {
        self.checked(self.query.run(sql))
    }

    /// Runs a statement that a person wrote, within limits.
    pub fn run_within(&self, sql: &str, limits: Limits) -> Result<Rows, AskError> {
        self.checked(self.query.run_within(sql, limits))
    }

    /// The same, and it ends when it is cancelled.
    pub fn run_cancellable(
        &self,
        sql: &str,
        limits: Limits,
        is_cancelled: CancelToken<'_>,
    ) -> Result<Rows, AskError> {
        self.checked(self.query.run_cancellable(sql, limits, is_cancelled))
    }

    /// A fault of a file counts more than what the query made of the missing rows.
    fn checked(&self, answer: Result<Rows, QueryError>) -> Result<Rows, AskError> {
        let fault = self.fault.lock().unwrap_or_else(PoisonError::into_inner).take();
        match fault {
            Some(fault) => Err(fault.into()),
            None => Ok(answer?),
        }
    }
}
