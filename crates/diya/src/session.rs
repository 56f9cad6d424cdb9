//! Questions to a set of logs: reads just the tables that a question names, and
//! computes just the metrics.

use crate::input::Input;
use crate::{OpenError, OpenOptions, Refused, Trace};
use diya_metrics::{Catalog, Failed, MetricError, compute};
use diya_query::{Limits, Query, QueryError, Rows};
use diya_read::{Selection, TableSet};
use diya_tables::{BatchSource, TableId};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A question could not be answered.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AskError {
    /// The logs could not be read.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The query is wrong or failed.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// A metric that the query names could not be computed.
    #[error("metric {name}: {source}")]
    Metric {
        /// Its name.
        name: String,
        /// Why.
        source: MetricError,
    },
}

/// Logs, the tables read of them so far, and the metrics computed so far.
pub struct Session<'a> {
    jobs: Vec<Vec<Input>>,
    options: OpenOptions<'a>,
    loaded: TableSet,
    metrics: BTreeSet<String>,
    context: Vec<Arc<dyn BatchSource>>,
    failed: Vec<Failed>,
    tables: Vec<Arc<dyn BatchSource>>,
    open: Option<(Trace, Query)>,
}

impl<'a> Session<'a> {
    /// Nothing is read yet; every log is a job.
    pub fn new(inputs: Vec<Input>, options: OpenOptions<'a>) -> Self {
        Self::of_jobs(inputs.into_iter().map(|input| vec![input]).collect(), options)
    }

    /// Nothing is read yet; the logs of one job become one: see [`crate::by_job`].
    pub fn of_jobs(jobs: Vec<Vec<Input>>, options: OpenOptions<'a>) -> Self {
        Self {
            jobs,
            options,
            loaded: TableSet::NONE,
            metrics: BTreeSet::new(),
            context: Vec::new(),
            failed: Vec::new(),
            tables: Vec::new(),
            open: None,
        }
    }

    /// Adds rows to tables that no log holds: a machine profile, a topology,
    /// samples of a server. To be called before anything is asked.
    pub fn add(&mut self, tables: Vec<Arc<dyn BatchSource>>) {
        self.context.extend(tables);
        self.open = None;
    }

    /// Answers every statement in the text.
    pub fn ask(&mut self, sql: &str) -> Result<Vec<Rows>, AskError> {
        self.ask_while(sql, None)
    }

    /// The same, and ends a statement when nobody wants its answer any more: `is_wanted` is
    /// asked ten times a second while it runs.
    pub fn ask_while(
        &mut self,
        sql: &str,
        is_wanted: Option<&dyn Fn() -> bool>,
    ) -> Result<Vec<Rows>, AskError> {
        let statements = diya_query::statements(sql)?;
        let mut answers = Vec::with_capacity(statements.len());
        for statement in statements {
            let tables: Vec<&str> = statement.tables.iter().map(String::as_str).collect();
            self.prepare(&tables)?;
            let is_named = |failed: &Failed| tables.contains(&failed.metric.as_str());
            if let Some(place) = self.failed.iter().position(is_named) {
                let Failed { metric, error } = self.failed.swap_remove(place);
                self.metrics.remove(&metric);
                return Err(AskError::Metric { name: metric, source: error });
            }
            answers.push(self.engine()?.run_while(
                &statement.sql,
                Limits::OF_A_PERSON,
                is_wanted,
            )?);
        }
        Ok(answers)
    }

    /// Reads and computes what is missing of these tables and metrics.
    pub fn prepare(&mut self, names: &[&str]) -> Result<(), AskError> {
        let catalog = Catalog::built_in();
        let base = catalog.base_tables(names).into_iter().filter_map(crate::table_named);
        let needed = base.map(crate::needed_for).fold(self.loaded, TableSet::union);
        let is_metric = |name: &&&str| catalog.get(name).is_some();
        let new: Vec<&&str> =
            names.iter().filter(is_metric).filter(|name| !self.metrics.contains(**name)).collect();
        if self.open.is_some() && needed == self.loaded && new.is_empty() {
            return Ok(());
        }
        self.metrics.extend(new.into_iter().map(|name| (*name).to_owned()));
        let trace = match self.open.take() {
            Some((trace, _)) if needed == self.loaded => trace,
            _ => {
                let selection = Selection { tables: needed, ..self.options.selection.clone() };
                let options = OpenOptions { selection, ..self.options.clone() };
                Trace::open_jobs(&self.jobs, &options)?
            }
        };
        self.loaded = needed;
        let threads = self.options.threads.count();
        let metrics: Vec<&str> = self.metrics.iter().map(String::as_str).collect();
        let is_kept = |table: &&Arc<dyn BatchSource>| {
            self.context.iter().all(|c| c.def().name != table.def().name)
        };
        let mut tables: Vec<Arc<dyn BatchSource>> =
            trace.tables().iter().filter(is_kept).chain(&self.context).cloned().collect();
        let computed = compute(catalog, &tables, &metrics, threads)?;
        self.failed = computed.failed;
        tables.extend(computed.tables);
        let query = computed.engine;
        self.tables = tables;
        self.open = Some((trace, query));
        Ok(())
    }

    /// The engine over what was prepared; an error where nothing was.
    pub fn engine(&self) -> Result<&Query, AskError> {
        self.open.as_ref().map(|(_, query)| query).ok_or(AskError::Open(OpenError::Nothing))
    }

    /// The engine over what was prepared, to put a table of the caller into it. What is
    /// prepared afterwards starts a new one.
    pub fn query_mut(&mut self) -> Result<&mut Query, AskError> {
        Ok(self.engine_mut()?.0)
    }

    /// The engine, to put a table into it, and the metrics that are not there.
    pub(crate) fn engine_mut(&mut self) -> Result<(&mut Query, &[Failed]), AskError> {
        let query = self.open.as_mut().map(|(_, query)| query);
        Ok((query.ok_or(AskError::Open(OpenError::Nothing))?, &self.failed))
    }

    /// A table or metric that was prepared.
    pub fn table(&self, name: &str) -> Option<&Arc<dyn BatchSource>> {
        self.tables.iter().find(|table| table.def().name == name)
    }

    /// Who does the work.
    pub fn threads(&self) -> crate::Threads {
        self.options.threads
    }

    /// Those of these tables that were prepared.
    pub fn tables_named(&self, names: &[&str]) -> Vec<Arc<dyn BatchSource>> {
        names.iter().filter_map(|name| self.table(name)).cloned().collect()
    }

    /// Names of the files behind a log: several when a job left several.
    pub fn log_names(&self, log: i32) -> Vec<String> {
        let job = usize::try_from(log).ok().and_then(|place| self.jobs.get(place));
        job.into_iter().flatten().map(|input| input.name.clone()).collect()
    }

    /// Metrics that could not be computed.
    pub(crate) fn failed(&self) -> &[Failed] {
        &self.failed
    }

    /// Rows of `read_issue` in what was read so far.
    pub fn issues(&self) -> usize {
        self.open.as_ref().map_or(0, |(trace, _)| trace.table(TableId::ReadIssue).rows())
    }

    /// Logs that were refused in what was read so far.
    pub fn refused(&self) -> &[Refused] {
        self.open.as_ref().map_or(&[], |(trace, _)| trace.refused())
    }
}
