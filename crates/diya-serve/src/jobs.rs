//! The jobs that are served: found once, judged in the background, opened when
//! somebody looks.

use diya::context::Context;
use diya::diagnose::{CheckSet, MetricRows, diagnose};
use diya::input::Input;
use diya::report::{Report, Severity, Verdict};
use diya::{OpenOptions, Session, Together, by_job};
use diya_page::LoadedJob;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Jobs that are held open at a time.
const HELD: usize = 4;
/// Calls that are held for other jobs than the one that is asked about: 4 GB.
const MAX_CALLS: usize = 100_000_000;
/// Logs that are judged in one go.
const AT_ONCE: usize = 32;

/// Nothing can be served.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JobsError {
    /// A name leads to no log.
    #[error(transparent)]
    Input(#[from] diya::input::InputError),
    /// The folder cannot be read.
    #[error("{path}: {source}")]
    Folder {
        /// Which one.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file was named.
    #[error("{0}: is a file; `diya open {0}` opens it, `diya serve` takes a folder")]
    File(PathBuf),
    /// The folder holds none.
    #[error(
        "{0}: no log in this folder; diya looks in it and its subfolders for files named \
         *.darshan or *.diya, also with .gz or .bz2"
    )]
    Empty(PathBuf),
}

/// What is known of a job before it is opened.
#[derive(Clone)]
pub(crate) enum Known {
    Nothing,
    Judged { verdict: Box<Verdict>, worst: Option<&'static str>, findings: usize },
    Refused(String),
}

/// How logs are read and judged.
pub struct Judging {
    /// How they are read.
    pub options: OpenOptions<'static>,
    /// The checks that judge.
    pub checks: Arc<CheckSet>,
    /// What is known of the machine from outside the logs.
    pub context: Arc<Context>,
}

/// The jobs.
pub struct Jobs {
    jobs: Vec<Vec<Input>>,
    judging: Judging,
    /// The folder of these logs; names are shown relative to it.
    folder: Option<PathBuf>,
    known: Mutex<Vec<Known>>,
    held: Mutex<VecDeque<(usize, Arc<LoadedJob>)>>,
}

impl Jobs {
    /// The jobs of these logs.
    pub fn of_logs(inputs: Vec<Input>, judging: Judging) -> Result<Self, JobsError> {
        Ok(Self::new(by_job(inputs, Together::OneJob), judging, None))
    }

    /// The jobs of the logs below a folder. Links that lead out of it are not followed.
    pub fn of_folder(folder: &Path, judging: Judging) -> Result<Self, JobsError> {
        let fail = |source| JobsError::Folder { path: folder.to_owned(), source };
        let root = folder.canonicalize().map_err(fail)?;
        if root.is_file() {
            return Err(JobsError::File(folder.to_owned()));
        }
        let logs = diya::input::logs_below(&root).map_err(fail)?;
        if logs.is_empty() {
            return Err(JobsError::Empty(folder.to_owned()));
        }
        let inputs = diya::input::logs(&logs)?;
        Ok(Self::new(by_job(inputs, Together::OneJob), judging, Some(root)))
    }

    fn new(jobs: Vec<Vec<Input>>, judging: Judging, folder: Option<PathBuf>) -> Self {
        let known = Mutex::new(vec![Known::Nothing; jobs.len()]);
        Self { jobs, judging, folder, known, held: Mutex::default() }
    }

    /// How many jobs.
    pub fn len(&self) -> usize {
        self.jobs.len()
    }

    /// No jobs.
    pub fn is_empty(&self) -> bool {
        self.jobs.is_empty()
    }

    /// Whether a folder was named: its index is shown even of one job.
    pub fn is_folder(&self) -> bool {
        self.folder.is_some()
    }

    /// The number in an address, when there is such a job.
    pub(crate) fn number(&self, text: &str) -> Option<usize> {
        // Digits only: `parse` would take a sign as well.
        let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse().ok().filter(|number| is_number && *number < self.jobs.len())
    }

    /// Name of the job with this number.
    pub(crate) fn name(&self, text: &str) -> Option<String> {
        self.number(text).map(|number| self.name_of(number))
    }

    pub(crate) fn name_of(&self, number: usize) -> String {
        let job = self.jobs.get(number).map_or(&[][..], Vec::as_slice);
        let first = job.first().map_or("", |input| input.name.as_str());
        let below =
            self.folder.as_ref().and_then(|folder| Path::new(first).strip_prefix(folder).ok());
        let first = below.and_then(Path::to_str).unwrap_or(first);
        match job.len() {
            0 | 1 => first.to_owned(),
            logs => format!("{first} and {} more", logs - 1),
        }
    }

    /// Number, name and verdict of each job; null: it is not judged, or could not be.
    pub(crate) fn list(&self) -> Value {
        let entry = |number| {
            let verdict = match self.known(number) {
                Known::Judged { verdict, .. } => Some(verdict.text),
                Known::Nothing | Known::Refused(_) => None,
            };
            json!({ "number": number, "name": self.name_of(number), "verdict": verdict })
        };
        (0..self.len()).map(entry).collect()
    }

    pub(crate) fn known(&self, number: usize) -> Known {
        locked(&self.known).get(number).cloned().unwrap_or(Known::Nothing)
    }

    /// The job, opened at its first question; the one that was not asked for the
    /// longest time is closed when there are too many.
    pub(crate) fn held(&self, number: usize) -> Arc<LoadedJob> {
        let mut held = locked(&self.held);
        let at = held.iter().position(|(known, _)| *known == number);
        // One that could not be read is tried again: the log may be whole by now.
        let found = at.and_then(|at| held.remove(at)).filter(|(_, job)| !job.has_failed());
        let calls = |held: &VecDeque<(usize, Arc<LoadedJob>)>| -> usize {
            held.iter().map(|(_, job)| job.calls()).sum()
        };
        while held.len() >= HELD || calls(&held) > MAX_CALLS {
            held.pop_front();
        }
        let (number, job) = found.unwrap_or_else(|| {
            let inputs = self.jobs.get(number).cloned().unwrap_or_default();
            let Judging { options, checks, context } = &self.judging;
            let (checks, context) = (Arc::clone(checks), Arc::clone(context));
            (number, LoadedJob::start(inputs, options.clone(), checks, context))
        });
        held.push_back((number, Arc::clone(&job)));
        job
    }

    /// Fills the index while the server already answers; one job needs none, and is
    /// opened before somebody looks.
    pub(crate) fn judge_in_background(jobs: &Arc<Self>) {
        if jobs.len() == 1 && !jobs.is_folder() {
            jobs.held(0);
            return;
        }
        let jobs = Arc::clone(jobs);
        std::thread::spawn(move || {
            for first in (0..jobs.len()).step_by(AT_ONCE) {
                let end = (first + AT_ONCE).min(jobs.len());
                // One log that cannot be read must not hide the others.
                if jobs.judge(first..end).is_err() {
                    for number in first..end {
                        if let Err(reason) = jobs.judge(number..number + 1) {
                            locked(&jobs.known)[number] = Known::Refused(reason);
                        }
                    }
                }
            }
        });
    }

    fn judge(&self, numbers: std::ops::Range<usize>) -> Result<(), String> {
        let count = numbers.len();
        let jobs = self.jobs[numbers.clone()].to_vec();
        let Judging { options, checks, context } = &self.judging;
        let mut session = Session::of_jobs(jobs, options.clone());
        context.add_to(&mut session).map_err(|e| e.to_string())?;
        let reports = diagnose(&mut session, checks, &MetricRows::None);
        let reports = reports.map_err(|e| e.to_string())?;
        if reports.len() != count {
            return Err("not every log could be read".to_owned());
        }
        let mut known = locked(&self.known);
        for (number, report) in numbers.zip(reports) {
            known[number] = Known::Judged {
                worst: worst(&report),
                findings: report.findings.len(),
                verdict: Box::new(report.verdict),
            };
        }
        Ok(())
    }
}

/// The heaviest class of a report's findings, as the list names it.
fn worst(report: &Report) -> Option<&'static str> {
    let severity = report.findings.iter().map(|finding| finding.severity).min()?;
    Some(match severity {
        Severity::High => "high",
        Severity::Warn => "warn",
        Severity::Unexplained => "unexplained",
        Severity::Info => "info",
        Severity::Ok => "ok",
    })
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
