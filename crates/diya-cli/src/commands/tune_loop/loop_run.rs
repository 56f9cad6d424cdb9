//! A loop: runs, one after the other, and what they tell the search.

use super::LoopArgs;
use super::folder::LoopFolder;
use super::trial::{Ran, Runner, report_of, words};
use crate::commands::tuned::{ChooseArgs, planned, write_files};
use crate::failure::{Done, Failure};
use crate::options::Common;
use diya::diagnose::CheckSet;
use diya::report::Report;
use diya_tune::trials::{Figures, Metric, Next, Outcome, Point, RunReport, Search, Space, Why};
use diya_tune::{Library, Plan, written};
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::time::{Duration, Instant};

/// A run may take so many times the longest one without settings, and 10 s more.
const MOST_TIMES: u32 = 10;

/// A loop while it runs.
pub struct Loop<'a> {
    pub args: &'a LoopArgs,
    pub choose: &'a ChooseArgs,
    pub common: &'a Common,
    pub runs: usize,
    pub checks: CheckSet,
    pub library: Library,
    pub folder: LoopFolder,
    pub runner: Runner<'a>,
    pub began: Instant,
    pub started: String,
    /// The longest run without settings.
    pub longest: Duration,
    pub made: Vec<RunReport>,
}

/// What is searched.
pub struct Searched {
    pub search: Search,
    pub space: Space,
    pub plan: Plan,
}

/// How a run ended, for the loop.
enum Made {
    Told(Outcome),
    Failed(ExitStatus),
    End(Why),
}

impl Loop<'_> {
    /// Runs the command until the search, the time or the user ends it.
    pub fn run(mut self) -> Result<Done, Failure> {
        let figures = match self.trial("baseline", None) {
            Ok(Made::Told(Outcome::Done(figures))) => figures,
            Ok(Made::Told(Outcome::Lost(why))) => {
                self.folder.remove();
                return Err(Failure::Input(format!(
                    "the run without settings: {why}; no settings were tried"
                )));
            }
            Ok(Made::Failed(status)) => self.end_as(status),
            Ok(Made::End(why)) => {
                self.folder.remove();
                return Err(match why {
                    Why::Minutes => Failure::Input(
                        "the run without settings takes longer than --minutes; no settings were tried".into(),
                    ),
                    _ => Failure::Interrupted("interrupted in the first run; no settings were tried".into()),
                });
            }
            Err(failure) => {
                self.folder.remove();
                return Err(failure);
            }
        };
        let plan = planned(
            &[self.log_of(0, "baseline")],
            self.choose,
            self.common,
            &self.checks,
            &self.library,
        )?
        .plan;
        let space = Space::of(&plan, &self.library, &self.args.accept);
        let own = self.runner.pattern.map(|_| match self.args.lower_is_better {
            true => Metric::OwnLower,
            false => Metric::OwnHigher,
        });
        let mut search =
            Search::new(space.options(), space.possible_saving_s(), own, self.runs, self.args.seed);
        search.tell(&search.off(), Outcome::Done(figures));
        let mut searched = Searched { search, space, plan };
        let ended = self.search(&mut searched);
        self.finish(&searched, ended?)
    }

    /// Tries settings until the search, the time or the user ends it.
    fn search(&mut self, searched: &mut Searched) -> Result<(Why, Option<ExitStatus>), Failure> {
        loop {
            self.write(searched, None)?;
            if (self.runner.is_stopped)() {
                return Ok((Why::Interrupted, None));
            }
            let point = match searched.search.next_run() {
                Next::Stop(why) => return Ok((why, None)),
                Next::Run(point) => point,
            };
            // A run that would be ended tells nothing.
            if self.left().is_some_and(|left| left < self.longest) {
                return Ok((Why::Minutes, None));
            }
            let name = searched.search.name(&point);
            let settings = self.settings(searched, &point, &name)?;
            if !self.common.quiet {
                let lines: Vec<String> =
                    searched.space.lines(&point).into_iter().map(|setting| setting.line).collect();
                let lines = if lines.is_empty() {
                    String::new()
                } else {
                    format!(": {}", lines.join("; "))
                };
                say!("run {} of at most {}, {name}{lines}", self.made.len() + 1, self.runs);
            }
            match self.trial(&name, settings.as_deref())? {
                Made::Told(outcome) => searched.search.tell(&point, outcome),
                Made::Failed(status) if settings.is_some() => {
                    let why = words(status);
                    if let Some(run) = self.made.last_mut() {
                        run.lost = Some(why.clone());
                    }
                    searched.search.tell(&point, Outcome::Lost(why));
                }
                Made::Failed(status) => return Ok((Why::Failed, Some(status))),
                Made::End(why) => return Ok((why, None)),
            }
        }
    }

    /// Time that is left; `None`: there is no limit.
    fn left(&self) -> Option<Duration> {
        let all = Duration::from_secs_f64(self.args.minutes? * 60.0);
        Some(all.saturating_sub(self.began.elapsed()))
    }

    fn log_of(&self, place: usize, name: &str) -> PathBuf {
        self.folder.path().join(format!("run-{:02}-{name}.diya", place + 1))
    }

    /// The folder with the settings of a point; `None`: it has none.
    fn settings(
        &self,
        searched: &Searched,
        point: &Point,
        name: &str,
    ) -> Result<Option<PathBuf>, Failure> {
        if point.iter().all(|option| *option == 0) {
            return Ok(None);
        }
        let folder = self.folder.path().join(name);
        write_files(&folder, &written(&searched.space.plan(point), &self.library)?, &self.library)?;
        Ok(Some(folder))
    }

    /// Runs the command once, and reads its log.
    fn trial(&mut self, name: &str, settings: Option<&Path>) -> Result<Made, Failure> {
        let log = self.log_of(self.made.len(), name);
        let most =
            (!self.longest.is_zero()).then(|| self.longest * MOST_TIMES + Duration::from_secs(10));
        let left = self.left();
        let limit = most.into_iter().chain(left).min();
        let began = Instant::now();
        let ran = self.runner.run(&log, settings, limit, &mut self.folder)?;
        let is_over = left.is_some_and(|left| began.elapsed() >= left);
        if settings.is_none() {
            self.longest = self.longest.max(began.elapsed());
        }
        let file = log.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let run = RunReport {
            name: name.to_owned(),
            log: log.exists().then_some(file),
            run_s: None,
            io_s: None,
            own: None,
            lost: None,
        };
        let lost = |why: String| RunReport { lost: Some(why), ..run.clone() };
        let (run, made) = match ran {
            Ran::Stopped => (lost("interrupted".into()), Made::End(Why::Interrupted)),
            Ran::Lost(_) if is_over => (lost("the time was used".into()), Made::End(Why::Minutes)),
            Ran::Lost(why) => (lost(why.clone()), Made::Told(Outcome::Lost(why))),
            Ran::Failed(status) if log.exists() => (lost(words(status)), Made::Failed(status)),
            // `diya run` says why.
            Ran::Failed(status) if status.code() == Some(4) => {
                return Err(Failure::Output(format!(
                    "{}: no log of this run, and its recording is removed; the loop ends: name a \
                     folder with more room with -o",
                    log.display()
                )));
            }
            Ran::Failed(status) => (lost(words(status)), Made::Failed(status)),
            Ran::Done(_) if !log.exists() => {
                let why = "nothing was recorded, so there is no diagnosis".to_owned();
                (lost(why.clone()), Made::Told(Outcome::Lost(why)))
            }
            Ran::Done(own) => {
                let report = report_of(&log, &self.checks, self.common)?;
                match self.judged(&report, own, settings.is_some()) {
                    Outcome::Done(figures) => {
                        let Figures { run_s, io_s, own } = figures;
                        let run = RunReport { run_s: Some(run_s), io_s, own, ..run };
                        (run, Made::Told(Outcome::Done(figures)))
                    }
                    Outcome::Lost(why) => (lost(why.clone()), Made::Told(Outcome::Lost(why))),
                }
            }
        };
        self.made.push(run);
        Ok(made)
    }

    /// What a report says of a run.
    fn judged(&self, report: &Report, own: Option<f64>, has_settings: bool) -> Outcome {
        if has_settings && report.job.applied.is_empty() {
            return Outcome::Lost("its settings did not reach the program".to_owned());
        }
        let Some(run_s) = report.job.run_s else {
            return Outcome::Lost("its log holds no run time".to_owned());
        };
        let figures = Figures { run_s, io_s: report.verdict.io_s, own };
        match (self.runner.pattern, Metric::OwnHigher.figure(&figures)) {
            (Some(pattern), None) => Outcome::Lost(format!(
                "it printed no positive number that fits --metric {}",
                pattern.text()
            )),
            _ => Outcome::Done(figures),
        }
    }
}
