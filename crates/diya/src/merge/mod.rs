//! Logs of one job, from several processes or nodes, become one log.
//!
//! A job that was killed leaves one log per process, and one without MPI writes
//! one per process anyway. Each log is read into the same tables; what they
//! have one each of (job, mounts, names) becomes one again.

pub(crate) mod once;

use crate::convert::{self, ConvertError, ConvertOptions, Converted, OutputFormat};
use crate::input::Input;
use crate::open::read_more;
use crate::{OpenError, OpenOptions};
use diya_tables::{TableId, Tables, job};
use std::collections::HashSet;

/// How to merge logs.
#[derive(Debug, Clone, Default)]
pub struct MergeOptions {
    /// Also logs of different jobs, and records that are in two logs.
    pub is_forced: bool,
    /// End of the job, in seconds since 1970, where the logs do not know it.
    pub end_time_s: Option<i64>,
    /// How to write the merged log.
    pub convert: ConvertOptions,
}

/// Why logs were not merged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MergeError {
    /// A log could not be read.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The merged log could not be written.
    #[error(transparent)]
    Convert(#[from] ConvertError),
    /// The logs are of different jobs.
    #[error("{other} has {what} {found}, {first} has {expected}: these are logs of different jobs")]
    OtherJob {
        /// The log that differs.
        other: String,
        /// The first log.
        first: String,
        /// What differs.
        what: &'static str,
        /// Its value in the log that differs.
        found: String,
        /// Its value in the first log.
        expected: String,
    },
    /// Several traces of diya cannot become one trace.
    #[error(
        "{0} is a second trace of diya: their processes, calls and stacks are numbered alike; \
         merge them into a .darshan log, or collect the recordings again with `diya collect`"
    )]
    Traces(String),
    /// The same record is in two logs.
    #[error(
        "{log} has {table} records of rank {rank} and a file that an earlier log has, too: \
         was a log named twice?"
    )]
    Twice {
        /// The later log.
        log: String,
        /// Table of the record.
        table: &'static str,
        /// Rank of the record.
        rank: i32,
    },
}

/// Tables of counters, in which a file and rank may come once only.
fn records() -> impl Iterator<Item = TableId> {
    let is_of_counters = |id: &TableId| {
        let def = id.def();
        let has = |name| def.column(name).is_some();
        has("file_id") && has("rank") && def.columns.iter().any(|column| column.role.is_some())
    };
    TableId::ALL.into_iter().filter(is_of_counters)
}

/// Reads the logs and writes them as one.
pub fn merge(
    inputs: &[Input],
    format: OutputFormat,
    open: &OpenOptions<'_>,
    options: &MergeOptions,
) -> Result<Converted, MergeError> {
    if inputs.is_empty() {
        return Err(OpenError::Nothing.into());
    }
    let mut tables = Tables::new();
    let mut seen = HashSet::new();
    for (number, input) in inputs.iter().enumerate() {
        let before: Vec<_> = records().map(|id| (id, tables.rows(id))).collect();
        let processes = tables.rows(TableId::Process);
        read_more(input, open, &mut tables)?;
        let is_second_trace = processes > 0 && tables.rows(TableId::Process) > processes;
        if is_second_trace && format == OutputFormat::Diya {
            return Err(MergeError::Traces(input.name.clone()));
        }
        if !options.is_forced {
            same_job(&tables, inputs, number)?;
            not_twice(&tables, &before, &mut seen, input)?;
        }
        if let Some(progress) = open.progress {
            progress.logs_read(number + 1, inputs.len());
        }
    }
    once::merge_jobs(&mut tables, options.end_time_s, None);
    once::keep_first_rows(&mut tables);
    Ok(convert::finish(tables, format, &options.convert, Vec::new())?)
}

/// Is the log just read of the same job as the first?
fn same_job(tables: &Tables, inputs: &[Input], number: usize) -> Result<(), MergeError> {
    let Some(jobs) = tables.table(TableId::Job) else { return Ok(()) };
    for (column, what) in [(job::JOB_ID, "job id"), (job::UID, "user id"), (job::NPROCS, "nprocs")]
    {
        let (expected, found) = (jobs.i64(column, 0), jobs.i64(column, number));
        if expected != found {
            let text = |value: Option<i64>| value.map_or("none".into(), |v| v.to_string());
            let name = |log: usize| inputs.get(log).map(|i| i.name.clone()).unwrap_or_default();
            return Err(MergeError::OtherJob {
                other: name(number),
                first: name(0),
                what,
                found: text(found),
                expected: text(expected),
            });
        }
    }
    Ok(())
}

/// A record of a file and rank.
type Key = (TableId, Option<u64>, Option<i32>);

fn not_twice(
    tables: &Tables,
    before: &[(TableId, usize)],
    seen: &mut HashSet<Key>,
    input: &Input,
) -> Result<(), MergeError> {
    for &(id, first) in before {
        let Some(table) = tables.table(id) else { continue };
        let columns = (id.def().column("file_id"), id.def().column("rank"));
        let (Some(file_id), Some(rank)) = columns else { continue };
        for row in first..table.rows() {
            if !seen.insert((id, table.u64(file_id, row), table.i32(rank, row))) {
                let rank = table.i32(rank, row).unwrap_or(-1);
                let (log, table) = (input.name.clone(), id.def().name);
                return Err(MergeError::Twice { log, table, rank });
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::records;
    use diya_tables::TableId;

    #[test]
    fn every_layer_with_counters_of_files_counts_records() {
        let ids: Vec<_> = records().collect();
        for id in [TableId::Posix, TableId::Stdio, TableId::Mpiio, TableId::Dfs, TableId::Daos] {
            assert!(ids.contains(&id), "{}", id.def().name);
        }
        assert!(!ids.contains(&TableId::Call) && !ids.contains(&TableId::File));
    }
}
