//! `diya info LOG...`

use super::{open_options, report_losses};
use crate::entry::{Entry, Group, arguments};
use crate::failure::{Done, Failure};
use crate::options::Common;
use crate::output::{Content, room, to_stdout};
use crate::progress::Bar;
use clap::Args;
use diya::info::{Info, info};
use diya::{OpenError, Progress as _, Refused, TableSet};
use std::io::Write as _;
use std::path::PathBuf;

pub const COMMANDS: &[Entry] = &[Entry {
    name: "info",
    group: Group::Look,
    place: 8,
    help: "Show the header, contents and missing parts of a log",
    examples: &[
        ("diya info app.darshan", "what a log contains"),
        ("diya info logs/", "of each log of a folder"),
        ("diya info app.diya --json", "for a script"),
    ],
    augment: InfoArgs::augment_args,
    run: |given, common| run(&arguments(given), common),
    ..Entry::USUAL
}];

#[derive(Debug, Args)]
pub struct InfoArgs {
    /// Logs, folders or archives of logs; `-` reads standard input
    #[arg(required = true, value_name = "LOG")]
    pub logs: Vec<PathBuf>,
}

pub fn run(args: &InfoArgs, common: &Common) -> Result<Done, Failure> {
    let bar = Bar::new(common);
    let options = open_options(common, None, TableSet::ALL, &bar);
    let inputs = diya::input::logs(&args.logs)?;
    let mut overviews: Vec<Info> = Vec::with_capacity(inputs.len());
    let mut refused: Vec<Refused> = Vec::new();
    bar.during("reading", || -> Result<(), Failure> {
        for (read, input) in inputs.iter().enumerate() {
            bar.logs_read(read, inputs.len());
            match info(input, &options) {
                Ok(overview) => overviews.push(overview),
                Err(OpenError::Refused(refusal)) => refused.push(refusal),
                Err(other) => return Err(other.into()),
            }
        }
        Ok(())
    })?;
    if overviews.is_empty() && !refused.is_empty() {
        return Err(OpenError::Refused(refused.remove(0)).into());
    }
    to_stdout(Content::of(common.json), |out| {
        if common.json {
            serde_json::to_writer_pretty(&mut *out, &overviews).map_err(std::io::Error::from)?;
            return Ok(writeln!(out)?);
        }
        for (i, overview) in overviews.iter().enumerate() {
            if i > 0 {
                writeln!(out)?;
            }
            overview.write_text(out, room(false))?;
        }
        Ok(())
    })?;
    // The overview itself shows the issues.
    Ok(report_losses(common, &refused, 0))
}
