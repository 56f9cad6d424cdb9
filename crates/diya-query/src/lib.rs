//! The SQL engine behind one small interface.
//!
//! Tables come in as [`BatchSource`]s and are read lazily, with only the
//! columns a query needs; results go out as Arrow record batches. Nothing else
//! of the engine (DataFusion) shows, so that it stays exchangeable: see
//! docs/decisions/0001.

mod bounds;
mod clock;
mod expansion;
mod functions;
mod memory;
mod order_rule;
mod physical;
mod planner;
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
use datafusion::common::SchemaError;
use datafusion::common::config::Dialect;
use datafusion::error::DataFusionError;
use datafusion::execution::TaskContext;
use datafusion::execution::context::SQLOptions;
use datafusion::logical_expr::LogicalPlan;
use datafusion::optimizer::Optimizer;
use datafusion::physical_plan::{ExecutionPlan, execute_stream};
use datafusion::sql::parser::DFParser;
use datafusion::sql::resolve::resolve_table_references;
use diya_tables::BatchSource;
pub use functions::{names as function_names, register as register_functions};
use futures::StreamExt as _;
use physical::Planner;
pub use runtime::CancelToken;
use runtime::{GivenUp, Workers, on_deep_stack};
use state::Lean;
pub use state::most_memory_bytes;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;
pub use tokens::{Token, TokenKind, is_wildcard, tokens, union_parts, words};

/// Something is wrong with a query.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum QueryError {
    /// The text is not valid SQL, or names something that is not there.
    #[error("{0}")]
    Sql(String),
    /// The query ran into a limit or a fault while running.
    #[error("the query failed while running: {0}")]
    Running(String),
    /// The engine could not be started.
    #[error("the SQL engine did not start: {0}")]
    Start(String),
}

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
    lean: Planner,
    /// Plans with still fewer: no operator needs its rows in order.
    sided: Planner,
    /// Plans with the fewest: so, and tables of some rows.
    plain: Planner,
    /// Whether the planners with few rules are used.
    is_lean: bool,
    workers: Workers,
    tables: HashMap<&'static str, scan::Table>,
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
            lean: lean(Lean::Ordered),
            sided: lean(Lean::Sided),
            plain: lean(Lean::Plain),
            whole: Planner::new(whole),
            is_lean: true,
            workers,
            tables: HashMap::new(),
        };
        for table in tables {
            query.add(table)?;
        }
        Ok(query)
    }

    /// Makes a table known. One of the same name is replaced.
    pub fn add(&mut self, table: &Arc<dyn BatchSource>) -> Result<(), QueryError> {
        let name = table.def().name;
        let table = scan::Table::new(Arc::clone(table));
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
        let (plan, task, schema) = planned.ok_or_else(ended)??;
        let collect = async move {
            let mut stream = execute_stream(plan, task).map_err(running)?;
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
        self.workers.within(limits.time, is_cancelled, collect).unwrap_or_else(|why| {
            Err(match why {
                GivenUp::Late => QueryError::Running(format!("longer than {:?}", limits.time)),
                GivenUp::Cancelled => QueryError::Running("it was cancelled".to_owned()),
                GivenUp::Ended => ended(),
            })
        })
    }

    /// How a query is run, with what, and the columns of its result.
    async fn plan(
        &self,
        sql: &str,
        limits: Limits,
    ) -> Result<(Arc<dyn ExecutionPlan>, Arc<TaskContext>, SchemaRef), QueryError> {
        let state = &self.whole.state;
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
        let rows = |name: &str| self.tables.get(name).map_or(usize::MAX, scan::Table::rows);
        let most_rows = named.iter().map(|table| rows(table.table())).max().unwrap_or(0);
        let words = words(&tokens);
        let lean = match most_rows {
            _ if !self.is_lean => None,
            MANY_ROWS.. => None,
            _ if state::is_ordered(&words) => Some(&self.lean),
            FEW_ROWS.. => Some(&self.sided),
            _ => Some(&self.plain),
        };
        let lean = match lean {
            Some(planner) => {
                let rules = state::rules_for(&planner.state, &words);
                planner.plan(rules, &plan, clock).await.ok()
            }
            None => None,
        };
        let is_explained = matches!(plan, LogicalPlan::Explain(_));
        let (plan, task) = match lean {
            Some(planned) => planned,
            None if clock.is_some() && !is_explained => {
                let rules = Optimizer::with_rules(state.optimizers().to_vec());
                self.whole.plan(rules, &plan, clock).await.map_err(running)?
            }
            None => {
                let plan = state.create_physical_plan(&plan).await.map_err(running)?;
                (plan, &self.whole.task)
            }
        };
        Ok((plan, Arc::clone(task), schema))
    }
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

fn running(error: DataFusionError) -> QueryError {
    if let DataFusionError::ResourcesExhausted(_) = error.find_root() {
        let what =
            "it needs more memory than half of what is free; is a join without its condition?";
        return QueryError::Running(what.to_owned());
    }
    QueryError::Running(first_cause(&error))
}

fn explain(error: DataFusionError) -> QueryError {
    QueryError::Sql(first_cause(&error))
}

/// What went wrong, without the engine's words about itself.
fn first_cause(error: &DataFusionError) -> String {
    let root = error.find_root();
    if let DataFusionError::SchemaError(cause, _) = root
        && let SchemaError::FieldNotFound { field, valid_fields } = cause.as_ref()
    {
        return no_column(field.name(), valid_fields.iter().map(|f| f.name()));
    }
    if let DataFusionError::SQL(cause, _) = root {
        let words = cause.to_string();
        return format!(
            "this is not valid SQL: {}",
            words.trim_start_matches("sql parser error: ")
        );
    }
    let text = root.strip_backtrace();
    let own = ["Error during planning: ", "Schema error: ", "SQL error: ", "Execution error: "];
    let plain = own.iter().find_map(|prefix| text.strip_prefix(prefix)).unwrap_or(&text);
    let plain = plain.replace("datafusion.public.", "");
    if plain.starts_with("table '") && plain.ends_with("not found") {
        return format!("{plain} (`diya tables` lists all)");
    }
    plain
}

/// Names the columns that a person may have meant; a table can have hundreds.
fn no_column<'n>(name: &str, columns: impl Iterator<Item = &'n str>) -> String {
    let mut near: Vec<&str> =
        columns.filter(|c| c.contains(name) || strsim::jaro_winkler(c, name) > 0.8).collect();
    near.sort_by(|a, b| strsim::jaro_winkler(b, name).total_cmp(&strsim::jaro_winkler(a, name)));
    near.dedup();
    near.truncate(5);
    let hint =
        if near.is_empty() { String::new() } else { format!("; near it: {}", near.join(", ")) };
    format!("there is no column {name:?}{hint} (`diya tables TABLE` lists all)")
}
