//! `diya tune LOG... -o DIR`: settings that fix findings, as files; with `--loop`, those of them
//! that help.

use crate::commands::judge::report_problems;
use crate::commands::tune_loop::{self, LoopArgs};
use crate::commands::tuned::{ChooseArgs, Planned, planned, write_files};
use crate::entry::{Entry, Group, arguments};
use crate::failure::{Done, Failure};
use crate::options::Common;
use crate::output::{Content, columns, to_stdout};
use clap::Args;
use diya::capture::{SegmentDirectory, watch};
use diya_tune::{Library, write_text, written};
use std::io::Write as _;
use std::path::PathBuf;

pub const COMMANDS: &[Entry] = &[
    Entry {
        name: "tune",
        group: Group::Fix,
        place: 1,
        help: "Write settings that fix findings: hints, striping, buffers",
        examples: &[
            ("diya tune app.diya -o tuned/", "write settings as files, with reasons"),
            ("diya run --apply tuned/ -- ./app", "run the program with them"),
            ("diya tune --loop 5 -- ./app", "try them in at most 5 runs"),
            ("diya tune --loop 9 --metric \"rate: ([0-9.]+)\" -- ./app", "by its own figure"),
        ],
        augment: TuneArgs::augment_args,
        run: |given, common| run(&arguments(given), common),
        ..Entry::USUAL
    },
    Entry {
        name: "guard",
        group: Group::SetUp,
        place: 9,
        help: "End the run of a killed `diya tune --loop`",
        is_hidden: true,
        passes_interrupt_on: true,
        augment: GuardArgs::augment_args,
        run: |given, _| Ok(guard(&arguments(given))),
        ..Entry::USUAL
    },
];

const LOOP_HELP: &str =
    "With --loop, the exit code is 0 whether a setting helps or not, 130 after Ctrl-C, and that of
COMMAND if it fails without settings. DIR holds the log of each run, the settings that were
tried, `keep` with those to use, and the page index.html.";

#[derive(Debug, Args)]
#[command(after_help = LOOP_HELP)]
pub struct TuneArgs {
    /// Logs of one job, or a folder or archive of them; with --clean, the folder of a killed loop
    #[arg(required_unless_present_any = ["runs", "command"], conflicts_with = "runs", value_name = "LOG")]
    pub logs: Vec<PathBuf>,
    /// Folder for the files; without it, the settings are only printed (with --loop: a new folder
    /// PROGRAM-tune-DATE)
    #[arg(long, short, value_name = "DIR")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub trials: LoopArgs,
    #[command(flatten)]
    pub choose: ChooseArgs,
}

/// What is asked of the process that guards a loop.
#[derive(Debug, Args)]
pub struct GuardArgs {
    /// Directory for temporary recording files
    #[arg(long, value_name = "DIR")]
    segments: Option<PathBuf>,
}

/// Waits for the end of the loop that started it.
fn guard(args: &GuardArgs) -> Done {
    if let Some(process) = watch(std::io::stdin()) {
        SegmentDirectory::remove_of(args.segments.as_deref(), process);
    }
    Done::WHOLE
}

pub fn run(args: &TuneArgs, common: &Common) -> Result<Done, Failure> {
    match (args.trials.runs, args.logs.as_slice()) {
        (None, [folder]) if args.trials.clean => {
            return tune_loop::clean(folder, args.trials.segments.as_deref());
        }
        _ if args.trials.clean => {
            return Err(Failure::Input("--clean takes only the folder of a loop".to_owned()));
        }
        (Some(runs), _) => {
            let output = args.output.as_deref();
            return tune_loop::run(&args.trials, runs, output, &args.choose, common);
        }
        (None, _) if !args.trials.command.is_empty() => {
            return Err(Failure::Input(
                "a command is for --loop: diya tune --loop 5 -- COMMAND".to_owned(),
            ));
        }
        (None, _) => {}
    }
    let library = Library::built_in()?;
    let checks = args.choose.judge.checks()?;
    if !common.quiet {
        report_problems(&checks);
    }
    let Planned { plan, done } = planned(&args.logs, &args.choose, common, &checks, &library)?;
    for problem in &plan.problems {
        say!("a setting is skipped: {problem}");
    }
    let files = written(&plan, &library)?;
    if let Some(folder) = &args.output {
        write_files(folder, &files, &library)?;
    }
    let folder = args.output.as_ref().map(|folder| folder.display().to_string());
    to_stdout(Content::of(common.json), |out| {
        if common.json {
            let json = serde_json::to_string_pretty(&plan).map_err(std::io::Error::from)?;
            return Ok(writeln!(out, "{json}")?);
        }
        Ok(write_text(out, &plan, folder.as_deref(), columns(false))?)
    })?;
    Ok(done)
}
