//! `diya fleet ...`: many logs as one dataset. One command is one file.

mod ask;
mod cluster;
mod ingest;
mod job_pages;
mod join;
mod keep;
mod report;
mod script;
mod serve;
mod watch;

use crate::command_line::examples;
use crate::entry::{Entry, Group, arguments};
use crate::failure::{Done, Failure};
use crate::options::Common;
use clap::{Args, Subcommand};
use diya_fleet::FleetError;

pub const COMMANDS: &[Entry] = &[Entry {
    name: "fleet",
    group: Group::ManyJobs,
    place: 1,
    help: "Analyse many logs together: ingest, ask, watch, report",
    examples: &[
        ("diya fleet ingest /logs/2026 -o jobs/", "all logs of a folder as a dataset"),
        ("diya fleet ask jobs/ who", "answer a question about all jobs"),
        ("diya fleet report jobs/ -o fleet.html", "one page about all jobs"),
    ],
    augment: FleetArgs::augment_args,
    run: |given, common| run(&arguments(given), common),
    ..Entry::USUAL
}];

#[derive(Debug, Args)]
pub struct FleetArgs {
    #[command(subcommand)]
    command: FleetCommand,
}

#[derive(Debug, Subcommand)]
enum FleetCommand {
    /// Read logs into a dataset of Parquet files; only new logs are read
    Ingest(ingest::IngestArgs),
    /// Write the batch files of a job array that ingests an archive: Slurm or PBS
    Script(script::ScriptArgs),
    /// Add accounting data of Slurm or PBS, peak bandwidths of file systems, and server metrics
    Join(join::JoinArgs),
    /// Merge the files of a dataset into few large ones, and remove duplicates
    #[command(after_help = examples(keep::COMPACT))]
    Compact(keep::KeepArgs),
    /// Answer a question about all jobs, or list the questions
    Ask(ask::AskArgs),
    /// Run SQL over the tables of a dataset
    Sql(ask::SqlArgs),
    /// Run questions and SQL on many nodes, in a Slurm allocation or on this machine
    Cluster(cluster::ClusterArgs),
    /// Describe a question: its meaning, parameters, columns and SQL
    Explain(ask::ExplainArgs),
    /// Write one page about all jobs: totals, every question, and a table of the jobs
    Report(report::ReportArgs),
    /// Serve the page live on this machine: filters, every question, SQL, and each job's own page
    Serve(serve::ServeArgs),
    /// Ingest new logs, and write a summary: new, worse and fixed jobs, and users to contact
    Watch(watch::WatchArgs),
    /// Print a checksum of each table, independent of the order of rows, to compare datasets
    #[command(after_help = examples(keep::HASH))]
    Hash(keep::KeepArgs),
}

pub fn run(args: &FleetArgs, common: &Common) -> Result<Done, Failure> {
    match &args.command {
        FleetCommand::Ingest(args) => ingest::run(args, common),
        FleetCommand::Script(args) => script::run(args, common),
        FleetCommand::Join(args) => join::run(args, common),
        FleetCommand::Compact(args) => keep::compact(args, common),
        FleetCommand::Ask(args) => ask::ask(args, common),
        FleetCommand::Sql(args) => ask::sql(args, common),
        FleetCommand::Cluster(args) => cluster::run(args, common),
        FleetCommand::Explain(args) => ask::explain(args, common),
        FleetCommand::Report(args) => report::run(args, common),
        FleetCommand::Serve(args) => serve::run(args, common),
        FleetCommand::Watch(args) => watch::run(args, common),
        FleetCommand::Hash(args) => keep::hash(args, common),
    }
}

impl From<FleetError> for Failure {
    fn from(error: FleetError) -> Self {
        match error {
            FleetError::File { .. } => Self::Output(error.to_string()),
            other => Self::Input(other.to_string()),
        }
    }
}
