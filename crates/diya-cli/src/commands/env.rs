//! `diya env`: the environment that records the programs of a batch script.

use crate::commands::apply::injection;
use crate::commands::record::{RecordArgs, input, note, settings};
use crate::entry::{Entry, Group, arguments};
use crate::failure::{Done, Failure};
use crate::options::Common;
use crate::output;
use clap::{Args, ValueEnum};
use diya::capture::{Note, SegmentDirectory, Settings, variables};
use std::ffi::OsStr;
use std::path::PathBuf;

pub const COMMANDS: &[Entry] = &[Entry {
    name: "env",
    group: Group::Record,
    place: 2,
    help: "Print environment variables that record a batch script",
    examples: &[
        ("eval \"$(diya env --gather $PWD/recording)\"", "in a batch script: sh, bash, zsh"),
        ("diya env --shell csh", "the same for csh and tcsh"),
    ],
    augment: EnvArgs::augment_args,
    run: |given, common| run(&arguments(given), common),
    ..Entry::USUAL
}];

/// Shell whose language is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Shell {
    /// sh, bash, zsh, ksh
    Sh,
    /// csh, tcsh
    Csh,
    /// fish
    Fish,
}

const ENV_HELP: &str = "In a batch script:

  eval \"$(diya env --gather $PWD/recording)\"
  srun ./app                    # or mpirun ./app
  diya collect \"$DIYA_DIR\" $PWD/recording -o app.diya

If the job is killed, what it recorded is in DIYA_DIR on each node; bring it home with
  srun --ntasks-per-node=1 diya collect \"$DIYA_DIR\" --pack $PWD/recording";

#[derive(Debug, Args)]
#[command(after_help = ENV_HELP)]
pub struct EnvArgs {
    #[command(flatten)]
    pub record: RecordArgs,
    /// Shared directory; the last process of each node copies the recording there
    #[arg(long, value_name = "DIR")]
    pub gather: Option<PathBuf>,
    /// Language to print
    #[arg(long, value_enum, default_value_t = Shell::Sh)]
    pub shell: Shell,
}

/// Prints the variables for a batch script.
pub fn run(args: &EnvArgs, _common: &Common) -> Result<Done, Failure> {
    let injection = injection(&args.record.apply)?;
    let directory = SegmentDirectory::create(args.record.segments.as_deref()).map_err(input)?;
    if let Some(why) = directory.passed_over() {
        say!("note: {why}; recording to {}", directory.path().display());
    }
    let note = Note { applied: injection.applied, ..note() };
    note.write(directory.path()).map_err(|e| Failure::Output(format!("{e}")))?;
    let folder = directory.path().to_path_buf();
    let settings = settings(&args.record, &injection.inside, folder, &note.host, None)?;
    let settings = Settings { gather: args.gather.clone(), ..settings };
    let mut all = variables(&settings, &|name| std::env::var_os(name));
    all.extend(injection.variables.into_iter().map(|(name, value)| (name, value.into())));
    output::to_stdout(output::Content::Binary, |out| {
        use std::io::Write as _;
        for (name, value) in &all {
            let value = quoted(value);
            match args.shell {
                Shell::Sh => writeln!(out, "export {name}={value}")?,
                Shell::Csh => writeln!(out, "setenv {name} {value}")?,
                Shell::Fish => writeln!(out, "set -gx {name} {value}")?,
            }
        }
        Ok(())
    })?;
    Ok(Done::WHOLE)
}

/// In quotes that every shell understands.
fn quoted(value: &OsStr) -> String {
    format!("'{}'", value.to_string_lossy().replace('\'', "'\\''"))
}
