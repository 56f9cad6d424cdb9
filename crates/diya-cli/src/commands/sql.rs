//! `diya sql LOG... "select ..."`, or a prompt when there is no query.

use super::answers::{content_of, print, result_format, write};
use super::{call_options, report_losses};
use crate::entry::{Entry, Group, arguments};
use crate::failure::{Done, Failure};
use crate::options::{CallFilter, Common, RowFormat};
use crate::output::to_file;
use crate::progress::Bar;
use crate::prompt;
use clap::Args;
use diya::{Session, TableSet};
use std::path::PathBuf;

pub const COMMANDS: &[Entry] = &[Entry {
    name: "sql",
    group: Group::Look,
    place: 9,
    help: "Run SQL queries on the tables of one or more logs",
    examples: &[
        ("diya sql app.diya", "a prompt with help and completion"),
        ("diya sql app.diya \"select * from job\"", "one query"),
        ("diya sql logs/ -f query.sql --format csv -o rows.csv", "of a file, into a file"),
    ],
    augment: SqlArgs::augment_args,
    run: |given, common| run(&arguments(given), common),
    ..Entry::USUAL
}];

#[derive(Debug, Args)]
pub struct SqlArgs {
    /// Logs or folders of logs, then the query; without a query, opens a prompt
    #[arg(required = true, value_name = "LOG|QUERY")]
    pub names: Vec<PathBuf>,
    /// Read the query from a file
    #[arg(long, short = 'f', value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Format of the rows
    #[arg(long, value_enum, default_value_t = RowFormat::Table)]
    pub format: RowFormat,
    /// Write the rows to a file
    #[arg(long, short = 'o', value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub filter: CallFilter,
}

pub fn run(args: &SqlArgs, common: &Common) -> Result<Done, Failure> {
    let (logs, query) = split(args)?;
    let bar = Bar::new(common);
    let inputs = diya::input::logs(logs)?;
    let options = call_options(common, &args.filter, TableSet::NONE, &bar);
    let mut session = Session::new(inputs, options);
    let format = result_format(if common.json { RowFormat::Json } else { args.format });
    match query {
        Some(query) => {
            let answers = bar.during("working", || session.ask(&query))?;
            match &args.output {
                Some(path) => {
                    to_file(path, content_of(format), |out| {
                        write(out, &answers, format, None).map(drop)
                    })?;
                }
                None => print(&answers, format, common)?,
            }
        }
        None => prompt::run(&mut session, format, common)?,
    }
    Ok(report_losses(common, session.refused(), session.issues()))
}

/// Logs, and the query: of `-f`, or the last name when it is no file.
fn split(args: &SqlArgs) -> Result<(&[PathBuf], Option<String>), Failure> {
    if let Some(file) = &args.file {
        let text = std::fs::read_to_string(file);
        let text = text.map_err(|e| diya::input::file_error(file, e))?;
        return Ok((&args.names, Some(text)));
    }
    let Some((last, rest)) = args.names.split_last() else { return Ok((&args.names, None)) };
    // A query has blanks in it; a file that is not there is a file with a typing error.
    let query = last.to_str().filter(|text| text.contains(char::is_whitespace) && !last.exists());
    match query {
        Some(_) if rest.is_empty() => {
            Err(Failure::Input("no log was named; expected: diya sql LOG... \"select ...\"".into()))
        }
        Some(query) => Ok((rest, Some(query.to_string()))),
        None => Ok((&args.names, None)),
    }
}
