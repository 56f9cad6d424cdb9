//! `diya report LOG...`: the diagnosis.

use super::{open_options, report_losses};
use crate::args::Common;
use crate::commands::checks::report_problems;
use crate::failure::{Done, Failure};
use crate::output::{to_file, to_stdout};
use crate::progress::Bar;
use clap::{Args, ValueEnum};
use diya::diagnose::{CheckSet, MetricRows, diagnose};
use diya::{Session, TableSet, Together, by_job};
use std::io::Write;
use std::path::PathBuf;

/// Which checks judge, and how: the same for every command that judges.
#[derive(Debug, Default, Args)]
pub struct JudgeArgs {
    /// Also the checks below this folder (may be given several times)
    #[arg(long = "checks", value_name = "DIR")]
    pub folders: Vec<PathBuf>,
    /// Thresholds and severities that differ from the defaults, in TOML
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
}

impl JudgeArgs {
    pub fn checks(&self) -> Result<CheckSet, Failure> {
        CheckSet::load(&self.folders, self.config.as_deref())
            .map_err(|e| Failure::Input(e.to_string()))
    }
}

/// Layout of the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// Everything, as schema/report.schema.json says
    Json,
}

#[derive(Debug, Args)]
pub struct ReportArgs {
    /// Logs or archives of logs; `-` reads standard input
    #[arg(required = true, value_name = "LOG")]
    pub logs: Vec<PathBuf>,
    /// Layout
    #[arg(long, value_enum, default_value_t = ReportFormat::Json)]
    pub format: ReportFormat,
    /// Write the report to a file
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// All logs are of one job (default: logs of one process with the same job id and program are)
    #[arg(long, conflicts_with = "separate")]
    pub together: bool,
    /// Every log is a job
    #[arg(long)]
    pub separate: bool,
    /// Metric tables in the JSON: all, none, or names
    #[arg(long, value_name = "TABLES", value_delimiter = ',', default_value = "all")]
    pub metrics: Vec<String>,
    /// Rows of each metric table in the JSON
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub rows: usize,
    #[command(flatten)]
    pub judge: JudgeArgs,
}

impl ReportArgs {
    fn together(&self) -> Together {
        match (self.together, self.separate) {
            (true, _) => Together::All,
            (false, true) => Together::None,
            (false, false) => Together::OneJob,
        }
    }

    fn metrics(&self) -> Result<MetricRows, Failure> {
        match self.metrics.as_slice() {
            [one] if one == "all" => Ok(MetricRows::All(self.rows)),
            [one] if one == "none" => Ok(MetricRows::None),
            names => match names.iter().find(|name| !diya::is_metric(name)) {
                Some(name) => Err(Failure::Input(format!(
                    "there is no metric {name:?} (`diya explain metrics` lists all)"
                ))),
                None => Ok(MetricRows::Some(names.to_vec(), self.rows)),
            },
        }
    }
}

pub fn run(args: &ReportArgs, common: &Common) -> Result<Done, Failure> {
    let checks = args.judge.checks()?;
    if !common.quiet {
        report_problems(&checks);
    }
    let metrics = args.metrics()?;
    let bar = Bar::new(common);
    let inputs = diya::input::logs(&args.logs)?;
    let jobs = by_job(inputs, args.together());
    let is_one_job = jobs.len() == 1;
    let mut session = Session::of_jobs(jobs, open_options(common, None, TableSet::NONE, &bar));
    let reports = bar.during("diagnosing", || diagnose(&mut session, &checks, &metrics))?;
    let write = |out: &mut dyn Write| -> Result<(), Failure> {
        // One job is an object; several are an array of them.
        let written = match reports.as_slice() {
            [report] if is_one_job => serde_json::to_writer(&mut *out, report),
            reports => serde_json::to_writer(&mut *out, reports),
        };
        written.map_err(std::io::Error::from)?;
        Ok(writeln!(out)?)
    };
    match &args.output {
        Some(path) => to_file(path, |out| write(out))?,
        None => to_stdout(|out| write(out))?,
    }
    // What is missing in the logs stands in the report itself.
    Ok(report_losses(common, session.refused(), 0))
}
