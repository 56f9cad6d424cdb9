//! `diya fleet cluster ...`: SQL over a dataset on many nodes.

mod ask;
mod start;

use crate::command_line::examples;
use crate::failure::{Done, Failure};
use crate::options::Common;
use clap::{Args, Subcommand};
use diya_fleet::{ClusterAt, ClusterError, cluster_program};
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = examples(&[
    ("diya fleet cluster start", "a cluster on this machine, or on the nodes of a Slurm allocation"),
    ("diya fleet cluster ask jobs/ who", "in another terminal: a question"),
    ("diya fleet cluster start -- ./questions.sh", "for a batch script: ends with the command"),
]))]
pub struct ClusterArgs {
    #[command(subcommand)]
    command: ClusterCommand,
}

#[derive(Debug, Subcommand)]
enum ClusterCommand {
    /// Start a scheduler and workers, here or on the nodes of a Slurm allocation
    Start(start::StartArgs),
    /// Run SQL over the tables of a dataset, by the cluster
    Sql(ask::SqlArgs),
    /// Answer a question about all jobs, by the cluster
    Ask(ask::AskArgs),
}

/// Names the file of the cluster to the command that `start` runs, and to others.
const WHERE: &str = "DIYA_CLUSTER";

/// Which cluster.
#[derive(Debug, Args)]
struct Which {
    /// File that says where the cluster is (default: $DIYA_CLUSTER, or ~/.cache/diya/cluster.json)
    #[arg(long, value_name = "FILE")]
    cluster: Option<PathBuf>,
    /// The program of schedulers and workers (default: diya-cluster, beside diya or on the PATH)
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
}

impl Which {
    fn file(&self) -> PathBuf {
        let named = || std::env::var_os(WHERE).map(PathBuf::from);
        self.cluster.clone().or_else(named).unwrap_or_else(ClusterAt::usual_file)
    }

    fn program(&self) -> Result<PathBuf, Failure> {
        match &self.program {
            Some(program) => Ok(program.clone()),
            None => Ok(cluster_program(&crate::program()?)?),
        }
    }
}

pub fn run(args: &ClusterArgs, common: &Common) -> Result<Done, Failure> {
    match &args.command {
        ClusterCommand::Start(args) => start::run(args, common),
        ClusterCommand::Sql(args) => ask::sql(args, common),
        ClusterCommand::Ask(args) => ask::ask(args, common),
    }
}

impl From<ClusterError> for Failure {
    fn from(error: ClusterError) -> Self {
        match error {
            ClusterError::Dataset(error) => error.into(),
            ClusterError::Query(_) => Self::Query(error.to_string()),
            ClusterError::File { .. } => Self::Output(error.to_string()),
            other => Self::Input(other.to_string()),
        }
    }
}
