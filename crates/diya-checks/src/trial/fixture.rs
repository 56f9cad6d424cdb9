//! Text tables as tables of the query engine.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::{Case, Check, METRICS_NEEDED, TextTable};
use diya_metrics::{Catalog, compute};
use diya_query::Query;
use diya_tables::{
    BatchSource, Batches, ColumnDef, Kind, NullWhen, TableBuilder, TableDef, TableId, record_id,
};

/// A query engine over cases: case 0 is log 0, and so on. Every case has a job
/// of 100 s unless it says otherwise. Metrics that the checks need and no case
/// gives as a table are computed.
pub fn query_over(cases: &[Case], checks: &[Check]) -> Result<Query, String> {
    let mut builders: BTreeMap<&str, TableBuilder> =
        TableId::ALL.into_iter().map(|id| (id.def().name, TableBuilder::new(id.def()))).collect();
    for (log, case) in cases.iter().enumerate() {
        let log = i32::try_from(log).map_err(|e| e.to_string())?;
        let mut names: BTreeMap<String, bool> = BTreeMap::new();
        for (name, table) in &case.fixtures {
            if let Some(metric) = Catalog::built_in().get(name) {
                let def = metric.def;
                builders.entry(def.name).or_insert_with(|| TableBuilder::new(def));
            }
            let builder = builders
                .get_mut(name.as_str())
                .ok_or_else(|| format!("line {}: there is no table {name}", table.line))?;
            push(builder, table, log)?;
            for file in files_of(table) {
                *names.entry(file).or_default() |= name == "file";
            }
        }
        let file = builders.get_mut("file").ok_or("there is no table file")?;
        for (path, _) in names.iter().filter(|(_, has_row)| !**has_row) {
            row(file, log, &BTreeMap::from([("file", Some(path.as_str()))]))?;
        }
        if !case.fixtures.iter().any(|(name, _)| name == "job") {
            let job = builders.get_mut("job").ok_or("there is no table job")?;
            let cells = [("run_time_s", Some("100")), ("nprocs", Some("4"))];
            row(job, log, &BTreeMap::from(cells))?;
        }
    }
    let needs = checks.iter().flat_map(|check| &check.needs).map(String::as_str);
    let needs = needs.chain(METRICS_NEEDED.iter().copied());
    let wanted: Vec<&str> = needs.filter(|need| !builders.contains_key(need)).collect();
    let mut sources: Vec<Arc<dyn BatchSource>> = builders
        .into_values()
        .map(|builder| -> Arc<dyn BatchSource> {
            Arc::new(Batches::new(builder.def(), vec![builder.into_batch()]))
        })
        .collect();
    let computed = compute(Catalog::built_in(), &sources, &wanted, 1).map_err(|e| e.to_string())?;
    if let Some(failed) = computed.failed.first() {
        return Err(format!("metric {}: {}", failed.metric, failed.error));
    }
    sources.extend(computed.tables);
    Query::new(&sources, 1).map_err(|e| e.to_string())
}

fn files_of(table: &TextTable) -> Vec<String> {
    let Some(place) = table.columns.iter().position(|name| name == "file") else {
        return Vec::new();
    };
    table.rows.iter().filter_map(|row| row[place].clone()).collect()
}

fn push(builder: &mut TableBuilder, table: &TextTable, log: i32) -> Result<(), String> {
    for cells in &table.rows {
        let columns = table.columns.iter().map(String::as_str);
        let cells = columns.zip(cells.iter().map(Option::as_deref)).collect();
        row(builder, log, &cells).map_err(|e| format!("line {}: {e}", table.line))?;
    }
    Ok(())
}

/// A row of the given cells; the column `file` stands for `file_id`, and in
/// table `file` for the path, too.
fn row(
    builder: &mut TableBuilder,
    log: i32,
    cells: &BTreeMap<&str, Option<&str>>,
) -> Result<(), String> {
    let def = builder.def();
    for name in cells.keys() {
        if *name != "file" && def.column(name).is_none() {
            return Err(format!("table {} has no column {name}", def.name));
        }
    }
    let log = log.to_string();
    for (place, column) in def.columns.iter().enumerate() {
        let file = cells.get("file").copied().flatten();
        let id = file.map(|file| record_id(file.as_bytes()).to_string());
        let given = match column.name {
            "log" => Some(Some(log.as_str())),
            "file_id" => Some(id.as_deref().or(Some("0"))),
            "path" if def.name == "file" => Some(file),
            name => cells.get(name).copied(),
        };
        let value = given.unwrap_or_else(|| default(def, column));
        cell(builder, place, column.kind, value)?;
    }
    builder.end_row();
    Ok(())
}

/// What stands in a column that a case does not give: 0 for counters, which a
/// log always holds; null where null is allowed.
fn default(def: &TableDef, column: &ColumnDef) -> Option<&'static str> {
    let is_counter = column.darshan.is_some()
        && matches!(column.null_when, NullWhen::Never | NullWhen::MinusOne);
    match column.kind {
        _ if is_counter => Some("0"),
        _ if column.null.is_some() => None,
        Kind::Str => Some(""),
        Kind::Bool => Some("false"),
        // A row of these tables stands for one call unless it says otherwise.
        _ if def.name == "call" && column.name == "calls" => Some("1"),
        _ => Some("0"),
    }
}

fn cell(
    builder: &mut TableBuilder,
    place: usize,
    kind: Kind,
    value: Option<&str>,
) -> Result<(), String> {
    fn parsed<T: std::str::FromStr>(value: Option<&str>) -> Result<Option<T>, String> {
        value.map(|v| v.parse().map_err(|_| format!("{v:?} is of another type"))).transpose()
    }
    match kind {
        Kind::Bool => builder.push_bool(place, parsed(value)?),
        Kind::I32 => builder.push_i32(place, parsed(value)?),
        Kind::I64 | Kind::TimestampNs => builder.push_i64(place, parsed(value)?),
        Kind::U64 => builder.push_u64(place, parsed(value)?),
        Kind::F64 => builder.push_f64(place, parsed(value)?),
        Kind::Str => builder.push_str(place, value),
    }
    Ok(())
}
