//! What a process reads from its standard input: everybody on the machine can see an address or
//! a token in its arguments.

use crate::Failure;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::io::BufRead as _;

/// What a scheduler reads when it starts.
#[derive(Debug, Deserialize)]
pub struct SchedulerJob {
    /// Secret that workers and clients know.
    pub token: String,
    /// Address to listen at.
    pub bind: String,
    /// Name under which workers and clients reach it.
    pub host: String,
}

/// What a worker reads when it starts.
#[derive(Debug, Deserialize)]
pub struct WorkerJob {
    /// Secret of the cluster.
    pub token: String,
    /// `host:port` of the scheduler.
    pub scheduler: String,
    /// Address to listen at.
    pub bind: String,
    /// Name under which others reach it; that of this node where there is none.
    pub host: Option<String>,
    /// Tasks that run at the same time.
    pub cores: usize,
    /// Memory that its tasks may hold, in bytes; half of what is free where there is none.
    pub memory_bytes: Option<u64>,
    /// Folder for rows on their way from one task to another; that for temporary files where
    /// there is none.
    pub work: Option<String>,
}

/// What a client reads when it starts.
#[derive(Debug, Deserialize)]
pub struct QueryJob {
    /// Secret of the cluster.
    pub token: String,
    /// `host:port` of the scheduler.
    pub scheduler: String,
    /// Parts that rows are divided into.
    pub partitions: usize,
    /// The statement.
    pub sql: String,
    /// The tables that it may name.
    pub tables: Vec<TableJob>,
}

/// A table of Parquet files.
#[derive(Debug, Deserialize)]
pub struct TableJob {
    /// Its name.
    pub name: String,
    /// Its folder.
    pub folder: String,
    /// Name and type of each column in the files.
    pub columns: Vec<(String, Kind)>,
    /// Columns that the names of folders give.
    pub folders: Vec<(String, Kind)>,
    /// Columns that have one value in all rows.
    pub constants: Vec<(String, i64)>,
}

/// Type of a column.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Truth value.
    Bool,
    /// Whole number.
    I64,
    /// Number.
    F64,
    /// Text.
    Str,
    /// Time in ns since 1970 in UTC.
    TimestampNs,
}

/// Reads a job: one line, so that the writer may keep its end open.
pub fn read<J: DeserializeOwned>() -> Result<J, Failure> {
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line)?;
    serde_json::from_str(&line)
        .map_err(|error| format!("diya-cluster is of another version than diya: {error}").into())
}

/// Waits until who started this process has ended, in whatever way.
pub async fn end_of_input() {
    let (say, heard) = tokio::sync::oneshot::channel();
    std::thread::spawn(move || {
        let _ = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
        let _ = say.send(());
    });
    let _ = heard.await;
}
