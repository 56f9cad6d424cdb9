//! `diya report LOG...`: the diagnosis.

use super::{jobs, open_options, report_losses};
use crate::commands::judge::{JudgeArgs, report_problems};
use crate::commands::outside::OutsideArgs;
use crate::commands::text::TextArgs;
use crate::entry::{Entry, Group, arguments};
use crate::failure::{Done, Failure};
use crate::options::Common;
use crate::output::{Content, to_file};
use crate::progress::Bar;
use clap::{Args, ValueEnum};
use diya::diagnose::{CheckSet, MetricRows, diagnose};
use diya::report::{
    Detail, printable, write_brief_markdown, write_csv, write_json, write_json_array,
    write_markdown, write_sarif, write_text,
};
use diya::{OpenOptions, Session, TableSet, Together};
use diya_page::timeline::pack::PackOptions;
use diya_page::{self as page, PageError};
use std::path::{Path, PathBuf};

pub const COMMANDS: &[Entry] = &[Entry {
    name: "report",
    group: Group::Diagnose,
    place: 1,
    help: "Diagnose a job: findings, estimated savings and fixes",
    examples: &[
        ("diya report app.diya", "findings, savings and fixes"),
        ("diya report app.diya --brief --format markdown", "in 400 words"),
        ("diya report app.darshan --html report.html", "one page for any browser"),
        ("diya report app.diya --format sarif -o io.sarif", "for code hosts"),
    ],
    augment: ReportArgs::augment_args,
    run: |given, common| run(&arguments(given), common),
    ..Entry::USUAL
}];

/// Layout of the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// Text for a terminal
    Text,
    /// All data as JSON, described in schema/report.schema.json
    Json,
    /// Markdown for tickets and wikis
    Markdown,
    /// One line per finding
    Csv,
    /// SARIF, for code hosts that show findings at source lines
    Sarif,
}

#[derive(Debug, Args)]
pub struct ReportArgs {
    /// Logs, folders or archives of logs; `-` reads standard input
    #[arg(required = true, value_name = "LOG")]
    pub logs: Vec<PathBuf>,
    /// Layout
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub format: ReportFormat,
    /// Write one page with findings, metrics and calls, for any browser, without a network
    #[arg(long, value_name = "FILE", conflicts_with_all = ["output", "format"])]
    pub html: Option<PathBuf>,
    /// With --html: maximum size of the call data in the page. For larger logs the page contains
    /// sums, the longest calls and a sample
    #[arg(
        long,
        value_name = "SIZE",
        value_parser = crate::options::parse_size,
        default_value = "64M",
        requires = "html"
    )]
    pub embed_limit: u64,
    #[command(flatten)]
    pub text: TextArgs,
    /// Include files without data of the program: /proc, pipes, sockets
    #[arg(long)]
    pub system_files: bool,
    /// Treat all logs as one job. Default: single-process logs with the same job id, user and
    /// program form one job
    #[arg(long, conflicts_with = "separate")]
    pub together: bool,
    /// Treat each log as a separate job
    #[arg(long)]
    pub separate: bool,
    /// Metric tables in the JSON: all, none, or names
    #[arg(long, value_name = "TABLES", value_delimiter = ',', default_value = "all")]
    pub metrics: Vec<String>,
    /// Maximum number of rows per metric table in the JSON
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub limit: usize,
    #[command(flatten)]
    pub outside: OutsideArgs,
    #[command(flatten)]
    pub judge: JudgeArgs,
}

impl ReportArgs {
    fn together(&self) -> Together {
        match (self.together, self.separate) {
            (true, _) => Together::All,
            (false, true) => Together::None,
            (false, false) => Together::OneJob,
        }
    }

    fn format(&self, common: &Common) -> ReportFormat {
        if common.json { ReportFormat::Json } else { self.format }
    }

    fn metrics(&self, format: ReportFormat) -> Result<MetricRows, Failure> {
        if format != ReportFormat::Json {
            return Ok(MetricRows::None);
        }
        match self.metrics.as_slice() {
            [one] if one == "all" => Ok(MetricRows::All(self.limit)),
            [one] if one == "none" => Ok(MetricRows::None),
            names => match names.iter().find(|name| !diya::is_metric(name)) {
                Some(name) => Err(Failure::Input(format!(
                    "there is no metric {name:?} (`diya explain metrics` lists all)"
                ))),
                None => Ok(MetricRows::Some(names.to_vec(), self.limit)),
            },
        }
    }
}

/// From so many reports on, each is short unless it was asked otherwise.
const MANY_REPORTS: usize = 4;

pub fn run(args: &ReportArgs, common: &Common) -> Result<Done, Failure> {
    let checks = args.judge.checks()?;
    if !common.quiet {
        report_problems(&checks);
    }
    if let Some(path) = &args.html {
        return html(args, path, &checks, common);
    }
    let format = args.format(common);
    let metrics = args.metrics(format)?;
    let bar = Bar::new(common);
    let jobs = jobs(&args.logs, args.together(), &bar)?;
    let is_one_job = jobs.len() == 1;
    let skips_system = !args.system_files;
    let options = OpenOptions { skips_system, ..open_options(common, None, TableSet::NONE, &bar) };
    let mut session = Session::of_jobs(jobs, options);
    args.outside.add_to(&mut session)?;
    let reports = bar.during("diagnosing", || diagnose(&mut session, &checks, &metrics))?;
    // The remedies of a hundred jobs are too much for a terminal.
    let is_crowd = reports.len() > MANY_REPORTS;
    let text_options = args.text.options(if is_crowd { Detail::Brief } else { Detail::Normal });
    let is_json = matches!(format, ReportFormat::Json | ReportFormat::Sarif);
    args.text.write(Content::of(is_json), |out| {
        match format {
            ReportFormat::Text => {
                for (place, report) in reports.iter().enumerate() {
                    if place > 0 {
                        writeln!(out)?;
                    }
                    if reports.len() > 1 {
                        let (number, of) = (place + 1, reports.len());
                        let logs = named(&report.logs);
                        writeln!(out, "Report {number} of {of}: {}", printable(&logs))?;
                    }
                    write_text(out, report, &text_options)?;
                }
            }
            // One job is an object; several are an array of them.
            ReportFormat::Json if is_one_job => {
                reports.iter().try_for_each(|report| write_json(out, report))?;
            }
            ReportFormat::Json => write_json_array(out, &reports)?,
            ReportFormat::Markdown => {
                let is_brief = matches!(text_options.detail, Detail::Brief);
                let write = if is_brief { write_brief_markdown } else { write_markdown };
                reports.iter().try_for_each(|report| write(out, report))?;
            }
            ReportFormat::Csv => write_csv(out, &reports)?,
            ReportFormat::Sarif => write_sarif(out, &reports)?,
        }
        Ok(())
    })?;
    // What is missing in the logs stands in the report itself.
    Ok(report_losses(common, session.refused(), 0))
}

/// The report as a page.
fn html(
    args: &ReportArgs,
    path: &Path,
    checks: &CheckSet,
    common: &Common,
) -> Result<Done, Failure> {
    let bar = Bar::new(common);
    let jobs = jobs(&args.logs, args.together(), &bar)?;
    if jobs.len() > 1 {
        return Err(Failure::Input(format!(
            "a page shows one job, and these logs are of {}: --together if they are of one, \
             or `diya open` with the same logs",
            jobs.len()
        )));
    }
    let skips_system = !args.system_files;
    let options = OpenOptions { skips_system, ..open_options(common, None, TableSet::NONE, &bar) };
    let mut session = Session::of_jobs(jobs, options);
    args.outside.add_to(&mut session)?;
    let most_bytes = usize::try_from(args.embed_limit).unwrap_or(usize::MAX);
    bar.during("diagnosing", || write_page(&mut session, path, checks, most_bytes))?;
    Ok(report_losses(common, session.refused(), 0))
}

/// Writes the page of the one job of a session; its calls take at most so many bytes.
pub fn write_page(
    session: &mut Session<'_>,
    path: &Path,
    checks: &CheckSet,
    most_bytes: usize,
) -> Result<(), Failure> {
    // Asked for first, so that the logs are read once.
    session.prepare(page::CALL_TABLES)?;
    let reports = diagnose(session, checks, &MetricRows::All(page::PAGE_ROWS))?;
    let store = page::store(&session.tables_named(page::CALL_TABLES), session.threads());
    let pack = page::timeline::pack::pack(&store, PackOptions { most_bytes });
    let report = reports.into_iter().next().unwrap_or_default();
    // The data in the page are JSON: a direction mark in a path has to stay valid there.
    to_file(path, Content::Json, |out| {
        page::write_html(out, &report, Some(&pack)).map_err(|e| match e {
            PageError::Io(error) => error.into(),
            other => Failure::Output(other.to_string()),
        })
    })
}
/// Logs that a heading names; a job of many processes has one of each.
const NAMED_LOGS: usize = 3;

fn named(logs: &[String]) -> String {
    let first = logs.iter().take(NAMED_LOGS).map(String::as_str).collect::<Vec<_>>().join(", ");
    match logs.len().saturating_sub(NAMED_LOGS) {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}
