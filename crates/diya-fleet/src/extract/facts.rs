//! What the tables of a batch say of each of its logs.

use super::At;
use super::log_facts::{LAYERS, LogFacts, Name, Tables, at};
use super::metric::read_sums;
use super::usage::each;
use crate::generated::RankHostRow;
use crate::names::Names;
use crate::round::to_24_bits;
use diya::model::{Layer, Op};
use diya_tables::{
    Column, TableBuilder, TableId, TimestampNs, columns, file, heatmap, job, rank_host, read_issue,
};

/// The facts of all logs of a batch.
pub fn read(tables: &Tables<'_>, logs: usize) -> Vec<LogFacts> {
    let mut facts: Vec<LogFacts> = (0..logs).map(|_| LogFacts::default()).collect();
    jobs(tables, &mut facts);
    names(tables, &mut facts);
    for (layer, id) in LAYERS {
        let Some(table) = tables(id) else { continue };
        each(&*table, layer, &mut |log, mut of| {
            let Some(facts) = at(&mut facts, Some(log)) else { return };
            // Darshan 3.x counts fileno and dup among the opens.
            if facts.format == "darshan" {
                let others = of.counted_as_opens.unwrap_or(0);
                of.opens = of.opens.map(|opens| opens.saturating_sub(others).max(0));
            }
            facts.uses.push(of);
        });
        read_sums(&*table, id, &mut facts);
    }
    super::layout::read(tables, &mut |log, file, component| {
        if let Some(facts) = at(&mut facts, Some(log)) {
            facts.components.entry(file).or_default().push(component);
        }
    });
    hosts(tables, &mut facts);
    heat(tables, &mut facts);
    issues(tables, &mut facts);
    facts
}

fn jobs(tables: &Tables<'_>, facts: &mut [LogFacts]) {
    let Some(table) = tables(TableId::Job) else { return };
    for of_table in JobColumns::batches(&*table) {
        for row in 0..of_table.rows() {
            let Some(of) = at(facts, of_table.log.get(row)) else { continue };
            let text = |texts: &Column<str>| texts.get(row).map(str::to_owned);
            of.has_job = true;
            of.format = text(&of_table.format).unwrap_or_default();
            (of.job_id, of.uid) = (of_table.job_id.get(row), of_table.uid.get(row));
            (of.exe, of.command_line) = (text(&of_table.exe), text(&of_table.command_line));
            of.nprocs = of_table.nprocs.get(row);
            (of.start, of.end) = (of_table.start_time.get(row), of_table.end_time.get(row));
            of.run_time_s = of_table.run_time_s.get(row);
            of.log_version = text(&of_table.log_version);
            of.library_version = text(&of_table.library_version);
        }
    }
}

columns! {
    struct JobColumns of job {
        log: i32,
        format: str,
        job_id: i64,
        uid: i64,
        exe: str,
        command_line: str,
        nprocs: i64,
        start_time: TimestampNs,
        end_time: TimestampNs,
        run_time_s: f64,
        log_version: str,
        library_version: str,
    }
}

columns! {
    struct FileColumns of file {
        log: i32,
        file_id: u64,
        path: str,
        mount: str,
        fs_type: str,
        is_path_suffix: bool,
    }
}

columns! {
    struct HostColumns of rank_host { log: i32, rank: i32, host: str }
}

columns! {
    /// What is the same in all bins of a direction of a record.
    struct HeatColumns of heatmap { log: i32, layer: str, op: str, bin_width_s: f64 }
}

columns! {
    struct HeatBytes of heatmap { bytes: i64 }
}

columns! {
    struct IssueColumns of read_issue { log: i32, loss: str }
}

fn names(tables: &Tables<'_>, facts: &mut [LogFacts]) {
    let Some(table) = tables(TableId::File) else { return };
    for files in FileColumns::batches(&*table) {
        for row in 0..files.rows() {
            let Some(of) = at(facts, files.log.get(row)) else { continue };
            let Some(id) = files.file_id.get(row) else { continue };
            let text = |texts: &Column<str>| texts.get(row).map(str::to_owned);
            let name = Name {
                path: text(&files.path),
                mount: text(&files.mount),
                fs_type: text(&files.fs_type),
                is_end: files.is_path_suffix.get(row).unwrap_or(false),
            };
            of.names.entry(id).or_insert(name);
        }
    }
}

fn hosts(tables: &Tables<'_>, facts: &mut [LogFacts]) {
    let Some(table) = tables(TableId::RankHost) else { return };
    for hosts in HostColumns::batches(&*table) {
        for row in 0..hosts.rows() {
            let key = hosts.rank.get(row).zip(hosts.host.get(row));
            if let (Some(of), Some((rank, host))) = (at(facts, hosts.log.get(row)), key) {
                of.hosts.insert((rank, host.to_owned()), ());
            }
        }
    }
}

/// Layers that touch the file system: their bytes add up to those of the job.
const HEAT_LAYERS: [Layer; 3] = [Layer::Posix, Layer::Stdio, Layer::Dfs];

fn heat(tables: &Tables<'_>, facts: &mut [LogFacts]) {
    let Some(table) = tables(TableId::Heatmap) else { return };
    for number in 0..table.batches() {
        let (lengths, runs) = table.runs(number, HeatColumns::COLUMNS);
        let (runs, bytes) = (HeatColumns::of(&runs), HeatBytes::read(&*table, number).bytes);
        let mut from = 0;
        for (run, bins) in lengths.into_iter().enumerate() {
            let of_run = &bytes.values()[from..from + bins];
            from += bins;
            let layer = runs.layer.get(run).unwrap_or_default();
            let facts = at(facts, runs.log.get(run)).zip(runs.bin_width_s.get(run));
            let Some((facts, width)) = facts else { continue };
            if HEAT_LAYERS.iter().any(|of| of.name() == layer) {
                let is_write = runs.op.get(run) == Some(Op::Write.name());
                let moved = (0..).zip(of_run).filter(|(_, bytes)| **bytes > 0);
                facts.heat[usize::from(is_write)]
                    .extend(moved.map(|(bin, bytes)| (f64::from(bin) * width, width, *bytes)));
            }
        }
    }
}

fn issues(tables: &Tables<'_>, facts: &mut [LogFacts]) {
    let Some(table) = tables(TableId::ReadIssue) else { return };
    for issues in IssueColumns::batches(&*table) {
        for row in 0..issues.rows() {
            if let Some(of) = at(facts, issues.log.get(row)) {
                of.is_partial |= issues.loss.get(row) != Some("none");
            }
        }
    }
}

/// Rows of `rank_host`.
pub fn push_hosts(
    log: &LogFacts,
    totals: &super::metric::Totals,
    at: At,
    names: &Names,
    out: &mut TableBuilder,
) {
    for (rank, host) in log.hosts.keys().filter(|(rank, _)| *rank >= 0) {
        let own = totals.own.get(rank);
        let host = names.text("host", host);
        RankHostRow {
            log_hash: at.log_hash,
            start_time: at.start,
            rank: i64::from(*rank),
            host: &host,
            io_s: own.map(|own| to_24_bits(own.time_s)),
            bytes: own.map(|own| own.bytes),
        }
        .push(out);
    }
}
