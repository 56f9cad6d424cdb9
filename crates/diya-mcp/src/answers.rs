//! What each tool answers.

use crate::arguments::{
    CompareQuestion, Detail, ExplainQuestion, Logs, PlotQuestion, ReportQuestion, SqlQuestion,
};
use crate::bounds::{
    MAX_ANSWER_CHARS, MAX_PIXELS, MAX_ROWS, MAX_SHOWN_ROWS, MAX_SQL_BYTES, MAX_STATEMENT, answer,
};
use crate::findings::Job;
use crate::jobs::{Jobs, Shared, jobs_in};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use diya::diagnose::{CheckSet, MetricRows, diagnose};
use diya::report::{self, Report, TextOptions};
use diya::{Limits, Rows, Session, explain};
use diya_compare::{CompareOptions, compare, session};
use diya_export::{Readable, ResultFormat, write_readable, write_rows};
use diya_plot::{Length, PlotFormat, PlotOptions, PlotTheme, PlotView, plot};
use rmcp::model::ContentBlock;
use std::fmt::Write as _;
use std::sync::{MutexGuard, PoisonError};

/// What a tool answers, or why it does not, in words for the assistant.
pub type Answer = Result<Vec<ContentBlock>, String>;

/// Characters of a path in a table.
const PATH_WIDTH: usize = 80;

/// Characters of a line.
const COLUMNS: usize = 100;

/// Everything that answers need.
pub struct Desk {
    /// Logs that are open.
    pub jobs: Jobs,
    /// What judges.
    pub checks: CheckSet,
}

fn text(text: &str) -> Answer {
    Ok(vec![ContentBlock::text(answer(text))])
}

fn written(write: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> Result<String, String> {
    let mut bytes = Vec::new();
    write(&mut bytes).map_err(|e| e.to_string())?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn locked(session: &Shared) -> MutexGuard<'_, Session<'static>> {
    session.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Desk {
    /// What the logs are: program, run time, layers, what is missing.
    pub fn open(&self, asked: &Logs) -> Answer {
        let mut out = String::new();
        for input in jobs_in(&asked.logs)?.into_iter().flatten() {
            match diya::info::info(&input, &self.jobs.options()) {
                Ok(info) => out.push_str(&written(|to| info.write_text(to, None))?),
                Err(error) if asked.logs.len() > 1 => {
                    let _ = writeln!(out, "{error}");
                }
                Err(error) => return Err(error.to_string()),
            }
            out.push('\n');
        }
        text(&out)
    }

    /// The report as text.
    pub fn report(&self, asked: &ReportQuestion) -> Answer {
        let detail = match asked.detail {
            Detail::Brief => report::Detail::Brief,
            Detail::Normal => report::Detail::Normal,
            Detail::Verbose => report::Detail::Verbose,
        };
        let options = TextOptions { columns: COLUMNS, colour: false, detail };
        let reports = self.reports(&asked.logs)?;
        let one = |to: &mut Vec<u8>, of: &Report| match asked.detail {
            Detail::Brief => report::write_brief_markdown(to, of),
            Detail::Normal | Detail::Verbose => report::write_text(to, of, &options),
        };
        let write = |to: &mut Vec<u8>| reports.iter().try_for_each(|report| one(to, report));
        text(&written(write)?)
    }

    /// The findings as data.
    pub fn findings(&self, asked: &Logs) -> Answer {
        let reports = self.reports(&asked.logs)?;
        let mut jobs: Vec<Job<'_>> = reports.iter().map(Job::of).collect();
        loop {
            let json = serde_json::to_string(&jobs).map_err(|e| e.to_string())?;
            // What is cut is no JSON: the last findings, which save the least, are left out.
            let is_left = json.chars().count() < MAX_ANSWER_CHARS;
            if is_left || !jobs.iter_mut().rev().any(Job::shorten) {
                return text(&json);
            }
        }
    }

    fn reports(&self, logs: &[String]) -> Result<Vec<Report>, String> {
        let session = self.jobs.session(logs)?;
        diagnose(&mut locked(&session), &self.checks, &MetricRows::None).map_err(|e| e.to_string())
    }

    /// What a check, a metric or a table is; without a name: which tables there are.
    pub fn explain(&self, asked: &ExplainQuestion) -> Answer {
        let Some(name) = asked.name.as_deref() else {
            let tables = diya::TableId::ALL.into_iter().map(|id| (id.def().name, id.def().doc));
            let mut out = "Tables that are read from logs:\n\n".to_owned();
            let line = |out: &mut String, (name, doc): (&str, &str)| {
                let _ = writeln!(out, "- {name}: {doc}");
            };
            tables.for_each(|table| line(&mut out, table));
            out.push_str("\nMetrics, computed from them; `select` takes both, `explain` says what each is:\n");
            let names: Vec<&str> = diya::metrics().map(|(name, _)| name).collect();
            out.push_str(&names.join(", "));
            return text(&out);
        };
        match explain::find(name, &self.checks) {
            Some(subject) => text(&subject.text()),
            None => {
                let near = explain::nearest(name, &self.checks).unwrap_or_default();
                Err(format!("{name:?} is no check, metric or table; nearest: {near}"))
            }
        }
    }

    /// Rows of a query; it ends when it is cancelled.
    pub fn sql(&self, asked: &SqlQuestion, is_cancelled: &dyn Fn() -> bool) -> Answer {
        if asked.query.len() > MAX_SQL_BYTES {
            let bytes = asked.query.len();
            return Err(format!("the query has {bytes} bytes, at most {MAX_SQL_BYTES} are read"));
        }
        let session = self.jobs.session(&asked.logs)?;
        let limits = Limits { rows: MAX_ROWS, time: MAX_STATEMENT, ..Limits::OF_A_PERSON };
        let answers = locked(&session).ask_within(&asked.query, limits, Some(is_cancelled));
        let answers = answers.map_err(|e| advice(&e.to_string()))?;
        let mut out = String::new();
        for rows in &answers {
            out.push_str(&shown(rows, asked)?);
        }
        text(&out)
    }

    /// What differs between two runs.
    pub fn compare(&self, asked: &CompareQuestion) -> Answer {
        let runs = [jobs_in(&asked.before)?, jobs_in(&asked.after)?];
        let counts: Vec<usize> = runs.iter().map(Vec::len).collect();
        let mut session = session(&runs, self.jobs.options());
        let options = CompareOptions::default();
        let compared = compare(&mut session, &counts, &self.checks, &options);
        let (comparison, _) = compared.map_err(|e| e.to_string())?;
        let options =
            TextOptions { columns: COLUMNS, colour: false, detail: report::Detail::Normal };
        text(&written(|to| report::write_comparison_text(to, &comparison, &options))?)
    }

    /// A view of a job as a picture.
    pub fn plot(&self, asked: &PlotQuestion) -> Answer {
        let view: PlotView = asked.view.parse().map_err(|reason| {
            let known: Vec<&str> = PlotView::ALL.iter().map(|view| view.name()).collect();
            format!("{reason}; there are {}", known.join(", "))
        })?;
        if asked.width.max(asked.height.unwrap_or_default()) > MAX_PIXELS {
            return Err(format!("a picture has at most {MAX_PIXELS} pixels in each direction"));
        }
        let session = self.jobs.session(&asked.logs)?;
        let file = asked.file.clone();
        let pixels = |pixels: u32| Length::Pixels(pixels as f32);
        let (width, height) = (pixels(asked.width), asked.height.map(pixels));
        let options = PlotOptions { width, height, theme: PlotTheme::Light, file };
        let picture = plot(&mut locked(&session), view, &options, PlotFormat::Png);
        let picture = BASE64_STANDARD.encode(picture.map_err(|e| e.to_string())?);
        let about = format!("{}: {}", view.name(), view.about());
        Ok(vec![ContentBlock::text(about), ContentBlock::image(picture, "image/png")])
    }
}

/// What to do about a query that failed, after the reason.
fn advice(reason: &str) -> String {
    let way_out = match reason {
        reason if reason.contains("longer than") || reason.contains("more than") => {
            "; aggregate, filter, or add `limit`"
        }
        reason if reason.contains("there is no ") || reason.contains("No field") => {
            "; `explain` lists tables and columns"
        }
        _ => "",
    };
    format!("{reason}{way_out}")
}

/// Rows as text, and how many are left out.
fn shown(rows: &Rows, asked: &SqlQuestion) -> Result<String, String> {
    let all: usize = rows.batches.iter().map(|batch| batch.num_rows()).sum();
    let most = asked.max_rows.clamp(1, MAX_SHOWN_ROWS);
    let mut out = match asked.exact {
        true => {
            let mut left = most;
            let first = rows.batches.iter().map(|batch| {
                let part = batch.slice(0, batch.num_rows().min(left));
                left -= part.num_rows();
                part
            });
            let part = Rows { schema: rows.schema.clone(), batches: first.collect() };
            let mut bytes = Vec::new();
            write_rows(&mut bytes, &part, ResultFormat::Csv)?;
            String::from_utf8_lossy(&bytes).into_owned()
        }
        false => {
            let how =
                Readable { limit: most, path_width: PATH_WIDTH, room: None, is_one_log: true };
            written(|to| write_readable(to, rows, how).map(|_| ()))?
        }
    };
    let _ = match all {
        all if all > most => writeln!(out, "[{most} of {all} rows]"),
        1 => writeln!(out, "[1 row]"),
        all => writeln!(out, "[{all} rows]"),
    };
    Ok(out)
}
