//! Logs of one job that each hold one process, as a program without MPI
//! leaves: read as one log, in which each is a process.

use super::{OpenOptions, Refused, refused_row};
use crate::Threads;
use crate::input::Input;
use crate::merge::once;
use diya_read::{Selection, TableSet};
use diya_tables::{ColumnDef, Kind, ProcessRow, TableBuilder, TableId, Tables, job};
use diya_write::rows::copy_cell;

/// Which logs belong to one job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Together {
    /// Logs of one process each with the same job id, user and program.
    #[default]
    OneJob,
    /// All of them.
    All,
    /// None: a log is a job.
    None,
}

/// The logs, those of one job in one list; the lists in the order of their
/// first logs.
pub fn by_job(inputs: Vec<Input>, together: Together) -> Vec<Vec<Input>> {
    match together {
        Together::None => return inputs.into_iter().map(|input| vec![input]).collect(),
        Together::All => return vec![inputs],
        Together::OneJob if inputs.len() < 2 => return vec![inputs],
        Together::OneJob => {}
    }
    let mut groups: Vec<(Option<Key>, Vec<Input>)> = Vec::new();
    let mut places = std::collections::HashMap::new();
    for input in inputs {
        let key = key(&input);
        let place = key.clone().and_then(|key| places.get(&key).copied());
        match place {
            Some(place) => {
                let (_, group): &mut (_, Vec<Input>) = &mut groups[place];
                group.push(input);
            }
            None => {
                if let Some(key) = key.clone() {
                    places.insert(key, groups.len());
                }
                groups.push((key, vec![input]));
            }
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// Job id, user and program.
type Key = (i64, i64, String);

/// Key by which logs of one process are joined; a log of several is a job by itself.
fn key(input: &Input) -> Option<Key> {
    let options = OpenOptions {
        selection: Selection::tables(TableSet::NONE.with(TableId::Job)),
        threads: Threads::new(1),
        ..OpenOptions::default()
    };
    let tables = super::read_one(input, &options).ok()?;
    let jobs = tables.table(TableId::Job)?;
    // A trace of our own holds all processes of the job already.
    let is_single = jobs.i64(job::NPROCS, 0) == Some(1)
        && jobs.str(job::FORMAT, 0).is_some_and(|format| format.starts_with("darshan"));
    let exe = jobs.str(job::EXE, 0)?.to_owned();
    Some((jobs.i64(job::JOB_ID, 0)?, jobs.i64(job::UID, 0)?, exe)).filter(|_| is_single)
}

/// Reads the logs as one; ranks count on from log to log.
///
/// Times of each log are since its own start; in the result they are since the
/// first start of all. `is_read` hears of each log that is read.
pub(super) fn read(
    group: &[Input],
    log: i32,
    options: &OpenOptions<'_>,
    refused: &mut Vec<Refused>,
    is_read: &mut dyn FnMut(),
) -> Tables {
    let mut parts = Vec::with_capacity(group.len());
    let mut all = Tables::new();
    for input in group {
        let mut part = Tables::new();
        match super::read_log(input, log, options, &options.threads, &mut part) {
            Ok(()) => parts.push(part),
            Err(refusal) => {
                refused_row(&mut all, &refusal);
                refused.push(refusal);
            }
        }
        is_read();
    }
    let start = |part: &Tables| part.table(TableId::Job)?.i64(job::START_TIME, 0);
    let first = parts.iter().filter_map(start).min();
    let nprocs = |part: &Tables| part.table(TableId::Job)?.i64(job::NPROCS, 0);
    // Nothing says that these are ranks: they may be workers, or steps one after another.
    let are_processes = parts.len() > 1 && parts.iter().all(|part| nprocs(part) == Some(1));
    let mut ranks = 0;
    for part in parts {
        let processes = i32::try_from(nprocs(&part).unwrap_or(1)).unwrap_or(1).max(1);
        let later_ns = start(&part).zip(first).map_or(0, |(start, first)| start - first);
        let place =
            LogPosition { rank: ranks, is_single: processes == 1, later_s: later_ns as f64 / 1e9 };
        if are_processes {
            place.push_process(&part, &mut all);
        }
        place.append(part, &mut all);
        ranks = ranks.saturating_add(processes);
    }
    once::merge_jobs(&mut all, None, Some(i64::from(ranks)));
    once::keep_first_rows(&mut all);
    all
}

/// Where the processes and times of a log come to lie.
struct LogPosition {
    /// Rank of its first process.
    rank: i32,
    /// It holds one process, to which "all ranks" means itself.
    is_single: bool,
    /// Its start after the first start of all.
    later_s: f64,
}

impl LogPosition {
    fn rank(&self, rank: i32) -> i32 {
        match rank {
            ..0 if self.is_single => self.rank,
            ..0 => rank,
            _ => self.rank.saturating_add(rank),
        }
    }

    /// A row of table `process` for the process of this log.
    fn push_process(&self, part: &Tables, all: &mut Tables) {
        let Some(jobs) = part.table(TableId::Job) else { return };
        let start_time = jobs.i64(job::START_TIME, 0);
        all.push_process(ProcessRow {
            log: jobs.i32(job::LOG, 0).unwrap_or(0),
            process: self.rank,
            rank: self.rank,
            uid: jobs.i64(job::UID, 0),
            exe: jobs.str(job::EXE, 0).unwrap_or_default(),
            command_line: jobs.str(job::COMMAND_LINE, 0).unwrap_or_default(),
            start_s: self.later_s,
            end_s: jobs.f64(job::RUN_TIME_S, 0).map(|run_s| self.later_s + run_s),
            start_time,
            ..ProcessRow::UNKNOWN
        });
    }

    fn append(&self, mut part: Tables, all: &mut Tables) {
        for id in TableId::ALL {
            let Some(from) = part.take(id) else { continue };
            let mut to = all.take(id).unwrap_or_else(|| TableBuilder::new(id.def()));
            for row in 0..from.rows() {
                for (column, def) in id.def().columns.iter().enumerate() {
                    if def.name == "rank" && def.kind == Kind::I32 {
                        to.push_i32(column, from.i32(column, row).map(|rank| self.rank(rank)));
                    } else if is_moment(def) {
                        to.push_f64(column, from.f64(column, row).map(|s| s + self.later_s));
                    } else {
                        copy_cell(&from, column, row, &mut to);
                    }
                }
                to.end_row();
            }
            all.put_back(id, to);
        }
        let mut calls = std::mem::take(&mut part.calls);
        calls.relocate(|rank| self.rank(rank), self.later_s);
        all.calls.append(calls);
        let mut heatmap = std::mem::take(&mut part.heatmap);
        heatmap.relocate(|rank| self.rank(rank), self.later_s);
        all.heatmap.append(heatmap);
    }
}

/// Does a column hold moments since the start of the job?
fn is_moment(column: &ColumnDef) -> bool {
    column.kind == Kind::F64
        && (column.name.ends_with("_timestamp") || ["first_s", "last_s"].contains(&column.name))
}
