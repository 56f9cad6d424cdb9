//! `diya tune --loop N -- COMMAND`: which of the settings really help.

mod figure;
mod folder;
mod trial;

pub use folder::clean;

use crate::commands::apply::check_accepted;
use crate::commands::judge::report_problems;
use crate::commands::tune::{TuneArgs, planned, write_files};
use crate::failure::{Done, Failure};
use crate::options::Common;
use crate::output::{Content, columns, stop_on_interrupt, to_file, to_stdout};
use clap::Args;
use diya::capture::{Ended, Guard, as_the_program_ended, asked_to_end};
use diya::diagnose::CheckSet;
use diya::report::{Report, printable};
use diya_tune::trials::{
    Figures, Metric, Next, Outcome, Point, RunReport, Search, Space, TrialsReport, Why, write_page,
    write_trials,
};
use diya_tune::{Library, Plan, written};
use figure::Pattern;
use folder::LoopFolder;
use std::ffi::OsString;
use std::io::Write as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use trial::{Ran, Runner, report_of, words};

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

/// A run may take so many times the longest one without settings, and 10 s more.
const MOST_TIMES: u32 = 10;

/// Tries settings, and ends as the loop ended.
pub fn run(args: &TuneArgs, runs: u32, common: &Common) -> Result<Done, Failure> {
    let trials = &args.trials;
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
    let checks = args.judge.checks()?;
    if !common.quiet {
        report_problems(&checks);
    }
    let library = Library::built_in()?;
    check_accepted(&library, &trials.accept)?;
    let dir = args.output.clone().unwrap_or_else(|| default_name(&trials.command));
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
        args,
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

/// A loop while it runs.
struct Loop<'a> {
    args: &'a TuneArgs,
    common: &'a Common,
    runs: usize,
    checks: CheckSet,
    library: Library,
    folder: LoopFolder,
    runner: Runner<'a>,
    began: Instant,
    started: String,
    /// The longest run without settings.
    longest: Duration,
    made: Vec<RunReport>,
}

/// What is searched.
struct Searched {
    search: Search,
    space: Space,
    plan: Plan,
}

/// How a run ended, for the loop.
enum Made {
    Told(Outcome),
    Failed(ExitStatus),
    End(Why),
}

impl Loop<'_> {
    fn run(mut self) -> Result<Done, Failure> {
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
            self.args,
            self.common,
            &self.checks,
            &self.library,
        )?
        .plan;
        let space = Space::of(&plan, &self.library, &self.args.trials.accept);
        let own = self.runner.pattern.map(|_| match self.args.trials.lower_is_better {
            true => Metric::OwnLower,
            false => Metric::OwnHigher,
        });
        let mut search = Search::new(
            space.options(),
            space.possible_saving_s(),
            own,
            self.runs,
            self.args.trials.seed,
        );
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
            let point = match searched.search.next() {
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
        let all = Duration::from_secs_f64(self.args.trials.minutes? * 60.0);
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

    fn report(&self, searched: &Searched, why: Option<Why>) -> TrialsReport {
        let Searched { search, space, plan } = searched;
        let pattern = self.runner.pattern.map(Pattern::text);
        let words = self.args.trials.command.iter();
        TrialsReport {
            command: words.map(|word| printable(&word.to_string_lossy()).into_owned()).collect(),
            started: self.started.clone(),
            seed: self.args.trials.seed,
            runs_allowed: self.runs,
            runs: self.made.clone(),
            ..TrialsReport::of(search, space, plan, pattern, why)
        }
    }

    /// Writes what is known so far: a loop that is killed leaves it.
    fn write(&self, searched: &Searched, why: Option<Why>) -> Result<TrialsReport, Failure> {
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

    fn finish(
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
    fn end_as(self, status: ExitStatus) -> ! {
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
