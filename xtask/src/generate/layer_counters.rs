//! Metric `file_use`: one query per layer, written from the roles that `schema/tables`
//! gives to the counters.
//!
//! What is above and below these queries is written by hand, in `file_use.sql` beside this
//! file: what is generated is whole, and nobody edits a part of it.

use super::schema::Table;
use diya_model::{Layer, Role};
use std::fmt::Write as _;
use std::path::PathBuf;

/// The metric, with `$recorded` where the queries of the layers stand.
const WRITTEN: &str = include_str!("file_use.sql");

/// The metric with the queries that follow from the tables.
pub fn files(tables: &[Table]) -> Vec<(PathBuf, String)> {
    let queries: Vec<String> = layers(tables).into_iter().map(query).collect();
    let origin = "  -- by `cargo xtask generate`, around these queries as in xtask/src/generate/file_use.sql";
    let queries = format!("{origin}\n{}", queries.join("\n  union all\n"));
    let statement = WRITTEN.replace("  $recorded", &queries);
    vec![(PathBuf::from("metrics/all/generated/file_use.sql"), statement)]
}

/// Tables of layers with counters; those that move data come first.
fn layers(tables: &[Table]) -> Vec<&Table> {
    let of = |layer: &Layer| tables.iter().find(|table| table.name == layer.name());
    let mut layers: Vec<&Table> = Layer::ALL.iter().filter_map(of).collect();
    layers.retain(|table| !columns(table, &[Role::Open]).is_empty());
    layers.sort_by_key(|table| columns(table, &[Role::Read]).is_empty());
    layers
}

fn columns<'t>(table: &'t Table, roles: &[Role]) -> Vec<&'t str> {
    let has_role = |name: &str| roles.iter().any(|role| role.name() == name);
    let columns = table.columns.iter().filter(|c| c.role.as_deref().is_some_and(has_role));
    columns.map(|c| c.name.as_str()).collect()
}

fn query(table: &Table) -> String {
    let of = |role: Role| columns(table, &[role]);
    let not_opens = of(Role::CountedAsOpen);
    let opens = sum(&of(Role::Open));
    let opens = match sum_or_zero(&not_opens) {
        None => opens,
        Some(others) => format!(
            "greatest({opens} - case when job.format = 'darshan' then {others} else 0 end, 0)"
        ),
    };
    let syncs = columns(table, &[Role::Sync, Role::Flush]);
    let times: Vec<&str> = Role::TIMES.into_iter().flat_map(of).collect();
    let of_rank = |shared: Role, own: &str| match of(shared).first() {
        Some(shared) => format!("case when rank < 0 then {shared} else {own} end"),
        None => "null".to_owned(),
    };
    let total = times.join(" + ");
    let time = |value: String| match value.as_str() {
        "null" => value,
        _ => format!("recorded_time({value})"),
    };
    let values = [
        ("opens", opens),
        ("reads", sum(&of(Role::Read))),
        ("writes", sum(&of(Role::Write))),
        ("seeks", sum(&of(Role::Seek))),
        ("stats", sum(&of(Role::Stat))),
        ("syncs", sum(&syncs)),
        ("bytes_read", sum(&of(Role::BytesRead))),
        ("bytes_written", sum(&of(Role::BytesWritten))),
        ("read_s", time(sum(&of(Role::ReadTime)))),
        ("write_s", time(sum(&of(Role::WriteTime)))),
        ("metadata_s", time(sum(&of(Role::MetadataTime)))),
        ("slowest_s", time(of_rank(Role::SlowestTime, &total))),
        ("slowest_rank", of_rank(Role::SlowestRank, "rank")),
        ("fastest_s", time(of_rank(Role::FastestTime, &total))),
        ("fastest_rank", of_rank(Role::FastestRank, "rank")),
        ("first_s", extreme("least", &columns(table, &Role::STARTS))),
        ("last_s", extreme("greatest", &columns(table, &Role::ENDS))),
        ("max_offset", extreme("greatest", &of(Role::MaxOffset))),
        ("rw_switches", sum(&of(Role::Switch))),
    ];
    let name = &table.name;
    let log = if not_opens.is_empty() { "log".to_owned() } else { format!("{name}.log") };
    let mut out = format!(
        "  -- from the roles in schema/tables/{name}.toml, by `cargo xtask generate`\n  \
         select {log},\n         file_id,\n         rank,\n         '{name}' as layer"
    );
    for (column, value) in values {
        let alias = if value == column { String::new() } else { format!(" as {column}") };
        let _ = write!(out, ",\n         {value}{alias}");
    }
    let _ = write!(out, "\n  from {name}");
    if !not_opens.is_empty() {
        let _ = write!(out, "\n  join job\n    on job.log = {name}.log");
    }
    out
}

/// The sum of those that are recorded; null where none is.
fn sum(columns: &[&str]) -> String {
    match (columns, sum_or_zero(columns)) {
        ([], _) | (_, None) => "null".to_owned(),
        ([one], _) => (*one).to_owned(),
        (several, Some(sum)) => {
            let any = several.join(", ");
            format!("case when coalesce({any}) is not null then {sum} end")
        }
    }
}

fn sum_or_zero(columns: &[&str]) -> Option<String> {
    let terms: Vec<String> = columns.iter().map(|c| format!("coalesce({c}, 0)")).collect();
    (!terms.is_empty()).then(|| terms.join(" + "))
}

/// The least or the greatest of those that are recorded.
fn extreme(function: &str, columns: &[&str]) -> String {
    match columns {
        [] => "null".to_owned(),
        [one] => (*one).to_owned(),
        several => format!("{function}({})", several.join(", ")),
    }
}
