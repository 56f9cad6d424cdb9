//! What a server holds of one job: all tables, the calls, the report; answers
//! every question of a page.

use super::calls::{CALL_TABLES, store};
use super::rows::table_rows;
use super::tables;
use diya::context::{Context, ContextError};
use diya::diagnose::{CheckSet, DiagnoseError, MetricRows, diagnose};
use diya::input::Input;
use diya::{AskError, OpenOptions, Session, TableId};
use diya_metrics::Catalog;
use diya_query::Limits;
use diya_read::Workers as _;
use diya_report::Report;
use diya_timeline::{Answer, Orders, Store, answer};
use serde_json::{Value, json};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// A job could not be held for a page.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HeldError {
    /// The logs could not be read or judged.
    #[error(transparent)]
    Diagnose(#[from] DiagnoseError),
    /// A table could not be read.
    #[error(transparent)]
    Ask(#[from] AskError),
    /// What is known from outside the logs does not fit them.
    #[error(transparent)]
    Context(#[from] ContextError),
    /// The report has no form in JSON.
    #[error("the report could not be written as JSON: {0}")]
    Json(#[from] serde_json::Error),
}

/// Rows of each metric table in the report of a page: its views read some of
/// them row by row.
pub const PAGE_ROWS: usize = 100_000;
/// Rows of an answer to SQL.
const SQL_ROWS: usize = 100_000;
/// Time that a question to the engine may take.
const SQL_TIME: Duration = Duration::from_secs(120);

/// Says whether somebody still waits for an answer; `None`: somebody always does.
pub type IsWanted<'w> = Option<&'w dyn Fn() -> bool>;

/// The calls of a job, as a page asks for them.
struct Shown {
    store: Store,
    orders: Orders,
}

/// What is known of a job when it is judged.
struct Judged {
    session: Session<'static>,
    report: Report,
    /// The report as a page takes it.
    told: Answer,
}

/// One job that a page asks about.
///
/// Its calls can be asked for as soon as they are read: judging a hundred million of
/// them takes ten times as long. Questions wait for what they need.
#[derive(Default)]
pub struct Held {
    shown: OnceLock<Result<Shown, String>>,
    judged: OnceLock<Result<Judged, String>>,
}

impl Held {
    /// Reads the logs of one job, judges them, and keeps all tables.
    pub fn open(
        inputs: Vec<Input>,
        options: OpenOptions<'static>,
        checks: &CheckSet,
        context: &Context,
    ) -> Result<Self, HeldError> {
        let held = Self::default();
        held.fill(inputs, options, checks, context)?;
        Ok(held)
    }

    /// The same on a thread of its own: gives what can be asked at once.
    pub fn start(
        inputs: Vec<Input>,
        options: OpenOptions<'static>,
        checks: Arc<CheckSet>,
        context: Arc<Context>,
    ) -> Arc<Self> {
        let held = Arc::new(Self::default());
        let own = Arc::clone(&held);
        std::thread::spawn(move || {
            let fill = || own.fill(inputs, options, &checks, &context);
            // Who waits for an answer must get one, however this thread ends.
            let outcome = catch_unwind(AssertUnwindSafe(fill)).unwrap_or_else(|_| {
                own.fail("internal error while analysing this log; details are in the terminal where diya runs");
                Ok(())
            });
            if let Err(error) = outcome {
                own.fail(&error.to_string());
            }
        });
        held
    }

    fn fill(
        &self,
        inputs: Vec<Input>,
        options: OpenOptions<'static>,
        checks: &CheckSet,
        context: &Context,
    ) -> Result<(), HeldError> {
        let threads = options.threads;
        let mut session = Session::of_jobs(vec![inputs], options);
        context.add_to(&mut session)?;
        // Everything at once: each later wish would read the logs anew.
        let all = TableId::ALL.into_iter().map(|id| id.def().name);
        session.prepare(&all.collect::<Vec<_>>())?;
        let store = store(&session.tables_named(CALL_TABLES), threads);
        store.build_grids(&|pieces, work| threads.run(pieces, work));
        // Set once: nobody else fills this.
        let _first = self.shown.set(Ok(Shown { store, orders: Orders::default() }));
        let reports = diagnose(&mut session, checks, &MetricRows::All(PAGE_ROWS))?;
        let report = reports.into_iter().next().unwrap_or_default();
        let told = tables::answer(&report)?;
        let _first = self.judged.set(Ok(Judged { session, report, told }));
        Ok(())
    }

    /// What is not there yet will not come.
    fn fail(&self, reason: &str) {
        let _there = self.shown.set(Err(reason.to_owned()));
        let _there = self.judged.set(Err(reason.to_owned()));
    }

    /// Whether the job could not be read or judged.
    pub fn has_failed(&self) -> bool {
        self.judged.get().is_some_and(Result::is_err)
    }

    /// Calls that are held; 0: not read yet.
    pub fn calls(&self) -> usize {
        let shown = self.shown.get().and_then(|shown| shown.as_ref().ok());
        shown.map_or(0, |shown| shown.store.calls.len())
    }

    /// The report; waits for it. `None`: the job could not be judged.
    pub fn report(&self) -> Option<&Report> {
        self.judged().ok().map(|judged| &judged.report)
    }

    /// The calls; waits for them. `None`: the job could not be read.
    pub fn store(&self) -> Option<&Store> {
        self.shown().ok().map(|shown| &shown.store)
    }

    fn shown(&self) -> Result<&Shown, String> {
        self.shown.wait().as_ref().map_err(Clone::clone)
    }

    fn judged(&self) -> Result<&Judged, String> {
        self.judged.wait().as_ref().map_err(Clone::clone)
    }

    /// Answers a question of the page: `web/README.md`, "The wire format".
    pub fn answer(&self, question: &[u8]) -> Answer {
        self.answer_while(question, None)
    }

    /// The same; what the engine works on ends when `is_wanted` says no.
    pub fn answer_while(&self, question: &[u8], is_wanted: IsWanted<'_>) -> Answer {
        let asked: Value = serde_json::from_slice(question).unwrap_or(Value::Null);
        self.answered(&asked, question, is_wanted).unwrap_or_else(|text| Answer::error(&text))
    }

    fn answered(
        &self,
        asked: &Value,
        question: &[u8],
        is_wanted: IsWanted<'_>,
    ) -> Result<Answer, String> {
        match asked["method"].as_str() {
            // A page that can do without the diagnosis for now says so.
            Some("describe") if asked["is_early"] == true && self.judged.get().is_none() => {
                self.shown()?.describe(question, json!([]), false)
            }
            Some("describe") => {
                let tables = self.judged()?.tables();
                self.shown()?.describe(question, tables, true)
            }
            Some("report") => Ok(self.judged()?.told.clone()),
            Some("table") => self.judged()?.table(asked, is_wanted),
            Some("sql") => self.judged()?.sql(asked, is_wanted),
            _ => {
                let Shown { store, orders } = self.shown()?;
                answer(store, orders, question).ok_or_else(|| "there is no such question".into())
            }
        }
    }
}

impl Shown {
    /// The description of the calls, with the tables and the engine besides.
    fn describe(&self, question: &[u8], tables: Value, has_sql: bool) -> Result<Answer, String> {
        let described = answer(&self.store, &self.orders, question);
        let described = described.ok_or("there are no calls")?;
        Ok(described.amended(|head| {
            let is_browser = cfg!(target_family = "wasm");
            head["source"] = json!(if is_browser { "browser" } else { "server" });
            head["tables"] = tables;
            head["has_sql"] = json!(has_sql);
        }))
    }
}

impl Judged {
    fn tables(&self) -> Value {
        let entry = |name: &str, kind: &str| {
            let table = self.session.table(name)?;
            let (title, rows) = (table.def().doc, table.rows());
            Some(json!({ "name": name, "title": title, "kind": kind, "rows": rows }))
        };
        let metrics = Catalog::built_in().metrics().filter_map(|m| entry(m.def.name, "metric"));
        let base = TableId::ALL.into_iter().filter_map(|id| entry(id.def().name, "base"));
        metrics.chain(base).collect()
    }

    /// A part of a table, sorted and searched by the engine.
    fn table(&self, asked: &Value, is_wanted: IsWanted<'_>) -> Result<Answer, String> {
        let name = asked["name"].as_str().unwrap_or_default();
        let table = self.session.table(name).ok_or_else(|| format!("there is no table {name}"))?;
        let def = table.def();
        let number = |name: &str| asked[name].as_u64().unwrap_or(0);
        let quoted = |text: &str| text.replace('\'', "''");
        let mut rest = String::new();
        let search = asked["search"].as_str().unwrap_or_default();
        if !search.is_empty() {
            let texts = def.columns.iter().filter(|c| c.kind == diya::Kind::Str);
            let found = |c: &diya::ColumnDef| {
                format!("strpos(lower({}), lower('{}')) > 0", c.name, quoted(search))
            };
            let any: Vec<String> = texts.map(found).collect();
            rest = format!(
                " where {}",
                if any.is_empty() { "false".into() } else { any.join(" or ") }
            );
        }
        let count =
            self.ask(&format!("select count(*) as n from {}{rest}", def.name), 1, is_wanted)?;
        let rows_in_all = count
            .batches
            .first()
            .and_then(|batch| table_rows(&count, None, batch.num_rows())["rows"][0][0].as_u64());
        if let Some(column) = asked["sort"]["column"].as_str() {
            let column = def.column(column).map(|place| def.columns[place].name);
            let column = column.ok_or("there is no such column")?;
            let is_descending = asked["sort"]["is_descending"].as_bool().unwrap_or(false);
            let direction = if is_descending { "desc" } else { "asc" };
            rest.push_str(&format!(" order by {column} {direction} nulls last"));
        }
        let rows = number("count").min(SQL_ROWS as u64);
        let first = number("first");
        let sql = format!("select * from {}{rest} limit {rows} offset {first}", def.name);
        let rows = self.ask(&sql, SQL_ROWS, is_wanted)?;
        let rows_in_all = rows_in_all.and_then(|n| usize::try_from(n).ok()).unwrap_or(0);
        Ok(Answer::default().with_head(&table_rows(&rows, Some(def), rows_in_all)))
    }

    fn sql(&self, asked: &Value, is_wanted: IsWanted<'_>) -> Result<Answer, String> {
        let text = asked["text"].as_str().unwrap_or_default().trim();
        let text = text.strip_suffix(';').unwrap_or(text);
        let limit = asked["limit"].as_u64().and_then(|n| usize::try_from(n).ok());
        let rows = self.ask(text, SQL_ROWS, is_wanted)?;
        let rows_in_all = rows.batches.iter().map(|batch| batch.num_rows()).sum();
        let mut head = table_rows(&rows, None, rows_in_all);
        if let (Some(limit), Some(lines)) = (limit, head["rows"].as_array_mut()) {
            lines.truncate(limit);
        }
        Ok(Answer::default().with_head(&head))
    }

    fn ask(
        &self,
        sql: &str,
        rows: usize,
        is_wanted: IsWanted<'_>,
    ) -> Result<diya_query::Rows, String> {
        let engine = self.session.engine().map_err(|e| e.to_string())?;
        let limits = Limits { rows: rows.max(1), time: SQL_TIME };
        engine.run_while(sql, limits, is_wanted).map_err(|e| e.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The head of an answer: JSON behind a magic number and a length.
    fn head(held: &Held, question: &str) -> Value {
        let answer = held.answer(question.as_bytes());
        let [bytes, _columns] = answer.parts();
        let length = u32::from_le_bytes(bytes[4..8].try_into().unwrap());
        serde_json::from_slice(&bytes[8..8 + length as usize]).unwrap()
    }

    /// A job whose calls are read and that is not judged yet.
    fn read() -> Held {
        let held = Held::default();
        let shown = Shown { store: Store::default(), orders: Orders::default() };
        assert!(held.shown.set(Ok(shown)).is_ok());
        held
    }

    const EARLY: &str = r#"{"method":"describe","is_early":true}"#;

    #[test]
    fn a_page_is_described_before_its_job_is_judged() {
        let early = head(&read(), EARLY);
        assert_eq!(early["has_sql"], false);
        assert_eq!(early["tables"], json!([]));
        assert_eq!(early["source"], "server");
    }

    #[test]
    fn a_job_that_cannot_be_judged_still_shows_its_calls() {
        let held = read();
        held.fail("the disk is full");
        assert!(held.has_failed());
        assert_eq!(head(&held, EARLY)["error"], "the disk is full");
        assert_eq!(head(&held, r#"{"method":"report"}"#)["error"], "the disk is full");
        assert!(held.store().is_some());
    }
}
