//! Runs metrics: tables in, tables out.

use crate::conform::conform;
use crate::trace::Traces;
use crate::{Catalog, Metric, MetricError};
use diya_query::{Query, QueryError};
use diya_tables::{BatchSource, Batches};
use std::sync::Arc;

/// What came of running metrics.
#[derive(Debug, Default)]
pub struct Computed {
    /// The metric tables, those that others needed included.
    pub tables: Vec<Arc<dyn BatchSource>>,
    /// Metrics that are not there, and why.
    pub failed: Vec<Failed>,
}

/// A metric that could not be computed; the others are not concerned.
#[derive(Debug)]
pub struct Failed {
    /// Its name.
    pub metric: String,
    /// Why.
    pub error: MetricError,
}

/// Computes the metrics among `wanted` and those behind them, and no others.
///
/// `base` are the base tables; [`Catalog::base_tables`] says which must have
/// been read. A metric whose every table is empty has no rows and costs
/// nothing. Names that are no metrics are passed over: they are base tables,
/// or somebody else reports them.
pub fn compute(
    catalog: &Catalog,
    base: &[Arc<dyn BatchSource>],
    wanted: &[&str],
    threads: usize,
) -> Result<Computed, QueryError> {
    let mut all: Vec<Arc<dyn BatchSource>> = base.to_vec();
    let mut computed = Computed::default();
    let mut traces = Traces::default();
    for step in catalog.steps(wanted) {
        // The engine takes its tables when it starts: once per step, and only
        // for steps that have something to ask.
        let mut engine = None;
        let mut results = Vec::with_capacity(step.len());
        for metric in step {
            // A table that is given is not computed: tests bring their own.
            if base.iter().any(|table| table.def().name == metric.def.name) {
                continue;
            }
            results.push((metric, run(metric, &all, &mut engine, &mut traces, threads)?));
        }
        for (metric, result) in results {
            match result {
                Ok(table) => {
                    all.push(Arc::clone(&table));
                    computed.tables.push(table);
                }
                Err(error) => {
                    computed.failed.push(Failed { metric: metric.def.name.to_owned(), error });
                }
            }
        }
    }
    Ok(computed)
}

type Outcome = Result<Arc<dyn BatchSource>, MetricError>;

/// The outer error: the engine did not start; the inner one: this metric.
fn run(
    metric: &Metric,
    tables: &[Arc<dyn BatchSource>],
    engine: &mut Option<Query>,
    traces: &mut Traces,
    threads: usize,
) -> Result<Outcome, QueryError> {
    let mut filled = Vec::new();
    for need in &metric.needs {
        match tables.iter().find(|table| table.def().name == need) {
            Some(table) if table.rows() > 0 => filled.push(need.as_str()),
            Some(_) => {}
            None => return Ok(Err(MetricError::Missing(need.clone()))),
        }
    }
    let table = |batches| -> Arc<dyn BatchSource> { Arc::new(Batches::new(metric.def, batches)) };
    // A computation needs all of its tables, a statement may join some of them.
    let is_computed = metric.computation.is_some();
    if filled.is_empty() || (is_computed && filled.len() < metric.needs.len()) {
        return Ok(Ok(table(Vec::new())));
    }
    if let Some(computation) = metric.computation {
        return Ok(Ok(table(vec![traces.compute(computation, metric.def, tables)])));
    }
    let engine = match engine {
        Some(engine) => engine,
        None => engine.insert(Query::new(tables, threads)?),
    };
    let result = engine.run(&without_empty(&metric.sql, &filled)).map_err(MetricError::from);
    Ok(result.and_then(|rows| conform(metric.def, &rows)).map(table))
}

/// The statement without those parts of a `union all` that read empty tables
/// only: planning each part of a wide union costs the engine milliseconds.
///
/// Parts are divided by a line that says just `union all`; a statement that
/// begins with `with` stays as it is.
fn without_empty(sql: &str, filled: &[&str]) -> String {
    let parts: Vec<&str> = sql.split("\nunion all\n").collect();
    // A word that only looks like a table keeps a part, which does no harm.
    let has_rows = |part: &&str| {
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        part.split(|c: char| !is_name(c)).any(|word| filled.contains(&word))
    };
    let kept: Vec<&str> = parts.iter().copied().filter(has_rows).collect();
    if kept.is_empty() || !sql.starts_with("select") {
        return sql.to_owned();
    }
    kept.join("\nunion all\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_parts_with_rows_are_run() {
        let sql = "select log from posix\nunion all\nselect log from mpiio as m";
        assert_eq!(without_empty(sql, &["mpiio"]), "select log from mpiio as m");
        assert_eq!(without_empty(sql, &["posix", "mpiio"]), sql);
        assert_eq!(without_empty(sql, &[]), sql);
        let with = format!("with a as (\n{sql}\n) select log from a");
        assert_eq!(without_empty(&with, &["mpiio"]), with);
    }
}
