//! Metric tables as a part of reports.

use super::cells::{Cells, Row};
use crate::{AskError, Session};
use diya_metrics::Catalog;
use diya_report::{MetricColumn, MetricTable};
use std::collections::BTreeMap;

/// How much of the metric tables a report holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MetricRows {
    /// Nothing.
    None,
    /// Every table, so many rows of each and log.
    All(usize),
    /// These tables, so many rows of each and log.
    Some(Vec<String>, usize),
}

impl MetricRows {
    pub(super) fn names(&self, catalog: &'static Catalog) -> Vec<&str> {
        match self {
            Self::None => Vec::new(),
            Self::All(_) => catalog.metrics().map(|metric| metric.def.name).collect(),
            Self::Some(names, _) => names.iter().map(String::as_str).collect(),
        }
    }

    pub(super) fn limit(&self) -> usize {
        match self {
            Self::None => 0,
            Self::All(limit) | Self::Some(_, limit) => *limit,
        }
    }
}

/// The tables that reports hold, of all logs.
pub(super) struct MetricTables {
    tables: Vec<Cells>,
    limit: usize,
}

/// Takes them from the session; those that failed are not there.
pub(super) fn read(
    session: &Session<'_>,
    names: &[&str],
    limit: usize,
) -> Result<MetricTables, AskError> {
    let tables = names.iter().filter_map(|name| session.table(name));
    Ok(MetricTables { tables: tables.map(|table| Cells::read(&**table)).collect(), limit })
}

impl MetricTables {
    /// Those of one log.
    pub fn of(&self, log: i32) -> BTreeMap<String, MetricTable> {
        self.tables
            .iter()
            .map(|table| (table.def().name.to_owned(), part(table, log, self.limit)))
            .collect()
    }
}

fn part(table: &Cells, log: i32, limit: usize) -> MetricTable {
    let def = table.def();
    let rows = table.rows(log);
    let columns = def.columns.iter().skip(1).map(|column| MetricColumn {
        name: column.name.to_owned(),
        kind: column.kind.name().to_owned(),
        unit: column.unit.to_owned(),
        doc: match column.null {
            Some(null) => format!("{}; null: {null}", column.doc),
            None => column.doc.to_owned(),
        },
    });
    MetricTable {
        title: def.doc.to_owned(),
        columns: columns.collect(),
        rows_in_all: rows.len() as u64,
        rows: kept(rows.collect(), limit).into_iter().map(|row| row.values()).collect(),
    }
}

/// So many rows, in their order: of a larger table those with the most time.
fn kept(mut rows: Vec<Row<'_>>, limit: usize) -> Vec<Row<'_>> {
    if rows.len() > limit {
        let time_s = |row: &Row<'_>| row.number("time_s").unwrap_or(0.0);
        let mut places: Vec<(f64, usize)> =
            rows.iter().enumerate().map(|(at, row)| (time_s(row), at)).collect();
        // The first rows where a table has no times.
        places.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        places.truncate(limit);
        places.sort_by_key(|(_, at)| *at);
        rows = places.into_iter().map(|(_, at)| rows[at]).collect();
    }
    rows
}
