//! Answers about one job: from its calls, from its tables, from the engine.

use super::rows::table_rows;
use diya::{ColumnDef, Kind, Rows, Session, TableId};
use diya_metrics::Catalog;
use diya_query::{CancelToken, Limits};
use diya_report::Report;
use diya_timeline::{
    Answer, DescribeQuestion, Orders, Question, SqlQuestion, Store, TableEntry, TableQuestion,
    TableSort, ToJson, answer,
};
use serde_json::{Value, json};
use std::time::Duration;

/// Rows of an answer to SQL.
const SQL_ROWS: usize = 100_000;
/// Time that a question to the engine may take.
const SQL_TIME: Duration = Duration::from_secs(120);

/// The calls of a job, as a page asks for them.
pub(super) struct Timeline {
    pub store: Store,
    pub orders: Orders,
}

/// What is known of a job when it is judged.
pub(super) struct Diagnosis {
    pub session: Session<'static>,
    pub report: Report,
    /// The report as a page takes it.
    pub page_report: Answer,
}

impl Timeline {
    /// The answer to a question about the calls.
    pub fn answer(&self, question: &Question) -> Result<Answer, String> {
        answer(&self.store, &self.orders, question)
            .ok_or_else(|| "the calls do not answer this question".into())
    }

    /// The description of the calls, with the tables and the engine besides.
    pub fn describe(&self, tables: Value, has_sql: bool) -> Result<Answer, String> {
        let described = self.answer(&Question::Describe(DescribeQuestion::default()))?;
        Ok(described.amended(|head| {
            let is_browser = cfg!(target_family = "wasm");
            head["source"] = json!(if is_browser { "browser" } else { "server" });
            head["tables"] = tables;
            head["has_sql"] = json!(has_sql);
        }))
    }
}

impl Diagnosis {
    /// The list of tables, for the description.
    pub fn tables(&self) -> Value {
        let entry = |name: &str, kind: &'static str| {
            let table = self.session.table(name)?;
            let (title, rows) = (table.def().doc, table.rows());
            let (name, title) = (name.to_owned(), title.to_owned());
            Some(TableEntry { name, title, kind, rows })
        };
        let metrics = Catalog::built_in().metrics().filter_map(|m| entry(m.def.name, "metric"));
        let base = TableId::ALL.into_iter().filter_map(|id| entry(id.def().name, "base"));
        metrics.chain(base).collect::<Vec<TableEntry>>().to_json()
    }

    /// A part of a table, sorted and searched by the engine.
    pub fn table(
        &self,
        asked: &TableQuestion,
        is_cancelled: CancelToken<'_>,
    ) -> Result<Answer, String> {
        let TableQuestion { name, first, count, sort, search } = asked;
        let table = self.session.table(name).ok_or_else(|| format!("there is no table {name}"))?;
        let def = table.def();
        let quoted = |text: &str| text.replace('\'', "''");
        let mut rest = String::new();
        if !search.is_empty() {
            let texts = def.columns.iter().filter(|c| c.kind == Kind::Str);
            let found = |c: &ColumnDef| {
                format!("strpos(lower({}), lower('{}')) > 0", c.name, quoted(search))
            };
            let any: Vec<String> = texts.map(found).collect();
            rest = format!(
                " where {}",
                if any.is_empty() { "false".into() } else { any.join(" or ") }
            );
        }
        let all = format!("select count(*) as n from {}{rest}", def.name);
        let all = self.ask(&all, 1, is_cancelled)?;
        let rows_in_all = all
            .batches
            .first()
            .and_then(|batch| table_rows(&all, None, batch.num_rows())["rows"][0][0].as_u64());
        if let Some(TableSort { column, is_descending }) = sort {
            let column = def.column(column).map(|place| def.columns[place].name);
            let column = column.ok_or("there is no such column")?;
            let direction = if *is_descending { "desc" } else { "asc" };
            rest.push_str(&format!(" order by {column} {direction} nulls last"));
        }
        let count = (*count as usize).min(SQL_ROWS);
        let sql = format!("select * from {}{rest} limit {count} offset {first}", def.name);
        let rows = self.ask(&sql, SQL_ROWS, is_cancelled)?;
        let rows_in_all = rows_in_all.and_then(|n| usize::try_from(n).ok()).unwrap_or(0);
        Ok(Answer::default().with_head(&table_rows(&rows, Some(def), rows_in_all)))
    }

    /// An answer of the engine, cut to `limit` rows.
    pub fn sql(
        &self,
        asked: &SqlQuestion,
        is_cancelled: CancelToken<'_>,
    ) -> Result<Answer, String> {
        let text = asked.text.trim();
        let text = text.strip_suffix(';').unwrap_or(text);
        let rows = self.ask(text, SQL_ROWS, is_cancelled)?;
        let rows_in_all = rows.batches.iter().map(|batch| batch.num_rows()).sum();
        let mut head = table_rows(&rows, None, rows_in_all);
        if let (Some(limit), Some(lines)) = (asked.limit, head["rows"].as_array_mut()) {
            lines.truncate(limit as usize);
        }
        Ok(Answer::default().with_head(&head))
    }

    fn ask(&self, sql: &str, rows: usize, is_cancelled: CancelToken<'_>) -> Result<Rows, String> {
        let engine = self.session.engine().map_err(|e| e.to_string())?;
        let limits = Limits { rows: rows.max(1), time: SQL_TIME, ..Limits::OF_A_PERSON };
        engine.run_cancellable(sql, limits, is_cancelled).map_err(|e| e.to_string())
    }
}
