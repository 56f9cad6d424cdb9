//! A dataset asked by many nodes: the scheduler, workers and client of `diya-cluster`
//! (fleet/cluster), a program of its own. Why: docs/decisions/0055.

mod place;
mod query;
mod start;
mod tables;

pub use place::{ClusterAt, cluster_program};
pub use start::{Cluster, ClusterPlan, Nodes};

use crate::FleetError;
use std::path::PathBuf;

/// Why a cluster did not start, or did not answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClusterError {
    /// The program is missing.
    #[error(
        "diya-cluster, the program of schedulers and workers, is neither beside {0} nor on the PATH; \
         `make cluster` in a clone of diya builds it (a few minutes). \
         `diya fleet sql` and `diya fleet ask` do without, on one machine"
    )]
    NoProgram(PathBuf),
    /// A program does not start.
    #[error("{path} does not start: {source}")]
    Program {
        /// The program.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file that says where the cluster is cannot be read or written.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// No cluster was started, or the file is of something else.
    #[error(
        "{0}: no cluster is known here; \
         `diya fleet cluster start` starts one (--cluster FILE names the file of another)"
    )]
    NoCluster(PathBuf),
    /// A cluster was started, but has ended.
    #[error(
        "the cluster at {address} does not answer ({path}); start it again: diya fleet cluster start"
    )]
    Gone {
        /// Where it was.
        address: String,
        /// The file that says so.
        path: PathBuf,
    },
    /// One runs already.
    #[error(
        "a cluster runs already at {address} ({path}); end it (Ctrl-C), or name another file: --cluster FILE"
    )]
    Runs {
        /// Where.
        address: String,
        /// The file that says so.
        path: PathBuf,
    },
    /// It did not come up.
    #[error("the cluster did not start: {0}")]
    Start(String),
    /// Nothing of it is left.
    #[error("the cluster has ended: {0}; start it again: diya fleet cluster start")]
    Ended(String),
    /// The statement is wrong, or the workers could not finish it.
    #[error("the cluster has no answer: {0}")]
    Query(String),
    /// The dataset cannot be read.
    #[error(transparent)]
    Dataset(#[from] FleetError),
}
