//! `diya merge LOG... -o NEW`

use super::convert::OutputArgs;
use super::open_options;
use crate::entry::{Entry, Group, arguments};
use crate::failure::{Done, Failure};
use crate::options::Common;
use crate::progress::Bar;
use clap::Args;
use diya::TableSet;
use diya::convert::ConvertOptions;
use diya::merge::{MergeError, MergeOptions, merge};
use std::path::PathBuf;

pub const COMMANDS: &[Entry] = &[Entry {
    name: "merge",
    group: Group::Convert,
    place: 3,
    help: "Merge several logs of one job (`collect` is for recordings)",
    examples: &[
        ("diya merge rank*.darshan -o job.darshan", "one log of all ranks"),
        ("diya merge logs.tar -o job.diya", "the logs of an archive"),
    ],
    augment: MergeArgs::augment_args,
    run: |given, common| run(&arguments(given), common),
    ..Entry::USUAL
}];

#[derive(Debug, Args)]
pub struct MergeArgs {
    /// Logs of one job, or folders or archives of them; with --force also of different jobs
    #[arg(required = true, value_name = "LOG")]
    pub logs: Vec<PathBuf>,
    #[command(flatten)]
    pub output: OutputArgs,
    /// Write one record instead of one per rank for files that all ranks opened
    #[arg(long)]
    pub reduce: bool,
    /// End of a job that was killed, in seconds since 1970
    #[arg(long, value_name = "SECONDS")]
    pub job_end_time: Option<i64>,
}

pub fn run(args: &MergeArgs, common: &Common) -> Result<Done, Failure> {
    let format = args.output.format()?;
    let bar = Bar::new(common);
    let inputs = diya::input::logs(&args.logs)?;
    let convert = ConvertOptions { is_reduced: args.reduce, ..args.output.options() };
    let options =
        MergeOptions { is_forced: args.output.force, end_time_s: args.job_end_time, convert };
    let open = open_options(common, None, TableSet::ALL, &bar);
    let merged = bar.during("merging", || merge(&inputs, format, &open, &options))?;
    let old_bytes = inputs.iter().map(diya::input::Input::size_bytes).sum();
    args.output.store(&merged, old_bytes, common)
}

impl From<MergeError> for Failure {
    fn from(error: MergeError) -> Self {
        match error {
            MergeError::Convert(error) => error.into(),
            refused @ (MergeError::OtherJob { .. } | MergeError::Twice { .. }) => {
                Self::Input(format!("{refused}; use --force to merge them anyway"))
            }
            other => Self::Input(other.to_string()),
        }
    }
}
