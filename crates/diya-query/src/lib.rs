//! The SQL engine behind one small interface.
//!
//! Tables come in as [`BatchSource`]s and are read lazily, with only the
//! columns a query needs; results go out as Arrow record batches. Nothing else
//! of the engine (DataFusion) shows, so that it stays exchangeable: see
//! docs/decisions/0001.

mod functions;
mod runtime;
mod scan;

use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use datafusion::common::SchemaError;
use datafusion::error::DataFusionError;
use datafusion::execution::context::SQLOptions;
use datafusion::prelude::{SessionConfig, SessionContext};
use datafusion::sql::parser::DFParser;
use datafusion::sql::resolve::resolve_table_references;
use diya_tables::BatchSource;
use futures::StreamExt as _;
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

/// Something is wrong with a query.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum QueryError {
    /// The text is no SQL, or names something that is not there.
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
}

impl Limits {
    /// As much as it wants.
    pub const NONE: Self = Self { rows: usize::MAX, time: Duration::MAX };
}

/// The engine with some tables.
pub struct Query {
    context: SessionContext,
    runtime: tokio::runtime::Runtime,
    /// Names of the tables without rows.
    empty: HashSet<&'static str>,
}

impl Query {
    /// Starts the engine over these tables, using so many threads.
    pub fn new(tables: &[Arc<dyn BatchSource>], threads: usize) -> Result<Self, QueryError> {
        let start = |e: String| QueryError::Start(e);
        let config = SessionConfig::new()
            .with_target_partitions(threads.max(1))
            .with_information_schema(true);
        let context = SessionContext::new_with_config(config);
        for table in tables {
            let provider = Arc::new(scan::Table::new(Arc::clone(table)));
            let name = table.def().name;
            context.register_table(name, provider).map_err(|e| start(e.to_string()))?;
        }
        functions::register(&context);
        let runtime = runtime::new(threads).map_err(|e| start(e.to_string()))?;
        let empty = tables.iter().filter(|t| t.rows() == 0).map(|t| t.def().name).collect();
        Ok(Self { context, runtime, empty })
    }

    /// Whether this table is there and has no rows.
    pub fn is_empty(&self, table: &str) -> bool {
        self.empty.contains(table)
    }

    /// Runs one query. Only queries: nothing is created, written or set.
    pub fn run(&self, sql: &str) -> Result<Rows, QueryError> {
        self.run_within(sql, Limits::NONE)
    }

    /// Runs one query and stops it at a limit: the text may be somebody else's.
    pub fn run_within(&self, sql: &str, limits: Limits) -> Result<Rows, QueryError> {
        let only_queries = SQLOptions::new()
            .with_allow_ddl(false)
            .with_allow_dml(false)
            .with_allow_statements(false);
        let running = |e: DataFusionError| QueryError::Running(first_cause(&e));
        self.runtime.block_on(async {
            let frame = self.context.sql_with_options(sql, only_queries).await.map_err(explain)?;
            let schema = Arc::new(frame.schema().as_arrow().clone());
            let collect = async {
                let mut stream = frame.execute_stream().await.map_err(running)?;
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
            let late = || QueryError::Running(format!("longer than {:?}", limits.time));
            runtime::within(limits.time, collect).await.unwrap_or_else(|| Err(late()))
        })
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
    let parsed = DFParser::parse_sql(sql).map_err(explain)?;
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
        return format!("this is no SQL: {}", words.trim_start_matches("sql parser error: "));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_that_is_not_there_is_answered_with_those_near_it() {
        let text = no_column("byte_read", ["opens", "bytes_read", "bytes_written"].into_iter());
        assert!(text.contains("near it: bytes_read"), "{text}");
    }
}
