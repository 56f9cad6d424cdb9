//! The results of a loop: the page, the settings to keep, and how it ends.

use super::figure::Pattern;
use super::loop_run::{Loop, Searched};
use super::trial::words;
use crate::commands::tuned::write_files;
use crate::failure::{Done, Failure};
use crate::output::{Content, columns, to_file, to_stdout};
use diya::capture::{Ended, as_the_program_ended};
use diya::report::printable;
use diya_tune::trials::{TrialsReport, Why, write_page, write_trials};
use diya_tune::written;
use std::io::Write as _;
use std::os::unix::process::ExitStatusExt as _;
use std::process::ExitStatus;

impl Loop<'_> {
    fn report(&self, searched: &Searched, why: Option<Why>) -> TrialsReport {
        let Searched { search, space, plan } = searched;
        let pattern = self.runner.pattern.map(Pattern::text);
        let words = self.args.command.iter();
        TrialsReport {
            command: words.map(|word| printable(&word.to_string_lossy()).into_owned()).collect(),
            started: self.started.clone(),
            seed: self.args.seed,
            runs_allowed: self.runs,
            runs: self.made.clone(),
            ..TrialsReport::of(search, space, plan, pattern, why)
        }
    }

    /// Writes what is known so far: a loop that is killed leaves it.
    pub fn write(&self, searched: &Searched, why: Option<Why>) -> Result<TrialsReport, Failure> {
        let report = self.report(searched, why);
        let keep = self.folder.path().join("keep");
        let files = match searched.search.best() {
            Some(best) => written(&searched.space.plan(&best.point), &self.library)?,
            None => Vec::new(),
        };
        if files.is_empty() && keep.exists() {
            std::fs::remove_dir_all(&keep)
                .map_err(|e| Failure::Output(format!("{}: {e}", keep.display())))?;
        }
        write_files(&keep, &files, &self.library)?;
        to_file(&self.folder.path().join("loop.json"), Content::Json, |out| {
            let json = serde_json::to_string_pretty(&report).map_err(std::io::Error::from)?;
            Ok(writeln!(out, "{json}")?)
        })?;
        to_file(&self.folder.path().join("index.html"), Content::Text, |out| {
            Ok(write_page(out, &report)?)
        })?;
        Ok(report)
    }

    /// Ends the loop: the page, the answer, and the exit code.
    pub fn finish(
        self,
        searched: &Searched,
        (why, status): (Why, Option<ExitStatus>),
    ) -> Result<Done, Failure> {
        let report = self.write(searched, Some(why))?;
        let dir = self.folder.path().display().to_string();
        to_stdout(Content::of(self.common.json), |out| {
            if self.common.json {
                let json = serde_json::to_string_pretty(&report).map_err(std::io::Error::from)?;
                return Ok(writeln!(out, "{json}")?);
            }
            Ok(write_trials(out, &report, &dir, columns(false))?)
        })?;
        match (why, status) {
            (Why::Interrupted, _) => {
                Err(Failure::Interrupted(format!("interrupted; what is known so far is in {dir}")))
            }
            (_, Some(status)) => self.end_as(status),
            _ => Ok(Done::WHOLE),
        }
    }

    /// Ends this process as the command without settings did.
    pub fn end_as(self, status: ExitStatus) -> ! {
        let Self { folder, runner, made, .. } = self;
        drop(runner);
        say!("the command failed without settings ({}): the loop ends as it did", words(status));
        match made.iter().any(|run| run.log.is_some()) {
            true => drop(folder),
            false => folder.remove(),
        }
        as_the_program_ended(match (status.code(), status.signal()) {
            (Some(code), _) => Ended::Code(code),
            (None, Some(signal)) => Ended::Signal(signal),
            (None, None) => Ended::Code(1),
        })
    }
}
