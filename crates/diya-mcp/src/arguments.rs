//! What the tools are asked with. The comments are what an assistant reads.

use crate::bounds::{MAX_LOGS, USUAL_ROWS};
use diya::Together;
use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

/// Logs of one job.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Logs {
    /// Paths of logs: .diya, .darshan, traces of other tools, directories of such traces, or
    /// archives of logs. Several logs of one job become one job.
    pub logs: Vec<String>,
}

/// Logs, and how much of the report is wanted.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReportQuestion {
    /// Paths of the logs.
    pub logs: Vec<String>,
    /// `brief`: verdict and list of findings; `normal`: with evidence and fixes; `verbose`: all.
    #[serde(default)]
    pub detail: Detail,
}

/// How much of a report.
#[derive(Debug, Default, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)] // the names say it
pub enum Detail {
    Brief,
    #[default]
    Normal,
    Verbose,
}

/// A name to be explained.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExplainQuestion {
    /// Id or code of a check, or name of a table or metric, such as `PX101`, `call`, `job_io`.
    /// Without a name: all tables and metrics in one line each.
    #[serde(default)]
    pub name: Option<String>,
}

/// Logs and a query.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SqlQuestion {
    /// Paths of the logs.
    pub logs: Vec<String>,
    /// One `select` statement. `explain` without a name lists the tables, with one its columns.
    pub query: String,
    /// Rows to show (default 50, at most 1000).
    #[serde(default = "usual_rows")]
    pub max_rows: usize,
    /// Exact values as CSV instead of values with units.
    #[serde(default)]
    pub exact: bool,
}

fn usual_rows() -> usize {
    USUAL_ROWS
}

/// Two runs, each with its repeats.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CompareQuestion {
    /// Logs of run A, the baseline; logs of several jobs are repeats of it.
    pub before: Vec<String>,
    /// Logs of run B; logs of several jobs are repeats of it.
    pub after: Vec<String>,
}

/// Logs and a view.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlotQuestion {
    /// Paths of the logs.
    pub logs: Vec<String>,
    /// `timeline`, `activity`, `heatmap`, `phases`, `stragglers`, `account`, `ranks`, `latency`,
    /// `requests`, `sizes`, `spatiality`, `targets`, `target-load` or `stacks`; `compare` draws two
    /// or three jobs.
    pub view: String,
    /// Width in pixels (default 800, at most 2000); the picture has twice as many.
    #[serde(default = "usual_width")]
    pub width: u32,
    /// Height in pixels (default: as high as the view needs; at most 2000).
    #[serde(default)]
    pub height: Option<u32>,
    /// Part of the path of the file that `spatiality` shows (default: the one with the most time).
    #[serde(default)]
    pub file: Option<String>,
}

fn usual_width() -> u32 {
    800
}

/// How the logs of a question form jobs.
pub const TOGETHER: Together = Together::OneJob;

/// Refuses lists that are empty or longer than a question needs.
pub fn checked(logs: &[String]) -> Result<(), String> {
    match logs.len() {
        0 => Err("no log is named: give at least one path in `logs`".to_owned()),
        count if count > MAX_LOGS => Err(format!(
            "{count} logs are named, at most {MAX_LOGS} are read: `diya fleet` makes a dataset of more"
        )),
        _ => Ok(()),
    }
}
