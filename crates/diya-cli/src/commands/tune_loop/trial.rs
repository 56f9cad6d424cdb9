//! One run of a loop: `diya run`, in a process group of its own.

use super::figure::{Passing, Pattern};
use super::folder::LoopFolder;
use crate::commands::open_options;
use crate::failure::Failure;
use crate::options::Common;
use crate::progress::Bar;
use diya::capture::{GroupEnd, Guard, SegmentDirectory};
use diya::diagnose::{CheckSet, MetricRows, diagnose};
use diya::report::Report;
use diya::{OpenOptions, Session, TableSet};
use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

/// How the runs of a loop are made.
pub struct Runner<'a> {
    /// The command.
    pub command: &'a [OsString],
    /// Its own figure.
    pub pattern: Option<&'a Pattern>,
    /// A command that says whether the results are right.
    pub verify: Option<&'a str>,
    /// Settings whose risk the user accepts.
    pub accept: &'a [String],
    /// Where recordings go.
    pub segments: Option<&'a Path>,
    /// Options of every command.
    pub common: &'a Common,
    /// Ends what runs, should this process be killed.
    pub guard: Guard,
    /// Whether the loop is to end.
    pub is_stopped: &'a dyn Fn() -> bool,
}

/// How a run ended.
pub enum Ran {
    /// It did its work; the command's own figure.
    Done(Option<f64>),
    /// It failed.
    Failed(ExitStatus),
    /// It was stopped, and why: it took too long, or its results are wrong.
    Lost(String),
    /// The loop was asked to end.
    Stopped,
}

impl Runner<'_> {
    /// Records the command with settings, or without.
    pub fn run(
        &mut self,
        log: &Path,
        settings: Option<&Path>,
        most: Option<Duration>,
        folder: &mut LoopFolder,
    ) -> Result<Ran, Failure> {
        let failed = |e: std::io::Error| Failure::Input(format!("diya cannot be started: {e}"));
        let mut command = Command::new(crate::program().map_err(failed)?);
        command.args(["run", "--quiet", "-o"]).arg(log);
        if let Some(settings) = settings {
            command.arg("--apply").arg(settings);
            if !self.accept.is_empty() {
                command.arg("--accept").arg(self.accept.join(","));
            }
        }
        if let Some(segments) = self.segments {
            command.arg("--segments").arg(segments);
        }
        command.arg("--").args(self.command);
        // Each run would read another part of the input.
        command.stdin(Stdio::null());
        match (self.pattern, self.common.json) {
            (Some(_), _) => {
                command.stdout(Stdio::piped()).stderr(Stdio::piped());
            }
            // Standard output is for the JSON.
            (None, true) => {
                command.stdout(std::io::stderr());
            }
            (None, false) => {}
        }
        let (mut passing, mut process) = (None, 0);
        let (pattern, is_json) = (self.pattern, self.common.json);
        let end = self.guard.run(&mut command, most, self.is_stopped, &mut |child| {
            process = child.id();
            folder.note_run(process);
            passing = pattern.map(|pattern| Passing::start(child, pattern, is_json));
        });
        let end = end.map_err(failed)?;
        // Of a run that was ended, or whose log had no room.
        SegmentDirectory::remove_of(self.segments, process);
        let own = passing.and_then(Passing::figure);
        Ok(match end {
            GroupEnd::Stopped => Ran::Stopped,
            GroupEnd::TooLong => Ran::Lost("it took too long, and was ended".to_owned()),
            GroupEnd::Ended(status) if !status.success() => Ran::Failed(status),
            GroupEnd::Ended(_) => self.verified(own),
        })
    }

    /// Asks whether the results are right.
    fn verified(&mut self, own: Option<f64>) -> Ran {
        let Some(verify) = self.verify else { return Ran::Done(own) };
        let mut command = Command::new("sh");
        command.args(["-c", verify]).stdin(Stdio::null()).stdout(std::io::stderr());
        match self.guard.run(&mut command, None, self.is_stopped, &mut |_| {}) {
            Ok(GroupEnd::Ended(status)) if status.success() => Ran::Done(own),
            Ok(GroupEnd::Ended(status)) => {
                Ran::Lost(format!("its results are wrong: --verify ended with {}", words(status)))
            }
            Ok(GroupEnd::Stopped | GroupEnd::TooLong) => Ran::Stopped,
            Err(error) => Ran::Lost(format!("--verify cannot be started: {error}")),
        }
    }
}

/// `exit code 3`, `signal 9`.
pub fn words(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exit code {code}"),
        (None, Some(signal)) => format!("signal {signal}"),
        (None, None) => status.to_string(),
    }
}

/// The report of a log.
pub fn report_of(log: &Path, checks: &CheckSet, common: &Common) -> Result<Report, Failure> {
    let bar = Bar::new(common);
    let options =
        OpenOptions { skips_system: true, ..open_options(common, None, TableSet::NONE, &bar) };
    let mut session = Session::new(diya::input::logs(&[PathBuf::from(log)])?, options);
    let reports = bar.during("diagnosing", || diagnose(&mut session, checks, &MetricRows::None))?;
    reports.into_iter().next().ok_or_else(|| {
        Failure::Input(format!("{}: the log of this run cannot be read", log.display()))
    })
}
