//! What the tables of a batch say of each of its logs.

use super::At;
use super::cells::{columns, pieces};
use super::log_facts::{LAYERS, LogFacts, Name, Tables, at};
use super::metric::read_sums;
use super::usage::each;
use crate::generated::RankHostRow;
use crate::names::Names;
use crate::round::to_24_bits;
use diya::model::{Layer, Op};
use diya_tables::{TableBuilder, TableId};

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
    let wanted = columns(
        table.def(),
        &[
            "log",
            "format",
            "job_id",
            "uid",
            "exe",
            "command_line",
            "nprocs",
            "start_time",
            "end_time",
            "run_time_s",
            "log_version",
            "library_version",
        ],
    );
    pieces(&*table, &wanted, &mut |cells| {
        for row in 0..cells.rows() {
            let Some(of) = at(facts, cells.i32(0, row)) else { continue };
            let text = |column| cells.text(column, row).map(str::to_owned);
            of.has_job = true;
            of.format = text(1).unwrap_or_default();
            (of.job_id, of.uid) = (cells.i64(2, row), cells.i64(3, row));
            (of.exe, of.command_line) = (text(4), text(5));
            of.nprocs = cells.i64(6, row);
            (of.start, of.end) = (cells.ns(7, row), cells.ns(8, row));
            of.run_time_s = cells.f64(9, row);
            (of.log_version, of.library_version) = (text(10), text(11));
        }
    });
}

fn names(tables: &Tables<'_>, facts: &mut [LogFacts]) {
    let Some(table) = tables(TableId::File) else { return };
    let wanted =
        columns(table.def(), &["log", "file_id", "path", "mount", "fs_type", "is_path_suffix"]);
    pieces(&*table, &wanted, &mut |cells| {
        for row in 0..cells.rows() {
            let (Some(of), Some(id)) = (at(facts, cells.i32(0, row)), cells.u64(1, row)) else {
                continue;
            };
            let text = |column| cells.text(column, row).map(str::to_owned);
            let is_end = cells.flag(5, row).unwrap_or(false);
            let name = Name { path: text(2), mount: text(3), fs_type: text(4), is_end };
            of.names.entry(id).or_insert(name);
        }
    });
}

fn hosts(tables: &Tables<'_>, facts: &mut [LogFacts]) {
    let Some(table) = tables(TableId::RankHost) else { return };
    let wanted = columns(table.def(), &["log", "rank", "host"]);
    pieces(&*table, &wanted, &mut |cells| {
        for row in 0..cells.rows() {
            let key = cells.i32(1, row).zip(cells.text(2, row));
            if let (Some(of), Some((rank, host))) = (at(facts, cells.i32(0, row)), key) {
                of.hosts.insert((rank, host.to_owned()), ());
            }
        }
    });
}

/// Layers that touch the file system: their bytes add up to those of the job.
const HEAT_LAYERS: [Layer; 3] = [Layer::Posix, Layer::Stdio, Layer::Dfs];

fn heat(tables: &Tables<'_>, facts: &mut [LogFacts]) {
    let Some(table) = tables(TableId::Heatmap) else { return };
    let wanted =
        columns(table.def(), &["log", "layer", "op", "bin_start_s", "bin_width_s", "bytes"]);
    pieces(&*table, &wanted, &mut |cells| {
        for row in 0..cells.rows() {
            let bytes = cells.i64(5, row).unwrap_or(0);
            let layer = cells.text(1, row).unwrap_or_default();
            if bytes <= 0 || !HEAT_LAYERS.iter().any(|of| of.name() == layer) {
                continue;
            }
            let is_write = cells.text(2, row) == Some(Op::Write.name());
            let bin = cells.f64(3, row).zip(cells.f64(4, row));
            if let (Some(of), Some((start, width))) = (at(facts, cells.i32(0, row)), bin) {
                of.heat[usize::from(is_write)].push((start, width, bytes));
            }
        }
    });
}

fn issues(tables: &Tables<'_>, facts: &mut [LogFacts]) {
    let Some(table) = tables(TableId::ReadIssue) else { return };
    let wanted = columns(table.def(), &["log", "loss"]);
    pieces(&*table, &wanted, &mut |cells| {
        for row in 0..cells.rows() {
            if let Some(of) = at(facts, cells.i32(0, row)) {
                of.is_partial |= cells.text(1, row) != Some("none");
            }
        }
    });
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
