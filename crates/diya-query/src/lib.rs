//! The SQL engine behind one small interface.
//!
//! Tables come in as [`BatchSource`]s and are read lazily, with only the
//! columns a query needs; results go out as Arrow record batches. Nothing else
//! of the engine (DataFusion) shows, so that it stays exchangeable: see
//! docs/decisions/0001.

mod bounds;
mod clock;
mod error;
mod expansion;
mod functions;
mod memory;
mod order_rule;
mod physical;
mod planner;
mod plans;
mod runtime;
mod scan;
mod state;
#[cfg(test)]
mod tests;
mod tokens;
mod utc;
mod window_rule;
mod yield_rule;

use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
pub use bounds::bounded;
use clock::{Clock, MAX_PLANNING};
use datafusion::common::config::Dialect;
use datafusion::execution::TaskContext;
use datafusion::execution::context::SQLOptions;
use datafusion::logical_expr::LogicalPlan;
use datafusion::optimizer::Optimizer;
use datafusion::physical_plan::execute_stream;
use datafusion::sql::parser::DFParser;
use datafusion::sql::resolve::resolve_table_references;
use diya_tables::BatchSource;
pub use error::QueryError;
use error::{explain, running};
pub use functions::{names as function_names, register as register_functions};
use futures::StreamExt as _;
use physical::Planner;
pub use plans::Plans;
use plans::{Plan, Traits};
pub use runtime::CancelToken;
use runtime::{GivenUp, Workers, on_deep_stack};
use scan::Table;
use state::Lean;
pub use state::most_memory_bytes;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;
pub use tokens::{Token, TokenKind, is_wildcard, tokens, union_parts, words};

/// Rows of a result with their schema, which is there even without rows.
#[derive(Debug)]
pub struct Rows {
    /// Columns of the result.
    pub schema: SchemaRef,
    /// The rows.
    pub batches: Vec<RecordBatch>,
}

/// How much one query may take.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Rows of the result.
    pub rows: usize,
    /// Time, planning not included.
    pub time: Duration,
    /// Time of planning, where a person wrote the text.
    pub planning: Duration,
    /// Whether a person wrote the text: then it is held to [`bounded`], and planned on a
    /// stack of its own.
    pub is_of_a_person: bool,
}

impl Limits {
    /// As much as it wants.
    pub const NONE: Self = Self {
        rows: usize::MAX,
        time: Duration::MAX,
        planning: Duration::MAX,
        is_of_a_person: false,
    };

    /// As much as it wants, for text that a person wrote: held to [`bounded`].
    pub const OF_A_PERSON: Self = Self {
        rows: usize::MAX,
        time: Duration::from_secs(365 * 24 * 3600),
        planning: MAX_PLANNING,
        is_of_a_person: true,
    };
}

/// The engine with some tables.
pub struct Query {
    /// Plans with all rules, for all threads: what is large or unusual.
    whole: Planner,
    /// Plans with few rules, for one thread.
    ordered: Planner,
    /// Plans with still fewer: no operator needs its rows in order.
    sided: Planner,
    /// Plans with the fewest: so, and tables of some rows.
    plain: Planner,
    /// Whether the planners with few rules are used.
    is_lean: bool,
    workers: Workers,
    tables: HashMap<&'static str, Table>,
    /// Plans of earlier statements.
    plans: Option<Plans>,
}

/// Rows from which on a better plan and several threads win back what they cost.
const MANY_ROWS: usize = 200_000;

/// Rows up to which no plan is better than another.
const FEW_ROWS: usize = 5_000;

impl Query {
    /// Starts the engine over these tables, using so many threads.
    pub fn new(tables: &[Arc<dyn BatchSource>], threads: usize) -> Result<Self, QueryError> {
        Self::within_memory(tables, threads, state::most_memory_bytes())
    }

    /// The same, but every statement is planned with all rules of the engine: what plans
    /// with few rules are held against.
    pub fn with_all_rules(
        tables: &[Arc<dyn BatchSource>],
        threads: usize,
    ) -> Result<Self, QueryError> {
        Ok(Self { is_lean: false, ..Self::new(tables, threads)? })
    }

    fn within_memory(
        tables: &[Arc<dyn BatchSource>],
        threads: usize,
        memory_bytes: usize,
    ) -> Result<Self, QueryError> {
        let start = |e: String| QueryError::Start(e);
        let whole = state::new(threads.max(1), memory_bytes).map_err(|e| start(e.to_string()))?;
        let workers = Workers::new(threads).map_err(|e| start(e.to_string()))?;
        let lean = |how| Planner::new(state::lean(&whole, how));
        let mut query = Self {
            ordered: lean(Lean::Ordered),
            sided: lean(Lean::Sided),
            plain: lean(Lean::Plain),
            whole: Planner::new(whole),
            is_lean: true,
            workers,
            tables: HashMap::new(),
            plans: None,
        };
        for table in tables {
            query.add(table)?;
        }
        Ok(query)
    }

    /// Takes the plans of statements from these, where the program itself asks, and leaves them
    /// there for the next engine.
    pub fn share_plans(&mut self, plans: Plans) {
        self.plans = Some(plans);
    }

    /// Makes a table known. One of the same name is replaced.
    pub fn add(&mut self, table: &Arc<dyn BatchSource>) -> Result<(), QueryError> {
        let name = table.def().name;
        let table = Table::new(Arc::clone(table));
        // Both states have the same catalog.
        let schema = self.whole.state.schema_for_ref(name);
        let added = schema.and_then(|schema| {
            schema.deregister_table(name)?;
            schema.register_table(name.to_owned(), Arc::new(table.clone()))
        });
        added.map_err(|e| QueryError::Start(e.to_string()))?;
        self.tables.insert(name, table);
        Ok(())
    }

    /// Whether this table is there and has no rows.
    pub fn is_empty(&self, table: &str) -> bool {
        self.tables.get(table).is_some_and(|table| table.rows() == 0)
    }

    /// Runs one query. Only queries: nothing is created, written or set.
    pub fn run(&self, sql: &str) -> Result<Rows, QueryError> {
        self.run_within(sql, Limits::NONE)
    }

    /// Runs one query and stops it at a limit.
    ///
    /// A fault of the engine is an error like any other, not a panic.
    pub fn run_within(&self, sql: &str, limits: Limits) -> Result<Rows, QueryError> {
        self.run_cancellable(sql, limits, None)
    }

    /// The same, and ends the query when it is cancelled.
    pub fn run_cancellable(
        &self,
        sql: &str,
        limits: Limits,
        is_cancelled: CancelToken<'_>,
    ) -> Result<Rows, QueryError> {
        if limits.is_of_a_person {
            bounded(sql)?;
        }
        let run = || self.answer(sql, limits, is_cancelled);
        catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|payload| {
            let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
            let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
            let text = text.unwrap_or_default();
            Err(QueryError::Running(format!("internal error of the SQL engine: {text}")))
        })
    }

    fn answer(
        &self,
        sql: &str,
        limits: Limits,
        is_cancelled: CancelToken<'_>,
    ) -> Result<Rows, QueryError> {
        let ended = || QueryError::Start("it has ended".to_owned());
        let plan = || self.workers.wait(self.plan(sql, limits));
        let planned = if limits.is_of_a_person {
            on_deep_stack(plan).map_err(|e| QueryError::Start(e.to_string()))?
        } else {
            plan()
        };
        let Planned { plan, task, kept } = planned.ok_or_else(ended)??;
        let Plan { root, schema } = plan.clone();
        let collect = async move {
            let mut stream = execute_stream(root, task).map_err(running)?;
            let (mut batches, mut rows) = (Vec::new(), 0_usize);
            while let Some(batch) = stream.next().await {
                let batch = batch.map_err(running)?;
                rows = rows.saturating_add(batch.num_rows());
                if rows > limits.rows {
                    let most = limits.rows;
                    return Err(QueryError::Running(format!("more than {most} rows")));
                }
                batches.push(batch);
            }
            Ok(Rows { schema, batches })
        };
        let rows = self.workers.within(limits.time, is_cancelled, collect);
        let rows = rows.unwrap_or_else(|why| {
            Err(match why {
                GivenUp::Late => QueryError::Running(format!("longer than {:?}", limits.time)),
                GivenUp::Cancelled => QueryError::Running("it was cancelled".to_owned()),
                GivenUp::Ended => ended(),
            })
        });
        if let (Ok(_), Some(plans), Some((traits, lean))) = (&rows, &self.plans, kept) {
            plans.keep(sql, &traits, lean, &plan);
        }
        rows
    }

    /// How a query is run, and with what.
    async fn plan(&self, sql: &str, limits: Limits) -> Result<Planned, QueryError> {
        let state = &self.whole.state;
        let plans = self.plans.as_ref().filter(|_| !limits.is_of_a_person);
        if let Some(traits) = plans.and_then(|plans| plans.traits(sql))
            && let Some(lean) = self.lean(&traits)
            && let Some(plan) = plans.and_then(|plans| plans.take(sql, lean, &self.tables))
        {
            let task = Arc::clone(&self.planner(lean).task);
            return Ok(Planned { plan, task, kept: Some((traits, lean)) });
        }
        let clock = limits.is_of_a_person.then(|| Clock::start(limits.planning));
        let statement = state.sql_to_statement(sql, &Dialect::Generic).map_err(explain)?;
        if limits.is_of_a_person {
            expansion::limited(&statement)?;
        }
        let (named, _) = resolve_table_references(&statement, true).map_err(explain)?;
        let tokens = tokens(sql)?;
        let narrow = self.is_lean.then(|| planner::plan(state, &self.tables, &tokens, &statement));
        let plan = match narrow.flatten() {
            Some(plan) => plan,
            None => state.statement_to_plan(statement).await.map_err(explain)?,
        };
        let only_queries = SQLOptions::new()
            .with_allow_ddl(false)
            .with_allow_dml(false)
            .with_allow_statements(false);
        only_queries.verify_plan(&plan).map_err(explain)?;
        let schema = Arc::new(plan.schema().as_arrow().clone());
        let words = words(&tokens);
        let tables = named.iter().map(|table| table.table().to_owned()).collect();
        let traits = Traits { tables, is_ordered: state::is_ordered(&words) };
        if let Some(lean) = self.lean(&traits) {
            let planner = self.planner(lean);
            let rules = state::rules_for(&planner.state, &words);
            if let Ok((root, task)) = planner.plan(rules, &plan, clock).await {
                let kept = plans.is_some().then_some((traits, lean));
                return Ok(Planned { plan: Plan { root, schema }, task: Arc::clone(task), kept });
            }
        }
        let is_explained = matches!(plan, LogicalPlan::Explain(_));
        let (root, task) = if clock.is_some() && !is_explained {
            let rules = Optimizer::with_rules(state.optimizers().to_vec());
            self.whole.plan(rules, &plan, clock).await.map_err(running)?
        } else {
            (state.create_physical_plan(&plan).await.map_err(running)?, &self.whole.task)
        };
        Ok(Planned { plan: Plan { root, schema }, task: Arc::clone(task), kept: None })
    }

    /// With how few rules a statement is planned; `None`: with all.
    fn lean(&self, of: &Traits) -> Option<Lean> {
        let rows = |name: &String| self.tables.get(name.as_str()).map_or(usize::MAX, Table::rows);
        match of.tables.iter().map(rows).max().unwrap_or(0) {
            _ if !self.is_lean => None,
            MANY_ROWS.. => None,
            _ if of.is_ordered => Some(Lean::Ordered),
            FEW_ROWS.. => Some(Lean::Sided),
            _ => Some(Lean::Plain),
        }
    }

    fn planner(&self, lean: Lean) -> &Planner {
        match lean {
            Lean::Ordered => &self.ordered,
            Lean::Sided => &self.sided,
            Lean::Plain => &self.plain,
        }
    }
}

/// How a statement runs, with what, and whether the plan is worth keeping.
struct Planned {
    plan: Plan,
    task: Arc<TaskContext>,
    kept: Option<(Traits, Lean)>,
}

/// The statements in a text, and the tables each of them names.
///
/// ```
/// let statements = diya_query::statements("select * from posix; select 1").unwrap();
/// assert_eq!(statements[0].tables, ["posix"]);
/// assert_eq!(statements.len(), 2);
/// ```
pub fn statements(sql: &str) -> Result<Vec<Statement>, QueryError> {
    bounded(sql)?;
    on_deep_stack(|| parsed(sql)).map_err(|e| QueryError::Start(e.to_string()))?
}

fn parsed(sql: &str) -> Result<Vec<Statement>, QueryError> {
    let parsed = DFParser::parse_sql(sql).map_err(explain)?;
    parsed.iter().try_for_each(expansion::limited)?;
    let named = |statement: &datafusion::sql::parser::Statement| {
        let (tables, _) = resolve_table_references(statement, true).map_err(explain)?;
        let tables = tables.iter().map(|t| t.table().to_string()).collect();
        Ok(Statement { sql: statement.to_string(), tables })
    };
    parsed.iter().map(named).collect()
}

/// One statement.
#[derive(Debug)]
pub struct Statement {
    /// Its text.
    pub sql: String,
    /// Tables it names.
    pub tables: Vec<String>,
}
