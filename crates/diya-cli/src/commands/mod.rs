//! One command is one file.

pub mod answers;
mod apply;
mod behind;
pub mod calibrate;
pub mod checks;
pub mod collect;
pub mod compare;
pub mod convert;
pub mod diff;
pub mod dump;
pub mod env;
pub mod export;
pub mod fleet;
pub mod gate;
pub mod info;
pub mod judge;
pub mod manual;
pub mod mcp;
pub mod merge;
pub mod outside;
pub mod plot;
pub mod record;
pub mod replay;
pub mod report;
pub mod run;
pub mod serve;
pub mod sql;
pub mod tables;
pub mod text;
pub mod tune;
mod tune_loop;
mod tuned;
mod verdict;
pub mod views;

use crate::failure::Done;
use crate::options::{CallFilter, Common, Filter};
use crate::progress::Bar;
use diya::input::{Input, InputError};
use diya::{OpenOptions, Refused, Selection, TableSet, Threads, Together, Within, by_job};
use std::path::PathBuf;

/// Options for opening logs, from the command line.
fn open_options<'a>(
    common: &Common,
    filter: Option<&Filter>,
    tables: TableSet,
    bar: &'a Bar,
) -> OpenOptions<'a> {
    let ranks = filter.and_then(|f| f.ranks.clone());
    OpenOptions {
        selection: Selection { ranks, ..Selection::tables(tables) },
        paths: filter.map(|f| f.paths.clone()).unwrap_or_default(),
        within: Within::default(),
        skips_system: false,
        as_recorded: false,
        threads: Threads::new(common.threads),
        progress: Some(bar),
    }
}

/// The same, for commands that can keep the calls of regions and steps.
fn call_options<'a>(
    common: &Common,
    filter: &CallFilter,
    tables: TableSet,
    bar: &'a Bar,
) -> OpenOptions<'a> {
    let options = open_options(common, Some(&filter.records), tables, bar);
    OpenOptions { within: filter.within(), ..options }
}

/// The jobs of the logs behind these names.
fn jobs(names: &[PathBuf], together: Together, bar: &Bar) -> Result<Vec<Vec<Input>>, InputError> {
    bar.during("looking for jobs", || Ok(by_job(diya::input::logs(names)?, together)))
}

/// Names the logs that were refused, and how many places were damaged.
fn report_losses(common: &Common, refused: &[Refused], issues: usize) -> Done {
    for refusal in refused {
        say!("{refusal}");
    }
    let issues = issues - refused.len().min(issues);
    if issues > 0 && !common.quiet {
        let rows = if issues == 1 { "1 row".into() } else { format!("{issues} rows") };
        say!("parts of the log are missing or uncertain: see the {rows} of table read_issue");
    }
    Done { losses: !refused.is_empty() }
}
