//! `diya fleet watch`: what is new, worse and fixed since the last time, and users to call.
//!
//! The questions with a line `watch:` say what a problem is. A state file keeps the open ones
//! and who was called when; it holds no rows of jobs.

mod changes;
mod contacts;
mod markdown;
mod page;
mod prometheus;
mod state;
mod text;

pub use changes::{Change, Section, Transition};
pub use contacts::Contact;
pub use state::State;

use crate::{AskError, FleetQuery, Ingested, Question};
use diya_query::Rows;
use serde_json::{Map, Value};

/// A row of an answer: column to value.
pub(crate) type Row = Map<String, Value>;

/// How to watch.
#[derive(Debug, Clone)]
pub struct WatchOptions {
    /// Days before the latest start that count as now.
    pub days: f64,
    /// No user is called twice within so many days.
    pub quiet_days: u32,
    /// Users to call in one digest.
    pub most_calls: usize,
    /// Now, UTC.
    pub now: jiff::Timestamp,
}

impl WatchOptions {
    /// The day of the digest, UTC.
    fn today(&self) -> jiff::civil::Date {
        self.now.to_zoned(jiff::tz::TimeZone::UTC).date()
    }
}

/// What changed.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Digest {
    /// Of this form.
    pub version: u32,
    /// What wrote it.
    pub program: String,
    /// Name of the dataset.
    pub title: String,
    /// When, UTC.
    pub time: String,
    /// What was read for it.
    pub ingested: Ingested,
    /// Jobs, core-hours and bytes by system.
    pub systems: Vec<Row>,
    /// Files that were looked at, by what became of them.
    pub files: Vec<Row>,
    /// Problems that are new, worse or fixed, by question.
    pub sections: Vec<Section>,
    /// Questions without an answer, and why.
    pub failed: Vec<(String, String)>,
    /// Users to call.
    pub calls: Vec<Contact>,
    /// Users with savings who were called within the quiet days.
    pub called_before: usize,
    /// The days that count as now.
    pub days: f64,
    /// Open problems by question, the ones without change included.
    pub open: Vec<(String, usize)>,
}

impl FleetQuery {
    /// Compares the answers with the state, and brings that up to date.
    ///
    /// # Errors
    /// When the dataset cannot be read. A question that fails is named in the digest, and its
    /// problems stay as they are.
    pub fn watch(
        &self,
        title: &str,
        ingested: Ingested,
        questions: &[Question],
        state: &mut State,
        options: &WatchOptions,
    ) -> Result<Digest, AskError> {
        let changes = changes::find(self, questions, state, options)?;
        let calls = contacts::choose(self, questions, state, options)?;
        Ok(Digest {
            version: 1,
            program: format!("diya {}", diya::VERSION),
            title: title.to_owned(),
            time: options.now.strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
            ingested,
            systems: self.objects(include_str!("systems.sql"))?,
            files: self.objects(include_str!("../overview/files.sql"))?,
            sections: changes.sections,
            failed: changes.failed,
            calls: calls.calls,
            called_before: calls.called_before,
            days: options.days,
            open: state.open(questions),
        })
    }

    fn objects(&self, sql: &str) -> Result<Vec<Row>, AskError> {
        Ok(objects(&self.run(sql)?))
    }
}

/// Rows as JSON.
fn objects(rows: &Rows) -> Vec<Row> {
    let mut text = Vec::new();
    // Written into memory, of types that all have a form in JSON.
    let written = diya_export::write_rows(&mut text, rows, diya_export::ResultFormat::Json);
    let parsed = written.ok().and_then(|()| serde_json::from_slice(&text).ok());
    parsed.unwrap_or_default()
}

/// A value of a key or a label as text.
fn plain(value: Option<&Value>) -> String {
    match value {
        Some(Value::String(text)) => text.clone(),
        None | Some(Value::Null) => String::new(),
        Some(other) => other.to_string(),
    }
}

impl Digest {
    /// Sections of a kind.
    fn of(&self, kind: Transition) -> impl Iterator<Item = &Section> {
        self.sections.iter().filter(move |section| section.kind == kind)
    }

    /// How many problems are of a kind.
    pub fn count(&self, kind: Transition) -> usize {
        self.of(kind).map(|section| section.changes.len()).sum()
    }

    /// A JSON object a line: each change, then each call.
    pub fn json_lines(&self) -> String {
        let mut out = String::new();
        let mut line = |value: &Value| {
            out.push_str(&value.to_string());
            out.push('\n');
        };
        for section in &self.sections {
            for change in &section.changes {
                line(&serde_json::json!({
                    "kind": section.kind, "question": section.question, "time": self.time,
                    "before": change.before, "row": change.row,
                }));
            }
        }
        for call in &self.calls {
            let mut value = serde_json::json!(call);
            value["kind"] = "call".into();
            value["time"] = self.time.clone().into();
            line(&value);
        }
        out
    }
}
