//! Questions to a set of logs: reads just the tables that a question names, and
//! computes just the metrics.

use crate::input::Input;
use crate::{OpenError, OpenOptions, Refused, Stage, Trace};
use diya_metrics::{Catalog, Computed, Failed, MetricError, compute};
use diya_query::{CancelToken, Limits, Plans, Query, QueryError, Rows};
use diya_read::{Selection, TableSet};
use diya_tables::{BatchSource, TableId};
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

/// Names the table that was meant.
fn with_nearest(error: QueryError) -> QueryError {
    match error {
        QueryError::NoTable(name) => QueryError::Sql(format!(
            "there is no table {name:?}; nearest: {} (`diya tables` lists all)",
            crate::explain::nearest_table(&name)
        )),
        other => other,
    }
}

/// Logs, the tables read of them so far, and the metrics computed so far. It is a cache: a
/// further table is read by itself, and a further metric computed by itself.
pub struct Session<'a> {
    jobs: Vec<Vec<Input>>,
    options: OpenOptions<'a>,
    context: Vec<Arc<dyn BatchSource>>,
    plans: Option<Plans>,
    loaded: Option<Loaded>,
}

/// What was read and computed.
struct Loaded {
    /// The logs as they were opened first.
    trace: Trace,
    /// Tables that were read.
    set: TableSet,
    /// The same, and those of the context in their place.
    base: Vec<Arc<dyn BatchSource>>,
    computed: Computed,
}

impl<'a> Session<'a> {
    /// Nothing is read yet; every log is a job.
    pub fn new(inputs: Vec<Input>, options: OpenOptions<'a>) -> Self {
        Self::of_jobs(inputs.into_iter().map(|input| vec![input]).collect(), options)
    }

    /// Nothing is read yet; the logs of one job become one: see [`crate::by_job`].
    pub fn of_jobs(jobs: Vec<Vec<Input>>, options: OpenOptions<'a>) -> Self {
        Self { jobs, options, context: Vec::new(), plans: None, loaded: None }
    }

    /// Adds rows to tables that no log holds: a machine profile, a topology,
    /// samples of a server. To be called before anything is asked.
    pub fn add(&mut self, tables: Vec<Arc<dyn BatchSource>>) {
        self.context.extend(tables);
        self.loaded = None;
    }

    /// Shares the plans of the metrics' and checks' statements with other sessions, one after
    /// the other or side by side: most of what small logs cost. To be called before anything
    /// is asked.
    pub fn share_plans(&mut self, plans: Plans) {
        self.plans = Some(plans);
    }

    /// Answers every statement in the text.
    pub fn ask(&mut self, sql: &str) -> Result<Vec<Rows>, AskError> {
        self.ask_cancellable(sql, None)
    }

    /// The same, and ends a statement when it is cancelled.
    pub fn ask_cancellable(
        &mut self,
        sql: &str,
        is_cancelled: CancelToken<'_>,
    ) -> Result<Vec<Rows>, AskError> {
        self.ask_within(sql, Limits::OF_A_PERSON, is_cancelled)
    }

    /// The same, with limits for the rows and the time of each statement; reading the logs is
    /// not limited.
    pub fn ask_within(
        &mut self,
        sql: &str,
        limits: Limits,
        is_cancelled: CancelToken<'_>,
    ) -> Result<Vec<Rows>, AskError> {
        let statements = diya_query::statements(sql)?;
        let mut answers = Vec::with_capacity(statements.len());
        for statement in statements {
            let tables: Vec<&str> = statement.tables.iter().map(String::as_str).collect();
            self.prepare(&tables)?;
            let is_named = |failed: &Failed| tables.contains(&failed.metric.as_str());
            let failed = self.loaded.as_mut().map(|loaded| &mut loaded.computed.failed);
            if let Some(failed) = failed
                && let Some(place) = failed.iter().position(is_named)
            {
                let Failed { metric, error } = failed.swap_remove(place);
                return Err(AskError::Metric { name: metric, source: error });
            }
            let answer = self.engine()?.run_cancellable(&statement.sql, limits, is_cancelled);
            answers.push(answer.map_err(with_nearest)?);
        }
        Ok(answers)
    }

    /// Reads and computes what is missing of these tables and metrics.
    pub fn prepare(&mut self, names: &[&str]) -> Result<(), AskError> {
        let catalog = Catalog::built_in();
        let base = catalog.base_tables(names).into_iter().filter_map(crate::table_named);
        let needed = base.map(crate::needed_for).fold(TableSet::NONE, TableSet::union);
        let mut loaded = match self.loaded.take() {
            None => self.open(needed)?,
            Some(loaded) => self.more(loaded, needed)?,
        };
        self.began(Stage::Computing);
        self.add_fed(&mut loaded, names)?;
        loaded.computed.add(catalog, &loaded.base, names)?;
        self.loaded = Some(loaded);
        Ok(())
    }

    /// Computes those of these metrics that read pipes, from the logs with their pipes, where the
    /// options leave these out. Without processes that feed others there is nothing to add.
    fn add_fed(&self, loaded: &mut Loaded, names: &[&str]) -> Result<(), AskError> {
        let catalog = Catalog::built_in();
        let mut fed = catalog.reading_pipes(names);
        fed.retain(|name| loaded.computed.tables.iter().all(|table| table.def().name != *name));
        if !self.options.skips_system || fed.is_empty() || !diya_metrics::is_fed(&loaded.base) {
            return Ok(());
        }
        let base = catalog.base_tables(&fed).into_iter().filter_map(crate::table_named);
        let set = base.map(crate::needed_for).fold(TableSet::NONE, TableSet::union);
        let selection = Selection { tables: set, ..self.options.selection.clone() };
        let options = OpenOptions { selection, skips_system: false, ..self.options.clone() };
        let trace = Trace::open_jobs(&self.jobs, &options)?;
        let threads = self.options.threads.count();
        let computed = compute(catalog, trace.tables(), &fed, threads)?;
        for table in computed.tables {
            loaded.computed.engine.add(&table)?;
            loaded.computed.tables.push(table);
        }
        loaded.computed.failed.extend(computed.failed);
        Ok(())
    }

    /// Reports the current stage to the progress listener.
    pub(crate) fn began(&self, stage: Stage) {
        if let Some(progress) = self.options.progress {
            progress.began(stage);
        }
    }

    /// Reads these tables.
    fn open(&self, set: TableSet) -> Result<Loaded, AskError> {
        let trace = self.read(set)?;
        let is_kept = |table: &&Arc<dyn BatchSource>| {
            self.context.iter().all(|c| c.def().name != table.def().name)
        };
        let base: Vec<Arc<dyn BatchSource>> =
            trace.tables().iter().filter(is_kept).chain(&self.context).cloned().collect();
        let threads = self.options.threads.count();
        let mut computed = compute(Catalog::built_in(), &base, &[], threads)?;
        if let Some(plans) = &self.plans {
            computed.engine.share_plans(plans.clone());
        }
        Ok(Loaded { trace, set, base, computed })
    }

    fn read(&self, tables: TableSet) -> Result<Trace, OpenError> {
        let selection = Selection { tables, ..self.options.selection.clone() };
        let options = OpenOptions { selection, ..self.options.clone() };
        Trace::open_jobs(&self.jobs, &options)
    }

    /// Reads those of these tables that are missing. Of logs with read issues all tables are
    /// read again: an issue in a new table may concern the others.
    fn more(&self, mut loaded: Loaded, needed: TableSet) -> Result<Loaded, AskError> {
        let missing = needed.minus(loaded.set);
        if missing == TableSet::NONE {
            return Ok(loaded);
        }
        let whole = needed.union(loaded.set);
        let is_whole = |trace: &Trace| {
            trace.table(TableId::ReadIssue).rows() == 0 && trace.refused().is_empty()
        };
        if !is_whole(&loaded.trace) {
            return self.open(whole);
        }
        let trace = self.read(missing)?;
        if !is_whole(&trace) {
            return self.open(whole);
        }
        for id in TableId::ALL.into_iter().filter(|id| missing.has(*id)) {
            let table = trace.table(id);
            let place = loaded.base.iter().position(|old| old.def().name == table.def().name);
            let is_context = self.context.iter().any(|c| c.def().name == table.def().name);
            if let Some(place) = place.filter(|_| !is_context) {
                loaded.base[place] = Arc::clone(table);
                loaded.computed.engine.add(table)?;
            }
        }
        Ok(Loaded { set: whole, ..loaded })
    }

    /// The engine over what was prepared; an error where nothing was.
    pub fn engine(&self) -> Result<&Query, AskError> {
        let engine = self.loaded.as_ref().map(|loaded| &loaded.computed.engine);
        engine.ok_or(AskError::Open(OpenError::Nothing))
    }

    /// The engine over what was prepared, to put a table of the caller into it.
    pub fn query_mut(&mut self) -> Result<&mut Query, AskError> {
        Ok(self.engine_mut()?.0)
    }

    /// The engine, to put a table into it, and the metrics that are not there.
    pub(crate) fn engine_mut(&mut self) -> Result<(&mut Query, &[Failed]), AskError> {
        let loaded = self.loaded.as_mut().ok_or(AskError::Open(OpenError::Nothing))?;
        Ok((&mut loaded.computed.engine, &loaded.computed.failed))
    }

    /// A table or metric that was prepared.
    pub fn table(&self, name: &str) -> Option<&Arc<dyn BatchSource>> {
        let loaded = self.loaded.as_ref()?;
        let mut all = loaded.base.iter().chain(&loaded.computed.tables);
        all.find(|table| table.def().name == name)
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
        self.loaded.as_ref().map_or(&[], |loaded| &loaded.computed.failed)
    }

    /// Rows of `read_issue` in what was read so far.
    pub fn issues(&self) -> usize {
        self.loaded.as_ref().map_or(0, |loaded| loaded.trace.table(TableId::ReadIssue).rows())
    }

    /// Logs that were refused in what was read so far.
    pub fn refused(&self) -> &[Refused] {
        self.loaded.as_ref().map_or(&[], |loaded| loaded.trace.refused())
    }
}
