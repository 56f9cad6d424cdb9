//! `diya fleet serve DATASET`

use super::ask::OwnQuestions;
use crate::command_line::examples;
use crate::commands::serve::{ServeHow, bound, judging, run as serve};
use crate::failure::{Done, Failure};
use crate::options::Common;
use clap::Args;
use diya::Threads;
use diya_fleet::Dataset;
use diya_serve::{FleetSite, Jobs};
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = examples(&[
    ("diya fleet serve jobs/", "the page live, in the browser"),
    ("diya fleet serve jobs/ --port 8000 --no-browser", "at a port for an SSH tunnel"),
]))]
pub struct ServeArgs {
    /// Folder that `diya fleet ingest` filled
    #[arg(value_name = "DATASET")]
    dataset: PathBuf,
    /// Title of the page (default: the name of the dataset)
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// List at most so many jobs, those with the most core-hours in I/O; filters and figures cover all
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    limit: usize,
    #[command(flatten)]
    own: OwnQuestions,
    #[command(flatten)]
    how: ServeHow,
}

pub fn run(args: &ServeArgs, common: &Common) -> Result<Done, Failure> {
    let questions = args.own.all()?;
    let dataset = Dataset::open(&args.dataset)?;
    let name = || args.dataset.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let title = args.title.clone().unwrap_or_else(name);
    let site = FleetSite::new(dataset, title, questions, args.limit, Threads::new(common.threads))?;
    let jobs = Jobs::of_dataset(judging(&args.how, common)?);
    serve(bound(jobs, &args.how)?.with_fleet(site), &args.how, common, false)
}
