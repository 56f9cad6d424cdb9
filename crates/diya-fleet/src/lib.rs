//! Many logs as one dataset: Parquet files that any SQL engine reads.
//!
//! `schema/fleet/*.toml` says what the tables are. Why they are laid out like this,
//! and how a dataset is written: docs/decisions/0032. Logs go through here as
//! `walk` (which files) -> `batch` (bytes to tables and findings, many logs at once) ->
//! `extract` (tables to rows) -> `commit` (rows to files).

mod ask;
mod batch;
mod chosen;
mod cluster;
mod commit;
mod compact;
mod dataset;
mod error;
mod extract;
mod feed;
mod files;
#[rustfmt::skip]
#[allow(missing_docs)] // the definitions say what each column holds
mod generated;
mod hash;
mod ingest;
mod item;
mod job_log;
mod join;
mod known;
mod live;
mod names;
mod open;
mod overview;
mod pick;
mod round;
mod rows;
mod script;
mod shared;
mod walk;
mod watch;

pub use ask::{AnswerColumn, AskError, FleetQuery, Param, Question, Watched};
pub use cluster::{Cluster, ClusterAt, ClusterError, ClusterPlan, Nodes, cluster_program};
pub use compact::Compacted;
pub use dataset::Dataset;
pub use diya_query::Limits;
pub use error::FleetError;
pub use extract::{program, user_of_path};
pub use generated::*;
pub use hash::TableHash;
pub use ingest::{Ingested, ingest, ingest_counted};
pub use job_log::{LogUnavailable, log_inputs};
pub use join::{JoinOptions, Joined, Source, join};
pub use names::Anonymity;
pub use overview::{Answered, LogAt, Overview};
pub use pick::JobFilter;
pub use script::{BatchFile, BatchPlan, BatchSystem};
pub use shared::IngestOptions;
pub use walk::{Shard, Since};
pub use watch::{Change, Contact, Digest, Section, State, Transition, WatchOptions};
