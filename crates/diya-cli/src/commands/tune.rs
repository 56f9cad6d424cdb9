//! `diya tune LOG... -o DIR`: settings that fix findings, as files.

use super::{jobs, open_options, report_losses};
use crate::commands::judge::{JudgeArgs, report_problems};
use crate::commands::outside::OutsideArgs;
use crate::entry::{Entry, Group, arguments};
use crate::failure::{Done, Failure};
use crate::options::Common;
use crate::output::{Content, columns, to_file, to_stdout};
use crate::progress::Bar;
use clap::Args;
use diya::diagnose::{MetricRows, diagnose};
use diya::{AskError, OpenOptions, Session, TableSet, Together};
use diya_tune::{Library, PLAN_FILE, Plan, TuneError, Written, tune, write_text, written};
use std::io::Write as _;
use std::path::{Path, PathBuf};

pub const COMMANDS: &[Entry] = &[Entry {
    name: "tune",
    group: Group::Fix,
    place: 1,
    help: "Write settings that fix findings: hints, striping, buffers",
    examples: &[
        ("diya tune app.diya", "print the settings, with reasons"),
        ("diya tune app.diya -o tuned/", "write them as files"),
        ("diya run --apply tuned/ -- ./app", "run the program with them"),
    ],
    augment: TuneArgs::augment_args,
    run: |given, common| run(&arguments(given), common),
    ..Entry::USUAL
}];

#[derive(Debug, Args)]
pub struct TuneArgs {
    /// Logs of one job, or a folder or archive of them
    #[arg(required = true, value_name = "LOG")]
    pub logs: Vec<PathBuf>,
    /// Folder for the files; without it, the settings are only printed
    #[arg(long, short, value_name = "DIR")]
    pub output: Option<PathBuf>,
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

pub fn run(args: &TuneArgs, common: &Common) -> Result<Done, Failure> {
    let library = Library::built_in()?;
    let checks = args.judge.checks()?;
    if !common.quiet {
        report_problems(&checks);
    }
    let bar = Bar::new(common);
    let together = if args.together { Together::All } else { Together::OneJob };
    let jobs = jobs(&args.logs, together, &bar)?;
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
        let reports = diagnose(&mut session, &checks, &MetricRows::None)?;
        let report = reports.into_iter().next().unwrap_or_default();
        Ok(tune(&mut session, &report, &library)?)
    })?;
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
    Ok(report_losses(common, session.refused(), 0))
}

/// Writes the files, and removes those of an earlier log that this one gives no reason for:
/// somebody would use them.
fn write_files(folder: &Path, files: &[Written], library: &Library) -> Result<(), Failure> {
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
