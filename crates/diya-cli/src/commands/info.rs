//! `diya info LOG...`

use super::{open_options, report_losses};
use crate::failure::{Done, Failure};
use crate::options::Common;
use crate::output::{Content, to_stdout};
use crate::progress::Bar;
use clap::Args;
use diya::info::{Info, info};
use diya::{OpenError, Refused, TableSet};
use std::io::Write as _;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct InfoArgs {
    /// Logs or archives of logs; `-` reads standard input
    #[arg(required = true, value_name = "LOG")]
    pub logs: Vec<PathBuf>,
}

pub fn run(args: &InfoArgs, common: &Common) -> Result<Done, Failure> {
    let bar = Bar::new(common);
    let options = open_options(common, None, TableSet::ALL, &bar);
    let inputs = diya::input::logs(&args.logs)?;
    let mut overviews: Vec<Info> = Vec::with_capacity(inputs.len());
    let mut refused: Vec<Refused> = Vec::new();
    for input in &inputs {
        match bar.during("reading", || info(input, &options)) {
            Ok(overview) => overviews.push(overview),
            Err(OpenError::Refused(refusal)) => refused.push(refusal),
            Err(other) => return Err(other.into()),
        }
    }
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
            overview.write_text(out)?;
        }
        Ok(())
    })?;
    // The overview itself shows the issues.
    Ok(report_losses(common, &refused, 0))
}
