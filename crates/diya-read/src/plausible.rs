//! Removes records with impossible numbers. Runs after all readers and before all metrics.
//!
//! The whole record is removed: if one number is impossible, others may be wrong, too. The
//! limits are far above anything real (docs/decisions/0015), so that no valid record is removed.

use crate::derive;
use diya_tables::{
    CallChunk, CallRun, ColumnDef, Issue, IssueKind, Kind, TableBuilder, TableId, Tables, job,
};
use std::collections::{BTreeMap, HashSet};

/// The largest MPI jobs had about three million processes.
const MAX_PROCESSES: i64 = 1 << 24;
/// Ten years.
const MAX_RUN_S: f64 = 10.0 * 365.25 * 86_400.0;
/// Threads of a process that are all in I/O all the time.
const MAX_THREADS: f64 = 256.0;
/// Memory is slower.
const MAX_BYTES_PER_S: f64 = 1e12;
/// A call takes longer than 0.1 ns.
const MAX_CALLS_PER_S: f64 = 1e10;
/// A clock that is set back can make a sum of times negative, down to this.
const LEAST_S: f64 = -1.0;

/// Upper limits for one job.
#[derive(Debug, Clone, Copy)]
struct Limits {
    processes: f64,
    /// Number of ranks: valid ranks are below.
    ranks: i64,
    run_s: f64,
}

impl Limits {
    const UNKNOWN: Self =
        Self { processes: MAX_PROCESSES as f64, ranks: i64::MAX, run_s: MAX_RUN_S };

    /// Returns run time × processes for a record of all ranks, else the run time.
    fn scale(&self, rank: i32) -> f64 {
        self.run_s * if rank < 0 { self.processes } else { 1.0 }
    }

    fn is_rank(&self, rank: i64) -> bool {
        (-1..self.ranks).contains(&rank)
    }
}

/// What is wrong with a record.
#[derive(Debug, Clone, PartialEq)]
struct Fault {
    kind: IssueKind,
    what: String,
}

/// Per log, part and kind: the number of faults, and the text of the first.
#[derive(Debug, Default)]
struct Found(BTreeMap<(i32, &'static str, &'static str), (IssueKind, u64, String)>);

impl Found {
    fn add(&mut self, log: i32, part: &'static str, fault: &Fault) {
        let first = || (fault.kind, 0, fault.what.clone());
        self.0.entry((log, part, fault.kind.name())).or_insert_with(first).1 += 1;
    }
}

/// Removes records with impossible numbers, and lists them in `read_issue`.
///
/// Call it once, with the tables of whole logs: the row of the job has the limits.
pub fn remove_impossible(tables: &mut Tables) {
    let mut found = Found::default();
    let limits = limits(tables, &mut found);
    let of_log = |log: i32| limits.get(&log).copied().unwrap_or(Limits::UNKNOWN);
    let mut is_changed = false;
    for id in TableId::of_layers().chain([TableId::OpCount]) {
        let Some(mut table) = tables.take(id) else { continue };
        let (keep, is_whole) = check_records(id, &table, &of_log, &mut found);
        if !is_whole {
            table.retain(&keep);
            is_changed = true;
        }
        tables.put_back(id, table);
    }
    check_calls(tables, &of_log, &mut found);
    check_heatmap(tables, &of_log, &mut found);
    if is_changed {
        derive::again(tables);
    }
    for ((log, part, _), (kind, count, what)) in found.0 {
        let concerned = concerned(part);
        let effect = match (kind, count) {
            (IssueKind::ImplausibleJob, _) => format!("{what} is impossible and is ignored"),
            (IssueKind::DuplicateRecord, 1) => format!("1 duplicate record is ignored ({what})"),
            (IssueKind::DuplicateRecord, count) => {
                format!("{count} duplicate records are ignored (first: {what})")
            }
            (_, 1) => format!("1 record is ignored: it {what}"),
            (_, count) => format!("{count} records are ignored: the first {what}"),
        };
        let issue = Issue::of_log(kind, &effect);
        let issue = Issue { module: Some(part), tables: &concerned, count: Some(count), ..issue };
        tables.push_issue(log, issue);
    }
}

/// Tables that a fault in a part concerns.
fn concerned(part: &str) -> Vec<TableId> {
    let table = TableId::from_name(part).unwrap_or(TableId::Job);
    std::iter::once(table).chain(derive::derived_from(table)).collect()
}

/// The limits of each log; impossible numbers of its job become null.
fn limits(tables: &mut Tables, found: &mut Found) -> BTreeMap<i32, Limits> {
    let mut limits = BTreeMap::new();
    let Some(mut jobs) = tables.take(TableId::Job) else { return limits };
    for row in 0..jobs.rows() {
        let Some(log) = jobs.i32(job::LOG, row) else { continue };
        let mut limit = Limits::UNKNOWN;
        let mut refuse = |jobs: &mut TableBuilder, column, what: String| {
            found.add(log, "job", &Fault { kind: IssueKind::ImplausibleJob, what });
            jobs.set_null(column, row);
        };
        match jobs.i64(job::NPROCS, row) {
            Some(nprocs) if (1..=MAX_PROCESSES).contains(&nprocs) => {
                (limit.processes, limit.ranks) = (nprocs as f64, nprocs);
            }
            Some(nprocs) => refuse(&mut jobs, job::NPROCS, format!("a job of {nprocs} processes")),
            None => {}
        }
        match jobs.f64(job::RUN_TIME_S, row) {
            // Old logs store whole seconds, so a short run has 0 s.
            Some(run_s) if (0.0..=MAX_RUN_S).contains(&run_s) => limit.run_s = run_s.max(1.0),
            Some(run_s) => {
                refuse(&mut jobs, job::RUN_TIME_S, format!("a run time of {run_s:e} s"));
            }
            None => {}
        }
        limits.insert(log, limit);
    }
    tables.put_back(TableId::Job, jobs);
    limits
}

/// What a number of a record counts.
#[derive(Debug, Clone, Copy)]
enum Counts {
    Seconds,
    Moment,
    Bytes,
    Calls,
    Rank,
}

fn counts(column: &ColumnDef) -> Option<Counts> {
    let name = column.name;
    match (column.kind, column.unit) {
        (Kind::F64, _) if name.contains("variance") => None,
        (Kind::F64, "s") if name.ends_with("_time") || name.ends_with("time_s") => {
            Some(Counts::Seconds)
        }
        (Kind::F64, "s") => Some(Counts::Moment),
        (Kind::I64, "bytes") if name.starts_with("bytes") || name.ends_with("_rank_bytes") => {
            Some(Counts::Bytes)
        }
        (Kind::I64, "calls") => Some(Counts::Calls),
        (Kind::I64, "rank") => Some(Counts::Rank),
        _ => None,
    }
}

/// Returns a keep flag for each row, and whether all rows are kept.
fn check_records(
    id: TableId,
    table: &TableBuilder,
    of_log: &dyn Fn(i32) -> Limits,
    found: &mut Found,
) -> (Vec<bool>, bool) {
    let def = id.def();
    let numbers: Vec<(usize, &ColumnDef, Counts)> = def
        .columns
        .iter()
        .enumerate()
        .filter_map(|(at, column)| Some((at, column, counts(column)?)))
        .collect();
    let mut seen = HashSet::new();
    let is_record = TableId::of_layers().any(|of| of == id);
    let mut keep = Vec::with_capacity(table.rows());
    let mut is_whole = true;
    // Log, file and rank are the first three columns of all of them.
    for row in 0..table.rows() {
        let log = table.i32(0, row).unwrap_or_default();
        let file_id = table.u64(1, row).unwrap_or_default();
        let rank = table.i32(2, row).unwrap_or_default();
        let limits = of_log(log);
        let fault = if !limits.is_rank(i64::from(rank)) {
            let what = format!("belongs to rank {rank}, but the job has {} ranks", limits.ranks);
            Some(Fault { kind: IssueKind::ImplausibleRank, what })
        } else if let Some(what) = impossible(table, row, rank, &numbers, &limits) {
            Some(Fault { kind: IssueKind::ImplausibleValue, what })
        } else if is_record && !seen.insert((log, file_id, rank)) {
            let what = format!("rank {rank}, file {file_id}");
            Some(Fault { kind: IssueKind::DuplicateRecord, what })
        } else {
            None
        };
        if let Some(fault) = &fault {
            found.add(log, def.name, fault);
        }
        is_whole &= fault.is_none();
        keep.push(fault.is_none());
    }
    (keep, is_whole)
}

/// Text about the first impossible number of a record.
fn impossible(
    table: &TableBuilder,
    row: usize,
    rank: i32,
    numbers: &[(usize, &ColumnDef, Counts)],
    limits: &Limits,
) -> Option<String> {
    let scale = limits.scale(rank);
    numbers.iter().find_map(|(at, column, counts)| {
        let name = column.name;
        let real = || table.f64(*at, row);
        let within = |most: f64| {
            let value = table.i64(*at, row)?;
            (value < 0 || value as f64 > most).then(|| format!("has {name} = {value}"))
        };
        match counts {
            Counts::Seconds => real()
                .filter(|s| !(LEAST_S..=scale * MAX_THREADS).contains(s))
                .map(|s| format!("has {name} = {s:e} s")),
            Counts::Moment => {
                real().filter(|s| !s.is_finite()).map(|s| format!("has {name} = {s} s"))
            }
            Counts::Bytes => within(scale * MAX_BYTES_PER_S),
            Counts::Calls => within(scale * MAX_CALLS_PER_S),
            Counts::Rank => {
                let value = table.i64(*at, row)?;
                (!limits.is_rank(value)).then(|| format!("has {name} = {value}"))
            }
        }
    })
}

fn check_calls(tables: &mut Tables, of_log: &dyn Fn(i32) -> Limits, found: &mut Found) {
    let fault = |run: &CallRun, limits: &Limits, chunk: &CallChunk, call: usize| {
        let bytes = chunk.size_bytes.get(call).copied().filter(|_| run.has_size);
        let start_s = chunk.start_s.get(call).copied().unwrap_or_default();
        let end_s = chunk.end_s.get(call).copied().unwrap_or_default();
        let (bytes, most) = (bytes.unwrap_or(0), limits.run_s * MAX_BYTES_PER_S);
        // NaN is outside every range.
        bytes < 0
            || bytes as f64 > most
            || !(LEAST_S..=limits.run_s * MAX_THREADS).contains(&(end_s - start_s))
    };
    let is_fine = |run: &CallRun, chunk: &CallChunk, call: usize| {
        let limits = of_log(run.log);
        limits.is_rank(i64::from(run.rank)) && !fault(run, &limits, chunk, call)
    };
    let mut is_whole = true;
    for chunk in tables.calls.chunks() {
        let mut at = 0;
        for run in &chunk.runs {
            let limits = of_log(run.log);
            let calls = at..at + run.len;
            at = calls.end;
            let (kind, what, count) = if limits.is_rank(i64::from(run.rank)) {
                let faults = calls.filter(|call| fault(run, &limits, &chunk, *call)).count();
                let what = "has an impossible number of bytes, or time".to_owned();
                (IssueKind::ImplausibleValue, what, faults)
            } else {
                let what =
                    format!("belongs to rank {}, but the job has {} ranks", run.rank, limits.ranks);
                (IssueKind::ImplausibleRank, what, run.len)
            };
            is_whole &= count == 0;
            (0..count)
                .for_each(|_| found.add(run.log, "call", &Fault { kind, what: what.clone() }));
        }
    }
    if !is_whole {
        tables.calls.retain(is_fine);
    }
}

fn check_heatmap(tables: &mut Tables, of_log: &dyn Fn(i32) -> Limits, found: &mut Found) {
    let fault = |record: &diya_tables::HeatmapRecord| {
        let limits = of_log(record.log);
        if !limits.is_rank(i64::from(record.rank)) {
            let what =
                format!("belongs to rank {}, but the job has {} ranks", record.rank, limits.ranks);
            return Some(Fault { kind: IssueKind::ImplausibleRank, what });
        }
        let most = limits.scale(record.rank) * MAX_BYTES_PER_S;
        let mut bins = record.write.iter().chain(&record.read);
        let bytes = bins.find(|bytes| **bytes < 0 || **bytes as f64 > most)?;
        let what = format!("has {bytes} bytes in a bin");
        Some(Fault { kind: IssueKind::ImplausibleValue, what })
    };
    let mut is_whole = true;
    for record in tables.heatmap.records() {
        if let Some(fault) = fault(record) {
            found.add(record.log, "heatmap", &fault);
            is_whole = false;
        }
    }
    if !is_whole {
        tables.heatmap.retain(|record| fault(record).is_none());
    }
}

#[cfg(test)]
mod tests;
