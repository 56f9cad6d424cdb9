//! What `diya tune` and its loop share: the settings for a job, and their files.

use super::{jobs, open_options, report_losses};
use crate::commands::judge::JudgeArgs;
use crate::commands::outside::OutsideArgs;
use crate::failure::{Done, Failure};
use crate::options::Common;
use crate::output::{Content, to_file};
use crate::progress::Bar;
use clap::Args;
use diya::diagnose::{CheckSet, MetricRows, diagnose};
use diya::{AskError, OpenOptions, Session, TableSet, Together};
use diya_tune::{Library, PLAN_FILE, Plan, TuneError, Written, tune};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// How a job is diagnosed.
#[derive(Debug, Args)]
pub struct ChooseArgs {
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
    args: &ChooseArgs,
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
