//! Runs of a job side by side: did it become faster, and why?
//!
//! Runs are diagnosed in one pass, as the logs of a fleet are; then their
//! reports and metric tables are aligned: phases by what they move, files by
//! patterns of their names, findings by their checks. What two runs differ by
//! anyway is no answer: see [`noise`](USUAL_NOISE).

mod facts;
mod files;
mod findings;
mod folders;
mod gate;
mod noise;
mod numbers;
mod pattern;
mod phases;
mod verdict;

pub use gate::{FailOn, failures, failures_alone};
pub use noise::{Spread, USUAL_NOISE, is_beyond, mean};

use diya::Session;
use diya::diagnose::{CheckSet, DiagnoseError, MetricRows, diagnose};
use diya::input::Input;
use diya_report::Report;
use diya_report::comparison::{COMPARISON_VERSION, ComparedRun, Comparison, RunComparison};
use facts::{Facts, Tables};
use noise::Times;

/// Runs could not be compared.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CompareError {
    /// They could not be judged.
    #[error(transparent)]
    Diagnose(#[from] DiagnoseError),
    /// A log could not be read.
    #[error("{log}: {reason}; it cannot be compared")]
    Refused {
        /// The log.
        log: String,
        /// Why.
        reason: String,
    },
    /// Fewer than two runs were given.
    #[error("a comparison needs two runs, as in `diya compare before.diya after.diya`")]
    TooFew,
}

/// How runs are compared.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CompareOptions {
    /// What two runs of one job differ by, as a share, in 95 of 100 cases.
    /// Repeats of the runs replace it by their own spread.
    pub noise_ratio: f64,
}

impl Default for CompareOptions {
    fn default() -> Self {
        Self { noise_ratio: USUAL_NOISE }
    }
}

/// One run: its repeats, each the logs of one job.
pub type Repeats = Vec<Vec<Input>>;

/// Opens a session for runs that are to be compared.
pub fn session<'a>(runs: &[Repeats], options: diya::OpenOptions<'a>) -> Session<'a> {
    Session::of_jobs(runs.iter().flatten().cloned().collect(), options)
}

/// Compares the runs of a session with the first one.
///
/// `repeats` gives the number of jobs of the session for each run, in order;
/// its sum is the number of jobs. Gives the reports of the runs, too: of
/// several repeats the one in the middle by run time.
pub fn compare(
    session: &mut Session<'_>,
    repeats: &[usize],
    set: &CheckSet,
    options: &CompareOptions,
) -> Result<(Comparison, Vec<Report>), CompareError> {
    if repeats.len() < 2 || repeats.contains(&0) {
        return Err(CompareError::TooFew);
    }
    let names = facts::TABLES.map(str::to_owned).to_vec();
    let reports = diagnose(session, set, &MetricRows::Some(names, 0))?;
    if let Some(refused) = session.refused().first() {
        let (log, reason) = (refused.name.clone(), refused.reason.clone());
        return Err(CompareError::Refused { log, reason });
    }
    let tables = Tables::read(session);
    let mut jobs = reports.into_iter().enumerate().filter_map(|(log, mut report)| {
        report.metrics.clear();
        Some(tables.of(i32::try_from(log).ok()?, report))
    });
    let runs: Vec<Run> =
        repeats.iter().filter_map(|count| Run::of(jobs.by_ref().take(*count).collect())).collect();
    match runs.split_first() {
        Some((baseline, others)) if !others.is_empty() => {
            let comparison = aligned(baseline, others, options);
            Ok((comparison, runs.into_iter().map(|run| run.facts.report).collect()))
        }
        _ => Err(CompareError::TooFew),
    }
}

/// One run with the times of all its repeats.
struct Run {
    compared: ComparedRun,
    /// Of the repeat in the middle.
    facts: Facts,
    run_s: Vec<f64>,
    io_s: Vec<f64>,
}

impl Run {
    /// `None`: there is no repeat.
    fn of(mut repeats: Vec<Facts>) -> Option<Self> {
        let run_s: Vec<f64> = repeats.iter().filter_map(|r| r.report.job.run_s).collect();
        let io_s: Vec<f64> = repeats.iter().filter_map(|r| r.report.verdict.io_s).collect();
        let logs = repeats.iter().flat_map(|r| r.report.logs.clone()).collect();
        let count = repeats.len();
        repeats.sort_by(|a, b| {
            let time = |facts: &Facts| facts.report.job.run_s.unwrap_or(f64::INFINITY);
            time(a).total_cmp(&time(b))
        });
        let facts = repeats.into_iter().nth(count.saturating_sub(1) / 2)?;
        let compared = ComparedRun {
            logs,
            repeats: count,
            job: facts.report.job.clone(),
            verdict: facts.report.verdict.clone(),
            run_s: noise::mean(&run_s),
            io_s: noise::mean(&io_s),
        };
        Some(Self { compared, facts, run_s, io_s })
    }
}

fn aligned(baseline: &Run, others: &[Run], options: &CompareOptions) -> Comparison {
    Comparison {
        schema_version: COMPARISON_VERSION,
        program: format!("diya {}", diya::VERSION),
        baseline: baseline.compared.clone(),
        runs: others
            .iter()
            .enumerate()
            .map(|(place, run)| one(baseline, run, &name_of(place + 1), options))
            .collect(),
    }
}

/// A is the baseline; beyond Z runs have numbers.
fn name_of(place: usize) -> String {
    match u8::try_from(place).ok().filter(|place| *place < 26) {
        Some(place) => char::from(b'A' + place).to_string(),
        None => format!("run {}", place + 1),
    }
}

fn one(a: &Run, b: &Run, name: &str, options: &CompareOptions) -> RunComparison {
    let times = Times {
        run_before: a.run_s.clone(),
        run_after: b.run_s.clone(),
        io_before: a.io_s.clone(),
        io_after: b.io_s.clone(),
    };
    let noise = noise::noise(&times, options.noise_ratio);
    let answer = verdict::answer(name, &a.compared, &b.compared, noise);
    let (before, after) = (&a.facts, &b.facts);
    let layer = before.phases.keys().find(|layer| after.phases.contains_key(*layer));
    // The lowest layer sees what became of all the others' requests.
    let posix = "posix".to_owned();
    let layer = layer.map(|layer| match before.phases.contains_key(&posix) {
        true if after.phases.contains_key(&posix) => &posix,
        _ => layer,
    });
    let phases = layer.map(|layer| {
        let of = |facts: &Facts| facts.phases.get(layer).cloned().unwrap_or_default();
        phases::phases(layer, &of(before), &of(after))
    });
    RunComparison {
        run: b.compared.clone(),
        text: answer.text,
        outcome: answer.outcome,
        regressions: answer.regressions,
        other_work: verdict::other_work(name, &a.compared, &b.compared),
        noise,
        metrics: numbers::numbers((&a.compared, before), (&b.compared, after), noise),
        phases: phases.unwrap_or_default(),
        files: files::files(&before.files, &after.files),
        sizes: numbers::sizes(before, after),
        findings: findings::findings(&before.report, &after.report, noise.io_ratio),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use diya_report::Job;

    fn facts(run_s: f64) -> Facts {
        let job = Job { run_s: Some(run_s), ..Job::default() };
        let logs = vec![format!("{run_s}.darshan")];
        Facts { report: Report { job, logs, ..Report::default() }, ..Facts::default() }
    }

    #[test]
    fn the_repeat_in_the_middle_stands_for_all() {
        let run = Run::of(vec![facts(9.0), facts(1.0), facts(3.0)]).unwrap();
        assert_eq!(run.facts.report.job.run_s, Some(3.0));
        assert_eq!(run.compared.run_s.map(f64::round), Some(3.0));
        assert_eq!((run.compared.repeats, run.compared.logs.len()), (3, 3));
        assert!(Run::of(Vec::new()).is_none());
    }

    #[test]
    fn a_run_compared_with_itself_is_the_same() {
        let runs = [Run::of(vec![facts(80.5)]).unwrap(), Run::of(vec![facts(80.5)]).unwrap()];
        let comparison = aligned(&runs[0], &runs[1..], &CompareOptions::default());
        let run = &comparison.runs[0];
        assert_eq!(run.outcome, diya_report::comparison::Outcome::Same);
        assert!(run.regressions.is_empty() && run.files.is_empty());
    }

    #[test]
    fn runs_are_letters_as_long_as_there_are_any() {
        assert_eq!((name_of(1).as_str(), name_of(26).as_str()), ("B", "run 27"));
    }
}
