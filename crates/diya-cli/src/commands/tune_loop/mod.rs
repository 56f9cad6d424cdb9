//! `diya tune --loop N -- COMMAND`: which of the settings really help.

mod figure;
mod folder;
mod loop_run;
mod result;
mod trial;

pub use folder::clean;

use crate::commands::apply::check_accepted;
use crate::commands::judge::report_problems;
use crate::commands::tuned::ChooseArgs;
use crate::failure::{Done, Failure};
use crate::options::Common;
use crate::output::stop_on_interrupt;
use clap::Args;
use diya::capture::{Guard, asked_to_end};
use diya_tune::Library;
use figure::Pattern;
use folder::LoopFolder;
use loop_run::Loop;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use trial::Runner;

/// Options of a loop.
#[derive(Debug, Args)]
pub struct LoopArgs {
    /// Run COMMAND at most N times (5 without a number): first without settings, then with those
    /// that the diagnosis gives and their neighbours; keeps what gains more than the run-to-run
    /// variation in DIR/keep
    #[arg(long = "loop", value_name = "N", num_args = 0..=1, default_missing_value = "5",
          value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub runs: Option<u32>,
    /// Start no further run after so many minutes, and end one that is still running then
    #[arg(long, value_name = "M", value_parser = parse_minutes)]
    pub minutes: Option<f64>,
    /// What the runs are compared by: `time`, or a regular expression for a number that COMMAND
    /// prints, such as 'bandwidth: ([0-9.]+)'; the last match counts, and more is better
    #[arg(long, value_name = "REGEX", default_value = "time")]
    pub metric: String,
    /// Less of the number of --metric is better
    #[arg(long)]
    pub lower_is_better: bool,
    /// Run this command of a shell after each run; settings with which it fails are lost
    #[arg(long, value_name = "COMMAND")]
    pub verify: Option<String>,
    /// Also try this setting, although data can be lost in a crash or read before it is written
    /// (`diya tune` names the risk)
    #[arg(long, value_name = "SETTING", value_delimiter = ',')]
    pub accept: Vec<String>,
    /// Directory for temporary recording files, in memory or on a node-local disk
    /// (default: /dev/shm)
    #[arg(long, value_name = "DIR")]
    pub segments: Option<PathBuf>,
    /// The order of the runs follows from this number
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Remove what a killed loop left in DIR
    #[arg(long)]
    pub clean: bool,
    /// The command of --loop with its arguments
    #[arg(last = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,
}

/// Tries settings, and ends as the loop ended.
pub fn run(
    trials: &LoopArgs,
    runs: u32,
    output: Option<&Path>,
    choose: &ChooseArgs,
    common: &Common,
) -> Result<Done, Failure> {
    if trials.command.is_empty() {
        return Err(Failure::Input("--loop needs a command: diya tune --loop 5 -- COMMAND".into()));
    }
    let pattern = match trials.metric.as_str() {
        "time" if trials.lower_is_better => {
            let what = "--lower-is-better is for a number of --metric; less time is always better";
            return Err(Failure::Input(what.into()));
        }
        "time" => None,
        regex => Some(Pattern::new(regex)?),
    };
    let checks = choose.judge.checks()?;
    if !common.quiet {
        report_problems(&checks);
    }
    let library = Library::built_in()?;
    check_accepted(&library, &trials.accept)?;
    let dir = output.map_or_else(|| default_name(&trials.command), Path::to_owned);
    let folder = LoopFolder::make(&dir)?;
    let interrupted = stop_on_interrupt();
    let terminated = asked_to_end().map_err(|e| Failure::Input(format!("signals: {e}")))?;
    let is_stopped = || interrupted.load(Ordering::SeqCst) || terminated.load(Ordering::SeqCst);
    let guard = guard(trials.segments.as_deref())?;
    let runner = Runner {
        command: &trials.command,
        pattern: pattern.as_ref(),
        verify: trials.verify.as_deref(),
        accept: &trials.accept,
        segments: trials.segments.as_deref(),
        common,
        guard,
        is_stopped: &is_stopped,
    };
    Loop {
        args: trials,
        choose,
        common,
        runs: usize::try_from(runs).unwrap_or(usize::MAX),
        checks,
        library,
        folder,
        runner,
        began: Instant::now(),
        started: jiff::Zoned::now().strftime("%Y-%m-%d %H:%M:%S %z").to_string(),
        longest: Duration::ZERO,
        made: Vec::new(),
    }
    .run()
}

/// The process that ends a run, should this one be killed.
fn guard(segments: Option<&Path>) -> Result<Guard, Failure> {
    let failed = |error: std::io::Error| Failure::Input(format!("diya cannot be started: {error}"));
    let mut command = Command::new(crate::program().map_err(failed)?);
    command.arg("guard");
    if let Some(segments) = segments {
        command.arg("--segments").arg(segments);
    }
    Guard::start(command).map_err(failed)
}

/// `PROGRAM-tune-DATE-TIME` here.
fn default_name(command: &[OsString]) -> PathBuf {
    let program = command.first().map(Path::new).and_then(Path::file_name).unwrap_or_default();
    let stamp = jiff::Zoned::now().strftime("%Y%m%d-%H%M%S").to_string();
    PathBuf::from(format!("{}-tune-{stamp}", program.to_string_lossy()))
}

fn parse_minutes(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|minutes| (0.0..=1e6).contains(minutes));
    number
        .filter(|minutes| *minutes > 0.0)
        .ok_or_else(|| "expected minutes, for example 30 or 0.5".to_owned())
}
