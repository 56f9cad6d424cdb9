//! `diya gate`: the exit code says whether a run is as it should be.

use super::compare::{CompareHow, repeats};
use super::open_options;
use crate::entry::{Entry, Group, arguments};
use crate::failure::{Done, Failure};
use crate::options::Common;
use crate::progress::Bar;
use clap::Args;
use diya::diagnose::{MetricRows, diagnose};
use diya::report::printable;
use diya::{OpenOptions, Session, TableSet};
use diya_compare::{FailOn, failures, failures_alone};
use std::path::PathBuf;

pub const COMMANDS: &[Entry] = &[Entry {
    name: "gate",
    group: Group::Compare,
    place: 2,
    help: "Fail if a run is slower than a baseline or has findings (for CI)",
    examples: &[
        ("diya gate --baseline main.diya new.diya", "fail if the new run is slower"),
        ("diya gate new.diya --fail-on finding:1", "fail for a saving of 1 s or more"),
    ],
    augment: GateArgs::augment_args,
    run: |given, common| run(&arguments(given), common),
    ..Entry::USUAL
}];

const HELP: &str =
    "The exit code is 0 when the run passes and 5 when it fails; what failed is named on
standard error, and the comparison is printed. For example, in a job that tests a commit:
  diya run -o new.diya -- ./benchmark
  diya gate --baseline main.diya new.diya --fail-on regression,finding:1";

#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub struct GateArgs {
    /// The run to check; several logs, also those of a folder, are repeats of one run
    #[arg(required = true, value_name = "LOG")]
    pub logs: Vec<PathBuf>,
    /// The run to compare with; may be given several times for repeats
    #[arg(long, value_name = "LOG")]
    pub baseline: Vec<PathBuf>,
    /// Reasons to fail: regression, finding, finding:SECONDS (default: regression with a
    /// baseline, otherwise finding)
    #[arg(long, value_name = "REASON", value_delimiter = ',')]
    pub fail_on: Vec<FailOn>,
    #[command(flatten)]
    pub how: CompareHow,
}

pub fn run(args: &GateArgs, common: &Common) -> Result<Done, Failure> {
    let reasons = match (args.fail_on.as_slice(), args.baseline.is_empty()) {
        ([], true) => vec![FailOn::Finding { least_s: None }],
        ([], false) => vec![FailOn::Regression],
        (reasons, true) if reasons.contains(&FailOn::Regression) => {
            let what = "--fail-on regression needs a --baseline to compare with";
            return Err(Failure::Input(what.to_owned()));
        }
        (reasons, _) => reasons.to_vec(),
    };
    let failed = if args.baseline.is_empty() {
        alone(args, common, &reasons)?
    } else {
        let runs = [repeats(&args.baseline)?, repeats(&args.logs)?];
        let comparison = args.how.compare(&runs, common)?;
        args.how.write(&comparison, common)?;
        comparison.runs.iter().flat_map(|run| failures(run, &reasons)).collect()
    };
    if failed.is_empty() {
        return Ok(Done::WHOLE);
    }
    Err(Failure::Gate(failed.iter().map(|text| printable(text).into_owned()).collect()))
}

/// Without a baseline the findings themselves decide.
fn alone(args: &GateArgs, common: &Common, reasons: &[FailOn]) -> Result<Vec<String>, Failure> {
    let checks = args.how.judge.checks()?;
    let bar = Bar::new(common);
    let skips_system = !args.how.system_files;
    let open = OpenOptions { skips_system, ..open_options(common, None, TableSet::NONE, &bar) };
    let mut session = Session::of_jobs(repeats(&args.logs)?, open);
    let reports =
        bar.during("diagnosing", || diagnose(&mut session, &checks, &MetricRows::None))?;
    if let Some(refused) = session.refused().first() {
        return Err(Failure::Input(format!("{}: {}", refused.name, refused.reason)));
    }
    args.how.write_reports(&reports, common)?;
    Ok(reports.iter().flat_map(|report| failures_alone(report, reasons)).collect())
}
