//! `diya diff A B`

use super::open_options;
use crate::entry::{Entry, Group, arguments};
use crate::failure::{Done, Failure};
use crate::options::{Common, Filter};
use crate::output::{Content, to_stdout};
use crate::progress::Bar;
use clap::Args;
use diya::diff::{DiffOptions, diff, write_text};
use diya::input::Input;
use diya::{TableSet, Tables, read_one};
use std::io::Write as _;
use std::path::{Path, PathBuf};

pub const COMMANDS: &[Entry] = &[Entry {
    name: "diff",
    group: Group::Compare,
    place: 3,
    help: "Show the differences between two logs; exit code 1 if any",
    examples: &[
        ("diya diff a.darshan b.darshan", "every difference of the data"),
        ("diya diff a.darshan b.diya --ignore-times", "of two runs of a program"),
    ],
    augment: DiffArgs::augment_args,
    run: |given, common| run(&arguments(given), common),
    ..Entry::USUAL
}];

#[derive(Debug, Args)]
pub struct DiffArgs {
    /// First log
    #[arg(value_name = "A")]
    pub a: PathBuf,
    /// Second log
    #[arg(value_name = "B")]
    pub b: PathBuf,
    /// Ignore data that differs in every run: job id, all times, heat maps, timed calls
    #[arg(long)]
    pub ignore_times: bool,
    #[command(flatten)]
    pub filter: Filter,
}

pub fn run(args: &DiffArgs, common: &Common) -> Result<Done, Failure> {
    let bar = Bar::new(common);
    let (input_a, a) = read(&args.a, args, common, &bar)?;
    let (input_b, b) = read(&args.b, args, common, &bar)?;
    let options = DiffOptions { ignores_times: args.ignore_times };
    let differences = bar.during("comparing", || diff(&a, &b, &options));
    to_stdout(Content::of(common.json), |out| {
        if common.json {
            serde_json::to_writer_pretty(&mut *out, &differences).map_err(std::io::Error::from)?;
            return Ok(writeln!(out)?);
        }
        Ok(write_text(out, (&input_a.name, &input_b.name), &differences)?)
    })?;
    // As diff(1) does: 1 says that there are differences.
    Ok(Done { losses: !differences.is_empty() })
}

fn read(
    path: &Path,
    args: &DiffArgs,
    common: &Common,
    bar: &Bar,
) -> Result<(Input, Tables), Failure> {
    let inputs = diya::input::logs(&[path])?;
    let [input] = inputs.as_slice() else {
        let (path, logs) = (path.display(), inputs.len());
        return Err(Failure::Input(format!("{path}: holds {logs} logs; diff compares two")));
    };
    let open = open_options(common, Some(&args.filter), TableSet::ALL, bar);
    let tables = bar.during("reading", || read_one(input, &open))?;
    Ok((input.clone(), tables))
}
