//! `diya fleet report DATASET -o FILE.html`

use super::ask::OwnQuestions;
use super::job_pages::JobPages;
use crate::command_line::examples;
use crate::failure::{Done, Failure};
use crate::options::Common;
use crate::output::{Content, check, to_file};
use crate::progress::Bar;
use clap::Args;
use diya::Threads;
use diya_fleet::{Answered, Dataset, Overview};
use diya_page::{FleetTable, PageError, fleet_head, write_fleet_html};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
#[command(after_help = examples(&[
    ("diya fleet report jobs/ -o fleet.html", "one page about all jobs"),
    ("diya fleet report jobs/ -o fleet.html --title \"Cluster 1\"", "with a title"),
]))]
pub struct ReportArgs {
    /// Folder that `diya fleet ingest` filled
    #[arg(value_name = "DATASET")]
    dataset: PathBuf,
    /// The page: one HTML file that needs no network
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Title of the page (default: the name of the dataset)
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// List at most so many jobs, those with the most core-hours in I/O; totals and figures cover all
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    limit: usize,
    /// Also write the pages of the N jobs with the largest saving, into a folder beside the page
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    job_pages: usize,
    #[command(flatten)]
    own: OwnQuestions,
}

pub fn run(args: &ReportArgs, common: &Common) -> Result<Done, Failure> {
    // Asked before minutes of work.
    check(&args.output)?;
    let questions = args.own.all()?;
    let dataset = Dataset::open(&args.dataset)?;
    let bar = Bar::new(common);
    let query = dataset.ask(Threads::new(common.threads))?;
    let overview =
        bar.during("asking all questions", || query.overview(questions, args.limit, &|_| {}))?;
    let pages = match args.job_pages {
        0 => None,
        most => Some(JobPages::write(&args.output, &dataset, &query, most, common)?),
    };
    let name = || args.dataset.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let title = args.title.clone().unwrap_or_else(name);
    let (head, tables) = contents(&title, &args.dataset, &overview, pages.as_ref());
    // As in a page of one job: what stands in it is JSON.
    to_file(&args.output, Content::Json, |out| {
        write_fleet_html(out, &title, &head, &tables).map_err(|error| match error {
            PageError::Io(error) => error.into(),
            other => Failure::Output(other.to_string()),
        })
    })?;
    let failed: Vec<&Answered> = overview.answers.iter().filter(|of| of.rows.is_err()).collect();
    for of in failed {
        if let (Err(reason), false) = (&of.rows, common.quiet) {
            say!("question {} has no answer: {reason}", of.question.name);
        }
    }
    let lacks_pages = pages.is_some_and(|pages| pages.has_gone);
    Ok(Done { losses: lacks_pages || overview.answers.iter().any(|of| of.rows.is_err()) })
}

/// The head of the page, and its tables.
fn contents(
    title: &str,
    dataset: &Path,
    overview: &Overview,
    pages: Option<&JobPages>,
) -> (Value, Vec<FleetTable>) {
    let mut tables = Vec::new();
    let mut questions = Vec::new();
    for of in &overview.answers {
        let mut question = json!(of.question);
        question["sql"] = json!(of.sql);
        question["error"] = json!(of.rows.as_ref().err());
        questions.push(question);
        if let Ok(rows) = &of.rows {
            let describe = |name: &str| of.question.described(name);
            tables.push(FleetTable::new(format!("answer/{}", of.question.name), rows, describe));
        }
    }
    let mut jobs = FleetTable::new("jobs", &overview.jobs, |_| None);
    if let Some(pages) = pages {
        jobs.numbered("path", &pages.numbers);
    }
    tables.push(jobs);
    let dataset = dataset.display().to_string();
    let mut head = fleet_head(title, &dataset, &overview.totals, &overview.files, questions.into());
    head["pages"] = json!(pages.map(|pages| &pages.folder));
    (head, tables)
}
