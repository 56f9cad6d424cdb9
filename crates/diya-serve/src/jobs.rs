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
         *.darshan or *.diya, also with .gz, .bz2 or .zst"
    )]
    Empty(PathBuf),
}

/// What is known of a job before it is opened.
#[derive(Clone)]
pub(crate) enum Known {
    Nothing,
    Judged(Box<Facts>),
    Refused(String),
}

/// What the table of a folder shows of a job.
#[derive(Clone)]
pub(crate) struct Facts {
    pub verdict: Verdict,
    pub job: diya::report::Job,
    /// Findings of severity high, and of severity warn, that no other one explains.
    pub high: usize,
    pub warn: usize,
    /// Title of the finding to look at first.
    pub first: Option<String>,
    /// Seconds that all fixes save.
    pub saved_s: Option<f64>,
}

/// Where a job comes from.
enum Origin {
    Inputs(Vec<Input>),
    /// A path of a dataset, read when somebody looks.
    Path(String),
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
    jobs: Mutex<Vec<Arc<Origin>>>,
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

    /// No jobs yet: those of a dataset come when somebody looks.
    pub fn of_dataset(judging: Judging) -> Self {
        Self::new(Vec::new(), judging, None)
    }

    fn new(jobs: Vec<Vec<Input>>, judging: Judging, folder: Option<PathBuf>) -> Self {
        let known = Mutex::new(vec![Known::Nothing; jobs.len()]);
        let jobs = jobs.into_iter().map(|inputs| Arc::new(Origin::Inputs(inputs))).collect();
        Self { jobs: Mutex::new(jobs), judging, folder, known, held: Mutex::default() }
    }

    /// The number of the job at a path of a dataset.
    pub(crate) fn number_of_path(&self, path: &str) -> usize {
        let mut jobs = locked(&self.jobs);
        let is_it = |of: &Arc<Origin>| matches!(&**of, Origin::Path(known) if known == path);
        jobs.iter().position(is_it).unwrap_or_else(|| {
            jobs.push(Arc::new(Origin::Path(path.to_owned())));
            jobs.len() - 1
        })
    }

    fn origin(&self, number: usize) -> Option<Arc<Origin>> {
        locked(&self.jobs).get(number).cloned()
    }

    fn inputs(&self, number: usize) -> Vec<Input> {
        match self.origin(number).as_deref() {
            Some(Origin::Inputs(inputs)) => inputs.clone(),
            Some(Origin::Path(path)) => diya_fleet::log_inputs(path),
            None => Vec::new(),
        }
    }

    /// Bytes of the logs of a job, as stored.
    pub(crate) fn size_bytes(&self, number: usize) -> u64 {
        self.inputs(number).iter().map(Input::size_bytes).sum()
    }

    /// Path of the first log.
    pub(crate) fn path(&self, number: usize) -> String {
        match self.origin(number).as_deref() {
            Some(Origin::Inputs(inputs)) => {
                inputs.first().map_or_else(String::new, |input| input.name.clone())
            }
            Some(Origin::Path(path)) => path.clone(),
            None => String::new(),
        }
    }

    /// The folder that was named.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// How many jobs.
    pub fn len(&self) -> usize {
        locked(&self.jobs).len()
    }

    /// No jobs.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether a folder was named: its index is shown even of one job.
    pub fn is_folder(&self) -> bool {
        self.folder.is_some()
    }

    /// The number in an address, when there is such a job.
    pub(crate) fn number(&self, text: &str) -> Option<usize> {
        // Digits only: `parse` would take a sign as well.
        let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse().ok().filter(|number| is_number && *number < self.len())
    }

    /// Name of the job with this number.
    pub(crate) fn name(&self, text: &str) -> Option<String> {
        self.number(text).map(|number| self.name_of(number))
    }

    pub(crate) fn name_of(&self, number: usize) -> String {
        let first = self.path(number);
        let below =
            self.folder.as_ref().and_then(|folder| Path::new(&first).strip_prefix(folder).ok());
        let first = below.and_then(Path::to_str).unwrap_or(&first);
        match self.origin(number).as_deref() {
            Some(Origin::Inputs(logs)) if logs.len() > 1 => {
                format!("{first} and {} more", logs.len() - 1)
            }
            _ => first.to_owned(),
        }
    }

    /// Number, name and verdict of each job; null: it is not judged, or could not be.
    pub(crate) fn list(&self) -> Value {
        let entry = |number| {
            let verdict = match self.known(number) {
                Known::Judged(facts) => Some(facts.verdict.text),
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
            let inputs = self.inputs(number);
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
        if jobs.is_empty() {
            return;
        }
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
        let jobs = numbers.clone().map(|number| self.inputs(number)).collect();
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
            known[number] = Known::Judged(Box::new(facts(report)));
        }
        Ok(())
    }
}

/// What the table shows of a report.
fn facts(report: Report) -> Facts {
    let own = || report.findings.iter().filter(|finding| finding.explained_by.is_none());
    let count = |severity| own().filter(|finding| finding.severity == severity).count();
    let is_good = |severity| matches!(severity, Severity::Ok | Severity::Info);
    Facts {
        high: count(Severity::High),
        warn: count(Severity::Warn),
        first: own().find(|of| !is_good(of.severity)).map(|of| of.title.clone()),
        saved_s: report.all_fixed.and_then(|saved| saved.saved_s),
        verdict: report.verdict,
        job: report.job,
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
