//! Statements over small tables are planned with few of the engine's rules (decision
//! 0008), and with plans of other tables (0069): the rows of every metric and check are those
//! of all rules.

use arrow::array::AsArray;
use arrow::datatypes::{DataType, Float64Type};
use arrow::util::display::array_value_to_string;
use diya::{OpenOptions, Trace, input};
use diya_checks::{Config, builtin};
use diya_metrics::{Catalog, compute};
use diya_query::{Plans, Query, Rows};
use diya_tables::BatchSource;
use diya_testkit::corpus_logs;
use std::sync::Arc;

/// Rows as text, in any order; sums of the same numbers may differ in their last digits.
fn shown(rows: &Rows) -> Vec<String> {
    let mut lines = Vec::new();
    for batch in &rows.batches {
        for row in 0..batch.num_rows() {
            let cell = |column: &arrow::array::ArrayRef| match column.data_type() {
                DataType::Float64 if column.is_valid(row) => {
                    format!("{:.9e}", column.as_primitive::<Float64Type>().value(row))
                }
                _ => array_value_to_string(column, row).expect("has a text"),
            };
            lines.push(batch.columns().iter().map(cell).collect::<Vec<_>>().join(" | "));
        }
    }
    lines.sort();
    lines
}

/// Base tables and metrics of the logs of the corpus that end so; of all where none is named.
fn tables(names: &[&str]) -> Vec<Arc<dyn BatchSource>> {
    let mut paths = corpus_logs();
    paths.retain(|path| names.is_empty() || names.iter().any(|name| path.ends_with(name)));
    let inputs = input::logs(&paths).expect("the corpus is there");
    let trace = Trace::open(&inputs, &OpenOptions::default()).expect("logs are read");
    let metrics = Catalog::built_in();
    let all: Vec<&str> = metrics.metrics().map(|metric| metric.def.name).collect();
    let mut tables = trace.tables().to_vec();
    tables.extend(compute(metrics, &tables, &all, 1).expect("the engine starts").tables);
    tables
}

/// Statements of all metrics and checks by their names.
fn statements() -> Vec<(String, String)> {
    let of_metrics = Catalog::built_in().metrics().filter(|metric| !metric.sql.is_empty());
    let mut statements: Vec<(String, String)> =
        of_metrics.map(|metric| (metric.def.name.to_owned(), metric.sql.clone())).collect();
    for check in builtin().expect("the built-in checks are valid") {
        for (part, block) in [("applies", &check.applies), ("evidence", &check.evidence)] {
            let sql = check.sql(block, &Config::default());
            statements.push((format!("{} ({part})", check.id), sql));
        }
    }
    assert!(statements.len() > 200, "{}", statements.len());
    statements
}

fn answer(query: &Query, (name, sql): &(String, String)) -> Vec<String> {
    shown(&query.run(sql).unwrap_or_else(|error| panic!("{name}: {error}")))
}

fn compare(names: &[&str]) {
    let tables = tables(names);
    let few = Query::new(&tables, 1).expect("the engine starts");
    let whole = Query::with_all_rules(&tables, 1).expect("the engine starts");
    for of in statements() {
        assert_eq!(answer(&few, &of), answer(&whole, &of), "{}", of.0);
    }
}

#[test]
fn few_rules_give_the_rows_of_all_rules_over_one_log() {
    compare(&["ior_hdf5_shared.darshan"]);
}

#[test]
fn few_rules_give_the_rows_of_all_rules_over_the_corpus() {
    compare(&[]);
}

#[test]
fn plans_of_other_logs_give_the_rows_of_plans_of_their_own() {
    let plans = Plans::default();
    // There and back: a plan that was made or has run over the one log serves the other.
    for log in [
        "ior_hdf5_shared.darshan",
        "nodxt_strided.darshan",
        "ior_hdf5_shared.darshan",
        "stdio_text.darshan",
    ] {
        let tables = tables(&[log]);
        let whole = Query::with_all_rules(&tables, 1).expect("the engine starts");
        let mut kept = Query::new(&tables, 1).expect("the engine starts");
        kept.share_plans(plans.clone());
        for of in statements() {
            assert_eq!(answer(&kept, &of), answer(&whole, &of), "{log}: {}", of.0);
        }
    }
}
