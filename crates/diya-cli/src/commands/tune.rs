//! `diya tune LOG... -o DIR`: settings that fix findings, as files; with `--loop`, those of them
//! that help.

use super::{jobs, open_options, report_losses};
use crate::commands::judge::{JudgeArgs, report_problems};
use crate::commands::outside::OutsideArgs;
use crate::commands::tune_loop::{self, LoopArgs};
use crate::entry::{Entry, Group, arguments};
use crate::failure::{Done, Failure};
use crate::options::Common;
use crate::output::{Content, columns, to_file, to_stdout};
use crate::progress::Bar;
use clap::Args;
use diya::capture::{SegmentDirectory, watch};
use diya::diagnose::{CheckSet, MetricRows, diagnose};
use diya::{AskError, OpenOptions, Session, TableSet, Together};
use diya_tune::{Library, PLAN_FILE, Plan, TuneError, Written, tune, write_text, written};
use std::io::Write as _;
use std::path::{Path, PathBuf};

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
            ("diya tune --loop 9 --metric 'rate: ([0-9.]+)' -- ./app", "by its own figure"),
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
    /// Treat all logs as one job. Default: single-process logs with the same job id, user and
    /// program form one job
    #[arg(long)]
    pub together: bool,
    #[command(flatten)]
    pub outside: OutsideArgs,
    #[command(flatten)]
    pub judge: JudgeArgs,
}

impl From<TuneError> for Failure {
    fn from(error: TuneError) -> Self {
        match error {
            TuneError::Ask(AskError::Open(error)) => error.into(),
            TuneError::Toml(error) => Self::Output(error.to_string()),
            other => Self::Query(other.to_string()),
        }
    }
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
        (Some(runs), _) => return tune_loop::run(args, runs, common),
        (None, _) if !args.trials.command.is_empty() => {
            return Err(Failure::Input(
                "a command is for --loop: diya tune --loop 5 -- COMMAND".to_owned(),
            ));
        }
        (None, _) => {}
    }
    let library = Library::built_in()?;
    let checks = args.judge.checks()?;
    if !common.quiet {
        report_problems(&checks);
    }
    let Planned { plan, done } = planned(&args.logs, args, common, &checks, &library)?;
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

/// The settings for a job.
pub struct Planned {
    /// The settings.
    pub plan: Plan,
    /// Whether all logs could be read.
    pub done: Done,
}

/// Diagnoses the job of these logs, and chooses settings for it.
pub fn planned(
    logs: &[PathBuf],
    args: &TuneArgs,
    common: &Common,
    checks: &CheckSet,
    library: &Library,
) -> Result<Planned, Failure> {
    let bar = Bar::new(common);
    let together = if args.together { Together::All } else { Together::OneJob };
    let jobs = jobs(logs, together, &bar)?;
    if jobs.len() > 1 {
        return Err(Failure::Input(format!(
            "settings are for one job, and these logs are of {}: --together if they are of one, \
             or one log at a time",
            jobs.len()
        )));
    }
    let options =
        OpenOptions { skips_system: true, ..open_options(common, None, TableSet::NONE, &bar) };
    let mut session = Session::of_jobs(jobs, options);
    args.outside.add_to(&mut session)?;
    let plan = bar.during("choosing settings", || -> Result<Plan, Failure> {
        let reports = diagnose(&mut session, checks, &MetricRows::None)?;
        let report = reports.into_iter().next().unwrap_or_default();
        Ok(tune(&mut session, &report, library)?)
    })?;
    Ok(Planned { plan, done: report_losses(common, session.refused(), 0) })
}

/// Writes the files, and removes those of an earlier log that this one gives no reason for:
/// somebody would use them.
pub fn write_files(folder: &Path, files: &[Written], library: &Library) -> Result<(), Failure> {
    let failed = |path: &Path, error: std::io::Error| {
        Failure::Output(format!("{}: {error}", path.display()))
    };
    if !files.is_empty() {
        std::fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
    }
    // Without a plan, files of these names are somebody else's.
    if folder.join(PLAN_FILE).exists() {
        let known = library.files.iter().map(|file| file.name.as_str()).chain([PLAN_FILE]);
        for name in known.filter(|name| files.iter().all(|file| file.name != *name)) {
            let path = folder.join(name);
            if path.exists() {
                std::fs::remove_file(&path).map_err(|error| failed(&path, error))?;
            }
        }
    }
    for file in files {
        to_file(&folder.join(&file.name), Content::Text, |out| {
            Ok(out.write_all(file.text.as_bytes())?)
        })?;
    }
    Ok(())
}
