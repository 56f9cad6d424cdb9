//! Writes what another SQL engine needs to be compared with this one:
//! `engine_tables FOLDER LOG...`.
//!
//! `FOLDER/logs` holds the given logs, `FOLDER/cases` the cases of all built-in
//! checks, each case as a log. Both hold every base table and every metric as
//! Parquet, the results of both queries of every check as
//! `ID.applies.parquet` and `ID.evidence.parquet` (with `.` for `/`), and
//! `queries.json`: the statements of the checks with their default parameters
//! and of the metrics. Used by `tests/diagnosis/engines_equal.py`.

use std::error::Error;
use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;

use arrow::array::RecordBatch;
use diya::{BatchSource, OpenOptions, Rows, TableId, Trace, input};
use diya_checks::{Check, Config, builtin, trial};
use diya_export::{ResultFormat, write_batches};
use diya_metrics::{Catalog, compute};
use diya_query::Query;
use serde::Serialize;

/// A statement and where it stands.
#[derive(Serialize)]
struct Statement {
    name: String,
    file: String,
    sql: String,
    needs: Vec<String>,
    is_metric: bool,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("usage: engine_tables FOLDER LOG...")?;
    let names: Vec<String> = arguments.collect();
    let folder = Path::new(&folder);
    let checks = builtin()?;
    let catalog = Catalog::built_in();
    let metrics: Vec<&str> = catalog.metrics().map(|metric| metric.def.name).collect();

    let trace = Trace::open(&input::logs(&names)?, &OpenOptions::default())?;
    let mut tables = trace.tables().to_vec();
    let computed = compute(catalog, &tables, &metrics, 1)?;
    if let Some(failed) = computed.failed.first() {
        return Err(format!("metric {}: {}", failed.metric, failed.error).into());
    }
    tables.extend(computed.tables);
    let query = Query::new(&tables, 1)?;
    let sql = catalog.metrics().filter(|metric| !metric.sql.is_empty()).map(|metric| Statement {
        name: metric.def.name.to_owned(),
        file: metric.file.clone(),
        sql: metric.sql.clone(),
        needs: metric.needs.iter().chain(&metric.also).cloned().collect(),
        is_metric: true,
    });
    write(&folder.join("logs"), &query, &names_of(&tables), &checks, sql.collect())?;

    for check in &checks {
        let one = std::slice::from_ref(check);
        let query = trial::query_over(&check.cases, one)?;
        let base = TableId::ALL.into_iter().map(|id| id.def().name.to_owned());
        let mut there: Vec<String> = base.collect();
        there.extend(check.needs.iter().filter(|n| catalog.get(n).is_some()).cloned());
        there.retain(|name| check.needs.contains(name));
        write(&folder.join("cases").join(file_name(check)), &query, &there, one, Vec::new())?;
    }
    Ok(())
}

fn names_of(tables: &[Arc<dyn BatchSource>]) -> Vec<String> {
    tables.iter().map(|table| table.def().name.to_owned()).collect()
}

fn file_name(check: &Check) -> String {
    check.id.replace('/', ".")
}

/// Tables and results as Parquet, and the statements.
fn write(
    folder: &Path,
    query: &Query,
    tables: &[String],
    checks: &[Check],
    mut statements: Vec<Statement>,
) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(folder)?;
    for table in tables {
        let columns = columns_of(table);
        save(folder, table, &query.run(&format!("select {} from {table}", columns.join(", ")))?)?;
    }
    for check in checks {
        for (part, block) in [("applies", &check.applies), ("evidence", &check.evidence)] {
            let sql = check.sql(block, &Config::default());
            let name = format!("{}.{part}", file_name(check));
            save(folder, &name, &query.run(&sql).map_err(|e| format!("{name}: {e}"))?)?;
            let file = format!("checks/{}.md:{}", check.id, block.line);
            let needs = check.needs.clone();
            statements.push(Statement { name, file, sql, needs, is_metric: false });
        }
    }
    serde_json::to_writer(File::create(folder.join("queries.json"))?, &statements)?;
    Ok(())
}

fn columns_of(table: &str) -> Vec<&'static str> {
    let base = TableId::ALL.into_iter().map(TableId::def).find(|def| def.name == table);
    let def = base.or_else(|| Catalog::built_in().get(table).map(|metric| metric.def));
    def.map_or_else(Vec::new, |def| def.columns.iter().map(|column| column.name).collect())
}

fn save(folder: &Path, name: &str, rows: &Rows) -> Result<(), Box<dyn Error>> {
    let mut file = File::create(folder.join(format!("{name}.parquet")))?;
    // The engine plans some columns of a union narrower than it gives them.
    let schema = rows.batches.first().map_or_else(|| rows.schema.clone(), RecordBatch::schema);
    let written = write_batches(&mut file, &schema, &rows.batches, ResultFormat::Parquet);
    Ok(written.map_err(|e| format!("{name}: {e}"))?)
}
