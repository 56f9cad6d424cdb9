//! The diagnosis: what the logs say, one report per job.
//!
//! Metrics are computed and checks are decided once for all logs; here their
//! verdicts, the numbers of the job and the metric tables become reports.

mod account;
mod advice;
mod applied;
mod beside_calls;
pub mod cells;
mod checks;
mod decoding;
mod late_rank;
mod line_cost;
mod main_file;
mod messages;
mod metrics;
mod program;
mod rank_wait;
mod related;
mod source;
mod stack_lines;
mod steps;
pub(crate) mod track_record;
mod verdict;
mod verdict_tables;
mod waited;

pub use account::time_parts;
pub use checks::{CheckSet, CheckSetError, Tested, test_checks};
pub use metrics::MetricRows;
pub(crate) use verdict_tables::APPLIED;

use crate::{AskError, Session, Stage};
use advice::Circumstances;
use cells::Cells;
use diya_checks::{CheckError, LogVerdicts, METRICS_NEEDED, decide, tables_needed};
use diya_metrics::Catalog;
use diya_report::{Problem, Report};
use diya_tables::Batches;
use std::collections::BTreeSet;
use steps::Places;
use verdict_tables::VerdictTables;

/// The logs could not be judged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DiagnoseError {
    /// The logs could not be read.
    #[error(transparent)]
    Ask(#[from] AskError),
    /// The tables that every verdict is made of are not there.
    #[error(transparent)]
    Check(#[from] CheckError),
}

/// Tables behind the verdict, whatever the checks need.
const OWN_TABLES: &[&str] = &[
    "job",
    "file",
    "read_issue",
    "job_io",
    "layer_load",
    "time_account",
    "mount_load",
    "rank_host",
    "phase_summary",
    "unseen_io",
    "user_frame",
    "program_note",
    "idle_time",
    "leader_time",
    "processor_work",
    "message_wait",
    "message_path",
    "processor_sample",
    "recording_time",
    "peer_group",
    "file_use",
    "main_file",
];

/// Judges the logs of a session.
///
/// `metrics` says how much of the metric tables goes into the reports. Gives
/// one report per log that could be read, in their order.
///
/// ```no_run
/// use diya::diagnose::{CheckSet, MetricRows, diagnose};
/// use diya::{OpenOptions, Session, input};
///
/// let mut session = Session::new(input::logs(&["app.darshan"])?, OpenOptions::default());
/// let reports = diagnose(&mut session, &CheckSet::builtin()?, &MetricRows::None)?;
/// println!("{}", reports[0].verdict.text);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn diagnose(
    session: &mut Session<'_>,
    set: &CheckSet,
    metrics: &MetricRows,
) -> Result<Vec<Report>, DiagnoseError> {
    let catalog = Catalog::built_in();
    let base = tables_needed(&set.checks, catalog);
    let mut names: BTreeSet<&str> = base.iter().map(String::as_str).collect();
    names.extend(set.checks.iter().flat_map(|check| check.needs.iter()).map(String::as_str));
    names.extend(OWN_TABLES);
    names.extend(METRICS_NEEDED);
    let shown = metrics.names(catalog);
    names.extend(&shown);
    session.prepare(&names.into_iter().collect::<Vec<_>>())?;
    session.began(Stage::Judging);
    let (engine, failed) = session.engine_mut()?;
    let verdicts = decide(engine, &set.checks, &set.config, catalog, failed)?;
    let mut problems = set.problems.clone();
    problems.extend(verdicts.problems.iter().map(checks::problem));
    problems.extend(session.failed().iter().map(|failed| Problem {
        what: format!("metric {}", failed.metric),
        reason: failed.error.to_string(),
    }));
    let about = VerdictTables::read(session)?;
    let tables = metrics::read(session, &shown, metrics.limit())?;
    let places = Places::read(session, &verdicts.logs, &set.checks)?;
    let frames = table(session, "user_frame")?;
    let has_stacks = |log: i32| frames.row(log).is_some();
    let report = |log: LogVerdicts| {
        let (job, verdict) = about.of(&log);
        let programs = about.programs(log.log);
        let alike = programs.iter().map(|of| of.processes).max().filter(|_| programs.len() > 1);
        let format = about.format(log.log);
        let run = Circumstances::of(&job, alike, format.as_deref(), verdict.confidence);
        let names = &about.account.names;
        let explained = log.findings.into_iter();
        let located = explained.map(|finding| places.locate(log.log, finding, names));
        let mut findings: Vec<_> = located.map(|finding| finding.advised(&run, &job)).collect();
        related::relate(&mut findings, verdict.run_s);
        let better_recording =
            track_record::better_recording(format.as_deref(), &log.unknown, has_stacks(log.log));
        let mut report = Report {
            logs: session.log_names(log.log),
            job,
            verdict,
            time_account: about.account.rows(log.log),
            all_fixed: log.all_fixed,
            metrics: tables.of(log.log),
            findings,
            passed: log.passed,
            not_applicable: log.not_applicable,
            unknown: log.unknown,
            problems: problems.clone(),
            track_record: track_record::of(format.as_deref()),
            better_recording,
            ..Report::default()
        };
        verdict::say(&mut report);
        report
    };
    Ok(verdicts.logs.into_iter().map(report).collect())
}

/// A table of the session; a metric that could not be computed has no rows,
/// and the report names it among its problems.
fn table(session: &Session<'_>, name: &str) -> Result<Cells, AskError> {
    if let Some(table) = session.table(name) {
        return Ok(Cells::read(&**table));
    }
    let metric = Catalog::built_in().get(name).map(|metric| metric.def);
    let is_failed = session.failed().iter().any(|failed| failed.metric == name);
    match metric.filter(|_| is_failed) {
        Some(def) => Ok(Cells::read(&Batches::new(def, Vec::new()))),
        None => Err(AskError::Metric {
            name: name.to_owned(),
            source: diya_metrics::MetricError::Missing(name.to_owned()),
        }),
    }
}
