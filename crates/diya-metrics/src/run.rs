//! Runs metrics: tables in, tables out.

use crate::conform::conform;
use crate::parts::Parts;
use crate::{Catalog, Metric, MetricError};
use diya_query::{Query, QueryError};
use diya_tables::{BatchSource, Batches};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// What came of running metrics.
pub struct Computed {
    /// The metric tables, those that others needed included.
    pub tables: Vec<Arc<dyn BatchSource>>,
    /// Metrics that are not there, and why.
    pub failed: Vec<Failed>,
    /// The engine over the base tables and these: starting another one would
    /// cost as much as a dozen queries.
    pub engine: Query,
}

/// A metric that could not be computed; only those that need it are concerned.
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
    let engine = Query::new(base, threads)?;
    let mut computed = Computed { tables: Vec::new(), failed: Vec::new(), engine };
    computed.add(catalog, base, wanted)?;
    Ok(computed)
}

impl Computed {
    /// Computes what is missing of these metrics. `base` are the base tables, those that
    /// came since the last time included: the engine has them, too.
    pub fn add(
        &mut self,
        catalog: &Catalog,
        base: &[Arc<dyn BatchSource>],
        wanted: &[&str],
    ) -> Result<(), QueryError> {
        // A table that is given is not computed: tests bring their own.
        let mut all: Vec<Arc<dyn BatchSource>> = base.iter().chain(&self.tables).cloned().collect();
        let mut shared = Parts::default();
        for metric in catalog.steps(wanted).into_iter().flatten() {
            let name = metric.def.name;
            if all.iter().any(|table| table.def().name == name)
                || self.failed.iter().any(|failed| failed.metric == name)
            {
                continue;
            }
            match guarded(|| run(metric, &all, self, &mut shared)) {
                Ok(table) => {
                    self.engine.add(&table)?;
                    all.push(Arc::clone(&table));
                    self.tables.push(table);
                }
                Err(error) => self.failed.push(Failed { metric: name.to_owned(), error }),
            }
        }
        Ok(())
    }
}

type Outcome = Result<Arc<dyn BatchSource>, MetricError>;

/// Result of a metric, or the error if it panicked: unexpected numbers end one
/// metric, not the report.
///
/// What computations share ([`Parts`]) is put in place when it is complete,
/// so that one which stopped leaves nothing half done behind.
fn guarded(metric: impl FnOnce() -> Outcome) -> Outcome {
    catch_unwind(AssertUnwindSafe(metric)).unwrap_or_else(|payload| {
        let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
        Err(MetricError::Stopped(text.unwrap_or_default()))
    })
}

fn run(
    metric: &Metric,
    tables: &[Arc<dyn BatchSource>],
    computed: &Computed,
    shared: &mut Parts,
) -> Outcome {
    let mut filled = Vec::new();
    let mut is_complete = true;
    for need in &metric.needs {
        match tables.iter().find(|table| table.def().name == need) {
            Some(table) if table.rows() > 0 => filled.push(need.as_str()),
            Some(_) => is_complete &= !metric.requires.contains(need),
            None => return Err(missing(need, &computed.failed)),
        }
    }
    let table = |batches| -> Arc<dyn BatchSource> { Arc::new(Batches::new(metric.def, batches)) };
    // A computation needs all of its tables, a statement may join some of them, or have
    // its rows from a table that other logs lack.
    is_complete &= metric.computation.is_none() || filled.len() == metric.needs.len();
    filled.extend(
        metric.also.iter().map(String::as_str).filter(|also| {
            tables.iter().any(|table| table.def().name == *also && table.rows() > 0)
        }),
    );
    if filled.is_empty() || !is_complete {
        return Ok(table(Vec::new()));
    }
    if let Some(computation) = metric.computation {
        return Ok(table(vec![shared.fill(computation, metric.def, tables).into_batch()]));
    }
    if metric.sql.is_empty() {
        return Ok(table(Vec::new()));
    }
    let rows = computed.engine.run(&metric.union.without_empty(&metric.sql, &filled))?;
    conform(metric.def, &rows).map(table)
}

/// Why a table is not there: that of the first metric that failed.
fn missing(need: &str, failed: &[Failed]) -> MetricError {
    match failed.iter().find(|failed| failed.metric == need).map(|failed| &failed.error) {
        Some(MetricError::Behind { metric, reason }) => {
            MetricError::Behind { metric: metric.clone(), reason: reason.clone() }
        }
        Some(error) => MetricError::Behind { metric: need.to_owned(), reason: error.to_string() },
        None => MetricError::Missing(need.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use diya_tables::{TableBuilder, TableId};

    /// Table `rank_host` with one row.
    fn host() -> Arc<dyn BatchSource> {
        let def = TableId::RankHost.def();
        let mut table = TableBuilder::new(def);
        table.push_i32(0, Some(0));
        table.push_i32(1, Some(0));
        table.push_str(2, Some("a"));
        table.push_str(3, Some("APMPI"));
        table.end_row();
        Arc::new(Batches::new(def, vec![table.into_batch()]))
    }

    /// All metrics of these files over the rows of that table.
    fn computed_from(files: &[(&str, &str)], base: &[Arc<dyn BatchSource>]) -> Computed {
        let catalog = Catalog::new(files).expect("is right");
        let wanted: Vec<&str> = catalog.metrics().map(|metric| metric.def.name).collect();
        compute(&catalog, base, &wanted, 1).expect("the engine starts")
    }

    #[test]
    fn a_metric_that_panics_ends_alone() {
        let head = "-- A.\n-- rows: r\n-- log | i32 | log | l\n";
        let broken = format!("{head}-- needs: rank_host\n-- computed: panics");
        let behind = format!("{head}-- needs: broken\nselect log from broken");
        let further = format!("{head}-- needs: behind, rank_host\nselect log from behind");
        let whole = format!("{head}-- needs: rank_host\nselect log from rank_host");
        let files = [
            ("m/broken.sql", broken.as_str()),
            ("m/behind.sql", &behind),
            ("m/further.sql", &further),
            ("m/whole.sql", &whole),
        ];
        let computed = computed_from(&files, &[host()]);
        let tables: Vec<&str> = computed.tables.iter().map(|table| table.def().name).collect();
        assert_eq!(tables, ["whole"]);
        let said: Vec<(&str, String)> =
            computed.failed.iter().map(|f| (f.metric.as_str(), f.error.to_string())).collect();
        let stopped = "it stopped in the middle, which is a fault of diya: a damaged number";
        assert_eq!(
            said,
            [
                ("broken", stopped.to_owned()),
                ("behind", format!("it needs broken: {stopped}")),
                ("further", format!("it needs broken: {stopped}")),
            ]
        );
    }

    #[test]
    fn a_metric_without_a_table_that_it_requires_has_no_rows() {
        let text = "-- A.\n-- rows: r\n-- needs: rank_host, posix\n-- requires: posix\n\
            -- log | i32 | log | l\nselect log from rank_host";
        let empty = Arc::new(Batches::new(TableId::Posix.def(), Vec::new()));
        let computed = computed_from(&[("m/a.sql", text)], &[host(), empty]);
        assert_eq!(computed.tables[0].rows(), 0);
    }
}
