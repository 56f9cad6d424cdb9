//! `diya phases|ranks|files|targets|calls LOG...`: the tables behind a report.

use super::{open_options, report_losses};
use crate::commands::answers::{content_of, result_format, write};
use crate::commands::outside::OutsideArgs;
use crate::failure::{Done, Failure};
use crate::options::{Common, RowFormat};
use crate::output::{Content, to_stdout};
use crate::progress::Bar;
use clap::Args;
use diya::export::{Readable, write_readable};
use diya::views::{VIEWS, View, view};
use diya::{OpenOptions, Rows, Session, TableSet};
use std::path::PathBuf;

/// Characters of a path where the width of the terminal is not known.
const PATH_WIDTH: usize = 48;

#[derive(Debug, Args)]
pub struct ViewArgs {
    /// Logs or archives of logs; without a log, lists the views
    #[arg(value_name = "LOG")]
    pub logs: Vec<PathBuf>,
    /// View to show (default: the first in the list)
    #[arg(long, short, value_name = "VIEW")]
    pub view: Option<String>,
    /// Show only rows that meet a condition in SQL, for example "rank = 3 and time_s > 1"
    #[arg(long = "where", value_name = "CONDITION")]
    pub filter: Option<String>,
    /// Include files without data of the program: /proc, pipes, sockets
    #[arg(long)]
    pub system_files: bool,
    /// Maximum number of rows; 0: all
    #[arg(long, value_name = "N", default_value_t = 40)]
    pub limit: usize,
    #[command(flatten)]
    pub outside: OutsideArgs,
    /// Format of the rows
    #[arg(long, value_enum, default_value_t = RowFormat::Table)]
    pub format: RowFormat,
}

pub fn run(subject: &str, args: &ViewArgs, common: &Common) -> Result<Done, Failure> {
    if args.logs.is_empty() {
        list(subject)?;
        return Ok(Done::WHOLE);
    }
    let name = args.view.as_deref();
    let chosen = view(subject, name).ok_or_else(|| unknown(subject, name.unwrap_or_default()))?;
    let bar = Bar::new(common);
    let inputs = diya::input::logs(&args.logs)?;
    let is_one_log = inputs.len() == 1;
    let options = open_options(common, None, TableSet::NONE, &bar);
    let options = OpenOptions { skips_system: !args.system_files, ..options };
    let mut session = Session::new(inputs, options);
    args.outside.add_to(&mut session)?;
    let sql = chosen.sql(args.filter.as_deref());
    let answers = bar.during("working", || session.ask(&sql))?;
    let format = if common.json { RowFormat::Json } else { args.format };
    match (format, answers.first()) {
        (RowFormat::Table, Some(rows)) => print(chosen, rows, is_one_log, args.limit, common)?,
        _ => {
            let format = result_format(format);
            to_stdout(content_of(format), |out| write(out, &answers, format))?;
        }
    }
    Ok(report_losses(common, session.refused(), session.issues()))
}

fn print(
    view: &View,
    rows: &Rows,
    is_one_log: bool,
    limit: usize,
    common: &Common,
) -> Result<(), Failure> {
    let mut hidden = 0;
    to_stdout(Content::Text, |out| {
        let how = Readable { limit, path_width: PATH_WIDTH, is_one_log };
        hidden = write_readable(out, rows, how)?;
        Ok(())
    })?;
    if common.quiet {
        return Ok(());
    }
    let is_empty = rows.batches.iter().all(|batch| batch.num_rows() == 0);
    if is_empty {
        say!(
            "nothing to show under \"{}\"; what needs single calls is recorded by \
             `diya run`, or by Darshan with DXT",
            view.title()
        );
    } else if hidden > 0 {
        say!("{hidden} more rows; --limit 0 prints all");
    }
    Ok(())
}

fn list(subject: &str) -> Result<(), Failure> {
    use std::io::Write as _;
    to_stdout(Content::Text, |out| {
        for view in VIEWS.iter().filter(|view| view.subject == subject) {
            writeln!(out, "{:<12} {}", view.name, view.title())?;
        }
        Ok(writeln!(out, "\n`diya {subject} LOG --view VIEW` prints one of them.")?)
    })
}

fn unknown(subject: &str, name: &str) -> Failure {
    let known: Vec<&str> =
        VIEWS.iter().filter(|view| view.subject == subject).map(|view| view.name).collect();
    Failure::Input(format!(
        "there is no view {name:?} of {subject}; expected: {}",
        known.join(", ")
    ))
}
